# shellcheck shell=bash
# SPDX-License-Identifier: BSL-1.0
# Programs of the distribution's packages, for scripts/conformance: what each is run on, and what its results are compared by.
# Of each program there is a function `cases_of_PROGRAM`, which puts inputs into the present folder and prints lines of a name,
# the number of ranks and a command; and one `values_of_PROGRAM`, which reads what a run said and prints lines of a name, how far
# the value may be away, absolutely and relatively (- for any), and the value.

readonly known_apps=(lammps espresso cp2k nwchem mumps mpi4py)
readonly app_inputs=$PWD/scripts/conformance.d

is_app() { [[ " ${known_apps[*]} " == *" $1 "* ]]; }

# The packages of a program's build for an MPI; none where there is no such build.
packages_of() { # PROGRAM MPI
    case $1-$2 in
        lammps-openmpi) echo lammps lammps-examples ;;
        espresso-openmpi) echo quantum-espresso quantum-espresso-data ;;
        cp2k-openmpi) echo cp2k cp2k-data ;;
        nwchem-*) echo "nwchem-$2" nwchem-data ;;
        mumps-openmpi) echo mumps-test ;;
        mpi4py-openmpi) echo python3-mpi4py ;;
    esac
}

# --- LAMMPS: its examples, made shorter ---------------------------------------------------------------------

cases_of_lammps() {
    local examples=/usr/share/lammps/examples
    cp "$examples"/{melt/in.melt,peptide/*.peptide,balance/in.balance.neigh.rcb,neb/*.hop1,rigid/*.rigid.tnr,min/in.min} .
    sed -i -E -e 's/^(run[[:space:]]+)[0-9]+/\120/' -e 's/^(thermo[[:space:]]+)[0-9]+/\110/' -e 's/^thermo_style.*multi/thermo_style one/' \
        -e 's/^(neb[[:space:]].*) 1000 1000 100 /\1 40 20 20 /' -e 's/^(minimize[[:space:]].*) [0-9]+ [0-9]+/\1 60 200/' in.*
    # The grid of ranks comes from MPI_Cart_create, which may give them other numbers.
    sed 's|^create_box|processors * * * map cart/reorder\n&|' in.melt >in.reordered
    echo 'melt 8 lmp -in in.melt'
    echo 'reordered 8 lmp -in in.reordered'
    echo 'peptide 4 lmp -in in.peptide'                # particles and meshes, constraints
    echo 'rigid 4 lmp -in in.rigid.tnr'                # rigid bodies, thermostats and barostats
    echo 'rcb 7 lmp -in in.balance.neigh.rcb'          # balances its load by operations of its own
    echo 'minimize 4 lmp -in in.min'
    echo 'neb 8 lmp -partition 4x2 -in in.neb.hop1'    # four communicators of two ranks
}

# tools/regression-tests/config.yaml
values_of_lammps() {
    awk '$1 == "Step" { columns = NF; for (i = 1; i <= NF; ++i) name[i] = $i; next }
        columns > 0 && $1 !~ /^[0-9]+$/ { columns = 0 }
        columns > 0 {
            for (i = 2; i <= columns; ++i)
                if (name[i] == "E_pair") print name[i] "." $1, 1e-3, 1e-7, $i
                else if (name[i] ~ /^(PotEng|TotEng|Press|Temp|EBF|EBR)$/) print name[i] "." $1, 1e-4, 1e-7, $i
        }'
}

# --- Quantum ESPRESSO ---------------------------------------------------------------------------------------

cases_of_espresso() {
    cp "$app_inputs"/espresso/* .
    echo 'aluminium 4 pw.x -nk 2 -in aluminium.in'
    echo 'silicon 8 pw.x -nk 2 -ndiag 4 -in silicon.in'
    echo 'water 4 cp.x -in water.in'
}

# test-suite/extract-pw.sh and extract-cp.sh, test-suite/userconfig.tmp
values_of_espresso() {
    awk '/^!/ { print "energy", 8e-4, 1e-4, $5 }
        /convergence has been achieved in/ { print "iterations", 5, 10, $6 }
        /Total force/ { print "force", 1e-3, "-", $4 }
        /P= / { print "pressure", 0.9, "-", $6 }
        /the Fermi energy is/ { print "fermi", 1e-2, 1e-2, $5 }
        /highest occupied level/ { print "highest", 1e-2, 1e-2, $5 }
        /total energy = .* Hartree/ { print "energy.cp", 1e-5, 1e-5, $4 }'
}

# --- CP2K ---------------------------------------------------------------------------------------------------

cases_of_cp2k() {
    cp "$app_inputs"/cp2k/* .
    echo 'water 4 cp2k.psmp -i water.inp'
    echo 'diagonal 7 cp2k.psmp -i diagonal.inp'
}

# tests/TEST_TYPES
values_of_cp2k() {
    awk '/ENERGY\| Total FORCE_EVAL/ { print "energy", "-", 1e-11, $9 }
        /STRESS\| 1\/3 Trace/ { print "stress", "-", 1e-8, $4 }
        /MD\| Conserved quantity \[hartree\]/ { print "conserved", "-", 1e-11, $5 }'
}

# --- NWChem -------------------------------------------------------------------------------------------------

cases_of_nwchem() {
    cp "$app_inputs"/nwchem/* .
    echo "water 4 nwchem.$mpi water.nw"
}

# QA/nwparse.pl
values_of_nwchem() {
    awk '/Total (SCF|DFT|MP2|SCS-MP2) energy/ { print $2, 1e-5, "-", $NF }
        /nuclear repulsion energy/ { print "repulsion", 1e-5, "-", $NF }
        gradient && NF == 8 { for (i = 6; i <= 8; ++i) print "gradient." $1 "." i - 5, 1e-4, "-", $i }
        / x  +y  +z  +x  +y  +z/ { gradient = 1 }
        NF == 0 { gradient = 0 }'
}

# --- MUMPS: the programs of its package, on Laplace's equation ------------------------------------------------

laplace() { # SIDE complex|real: its matrix on a grid, and right hand sides to which the solution is 1 everywhere
    awk -v n="$1" -v kind="$2" '
        function number(value) { return kind == "complex" ? "(" value ",0.0)" : value }
        function entry(row, column, value) { entries[++count] = row " " column " " number(value); sum[row] += value }
        BEGIN {
            for (i = 0; i < n; ++i)
                for (j = 0; j < n; ++j) {
                    row = i * n + j + 1
                    entry(row, row, "4.5")
                    if (i > 0) entry(row, row - n, "-1.0")
                    if (i < n - 1) entry(row, row + n, "-1.25")
                    if (j > 0) entry(row, row - 1, "-1.0")
                    if (j < n - 1) entry(row, row + 1, "-0.75")
                }
            print n * n
            print count
            for (i = 1; i <= count; ++i) print entries[i]
            for (i = 1; i <= n * n; ++i) print number(sprintf("%.2f", sum[i]))
        }'
}

cases_of_mumps() {
    local each
    laplace 30 real >d.in
    laplace 30 complex >z.in
    cp d.in s.in
    cp z.in c.in
    for each in 'd 4' 'z 4' 's 7' 'c 7'; do echo "$each /usr/lib/mumps/${each% *}simpletest <${each% *}.in"; done
}

# It has no checks of its own. Away from 1 by what single precision leaves is wrong with and without the library.
values_of_mumps() {
    awk '/Solution is/ { reading = 1; sub(/.*Solution is/, "") }
        reading && NF == 0 { exit }
        reading {
            step = gsub(/[(),]/, " ") > 0 ? 2 : 1 # real and imaginary parts
            for (i = 1; i <= NF; ++i) {
                away = $i - (i % step == 1 % step)
                print "x", 1e-4, "-", (away < 1e-3 && away > -1e-3 ? $i : "wrong")
            }
        }'
}

# --- mpi4py: the tests of its source package ------------------------------------------------------------------

cases_of_mpi4py() {
    local archives=$builds/conformance/archives ranks
    mkdir -p "$archives"
    compgen -G "$archives/mpi4py_*.orig.tar.*" >/dev/null || bash "$scripts/../cmake/download_source.sh" mpi4py "$archives" \
        >"$results/build.log" 2>&1 || compgen -G "$archives/mpi4py_*.orig.tar.*" >/dev/null || return 0
    tar -xf "$archives"/mpi4py_*.orig.tar.* --strip-components 1 --wildcards '*/test/*'
    # Not those that start programs: a minute each on a machine of two cores.
    for ranks in 1 2 3 4; do
        # shellcheck disable=SC2016 # a rank expands
        echo "tests $ranks /usr/bin/python3 test/runtests.py -v -e spawn >rank.\$OMPI_COMM_WORLD_RANK 2>&1"
    done
}

# How many tests passed, failed and were skipped on all ranks, and the names of those that failed.
values_of_mpi4py() {
    awk '/ \.\.\. / { ++ended[$NF ~ /^(ok|ERROR|FAIL)$/ ? $NF : "skipped"] }
        /^Ran [0-9]+ tests? in/ { ran += $2; ++ranks }
        /^(ERROR|FAIL): / { ++ended[$0 = $1 $2] }
        END {
            print "ranks", 0, "-", ranks
            print "ran", 0, "-", ran
            for (each in ended) print each, 0, "-", ended[each] | "sort"
        }'
}

# --- Running them -------------------------------------------------------------------------------------------

# REFERENCE VALUES: whether they are as near as they have to be.
are_near() {
    awk 'function distance(a, b) { return a > b ? a - b : b - a }
        $4 !~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/ { exit wrong = 1 }
        NR == FNR { name[++expected] = $1; value[expected] = $4; next }
        {
            ++got
            apart = distance($4, value[got])
            if (got > expected || $1 != name[got] || $2 != "-" && apart > $2 || $3 != "-" && apart > $3 * distance(value[got], 0)) wrong = 1
        }
        END { exit wrong || got == 0 || got != expected }' "$1" "$2"
}

# Calls that topomp served, and all, of what a run said; nothing where the library did not report.
calls_of() {
    awk '/^topomp-preload: calls/ { reported = 1 }
        reported && NF == 5 && $2 $3 $4 ~ /^[0-9]+$/ { all += $2; served += $3 }
        END { if (reported) printf "%d\t%d", served, all }' "$1"
}

# MPI PROGRAM NAME RANKS COMMAND, with what `preloaded` and `with` say, in a fresh copy of the inputs: prints as `run` does.
run_case() {
    local mpi=$1 app=$2 name=$3 ranks=$4 code=0 result
    rm -rf "$tests/run"
    cp -r "$tests/inputs" "$tests/run"
    cd "$tests/run"
    is_right() {
        cat rank.* >>"$results/said" 2>/dev/null || true
        "values_of_$app" <"$results/said" >"$tests/values"
        if ((${#with[@]} == 0)); then
            cp "$tests/values" "$tests/reference"
        else
            [[ -n $(calls_of "$results/said") ]]
        fi && are_near "$tests/reference" "$tests/values"
    }
    result=$(run "$mpi" "$ranks" sh -c "exec $5")
    [[ $result == pass ]] || cat "$results/said" "$tests/run"/rank.* >"$results/$mpi.$app.$name.$ranks.${label:-without}" 2>/dev/null || true
    echo "$result"
}

# MPI PROGRAM: a line of lines.tsv for each of its cases and policies, with the calls behind: those served, and all.
run_app() {
    local mpi=$1 app=$2 tests=$builds/conformance/$1/$2 name ranks command before after label each policies=('' binomial pairwise) cases
    local yield='' library
    library=$(library_of "$mpi")
    [[ $mpi != mpich ]] || yield=$(yield_of)
    [[ -z $policy ]] || policies=("$policy")
    export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
    # Debian's build of NWChem for MPICH has wrong results on several ranks that share memory, without the library too.
    [[ $app-$mpi != nwchem-mpich ]] || export MPIR_CVAR_NOLOCAL=1
    longest=600
    rm -rf "$tests"
    mkdir -p "$tests/inputs"
    cases=$(cd "$tests/inputs" && "cases_of_$app")
    [[ -n $cases ]] || printf '%s\t%s\t%s\t%s\t%s\n' "$mpi" "$app" 'no source package' - -
    while read -r name ranks command; do
        [[ -n $name ]] || continue
        preloaded=$yield with=() label=''
        before=$(run_case "$mpi" "$app" "$name" "$ranks" "$command")
        for each in "${policies[@]}"; do
            label=${each:-automatic} after=-
            if [[ $before == pass ]]; then
                preloaded="$yield $library"
                with=("TOPOMP_POLICY=$each" "TOPOMP_NONBLOCKING=$nonblocking" TOPOMP_REPORT=1)
                [[ $cluster == yes ]] || with+=("TOPOMP_MACHINE=node:2 package:2 core:$((ranks > 4 ? 2 : 1))" TOPOMP_PLACE=round-robin)
                after=$(run_case "$mpi" "$app" "$name" "$ranks" "$command")
            fi
            printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$mpi" "$app" "$name $ranks $label" "$before" "$after" "$(calls_of "$results/said")"
        done
    done <<<"$cases"
}
