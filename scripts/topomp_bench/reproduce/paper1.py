# SPDX-License-Identifier: BSL-1.0
"""Paper 1 (Goglin, Jeannot, Mansouri, Mercier 2018): hierarchical against flat algorithms, SUMMA, vector processing."""
from .. import plots
from ..platforms import KNOWN
from ..simulation import PLAIN, selector
from . import draw
from .figures import Figure, Said, amount, factor, where
from .runs import NEEDED, OUTPUT, Run, block, cyclic

MACHINES = {"ntw10e5": "NTW10E5", "smp20e7": "SMP20E7", "smp12e5": "SMP12E5"}
IN_TURN = {"ntw10e5": "10:1", "smp20e7": "20", "smp12e5": "12"}  # cyclic, as the program levels has it
ALGORITHMS = {"broadcast": ["linear", "chain", "pipeline", "split_binary", "binary", "binomial"],
              "reduce": ["linear", "chain", "pipeline", "binary", "binomial", "in_order_binary"]}
SIZES = [8, 32, 128, 512, 2048, 8192, 32768, 131072, 524288]
MAPPINGS = {"block": block, "cyclic": cyclic}


# ---- Table 1: the machines.

# nodes, NUMA nodes and sockets of one, cores of a NUMA node, levels
TABLE_1 = {"smp12e5": (1, 12, 12, 8, 3), "smp20e7": (1, 20, 20, 8, 3), "ntw10e5": (10, 4, 2, 6, 4),
           "ntw24e5_switches": (24, 4, 2, 6, 5)}
SWITCHES = [12, 6, 4, 2]  # nodes of each, of NTW24E5 (section 7.4)
SWITCHED = ";_".join(f"switch:1_(node:{nodes}_package:2_numa:2_l2:1_core:6)" for nodes in SWITCHES)


def machines(scale, results):
    """What the platforms and descriptions here have, beside what the paper prints."""
    rows = []
    for name, (nodes, numa, _, cores, levels) in TABLE_1.items():
        if name == "ntw24e5_switches":
            description, hosts, ours = SWITCHED, 24, 5
        else:
            description, hosts = KNOWN[name].machine, KNOWN[name].hosts
            ours = description.count(":")
        slots = 8 if name.startswith("smp") else 24
        rows.append({"machine": name, "paper_cores": nodes * numa * cores, "cores": hosts * slots, "paper_levels": levels,
                     "levels": ours, "simulated_host": "NUMA node" if name.startswith("smp") else "node",
                     "file": f"benchmarks/platforms/{name}.xml"})
    return rows


def said_of_machines(rows):
    alike = sum(row["cores"] == row["paper_cores"] and row["levels"] == row["paper_levels"] for row in rows)
    return Said("4 machines of 96 to 576 cores, 3 to 5 levels", f"{alike} of {len(rows)} with as many cores and levels",
                "Bandwidths and latencies are from data sheets, which each file names; the paper has none. Caches are not "
                "modelled.")


# ---- Figures 5 to 10: six algorithms of broadcast and of reduce.

def parameters(machine):
    platform = KNOWN[machine]
    return Run(f"parameters of {machine}", "benchmarks/measure", ("--machine", platform.machine, "--output", OUTPUT), machine,
               block(platform.hosts, platform.slots), platform.ranks, options=(), cost=8)


def level_runs(machine):
    def runs(scale):
        platform = KNOWN[machine]
        return [Run(f"{machine} {mapping} {size}", "benchmarks/levels",
                    ("--machine", platform.machine, "--place", "core" if mapping == "block" else IN_TURN[machine], "--bytes",
                     size, "--parameters", NEEDED, "--output", OUTPUT), machine,
                    seats(platform.hosts, platform.slots), platform.ranks, options=(), needs=parameters(machine),
                    cost=(platform.ranks / 100) ** 2 * (1 + size / 200000))
                for mapping, seats in MAPPINGS.items()
                for size in scale.of(SIZES, SIZES[::3] + SIZES[-1:], SIZES[:1])]
    return runs


def level_rows(machine, verb):
    def rows(scale, results):
        found = []
        for run in level_runs(machine)(scale):
            by = {(sample["algorithm"], sample["variant"]): sample for sample in results(run) if sample["verb"] == verb}
            for algorithm in ALGORITHMS[verb] if by else []:
                flat, levels, composed = (by[algorithm, variant] for variant in ("flat", "hierarchical", "composed"))
                found.append({"mapping": run.name.split()[1], "algorithm": algorithm, "bytes": flat["bytes"],
                              "flat_us": flat["seconds"] * 1e6, "hierarchical_us": levels["seconds"] * 1e6,
                              "composed_us": composed["seconds"] * 1e6,
                              "factor": flat["seconds"] / levels["seconds"],
                              "factor_composed": flat["seconds"] / composed["seconds"],
                              "predicted": flat["predicted"] / levels["predicted"]})
        return found
    return rows


def draw_levels(title, best):
    def picture(rows, *paths):
        made, axes = plots.figure(1150, 400, 1, 2)
        for axis, mapping in zip(axes, MAPPINGS):
            own = where(rows, mapping=mapping)
            names = list(dict.fromkeys(row["algorithm"] for row in own))
            for key, dashed in (("factor", False), ("predicted", True)):
                for i, name in enumerate(names):
                    style = {"color": plots.COLOURS[i % 6 if i < 4 else i], "marker": "" if dashed else plots.MARKERS[i]}
                    plots.curve(axis, [(row["bytes"], row[key]) for row in own if row["algorithm"] == name],
                                "_predicted" if dashed else name.replace("_", " "), linestyle="--" if dashed else "-",
                                **style, **({"linewidth": 0.8} if dashed else {}))
            plots.size_axis(axis, [row["bytes"] for row in own], "message size, bytes")
            draw.parity(axis)
            draw.paper_level(axis, best, f"paper: at most {best}")
            axis.set_ylim(0, max(best * 1.1, axis.get_ylim()[1]))
            axis.set_ylabel("flat / hierarchical, ratio of times")
            axis.set_title(f"{title}, {mapping} mapping")
            draw.label_lines(axis)
        made.supxlabel("solid: simulated; dashed: predicted by the model", fontsize=9)
        plots.save(made, *paths)
    return picture


def said_of_levels(best, why):
    def said(rows):
        top, low = (choose(rows, key=lambda row: row["factor"]) for choose in (max, min))
        return Said(f"at most {best}",
                    f"at most {factor(top['factor'])} ({top['algorithm'].replace('_', ' ')}, {amount(top['bytes'])}, "
                    f"{top['mapping']}), at least {factor(low['factor'])} ({low['algorithm'].replace('_', ' ')}, "
                    f"{amount(low['bytes'])}, {low['mapping']})", why,
                    [(row["factor"], f"{row['algorithm'].replace('_', ' ')}, level by level against one flat tree, "
                      f"{amount(row['bytes'])}, {row['mapping']} mapping") for row in (top, low)])
    return said


ALIKE = ("As in the paper, linear, chain and pipeline gain most and trees little: their steps grow with the number of ranks, and "
         "levels make them few.")
LESS = ("Counts of messages do not lead to the paper's factor: the flat run must have been slowed by something that a simulation "
        "in which every message costs the same does not have. The order of the algorithms is the paper's.")


# ---- Figures 11 to 13: SUMMA.

# rows and columns of processes as MPI_Dims_create has them, and groups along them
GRIDS = {"ntw10e5": ((16, 15), ["2x3", "4x3", "4x5", "8x5"]), "smp20e7": ((16, 10), ["2x2", "4x2", "4x5", "8x5"]),
         "smp12e5": ((12, 8), ["2x2", "3x2", "3x4", "6x4"])}
BINARY = "--cfg=smpi/bcast:NTSB"  # the binary tree, with which the paper's figures were measured


def summa_runs(machine):
    def runs(scale):
        platform, (dims, groups) = KNOWN[machine], GRIDS[machine]
        steps = scale.of(dims[0] * dims[1], dims[0] * dims[1] // 4, 16)
        sizes = ("--m", 8 * dims[0], "--n", 8 * dims[1], "--k", steps, "--panel", 1, "--grid", f"{dims[0]}x{dims[1]}",
                 "--gflops", scale.rate("summa"))

        def one(mapping, name, program, arguments, options):
            return Run(f"{mapping}|{name}", f"benchmarks/apps/{program}", (*sizes, *arguments), machine,
                       MAPPINGS[mapping](platform.hosts, platform.slots), platform.ranks, options,
                       cost=steps * platform.ranks / 13000)

        for mapping in MAPPINGS:
            place = ("--machine", platform.machine, "--place", "core" if mapping == "block" else "round-robin")
            yield one(mapping, "simple", "summa_mpi", (), (BINARY, PLAIN[0]))
            for each in scale.of(groups, groups[1::2], groups[:1]):
                yield one(mapping, f"{each} groups", "summa_groups", ("--groups", each), (BINARY, PLAIN[0]))
            yield one(mapping, "topological", "summa_topology", place, tuple(PLAIN))
    return runs


def program_rows(runs, keys):
    """A row for each run that ended; its name holds the values of the keys."""
    def rows(scale, results):
        found = []
        for run in runs(scale):
            for sample in results(run)[-1:]:
                found.append({**dict(zip(keys, run.name.split("|"))), "us": sample["seconds"] * 1e6,
                              "computing_us": min(sample["computing_seconds"], sample["seconds"]) * 1e6,
                              "ranks": sample["ranks"], "gflops": float(run.arguments[run.arguments.index("--gflops") + 1])})
        return found
    return rows


def draw_summa(title, gain):
    def picture(rows, *paths):
        made, axes = plots.figure(1100, 330, 1, 2)
        for axis, mapping in zip(axes, MAPPINGS):
            own = where(rows, mapping=mapping)
            if not own:
                continue
            ours = next((row["us"] for row in own if row["variant"] == "topological"), None)
            draw.stacked(axis, [row["variant"] for row in own],
                         {"computing": [row["computing_us"] for row in own],
                          "communication": [row["us"] - row["computing_us"] for row in own]}, "time, us",
                         lambda place, own=own, ours=ours: "" if not ours else f" ({own[place]['us'] / ours:.2f} x)")
            simple = where(own, variant="simple")
            if simple and ours:
                axis.axvline(simple[0]["us"] / gain, color=draw.GREY, linestyle="--", linewidth=1)
                axis.annotate(f" paper: 1/{gain} of simple", xy=(simple[0]["us"] / gain, -0.45), color=draw.GREY, fontsize=8,
                              va="bottom")
            axis.set_title(f"{title}, {mapping} mapping", pad=14)
        draw.key_of_all(made)
        plots.save(made, *paths)
    return picture


def said_of_programs(paper, why, base="simple", ours="topological", what="SUMMA"):
    """The first mapping's gain and the second's, over the base and over the best that was given by hand."""
    def said(rows):
        texts, factors = [], []
        for mapping in MAPPINGS:
            own = where(rows, mapping=mapping)
            mine = [row["us"] for row in own if row["variant"] == ours]
            others = [row for row in own if row["variant"] not in (ours, base)]
            simple = where(own, variant=base)
            if not mine or not simple:
                continue
            text = f"{mapping}: {factor(simple[0]['us'] / mine[0])}"
            factors.append((simple[0]["us"] / mine[0], f"{what}, against {base}, {mapping} mapping"))
            if others:
                best = min(others, key=lambda row: row["us"])
                text += f" (over the best by hand, {best['variant']}: {factor(best['us'] / mine[0])})"
                factors.append((best["us"] / mine[0], f"{what}, against the best by hand, {mapping} mapping"))
            texts.append(text)
        return Said(paper, "; ".join(texts), why, factors)
    return said


SUMMA = ("Messages of 8 doubles. Simple and groups broadcast by the binary tree, as in the paper, topological by topomp's "
         "default. Counts of messages do not lead to the paper's factor. Groups by hand, two trees one after the other, do not "
         "pay here.")


# ---- Figure 14: vectors.

def vector_runs(scale):
    ranks = 576
    for mapping in MAPPINGS:
        hosts = MAPPINGS[mapping](24, 24)
        for elements in scale.of([1 << i for i in range(0, 21, 2)], [16, 1024, 65536], [1]):
            sizes = ("--elements", elements, "--gflops", scale.rate("vectors"))
            cost = 1 + elements * ranks * 4 / 8e7
            memory = elements * 4 * ranks * 4
            for i in scale.of((1, 2, 3, 4), (1, 2, 3, 4), (1,)):
                yield Run(f"{mapping}|H_conf{i}|{elements}", "benchmarks/apps/vectors_by_hand", (*sizes, "--configuration", i),
                          "ntw24e5_switches", hosts, ranks, cost=cost, memory=memory)
            yield Run(f"{mapping}|H_topo|{elements}", "benchmarks/apps/vectors_topology",
                      (*sizes, "--machine", SWITCHED, "--place", "core" if mapping == "block" else "round-robin"),
                      "ntw24e5_switches", hosts, ranks, cost=cost, memory=memory)


def draw_vectors(rows, *paths):
    made, axes = plots.figure(1150, 420, 1, 2)
    for axis, mapping in zip(axes, MAPPINGS):
        own = where(rows, mapping=mapping)
        names = sorted({row["variant"] for row in own})
        draw.lines(axis, {name: sorted((row["elements"], row["us"]) for row in own if row["variant"] == name) for name in names},
                   {"H_topo": {"color": plots.OURS, "marker": "o", "linewidth": 2.2}})
        plots.size_axis(axis, [row["elements"] for row in own], "data size, elements of 4 bytes", True)
        plots.time_axis(axis, "time, us")
        axis.set_title(f"vector processing, NTW24E5, {mapping} mapping")
        draw.label_lines(axis)
    plots.save(made, *paths)


def said_of_vectors(rows):
    texts, factors = [], []
    for mapping in MAPPINGS:
        ratios = []
        for row in where(rows, mapping=mapping, variant="H_topo"):
            others = [each["us"] for each in where(rows, mapping=mapping, elements=row["elements"]) if each is not row]
            if others:
                ratios.append((max(others) / row["us"], min(others) / row["us"], row["elements"]))
        if ratios:
            worst, best = max(ratios), min(ratios, key=lambda each: each[1])
            texts.append(f"{mapping}: up to {factor(worst[0])} over the worst configuration, at least {factor(best[1])} over the "
                         "best")
            factors += [(worst[0], f"vectors, against the worst of four configurations, {mapping} mapping, {worst[2]} elements"),
                        (best[1], f"vectors, against the best of four configurations, {mapping} mapping, {best[2]} elements")]
    return Said("about 10", "; ".join(texts),
                "Not reproduced at short vectors: a message between nodes takes 1.6 to 2.6 us in the simulation against 0.85 us "
                "inside, and messages to one gatherer overlap, so that a gather takes nearly as long wherever its members are. Of "
                "long vectors computing is most of the time, and five levels compute more than two to four. The paper does not "
                "say how ranks lay on the machine.", factors)


FIGURES = [
    Figure("paper1.table1", "The machines of paper 1", "computed", lambda scale: [], machines, said_of_machines),
    *(Figure(f"paper1.{number}", f"{verb}, {MACHINES[machine]}, {KNOWN[machine].ranks} ranks", "simulated", level_runs(machine),
             level_rows(machine, verb), said_of_levels(best, ALIKE if is_alike else LESS),
             draw_levels(f"{verb}, {MACHINES[machine]}", best))
      for number, verb, machine, best, is_alike in (
          (5, "broadcast", "ntw10e5", 21, True), (6, "broadcast", "smp20e7", 11, True), (7, "broadcast", "smp12e5", 22, False),
          (8, "reduce", "ntw10e5", 39, False), (9, "reduce", "smp20e7", 11, True), (10, "reduce", "smp12e5", 8, True))),
    *(Figure(f"paper1.{number}", f"SUMMA, {MACHINES[machine]}, {KNOWN[machine].ranks} ranks, blocks of 8 doubles", "simulated",
             summa_runs(machine), program_rows(summa_runs(machine), ("mapping", "variant")),
             said_of_programs(f"{gain} over simple", SUMMA, what=f"SUMMA on {MACHINES[machine]}"),
             draw_summa(f"SUMMA, {MACHINES[machine]}", gain), ("summa",))
      for number, machine, gain in ((11, "ntw10e5", 12), (12, "smp20e7", 5), (13, "smp12e5", 6))),
    Figure("paper1.14", "Vector processing, NTW24E5, 576 ranks, 5 levels", "simulated", vector_runs,
           program_rows(vector_runs, ("mapping", "variant", "elements")), said_of_vectors, draw_vectors, ("vectors",)),
]
