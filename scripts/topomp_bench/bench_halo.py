# SPDX-License-Identifier: BSL-1.0
"""scripts/bench halo: MPI_Cart_create and node_cart in turn in one run of the program, for each platform and verb."""
import pathlib

from . import processes, samples
from .bench_machines import CLUSTERS, is_empty, keep_going
from .command import PLATFORMS, ROOT, build, say, seconds
from .simulation import PLAIN, filled_hosts, selector, smpirun


def meshes_of(request, ranks):
    """The stencil's meshes, 4 x 4 to 256 x 256 cells a rank: what paper 3's 4096 processes had, and what these have."""
    root = 1
    while root * root < ranks:
        root *= 2
    return ",".join(str(mesh * root) for mesh in ([16] if request.is_quick else [4, 8, 16, 32, 64, 128, 256]))


def options_of(request, platform, verb, ranks, sweeps, file, mpi):
    return ["--verbs", verb, "--doubles", ",".join(str(size // 8) for size in request.bytes), "--mesh",
            meshes_of(request, ranks), "--sweeps", sweeps, "--output", f"{file}.part", *request.notes,
            "--note", f"platform={platform}", "--note", f"selector={mpi}"]


def simulate(request, program, platform, verb, file, log):
    """Few sweeps are as good as many: a simulation repeats itself exactly."""
    network, _, ranks = platform.rpartition("_")
    ranks, slots = int(ranks), 16 if network == "fat_tree" else 32
    return smpirun(ranks, PLATFORMS / f"{network}.xml", filled_hosts(ranks // slots, slots),
                   [program, "--machine", f"node:{ranks // slots}_core:{slots}",
                    *options_of(request, platform, verb, ranks, 4, file, "ompi")],
                   options=[selector("ompi"), *PLAIN], log=log, wall_seconds=3600)


def on_cluster(request, program, platform, verb, file, log):
    hosts, rate = CLUSTERS[platform]
    return processes.run([ROOT / "scripts/cluster", "--hosts", hosts, *(["--rate", rate] if rate else []), "--timeout", 600, program,
                          *options_of(request, platform, verb, 16, 8, file, "openmpi"),
                          "--repetitions", 3 if request.is_quick else 20], log=log)


def file_of(request, platform, verb):
    sizes = ",".join(map(str, request.bytes))
    return request.results / "samples" / f"{platform}.{verb}.{sizes}.{'yes' if request.is_quick else 'no'}.jsonl"


def measure_all(request):
    (request.results / "samples").mkdir(parents=True, exist_ok=True)
    preset, measure = ("smpi", simulate) if request.where == "sim" else ("release", on_cluster)
    program = build(preset, ["benchmark_halo"], request.results / "build.log") / "benchmarks/halo"
    points = [(platform, verb) for platform in request.platforms for verb in request.verbs]
    for number, (platform, verb) in enumerate(points, 1):
        file = file_of(request, platform, verb)
        part, log = pathlib.Path(f"{file}.part"), pathlib.Path(f"{file}.log")
        if is_empty(file):
            part.unlink(missing_ok=True)
            with open(log, "w", encoding="utf-8") as output:
                ended = measure(request, program, platform, verb, file, output)
            code = keep_going(ended, log)
            if code == 0 and not is_empty(part):
                part.rename(file)
                log.unlink()
            else:
                part.unlink(missing_ok=True)
                say(f"{platform} {verb} FAILED (code {code}): {log}")
        say(f"{number} of {len(points)}: {platform} {verb}, {seconds()} s so far")
    samples.join([file_of(request, platform, verb) for platform, verb in points], request.results / "samples.jsonl")
