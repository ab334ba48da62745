# SPDX-License-Identifier: BSL-1.0
"""scripts/bench-paper2: all_gather, broadcast and all_reduce by topo::hybrid, by paper 2's scheme and by the MPI, simulated."""
import os
import pathlib
import re

from . import paper2_plots, paper2_tables, plots, samples
from .command import Failed, PLATFORMS, ROOT, Refused, build, commit, cpus, notes, only_flags, say, seconds, setup
from .processes import Job, Progress, run_jobs
from .simulation import PLAIN, filled_hosts, selector, smpirun

RANKS = [16, 64, 256, 1024]
NODES = [2, 4, 8, 16, 32]
MOST_BYTES = 1048576
FLAGS = [250, 570]  # nanoseconds that a signal takes
LIMIT = 3600  # seconds of processor time
MUCH_MEMORY = 1 << 28  # bytes of a message on all ranks: not even two such simulations fit into memory
METHODS_SIZES = [8 << i for i in range(11)]
SHORT_SIZES = [8, 32, 128, 512, 2048, 8192]


class Measurement:
    """A collective at some sizes, by everybody in one simulation, or the MPI by itself."""

    def __init__(self, results, figure, platform, slots, ranks, rules, verb, flag, by):
        self.figure, self.platform, self.slots, self.ranks = figure, platform, slots, ranks
        self.rules, self.verb, self.flag, self.by = rules, verb, flag, by
        self.file = results / f"{figure}.{platform}.{ranks}.{rules}.{verb}.{flag}.{by}.jsonl"
        self.name = f"figure {figure}, {verb} on {ranks} ranks of {platform}, {rules}, {by}"

    def missing(self, sizes):
        there = [sample.get("bytes") for _, sample in samples.lines_of(self.file)]
        if self.verb == "costs":  # they have no size
            return [] if there else sizes
        return [size for size in sizes if size not in there]

    def keep(self):
        """Keeps what a simulation has written, but for a last line that was cut off."""
        if pathlib.Path(f"{self.file}.part").exists():
            samples.append_complete(f"{self.file}.part", self.file)

    def run(self, program, own_notes, sizes):
        """A simulation takes all sizes that are missing, one after the other, and each is kept as soon as it is there. A size at
        which SimGrid stops is tried once more by itself."""
        log = pathlib.Path(f"{self.file}.log")
        while sizes:
            self.simulate(program, own_notes, sizes, log)
            self.keep()
            left = self.missing(sizes)
            if left == sizes:
                log.rename(f"{self.file}.{left[0]}.log")
                say(f"{self.name}: {left[0]} bytes NOT AVAILABLE, see {self.file}.{left[0]}.log")
                left = left[1:]
            sizes = left

    def simulate(self, program, own_notes, sizes, log):
        """On so many ranks, node after node. By some rules the first broadcast or all-reduce of each communicator begins with a
        message from every rank to every other: only what is measured goes by them."""
        hosts = -(-self.ranks // self.slots)
        what = (["--show", "costs"] if self.verb == "costs" else
                ["--verbs", self.verb, "--bytes", ",".join(map(str, sizes)), "--by", self.by, "--rules", self.rules])
        with open(log, "w", encoding="utf-8") as output:  # what has been measured says how far it came
            smpirun(self.ranks, PLATFORMS / f"{self.platform}.xml", filled_hosts(hosts, self.slots),
                    [program, "--machine", f"node:{hosts}_package:2_core:{self.slots // 2}", *what, "--output",
                     f"{self.file}.part", *own_notes, *notes(figure=self.figure, platform=self.platform, selector=self.rules,
                                                             flag=self.flag)],
                    options=[selector(self.rules), *PLAIN], log=output, cpu_seconds=LIMIT,
                    environment={"TOPOMP_SIMULATED_MEMORY": f"{self.flag}:10:10"})


def plan(ranks, nodes):
    """What the figures want: figure, platform, slots, ranks, rules, verb, flag and sizes, in the order in which it is done."""
    for flag in FLAGS:
        for rules in ("ompi", "mpich"):
            yield "15", "fat_tree", 16, 16, rules, "all_reduce_methods", flag, METHODS_SIZES
    for number in ranks:
        if number <= 256:  # short messages once more
            yield "13", "fat_tree", 16, number, "ompi", "broadcast", 570, [32, 4096]
            yield "14", "fat_tree", 16, number, "ompi", "all_reduce", 570, [32, 4096]
            if number > 16:
                yield "16", "xc40", 24, number, "mpich", "all_reduce", 570, SHORT_SIZES
        yield "table2", "fat_tree", 16, number, "ompi", "costs", 250, [8]
        yield "12", "fat_tree", 16, number, "ompi", "all_gather", 250, [800]
        yield "13", "fat_tree", 16, number, "ompi", "broadcast", 250, [32, 4096, 131072, 524288]
        if number > 16:
            yield "16", "xc40", 24, number, "mpich", "all_reduce", 250, SHORT_SIZES
        yield "14", "fat_tree", 16, number, "ompi", "all_reduce", 250, [32, 4096, 262144, 1048576]
    for number in nodes:
        yield "12", "xc40", 24, 24 * number, "mpich", "all_gather", 250, [800]


def main(arguments):
    is_quick = only_flags(arguments, ["--quick"], "scripts/bench-paper2 [--quick]") == "--quick"
    ranks, nodes, most_bytes = ([16, 64], [2, 4], 4096) if is_quick else (RANKS, NODES, MOST_BYTES)
    results = ROOT / ("results/paper2-quick" if is_quick else "results/paper2")
    pictures = results if is_quick else ROOT / "docs/pictures"
    at_once = os.environ.get("TOPOMP_BENCH_JOBS") or str(cpus())
    if not re.fullmatch("[1-9][0-9]?", at_once, re.ASCII):
        raise Refused(f"TOPOMP_BENCH_JOBS wants a number of jobs, not '{at_once}'")
    setup("--bench")
    plots.library()
    results.mkdir(parents=True, exist_ok=True)
    program = build("smpi", ["benchmark_hybrid"], results / "build.log") / "benchmarks/hybrid"
    own_notes = notes(commit=commit(), where="sim")
    files, jobs = [], []
    for *what, sizes in plan(ranks, nodes):
        number, verb = what[3], what[5]
        for by in ["windows", "mpi"] if number > 256 and verb != "costs" else ["both"]:
            measurement = Measurement(results, *what, by)
            files.append(measurement.file)
            measurement.keep()
            missing = measurement.missing([size for size in sizes if size <= most_bytes])
            if missing:
                jobs.append(Job(lambda m=measurement, those=missing: m.run(program, own_notes, those), measurement.name,
                                weight=number * len(missing),
                                most_beside=0 if number * max(missing) >= MUCH_MEMORY else None))
    progress = Progress(say, len(jobs), sum(job.weight for job in jobs))

    def has_ended(job):
        progress.add(1, job.weight)
        progress.tell(job.name)

    run_jobs(jobs, int(at_once), has_ended=has_ended)
    if not samples.join(files, results / "samples.jsonl"):
        raise Failed(f"nothing could be simulated: see the logs in {results}")
    found = samples.read(results / "samples.jsonl")
    points = paper2_tables.points_of(found, results / "samples.jsonl")
    (results / "points.dat").write_text(paper2_tables.dat_text(points), encoding="utf-8")
    for name, text in (("table", paper2_tables.table(points)), ("rows", paper2_tables.rows(points)),
                       ("means", paper2_tables.means(points)), ("table2", paper2_tables.table2(found))):
        (results / f"{name}.md").write_text(text, encoding="utf-8")
        print(text, end="", flush=True)
    paper2_plots.draw(points, ranks, pictures, results)
    say(f"done after {seconds()} s: samples and tables in {results}, pictures in {pictures}")
