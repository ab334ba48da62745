# SPDX-License-Identifier: BSL-1.0
"""scripts/bench-paper1: six algorithms of broadcast and of reduce, simulated, flat and level by level."""
import pathlib

from . import paper1_plots, paper1_tables, plots, samples
from .command import Failed, ROOT, build, commit, cpus, notes, only_flags, say, seconds, setup, stamp
from .platforms import KNOWN
from .processes import Job, Progress, run_jobs
from .simulation import smpirun

PLATFORMS = [KNOWN[name] for name in ("ntw10e5", "smp20e7", "smp12e5")]
IN_TURN = {"ntw10e5": "10:1", "smp20e7": "20", "smp12e5": "12"}  # as topomp's placement has it
SIZES = [8, 32, 128, 512, 2048, 8192, 32768, 131072, 524288]
PLACEMENTS = ["core", "turn"]


def seats(platform, placement):
    """A line for each rank says on which simulated host it is: neighbours next to each other, or in turn over the hosts."""
    return [f"node{rank // platform.slots if placement == 'core' else rank % platform.hosts}" for rank in range(platform.ranks)]


def is_there(file):
    return file.exists() and file.stat().st_size > 0


def simulate(platform, placement, command, file):
    """Runs a program that writes a file, which is there afterwards as a whole or not at all."""
    part, log = pathlib.Path(f"{file}.part"), pathlib.Path(f"{file}.log")
    part.unlink(missing_ok=True)
    with open(log, "w", encoding="utf-8") as output:
        ended = smpirun(platform.ranks, platform.file, seats(platform, placement), [*command, "--output", part], log=output,
                        wall_seconds=1800)
    if ended.code != 0 or not is_there(part):
        raise Failed(f"{file.name} could not be simulated (code {ended.code}): {log}")
    part.rename(file)


def main(arguments):
    is_quick = only_flags(arguments, ["--quick"], "scripts/bench-paper1 [--quick]") == "--quick"
    platforms, sizes = (PLATFORMS[2:], [8, 2048, 131072]) if is_quick else (PLATFORMS, SIZES)
    results = ROOT / "results/paper1"
    pictures = results if is_quick else ROOT / "docs/pictures"
    setup("--bench")
    plots.library()
    results.mkdir(parents=True, exist_ok=True)
    programs = build("smpi", ["benchmark_levels", "benchmark_measure"], results / "build.log") / "benchmarks"
    own_notes = notes(date=stamp(), commit=commit(), where="sim")
    for platform in platforms:
        parameters = results / f"{platform.name}.parameters"
        if not is_there(parameters):
            say(f"parameters of {platform.name}")
            simulate(platform, "core", [programs / "measure", "--machine", platform.machine], parameters)
    files, jobs = [], []
    for size in sizes:
        for platform in platforms:
            for placement in PLACEMENTS:
                file = results / f"{platform.name}.{placement}.{size}.jsonl"
                files.append(file)
                if is_there(file):
                    continue
                command = [programs / "levels", "--machine", platform.machine, "--place",
                           "core" if placement == "core" else IN_TURN[platform.name], "--bytes", size, "--parameters",
                           results / f"{platform.name}.parameters", *own_notes, "--note", f"platform={platform.name}",
                           "--note", f"placement={placement}"]
                jobs.append(Job(lambda p=platform, where=placement, c=command, f=file: simulate(p, where, c, f),
                                f"{platform.name}, {placement}, {size} bytes", weight=platform.ranks))
    progress = Progress(say, len(jobs), sum(job.weight for job in jobs))

    def has_ended(job):
        progress.add(1, job.weight)
        progress.tell(job.name)

    run_jobs(jobs, cpus(), has_ended=has_ended)
    samples.join(files, results / "samples.jsonl")
    points = paper1_tables.points_of(samples.read(results / "samples.jsonl"), results / "samples.jsonl")
    (results / "points.dat").write_text(paper1_tables.dat_text(points), encoding="utf-8")
    table, predictions = paper1_tables.greatest_factors(points, platforms), paper1_tables.predictions(points)
    (results / "table.md").write_text(table, encoding="utf-8")
    (results / "predictions.md").write_text(predictions, encoding="utf-8")
    print(f"{table}\n{predictions}", end="", flush=True)
    for placement in PLACEMENTS:
        paper1_plots.draw(points, platforms, placement, pictures / f"paper1_{placement}.svg", results / f"paper1_{placement}.png")
    say(f"done after {seconds()} s: samples, parameters and tables in {results}, pictures in {pictures}")
