# SPDX-License-Identifier: BSL-1.0
"""The text of include/topomp/decide/detail/tuned_table.hpp, before it is formatted."""
from . import samples
from .numbers import microseconds, rounded, text
from .platforms import KNOWN
from .tables_verbs import VERBS
from .tune_candidates import PLACES, place_of
from .tune_choices import choices, many_nodes

FEW, PARTS, MANY = (KNOWN[name] for name in ("ntw10e5", "smp20e7", "ntw32x16"))


def check(found, path):
    samples.check(found, path, "benchmarks/policies", ("verb", "policy", "platform", "date", "simgrid"),
                  ("bytes", "seconds", "ranks"))


def least_to_most(values, write):
    """The least and the greatest, as they are written; one of them if these are the same."""
    texts = [write(min(values)), write(max(values))]
    return texts[0] if float(texts[0]) == float(texts[1]) else " to ".join(sorted(texts, key=float))


def comment(verb, points):
    if not points:
        return "    // as on fewer nodes"
    sizes = "" if verb == "barrier" else least_to_most([point.bytes for point in points], text) + " bytes: "
    late = least_to_most([point.seconds / point.best for point in points], lambda times: str(rounded((times - 1) * 100)))
    return (f"    // {sizes}{least_to_most([point.seconds for point in points], microseconds)} us, "
            + ("the best" if late == "0" else f"{late} % behind the best"))


def verb_lines(verb, found, elsewhere, many):
    lines = []
    for nodes, rows in zip((0, many_nodes(FEW.hosts, MANY.hosts)), choices(verb, found, elsewhere, many)):
        for row in rows:
            policy = row.policy.replace(",", ", ")
            lines += [comment(verb, row.points),
                      f"    tuned_row{{verb::{verb}, {nodes}, {row.bytes}, {row.each}, &plan_of<{policy}>}},"]
    return lines


def named_as_at(place, candidates, found):
    """Samples in which each policy has the name that it, or its like, has at a place."""
    names = {(other, each.at(other)): each.at(place) for each in candidates for other in PLACES}
    return [{**sample, "policy": names[place_of(KNOWN[sample["platform"]]), sample["policy"]]} for sample in found]


def tables(place, what, candidates, *found):
    """Two arrays: for whatever may be reordered, and reductions for what must keep the order of ranks."""
    name, found = f"tuned_{place}", [named_as_at(place, candidates, each) for each in found]
    ordered = {each.at(place) for each in candidates if each.verb == "reduce" and each.is_ordered}
    lines = [f"/// {what}", f"inline constexpr std::array {name}{{"]
    for verb in VERBS:
        lines += verb_lines(verb, *found)
    in_order = ([sample for sample in each if sample["verb"] == "reduce" and sample["policy"] in ordered]
                for each in found)
    return [*lines, "};", "", "/// The same for what must keep the order of ranks.",
            f"inline constexpr std::array {name}_in_order{{", *verb_lines("reduce", *in_order), "};", ""]


def table_text(found, candidates):
    """found: samples of candidates."""
    few, parts, many = ([sample for sample in found if sample["platform"] == platform.name] for platform in (FEW, PARTS, MANY))
    dates = sorted({sample["date"] for sample in found})
    dates = " to ".join(sorted({dates[0], dates[-1]}))
    simgrid = " and ".join(sorted({sample["simgrid"] for sample in found}))
    lines = f"""\
// SPDX-License-Identifier: BSL-1.0
/// @file
/// What `automatic` chooses where a machine has parts. Written by scripts/tune: do not edit.
///
/// Measured {dates} with SimGrid {simgrid}: {len(found)} points of benchmarks/policies.cpp.
/// Times are those of the slowest rank; then comes how far they are behind the best of the policies that were
/// tried. A message costs its sender and its receiver 0.3 us each, about what scripts/calibrate measures; see
/// benchmarks/platforms/ntw10e5.xml, ntw32x16.xml and smp20e7.xml. Other platforms were not looked at.
#pragma once

#include <topomp/algorithm/shape.hpp>
#include <topomp/decide/detail/tuned_row.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <array>

namespace topo::detail {{
""".splitlines() + [""]
    if few:
        what = f"Where ranks are on several nodes: ntw10e5, 10 nodes of {text(few[0]['ranks'] / FEW.hosts)} ranks"
        what += (f"; from {many_nodes(FEW.hosts, MANY.hosts)} nodes on ntw32x16,\n/// 32 nodes of "
                 f"{text(many[0]['ranks'] / MANY.hosts)} ranks." if many else ".")
        lines += tables(place_of(FEW), what, candidates, few, parts, many)
    if parts:
        lines += tables(place_of(PARTS), "In one machine of parts in parts: smp20e7, 20 NUMA nodes of "
                        f"{text(parts[0]['ranks'] / PARTS.hosts)} ranks.", candidates, parts, few, [])
    return "\n".join(lines) + "\n} // namespace topo::detail\n"
