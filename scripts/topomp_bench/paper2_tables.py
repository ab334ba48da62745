# SPDX-License-Identifier: BSL-1.0
"""What scripts/bench-paper2 makes of its samples."""
import dataclasses

from . import samples
from .command import Refused
from .numbers import geomean, microseconds, text
from .samples import grouped
from .tables import markdown, markdown_row

KEYS = ("figure", "platform", "selector", "ranks", "bytes", "flag")
SCHEME = ("paper 2", "topomp", "topomp, buffers", "mpi")
METHODS = ("paper 2, method 1", "paper 2, method 2", "topomp", "topomp, barrier", "mpi")  # of figure 15


@dataclasses.dataclass
class Point:
    figure: str
    platform: str
    selector: str
    ranks: int
    bytes: int
    flag: str  # nanoseconds of a signal
    us: dict  # microseconds, by whom; the MPI's may be missing

    @property
    def is_of_methods(self):
        return self.figure == "15"

    @property
    def paper(self):
        """Of figure 15 the better one of the methods."""
        return min(self.us[name] for name in METHODS[:2]) if self.is_of_methods else self.us["paper 2"]

    def over(self, name, base="topomp"):
        """How many times as long somebody takes, or None."""
        value = self.paper if name == "paper 2" else self.us.get(name)
        return None if value is None else value / self.us[base]


def points_of(found, path):
    samples.check(found, path, "benchmarks/hybrid", ("benchmark", "flag"), ("ranks", "seconds"))
    measured = [sample for sample in found if sample["benchmark"] == "hybrid"]
    samples.check(measured, path, "benchmarks/hybrid", ("figure", "platform", "selector", "by"), ("bytes",))
    samples.check([sample for sample in found if sample["benchmark"] == "hybrid_costs"], path, "benchmarks/hybrid", ("what",), ())
    points = []
    for group in grouped(measured, *KEYS):
        us = {sample["by"]: sample["seconds"] * 1e6 for sample in group}
        if "topomp" not in us:
            continue
        point = Point(*(group[0][key] for key in KEYS), us)
        lacking = [name for name in (METHODS if point.is_of_methods else SCHEME)[:-1] if name not in us]
        if lacking:
            raise Refused(f"{path}: figure {point.figure}, {point.ranks} ranks, {point.bytes} bytes lacks {lacking[0]}")
        points.append(point)
    return points


def dat_text(points):
    """A point a line: figure, platform, selector, ranks, bytes, flag, and microseconds by SCHEME, of figure 15 by METHODS. A
    question mark where the MPI's is not available."""
    lines = []
    for point in points:
        names = METHODS if point.is_of_methods else SCHEME
        lines.append([*(str(getattr(point, key)) for key in KEYS),
                      *("?" if point.us.get(name) is None else text(point.us[name]) for name in names)])
    return "".join(" ".join(line) + "\n" for line in lines)


def of_figure(points, figure, flag="250"):
    return [point for point in points if point.figure == figure and point.flag == flag]


def one(value):
    return f"{value:.1f}"


def two_or(value, missing=""):
    return missing if value is None else f"{value:.2f}"


def table(points):
    rows = []
    for point in sorted((each for each in points if each.flag == "250"),
                        key=lambda each: (each.is_of_methods, each.figure, each.platform, each.selector, each.ranks, each.bytes)):
        us = point.us
        papers = [us[name] for name in METHODS[:2]] if point.is_of_methods else [us["paper 2"]]
        rows.append([point.figure, f"{point.platform}, {point.selector}", point.ranks, point.bytes, one(us["topomp"]),
                     "" if point.is_of_methods else one(us["topomp, buffers"]), ", ".join(map(one, papers)),
                     one(us["mpi"]) if "mpi" in us else "not available", two_or(point.over("paper 2")), two_or(point.over("mpi"))])
    return markdown(["figure", "platform", "ranks", "bytes", "topomp, us", "from buffers", "paper 2", "MPI", "paper 2 / topomp",
                     "MPI / topomp"], "llrrrrrrrr", rows)


def mean_and_worst(values):
    values = [value for value in values if value is not None]
    return f"{geomean(values):.2f}, {min(values):.2f}" if values else ""


def means(points):
    rows = []
    for flag in ("250", "570"):
        for group in grouped(({"figure": point.figure, "point": point} for point in points if point.flag == flag), "figure"):
            own = [each["point"] for each in group]
            bases = ["topomp"] if own[0].is_of_methods else ["topomp", "topomp, buffers"]
            cells = [mean_and_worst(point.over(name, base) for point in own) for base in bases for name in ("paper 2", "mpi")]
            rows.append([own[0].figure, f"{int(flag) / 1000:.2f}", len(own), *cells, *[""] * (4 - len(cells))])
    return markdown(["figure", "a signal takes, us", "points", "over paper 2: mean, worst", "over the MPI: mean, worst",
                     "from buffers, over paper 2: mean, worst", "over the MPI: mean, worst"], "lrrrrrr", rows)


def three(point):
    """Ours, the scheme's and the MPI's."""
    values = (point.us["topomp"], point.us["paper 2"], point.us.get("mpi"))
    return ", ".join("-" if value is None else f"{value:.1f}" if value < 99.95 else f"{value:.0f}" for value in values)


def rows(points):
    """Microseconds, of figures 13 and 14 a number of ranks a line, of figure 12 a platform."""
    lines = []
    for figure in ("13", "14"):
        for group in grouped(({"ranks": point.ranks, "bytes": point.bytes, "point": point}
                              for point in of_figure(points, figure)), "ranks"):
            own = sorted(group, key=lambda each: each["bytes"])
            lines.append([f"{own[0]['ranks']} ranks", *(three(each["point"]) for each in own)])
    for platform in ("fat_tree", "xc40"):
        own = sorted((point for point in of_figure(points, "12") if point.platform == platform), key=lambda point: point.ranks)
        if own:
            lines.append([platform, *(f"{point.ranks}: {three(point)}" for point in own)])
    return "".join(map(markdown_row, lines))


def table2(found):
    """Table 2: the paper's rows, then what was simulated."""
    measured = [["paper, measured: communicators", 64.8, 170.9, 413.7, 1098.7],
                ["paper, measured: window", 188.3, 262.5, 307.1, 311.8],
                ["paper, measured: tables for broadcast", 0.7, 9.2, 95.9, 1462.8],
                ["paper, measured: tables for all_gather", 0.3, 2.9, 7.1, 19.9]]
    costs = [sample for sample in found if sample["benchmark"] == "hybrid_costs" and sample["flag"] == "250"]
    simulated = [[group[0]["what"], *(microseconds(each["seconds"]) for each in sorted(group, key=lambda each: each["ranks"]))]
                 for group in grouped(costs, "what")]
    return markdown(["once, us", "16 ranks", "64", "256", "1024"], "lrrrr", measured + simulated)
