# SPDX-License-Identifier: BSL-1.0
"""The text of include/topomp/decide/detail/tuned_table.hpp."""
import re

from . import samples
from .numbers import microseconds, rounded, text
from .platforms import KNOWN
from .tables_verbs import VERBS
from .tune_choices import choices, many_nodes

FEW, PARTS, MANY = (KNOWN[name] for name in ("ntw10e5", "smp20e7", "ntw32x16"))
KEEPS_ORDER = re.compile("(postal|nomial|linear|chain_chain|chain_linear|ordered)")


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
            lines += [comment(verb, row.points),
                      f"    tuned_row{{verb::{verb}, {nodes}, {row.bytes}, {row.each}, tuned_choice::{row.policy}}},"]
    return lines


def tables(name, what, *found):
    """Two arrays: for whatever may be reordered, and reductions for what must keep the order of ranks."""
    lines = [f"/// {what}", f"inline constexpr std::array {name}{{"]
    for verb in VERBS:
        lines += verb_lines(verb, *found)
    in_order = ([sample for sample in each if sample["verb"] == "reduce" and KEEPS_ORDER.match(sample["policy"])]
                for each in found)
    return [*lines, "};", "", "/// The same for what must keep the order of ranks.",
            f"inline constexpr std::array {name}_in_order{{", *verb_lines("reduce", *in_order), "};", ""]


def table_text(found):
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

#include <topomp/decide/detail/tuned_choice.hpp>
#include <topomp/decide/detail/tuned_row.hpp>
#include <topomp/policy/detail/way.hpp>

#include <array>

namespace topo::detail {{
""".splitlines() + [""]
    if few:
        what = f"Where ranks are on several nodes: ntw10e5, 10 nodes of {text(few[0]['ranks'] / FEW.hosts)} ranks"
        what += (f"; from {many_nodes(FEW.hosts, MANY.hosts)} nodes on ntw32x16,\n/// 32 nodes of "
                 f"{text(many[0]['ranks'] / MANY.hosts)} ranks." if many else ".")
        lines += tables("tuned_between_nodes", what, few, parts, many)
    if parts:
        lines += tables("tuned_inside_machine", "In one machine of parts in parts: smp20e7, 20 NUMA nodes of "
                        f"{text(parts[0]['ranks'] / PARTS.hosts)} ranks.", parts, few, [])
    return "\n".join(lines) + "\n} // namespace topo::detail\n"
