# SPDX-License-Identifier: BSL-1.0
"""scripts/conformance: other people's tests and programs, with and without the preload library."""
import pathlib
import shutil

from . import processes
from .command import OPEN_MPI_OVERSUBSCRIBED, ROOT, Refused, build, builds_folder, help_if_asked, say, setup, stamp
from .conformance_apps import APPS, cases_of, packages_of
from .conformance_tests import FOLDERS, SUITES, compile_all, is_right, list_of
from .conformance_values import READERS, are_near, calls_of, table

KNOWN = [*FOLDERS, *SUITES, "apps", *APPS]
DEFAULT = ["coll", "topo", "comm", "attr", "errors/coll", "threads/coll", "f77/coll", "f77/topo"]
FOR_RANKS = 'export LD_PRELOAD="$0 $LD_PRELOAD"; exec "$@"'  # launchers hang with it
OPEN_MPI = ["mpirun.openmpi", "--allow-run-as-root", *OPEN_MPI_OVERSUBSCRIBED]


class Work:
    """What is asked for, and where everything is."""

    def __init__(self, arguments):
        self.mpis, self.policy, self.nonblocking, self.is_cluster, self.folders = ["openmpi", "mpich"], "", "", False, []
        arguments = list(arguments)
        while arguments:
            word = arguments.pop(0)
            if word in ("--mpi", "--policy"):
                if not arguments:
                    raise Refused(f"{word} needs a value")
                value = arguments.pop(0)
                if word == "--policy":
                    self.policy = value
                elif value in ("openmpi", "mpich"):
                    self.mpis = [value]
                else:
                    raise Refused(f"--mpi wants openmpi or mpich, not '{value}'")
            elif word == "--nonblocking":
                self.nonblocking = "1"
            elif word == "--cluster":
                self.is_cluster = True
            elif word.startswith("-"):
                raise Refused(f"unknown option: {word}; known are --mpi, --policy, --nonblocking and --cluster")
            elif word not in KNOWN:
                raise Refused(f"no such folder: '{word}'; known are {' '.join(KNOWN)}")
            else:
                self.folders += APPS if word == "apps" else [word]
        self.folders = self.folders or DEFAULT
        self.builds = builds_folder()
        self.results = ROOT / "results/conformance" / stamp()
        self.source, self.archives = (self.builds / "conformance" / name for name in ("source", "archives"))

    def tests_of(self, mpi):
        return self.builds / "conformance" / mpi

    def library(self, mpi):
        return self.builds / ("mpich" if mpi == "mpich" else "release") / "tools/preload/libtopomp-preload.so"

    def yield_library(self, mpi):
        """Waiting ranks of MPICH keep their core without it."""
        return [self.builds / "mpich/tests/libtopomp_mpich_yield.so"] if mpi == "mpich" else []


def slots_of(ranks):
    """How many ranks each of two or three hosts gets, as scripts/cluster --slots has it."""
    hosts = 1 if ranks < 2 else 2 if ranks < 6 else 3
    return ",".join(str((ranks + hosts - 1 - host) // hosts) for host in range(hosts))


def run(work, mpi, ranks, command, *, folder, is_preloaded, environment, seconds, is_right_now):
    """Runs a program in a folder, with the library or without. Gives pass, FAIL or HANG, and what it said.

    is_right_now(text): whether a run that ended with 0 was right.
    """
    preloaded = [*work.yield_library(mpi), *([work.library(mpi)] if is_preloaded else [])]
    own = [f"{key}={value}" for key, value in environment.items()]
    if work.is_cluster:  # which cleans up itself
        launch = [ROOT / "scripts/cluster", "--mpi", mpi, "--slots", slots_of(ranks), "--timeout", seconds]
    else:
        launch = [*OPEN_MPI, "-n", ranks] if mpi == "openmpi" else ["mpiexec.mpich", "-n", ranks]
    said = work.results / "said"
    with open(said, "w", encoding="utf-8") as output:
        code = processes.run([*launch, "sh", "-c", FOR_RANKS, " ".join(map(str, preloaded)), "env", *own, *command], log=output,
                             folder=folder, wall_seconds=seconds + 10 * work.is_cluster).code
    text = said.read_text(encoding="utf-8", errors="replace")
    result = "HANG" if code in (124, 137) else "pass" if code == 0 and is_right_now(text) else "FAIL"
    return result, text


def run_folder(work, mpi, folder, add):
    """A line for each of the folder's list."""
    where = work.tests_of(mpi) / folder
    for program, ranks, arguments in list_of(work, mpi, folder):
        def once(is_preloaded, environment):
            return run(work, mpi, ranks, [f"./{program}", *arguments], folder=where, is_preloaded=is_preloaded,
                       environment=environment, seconds=600 if folder == "hpcc" else 100,
                       is_right_now=lambda said: is_right(folder, said, where))

        before, after = once(False, {})[0], "-"
        if before == "pass":
            environment = {"TOPOMP_POLICY": work.policy, "TOPOMP_NONBLOCKING": work.nonblocking}
            if not work.is_cluster:
                environment["TOPOMP_MACHINE"] = f"node:{max(2, (ranks + 3) // 4)} package:2 core:2"
            after, said = once(True, environment)
            if after != "pass":
                (work.results / f"{mpi}.{folder.replace('/', '_')}.{program}.{ranks}").write_text(said, encoding="utf-8")
        add([mpi, folder, f"{program} {ranks} {' '.join(arguments)}", before, after])


class App:
    """A program of the distribution's: each of its cases in a fresh copy of the inputs."""

    def __init__(self, work, mpi, name):
        self.work, self.mpi, self.name = work, mpi, name
        self.folder = work.tests_of(mpi) / name
        self.reference = []
        self.environment = {"OMP_NUM_THREADS": 1, "OPENBLAS_NUM_THREADS": 1}
        # Debian's build of NWChem for MPICH has wrong results on several ranks that share memory, without the library too.
        if (name, mpi) == ("nwchem", "mpich"):
            self.environment["MPIR_CVAR_NOLOCAL"] = 1

    def own_files(self):
        """What ranks wrote into files of their own."""
        return "".join(file.read_text(encoding="utf-8", errors="replace") for file in sorted((self.folder / "run").glob("rank.*")))

    def run_case(self, name, ranks, command, label, environment):
        """Gives the result and what was said. Without the library the values become the reference."""
        place = self.folder / "run"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.folder / "inputs", place)
        is_preloaded = environment is not None

        def is_right_now(said):
            values = READERS[self.name](said + self.own_files())
            if not is_preloaded:
                self.reference = values
            elif calls_of(said + self.own_files()) is None:
                return False
            return are_near(self.reference, values)

        result, said = run(self.work, self.mpi, ranks, ["sh", "-c", f"exec {command}"], folder=place, seconds=600,
                           is_preloaded=is_preloaded, environment={**self.environment, **(environment or {})},
                           is_right_now=is_right_now)
        said += self.own_files()
        if result != "pass":
            (self.work.results / f"{self.mpi}.{self.name}.{name}.{ranks}.{label}").write_text(said, encoding="utf-8")
        return result, said

    def run_all(self, add):
        """A line for each case and policy, with the calls behind: those served, and all."""
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "inputs").mkdir(parents=True)
        cases = cases_of(self.name, self.folder / "inputs", self.mpi, self.work.archives, self.work.results / "build.log")
        if not cases:
            add([self.mpi, self.name, "no source package", "-", "-"])
        for name, ranks, command in cases:
            before, _ = self.run_case(name, ranks, command, "without", None)
            for policy in [self.work.policy] if self.work.policy else ["", "binomial", "pairwise"]:
                label, after, calls = policy or "automatic", "-", None
                if before == "pass":
                    environment = {"TOPOMP_POLICY": policy, "TOPOMP_NONBLOCKING": self.work.nonblocking, "TOPOMP_REPORT": 1}
                    if not self.work.is_cluster:
                        environment.update(TOPOMP_MACHINE=f"node:2 package:2 core:{2 if ranks > 4 else 1}",
                                           TOPOMP_PLACE="round-robin")
                    after, said = self.run_case(name, ranks, command, label, environment)
                    calls = calls_of(said)
                add([self.mpi, self.name, f"{name} {ranks} {label}", before, after, *map(str, calls or [""])])


def main(arguments):
    help_if_asked(arguments)
    work = Work(arguments)
    setup("--with", *(package for folder in work.folders for mpi in work.mpis for package in packages_of(folder, mpi)))
    work.results.mkdir(parents=True)
    (work.builds / "conformance").mkdir(parents=True, exist_ok=True)
    lines = []

    def add(line):
        lines.append(line)
        with open(work.results / "lines.tsv", "a", encoding="utf-8") as file:
            file.write("\t".join(line) + "\n")

    for mpi in work.mpis:
        targets = ["topomp_preload", *(["topomp_mpich_yield"] if mpi == "mpich" else [])]
        build("mpich" if mpi == "mpich" else "release", targets, work.results / "build.log")
        compiled = [folder for folder in work.folders if folder not in APPS]
        if compiled:
            compile_all(work, mpi, compiled)
        for folder in work.folders:
            if folder in APPS and not packages_of(folder, mpi):
                continue
            say(f"running {folder} with {mpi}")
            if folder in APPS:
                App(work, mpi, folder).run_all(add)
            else:
                run_folder(work, mpi, folder, add)
    text, is_lost = table(lines)
    pathlib.Path(work.results / "table").write_text(text, encoding="utf-8")
    print(text, end="", flush=True)
    say(f"samples are in {work.results}")
    return 1 if is_lost else 0
