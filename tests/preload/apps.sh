#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# apps.sh FOLDER-OF-THE-PROJECT: what scripts/conformance reads out of what programs say, and what it takes for the same results.
set -euo pipefail
cd "$1"
# shellcheck source=scripts/conformance.d/apps.sh
source scripts/conformance.d/apps.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

reads() { # PROGRAM VALUES: names and values, from what stands on stdin
    local got
    got=$("values_of_$1" | awk '{ printf "%s%s=%s", (NR > 1 ? " " : ""), $1, $4 }')
    [[ $got == "$2" ]] || { echo "$1: it reads '$got', not '$2'"; exit 1; }
}
reads lammps 'Temp.0=3 E_pair.0=-6.77 Press.0=-3.7 Temp.50=1.68 E_pair.50=-4.8 Press.50=5.56' <<'end'
Step Temp E_pair E_mol Press
       0            3   -6.77            0    -3.7
      50    1.68   -4.8            0    5.56
Loop time of 17.3802 on 4 procs for 250 steps with 4000 atoms
       0  no row
end
reads espresso 'fermi=8.3513 energy=-4.18546970 iterations=3 force=0.000001 pressure=-14.54 energy.cp=-17.12' <<'end'
     the Fermi energy is     8.3513 ev
     total energy              =      -4.1 Ry
!    total energy              =      -4.18546970 Ry
     convergence has been achieved in   3 iterations
     Total force =     0.000001     Total SCF correction =     0.000000
          total   stress  (Ry/bohr**3)                   (kbar)     P=      -14.54
                total energy =      -17.12 Hartree a.u.
end
reads cp2k 'energy=-34.5 stress=1.5E+02 conserved=-0.25' <<'end'
 ENERGY| Total FORCE_EVAL ( QS ) energy [a.u.]:              -34.5
 STRESS| 1/3 Trace                                          1.5E+02
 MD| Conserved quantity [hartree]                         -0.25
end
reads nwchem 'SCF=-76.01 gradient.1.1=0.1 gradient.1.2=0.2 gradient.1.3=-0.3 MP2=-76.2' <<'end'
         Total SCF energy =    -76.01
    atom               coordinates                        gradient
                 x          y          z           x          y          z
   1 O       0.000000   0.000000   0.221665    0.1   0.2  -0.3

   2 H       no gradient any more 1 2 3
          Total MP2 energy           -76.2
end
reads mumps 'x=1.0 x=wrong x=0.9999' <<<'  Solution is   1.0 0.5  0.9999'
reads mumps 'x=1.0 x=0.0 x=0.9999 x=wrong' <<<'  Solution is   (1.0,0.0)   (0.9999,0.1)'
reads mpi4py 'ranks=2 ran=5 ERROR=1 ERROR:testB=1 ok=3 skipped=1' <<'end'
testA (test_a.TestA.testA) ... ok
testA (test_a.TestA.testA) ... ok
testB (test_a.TestA.testB) ... ERROR
testB (test_a.TestA.testB) ... ok
testC (test_a.TestA.testC) ... skipped 'for a reason'
ERROR: testB (test_a.TestA.testB)
Ran 3 tests in 1.5s
Ran 2 tests in 1.5s
end

printf 'a 0.1 - 10\nb - 1e-3 -200\n' >"$work/reference"
compares() { # near|apart LINES
    local said=apart
    printf '%b' "$2" >"$work/values"
    if are_near "$work/reference" "$work/values"; then said=near; fi
    [[ $said == "$1" ]] || { echo "'$2' is $said, not $1"; exit 1; }
}
compares near 'a 0.1 - 10.05\nb - 1e-3 -200.1\n'
compares apart 'a 0.1 - 10.2\nb - 1e-3 -200\n'
compares apart 'a 0.1 - 10\nb - 1e-3 -200.3\n'
compares apart 'a 0.1 - 10\nb - 1e-3 nan\n'
compares apart 'a 0.1 - 10\n'
compares apart 'a 0.1 - 10\nb - 1e-3 -200\nc 1 - 1\n'
compares apart 'a 0.1 - 10\nc - 1e-3 -200\n'
compares apart ''

[[ -z $(calls_of "$work/reference") ]] || { echo 'calls without a report'; exit 1; }
printf '%s\n' 'topomp-preload: calls of all ranks' 'verb calls by topomp bytes seconds' 'bcast 12 7 4096 0.1' 'gather 3 0 8 0.2' \
    'the end of it' >"$work/report"
[[ $(calls_of "$work/report") == $'7\t15' ]] || { echo "calls: $(calls_of "$work/report")"; exit 1; }
echo 'all read and compared as they should be'
