# SPDX-License-Identifier: BSL-1.0
"""The table of scripts/bench hybrid: results once per node."""
from .numbers import geomean, microseconds, or_dash, two
from .samples import grouped


def over(name, point):
    return None if name not in point["others"] else point["others"][name] / point["ours"]


def row(point):
    others = point["others"]
    return [str(point["bytes"]), microseconds(point["ours"]),
            *(or_dash(microseconds, others.get(name)) for name in ("topomp, buffers", "paper 2", "mpi")),
            or_dash(two, over("paper 2", point)), two(over("mpi", point))]


def means(values):
    return f"geomean {two(geomean(values))}  min {two(min(values))}" if values else "no points"


def closing(points):
    points = [point for point in points if point["ratio"] is not None]
    if not points:
        return "points 0"
    paper = [over("paper 2", point) for point in points if over("paper 2", point) is not None]
    return (f"over paper 2: {means(paper)}   over the MPI: {means([over('mpi', point) for point in points])}"
            f"   points {len(points)}")


def table(points):
    lines = []
    for group in grouped(points, "platform", "verb"):
        lines += [f"{group[0]['platform']}, {group[0]['verb']}, {or_dash(str, group[0]['ranks'])} ranks: microseconds",
                  ["bytes", "topomp", "buffers", "paper 2", "MPI", "/ paper 2", "/ MPI"],
                  *(row(point) for point in sorted(group, key=lambda point: point["bytes"]) if point["ratio"] is not None), ""]
    return lines + [f"{group[0]['platform']}: {closing(group)}" for group in grouped(points, "platform")]
