# SPDX-License-Identifier: BSL-1.0
"""The table of scripts/bench halo.

Beside the points what paper 3 prints in numbers: table 5, a 3D halo on 1024 processes, default mapping; table 4, a stencil
on 4096, which stands where the part of the mesh that a process has is as large. Its figures 4 to 9 are pictures.
"""
import math

from .numbers import geomean, or_dash, rounded, short, text, two
from .samples import grouped

TABLE_5 = {128: (98, 138), 256: (224, 266), 512: (260, 318), 1024: (489, 616), 2048: (483, 616), 4096: (477, 606),
           8192: (469, 584), 16384: (456, 579), 32768: (461, 580), 65536: (398, 508)}
TABLE_4 = {256: (30.1, 32.4), 512: (118, 121), 1024: (432, 491), 2048: (1550, 1670), 4096: (3170, 3370),
           8192: (4400, 4710), 16384: (5960, 6170)}


def in_paper(point):
    if point["verb"] == "halo_3d" and point["ranks"] == 1024:
        return TABLE_5.get(point["size"])
    if point["verb"] == "stencil":
        return TABLE_4.get(rounded(point["size"] * math.sqrt(4096 / point["ranks"])))
    return None


def row(point):
    unit = 1e9 if point["verb"] == "stencil" else 1e6
    paper = in_paper(point)
    return [text(point["size"]), text(point["bytes"]), short(point["work"] / point["others"]["Cart"] / unit),
            short(point["work"] / point["ours"] / unit), two(point["ratio"]),
            *([] if paper is None else [short(paper[0]), short(paper[1]), two(paper[1] / paper[0])])]


def closing(points):
    """A line for each verb."""
    lines = {}
    for group in grouped((point for point in points if point["ratio"] is not None), "verb"):
        values = [point["ratio"] for point in group]
        lines[group[0]["verb"]] = f"geomean {two(geomean(values))}  min {two(min(values))}  points {len(values)}"
    return lines


def table(points):
    has_several = len({point["platform"] for point in points}) > 1
    lines = []
    for group in grouped(points, "platform", "verb"):
        head = group[0]
        is_stencil = head["verb"] == "stencil"
        partners = [or_dash(two, head["on_node"][who]) for who in ("mpi", "topomp")]
        lines += [f"{head['platform']}, {head['verb']}, {head['ranks']} ranks, {head['grid']}: "
                  + ("GFLOP/s of all ranks" if is_stencil else "MB/s a process"),
                  f"partners on the node {partners[0]} and {partners[1]} in the mean, greatest load of a node "
                  f"{or_dash(text, head['jmax']['mpi'])} and {or_dash(text, head['jmax']['topomp'])}",
                  ["mesh" if is_stencil else "doubles", "bytes", "Cart", "node_cart", "ratio",
                   *(["paper: Cart", "Nodecart", "ratio"] if any(map(in_paper, group)) else [])]]
        lines += [row(point) for point in sorted(group, key=lambda point: point["size"]) if point["ratio"] is not None]
        if has_several:
            lines += closing(group).values()
        lines.append("")
    return lines + [f"{verb}: {line}" for verb, line in closing(points).items()]
