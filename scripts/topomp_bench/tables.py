# SPDX-License-Identifier: BSL-1.0
"""Tables of results folders, as text."""
import json
import pathlib

from . import samples, tables_halo, tables_hybrid, tables_verbs
from .numbers import plain
from .points import kind_of, points_of


def aligned(lines, width):
    """Lines of cells in columns of one width, the first, which may be wider, at the left; texts as they are."""
    first = max((len(line[0]) for line in lines if not isinstance(line, str)), default=0)
    return "".join((line if isinstance(line, str) else
                    f"{line[0]:<{max(15, first)}}" + "".join(f"{cell:>{width}}" for cell in line[1:])) + "\n" for line in lines)


def table_of(found):
    """The table of samples, as text, and their points."""
    kind, points = kind_of(found), points_of(found)
    module = {"halo": tables_halo, "hybrid": tables_hybrid, "verbs": tables_verbs}[kind]
    return aligned(module.table(points), 9 if kind == "verbs" else 12), points


def make_table(folder):
    """Prints the table of a results folder and leaves it in table.txt, the points in summary.json. Gives the points."""
    text, points = table_of(samples.of_folder(folder))
    folder = pathlib.Path(folder)
    (folder / "summary.json").write_text(json.dumps(plain(points), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "table.txt").write_text(text, encoding="utf-8")
    print(text, end="", flush=True)
    return points


def markdown(heading, alignment, rows):
    """A table of Markdown; alignment has an l or r for each column. A row is a list of cells."""
    marks = {"l": "---", "r": "---:"}
    return "".join(map(markdown_row, (heading, [marks[each] for each in alignment], *rows)))


def markdown_row(cells):
    return "|" + "".join(f" {cell} |" if str(cell) else " |" for cell in cells) + "\n"
