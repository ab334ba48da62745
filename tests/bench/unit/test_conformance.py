# SPDX-License-Identifier: BSL-1.0
"""What scripts/conformance reads out of what programs say, what it takes for the same results, and its table."""
import pathlib
import types
import unittest

from support import WithFolder
from topomp_bench import conformance, conformance_apps, conformance_tests, conformance_values
from topomp_bench.conformance_values import Value

SAID = {
    "lammps": ("Temp.0=3 E_pair.0=-6.77 Press.0=-3.7 Temp.50=1.68 E_pair.50=-4.8 Press.50=5.56", """\
Step Temp E_pair E_mol Press
       0            3   -6.77            0    -3.7
      50    1.68   -4.8            0    5.56
Loop time of 17.3802 on 4 procs for 250 steps with 4000 atoms
       0  no row
"""),
    "espresso": ("fermi=8.3513 energy=-4.18546970 iterations=3 force=0.000001 pressure=-14.54 energy.cp=-17.12", """\
     the Fermi energy is     8.3513 ev
     total energy              =      -4.1 Ry
!    total energy              =      -4.18546970 Ry
     convergence has been achieved in   3 iterations
     Total force =     0.000001     Total SCF correction =     0.000000
          total   stress  (Ry/bohr**3)                   (kbar)     P=      -14.54
                total energy =      -17.12 Hartree a.u.
"""),
    "cp2k": ("energy=-34.5 stress=1.5E+02 conserved=-0.25", """\
 ENERGY| Total FORCE_EVAL ( QS ) energy [a.u.]:              -34.5
 STRESS| 1/3 Trace                                          1.5E+02
 MD| Conserved quantity [hartree]                         -0.25
"""),
    "nwchem": ("SCF=-76.01 gradient.1.1=0.1 gradient.1.2=0.2 gradient.1.3=-0.3 MP2=-76.2", """\
         Total SCF energy =    -76.01
    atom               coordinates                        gradient
                 x          y          z           x          y          z
   1 O       0.000000   0.000000   0.221665    0.1   0.2  -0.3

   2 H       no gradient any more 1 2 3
          Total MP2 energy           -76.2
"""),
    "mumps": ("x=1.0 x=wrong x=0.9999", "  Solution is   1.0 0.5  0.9999\n"),
    "mumps complex": ("x=1.0 x=0.0 x=0.9999 x=wrong", "  Solution is   (1.0,0.0)   (0.9999,0.1)\n\n 3 4\n"),
    "mpi4py": ("ranks=2 ran=5 ERROR=1 ERROR:testB=1 ok=3 skipped=1", """\
testA (test_a.TestA.testA) ... ok
testA (test_a.TestA.testA) ... ok
testB (test_a.TestA.testB) ... ERROR
testB (test_a.TestA.testB) ... ok
testC (test_a.TestA.testC) ... skipped 'for a reason'
ERROR: testB (test_a.TestA.testB)
Ran 3 tests in 1.5s
Ran 2 tests in 1.5s
"""),
}
REPORT = """\
topomp-preload: calls of all ranks
verb calls by topomp bytes seconds
bcast 12 7 4096 0.1
gather 3 0 8 0.2
the end of it
"""


class Values(unittest.TestCase):
    def test_what_programs_say(self):
        for name, (expected, said) in SAID.items():
            with self.subTest(name):
                found = conformance_values.READERS[name.split()[0]](said)
                self.assertEqual(" ".join(f"{value.name}={value.text}" for value in found), expected)

    def test_nothing_said_is_nothing_right(self):
        for name, reader in conformance_values.READERS.items():
            values = reader("killed\n")
            self.assertFalse(conformance_values.are_near(values, values), name)

    def test_near(self):
        def values(*pairs):
            return [Value(name, {"a": 0.1}.get(name), {"b": 1e-3}.get(name), text) for name, text in pairs]

        reference = values(("a", "10"), ("b", "-200"))
        for expected, *pairs in ((True, ("a", "10.05"), ("b", "-200.1")), (False, ("a", "10.2"), ("b", "-200")),
                                 (False, ("a", "10"), ("b", "-200.3")), (False, ("a", "10"), ("b", "nan")),
                                 (False, ("a", "10"), ("b", "1.2.3")), (False, ("a", "10")),
                                 (False, ("a", "10"), ("b", "-200"), ("c", "1")), (False, ("a", "10"), ("c", "-200")), (False,)):
            self.assertEqual(conformance_values.are_near(reference, values(*pairs)), expected, pairs)

    def test_calls(self):
        self.assertIsNone(conformance_values.calls_of("bcast 12 7 4096 0.1\n"))
        self.assertEqual(conformance_values.calls_of(REPORT), (7, 15))

    def test_table(self):
        lines = [["openmpi", "coll", "a 2 ", "pass", "pass"], ["openmpi", "coll", "b 4 ", "FAIL", "-"],
                 ["mpich", "lammps", "melt 8 automatic", "pass", "HANG", "7", "15"]]
        text, is_lost = conformance_values.table(lines)
        self.assertTrue(is_lost)
        self.assertEqual(text.splitlines(), [
            "MPI       program   case, ranks, policy      without with     served     calls",
            "mpich     lammps    melt 8 automatic         pass    HANG          7        15",
            "MPI       folder           lines  pass without  of these with",
            "openmpi   coll                 2             1              1",
            "mpich     lammps               1             1              0",
            "only without: mpich lammps/melt 8 automatic: HANG"])
        self.assertFalse(conformance_values.table(lines[:2])[1])


class Lists(WithFolder):
    def test_lines(self):
        work = types.SimpleNamespace(tests_of=lambda mpi: self.folder / mpi, source=self.folder / "source")
        (self.folder / "mpich/coll").mkdir(parents=True)
        self.file("mpich/coll/testlist", "# a 2\nbuilt 3 mpiversion=3.0 arg=-x arg=y=1\nmissing 2\nbuilt two\n")
        self.file("mpich/coll/built", "").chmod(0o755)
        self.assertEqual(conformance_tests.list_of(work, "mpich", "coll"), [("built", 3, ["-x", "y=1"])])
        self.assertEqual(conformance_tests.list_of(work, "mpich", "topo"), [])

    def test_right(self):
        def right(folder, said):
            return conformance_tests.is_right(folder, said, self.folder)

        self.assertTrue(right("coll", "  No Errors\n") and right("coll", "Test passed"))
        self.assertFalse(right("coll", "Found 3 errors"))
        self.assertTrue(right("netpipe", "Integrity check passed"))
        self.assertFalse(right("netpipe", "Integrity check passed\nIntegrity check failed"))
        for text, expected in (("Success=1\n", True), ("Success=1\nFAILED\n", False), ("Success=0\n", False)):
            self.file("hpccoutf.txt", text)
            self.assertEqual(right("hpcc", ""), expected)
            self.assertFalse(right("hpcc", ""))  # it has been read

    def test_slots(self):
        self.assertEqual([conformance.slots_of(ranks) for ranks in (1, 2, 5, 6, 8)], ["1", "1,1", "3,2", "2,2,2", "3,3,2"])


class Inputs(WithFolder):
    def test_laplace(self):
        lines = conformance_apps.laplace(2, str).splitlines()
        self.assertEqual(lines[:2], ["4", "12"])
        matrix, sums = [line.split() for line in lines[2:14]], lines[14:]
        self.assertEqual([f"{sum(float(value) for own, _, value in matrix if own == str(row)):.2f}" for row in (1, 2, 3, 4)], sums)

    def test_inputs_are_there(self):
        for app in ("espresso", "cp2k", "nwchem", "mumps"):
            cases = conformance_apps.cases_of(app, self.folder, "openmpi", None, None)
            names = {pathlib.Path(word.strip("<")).name for *_, command in cases for word in command.split()
                     if word.strip("<").endswith((".in", ".inp", ".nw"))}
            self.assertTrue(names)
            self.assertLessEqual(names, {path.name for path in self.folder.iterdir()})


if __name__ == "__main__":
    unittest.main()
