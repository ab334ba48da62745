# SPDX-License-Identifier: BSL-1.0
"""The table of scripts/bench sim, cluster and local: a line is a list of cells, or a text by itself."""
from .numbers import geomean, microseconds, two
from .samples import grouped

VERBS = ["barrier", "broadcast", "reduce", "all_reduce", "gather", "scatter", "all_gather", "all_to_all", "reduce_scatter"]
SCANS = ["scan", "exclusive_scan"]
# all_to_allv with blocks of lengths drawn uniformly, skewed (long ones from every eighth rank), by a power law, and 90 % empty
IRREGULAR = ["all_to_allv", "all_to_allv_skewed", "all_to_allv_power", "all_to_allv_sparse"]
# all_gatherv with lengths likewise, and with all on one rank of 64
GATHERED = ["all_gatherv", "all_gatherv_skewed", "all_gatherv_power", "all_gatherv_single"]
# Exchanges with neighbours: on stencils of 5 and 9 points in two dimensions and of 7 and 27 in three, and on a power-law graph
NEIGHBOURS = [f"neighbour_{verb}_{graph}" for verb in ("all_to_all", "all_gather") for graph in ("5", "9", "7", "27", "power")]
# The same graphs where receivers do not know the senders: beside lengths that all ranks exchange first, and beside NBX
SPARSE = ["sparse_exchange_27", "sparse_exchange_power"]
SPARSE_NBX = ["sparse_exchange_nbx_27", "sparse_exchange_nbx_power"]
ALL = VERBS + SCANS + IRREGULAR + GATHERED + NEIGHBOURS + SPARSE + SPARSE_NBX
IN_TWO_LEVELS = ["barrier", "broadcast", "reduce", "all_reduce", "gather", "scatter", "all_gather", *IRREGULAR, *GATHERED]  # two_levels.hpp


def ratios(points):
    return [point["ratio"] for point in points if point["ratio"] is not None]


def mean_and_least(values):
    return [two(geomean(values)), two(min(values))] if values else ["-", "-"]


def row(points, sizes):
    """The ratios at these sizes; empty where nothing was measured."""
    at = {point["bytes"]: point["ratio"] for point in reversed(points)}
    return ["" if size not in at else "-" if at[size] is None else two(at[size]) for size in sizes]


def closing(points):
    mean, least = mean_and_least(ratios(points))
    missing = sum(len(point["not_available"]) for point in points)
    text = f"geomean {mean}  min {least}  points {len(ratios(points))}  not available {missing}"
    return f"{text}  regret {regret(points)}  worst {worst_regret(points)}" if regrets(points) else text


def regrets(points):
    """How many times as long ours took as the fastest of its own candidates, at least 1."""
    return [point["regret"] for point in points if point["regret"] is not None]


def regret(points):
    return two(geomean(regrets(points))) if regrets(points) else "-"


def worst_regret(points):
    return two(max(regrets(points))) if regrets(points) else "-"


def losses(points):
    """The points at which ours is slower than the best other, the worst first."""
    lost = sorted((point for point in points if point["ratio"] is not None and point["ratio"] < 0.95), key=lambda p: p["ratio"])
    if not lost:
        return []
    return ["", "slower than the best other", ["verb", "bytes", "ours us", "other us", "ratio", "regret", "other"],
            *([point["verb"], str(point["bytes"]), microseconds(point["ours"]), microseconds(point["others"][point["best"]]),
               two(point["ratio"]), two(point["regret"]) if point["regret"] is not None else "-", f"  {point['best']}"]
              for point in lost)]


def most_reachable(point):
    """How many times as fast as the best other an algorithm is that takes no longer than the bound, or None."""
    if point["bound"] is None or point["ratio"] is None:
        return None
    return point["ratio"] * point["ours"] / point["bound"]


def most(points):
    values = [most_reachable(point) for point in points if most_reachable(point) is not None]
    return two(geomean(values)) if values else "-"


def memcpy(points):
    """The share of memcpy's speed that is reached where there is much to copy."""
    shares = [point["copies"] / point["ours"] for point in points
              if point["copies"] is not None and point["ours"] is not None and point["bytes"] >= 32768]
    return two(geomean(shares)) if shares else "-"


def bound_by_physics(points):
    bound = [point for point in points if most_reachable(point) is not None and most_reachable(point) < 1.5]
    if not bound:
        return []
    return ["", "bound by physics: no algorithm is 1.5 times as fast as the best other",
            ["verb", "bytes", "bound us", "ours", "best"],
            *([point["verb"], str(point["bytes"]), microseconds(point["bound"]), two(point["ours"] / point["bound"]),
               two(most_reachable(point))] for point in bound)]


def by_verb(points):
    groups = ([point for point in points if point["verb"] == verb] for verb in ALL)
    return [group for group in groups if group]


def table(points):
    platforms = grouped(points, "platform")
    sizes = sorted({point["bytes"] for point in points})
    lines = []
    for group in platforms:
        extra = {name: column for name, key, column in (("most", "bound", most), ("memcpy", "copies", memcpy),
                                                    ("regret", "regret", regret), ("worst", "regret", worst_regret))
                 if any(point[key] is not None for point in group)}
        lines += [f"{group[0]['platform']}: the best other's time over ours, by bytes",
                  ["verb", *map(str, sizes), "geomean", "min", *extra]]
        lines += [[verb[0]["verb"], *row(verb, sizes), *mean_and_least(ratios(verb)),
                   *(column(verb) for column in extra.values())] for verb in by_verb(group)]
        lines += losses([point for verb in by_verb(group) for point in verb])
        lines += bound_by_physics([point for verb in by_verb(group) for point in verb])
        if len(platforms) > 1:
            lines.append(closing(group))
        lines.append("")
    if len(platforms) > 1:
        lines += ["all platforms", ["verb", "geomean", "min", "points"]]
        lines += [[verb[0]["verb"], *mean_and_least(ratios(verb)), str(len(ratios(verb)))] for verb in by_verb(points)]
    stopped = [f"{point['platform']} {point['verb']} {point['bytes']}" for point in points if point["stopped"]]
    if stopped:
        lines.append(f"topomp stopped at: {', '.join(stopped)}")
    return [*lines, closing(points)]
