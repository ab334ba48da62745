# SPDX-License-Identifier: BSL-1.0
"""Paper 2 (Zhou, Gracia, Zhou, Schneider 2020): results once per node, and three programs with them."""
import itertools

from .. import plots
from ..numbers import geomean
from ..simulation import PLAIN, charged_memory, selector
from . import draw
from .figures import Figure, Said, amount, factor, where
from .paper1 import program_rows
from .runs import OUTPUT, Run, block

VULCAN, HAZEL_HEN = ("fat_tree", 16, "ompi"), ("xc40", 24, "mpich")  # platform, ranks of a node, rules of the MPI
FLAGS = [250, 570]  # nanoseconds that a signal takes
SHORT = [8, 32, 128, 512, 2048, 8192]
COLUMNS = {"topomp": "topomp_us", "topomp, buffers": "buffers_us", "topomp, barrier": "barrier_us", "paper 2": "scheme_us",
           "paper 2, method 1": "method_1_us", "paper 2, method 2": "method_2_us", "mpi": "mpi_us"}
LABELS = {"topomp_us": "topomp", "buffers_us": "topomp, from buffers", "barrier_us": "topomp, barrier",
          "scheme_us": "paper 2's scheme", "method_1_us": "method 1", "method_2_us": "method 2", "mpi_us": "MPI"}


def hybrid(system, ranks, verb, sizes, flag, by, more=()):
    platform, slots, rules = system
    hosts = -(-ranks // slots)
    what = ("--show", "costs") if verb == "costs" else ("--verbs", verb, "--bytes", ",".join(map(str, sizes)), "--by", by,
                                                       "--rules", rules)
    return Run(f"{rules}|{ranks}|{flag}|{verb} {by} {sizes}", "benchmarks/hybrid",
               ("--machine", f"node:{hosts}_package:2_core:{slots // 2}", *what, "--output", OUTPUT), platform,
               block(hosts, slots), ranks, (selector(rules), *PLAIN), tuple(charged_memory(flag).items()),
               cost=len(sizes) * (ranks / 16) ** 1.7 / 100 * (3 if by == "mpi" else 1),
               memory=max(sizes) * ranks * (4 if by == "mpi" else 1))


def measured(system, ranks, verb, sizes, flag=250):
    """All in one simulation, or, where these are large, the MPI by itself and each of its sizes by itself."""
    if ranks <= 256:
        return [hybrid(system, ranks, verb, sizes, flag, "both")]
    return [hybrid(system, ranks, verb, sizes, flag, "windows"),
            *(hybrid(system, ranks, verb, [size], flag, "mpi") for size in sizes)]


def cores(scale):
    return scale.of([16, 64, 256, 1024], [16, 64], [16])


def rows_of(runs):
    """A row a point, a column for each of those that were measured."""
    def rows(scale, results):
        points = {}
        for run in runs(scale):
            rules, _, flag, _ = run.name.split("|")
            for sample in results(run):
                key = (run.platform, rules, sample["ranks"], sample["bytes"], int(flag))
                points.setdefault(key, {})[COLUMNS[sample["by"]]] = sample["seconds"] * 1e6
        names = [name for name in COLUMNS.values() if any(name in point for point in points.values())]
        return [{**dict(zip(("platform", "rules", "ranks", "bytes", "flag_ns"), key)),
                 **{name: point.get(name) for name in names}} for key, point in sorted(points.items())]
    return rows


# ---- Table 2: what is paid once.

TABLE_2 = {"paper: communicators": (64.8, 170.9, 413.7, 1098.7), "paper: window": (188.3, 262.5, 307.1, 311.8),
           "paper: tables for broadcast": (0.7, 9.2, 95.9, 1462.8), "paper: tables for all_gather": (0.3, 2.9, 7.1, 19.9)}


def cost_runs(scale):
    return [hybrid(VULCAN, ranks, "costs", [8], 250, "") for ranks in cores(scale)]


def cost_rows(scale, results):
    found = {}
    for run in cost_runs(scale):
        for sample in results(run):
            once = found.setdefault(sample["what"].replace("paper 2:", "its scheme:"), {})
            once[f"ranks_{sample['ranks']}"] = sample["seconds"] * 1e6
    columns = [f"ranks_{ranks}" for ranks in (16, 64, 256, 1024)]
    paper = {name: dict(zip(columns, values)) for name, values in TABLE_2.items()}
    return [{"once_us": name, **{column: values.get(column) for column in columns}}
            for name, values in ({**paper, **found} if found else {}).items()]


def said_of_costs(rows):
    own = [row for row in rows if not row["once_us"].startswith("paper: ")]
    column = [key for key in rows[0] if key != "once_us" and any(row[key] is not None for row in own)][-1]
    ours, theirs = (where(rows, once_us=name)[0][column] for name in ("topomp: hierarchy", "its scheme: communicators"))
    ranks = f"{column[6:]} ranks"
    return Said(f"communicators {where(rows, once_us='paper: communicators')[0][column]} us ({ranks})",
                f"hierarchy {ours:.4g} us, the scheme's two communicators {theirs:.4g} us",
                "topomp makes all levels, and learns where all ranks are, which the scheme takes from the MPI.",
                [(theirs / ours, f"set-up, {ranks}, against the scheme's communicators")])


# ---- Figures 12 to 16.

def gather_runs(scale):
    runs = []
    for ranks in cores(scale):
        runs += measured(VULCAN, ranks, "all_gather", [800])
    for nodes in scale.of([2, 4, 8, 16], [2, 4], [2]):
        runs += measured(HAZEL_HEN, 24 * nodes, "all_gather", [800])
    return runs


def by_cores(verb, sizes):
    def runs(scale):
        found = []
        for ranks in cores(scale):
            found += measured(VULCAN, ranks, verb, scale.of(sizes, sizes[:3], sizes[:1]))
            if ranks <= 256:
                found += measured(VULCAN, ranks, verb, scale.of(sizes[:2], sizes[:2], sizes[:1]), 570)
        return found
    return runs


def method_runs(scale):
    sizes = scale.of([8 << i for i in range(11)], [8 << i for i in range(0, 11, 2)], [8])
    return [run for flag in FLAGS for rules in ("ompi", "mpich")
            for run in measured(("fat_tree", 16, rules), 16, "all_reduce_methods", sizes, flag)]


def gap_runs(scale):
    return [run for ranks in scale.of([64, 256, 1024], [64], [64]) for flag in (FLAGS if ranks <= 256 else FLAGS[:1])
            for run in measured(HAZEL_HEN, ranks, "all_reduce", scale.of(SHORT, SHORT[::2], SHORT[:1]), flag)]


def us_lines(axis, rows, key, label, title):
    names = [name for name in COLUMNS.values() if name in rows[0] and any(row[name] for row in rows)]
    draw.lines(axis, {LABELS[name]: [(row[key], row[name]) for row in rows] for name in names},
               dashed=("topomp, from buffers", "topomp, barrier"))
    plots.size_axis(axis, [row[key] for row in rows], label, key == "ranks")
    plots.time_axis(axis, "time, us")
    axis.set_title(title)
    draw.label_lines(axis)


def draw_panels(title, panel_of, key="bytes", label="message size, bytes", boundary=None):
    """A panel for each of the values of a column."""
    def picture(rows, *paths):
        own = where(rows, flag_ns=250)
        panels = list(dict.fromkeys(row[panel_of] for row in own))
        made, axes = plots.figure(1150, 370 * -(-len(panels) // 2), -(-len(panels) // 2), 2)
        for axis, panel in zip(axes, panels):
            text = f"{panel} ranks" if panel_of == "ranks" else {"ompi": "Open MPI's rules", "mpich": "MPICH's rules"}[panel]
            us_lines(axis, where(own, **{panel_of: panel}), key, label, f"{title}, {text}")
            if boundary:
                axis.axvline(boundary, color=draw.GREY, linestyle="--", linewidth=0.8)
                axis.annotate("paper: method 2 | method 1", xy=(boundary, 0.02), xycoords=("data", "axes fraction"), ha="center",
                              color=draw.GREY, fontsize=8)
        for axis in axes[len(panels):]:
            axis.remove()
        plots.save(made, *paths)
    return picture


def draw_gap(rows, *paths):
    """How much longer than the MPI's all_reduce."""
    made, (axis,) = plots.figure(760, 420)
    own = where(rows, flag_ns=250)
    styles = dict(zip(sorted({row["ranks"] for row in own}), ("-", "--", ":")))
    for ranks, line in styles.items():
        for name, colour, marker in (("topomp_us", plots.OURS, "o"), ("scheme_us", plots.COLOURS[0], "s")):
            plots.curve(axis, [(row["bytes"], (row[name] / row["mpi_us"] - 1) * 100) for row in where(own, ranks=ranks)
                               if row["mpi_us"]], f"{LABELS[name]}, {ranks} ranks", color=colour, marker=marker, linestyle=line)
    plots.size_axis(axis, [row["bytes"] for row in own], "message size, bytes")
    axis.axhline(0, color="#444444", linewidth=0.8)
    axis.annotate("paper: the MPI faster up to 32 bytes", xy=(0.02, 0.97), xycoords="axes fraction", va="top",
                  color=draw.GREY, fontsize=8)
    axis.axvline(64, color=draw.GREY, linestyle="--", linewidth=0.8)
    axis.set_ylabel("longer than the MPI, %")
    axis.set_title("all_reduce beside MPI_Allreduce")
    draw.label_lines(axis)
    plots.save(made, *paths)


def said_of_points(paper, why, what):
    def said(rows):
        factors, texts = [], []
        for flag in sorted({row["flag_ns"] for row in rows}):
            scheme, mpi, buffers = [], [], []
            for row in where(rows, flag_ns=flag):
                theirs = [row[name] for name in ("scheme_us", "method_1_us", "method_2_us") if row.get(name)]
                at = f"{what}, {row['ranks']} ranks, {amount(row['bytes'])}"
                if theirs and row["topomp_us"]:
                    scheme.append((min(theirs) / row["topomp_us"], f"{at}, against paper 2's scheme"))
                if row.get("mpi_us") and row["topomp_us"]:
                    mpi.append((row["mpi_us"] / row["topomp_us"], f"{at}, against the MPI"))
                others = {"paper 2's scheme, which has windows": theirs and min(theirs), "the MPI": row.get("mpi_us")}
                buffers += [(other / row["buffers_us"], f"{at}, from buffers, against {name}")
                            for name, other in others.items() if other and row.get("buffers_us")]
            factors += [choose(values) for values in (scheme, mpi, buffers) if values for choose in (min, max)]
            texts.append(f"signals of {flag / 1000:.2f} us: " + ", ".join(
                f"over {name} {factor(geomean([each for each, _ in values]))} in the mean, at least {factor(min(values)[0])}"
                for name, values in (("the scheme", scheme), ("the MPI", mpi)) if values))
        return Said(paper, "; ".join(texts), why, factors)
    return said


# ---- Figures 17 to 19: programs.

PAPERS_CORE = "20.8"  # GFLOP/s: 8 operations a cycle at 2.6 GHz, the peak of a Sandy Bridge core


def nodes_runs(program, system, nodes, arguments, variants=("mpi", "hybrid"), cores=None, options=()):
    """cores: GFLOP/s by name, beside those of a core here. options: SimGrid's, of those in plain MPI."""
    platform, slots, rules = system

    def runs(scale):
        for count, variant, (core, rate) in itertools.product(nodes(scale), variants,
                                                             {"this machine's": scale.rate(program), **(cores or {})}.items()):
            slots_used = 1 if variant == "openmp" else slots
            ranks = count * slots_used
            own, cost, memory = arguments(scale, count, ranks)
            if variant == "hybrid":
                own += ("--machine", f"node:{count}_package:2_core:{slots // 2}")
            if variant == "openmp":
                own += ("--threads", slots)
            yield Run(f"{variant}|{count}|{core}", f"benchmarks/apps/{program}_{variant}", (*own, "--gflops", rate),
                      platform, block(count, slots_used), ranks,
                      (selector(rules), *(PLAIN if variant == "hybrid" else options)), cost=cost, memory=memory)
    return runs


def of_summa(scale, nodes, ranks):
    size = {1: 1024, 4: 2048, 16: 4096}[nodes]
    return ("--size", size), size ** 3 / 7e9 + ranks / 25, 5 * size * size * 8


def of_poisson(scale, nodes, ranks):
    size = {1: 256, 4: 512, 16: 1024}[nodes]
    iterations = scale.of(200, 50, 5)
    return ("--size", size, "--grid", f"{ranks}x1", "--iterations", iterations, "--tolerance", 0), iterations * ranks / 3000, 0


def of_bpmf(scale, nodes, ranks):
    rows, iterations = scale.of(48000, 12000, 2400), scale.of(20, 20, 2)
    return (("--rows", rows, "--columns", 576, "--density", 0.00367, "--iterations", iterations, "--burn-in", iterations // 2),
            iterations * (rows / 4e5 + ranks * ranks / 4e4), ranks * rows * 10 * 8 * 3)


SUMMA = nodes_runs("summa", VULCAN, lambda scale: scale.of([1, 4, 16], [1, 4], [1]), of_summa,
                   cores={"the paper's": PAPERS_CORE})
POISSON = nodes_runs("poisson", VULCAN, lambda scale: scale.of([1, 4, 16], [1, 4], [1]), of_poisson, ("mpi", "openmp", "hybrid"))
# The broadcast of SimGrid's MPICH rules corrupts memory on 48 ranks. The program broadcasts its data before anything is timed.
BPMF = nodes_runs("bpmf", HAZEL_HEN, lambda scale: scale.of([1, 2, 4, 8], [1, 2], [1]), of_bpmf,
                  options=(PLAIN[1],))


def draw_nodes(title):
    """A panel for each number of nodes and speed of a core."""
    def picture(rows, *paths):
        counts, cores = sorted({row["nodes"] for row in rows}), list(dict.fromkeys(row["core"] for row in rows))
        made, axes = plots.figure(360 * max(2, len(counts)), 240 * len(cores), len(cores), len(counts))
        for axis, (core, count) in zip(axes, itertools.product(cores, counts)):
            own = where(rows, nodes=count, core=core)
            base = where(own, variant="mpi")
            draw.stacked(axis, [{"mpi": "MPI", "openmp": "MPI+OpenMP", "hybrid": "topomp"}[row["variant"]] for row in own],
                         {"computing": [row["computing_us"] / 1000 for row in own],
                          "communication": [(row["us"] - row["computing_us"]) / 1000 for row in own]}, "time, ms",
                         lambda place, own=own, base=base: "" if not base or own[place] is base[0] else
                         f" ({(own[place]['us'] / base[0]['us'] - 1) * 100:+.1f} %)")
            axis.set_title(f"{title}, {plural(count)}" + (f", {core} core" if len(cores) > 1 else ""))
        draw.key_of_all(made)
        plots.save(made, *paths)
    return picture


def plural(nodes):
    return f"{nodes} node{'s' if nodes > 1 else ''}"


def said_of_nodes(paper, gains, what, why):
    """gains: the paper's, in percent, by nodes."""
    def said(rows):
        texts, factors = [], []
        for core, count in sorted({(row["core"], row["nodes"]) for row in rows}):
            mpi, ours = (where(rows, nodes=count, core=core, variant=name) for name in ("mpi", "hybrid"))
            if mpi and ours:
                at = f"{plural(count)}, {mpi[0]['gflops']:.3g} GFLOP/s a core"
                texts.append(f"{(1 - ours[0]['us'] / mpi[0]['us']) * 100:.1f} % ({at}"
                             + (f"; paper {gains[count]} %" if count in gains else "") + ")")
                threads = where(rows, nodes=count, core=core, variant="openmp")
                factors += [(row["us"] / ours[0]["us"], f"{what}, {at}, against {name}")
                            for name, row in [("MPI", mpi[0]), *(("MPI+OpenMP", row) for row in threads)]]
        return Said(paper, "less time: " + ", ".join(texts), why, factors)
    return said


FIGURES = [
    Figure("paper2.table2", "What is paid once", "simulated", cost_runs, cost_rows, said_of_costs),
    Figure("paper2.12", "all_gather of 800 bytes a rank", "simulated", gather_runs, rows_of(gather_runs), said_of_points(
        "faster at all sizes (picture)", "Open MPI's and MPICH's rules choose rings here, which take as many steps as ranks.",
        "all_gather"), draw_panels("all_gather, 800 bytes", "rules", "ranks", "ranks")),
    Figure("paper2.13", "broadcast on Vulcan", "simulated", by_cores("broadcast", [32, 4096, 131072, 524288]),
           rows_of(by_cores("broadcast", [32, 4096, 131072, 524288])), said_of_points(
               "faster but for short messages on 64 cores (picture)",
               "The scheme is slower than the MPI there, too; topomp is not, since it signals instead of a barrier.",
               "broadcast"),
           draw_panels("broadcast", "ranks")),
    Figure("paper2.14", "all_reduce on Vulcan", "simulated", by_cores("all_reduce", [32, 4096, 262144, 1048576]),
           rows_of(by_cores("all_reduce", [32, 4096, 262144, 1048576])), said_of_points(
               "27.2 to 82.5 % less time than the MPI", "Combining takes all of them as long, 20 GB/s.",
               "all_reduce"), draw_panels("all_reduce", "ranks")),
    Figure("paper2.15", "Methods of all_reduce on one node", "simulated", method_runs, rows_of(method_runs), said_of_points(
        "method 2 up to 2 KiB, method 1 above", "topomp needs no choice: it adds by slices from 1 KiB on.",
        "all_reduce on a node"),
        draw_panels("all_reduce, one node", "rules", boundary=2048)),
    Figure("paper2.16", "all_reduce beside Cray's MPI", "simulated", gap_runs, rows_of(gap_runs), said_of_points(
        "slower at 8 and 32 bytes, faster from 128 on",
        "Not slower at 8 and 32 bytes: SimGrid's MPICH rules do not use shared memory, Cray's MPI does.", "all_reduce"),
        draw_gap),
    Figure("paper2.17", "SUMMA on Vulcan, panels of 512 KiB", "simulated", SUMMA,
           program_rows(SUMMA, ("variant", "nodes", "core")),
           said_of_nodes("3, 6 and 10 % less time", {1: "3", 4: "6", 16: "10"}, "SUMMA",
                         "The paper's third variant, MPI+OpenMP, is not built here. The faster a core, the larger the share of "
                         "communication and the gain: so once with a core's calibrated speed, once with the peak of the "
                         "paper's."),
           draw_nodes("SUMMA"), ("summa",)),
    Figure("paper2.18", "Poisson's equation on Vulcan", "simulated", POISSON, program_rows(POISSON, ("variant", "nodes", "core")),
           said_of_nodes("2, 1 and 10 % less time", {1: "2", 4: "1", 16: "10"}, "Poisson",
                         "A fixed number of iterations instead of all until convergence, as each takes as long. The calibrated "
                         "core has all its data in its cache, so that communication weighs more than in the paper. MPI+OpenMP is "
                         "charged as if threads shared the rows perfectly and started at no cost, which the paper's do not."),
           draw_nodes("Poisson"), ("poisson",)),
    Figure("paper2.19", "BPMF on Hazel Hen", "simulated", BPMF, program_rows(BPMF, ("variant", "nodes", "core")),
           said_of_nodes("constantly less, 10.3 % on 32 nodes", {}, "BPMF",
                         "A tenth of ChEMBL's rows and columns, on up to 8 nodes, as all ranks' copies of all vectors are in "
                         "one memory. SimGrid's MPICH rules gather with no regard to nodes, which exaggerates the gain. "
                         "What the first calls set up is part of the time."),
           draw_nodes("BPMF"), ("bpmf",)),
]
