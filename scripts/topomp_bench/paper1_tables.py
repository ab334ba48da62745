# SPDX-License-Identifier: BSL-1.0
"""What scripts/bench-paper1 makes of its samples: points, the greatest factors, and how far predictions are away."""
import dataclasses

from . import samples
from .command import Refused
from .numbers import lower_median, text
from .samples import grouped
from .tables import markdown

ALGORITHMS = {"broadcast": ["linear", "chain", "pipeline", "split_binary", "binary", "binomial"],
              "reduce": ["linear", "chain", "pipeline", "binary", "binomial", "in_order_binary"]}
FIGURES = {("broadcast", "ntw10e5"): 5, ("broadcast", "smp20e7"): 6, ("broadcast", "smp12e5"): 7,
           ("reduce", "ntw10e5"): 8, ("reduce", "smp20e7"): 9, ("reduce", "smp12e5"): 10}
IN_PAPER = {("broadcast", "ntw10e5"): 21, ("broadcast", "smp20e7"): 11, ("broadcast", "smp12e5"): 22,
            ("reduce", "ntw10e5"): 39, ("reduce", "smp20e7"): 11, ("reduce", "smp12e5"): 8}  # the greatest factor of all
WAYS = ["flat", "hierarchical", "composed"]


@dataclasses.dataclass
class Point:
    platform: str
    placement: str
    verb: str
    algorithm: str
    bytes: int
    seconds: dict  # by way
    predicted: dict

    def factor(self, way, of=None):
        """The time of flat over that of the way."""
        of = of or self.seconds
        return of["flat"] / of[way]


KEYS = ("platform", "placement", "verb", "algorithm", "bytes")


def points_of(found, path):
    """One point for each platform, placement, verb, algorithm and size."""
    samples.check(found, path, "benchmarks/levels", (*KEYS[:-1], "way"), ("bytes", "seconds", "predicted"))
    points = []
    for group in grouped(found, *KEYS):
        by_way = {sample["way"]: sample for sample in group}
        if not set(WAYS) <= set(by_way):
            raise Refused(f"{path}: {', '.join(str(group[0][key]) for key in KEYS)} lacks one of {', '.join(WAYS)}")
        points.append(Point(*(group[0][key] for key in KEYS),
                            *({way: by_way[way][what] for way in WAYS} for what in ("seconds", "predicted"))))
    return points


def dat_text(points):
    """A point a line: what it is of, measured seconds by each way, predicted seconds by each way."""
    return "".join(" ".join([*(str(getattr(point, key)) for key in KEYS),
                             *(text(of[way]) for of in (point.seconds, point.predicted) for way in WAYS)]) + "\n"
                   for point in points)


def greatest_factors(points, platforms):
    """The greatest factor of each algorithm and where, beside the paper's greatest of all."""
    rows = []
    for verb, algorithms in ALGORITHMS.items():
        for platform in platforms:
            for algorithm in algorithms:
                cells = [verb, platform.name, platform.ranks, IN_PAPER[verb, platform.name], algorithm]
                for placement in ("core", "turn"):
                    own = [point for point in points if (point.platform, point.placement, point.verb, point.algorithm)
                           == (platform.name, placement, verb, algorithm)]
                    best = max(own, key=lambda point: point.factor("hierarchical"))
                    cells += [f"{best.factor('hierarchical'):.1f}", best.bytes,
                              f"{max(point.factor('composed') for point in own):.1f}"]
                rows.append(cells)
    return markdown(["verb", "platform", "ranks", "paper", "algorithm", "neighbours: hierarchical", "at bytes", "composed",
                     "in turn: hierarchical", "at bytes", "composed"], "lllrlrrrrrr", rows)


def predictions(points):
    """How far predicted times are from measured ones: of all points the median, and the worst, of the larger over the smaller."""
    rows = []
    for way in WAYS:
        for placement in ("core", "turn"):
            ratios = sorted(max(point.predicted[way] / point.seconds[way], point.seconds[way] / point.predicted[way])
                            for point in points if point.placement == placement)
            if ratios:
                rows.append([way, placement, len(ratios), f"{lower_median(ratios):.2f}",
                             f"{ratios[max(0, int(len(ratios) * 0.9) - 1)]:.2f}", f"{ratios[-1]:.2f}"])
    return markdown(["way", "placement", "points", "median", "9 of 10 within", "worst"], "llrrrr", rows)
