# SPDX-License-Identifier: BSL-1.0
"""The page with all results, made of the files with their rows."""
from ..tables import markdown
from .figures import factor, read_csv

HEAD = """\
# Results

Do the [papers](index.md#the-papers)' figures and tables come out with topomp? `scripts/reproduce` makes this page, its pictures and the rows beside
them. *Simulated*: SimGrid runs the same programs on [platforms](../benchmarks/platforms) whose files name the sources of their
bandwidths and latencies. *Real*: measured on two cores. None of these figures is from a real cluster.

- Simulations run the code of real machines: inside nodes topomp moves data through shared memory. Copies there (10 GB/s) and
  signals (0.25 us) take simulated time. For topomp and for the MPIs alike a receiver copies at 20 GB/s and pays 0.3 us a
  message, combining goes at 20 GB/s, and all ranks of a node share its memory's bandwidth, which the platform's file states
  ([method](benchmarks_method.md)). SimGrid's MPIs pass messages inside nodes.
- Programs charge their computing at a rate that the script calibrates on this machine: one rank's real time against its
  simulated time.
- Paper 3's table 1 is a survey of what programs call: there is nothing to recompute.
- The papers draw most results without printing numbers. What they print stands in the table and is grey in the pictures.
- A ratio above 1 means that topomp takes less time. *Quick* marks a figure that was computed at the sizes of `--quick`.

```sh
scripts/reproduce --list
scripts/reproduce --quick
scripts/reproduce paper1.11 paper3
```

Finished runs are kept in `results/reproduce` under a key of program, platform and arguments, and are used again.
"""
ROWS_SHOWN = 12


def extremes(factors):
    def listed(values):
        return "\n".join(f"- {factor(value)}: {what} ({name})" for value, what, name in values)

    factors = sorted(set(factors), reverse=True)
    gains, losses = [each for each in factors if each[0] >= 1], [each for each in reversed(factors) if each[0] < 1]
    return (f"## Greatest gains\n\n{listed(gains[:8])}\n\n## Greatest losses\n\n"
            + (f"{listed(losses[:8])}\n" if losses else "None of the finished figures has one.\n"))


def cell(value):
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def table_of(rows):
    keys = list(rows[0])
    return markdown([key.replace("_", " ") for key in keys],
                    "".join("r" if isinstance(rows[0][key], (int, float)) else "l" for key in keys),
                    [[cell(row[key]) for key in keys] for row in rows])


def write(path, folder, figures):
    """Figures without a file are listed as not run."""
    lines, parts, factors = [], [], []
    for figure in figures:
        file = folder / f"{figure.name}.csv"
        if not file.exists():
            lines.append([figure.name, figure.title, "", f"not run: `scripts/reproduce {figure.name}`", figure.kind, ""])
            continue
        rows, about = read_csv(file)
        said = figure.said(rows)
        kind = figure.kind + (f", {about['scale']}" if about["scale"] != "full" and figure.kind != "computed" else "")
        if "missing_runs" in about:
            kind += f", {about['missing_runs']} of its runs missing"
        link = f"[{figure.name}](#{figure.name.replace('.', '')}-{slug(figure.title)})"
        lines.append([link, figure.title, said.paper, said.ours, kind, said.why])
        factors += [(value, what, figure.name) for value, what in said.factors]
        text = f"### {figure.name}: {figure.title}\n\n"
        if figure.draw:
            text += f"![{figure.title}]({folder.name}/{figure.name}.svg)\n\n"
        if not figure.draw or len(rows) <= ROWS_SHOWN:
            text += table_of(rows) + "\n"
        parts.append(text + f"[Rows]({folder.name}/{figure.name}.csv), {kind}, {about['date']}, commit {about['commit']}.\n")
    path.write_text("\n".join([HEAD, extremes(factors), "## All figures and tables\n",
                               markdown(["figure", "what", "paper", "topomp", "how", "where they differ"], "llllll", lines),
                               "## Pictures and tables\n", "\n".join(parts)]), encoding="utf-8")


def slug(title):
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")
