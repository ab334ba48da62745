# SPDX-License-Identifier: BSL-1.0
"""scripts/bench-mapping: what making a node_cart and a graph costs, and what grids cost on uneven machines."""
import json
import os
import subprocess

from . import processes, samples
from .command import (Failed, OPEN_MPI_AS_ROOT, OPEN_MPI_OVERSUBSCRIBED, PLATFORMS, ROOT, build, builds_folder, commit, cpus, mpirun_of,
                      notes, only_flags, processor, say, setup, stamp)
from .numbers import microseconds, upper_median
from .samples import grouped
from .simulation import PLAIN, filled_hosts, selector, smpirun
from .tables import markdown

VARIANTS = ["MPI_Cart_create", "node_cart, first on its hierarchy", "node_cart, again", "MPI_Dist_graph_create_adjacent",
            "graph, first on its hierarchy", "graph, again", "  plan of the grid, processor time",
            "  plan of the graph, processor time"]
ALGORITHMS = ["kd_tree", "hyperplane", "strips", "bisection", "box", "guillotine", "automatic"]
MIXED = """
40x25 20x48,40
10x8 2x16,8,24,4,12
40x38 16x48,16x47
48x40 8x128,14x64
64x45 10x192,15x64
50x48 40x48,20x24
50x48 40x48,20x24 1,1
30x30 12x64,11x12
40x30 4x128,8x64,11x16
36x30 10x72,15x24
12x10x8 16x48,12x16
16x16x15 50x64,20x32
20x15x12 36x96,3x48
256x256 1365x48,16
256x256 512x96,256x64
"""


def mixed_row(topomp, dims, nodes, periodic=None):
    """jsum/jmax by each algorithm that can be had."""
    def mapped(*more):
        command = [topomp, "map", "--dims", dims, "--node-sizes", nodes, *(["--periodic", periodic] if periodic else []),
                   "--format", "json", *more]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        return json.loads(ended.stdout) if ended.returncode == 0 else None

    whole = mapped("--seconds")
    if whole is None:
        raise Failed(f"topomp map failed for {dims} on {nodes}")
    cells = [mapped("--algorithm", name) for name in ALGORITHMS]
    return [f"{dims.replace('x', ' x ')} / {nodes.replace(',', ', ')}{', periodic' if periodic else ''}", whole["lower_bound"],
            *("-" if cell is None else f"{cell['jsum']}/{cell['jmax']}" for cell in cells), f"{whole['seconds']:.2f} s"]


def mixed():
    """A table of docs/mapping.md, a row for each machine; needs no MPI."""
    topomp = builds_folder() / "release/tools/topomp"
    if not os.access(topomp, os.X_OK):
        build("release", ["topomp_command"], builds_folder() / "mapping.log")
    print(markdown(["grid / nodes", "bound", *(f"`{name}`" for name in ALGORITHMS), "planned in"], "l" * 10,
                   [mixed_row(topomp, *line.split()) for line in MIXED.strip().splitlines()]), end="")


def table(found, path):
    """The table of the docs: medians in microseconds."""
    samples.check(found, path, "benchmarks/mapping_build", ("where", "grid", "variant"), ("ranks", "seconds"))
    rows = []
    for group in grouped(found, "where", "ranks", "grid"):
        medians = {own[0]["variant"]: upper_median(sample["seconds"] for sample in own) for own in grouped(group, "variant")}
        rows.append([f"{group[0]['where']}, {group[0]['ranks']}", group[0]["grid"],
                     *(microseconds(medians[name]) if name in medians else "" for name in VARIANTS)])
    return markdown(["where", "grid", *(name.strip() for name in VARIANTS)], "ll" + "r" * len(VARIANTS), rows)


def main(arguments):
    given = only_flags(arguments, ["--quick", "--mixed"], "scripts/bench-mapping [--quick | --mixed]")
    if given == "--mixed":
        return mixed()
    date = stamp()
    results = ROOT / "results/mapping_build" / date
    setup()
    results.mkdir(parents=True)
    folders = [build(preset, ["benchmark_mapping_build"], results / "build.log") for preset in ("smpi", "release")]
    simulated, local = (folder / "benchmarks/mapping_build" for folder in folders)
    path = results / "samples.jsonl"
    own_notes = notes(date=date, commit=commit(), cpus=cpus(), processor=processor())
    for ranks in (16, 64) if given == "--quick" else (16, 64, 256, 1024):
        say(f"{ranks} simulated ranks")
        smpirun(ranks, PLATFORMS / "fat_tree.xml", filled_hosts(ranks // 16, 16),
                [simulated, "--machine", f"node:{ranks // 16}_core:16", "--output", path, *own_notes,
                 *notes(where="simulated", selector="ompi", platform="fat_tree")], options=[selector("ompi"), *PLAIN])
        # A rank that gives up need not make smpirun fail.
        if not any(sample.get("ranks") == ranks for _, sample in samples.lines_of(path)):
            raise Failed(f"failed at {ranks} ranks")
        print(flush=True)
    mpirun = mpirun_of(folders[1])
    for ranks in (16, 64):
        say(f"{ranks} ranks on this machine")
        if processes.run([mpirun, *OPEN_MPI_OVERSUBSCRIBED, "-n", ranks, local, "--machine",
                          f"node:{ranks // 16}_core:16", "--output", path, *own_notes, *notes(where="local")],
                         environment=OPEN_MPI_AS_ROOT).code != 0:
            raise Failed(f"failed at {ranks} ranks on this machine")
        print(flush=True)
    text = table(samples.read(path), path)
    (results / "table.md").write_text(text, encoding="utf-8")
    print(text, end="", flush=True)
    say(f"done: samples and table in {results}")
    return 0
