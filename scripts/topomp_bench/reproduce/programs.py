# SPDX-License-Identifier: BSL-1.0
"""The papers' programs, and the solver, on real hosts: the cluster of network namespaces and this machine."""
from .figures import Figure, Said, factor
from .runs import Run

PROGRAMS = {"summa": ("mpi", "hybrid", ("--size", 480)), "poisson": ("mpi", "hybrid", ("--size", 240, "--iterations", 200)),
            "bpmf": ("mpi", "hybrid", ("--rows", 4000, "--columns", 96, "--iterations", 4, "--burn-in", 1)),
            "cg": ("mpi", "hybrid", ("--grid", "60x60")), "vectors": ("by_hand", "topology", ("--elements", 65536))}
PLACES = {"4 hosts of 4 ranks, 1 Gbit/s": (("--rate", "1gbit"), 16), "this machine, 2 ranks": (None, 2)}


def runs(scale):
    if scale.name == "smallest":
        return
    repetitions = scale.of(11, 3)
    for place, (cluster, ranks) in PLACES.items():
        for program, (theirs, ours, arguments) in PROGRAMS.items():
            for variant in (theirs, ours):
                yield Run(f"{place}|{program}|{variant}", f"benchmarks/apps/{program}_{variant}",
                          (*arguments, "--repetitions", repetitions), ranks=ranks, cluster=cluster, cost=0.1 * repetitions)


def rows(scale, results):
    found = {}
    for run in runs(scale):
        place, program, variant = run.name.split("|")
        for sample in results(run)[-1:]:
            column = "plain_ms" if variant == PROGRAMS[program][0] else "topomp_ms"
            found.setdefault((place, program), {})[column] = sample["seconds"] * 1e3
    return [{"where": place.replace(",", ";"), "program": program, "plain_mpi_ms": each["plain_ms"],
             "topomp_ms": each["topomp_ms"], "ratio": each["plain_ms"] / each["topomp_ms"]}
            for (place, program), each in found.items() if len(each) == 2]


def said(table):
    return Said("not of the papers",
                "; ".join(f"{row['program']} {factor(row['ratio'])} ({row['where'].split(';')[0]})" for row in table),
                "Medians; more ranks than cores, so waiting and computing take turns on a core.",
                [(row["ratio"], f"{row['program']}, {row['where'].replace(';', ',')}, real, against plain MPI") for row in table])


FIGURES = [Figure("programs.real", "The programs on real hosts, plain MPI over topomp", "real", runs, rows, said)]
