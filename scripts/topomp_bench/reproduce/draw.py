# SPDX-License-Identifier: BSL-1.0
"""Pictures with names at the lines and bars, and what a paper prints in grey."""
from .. import plots

GREY = "#7f7f7f"


def label_lines(axis, gap=0.062):
    """Names at the right of an axis, beside the ends of the lines, moved apart where these meet."""
    axis.figure.canvas.draw()
    ends = []
    for line in axis.get_lines():
        if not line.get_label().startswith("_"):
            x, y = line.get_xdata()[-1], line.get_ydata()[-1]
            at = axis.transAxes.inverted().transform(axis.transData.transform((x, y)))
            ends.append([at[1], at, line])
    ends.sort(key=lambda end: end[0])
    for before, after in zip(ends, ends[1:]):
        after[0] = max(after[0], before[0] + gap)
    highest = 1.0
    for end in reversed(ends):
        highest = end[0] = min(end[0], highest)
        highest -= gap
    for y, at, line in ends:
        axis.annotate(line.get_label(), xy=at, xytext=(1.03, y), xycoords="axes fraction", textcoords="axes fraction",
                      va="center", fontsize=8.5, color=line.get_color(), annotation_clip=False,
                      arrowprops={"arrowstyle": "-", "color": line.get_color(), "linewidth": 0.5, "shrinkB": 2})


def lines(axis, series, styles=None, dashed=()):
    """A line for each name, with another colour and marker; those of topomp thick. series: (x, y) by name."""
    number = 0
    for name, points in series.items():
        if name.startswith("topomp"):
            style = {"color": plots.OURS, "marker": "o", "linewidth": 2.2}
        else:
            style = {"color": plots.COLOURS[number % 7], "marker": plots.MARKERS[number % 7]}
            number += 1
        style.update((styles or {}).get(name, {}))
        if name in dashed:
            style.update(linestyle="--", markerfacecolor="none")
        plots.curve(axis, points, name, **style)


def paper_level(axis, value, text):
    """A value that the paper prints without saying where it lies."""
    axis.axhline(value, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    axis.annotate(text, xy=(0.01, value), xycoords=("axes fraction", "data"), fontsize=8, color=GREY, va="bottom")


def paper_points(axis, points, text="paper"):
    plots.curve(axis, points, text, color=GREY, marker="D", linestyle=(0, (1, 2)), markersize=5)


def parity(axis):
    axis.axhline(1, color="#444444", linewidth=0.8)


def stacked(axis, names, parts, unit, total=None):
    """A bar for each name, of parts on top of each other; the sum is at the bar's end. parts: values by name of the part."""
    begin = [0.0] * len(names)
    colours = ["#56b4e9", "#d55e00"]
    places = range(len(names))
    for colour, (part, values) in zip(colours, parts.items()):
        axis.barh(places, values, left=begin, color=colour, label=part, height=0.66)
        begin = [left + value for left, value in zip(begin, values)]
    for place, end in zip(places, begin):
        number = f"{end:.0f}" if end >= 100 else f"{end:.3g}"
        axis.annotate(f" {number}" + ("" if total is None else total(place)), xy=(end, place), va="center", fontsize=8)
    axis.set_yticks(list(places), names, fontsize=8.5)
    axis.invert_yaxis()
    axis.set_xlim(0, max(begin) * 1.5)
    axis.set_xlabel(unit)
    axis.grid(axis="y", visible=False)


def key_of_all(made):
    """One key for all panels, at the right."""
    made.axes[-1].legend(*made.axes[0].get_legend_handles_labels(), loc="center left", bbox_to_anchor=(1.01, 0.5))
