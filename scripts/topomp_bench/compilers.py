# SPDX-License-Identifier: BSL-1.0
"""scripts/compilers: a program against the headers, with each compiler, standard and MPI."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from .command import OPEN_MPI_AS_ROOT, OPEN_MPI_OVERSUBSCRIBED, ROOT, Refused, from_here, help_if_asked, say
from .tables import markdown

WRAPPERS = {"openmpi": "mpicxx.openmpi", "mpich": "mpicxx.mpich", "smpi": "smpicxx"}
STANDARDS = {"20": ["20"], "23": ["23", "2b"]}  # as compilers call them
LAUNCH = ["mpirun.openmpi", *OPEN_MPI_OVERSUBSCRIBED, "-n", "2"]
PROGRAM = r"""
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <iostream>

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    const int sum = topo::all_reduce(levels, world.rank() + 1, std::plus<>{}, topo::binomial{});
    topo::shared_window<int> window{levels, 1};
    const topo::node_cart grid{levels, {0, 0}};
    if (world.rank() == 0) std::cout << "sum " << sum << " on " << grid.size() << '\n';
}
"""


def parse(arguments):
    """Gives the file of the table, or None, the compilers and the MPIs."""
    table, compilers, mpis, rest = None, [], [], list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--table" and rest:
            table = from_here(rest.pop(0))
        elif word == "--mpi" and rest and rest[0] in WRAPPERS:
            mpis.append(rest.pop(0))
        elif word.startswith("-"):
            raise Refused("usage: scripts/compilers [--table FILE] [--mpi openmpi|mpich|smpi]... [COMPILER...]")
        elif not shutil.which(word):
            raise Refused(f"{word} is not installed")
        else:
            compilers.append(word)
    compilers = compilers or installed(os.get_exec_path())
    if not compilers:
        raise Refused("neither g++-N nor clang++-N is installed")
    return table, compilers, mpis or [mpi for mpi, wrapper in WRAPPERS.items() if shutil.which(wrapper)]


def installed(folders):
    names = {path.name for folder in folders for path in pathlib.Path(folder).glob("*++-*")}
    found = [match for match in (re.fullmatch(r"(g|clang)\+\+-([0-9]+)", name) for name in names) if match]
    return [match[0] for match in sorted(found, key=lambda match: (match[1], int(match[2])))]


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def name_of(standard, compiler):
    """What the compiler calls a standard, or None if it does not know it."""
    for name in STANDARDS[standard]:
        if subprocess.run([compiler, f"-std=c++{name}", "-x", "c++", "-fsyntax-only", "-"], input="int main() {}", text=True,
                          capture_output=True, check=False).returncode == 0:
            return name
    return None


def attempt(compiler, standard, mpi, folder):
    """Gives what goes into the table, and what was said."""
    if mpi == "smpi" and not compiler.startswith("g++"):
        return "-", ""  # smpicxx is for GCC
    # Clang 17 and later find that std::stable_sort of GCC 12's library uses what is deprecated.
    command = [compiler, f"-std=c++{standard}", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations", "-Iinclude",
               folder / "program.cpp"]
    flags = ["-I/usr/include/smpi"] if mpi == "smpi" else output_of(WRAPPERS[mpi], "-show").split()
    command += [re.sub("^-I", "-isystem", flag) for flag in flags if flag.startswith(("-I", "-D"))]
    if mpi == "openmpi":
        command += ["-O0", "-o", folder / "program", "-lboost_mpi", "-lboost_serialization", "-lhwloc",
                    *(flag for flag in flags if flag.startswith(("-L", "-l", "-W"))), "-ldl"]
    else:
        command.append("-fsyntax-only")  # without another Boost.MPI it could not be linked
    said = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if said.returncode != 0 or mpi != "openmpi":
        return "fails" if said.returncode != 0 else "compiles", said.stdout
    ran = subprocess.run([*LAUNCH, folder / "program"], capture_output=True, text=True, check=False,
                         env={**os.environ, **OPEN_MPI_AS_ROOT})
    return "compiles, runs" if ran.stdout == "sum 3 on 2\n" else "fails", ran.stdout + ran.stderr


def main(arguments):
    help_if_asked(arguments)
    file, compilers, mpis = parse(arguments)
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "program.cpp").write_text(PROGRAM, encoding="ascii")
        for compiler in compilers:
            version = output_of(compiler, "-dumpfullversion", "-dumpversion").partition("\n")[0]
            for standard in STANDARDS:
                option = name_of(standard, compiler)
                if not option:
                    continue
                rows.append([f"{compiler} {version}", f"C++{standard}"])
                for mpi in mpis:
                    say(f"{compiler}, C++{standard}, {mpi}")
                    result, said = attempt(compiler, option, mpi, folder)
                    rows[-1].append(result)
                    if result == "fails":
                        failed.append([f"compilers: {compiler}-{standard}-{mpi}:", *said.splitlines()[:20]])
    text = markdown(["compiler", "standard", *mpis], "l" * (2 + len(mpis)), rows)
    print(text, end="", flush=True)
    if file:
        pathlib.Path(file).write_text(text, encoding="utf-8")
    for lines in failed:
        print(*lines, sep="\n", file=sys.stderr)
    return 1 if failed else 0
