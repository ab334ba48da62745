# SPDX-License-Identifier: BSL-1.0
"""scripts/bench-models: the cost models beside what was measured on real machines."""
import csv
import math
import pathlib
import subprocess
import tempfile

from .command import Failed, ROOT, Refused, build, from_here, help_if_asked, say, setup, stamp
from .numbers import geomean, median
from .tables import markdown

USAGE = "scripts/bench-models [--data FILE] [--results FOLDER] [--program FILE] [--leave-one-out]"
COLUMNS = {"system": str, "nodes": int, "ranks_per_node": int, "mpi": str, "version": str, "verb": str, "bytes": int,
           "algorithm": str, "median_us": float}
RULE = ("for each verb the fewest shapes (nodes x ranks a node) that have all its algorithms and all numbers of ranks a node, "
        "smaller ones first, and of each the smallest size and every third behind it")
LEAST_ALGORITHMS = 4  # of a point at which there is something to choose, the default among them
DEFAULT_MARGIN = 1.25  # what the default took at two sizes says little of a size between them: it may be another algorithm


def read(path):
    """The rows of a data file. Every broken line is refused."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise Refused(f"{path}: {problem}") from None
    found = []
    for number, row in enumerate(rows, 2):
        try:
            own = {name: kind(row[name]) for name, kind in COLUMNS.items()}
            if min(own["nodes"], own["ranks_per_node"], own["bytes"]) < 1 or not 0 < own["median_us"] < math.inf:
                raise ValueError
            if any(not value or value.split() != [value] for value in own.values() if isinstance(value, str)):
                raise ValueError
        except (KeyError, TypeError, ValueError):
            raise Refused(f"{path}, line {number}: wants the columns {' '.join(COLUMNS)}, numbers above 0, words without blanks") from None
        found.append({**own, "shape": (own["nodes"], own["ranks_per_node"]), "seconds": own["median_us"] / 1e6})
    if not found:
        raise Refused(f"{path}: no points")
    return found


def fit_shapes(rows):
    """By verb: the shapes whose points the fit may see."""
    chosen = {}
    for verb in sorted({row["verb"] for row in rows}):
        has = {}
        for row in rows:
            if row["verb"] == verb:
                has.setdefault(row["shape"], {row["shape"][1]}).add(row["algorithm"])
        left = set().union(*has.values())
        while left:
            shape = max(has, key=lambda each: (len(has[each] & left), -each[0] * each[1], each))
            left -= has[shape]
            chosen.setdefault(verb, []).append(shape)
    return chosen


def place(row):
    return row["verb"], row["shape"], row["bytes"]


def fit_places(rows):
    """The points for the fit, by RULE, as (verb, shape, bytes)."""
    places = set()
    for verb, shapes in fit_shapes(rows).items():
        for shape in shapes:
            sizes = sorted({row["bytes"] for row in rows if (row["verb"], row["shape"]) == (verb, shape)})
            places |= {(verb, shape, size) for size in sizes[::3]}
    return places


def predict(program, rows, is_for_fit):
    """The parameters and factors that the program found, as text, and of each row the seconds, None without a model."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as points:
        for row in rows:
            points.write(f"{row['nodes']} {row['ranks_per_node']} {row['verb']} {row['bytes']} {row['algorithm']} "
                         f"{row['seconds']!r} {int(is_for_fit(row))}\n")
        points.flush()
        ended = subprocess.run([program, points.name], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Failed(f"{program} failed: {ended.stderr.strip() or ended.returncode}")
    lines = ended.stdout.splitlines()
    said = [line for line in lines if line.startswith(("parameter ", "factor "))]
    seconds = [None if line == "-" else float(line) for line in lines[len(said):]]
    if len(seconds) != len(rows):
        raise Failed(f"{program} predicted {len(seconds)} of {len(rows)} points")
    return said, seconds


def points_of(rows, seconds):
    """Where there is a choice: by (verb, shape, bytes, MPI) each algorithm's measured and predicted seconds."""
    groups = {}
    for row, predicted in zip(rows, seconds):
        own = groups.setdefault((*place(row), row["mpi"], row["version"]), {})
        own.setdefault(row["algorithm"], ([], predicted))[0].append(row["seconds"])
    return {key: {name: (median(times), predicted) for name, (times, predicted) in own.items()} for key, own in groups.items()}


def default_of(point):
    """The name of what the MPI chose itself, if it is there."""
    return next((name for name in sorted(point) if name.startswith("default")), None)


def is_choice(point):
    return len(point) >= LEAST_ALGORITHMS and default_of(point) and any(predicted for _, predicted in point.values())


def regret(point, name):
    return point[name][0] / min(measured for measured, _ in point.values())


def choice(point):
    """The algorithm that the models take for the quickest."""
    return min((name for name in sorted(point) if point[name][1]), key=lambda name: point[name][1])


def judged(points, but=()):
    """Of each point the regrets of the models' choice and of the default; without those of which the fit saw something."""
    return {key: (regret(point, choice(point)), regret(point, default_of(point)))
            for key, point in points.items() if is_choice(point) and key[:3] not in but}


def summary(regrets):
    """points N regret R worst W default D worst E"""
    if not regrets:
        return "points 0 regret - worst - default - worst -"
    ours, defaults = zip(*regrets)
    return (f"points {len(regrets)} regret {geomean(ours):.3f} worst {max(ours):.2f} "
            f"default {geomean(defaults):.3f} worst {max(defaults):.2f}")


def off(rows, seconds, places):
    """How far predictions are from measurements, by verb, as factors of at least 1; without the points of the fit."""
    found = {}
    for row, predicted in zip(rows, seconds):
        if predicted and place(row) not in places:
            found.setdefault(row["verb"], []).append(max(predicted / row["seconds"], row["seconds"] / predicted))
    return found


def tuned(points, first):
    """The same as `judged` for a tuning file made of every second size: the choice at the sizes between. Of what was
    measured at the next sizes and the models at this one: between two sizes their geometric mean, beyond them the models
    times what was measured over what they said there."""
    families, regrets = {}, {}
    for key in points:
        families.setdefault((key[0], key[1], *key[3:]), []).append(key[2])
    for (verb, shape, *mpi), sizes in families.items():
        known = sorted(sizes)[first::2]
        for size in set(sizes) - set(known):
            point = points[(verb, shape, size, *mpi)]
            if not is_choice(point):
                continue
            times = {}
            for name, (_, predicted) in point.items():
                near = {each: points[(verb, shape, each, *mpi)][name] for each in known
                        if name in points[(verb, shape, each, *mpi)]}
                below, above = max((each for each in near if each < size), default=None), min(
                    (each for each in near if each > size), default=None)
                if below and above:
                    share = math.log(size / below) / math.log(above / below)

                    def between(value, below=below, above=above, share=share, near=near):
                        return value(near[below]) ** (1 - share) * value(near[above]) ** share

                    line = between(lambda cell: cell[0])
                    times[name] = (math.sqrt(line * predicted * between(lambda cell: cell[0] / cell[1])) if predicted
                                   else line * DEFAULT_MARGIN)
                elif predicted and near:
                    measured, said = near[below or above]
                    times[name] = predicted * measured / said
            if times:
                chosen = min(sorted(times), key=times.get)
                regrets[(verb, shape, size, *mpi)] = regret(point, chosen), regret(point, default_of(point))
    return regrets


def verb_table(points, regrets, errors):
    rows = []
    for verb in sorted({key[0] for key in points}):
        own = [pair for key, pair in regrets.items() if key[0] == verb]
        cells = [verb, len(own), f"{median(errors[verb]):.2f}" if verb in errors else ""]
        for side in zip(*own) if own else ((), ()):
            cells += [f"{geomean(side):.3f}", f"{max(side):.2f}"] if side else ["", ""]
        rows.append(cells)
    return markdown(["verb", "points", "median error", "regret", "worst", "regret of the default", "worst"], "lrrrrrr", rows)


def machine(program, system, rows, folder, leave_one_out):
    """Prints one machine's part. Gives what was judged, its points, and every second size's tuned regrets."""
    places = fit_places(rows)
    said, seconds = predict(program, rows, lambda row: place(row) in places)
    points = points_of(rows, seconds)
    regrets = judged(points, places)
    print(f"\n## {system}\n\nFitted to {sum(place(row) in places for row in rows)} of {len(rows)} points: {RULE}:")
    for verb, shapes in fit_shapes(rows).items():
        print(f"  {verb}: {', '.join(f'{nodes} x {ranks}' for nodes, ranks in shapes)}")
    print("\n" + "\n".join(line for line in said if line.startswith("parameter ")) + "\n")
    print(verb_table(points, regrets, off(rows, seconds, places)))
    print(f"{system}, points of which the fit saw nothing: {summary(list(regrets.values()))}")
    print(f"{system}, all points: {summary(list(judged(points).values()))}")
    both = [tuned(points, first) for first in (0, 1)]
    for first, own in zip(("first", "second"), both):
        print(f"{system}, tuned at every other size from the {first}, the sizes between: {summary(list(own.values()))}")
        whole = [own.get(key, (1.0, pair[1])) for key, pair in judged(points).items()]
        print(f"{system}, tuned at every other size from the {first}, all sizes: {summary(whole)}")
    if leave_one_out:
        alone = {}
        for shape in sorted({row["shape"] for row in rows}):
            kept = fit_places([row for row in rows if row["shape"][0] != shape[0]])
            others = points_of(rows, predict(program, rows, lambda row, kept=kept: place(row) in kept)[1])
            alone.update({key: pair for key, pair in judged(others).items() if key[1] == shape})
        print(f"{system}, each number of nodes predicted from the others: {summary(list(alone.values()))}")
        unfitted = judged(points_of(rows, predict(program, rows, lambda row: False)[1]))
        print(f"{system}, predicted for a usual machine, nothing fitted: {summary(list(unfitted.values()))}")
    (folder / f"{system}.parameters").write_text("\n".join(said) + "\n", encoding="utf-8")
    with open(folder / f"{system}.csv", "w", encoding="utf-8") as file:
        file.write("nodes,ranks_per_node,mpi,version,verb,bytes,algorithm,measured_us,predicted_us,fit\n")
        for row, predicted in zip(rows, seconds):
            file.write(f"{row['nodes']},{row['ranks_per_node']},{row['mpi']},{row['version']},{row['verb']},{row['bytes']},"
                       f"{row['algorithm']},{row['median_us']},{'' if predicted is None else f'{predicted * 1e6:.6g}'},"
                       f"{int(place(row) in places)}\n")
    return regrets, rows, seconds


def across(program, parts):
    """Each machine predicted with what was fitted to another."""
    for system, (_, rows, _) in parts.items():
        for other, (_, seen, _) in parts.items():
            if other != system:
                places = fit_places(seen)
                _, seconds = predict(program, seen + rows, lambda row, other=other, places=places:
                                     row["system"] == other and place(row) in places)
                regrets = judged(points_of(rows, seconds[len(seen):]))
                print(f"{system}, predicted with the parameters of {other}: {summary(list(regrets.values()))}")


def pictures(folder, parts):
    """Predicted against measured time, a colour for each verb; and the regrets by verb, beside the default's."""
    from . import plots
    verbs = sorted({row["verb"] for _, rows, _ in parts.values() for row in rows})
    made, axes = plots.figure(1000, 110 + 370 * 2, 2, len(parts))
    for column, (system, (regrets, rows, seconds)) in enumerate(sorted(parts.items())):
        scatter, bars = axes[column], axes[len(parts) + column]
        for i, verb in enumerate(verbs):
            dots = [(row["median_us"], predicted * 1e6) for row, predicted in zip(rows, seconds) if predicted and row["verb"] == verb]
            if dots:
                scatter.plot(*zip(*dots), plots.MARKERS[i % 8], color=plots.COLOURS[i % 8], markersize=3, alpha=0.6, label=verb,
                             linestyle="none")
        ends = [min(row["median_us"] for row in rows), max(row["median_us"] for row in rows)]
        scatter.plot(ends, ends, color="black", linewidth=1)
        scatter.set(xscale="log", yscale="log", title=system, xlabel="measured, us", ylabel="predicted, us")
        scatter.legend(loc="upper left", ncol=2)
        own = [verb for verb in verbs if any(key[0] == verb for key in regrets)]
        for side, (label, colour) in enumerate((("models", plots.OURS), ("the MPI's default", plots.COLOURS[0]))):
            values = [[pair[side] for key, pair in regrets.items() if key[0] == verb] for verb in own]
            at = [i + side * 0.4 - 0.2 for i in range(len(own))]
            bars.bar(at, [geomean(each) - 1 for each in values], 0.38, bottom=1, color=colour, label=f"{label}, mean")
            bars.plot(at, [max(each) for each in values], "_", color=colour, markersize=14, markeredgewidth=2, label=f"{label}, worst")
        bars.set_xticks(range(len(own)), own, rotation=20)
        plots.time_axis(bars, "time of the choice over the best", base=2)
        bars.legend()
    plots.save(made, folder / "models.svg", folder / "models.png")


def main(arguments):
    help_if_asked(arguments)
    given = {"--data": ROOT / "benchmarks/data/real_machines.csv", "--results": None, "--program": None}
    leave_one_out, rest = False, list(arguments)
    while rest:
        name = rest.pop(0)
        if name == "--leave-one-out":
            leave_one_out = True
        elif name in given and rest:
            given[name] = from_here(rest.pop(0))
        else:
            raise Refused(f"usage: {USAGE}")
    rows = read(given["--data"])
    folder = given["--results"] or ROOT / "results/models" / stamp()
    folder.mkdir(parents=True, exist_ok=True)
    program = given["--program"]
    if program is None:
        setup()
        program = build("release", ["benchmark_real_machines"], folder / "build.log") / "benchmarks/models/real_machines"
    parts = {}
    for system in sorted({row["system"] for row in rows}):
        parts[system] = machine(program, system, [row for row in rows if row["system"] == system], folder, leave_one_out)
    if leave_one_out:
        across(program, parts)
    try:
        pictures(folder, parts)
    except Refused as problem:
        say(problem)
    say(f"done: predictions in {folder}")
    print(summary([pair for regrets, _, _ in parts.values() for pair in regrets.values()]))
