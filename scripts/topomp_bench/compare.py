# SPDX-License-Identifier: BSL-1.0
"""What has changed between two results folders: what got slower first, then what got faster."""
from .numbers import geomean, microseconds, or_dash, text, two

HEADING = ["platform", "verb", "bytes", "old us", "new us", "new/old", "ratio"]


def by_key(points):
    return {tuple(point[key] for key in ("where", "platform", "verb", "bytes")): point
            for point in points if point["ours"] is not None}


def line(point):
    return [point["platform"], point["verb"], text(point["bytes"]), microseconds(point["old"]), microseconds(point["ours"]),
            two(point["change"]), or_dash(two, point["ratio"])]


def compare(old, new, threshold):
    """Lines of the comparison of two lists of points, and how many got slower by more than so many percent."""
    old, new = by_key(old), by_key(new)
    both = [{**point, "old": old[key]["ours"], "change": point["ours"] / old[key]["ours"]}
            for key, point in new.items() if key in old]
    limit = 1 + threshold / 100
    slower = sorted((point for point in both if point["change"] > limit), key=lambda point: -point["change"])
    faster = sorted((point for point in both if point["change"] < 1 / limit), key=lambda point: point["change"])
    lines = []
    for points, what in ((slower, f"slower by more than {text(threshold)} %, the worst first"),
                         (faster, f"faster by more than {text(threshold)} %")):
        if points:
            lines += [what, HEADING, *map(line, points), ""]
    mean = f"  geomean of new/old {two(geomean([point['change'] for point in both]))}" if both else ""
    lines.append(f"slower {len(slower)}  faster {len(faster)}  alike {len(both) - len(slower) - len(faster)}  "
                 f"only old {len(old) - len(both)}  only new {len(new) - len(both)}{mean}")
    return lines, len(slower)


def aligned(lines):
    widths = (9, 14, 14, 9, 9)
    return "".join((each if isinstance(each, str) else f"{each[0]:<12} {each[1]:<15} "
                    + " ".join(f"{cell:>{width}}" for cell, width in zip(each[2:], widths))) + "\n" for each in lines)
