# SPDX-License-Identifier: BSL-1.0
"""Plots: SVG and PNG, with colours that the colour-blind tell apart (Okabe and Ito) and another marker for each line."""
import os
import pathlib
import tempfile

from .command import Refused
from .numbers import text

OURS = "#d55e00"
COLOURS = ["#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f", OURS]
MARKERS = ["s", "^", "D", "v", "P", "X", "<", "o"]


def library():
    """matplotlib, which only plots need."""
    os.environ.setdefault("MPLCONFIGDIR", os.path.join(tempfile.gettempdir(), f"topomp-matplotlib-{os.getuid()}"))
    try:
        import matplotlib
    except ImportError:
        raise Refused("plots need matplotlib: scripts/setup --bench installs it") from None
    matplotlib.use("Agg")
    matplotlib.rcParams.update({
        "font.family": "sans-serif", "font.size": 10, "svg.fonttype": "none", "svg.hashsalt": "topomp",
        "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#dddddd",
        "axes.axisbelow": True, "lines.linewidth": 1.6, "lines.markersize": 4, "legend.frameon": False,
        "legend.fontsize": 8.5, "axes.titlesize": 10, "figure.facecolor": "white", "savefig.facecolor": "white"})
    return matplotlib


def figure(width, height, rows=1, columns=1):
    """An empty figure of so many pixels (at 100 an inch), and its axes as a flat list."""
    library()
    from matplotlib import pyplot
    made, axes = pyplot.subplots(rows, columns, figsize=(width / 100, height / 100), squeeze=False, layout="constrained")
    return made, list(axes.flat)


def save(made, *paths):
    """Writes a figure in the formats of the files' names; the same points always give the same file."""
    from matplotlib import pyplot
    for path in map(pathlib.Path, paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        made.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else {"Software": None})
        if path.suffix == ".svg":  # without blanks at the ends of lines
            lines = path.read_text(encoding="utf-8").splitlines()
            path.write_text("\n".join(line.rstrip() for line in lines) + "\n", encoding="utf-8")
    pyplot.close(made)


def size_text(size):
    for power, unit in ((20, "MiB"), (10, "KiB")):
        if size >= 1 << power and size % (1 << (power - 2)) == 0:
            return f"{text(size / (1 << power))} {unit}"
    return text(size)


def size_axis(axis, sizes, label="bytes", is_plain=False):
    """A logarithmic axis of numbers of bytes, or of ranks, with a mark at each of them, or at some if there are many."""
    from matplotlib import ticker
    sizes = sorted(set(sizes))
    step = max(1, -(-len(sizes) // 7))
    marked = sizes[::step]
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_locator(ticker.FixedLocator(marked))
    axis.xaxis.set_major_formatter(ticker.FixedFormatter([text(size) if is_plain else size_text(size) for size in marked]))
    axis.xaxis.set_minor_locator(ticker.NullLocator())
    axis.set_xlabel(label)


def time_axis(axis, label, base=10):
    """A logarithmic axis with plain numbers."""
    from matplotlib import ticker
    axis.set_yscale("log", base=base)
    axis.yaxis.set_major_locator(ticker.LogLocator(base, subs=(1, 2, 5) if base == 10 else (1,)))
    axis.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_formatter(ticker.NullFormatter())
    axis.set_ylabel(label)


def key_below(axis, columns=3):
    """A key that covers no line."""
    if axis.has_data():
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.19), ncol=columns, columnspacing=1.2, handlelength=2.4)


def curve(axis, points, label, **style):
    """A line through (x, y), without those whose y is None."""
    points = [(x, y) for x, y in points if y is not None]
    if points:
        axis.plot(*zip(*points), label=label, **style)


def dat_text(points, names):
    """Columns: bytes, ours, the bound, the models' time, the others; what is not available is a question mark."""
    rows = [["bytes", "topomp", "bound", "predicted", *names]]
    for point in points:
        values = [point["ours"], point["bound"], point.get("predicted"), *(point["others"].get(name) for name in names)]
        rows.append([text(point["bytes"]), *("?" if value is None else text(value) for value in values)])
    return "".join(" ".join(row) + "\n" for row in rows)


def time_against_bytes(points, heading, *paths):
    """Ours beside every other; dashed the bound that no algorithm beats, dotted what the models say of ours."""
    made, (axis,) = figure(640, 440)
    names = sorted({name for point in points for name in point["others"]})

    def of(value):
        return [(point["bytes"], None if value(point) is None else value(point) * 1e6) for point in points]

    for i, name in enumerate(names):
        curve(axis, of(lambda point, name=name: point["others"].get(name)), name, color=COLOURS[i % 7], marker=MARKERS[i % 7],
              markerfacecolor="none", markersize=max(4, 7 - i))
    curve(axis, of(lambda point: point["bound"]), "bound", color="black", linestyle="--", linewidth=1)
    curve(axis, of(lambda point: point.get("predicted")), "predicted", color=OURS, linestyle=":")
    curve(axis, of(lambda point: point["ours"]), "topomp", color=OURS, marker="o", linewidth=2.4, markersize=5)
    size_axis(axis, [point["bytes"] for point in points], "message size, bytes")
    time_axis(axis, "time of the slowest rank, us")
    axis.set_title(heading)
    axis.legend(loc="upper left")
    save(made, *paths)


def make_plots(folder, points):
    """A picture for each platform and verb of a results folder, with the numbers beside it."""
    plots = pathlib.Path(folder) / "plots"
    plots.mkdir(exist_ok=True)
    for platform, verb in sorted({(point["platform"], point["verb"]) for point in points if point["verb"] != "barrier"}):
        own = sorted((point for point in points if (point["platform"], point["verb"]) == (platform, verb)),
                     key=lambda point: point["bytes"])
        name = f"{plots}/{platform}.{verb}"
        names = sorted({name for point in own for name in point["others"]})
        pathlib.Path(f"{name}.dat").write_text(dat_text(own, names), encoding="utf-8")
        time_against_bytes(own, f"{verb}, {platform}", f"{name}.svg", f"{name}.png")
