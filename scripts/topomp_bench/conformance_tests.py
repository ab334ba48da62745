# SPDX-License-Identifier: BSL-1.0
"""MPICH's own tests and the suites hpcc and netpipe, for scripts/conformance: how they are fetched and compiled, and the lines
of their lists."""
import os
import re
import shutil
import subprocess

from . import processes
from .command import Failed, ROOT, say

FOLDERS = ["coll", "topo", "comm", "attr", "group", "init", "errors/coll", "errors/topo", "errors/comm", "errors/attr",
           "threads/coll", "threads/comm", "f77/coll", "f77/topo", "f77/comm", "f77/attr", "f90/coll", "f08/coll", "f08/topo",
           "f08/comm", "f08/attr"]
SUITES = ["hpcc", "netpipe"]
NEEDED = ["util", "dtpools", "f77/util", "f90/util", "f08/util", "threads/util"]  # by the others


def quietly(command, log, folder=None):
    """Runs what says nothing unless it fails."""
    with open(log, "w", encoding="utf-8") as output:
        code = processes.run(command, log=output, folder=folder).code
    if code != 0:
        raise Failed(f"failed: {' '.join(map(str, command))}: {log}")


def unpack(archive, folder, *options):
    folder.mkdir(parents=True, exist_ok=True)
    ended = subprocess.run(["tar", "-xf", archive, "-C", folder, *options], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Failed(f"cannot unpack {archive}: {ended.stderr.strip()}")


def source_of(name, folder, log):
    """The archive of a source package, without what the distribution adds, which it may no longer have."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob(f"{name}_*.orig.tar.?z")):
        say(f"fetching the source package of {name}")
        with open(log, "w", encoding="utf-8") as output:
            processes.run(["bash", ROOT / "cmake/download_source.sh", name, folder], log=output)
    found = sorted(folder.glob(f"{name}_*.orig.tar.?z"))
    if not found:
        raise Failed(f"no source of {name}: {log}")
    return found[0]


def hpl_settings(mpi):
    """What HPL wants to be told about a machine."""
    return "\n".join([
        "SHELL = /bin/sh", "CD = cd", "CP = cp", "LN_S = ln -s", "MKDIR = mkdir", "RM = rm -f", "TOUCH = touch", "ARCH = here",
        "TOPdir = ../../..", "INCdir = $(TOPdir)/include", "BINdir = $(TOPdir)/bin/here", "LIBdir = $(TOPdir)/lib/here",
        "HPLlib = $(LIBdir)/libhpl.a", "HPL_LIBS = $(HPLlib) -lblas -lm",
        "HPL_DEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle -I$(INCdir) -I$(INCdir)/here", f"CC = mpicc.{mpi}",
        "CCNOOPT = $(HPL_DEFS) -w", "CCFLAGS = $(HPL_DEFS) -O2 -w -DOMPI_OMIT_MPI1_COMPAT_DECLS=0", "LINKER = $(CC)",
        "LINKFLAGS = $(CCFLAGS)", "ARCHIVER = ar", "ARFLAGS = r", "RANLIB = echo"]) + "\n"


def compile_suite(work, mpi, suite):
    """A suite as its own makefile makes it, beside the tests."""
    tests, log = work.tests_of(mpi) / suite, work.results / "build.log"
    if (tests / "ready").exists():
        return
    archive = source_of(suite, work.archives, log)
    say(f"compiling {suite} for {mpi}")
    unpack(archive, tests, "--strip-components", "1")
    if suite == "netpipe":
        quietly(["make", "-C", tests, "mpi", f"MPICC=mpicc.{mpi}", "CFLAGS=-O1 -w"], log)
    else:
        (tests / "hpl/Make.here").write_text(hpl_settings(mpi), encoding="ascii")
        quietly(["make", "-C", tests, "arch=here"], log)
        shutil.copy(tests / "_hpccinf.txt", tests / "hpccinf.txt")  # HPL of 1000 unknowns on 2 by 2 ranks
    (tests / "ready").touch()


def compile_all(work, mpi, folders):
    """The tests of these folders, for an MPI. What an MPI does not have fails, and counts as not built."""
    tests, log = work.tests_of(mpi), work.results / "build.log"
    if not (work.source / "configure").exists():
        unpack(source_of("mpich", work.archives, log), work.source, "--strip-components", "3", "--wildcards", "*/test/mpi/*")
    tests.mkdir(parents=True, exist_ok=True)
    if not (tests / "Makefile").exists():
        say(f"configuring the tests for {mpi}")
        names = {"CC": "mpicc", "CXX": "mpicxx", "F77": "mpif77", "FC": "mpif90"}
        compilers = [f"{prefix}{name}={compiler}.{mpi}" for name, compiler in names.items() for prefix in ("MPI", "")]
        quietly([work.source / "configure", "--enable-strictmpi", "--disable-cxx", *compilers, "FFLAGS=-fallow-argument-mismatch",
                 "FCFLAGS=-fallow-argument-mismatch"], log, tests)
    flags = "-O0 -w" + ("" if mpi == "mpich" else " -DOMPI_OMIT_MPI1_COMPAT_DECLS=0")
    for folder in [*NEEDED, *folders]:
        if folder in SUITES:
            compile_suite(work, mpi, folder)
        elif (tests / folder / "Makefile").exists():
            say(f"compiling {folder} for {mpi}")
            with open(work.results / f"make.{mpi}.{folder.replace('/', '_')}.log", "w", encoding="utf-8") as output:
                processes.run(["make", "-k", "-C", tests / folder, f"CFLAGS={flags}", "all"], log=output)


def list_of(work, mpi, folder):
    """The lines of a folder's list whose programs were built: a program, ranks and arguments."""
    tests = work.tests_of(mpi) / folder
    if folder == "hpcc":
        text = "hpcc 4\nhpcc 7"
    elif folder == "netpipe":
        text = "NPmpi 2 arg=-i arg=-u arg=65536"
    else:
        file = next((file for file in (tests / "testlist", work.source / folder / "testlist") if file.exists()), None)
        text = file.read_text(encoding="utf-8", errors="replace") if file else ""
    found = []
    for words in map(str.split, text.splitlines()):
        if (len(words) > 1 and re.fullmatch("[A-Za-z0-9_]+", words[0], re.ASCII) and re.fullmatch("[0-9]+", words[1], re.ASCII)
                and os.access(tests / words[0], os.X_OK)):
            found.append((words[0], int(words[1]), [word[4:] for word in words[2:] if word.startswith("arg=")]))
    return found


def is_right(folder, said, where):
    """Whether a run of a folder's test that ended with 0 was right."""
    if folder == "netpipe":
        return "Integrity check passed" in said and "check failed" not in said
    if folder == "hpcc":
        result = where / "hpccoutf.txt"
        text = result.read_text(encoding="utf-8", errors="replace") if result.exists() else ""
        result.unlink(missing_ok=True)
        return re.search("^Success=1", text, re.MULTILINE) is not None and "FAILED" not in text
    return re.search("no errors|test passed", said, re.IGNORECASE) is not None
