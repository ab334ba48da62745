# SPDX-License-Identifier: BSL-1.0
"""What a figure or table of a paper is here, and how large it is recomputed."""
import csv
import dataclasses
import typing

from ..command import Refused
from ..plots import size_text


@dataclasses.dataclass(frozen=True)
class Scale:
    """How large: 'full', 'quick' (minutes) or 'smallest' (for tests). rates: 10^9 operations a second of a core, by program."""
    name: str
    rates: typing.Mapping[str, float] = dataclasses.field(default_factory=dict)

    def of(self, full, quick, smallest=None):
        return {"full": full, "quick": quick, "smallest": quick if smallest is None else smallest}[self.name]

    def rate(self, program):
        """As calibrated; where nothing was calibrated, the programs' own default."""
        return f"{self.rates.get(program, 2):.3g}"


@dataclasses.dataclass
class Said:
    """A figure's line of the page. factors: how many times as fast topomp is as something else, and what was compared."""
    paper: str
    ours: str
    why: str
    factors: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Figure:
    name: str  # such as paper1.11
    title: str
    kind: str  # simulated, real or computed
    runs: typing.Callable  # (scale) -> runs
    rows: typing.Callable  # (scale, samples of a run by its name) -> list of dicts, all with the same keys; none: nothing there
    said: typing.Callable  # (rows) -> Said
    draw: typing.Optional[typing.Callable] = None  # (rows, *paths); without: a table
    programs: tuple = ()  # whose rates must be calibrated


def write_csv(path, rows, about):
    """Rows under a line that says how they came about."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write("# " + " ".join(f"{key}={value}" for key, value in about.items()) + "\n")
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()})


def number_or_text(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def read_csv(path):
    """Rows, with numbers as numbers and nothing as None, and what the first line says."""
    with open(path, encoding="utf-8", newline="") as file:
        first = file.readline()
        if not first.startswith("# "):
            raise Refused(f"{path}: this was not written by scripts/reproduce")
        about = dict(word.split("=", 1) for word in first[2:].split())
        return [{key: number_or_text(value) for key, value in row.items()} for row in csv.DictReader(file)], about


def where(rows, **wanted):
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def amount(size):
    """Bytes, in words."""
    text = size_text(size)
    return text if text.endswith("B") else f"{text} bytes"


def factor(value):
    """As the page writes it."""
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"
