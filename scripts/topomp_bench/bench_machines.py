# SPDX-License-Identifier: BSL-1.0
"""scripts/bench local and cluster. Ours and the MPI's own alternate in one run of the program, the MPIs from run to run."""
import json
import pathlib
import re
import shutil

from . import processes, samples
from .command import Failed, OPEN_MPI_AS_ROOT, ROOT, build, builds_folder, cpus, say

# Hosts of 4 ranks made of network namespaces, and the rate of their links; none: as fast as the machine's memory.
CLUSTERS = {"shaped": (4, "1gbit"), "unshaped": (4, None),
            **{f"{hosts}hosts_{name}": (hosts, rate) for hosts in (2, 4, 6)
               for name, rate in (("100mbit", "100mbit"), ("1gbit", "1gbit"), ("unshaped", None)) if (hosts, rate) not in
               ((4, "1gbit"), (4, None))}}

YIELDING = 'export LD_PRELOAD="$0 $LD_PRELOAD"; exec "$@"'


def repetitions_of(request, size):
    """Verbs with long messages are called less often. The first calls find nothing of them in the caches."""
    return 5 if size > 131072 else 101 if request.where == "local" else 41


def keep_going(process, log):
    """The exit code; a machine on which it cannot run at all ends the script."""
    if process.code == 77:
        lines = pathlib.Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
        raise Failed(next((line for line in lines if "skipped" in line), "it cannot run here"))
    return process.code


def is_empty(path):
    return not path.exists() or path.stat().st_size == 0


def file_of(request, platform, mpi, verb, size):
    return request.results / "samples" / f"{platform}.{mpi}.{verb}.{size}.jsonl"


def measure_point(request, launch, platform, verb, size, mpis):
    """A run of the program with each MPI, and that again and again, so that what else the machine does meets them alike.
    launch(mpi, platform, arguments, log) runs it. Gives samples of what failed."""
    wanted = {mpi: file_of(request, platform, mpi, verb, size) for mpi in mpis}
    wanted = {mpi: file for mpi, file in wanted.items() if is_empty(file)}
    for file in wanted.values():
        for suffix in ("part", "log"):
            pathlib.Path(f"{file}.{suffix}").unlink(missing_ok=True)
    failures = {}
    for _ in range(2 if request.is_quick else 3):
        for mpi, file in wanted.items():
            if mpi in failures:
                continue
            run, log = pathlib.Path(f"{file}.run"), pathlib.Path(f"{file}.log")
            run.unlink(missing_ok=True)
            with open(log, "w", encoding="utf-8") as output:
                ended = launch(mpi, platform, ["--verbs", verb, "--bytes", size, "--repetitions", repetitions_of(request, size),
                                               "--output", run, *request.notes, "--note", f"platform={platform}",
                                               "--note", f"selector={mpi}"], output)
                output.write(f"code {ended.code}\n")
            code = keep_going(ended, log)
            if code == 0 and not is_empty(run):
                samples.append_complete(run, f"{file}.part")
                log.unlink()
            else:
                say(f"{platform} {mpi} {verb} {size} FAILED (code {code}): {log}")
                failures[mpi] = {"benchmark": request.benchmark, "verb": verb, "by": "mpi", "bytes": size,
                                 "where": request.where, "platform": platform, "selector": mpi, "failed": "stopped"}
            run.unlink(missing_ok=True)
    for mpi, file in wanted.items():
        if mpi in failures:
            pathlib.Path(f"{file}.part").unlink(missing_ok=True)
        else:
            pathlib.Path(f"{file}.part").rename(file)
    return list(failures.values())


def measure_points(request, launch, mpis):
    (request.results / "samples").mkdir(parents=True, exist_ok=True)
    number = len(request.platforms) * sum(len(request.sizes_of(verb)) for verb in request.verbs)
    progress = processes.Progress(say, number, number, " points")
    failures = []
    for platform in request.platforms:
        for verb in request.verbs:
            for size in request.sizes_of(verb):
                failures += measure_point(request, launch, platform, verb, size, mpis)
                progress.add(1, 1)
            progress.tell(f"{platform} {verb}")
    files = [file for platform in request.platforms for verb in request.verbs for size in request.sizes_of(verb)
             for file in sorted((request.results / "samples").glob(f"{platform}.*.{verb}.{size}.jsonl"))]
    samples.join(files, request.results / "samples.jsonl")
    with open(request.results / "samples.jsonl", "a", encoding="utf-8") as target:
        target.writelines(json.dumps(failure, separators=(",", ":")) + "\n" for failure in failures)


class Programs:
    """The benchmark of both MPIs. MPICH's ranks wait without giving their core up, which more ranks than cores would wait for:
    a library makes them."""

    def __init__(self, request):
        target, log = [f"benchmark_{request.benchmark}"], request.results / "build.log"
        self.openmpi = build("release", target, log) / "benchmarks" / request.benchmark
        options = [*(f"-DTOPOMP_BUILD_{what}" for what in ("BENCHMARKS=TRUE", "TESTS=FALSE", "EXAMPLES=FALSE", "TOOLS=FALSE")),
                   "-DCMAKE_CXX_COMPILER=c++", "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG"]  # as the preset release
        self.mpich = build("mpich", target, log, "bench-mpich", options) / "benchmarks" / request.benchmark
        self.mpich_yield = builds_folder() / "bench-mpich/libmpich_yield.so"
        command = ["c++", "-std=c++20", "-O2", "-shared", "-fPIC", ROOT / "tests/support/mpich_yield.cpp", "-o", self.mpich_yield,
                   "-ldl"]
        if processes.run(command).code != 0:
            raise Failed("the library that makes MPICH's ranks yield could not be built")


def first_of(*names):
    return next((path for path in map(shutil.which, names) if path), None)


def ranks_of(platform):
    """Of a platform such as 8ranks; None: it is another one."""
    found = re.fullmatch("([1-9][0-9]{0,5})ranks", platform, re.ASCII)
    return int(found[1]) if found else None


def measure_local(request):
    """The MPIs as they come; Open MPI is told otherwise by OMPI_MCA_ variables of the environment. A rank for each core stays on
    it. More than these must give their cores up while they wait."""
    programs = Programs(request)
    mpirun, mpiexec = first_of("mpirun.openmpi", "mpirun"), first_of("mpiexec.mpich", "mpiexec.hydra")

    def launch(mpi, platform, arguments, log):
        ranks, place = ranks_of(platform) or cpus(), ["--bind-to", "core"]
        if platform == "twice":
            ranks, place = 2 * ranks, ["--bind-to", "none"]
            place += (["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"] if mpi == "openmpi" else
                      ["-genv", "LD_PRELOAD", programs.mpich_yield])
        launcher, program = (mpirun, programs.openmpi) if mpi == "openmpi" else (mpiexec, programs.mpich)
        return processes.run([launcher, *place, "-n", ranks, program, *arguments], log=log, wall_seconds=request.limit,
                             environment=OPEN_MPI_AS_ROOT)

    measure_points(request, launch, ["openmpi", "mpich"])


def measure_cluster(request):
    """Hosts of 4 ranks, made of network namespaces by scripts/cluster, each on one of the machine's cores. Ours against the
    better of Open MPI's default and its HAN; MPICH, and ours on it, beside them."""
    cluster = ROOT / "scripts/cluster"
    log = request.results / "cluster.log"
    with open(log, "w", encoding="utf-8") as output:
        code = processes.run([cluster, "--rate", "1gbit", "--timeout", 30, "hostname"], log=output).code
    if code != 0:
        said = log.read_text(encoding="utf-8", errors="replace").splitlines()
        raise Failed(f"cluster cannot run here: {said[0] if said else f'code {code}'}")
    programs = Programs(request)

    def launch(mpi, platform, arguments, log):
        number, rate = CLUSTERS[platform]
        hosts = [cluster, "--hosts", number, "--bind", "--timeout", request.limit, *(["--rate", rate] if rate else [])]
        command = {"openmpi": [programs.openmpi],
                   "han": ["--env", "OMPI_MCA_coll_han_priority=100", programs.openmpi],
                   # The library is for the ranks only: MPICH's launcher hangs with it.
                   "mpich": ["--mpi", "mpich", "sh", "-c", YIELDING, programs.mpich_yield, programs.mpich]}[mpi]
        return processes.run([*hosts, *command, *arguments], log=log)

    measure_points(request, launch, ["openmpi", "han", "mpich"])


def measure_all(request):
    return measure_cluster(request) if request.where == "cluster" else measure_local(request)
