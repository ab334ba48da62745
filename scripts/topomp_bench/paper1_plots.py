# SPDX-License-Identifier: BSL-1.0
"""The pictures of scripts/bench-paper1: a panel for each figure of the paper; measured solid, predicted dashed."""
from . import plots
from .paper1_tables import ALGORITHMS, FIGURES

STYLES = {name: {"color": colour, "marker": marker} for name, colour, marker in (
    ("linear", "#000000", "s"), ("chain", "#d55e00", "o"), ("pipeline", "#0072b2", "^"), ("split_binary", "#e69f00", "P"),
    ("binary", "#cc79a7", "D"), ("binomial", "#009e73", "v"), ("in_order_binary", "#56b4e9", "X"))}


def draw(points, platforms, placement, *paths):
    made, axes = plots.figure(1000, 330 * len(platforms), len(platforms), 2)
    axes = iter(axes)
    for platform in platforms:
        for verb, algorithms in ALGORITHMS.items():
            axis = next(axes)
            sizes = set()
            for algorithm in algorithms:
                own = [point for point in points if (point.platform, point.placement, point.verb, point.algorithm)
                       == (platform.name, placement, verb, algorithm)]
                sizes |= {point.bytes for point in own}
                plots.curve(axis, [(point.bytes, point.factor("hierarchical")) for point in own], algorithm.replace("_", " "),
                            **STYLES[algorithm])
                plots.curve(axis, [(point.bytes, point.factor("hierarchical", point.predicted)) for point in own], None,
                            color=STYLES[algorithm]["color"], linestyle="--", linewidth=0.8)
            plots.size_axis(axis, sizes, "message size, bytes")
            axis.axhline(1, color="#7f7f7f", linewidth=0.8)
            axis.set_ylim(bottom=0)
            axis.set_ylabel("flat / hierarchical, ratio of times")
            axis.set_title(f"{verb}, {platform.name.upper()}, {platform.ranks} ranks (figure {FIGURES[verb, platform.name]})")
            axis.legend(loc="upper left", bbox_to_anchor=(1, 1))
    made.supxlabel("solid: measured in simulation; dashed: predicted by the model", fontsize=9)
    plots.save(made, *paths)
