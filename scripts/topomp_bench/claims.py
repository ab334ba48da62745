# SPDX-License-Identifier: BSL-1.0
"""scripts/claims: the plots of docs/benchmarks.md, from the tables of docs/benchmarks_log.md."""
import pathlib
import re

from . import plots
from .command import Failed, ROOT, Refused, help_if_asked, say

PAGE = ROOT / "docs/benchmarks_log.md"
COLLECTIVES = ["simulated", "cluster", "cluster, MPICH", "16 cores, 16 ranks", "16 cores, 4 ranks"]
PATTERNS = {"5": "2D, 5 points", "9": "2D, 9 points", "7": "3D, 7 points", "27": "3D, 27 points", "power": "power law"}


def tables_of(page):
    """The tables under each heading, each a list of rows, each a list of cells without the marks of code."""
    found, heading, is_table = {}, "", False
    for line in page.splitlines():
        if re.match("##+ ", line):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            is_table = False
            continue
        cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        if set("".join(cells)) <= set("-: "):
            continue
        tables = found.setdefault(heading, [])
        if not is_table:
            tables.append([])
        is_table = True
        tables[-1].append(cells)
    return found


def numbers_of(cell):
    """The numbers of a cell, commas between them, without what is in brackets."""
    cell = re.sub(r"\(.*\)", "", cell)
    return [float(number) for number in cell.split(",")] if cell else []


def column(table, name):
    """The cells of a table's column, by the first cells of their rows."""
    place = table[0].index(name)
    return {row[0]: row[place] for row in table[1:]}


def ratios(axis, table, rows, label):
    """A group of bars for each column of a table whose cells are a mean and the least: bars for the means, lines down to the least.

    rows: which of the table, by their first cells.
    """
    columns = table[0][1:]
    known = {row[0]: row[1:] for row in table[1:]}
    missing = [name for name in rows if name not in known]
    if missing:
        raise Failed(f"{PAGE}: there is no row {missing[0]}")
    width = 0.84 / len(rows)
    for number, (name, colour) in enumerate(zip(rows, plots.COLOURS)):
        cells = [numbers_of(cell) for cell in known[name]]
        places = [column - 0.42 + (number + 0.5) * width for column in range(len(columns))]
        there = [(place, cell) for place, cell in zip(places, cells) if cell]
        axis.bar([place for place, _ in there], [cell[0] - 1 for _, cell in there], width * 0.9, bottom=1, color=colour, label=name)
        axis.vlines([place for place, _ in there], [cell[-1] for _, cell in there], [cell[0] for _, cell in there], "#000000", linewidth=1)
    axis.axhline(1, color="#000000", linewidth=0.8)
    axis.set_xticks(range(len(columns)), columns)
    axis.set_xlim(-0.5, len(columns) - 0.5)
    axis.grid(False, axis="x")
    plots.time_axis(axis, label)
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=3)


def collectives(tables, folder):
    made, (axis,) = plots.figure(900, 400)
    ratios(axis, tables["Collectives in all settings"][0], COLLECTIVES, "peer's time / topomp's")
    plots.save(made, folder / "claim_collectives.svg")


def neighbours_table(tables):
    """A row for each collective, a column for each pattern: means over all platforms."""
    everywhere = column(tables["Exchanges with neighbours of any pattern"][0], "all")
    rows = [[f"neighbour_{verb}", *(everywhere[f"{verb}_{pattern}"] for pattern in PATTERNS), everywhere[verb]]
            for verb in ("all_to_all", "all_gather")]
    return [["", *PATTERNS.values(), "all"], *rows]


def neighbours(tables, folder):
    made, (axis,) = plots.figure(760, 380)
    table = neighbours_table(tables)
    ratios(axis, table, [row[0] for row in table[1:]], "peer's time / topomp's")
    plots.save(made, folder / "claim_neighbours.svg")


def overhead(tables, folder):
    """Additional nanoseconds of a call between two ranks, and the limit: 2 % of the MPI's call, or 100 ns."""
    heading, *rows = tables["What a call costs more than the MPI's own"][0]
    first = heading.index("2 ranks: bare, us")  # what is behind it is of two ranks too
    places = range(len(rows))
    made, (axis,) = plots.figure(760, 460)
    for number, policy in enumerate(("flat", "native")):
        cells = [float(row[heading.index(f"{policy}, + ns", first)]) for row in rows]
        axis.barh([place + 0.4 * (number - 0.5) for place in places], cells, 0.36, color=plots.COLOURS[number], label=policy)
    limits = [max(100, 0.02 * 1000 * float(row[first])) for row in rows]
    axis.vlines(limits, [place - 0.45 for place in places], [place + 0.45 for place in places], "#000000", label="limit")
    axis.set_xlabel("additional time of a call between two ranks, ns")
    axis.set_yticks(places, [f"{row[0]}, {plots.size_text(int(row[1]))}" if row[1] != "0" else row[0] for row in rows])
    axis.invert_yaxis()
    axis.grid(False, axis="y")
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=3)
    plots.save(made, folder / "claim_overhead.svg")


def compile_time(tables, folder):
    """User time over Boost.MPI's, a bar for each target."""
    targets = ["header-only", "compiled", "precompiled"]
    times = {}
    for program, target, _, ratio, *_ in tables["Compile time"][0][1:]:
        if target in targets and ratio and "itself" not in program:
            times.setdefault(program, {})[target] = float(ratio)
    made, (axis,) = plots.figure(760, 380)
    for number, target in enumerate(targets):
        axis.barh([place + 0.27 * (number - 1) for place in range(len(times))], [each[target] for each in times.values()], 0.25,
                  color=plots.COLOURS[number], label=target)
    axis.axvline(1, color="#000000", linewidth=0.8)
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_xlabel("user time of the compiler / Boost.MPI's")
    axis.set_yticks(range(len(times)), list(times))
    axis.invert_yaxis()
    axis.grid(False, axis="y")
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncol=3)
    plots.save(made, folder / "claim_compile_time.svg")


def programs(tables, folder):
    """The mean of two runs, plain MPI and the fastest form with topomp, over plain MPI's."""
    names, ours = [], []
    for program, plain, forms, _ in tables["Whole programs on 16 cores"][0][1:]:
        plain_mean = sum(numbers_of(plain)) / 2
        words = forms.replace(",", "").split()
        by_form, form = {}, ""
        for word in words:
            if word[0].isdigit():
                by_form.setdefault(form, []).append(float(word))
            else:
                form = word
        names.append(program)
        ours.append(min(sum(times) / len(times) for times in by_form.values()) / plain_mean)
    made, (axis,) = plots.figure(760, 330)
    axis.barh(range(len(names)), ours, 0.6, color=plots.OURS)
    axis.axvline(1, color="#000000", linewidth=0.8)
    axis.set_xlabel("time with topomp / time in plain MPI")
    axis.set_yticks(range(len(names)), names)
    axis.invert_yaxis()
    axis.grid(False, axis="y")
    plots.save(made, folder / "claim_programs.svg")


def main(arguments):
    help_if_asked(arguments)
    if len(arguments) > 1 or (arguments and (not arguments[0] or arguments[0].startswith("-"))):
        raise Refused("usage: scripts/claims [FOLDER]")
    folder = pathlib.Path(arguments[0]) if arguments else ROOT / "docs/pictures"
    tables = tables_of(PAGE.read_text(encoding="utf-8"))
    for draw in (collectives, neighbours, overhead, compile_time, programs):
        draw(tables, folder)
    say(f"plots in {folder}")
