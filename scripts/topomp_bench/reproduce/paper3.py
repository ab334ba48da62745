# SPDX-License-Identifier: BSL-1.0
"""Paper 3 (Gropp 2018): Cartesian communicators that know of nodes."""
import itertools
import math

from .. import plots
from ..numbers import geomean
from ..simulation import PLAIN, selector
from ..tables_halo import TABLE_4, TABLE_5
from . import draw
from .figures import Figure, Said, amount, factor, where
from .runs import OUTPUT, Run, block

WATERS, THETA, DAINT = ("gemini", 16), ("dragonfly", 64), ("dragonfly", 36)  # platform, ranks of a node
# SimGrid's own all_gather sends from every rank to every other: 256 ranks build a grid for minutes.
RULES = (selector("ompi"), *PLAIN)


def rank_mapped(nodes, slots):
    """Ranks such that hardly any neighbour in a grid is on the node, which is what the paper's tool came to."""
    shift = 9 if nodes > 16 else 5
    return tuple(f"node{(rank % nodes + shift * (rank // nodes)) % nodes}" for rank in range(nodes * slots))


# ---- Tables 2 and 3: computed, or asked of the MPIs at hand.

def order_runs(scale):
    yield Run("SimGrid SMPI", "benchmarks/cart_order", ("--output", OUTPUT), "gemini", block(4, 16), 64,
              is_charged=False)
    if scale.name != "smallest":
        yield Run("Open MPI", "benchmarks/cart_order", ("--output", OUTPUT), ranks=8)


def order_rows(scale, results):
    return [{"mpi": sample["mpi"].split(",")[0], "ranks": sample["ranks"], "remapped": sample["remapped"]}
            for run in order_runs(scale) for sample in results(run)[-1:]]


def partner_runs(scale):
    if scale.name != "smallest":
        for dims in ("128x128", "32x32x16"):
            yield Run(dims, "tools/topomp", ("map", "--dims", dims, "--per-node", 16, "--algorithm", "gropp", "--format", "json"))


TABLE_3 = {("Cart", "128x128"): (1, 2, 1.88, 2, 3, 2.12), ("Nodecart", "128x128"): (2, 4, 3, 0, 2, 1),
           ("Cart", "32x32x16"): (1, 2, 1.88, 4, 5, 4.12), ("Nodecart", "32x32x16"): (3, 4, 3.5, 2, 3, 2.5)}


def blocked_partners(dims, per_node):
    """Partners on the node, of ranks in their order on the nodes: the fewest, the most and the mean."""
    strides = [math.prod(dims[i + 1:]) for i in range(len(dims))]
    found = []
    for place in itertools.product(*map(range, dims)):
        rank = sum(x * stride for x, stride in zip(place, strides))
        found.append(sum(0 <= x + step < extent and (rank + step * stride) // per_node == rank // per_node
                         for x, extent, stride in zip(place, dims, strides) for step in (-1, 1)))
    return min(found), max(found), sum(found) / len(found)


def partner_rows(scale, results):
    """As the paper counts: a neighbour beyond the edge of the grid is off the node."""
    rows = []
    for run in partner_runs(scale):
        for sample in results(run)[-1:]:
            mine = [sample["on_node"][key] for key in ("min", "max", "mean")]
            for name, on_node in (("Cart", blocked_partners(sample["dims"], 16)), ("Nodecart", mine)):
                least, most, mean = on_node
                sides = 2 * len(sample["dims"])
                values, paper = (*on_node, sides - most, sides - least, sides - mean), TABLE_3[name, run.name]
                rows.append({"communicator": name, "grid": run.name,
                             **{key: f"{ours:.4g} (paper {theirs})" for key, ours, theirs in zip(
                                 ("on_min", "on_max", "on_mean", "off_min", "off_max", "off_mean"), values, paper)},
                             "alike": sum(abs(ours - theirs) < 0.006 for ours, theirs in zip(values, paper))})
    return rows


def said_of_partners(rows):
    return Said("24 numbers", f"{sum(row['alike'] for row in rows)} of {6 * len(rows)} alike",
                "The paper counts a neighbour beyond the edge of the grid as one off the node, since all its rows add up to 4 or "
                "6; so does this table.")


def said_of_orders(rows):
    return Said("no MPI remaps", "; ".join(f"{row['mpi']}: {row['remapped']} of {row['ranks']} ranks remapped" for row in rows),
                "The paper's systems are not at hand; these two MPIs are.")


# ---- Figures 4 to 9: halos.

def halo(name, system, nodes, arguments, hosts=None, cost=1.0, memory=0):
    """Where ranks are not in their order, the program finds out by itself which host each is on, a tenth of a second each."""
    platform, slots = system
    described = () if hosts else ("--machine", f"node:{nodes}_core:{slots}")
    return Run(name, "benchmarks/halo", (*described, *arguments, "--output", OUTPUT), platform,
               hosts or block(nodes, slots), nodes * slots, RULES, cost=cost, memory=memory)


def halo_runs(system, dimensions, nodes):
    def runs(scale):
        sizes = scale.of([16, 128, 1024, 4096, 8192], [128, 8192], [16])
        for count in nodes(scale):
            ranks = count * system[1]
            yield halo(str(ranks), system, count, ("--verbs", f"halo_{dimensions}d", "--doubles", ",".join(map(str, sizes)),
                                                   "--sweeps", 4), cost=len(sizes) * (ranks / 50) ** 2 / 50,
                       memory=max(sizes) * 8 * ranks * 16)
    return runs


def halo_rows(runs):
    def rows(scale, results):
        found = []
        for run in runs(scale):
            by = {}
            for sample in results(run):
                key = sample["ranks"], sample["size"]
                old = by.setdefault(key, {}).get(sample["by"])
                if old is None or sample["seconds"] < old["seconds"]:
                    by[key][sample["by"]] = sample
            for (ranks, size), both in by.items():
                cart, ours = (both[name]["sent"] / both[name]["seconds"] / 1e6 for name in ("mpi", "topomp"))
                found.append({"ranks": ranks, "grid": both["mpi"]["grid"], "doubles": size, "cart_mb_s": cart,
                              "node_cart_mb_s": ours, "ratio": ours / cart, "cart_on_node": both["mpi"]["on_node"],
                              "node_cart_on_node": both["topomp"]["on_node"]})
        return found
    return rows


def finish_bandwidths(axis, rows, title):
    """Axes and labels, once the curves are drawn."""
    plots.size_axis(axis, [row["doubles"] * 8 for row in rows], "halo, bytes")
    axis.set_ylabel("bandwidth of a process, MB/s")
    axis.set_ylim(bottom=0)
    axis.set_title(title)
    draw.label_lines(axis)


def draw_halo(title):
    def picture(rows, *paths):
        made, (axis,) = plots.figure(700, 400)
        for number, ranks in enumerate(sorted({row["ranks"] for row in rows})):
            own = where(rows, ranks=ranks)
            for key, name, line in (("cart_mb_s", "Cart", "--"), ("node_cart_mb_s", "node_cart", "-")):
                plots.curve(axis, [(row["doubles"] * 8, row[key]) for row in own], f"{name}, {own[0]['grid']}", linestyle=line,
                            color=plots.OURS if name == "node_cart" else plots.COLOURS[0], marker=plots.MARKERS[number],
                            markerfacecolor="none" if number else None)
        finish_bandwidths(axis, rows, title)
        plots.save(made, *paths)
    return picture


def said_of_halo(what, why):
    def said(rows):
        low, high = (choose(rows, key=lambda row: row["ratio"]) for choose in (min, max))
        return Said("higher bandwidth (picture)",
                    f"{factor(low['ratio'])} to {factor(high['ratio'])} times the bandwidth, mean "
                    f"{factor(geomean([row['ratio'] for row in rows]))}", why,
                    [(row["ratio"], f"{what}, halos of {amount(row['doubles'] * 8)}, {row['ranks']} ranks, against "
                      "MPI_Cart_create") for row in (low, high)])
    return said


# ---- Table 4: the stencil.

def stencil_runs(scale):
    nodes = scale.of(64, 4, 4)
    side = {64: 32, 16: 16, 4: 8}[nodes]
    meshes = [side * each for each in scale.of([4, 8, 16, 32, 64, 128, 256], [4, 16, 64], [4])]
    yield halo("stencil", WATERS, nodes, ("--verbs", "stencil", "--mesh", ",".join(map(str, meshes)), "--sweeps", 4),
               cost=nodes * 0.7, memory=max(meshes) ** 2 * 40)


def stencil_rows(scale, results):
    found, by = [], {}
    for sample in results(next(iter(stencil_runs(scale)))):
        by.setdefault(sample["size"], {})[sample["by"]] = sample
    for size, both in sorted(by.items()):
        cart, ours = (both[name]["operations"] / both[name]["seconds"] / 1e9 for name in ("mpi", "topomp"))
        ranks = both["mpi"]["ranks"]
        paper = TABLE_4.get(round(size * (4096 / ranks) ** 0.5))
        found.append({"ranks": ranks, "mesh": size, "cells_of_a_rank": size * size // ranks, "cart_gflops": cart,
                      "node_cart_gflops": ours, "ratio": ours / cart,
                      **{f"paper_{key}": value for key, value in zip(("cart", "nodecart"), paper or (None, None))},
                      "paper_ratio": paper[1] / paper[0] if paper else None})
    return found


def draw_stencil(rows, *paths):
    made, (axis,) = plots.figure(700, 380)
    sizes = [row["cells_of_a_rank"] for row in rows]
    draw.lines(axis, {"node_cart": [(size, row["ratio"]) for size, row in zip(sizes, rows)]},
               {"node_cart": {"color": plots.OURS, "marker": "o"}})
    draw.paper_points(axis, [(size, row["paper_ratio"]) for size, row in zip(sizes, rows)])
    plots.size_axis(axis, sizes, "cells of a rank", True)
    draw.parity(axis)
    axis.set_ylabel("rate on node_cart / on MPI_Cart_create")
    axis.set_title(f"stencil, {rows[0]['ranks']} ranks (paper: 4096)")
    draw.label_lines(axis)
    plots.save(made, *paths)


def said_of_stencil(rows):
    low, high = (choose(rows, key=lambda row: row["ratio"]) for choose in (min, max))
    return Said("3 to 14 % faster",
                f"{(low['ratio'] - 1) * 100:.1f} to {(high['ratio'] - 1) * 100:.1f} % faster ({rows[0]['ranks']} ranks, as many "
                "cells of a rank)", "Computing is charged at 1.5 GFLOP/s a core, the paper's rate on its largest mesh. Short "
                "halos take one latency on either communicator here, and a node may send any number of messages in a second.",
                [(row["ratio"], f"stencil of {row['mesh']} x {row['mesh']}, against MPI_Cart_create") for row in (low, high)])


# ---- Table 5: three placements.

def placement_runs(scale):
    nodes = scale.of(64, 16, 4)
    sizes = scale.of([128, 256, 512, 1024, 2048, 4096, 8192], [128, 1024, 8192], [16])
    for name in ("default", "mapped"):
        hosts = rank_mapped(nodes, 16) if name == "mapped" else None
        yield halo(name, WATERS, nodes, ("--verbs", "halo_3d", "--doubles", ",".join(map(str, sizes)), "--sweeps", 4), hosts,
                   cost=nodes * 3, memory=max(sizes) * 8 * nodes * 16 * 16)


def placement_rows(scale, results):
    by = {}
    for run in placement_runs(scale):
        for row in halo_rows(lambda scale, run=run: [run])(scale, results):
            mine = by.setdefault(row["doubles"], {"ranks": row["ranks"], "doubles": row["doubles"]})
            mine.update({f"{run.name}_world": row["cart_mb_s"], f"{run.name}_nodecart": row["node_cart_mb_s"]})
    columns = [f"{mapping}_{who}" for mapping in ("default", "mapped") for who in ("world", "nodecart")]
    paper = {size: (*PAPER_MAPPED.get(size, (None, None)), *values) for size, values in TABLE_5.items()}
    return [{"ranks": row["ranks"], "doubles": size, **{column: row.get(column) for column in columns},
             **dict(zip(("paper_mapped_world", "paper_mapped_nodecart", "paper_default_world", "paper_default_nodecart"),
                        paper.get(size, (None,) * 4)))} for size, row in sorted(by.items())]


PAPER_MAPPED = {128: (45, 136), 256: (132, 242), 512: (152, 294), 1024: (205, 487), 2048: (193, 486), 4096: (185, 483),
                8192: (179, 471), 16384: (172, 449), 32768: (168, 442), 65536: (148, 378)}
NAMES = {"default_world": "World", "default_nodecart": "nodecart", "mapped_world": "World, rank-mapped",
         "mapped_nodecart": "nodecart, rank-mapped"}


def draw_placements(rows, *paths):
    made, axes = plots.figure(1150, 420, 1, 2)
    for axis, prefix, title in ((axes[0], "", f"3D halo, {rows[0]['ranks']} ranks, simulated"),
                                (axes[1], "paper_", "the paper's table 5, 1024 ranks")):
        for number, (key, name) in enumerate(NAMES.items()):
            plots.curve(axis, [(row["doubles"] * 8, row[prefix + key]) for row in rows], name, marker=plots.MARKERS[number],
                        color=draw.GREY if prefix else [plots.COLOURS[0], plots.OURS][number % 2],
                        linestyle="--" if "mapped" in key else "-")
        finish_bandwidths(axis, rows, title)
    plots.save(made, *paths)


def said_of_placements(rows):
    ratios = {key: [row[f"{key}_nodecart"] / row[f"{key}_world"] for row in rows if row[f"{key}_world"]]
              for key in ("default", "mapped")}
    text = "; ".join(f"{name}: {factor(min(values))} to {factor(max(values))}"
                     for name, values in (("World order", ratios["default"]), ("rank-mapped", ratios["mapped"])) if values)
    return Said("nodecart over World: 1.19 to 1.41 in World order, 1.8 to 3.0 rank-mapped", text,
                "The paper's rank mapping by pat_report left 0.08 partners on the node; ours is one that leaves none. In World "
                "order the links of the simulated torus are the limit, not the nodes: on a fat tree the same exchange gains "
                "1.27. Up to 64 KiB a halo: more does not fit into the memory of one simulation.",
                [(choose(values), f"3D halo, {name}, against World")
                 for name, values in ratios.items() if values for choose in (min, max)])


GEMINI = ("A torus of 64 nodes with 16 ranks each; the gain is that of the fewer partners outside the node, which share what "
          "goes in and out of it.")
ARIES = "A dragonfly of 32 nodes; up to 2048 ranks instead of tens of thousands, as one machine simulates all of them."
HALOS = [(4, 2, WATERS, "Blue Waters", (16, 64), GEMINI), (5, 3, WATERS, "Blue Waters", (16, 64), GEMINI),
         (6, 2, THETA, "Theta", (4, 16), ARIES), (7, 3, THETA, "Theta", (4, 16), ARIES),
         (8, 2, DAINT, "Piz Daint", (4, 16), ARIES), (9, 3, DAINT, "Piz Daint", (4, 16), ARIES)]


def halo_figure(number, dimensions, system, machine, nodes, why):
    runs = halo_runs(system, dimensions, lambda scale: scale.of(list(nodes), [4], [2]))
    title = f"{dimensions}D halo, {machine} ({system[0]}, nodes of {system[1]})"
    return Figure(f"paper3.{number}", title, "simulated", runs, halo_rows(runs), said_of_halo(title, why), draw_halo(title))


FIGURES = [
    Figure("paper3.table2", "Does MPI_Cart_create remap?", "real, and simulated", order_runs, order_rows, said_of_orders),
    Figure("paper3.table3", "Partners on the node and off it", "computed", partner_runs, partner_rows, said_of_partners),
    *(halo_figure(*each) for each in HALOS),
    Figure("paper3.table4", "Stencil on Blue Waters", "simulated", stencil_runs, stencil_rows, said_of_stencil, draw_stencil),
    Figure("paper3.table5", "3D halo by placement", "simulated", placement_runs, placement_rows, said_of_placements,
           draw_placements),
]
