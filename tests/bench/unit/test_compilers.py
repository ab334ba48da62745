# SPDX-License-Identifier: BSL-1.0
"""scripts/compilers with compilers and MPIs made of a few lines of shell."""
import contextlib
import io
import os
import unittest
from unittest import mock

from support import WithFolder
from topomp_bench import compilers
from topomp_bench.command import Refused

# It knows C++23 as 2b, and finds an error with MPICH's headers in C++20.
OLD = """#!/bin/sh
case "$*" in
    *-dumpversion*) echo 9.1; echo 9 ;;
    *=c++23*) exit 1 ;;
    *=c++20*-isystem/headers/of/mpich*) echo 'error: no such thing'; exit 1 ;;
esac
"""
NEW = """#!/bin/sh
case "$*" in
    *-dumpversion*) echo 10.2 ;;
esac
"""


class Compilers(WithFolder):
    def setUp(self):
        super().setUp()
        for name, text in (("clang++-9", OLD), ("g++-10", NEW), ("g++-9x", NEW), ("g++", NEW),
                           ("mpicxx.mpich", "#!/bin/sh\necho c++ -I/headers/of/mpich -lmpich\n"),
                           ("mpicxx.openmpi", "#!/bin/sh\necho c++ -I/headers/of/openmpi -lmpi\n"),
                           ("smpicxx", "#!/bin/sh\n"), ("mpirun.openmpi", "#!/bin/sh\necho sum 3 on 2\n")):
            self.file(name, text).chmod(0o755)
        paths = mock.patch.dict(os.environ, {"PATH": f"{self.folder}:/usr/bin:/bin"})
        paths.start()
        self.addCleanup(paths.stop)

    def run_main(self, *arguments):
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = compilers.main(arguments)
        return code, output.getvalue(), errors.getvalue()

    def test_each_version_that_is_installed(self):
        self.file("g++-8", NEW)
        self.assertEqual(compilers.installed([self.folder, self.folder / "missing"]), ["clang++-9", "g++-8", "g++-10"])

    def test_table(self):
        file = self.folder / "table"
        code, output, errors = self.run_main("--table", str(file), "clang++-9", "g++-10")
        self.assertEqual(output, "| compiler | standard | openmpi | mpich | smpi |\n"
                                 "| --- | --- | --- | --- | --- |\n"
                                 "| clang++-9 9.1 | C++20 | compiles, runs | fails | - |\n"
                                 "| clang++-9 9.1 | C++23 | compiles, runs | compiles | - |\n"
                                 "| g++-10 10.2 | C++20 | compiles, runs | compiles | compiles |\n"
                                 "| g++-10 10.2 | C++23 | compiles, runs | compiles | compiles |\n")
        self.assertEqual(code, 1)
        self.assertEqual(file.read_text(encoding="utf-8"), output)
        self.assertTrue(errors.endswith("compilers: clang++-9-20-mpich:\nerror: no such thing\n"))

    def test_some_mpis(self):
        code, output, _ = self.run_main("--mpi", "smpi", "g++-10")
        self.assertEqual((code, output.splitlines()[0]), (0, "| compiler | standard | smpi |"))

    def test_a_wrong_sum_fails(self):
        self.file("mpirun.openmpi", "#!/bin/sh\necho sum 2 on 2\n")
        code, output, errors = self.run_main("--mpi", "openmpi", "g++-10")
        self.assertEqual((code, output.count("| fails |")), (1, 2))
        self.assertIn("sum 2 on 2", errors)

    def test_wrong_usage(self):
        for arguments in (["--table"], ["--mpi"], ["--mpi", "other"], ["--fast"], ["no-such-compiler"]):
            with self.assertRaises(Refused):
                compilers.parse(arguments)


if __name__ == "__main__":
    unittest.main()
