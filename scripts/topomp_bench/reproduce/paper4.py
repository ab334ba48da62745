# SPDX-License-Identifier: BSL-1.0
"""Paper 4 (Traeff 2003): which verb profits from which level of its three-level model."""
from .. import plots
from ..numbers import geomean
from ..simulation import PLAIN, charged_memory, selector
from . import draw
from .figures import Figure, Said, amount, factor, where
from .runs import OUTPUT, Run, block

VERBS = ["barrier", "broadcast", "reduce", "all_reduce", "gather", "scatter", "all_gather", "all_to_all", "reduce_scatter"]
# nodes, ranks of a node, description: one node (only the level inside), a rank a node (only the level between), both; and both
# without knowing the nodes
LEVELS = {"inside": (1, 8, "node:1_core:8"), "between": (16, 1, "node:16_core:1"), "both": (16, 8, "node:16_core:8"),
          "both, unknown": (16, 8, "node:128_core:1")}
# Copies as a message inside one of its nodes, 16 GB/s; signals as elsewhere, 0.25 us.
MEMORY = tuple(charged_memory(copy=16).items())


def runs(scale):
    for verb in scale.of(VERBS, VERBS, VERBS[:2]):
        sizes = [8] if verb == "barrier" else scale.of([8, 1024, 65536], [8, 1024], [8])
        for level, (nodes, slots, machine) in LEVELS.items():
            for by in ("topomp", "mpi"):
                if by == "mpi" and level == "both, unknown":
                    continue
                own = ("--machine", machine) if by == "topomp" else ()
                yield Run(f"{verb}|{level}|{by}", "benchmarks/verbs",
                          ("--verbs", verb, "--bytes", ",".join(map(str, sizes)), "--by", by, *own, "--output", OUTPUT), "sx",
                          block(nodes, slots), nodes * slots,
                          (selector("ompi"), *(PLAIN if by == "topomp" else ())), MEMORY, cost=nodes * slots / 20,
                          memory=max(sizes) * (nodes * slots) ** 2 * (3 if "all" in verb or "scatter" in verb else 0))


def rows(scale, results):
    us = {}
    for run in runs(scale):
        verb, level, by = run.name.split("|")
        for sample in results(run):
            us.setdefault((verb, sample["bytes"]), {})[level, by] = sample["seconds"] * 1e6
    found = []
    for (verb, size), times in us.items():
        def ratio(over, under, times=times):
            return times[over] / times[under] if over in times and under in times else None

        found.append({"verb": verb, "bytes": size, "topomp_us": times.get(("both", "topomp")),
                      "mpi_us": times.get(("both", "mpi")),
                      **{f"mpi_over_topomp_{level}": ratio((level, "mpi"), (level, "topomp"))
                         for level in ("inside", "between", "both")},
                      "knowing_nodes": ratio(("both, unknown", "topomp"), ("both", "topomp"))})
    return found


def picture(table, *paths):
    sizes = sorted({row["bytes"] for row in table})
    made, axes = plots.figure(200 + 320 * len(sizes), 420, 1, len(sizes))
    for axis, size in zip(axes, sizes):
        own = where(table, bytes=size)
        places = list(range(len(own)))
        for i, (key, name, colour) in enumerate((("mpi_over_topomp_inside", "inside a node", plots.COLOURS[4]),
                                                 ("mpi_over_topomp_between", "between nodes", plots.COLOURS[0]),
                                                 ("mpi_over_topomp_both", "both", plots.OURS),
                                                 ("knowing_nodes", "knowing the nodes", plots.COLOURS[1]))):
            axis.plot([row[key] for row in own], [place + 0.16 * (i - 1.5) for place in places], plots.MARKERS[i], color=colour,
                      label=name, linestyle="", markersize=5)
        axis.set_yticks(places, [row["verb"] for row in own], fontsize=8.5)
        axis.invert_yaxis()
        axis.set_xscale("log", base=2)
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.axvline(1, color="#444444", linewidth=0.8)
        axis.set_xlabel("ratio of times: MPI / topomp")
        axis.set_title(f"{amount(size)}")
    draw.key_of_all(made)
    plots.save(made, *paths)


def said(table):
    texts, factors = [], []
    for key, name in (("mpi_over_topomp_inside", "inside a node"), ("mpi_over_topomp_between", "between nodes"),
                      ("mpi_over_topomp_both", "on both"), ("knowing_nodes", "by knowing the nodes")):
        values = [(row[key], row) for row in table if row[key]]
        if values:
            low, high = (choose(values, key=lambda each: each[0]) for choose in (min, max))
            texts.append(f"{name} {factor(geomean([value for value, _ in values]))} in the mean, {factor(low[0])} "
                         f"({low[1]['verb']}) to {factor(high[0])} ({high[1]['verb']})")
            factors += [(value, f"{row['verb']} of {row['bytes']} bytes {name}, SX-like machine") for value, row in (low, high)]
    return Said("broadcast and barrier easy, others more difficult or not possible (section 2)", "; ".join(texts),
                "Times of Open MPI's rules, which pass messages inside nodes, over topomp's; and of topomp that takes each rank "
                "for a node over topomp that knows the nodes.", factors)


FIGURES = [Figure("paper4.levels", "Which verb profits from which level", "simulated", runs, rows, said, picture)]
