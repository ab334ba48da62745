# SPDX-License-Identifier: BSL-1.0
"""scripts/bench-leonardo: SimGrid's algorithms beside the same ones measured on Leonardo."""
import csv
import math
import pathlib

from . import samples
from .command import Failed, PLATFORMS, ROOT, build, cpus, only_flags, say, setup
from .numbers import geomean, median, two
from .processes import Job, run_jobs
from .simulation import PLAIN, selector, smpirun
from .tables import markdown

DATA = ROOT / "benchmarks/data/real_machines.csv"
CHARGED = ["--charged", "20:15:0.45"]  # as benchmarks/platforms/leonardo.xml says; combining from allreduce by recursive doubling
MOST = 1 << 20  # bytes of a buffer

# The data's verb and algorithm: the verb of benchmarks/verbs, SimGrid's name of the verb and of the algorithm.
SAME = {
    ("bcast", "binomial_ompi"): ("broadcast", "bcast", "binomial_tree"),
    ("bcast", "scatter_allgather_ompi"): ("broadcast", "bcast", "scatter_rdb_allgather"),
    ("bcast", "scatter_allgather_ring_ompi"): ("broadcast", "bcast", "scatter_LR_allgather"),
    ("bcast", "split_binary_ompi"): ("broadcast", "bcast", "ompi_split_bintree"),
    ("reduce", "binomial_ompi"): ("reduce", "reduce", "ompi_binomial"),
    ("reduce", "binary_ompi"): ("reduce", "reduce", "ompi_binary"),
    ("reduce", "in_order_ompi"): ("reduce", "reduce", "ompi_in_order_binary"),
    ("reduce", "linear_ompi"): ("reduce", "reduce", "ompi_basic_linear"),
    ("reduce", "rabenseifner_ompi"): ("reduce", "reduce", "scatter_gather"),
    ("allreduce", "recursive_doubling_ompi"): ("all_reduce", "allreduce", "rdb"),
    ("allreduce", "ring_ompi"): ("all_reduce", "allreduce", "lr"),
    ("allreduce", "rabenseifner_ompi"): ("all_reduce", "allreduce", "rab_rdb"),
    ("allgather", "recursive_doubling_ompi"): ("all_gather", "allgather", "rdb"),
    ("allgather", "ring_ompi"): ("all_gather", "allgather", "ring"),
    ("allgather", "neighbor_ompi"): ("all_gather", "allgather", "ompi_neighborexchange"),
    ("allgather", "k_bruck_over"): ("all_gather", "allgather", "bruck"),
    ("gather", "binomial_ompi"): ("gather", "gather", "ompi_binomial"),
    ("gather", "linear_ompi"): ("gather", "gather", "ompi_basic_linear"),
    ("gather", "linear_synch_ompi"): ("gather", "gather", "ompi_linear_sync"),
    ("scatter", "binomial_ompi"): ("scatter", "scatter", "ompi_binomial"),
    ("scatter", "linear_ompi"): ("scatter", "scatter", "ompi_basic_linear"),
    ("alltoall", "linear_ompi"): ("all_to_all", "alltoall", "basic_linear"),
    ("alltoall", "pairwise_ompi"): ("all_to_all", "alltoall", "pairwise"),
    ("alltoall", "modified_bruck_ompi"): ("all_to_all", "alltoall", "bruck"),
    ("reduce_scatter", "recursive_halving_ompi"): ("reduce_scatter", "reduce_scatter", "ompi_basic_recursivehalving"),
    ("reduce_scatter", "ring_ompi"): ("reduce_scatter", "reduce_scatter", "ompi_ring"),
}
OF_ALL = ("bcast", "reduce", "allreduce")  # whose bytes are the message's, not of all blocks together
FITTED = {  # the points from which the platform's parameters are: nodes, verb, algorithm, bytes
    (64, "reduce_scatter", "ring_ompi", 256), (256, "allgather", "ring_ompi", 16384), (256, "reduce", "linear_ompi", 32),
    (256, "bcast", "scatter_allgather_ompi", 8388608), (256, "alltoall", "linear_ompi", 67108864),
    (256, "allreduce", "recursive_doubling_ompi", 8388608), (256, "scatter", "linear_nb_ompi", 536870912)}


def measured(file):
    """Microseconds of nodes, verb, algorithm and bytes, where one of SimGrid's is the same: of several jobs the median."""
    found = {}
    with open(file, encoding="utf-8") as source:
        for row in csv.DictReader(source):
            if (row["system"] == "leonardo" and row["nodes"] in ("64", "256") and row["ranks_per_node"] == "1"
                    and (row["verb"], row["algorithm"]) in SAME and int(row["bytes"]) <= MOST):
                key = int(row["nodes"]), row["verb"], row["algorithm"], int(row["bytes"])
                found.setdefault(key, []).append(float(row["median_us"]))
    return {key: median(times) for key, times in found.items()}


def hosts(nodes):
    """64 nodes of one cell, or 256 dealt over four."""
    return [f"node{rank if nodes == 64 else rank % 4 * 64 + rank // 4}" for rank in range(nodes)]


def simulate(program, results, nodes, key, sizes):
    """Microseconds of an algorithm by bytes as the data counts them."""
    ours, theirs, name = SAME[key]
    blocks = 1 if key[0] in OF_ALL else nodes
    sizes = [size for size in sizes if size % (8 * blocks) == 0]
    if not sizes:
        return {}
    file = results / f"{nodes}.{key[0]}.{key[1]}.jsonl"
    file.unlink(missing_ok=True)
    with open(f"{file}.log", "w", encoding="utf-8") as log:
        ended = smpirun(nodes, PLATFORMS / "leonardo.xml", hosts(nodes),
                        [program, "--by", "mpi", "--verbs", ours, "--bytes", ",".join(str(size // blocks) for size in sizes),
                         *CHARGED, "--output", file],
                        options=[selector("ompi"), *PLAIN, f"--cfg=smpi/{theirs}:{name}"], log=log, cpu_seconds=300, wall_seconds=3000)
    if ended.code != 0:
        say(f"{key[0]} by {name} on {nodes} nodes ended with code {ended.code}: {file}.log")
    return {sample["bytes"] * blocks: sample["seconds"] * 1e6 for _, sample in samples.lines_of(file)}


def ranks(values):
    """The place of each value in ascending order, from 0; equal ones share the mean of theirs."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]


def correlation(first, second):
    """Spearman's, of ranks; None if all of one are alike."""
    first, second = ranks(first), ranks(second)
    mean = (len(first) - 1) / 2
    product = sum((a - mean) * (b - mean) for a, b in zip(first, second))
    norm = math.sqrt(sum((a - mean) ** 2 for a in first) * sum((b - mean) ** 2 for b in second))
    return product / norm if norm else None


def rows(real, simulated):
    """Of each verb: points, factors by which simulated times are off, rank correlation, and the regret of choosing by them."""
    for verb in dict.fromkeys(verb for verb, _ in SAME):
        keys = [key for key in real if key[1] == verb and key in simulated and key not in FITTED]
        if not keys:
            continue
        off = [max(simulated[key] / real[key], real[key] / simulated[key]) for key in keys]
        signed = [simulated[key] / real[key] for key in keys]
        correlations, regrets = [], []
        for nodes, size in sorted({(key[0], key[3]) for key in keys}):
            group = [key for key in keys if (key[0], key[3]) == (nodes, size)]
            if len(group) < 2:
                continue
            found = correlation([real[key] for key in group], [simulated[key] for key in group])
            correlations += [found] if found is not None else []
            regrets.append(real[min(group, key=simulated.get)] / min(real[key] for key in group))
        yield [verb, len(keys), two(median(signed)), two(median(off)), two(max(off)),
               two(sum(correlations) / len(correlations)) if correlations else "-",
               two(geomean(regrets)) if regrets else "-", two(max(regrets)) if regrets else "-"]


def main(arguments):
    only_flags(arguments, [], "scripts/bench-leonardo")
    setup()
    results = ROOT / "results/leonardo"
    results.mkdir(parents=True, exist_ok=True)
    program = pathlib.Path(build("smpi", ["benchmark_verbs"], results / "build.log")) / "benchmarks/verbs"
    real = measured(DATA)
    if not real:
        raise Failed(f"{DATA} has no points of Leonardo")
    simulated, jobs = {}, []
    for nodes in (64, 256):
        for verb, name in SAME:
            sizes = sorted(key[3] for key in real if key[:3] == (nodes, verb, name))

            def job(nodes=nodes, verb=verb, name=name, sizes=sizes):
                for size, time in simulate(program, results, nodes, (verb, name), sizes).items():
                    simulated[nodes, verb, name, size] = time

            if sizes:
                jobs.append(Job(job, f"{nodes} {verb} {name}", 2 << 30, nodes))
    run_jobs(jobs, cpus(), 8 << 30)
    text = markdown(["verb", "points", "simulated / measured, median", "off by, median", "off by, worst", "rank correlation",
                     "regret, mean", "regret, worst"], "lrrrrrrr", list(rows(real, simulated)))
    points = "".join(f"{nodes} {verb} {name} {size} {real[nodes, verb, name, size]:.1f} {time:.1f}\n"
                     for (nodes, verb, name, size), time in sorted(simulated.items()) if (nodes, verb, name, size) in real)
    (results / "points.txt").write_text(points, encoding="utf-8")
    (results / "table.md").write_text(text, encoding="utf-8")
    print(text, end="", flush=True)
    say(f"done: points and table in {results}")
