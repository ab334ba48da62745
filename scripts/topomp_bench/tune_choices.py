# SPDX-License-Identifier: BSL-1.0
"""Which policy `automatic` chooses from how many bytes on: a dynamic programme over the sizes that were measured.

Of all sequences of policies along the sizes, it takes the one that together is least behind the best policy at each size, where
each change of the policy counts as much as 5 % at one size. Between what is as good the other platform decides: what a
policy is behind there counts a hundredth.
"""
import dataclasses
import math

from .numbers import rounded
from .samples import grouped

CHANGE = 0.05
ELSEWHERE = 0.01
SPLITTING = "k_ary_rabenseifner"  # policies that split what they combine begin with it
WHOLE_BYTES = 512  # what is split stays whole up to so many bytes


@dataclasses.dataclass
class Point:
    """What is chosen at a size that was measured."""
    policy: str
    bytes: int
    seconds: float
    best: float  # seconds of the fastest policy
    ranks: int = 0


@dataclasses.dataclass
class Row:
    """What is chosen from so many bytes, and from so many for each rank, on."""
    policy: str
    points: list
    bytes: int = 0
    each: int = 0

    @property
    def key(self):
        return self.policy, self.bytes, self.each


def behind(samples):
    """How far each policy is behind the best at each size, as a logarithm."""
    found = {}
    for group in grouped(samples, "bytes"):
        best = min(sample["seconds"] for sample in group)
        found.update({(sample["bytes"], sample["policy"]): math.log(sample["seconds"] / best) for sample in group})
    return found


def path(samples, elsewhere):
    """The best sequence of policies for samples of one verb, a Point for each size. elsewhere: behind() of the other platform.

    The cheapest path to each policy at a size comes from the cheapest one at the size before; of paths that cost the same the
    first counts.
    """
    paths = []  # (cost, points), a path for each policy at the last size
    for group in grouped(samples, "bytes"):
        size, best = group[0]["bytes"], min(sample["seconds"] for sample in group)
        times = {sample["policy"]: sample["seconds"] for sample in group}
        longer = []
        for policy, seconds in times.items():
            cost, points = min(((cost + (0 if points[-1].policy == policy else CHANGE), points) for cost, points in paths),
                               key=lambda each: each[0], default=(0, []))
            cost = cost + math.log(seconds / best) + ELSEWHERE * elsewhere.get((size, policy), 0)
            longer.append((cost, [*points, Point(policy, size, seconds, best)]))
        paths = longer
    return min(paths, key=lambda each: each[0])[1] if paths else []


def between(low, high):
    """Half way, as factors go, from the last size of one choice to the first of the next."""
    return int(1.5 * low) if high == 2 * low else math.floor(math.sqrt(low * high))


def nearest_round(value):
    """The nearest of 1, 1.5, 2, 3, 4, 6, 8 ..., without its fraction."""
    candidates = [factor * 2.0**power for power in range(40) for factor in (1, 1.5)]
    return math.floor(min(candidates, key=lambda each: abs(math.log(each / value))))


def many_nodes(few, many):
    """From how many nodes on a platform of so many counts, and not one of so few: half way, as factors go."""
    return rounded(math.sqrt(few * many))


def rows(verb, points):
    """A path to rows: a row for each policy that stays the same."""
    found = []
    for point in points:
        if found and found[-1].policy == point.policy:
            found[-1].points.append(point)
            continue
        found.append(Row(point.policy, [point]))
        if len(found) == 1:
            continue
        last = found[-2]
        start = between(last.points[-1].bytes, point.bytes)
        ends_splitting = last.policy.startswith(SPLITTING) and not point.policy.startswith(SPLITTING)
        if verb == "reduce_scatter":
            found[-1].each = start
        # What is worth while depends on how much there is for each rank, if more ranks are a longer way or smaller parts.
        elif "chain" in point.policy or (start > WHOLE_BYTES and ends_splitting):
            found[-1].each = nearest_round(start / point.ranks)
        else:
            found[-1].bytes = start
    return found


def best_path(verb, samples, elsewhere):
    """The path of a verb, each point with the ranks of its platform."""
    def own(all_of_them):
        return [sample for sample in all_of_them if sample["verb"] == verb]

    points = path(own(samples), behind(own(elsewhere)))
    for point in points:
        point.ranks = own(samples)[0]["ranks"]
    return points


def choices(verb, samples, elsewhere, many):
    """Rows for any number of nodes, and for many, if other ones are better there.

    On many nodes only short messages are measured; longer ones go as on few: such a row has no points.
    """
    few_path, many_path = best_path(verb, samples, elsewhere), best_path(verb, many, samples)
    few = rows(verb, few_path)
    if not many_path:
        return few, []
    longest = many_path[-1].bytes
    of_many = rows(verb, many_path + [point for point in few_path if point.bytes > longest])
    if [row.key for row in of_many] == [row.key for row in few]:
        return few, []
    for row in of_many:
        row.points = [point for point in row.points if point.bytes <= longest]
    return few, of_many
