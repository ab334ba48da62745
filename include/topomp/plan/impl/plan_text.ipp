// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/plan_reader.hpp>
#include <topomp/plan/detail/policy_tree.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/plan_text.hpp>
#include <topomp/plan/policy.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace topo {

namespace detail {

TOPOMP_INLINE std::string text_of_shape(const any_shape& what) {
    std::string text{what.family->name.empty() ? "own" : what.family->name};
    if (what.family->least_number > 0) {
        if (what.number == 2 && what.family == &k_ary_family)
            text = "binary";
        else if (what.number == 2 && what.family == &k_nomial_family)
            text = "binomial";
        else
            text += '<' + std::to_string(what.number) + '>';
    }
    return what.is_below_single_child ? "below_single_child<" + text + '>' : text;
}

TOPOMP_INLINE std::string text_of_kind(kind which) {
    return "kind::" + std::string{kind_names[static_cast<std::size_t>(which)].enumerator};
}

TOPOMP_INLINE std::string text_of_rules(const tree_plan& what) {
    if (what.rules.size() == 1) return text_of_shape(what.rules.front().shape);
    std::string text = "per_level<";
    for (const level_rule& rule : what.rules)
        text += rule.is_default ? "otherwise<" + text_of_shape(rule.shape) + ">>"
                                : "on<" + text_of_kind(rule.which) + ", " + text_of_shape(rule.shape) + ">, ";
    return text;
}

TOPOMP_INLINE std::string text_of_tree(const tree_plan& what) {
    std::string text;
    if (what.node_aware) {
        text = "node_aware_postal<" + std::to_string(what.node_aware.between_nodes) + ", " +
               std::to_string(what.node_aware.inside_node) +
               (what.node_aware.crosses_nodes ? ", true>" : ">");
    } else if (what.through != node_leader::none) {
        text = "two_levels<" + text_of_shape(what.along()) + ", " + text_of_shape(what.inside()) + '>';
    } else {
        text = text_of_rules(what);
    }
    if (what.segment_bytes > 0) text = "segmented<" + std::to_string(what.segment_bytes) + ", " + text + '>';
    return what.ignores_placement ? "placement_independent<" + text + '>' : text;
}

TOPOMP_INLINE std::string text_of_loop(const loop_plan& what) {
    if (what == plan_of<native>.loop) return "native";
    std::string text = "hierarchical<";
    for (const loop_rule& rule : what.rules) {
        const std::string name{rule.algorithm.name.empty() ? "own" : rule.algorithm.name};
        text += rule.is_default
                    ? "otherwise<" + name + ">>"
                    : (rule.is_within ? "within<" : "on<") + text_of_kind(rule.which) + ", " + name + ">, ";
    }
    return text;
}

/// With the short name, or without numbers at the end, where these are as in an empty plan.
TOPOMP_INLINE std::string text_of_numbers(const plan& what) {
    using enum policy_number::plan_member;
    const algorithm_row& row = row_of(what.uses);
    std::string text, unwritten;
    for (const policy_number& each : row.numbers) {
        if (each.is == none) continue;
        unwritten +=
            (&each == row.numbers.data() ? "<" : ", ") +
            std::to_string(each.is == radix ? static_cast<std::size_t>(what.radix) : what.whole_bytes);
        const bool is_as_empty =
            each.is == radix ? what.radix == plan{}.radix : what.whole_bytes == plan{}.whole_bytes;
        if (!is_as_empty) text.append(std::exchange(unwritten, ""));
    }
    if (text.empty()) return std::string{row.short_name.empty() ? row.name : row.short_name};
    return std::string{row.name}.append(text) + '>';
}

} // namespace detail

TOPOMP_INLINE std::string to_string(const plan& what) {
    using detail::algorithm;
    switch (what.uses) {
    case algorithm::tree:
    case algorithm::split_trees:
        return detail::text_of_tree(what.tree);
    case algorithm::lanes: {
        std::string text = "lanes<" + detail::text_of_shape(what.tree.along()) + ", " +
                           detail::text_of_shape(what.tree.inside()) + '>';
        if (what.tree.segment_bytes > 0)
            text = "segmented<" + std::to_string(what.tree.segment_bytes) + ", " + text + '>';
        return text;
    }
    case algorithm::native_lanes:
        return "lanes<native, native>";
    case algorithm::hierarchical:
        return detail::text_of_loop(what.loop);
    default:
        return detail::text_of_numbers(what);
    }
}

TOPOMP_INLINE plan read_plan(std::string_view call, const std::string& where, std::string_view text) {
    const detail::policy_tree read{call, where, text};
    return detail::plan_reader{call, where}.read(read.root());
}

} // namespace topo
