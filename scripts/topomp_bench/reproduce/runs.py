# SPDX-License-Identifier: BSL-1.0
"""Runs of programs whose results are kept by what they depend on: the program, its platform, arguments and surroundings."""
import dataclasses
import hashlib
import json
import pathlib
import threading
import time
import typing

from .. import processes, samples
from ..command import OPEN_MPI_AS_ROOT, PLATFORMS, ROOT, Refused, mpirun_of, say
from ..simulation import CHARGED, CHARGED_MEMORY, PLAIN, smpirun

OUTPUT = "{output}"  # in arguments: a file for samples, of a program that does not print them
NEEDED = "{needed}"  # the samples of the run that this one needs


@dataclasses.dataclass(frozen=True)
class Run:
    """A program once. Simulated if it has a platform, else real: on this machine or in the cluster of hosts."""
    name: str  # one of its kind in a figure
    program: str  # in the build folder
    arguments: tuple = ()
    platform: str = ""  # a file in benchmarks/platforms
    hosts: tuple = ()  # lines of SimGrid's file of hosts
    ranks: int = 1
    options: tuple = tuple(PLAIN)  # SimGrid's
    environment: tuple = ()
    is_charged: bool = True  # simulated: receivers, combining and the memory of nodes take time
    cluster: typing.Optional[tuple] = None  # options of scripts/cluster
    needs: typing.Optional["Run"] = None
    cost: float = 1  # about how many seconds of a core it takes
    memory: int = 0  # bytes, beside a mebibyte for each rank

    @property
    def all_arguments(self):
        return (*self.arguments, *CHARGED) if self.platform and self.is_charged else self.arguments

    @property
    def surroundings(self):
        return {**(CHARGED_MEMORY if self.platform and self.is_charged else {}), **dict(self.environment)}

    @property
    def preset(self):
        return "smpi" if self.platform else "release"

    @property
    def target(self):
        """The build's name of the program."""
        folder, _, name = self.program.rpartition("/")
        return "topomp_command" if folder == "tools" else {"benchmarks/apps": "app_", "benchmarks": "benchmark_"}[folder] + name


def block(hosts, slots):
    """Ranks next to each other, so many on each of the hosts."""
    return tuple(f"node{host}:{slots}" for host in range(hosts))


def cyclic(hosts, slots):
    """Ranks in turn over the hosts."""
    return tuple(f"node{rank % hosts}" for rank in range(hosts * slots))


class Store:
    """Results of runs, in files that are named by all that they depend on."""

    def __init__(self, folder, builds):
        self.folder, self.builds = pathlib.Path(folder), pathlib.Path(builds)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._sums, self._locks, self._lock = {}, {}, threading.Lock()

    def program(self, run):
        return self.builds / run.preset / run.program

    def _sum(self, path):
        if path not in self._sums:
            if not path.exists():
                raise Refused(f"{path} is not there; without --no-build it is built")
            self._sums[path] = hashlib.sha256(path.read_bytes()).hexdigest()
        return self._sums[path]

    def key(self, run):
        what = [self._sum(self.program(run)), self._sum(PLATFORMS / f"{run.platform}.xml") if run.platform else "",
                run.all_arguments, run.hosts, run.ranks, run.options, sorted(run.surroundings.items()), run.cluster,
                self.key(run.needs) if run.needs else ""]
        return hashlib.sha256(repr(what).encode()).hexdigest()[:16]

    def file(self, run):
        return self.folder / f"{self.key(run)}.jsonl"

    def samples(self, run):
        """What it has written; nothing if it has not ended well."""
        return [sample for _, sample in samples.lines_of(self.file(run))]

    def is_there(self, run):
        return self.file(run).exists()

    def execute(self, run):
        """Runs it, unless it was run before. A run that fails is said, and is tried again the next time."""
        with self._lock:
            lock = self._locks.setdefault(self.key(run), threading.Lock())
        with lock:  # two runs may need the same one
            if not self.file(run).exists() and (run.needs is None or self.execute(run.needs)):
                self._execute(run)
        return self.file(run).exists()

    def _execute(self, run):
        file = self.file(run)
        part, log, began = file.with_suffix(".part"), file.with_suffix(".log"), time.monotonic()
        part.unlink(missing_ok=True)
        words = {OUTPUT: part, NEEDED: self.file(run.needs) if run.needs else None}
        command = [self.program(run), *(words.get(word, word) for word in run.all_arguments)]
        has_file = OUTPUT in run.arguments
        with open(log, "w", encoding="utf-8") as errors, open(log if has_file else part, "a", encoding="utf-8") as output:
            ended = self._start(run, command, errors, output)
        if ended.code != 0 or not part.exists() or part.stat().st_size == 0:
            say(f"{run.name} FAILED (code {ended.code}): {log}")
            return
        with open(self.folder / "runs.txt", "a", encoding="utf-8") as notes:
            notes.write(json.dumps({"key": self.key(run), "name": run.name, "seconds": round(time.monotonic() - began, 1),
                                    "processor": round(ended.user_seconds + ended.system_seconds, 1),
                                    "command": [str(word) for word in command]}) + "\n")
        part.rename(file)
        log.unlink()

    def _start(self, run, command, errors, output):
        environment = run.surroundings
        if run.platform:
            return smpirun(run.ranks, PLATFORMS / f"{run.platform}.xml", list(run.hosts), command, options=list(run.options),
                           log=errors, output=output, wall_seconds=7200, environment=environment)
        if run.cluster is not None:
            return processes.run([ROOT / "scripts/cluster", *run.cluster, "--timeout", 900, *command], log=errors, output=output,
                                 environment=environment)
        if run.ranks > 1:
            command = [mpirun_of(self.builds / "release"), "--oversubscribe", "-n", run.ranks, *command]
        return processes.run(command, log=errors, output=output, wall_seconds=1800,
                             environment={**OPEN_MPI_AS_ROOT, "OMPI_MCA_mpi_yield_when_idle": "1", **environment})


def all_of(runs):
    """Each run once, those that others need before these."""
    found = {}
    for run in runs:
        if run.needs:
            found.setdefault(run.needs)
        found.setdefault(run)
    return list(found)
