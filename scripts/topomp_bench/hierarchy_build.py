# SPDX-License-Identifier: BSL-1.0
"""scripts/bench-hierarchy: what building a hierarchy costs beside a bare chain of MPI_Comm_split calls."""
import os

from . import plots, processes, samples
from .command import (Failed, OPEN_MPI_AS_ROOT, PLATFORMS, ROOT, Refused, build, commit, cpus, is_open_mpi, mpirun_of, notes,
                      only_flags, processor, say, setup, stamp)
from .numbers import microseconds, rounded, text
from .samples import grouped
from .simulation import selector, smpirun
from .tables import markdown

SPLITS = ["split chain, levels", "split chain, levels and roots", "the same and a duplicate of all"]
HIERARCHY = "hierarchy of given places"
LABELS = {SPLITS[0]: "splits: levels", SPLITS[1]: "splits: levels and roots", SPLITS[2]: "... and a duplicate of all",
          HIERARCHY: "topo::hierarchy"}
# A message costs its sender and its receiver 0.3 us each; without that, trees that are flat would look free.
ENDS = [f"--cfg=smpi/{end}:0:3e-7:0" for end in ("os", "ois", "or")]


def points_of(found, path):
    """Simulated samples by their variant, for each number of ranks."""
    samples.check(found, path, "benchmarks/hierarchy_build", ("where", "variant"), ("ranks", "levels", "seconds"))
    points = []
    for group in grouped((sample for sample in found if sample["where"] == "simulated"), "ranks"):
        by_variant = {sample["variant"]: sample for sample in group}
        for name in (*SPLITS, HIERARCHY):
            if name not in by_variant:
                raise Refused(f"{path}: {group[0]['ranks']} ranks lack '{name}'")
        samples.check([by_variant[HIERARCHY]], path, "benchmarks/hierarchy_build", (), ("bytes_kept", "bytes_peak"))
        points.append(by_variant)
    return points


def table(points):
    """The table of the docs: one simulated sample a variant and size."""
    def times(value):
        return text(rounded(value * 100) / 100) + "x"

    rows = []
    for point in points:
        own = point[HIERARCHY]
        rows.append([own["ranks"], own["levels"], *(microseconds(point[name]["seconds"]) for name in (*SPLITS, HIERARCHY)),
                     *(times(own["seconds"] / point[name]["seconds"]) for name in SPLITS[1:]), own["bytes_kept"],
                     own["bytes_peak"]])
    return markdown(["ranks", "levels", "chain: levels", "chain: levels and roots", "the same and a duplicate", "hierarchy",
                     "against levels and roots", "... and a duplicate", "C++ bytes per rank: kept", "peak"], "r" * 10, rows)


def draw(points, *paths):
    made, (times, memory) = plots.figure(860, 380, 1, 2)
    ranks = [point[HIERARCHY]["ranks"] for point in points]
    for i, name in enumerate((*SPLITS, HIERARCHY)):
        style = {"color": plots.OURS, "marker": "o", "linewidth": 2.4} if name == HIERARCHY else {
            "color": plots.COLOURS[i], "marker": plots.MARKERS[i]}
        plots.curve(times, [(number, point[name]["seconds"] * 1e6) for number, point in zip(ranks, points)], LABELS[name], **style)
    plots.time_axis(times, "time of the slowest rank, us")
    times.set_title("Building, simulated")
    times.legend()
    plots.curve(memory, [(number, point[HIERARCHY]["bytes_peak"] / 1024) for number, point in zip(ranks, points)],
                LABELS[HIERARCHY], color=plots.OURS, marker="o", linewidth=2.4)
    memory.set_ylim(0, 1.2 * max(point[HIERARCHY]["bytes_peak"] / 1024 for point in points))
    memory.set_ylabel("KiB a rank")
    memory.set_title("Greatest memory of C++ objects at one time")
    memory.legend()
    for axis in (times, memory):
        plots.size_axis(axis, ranks, "ranks", True)
    plots.save(made, *paths)


def main(arguments):
    is_quick = only_flags(arguments, ["--quick"], "scripts/bench-hierarchy [--quick]") == "--quick"
    date = stamp()
    results = ROOT / "results/hierarchy_build" / date
    picture = (results if is_quick else ROOT / "docs/pictures") / "hierarchy_build.svg"
    rules = os.environ.get("SELECTOR") or "ompi"
    setup("--bench")
    plots.library()
    results.mkdir(parents=True)
    folders = [build(preset, ["benchmark_hierarchy_build"], results / "build.log") for preset in ("smpi", "release")]
    simulated, local = (folder / "benchmarks/hierarchy_build" for folder in folders)
    path = results / "samples.jsonl"
    own_notes = notes(date=date, commit=commit(), cpus=cpus(), processor=processor())
    for ranks in (16, 64) if is_quick else (16, 64, 256, 1024):
        say(f"{ranks} simulated ranks")
        smpirun(ranks, PLATFORMS / "fat_tree_64x16.xml", PLATFORMS / "fat_tree_64x16.hosts",
                [simulated, "--output", path, *own_notes, *notes(where="simulated", selector=rules, platform="fat_tree_64x16")],
                options=[selector(rules), *ENDS])
        # A rank that gives up need not make smpirun fail.
        if not any(sample.get("ranks") == ranks for _, sample in samples.lines_of(path)):
            raise Failed(f"failed at {ranks} ranks")
        print(flush=True)
    say("8 ranks on this machine")
    mpirun = mpirun_of(folders[1])
    options = ["--map-by", "core", "--bind-to", "core:overload-allowed", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1",
               "--mca", "btl_vader_single_copy_mechanism", "none"] if is_open_mpi(mpirun) else []
    if processes.run([mpirun, "-n", 8, *options, local, "--output", path, *own_notes, *notes(where="local")],
                     environment=OPEN_MPI_AS_ROOT).code != 0:
        raise Failed("failed on this machine")
    points = points_of(samples.read(path), path)
    (results / "table.md").write_text(table(points), encoding="utf-8")
    print(f"\n{table(points)}", flush=True)
    draw(points, picture, results / "hierarchy_build.png")
    say(f"done: samples and table in {results}, picture in {picture}")
