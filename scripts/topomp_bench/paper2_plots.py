# SPDX-License-Identifier: BSL-1.0
"""The pictures of scripts/bench-paper2: time against message size or ranks."""
from . import plots
from .paper2_tables import of_figure

STYLES = {"topomp": {"color": plots.OURS, "marker": "o", "linewidth": 2.2},
          "topomp, buffers": {"color": plots.OURS, "marker": "o", "linestyle": "--", "markerfacecolor": "none"},
          "topomp, barrier": {"color": plots.OURS, "marker": "o", "linestyle": "--", "markerfacecolor": "none"},
          "paper 2": {"color": "#0072b2", "marker": "s"}, "paper 2, method 1": {"color": "#0072b2", "marker": "s"},
          "paper 2, method 2": {"color": "#56b4e9", "marker": "^"}, "mpi": {"color": "#000000", "marker": "v"}}
LABELS = {"mpi": "MPI", "topomp, buffers": "topomp, from buffers"}
BY_SCHEME = ["topomp", "topomp, buffers", "paper 2", "mpi"]
BY_METHOD = ["topomp", "topomp, barrier", "paper 2, method 1", "paper 2, method 2", "mpi"]


def panel(axis, points, key, names, title, label):
    """Time by each of the names; key: 'bytes' or 'ranks'."""
    points = sorted(points, key=lambda point: getattr(point, key))
    for name in names:
        plots.curve(axis, [(getattr(point, key), point.us.get(name)) for point in points], LABELS.get(name, name), **STYLES[name])
    plots.size_axis(axis, [getattr(point, key) for point in points], label, key == "ranks")
    plots.time_axis(axis, "time, us")
    axis.set_title(title)
    plots.key_below(axis)


def by_ranks(points, figure, verb, ranks, name, pictures, results):
    """A panel for each number of ranks."""
    own = [point for point in of_figure(points, figure) if (point.platform, point.selector) == ("fat_tree", "ompi")]
    shown = [number for number in ranks if any(point.ranks == number for point in own)]
    if not shown:
        return
    made, axes = plots.figure(900, 360 * -(-len(shown) // 2), -(-len(shown) // 2), 2)
    for axis, number in zip(axes, shown):
        panel(axis, [point for point in own if point.ranks == number], "bytes", BY_SCHEME,
              f"{verb}, {number} ranks (figure {figure})", "message size, bytes")
    for axis in axes[len(shown):]:
        axis.remove()
    plots.save(made, pictures / f"paper2_{name}.svg", results / f"paper2_{name}.png")


def beside_mpi(axis, points):
    """Figure 16: how much longer than MPI_Allreduce, for each number of ranks."""
    own = [point for point in of_figure(points, "16") if point.us.get("mpi") is not None]
    ranks = sorted({point.ranks for point in own})
    for number, line in zip(ranks, ("-", "--", ":", "-.")):
        for name in ("topomp", "paper 2"):
            plots.curve(axis, [(point.bytes, (point.over(name, "mpi") - 1) * 100) for point in own if point.ranks == number],
                        f"{name}, {number} ranks", **{**STYLES[name], "linestyle": line, "linewidth": 1.6})
    plots.size_axis(axis, [point.bytes for point in own], "message size, bytes")
    axis.axhline(0, color="#7f7f7f", linewidth=0.8)
    axis.set_ylabel("longer than the MPI, %")
    axis.set_title("all_reduce beside MPI_Allreduce (figure 16)")
    plots.key_below(axis, 2)


def draw(points, ranks, pictures, results):
    by_ranks(points, "13", "broadcast", ranks, "broadcast", pictures, results)
    by_ranks(points, "14", "all_reduce", ranks, "all_reduce", pictures, results)
    made, axes = plots.figure(900, 1120, 3, 2)
    for axis, platform, slots in ((axes[0], "xc40", 24), (axes[1], "fat_tree", 16)):
        panel(axis, [point for point in of_figure(points, "12") if point.platform == platform], "ranks", BY_SCHEME,
              f"all_gather of 800 bytes, nodes of {slots} (figure 12)", "ranks")
    for axis, rules in ((axes[2], "ompi"), (axes[3], "mpich")):
        panel(axis, [point for point in of_figure(points, "15") if point.selector == rules], "bytes", BY_METHOD,
              f"all_reduce on one node, rules of {rules} (figure 15)", "message size, bytes")
    beside_mpi(axes[4], points)
    axes[5].remove()
    plots.save(made, pictures / "paper2_small.svg", results / "paper2_small.png")
