// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/circulant_in_level.hpp>
#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/multi_object.hpp>
#include <topomp/algorithm/rounds_in_lanes.hpp>
#include <topomp/algorithm/rounds_in_level.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/algorithm/tree_in_level.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/plan_reader.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <list>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace topo::detail {

/// The one copy of equal rules, which is never destroyed.
template <class Rule>
rule_list<Rule> only_copy(const std::vector<Rule>& rules) {
    static std::mutex guard;
    static auto& copies = *new std::list<std::vector<Rule>>;
    const std::scoped_lock lock{guard};
    auto found = std::ranges::find(copies, rules);
    if (found == copies.end()) found = copies.insert(found, rules);
    return {found->data(), found->size()};
}

TOPOMP_INLINE rule_list<level_rule> kept_rules(const std::vector<level_rule>& rules) {
    return only_copy(rules);
}
TOPOMP_INLINE rule_list<loop_rule> kept_rules(const std::vector<loop_rule>& rules) {
    return only_copy(rules);
}

TOPOMP_INLINE void plan_reader::tree_rules::add(kind which, bool is_default, const shapes& each) {
    first.push_back({which, is_default, each.first});
    second.push_back({which, is_default, each.second});
    is_split = is_split || each.is_split;
}

TOPOMP_INLINE plan plan_reader::tree_rules::finish() const {
    plan made{is_split ? algorithm::split_trees : algorithm::tree, {kept_rules(first)}};
    if (is_split) made.second_tree.rules = kept_rules(second);
    return made;
}

/// A policy whose parameters are types, and what stands in its angle brackets.
struct plan_reader::form {
    std::string_view name, arguments;
    plan (plan_reader::*read)(const policy_node&) const = nullptr;
};

TOPOMP_INLINE std::span<const plan_reader::form> plan_reader::forms() {
    static constexpr std::array all{
        form{"per_level", "<on<kind, shape>, ..., otherwise<shape>>", &plan_reader::per_level},
        form{"segmented", "<bytes, policy>", &plan_reader::segmented},
        form{"placement_independent", "<shape>", &plan_reader::placement_independent},
        form{"two_levels", "<shape, shape>", &plan_reader::two_levels},
        form{"node_aware_postal", "<between, inside>", &plan_reader::node_aware},
        form{"lanes", "<shape, shape>", &plan_reader::lanes},
        form{"hierarchical", "<on<kind, algorithm>, ..., otherwise<algorithm>>", &plan_reader::hierarchical},
    };
    return all;
}

/// The policies of trees and of `hierarchical` that are single names, and no shapes.
inline constexpr std::array named_plans{
    std::pair<std::string_view, const plan*>{"native", &plan_of<native>},
    std::pair<std::string_view, const plan*>{"split_binary", &plan_of<split_binary>},
    std::pair<std::string_view, const plan*>{"two_tree", &plan_of<two_tree>},
};

inline constexpr std::array named_shapes{
    std::pair<std::string_view, any_shape>{"linear", any_shape::of<linear>()},
    std::pair<std::string_view, any_shape>{"chain", any_shape::of<chain>()},
    std::pair<std::string_view, any_shape>{"binary", any_shape::of<binary>()},
    std::pair<std::string_view, any_shape>{"binomial", any_shape::of<binomial>()},
    std::pair<std::string_view, any_shape>{"in_order_binary", any_shape::of<in_order_binary>()},
};

/// With a number in angle brackets.
inline constexpr std::array shape_families{
    std::pair{&k_ary_family, "<K>"}, std::pair{&k_nomial_family, "<K>"}, std::pair{&postal_family, "<L>"}};

/// The name by which a row is an empty plan of its algorithm; empty: there is none.
constexpr std::string_view name_of_empty_plan(const algorithm_row& row) {
    return has_parameters(row.which) ? row.short_name : row.name;
}

/// The plan of a single name that is no shape; nothing: there is none.
inline std::optional<plan> plan_of_name(std::string_view name) {
    for (const algorithm_row& row : algorithm_rows)
        if (name_of_empty_plan(row) == name) return plan{row.which};
    for (const auto& [each, what] : named_plans)
        if (each == name) return *what;
    return {};
}

TOPOMP_INLINE std::vector<std::string> known_policies() {
    using enum policy_number::plan_member;
    std::vector<std::string> known{"automatic"};
    for (const algorithm_row& row : algorithm_rows)
        if (const auto name = name_of_empty_plan(row); !name.empty()) known.emplace_back(name);
    for (const auto& each : named_plans)
        known.emplace_back(each.first);
    for (const auto& each : named_shapes)
        known.emplace_back(each.first);
    for (const auto& [family, number] : shape_families)
        known.push_back(std::string{family->name} + number);
    known.emplace_back("below_single_child<shape>");
    for (const plan_reader::form& each : plan_reader::forms())
        known.push_back(std::string{each.name}.append(each.arguments));
    for (const algorithm_row& row : algorithm_rows)
        if (has_numbers(row.which)) {
            std::string text{row.name};
            for (const policy_number& each : row.numbers)
                if (each.is != none)
                    text.append(&each == row.numbers.data() ? "<" : ", ")
                        .append(each.is == radix ? "K" : "bytes");
            known.push_back(text + '>');
        }
    return known;
}

TOPOMP_INLINE plan plan_reader::read(const policy_node& node) const {
    if (const auto plain = plan_of_name(node.name)) {
        require_arguments(node, 0, 0);
        return *plain;
    }
    for (const form& each : forms())
        if (each.name == node.name) return (this->*each.read)(node);
    for (const algorithm_row& row : algorithm_rows)
        if (has_numbers(row.which) && row.name == node.name) return with_numbers(node, row);
    tree_rules rules;
    rules.add(kind::cluster, true, read_shapes(node));
    return rules.finish();
}

TOPOMP_INLINE plan plan_reader::per_level(const policy_node& node) const {
    tree_rules rules;
    for (const policy_node& rule : node.arguments) {
        const bool is_last = &rule == &node.arguments.back();
        if (rule.name == "otherwise" && is_last) {
            require_arguments(rule, 1, 1);
            rules.add(kind::cluster, true, read_shapes(rule.arguments[0]));
        } else if (rule.name == "on" && !is_last) {
            require_arguments(rule, 2, 2);
            rules.add(read_kind(rule.arguments[0]), false, read_shapes(rule.arguments[1]));
        } else {
            refuse(rule, is_last ? "the last rule must be otherwise<shape>, for all other levels"
                                 : "a rule must be on<kind, shape>");
        }
    }
    if (node.arguments.empty()) refuse(node, "a rule otherwise<shape> is missing");
    return rules.finish();
}

TOPOMP_INLINE plan plan_reader::segmented(const policy_node& node) const {
    require_arguments(node, 2, 2);
    plan made = read(node.arguments[1]);
    const bool has_segments =
        made.uses == algorithm::tree || made.uses == algorithm::split_trees || made.uses == algorithm::lanes;
    if (!has_segments || made.tree.ignores_placement)
        refuse(node.arguments[1], "only trees and lanes move data in segments");
    made.tree.segment_bytes = read_bytes(node.arguments[0], 1);
    made.second_tree.segment_bytes = made.uses == algorithm::split_trees ? made.tree.segment_bytes : 0;
    return made;
}

TOPOMP_INLINE plan plan_reader::placement_independent(const policy_node& node) const {
    require_arguments(node, 0, 1);
    plan made = node.arguments.empty() ? plan_of<binomial> : read(node.arguments[0]);
    const bool is_shape = made.uses == algorithm::tree && made.tree.rules.size() == 1 &&
                          !made.tree.node_aware && made.tree.through == node_leader::none &&
                          !made.tree.ignores_placement;
    if (!is_shape) refuse(node.arguments[0], "it must be a shape, or segmented<bytes, shape>");
    made.tree.ignores_placement = true;
    return made;
}

TOPOMP_INLINE plan plan_reader::two_levels(const policy_node& node) const {
    require_arguments(node, 1, 2);
    const any_shape inside = node.arguments.size() == 2
                                 ? read_shape(node.arguments[1])
                                 : any_shape::of<below_single_child<in_order_binary>>();
    tree_rules rules;
    rules.add(kind::cluster, false, read_shapes(node.arguments[0]));
    rules.add(kind::cluster, true, {inside, inside});
    plan made = rules.finish();
    made.tree.through = node_leader::first;
    if (rules.is_split) made.second_tree.through = node_leader::in_the_middle;
    return made;
}

TOPOMP_INLINE plan plan_reader::node_aware(const policy_node& node) const {
    require_arguments(node, 2, 3);
    const int inside = read_number(node.arguments[1], 1);
    const int between = read_number(node.arguments[0], inside);
    const bool has_third = node.arguments.size() == 3;
    if (has_third && node.arguments[2].name != "true" && node.arguments[2].name != "false")
        refuse(node.arguments[2], "it must be true or false");
    const std::vector<level_rule> rules{{kind::cluster, true, {&postal_family, inside}}};
    plan made{algorithm::tree, {kept_rules(rules)}};
    made.tree.node_aware = {between, inside, has_third && node.arguments[2].name == "true"};
    return made;
}

TOPOMP_INLINE plan plan_reader::lanes(const policy_node& node) const {
    require_arguments(node, 0, 2);
    const auto is_native = [&](std::size_t i) {
        return i < node.arguments.size() && node.arguments[i].name == "native";
    };
    if (is_native(0) != is_native(1)) refuse(node, "both must be shapes, or both native");
    if (is_native(0)) return plan_of<topo::lanes<native, native>>;
    plan made = plan_of<topo::lanes<>>;
    std::vector<level_rule> rules{made.tree.rules.begin(), made.tree.rules.end()};
    for (std::size_t i = 0; i < node.arguments.size(); ++i)
        rules[i].shape = read_shape(node.arguments[i]);
    made.tree.rules = kept_rules(rules);
    return made;
}

TOPOMP_INLINE plan plan_reader::hierarchical(const policy_node& node) const {
    std::vector<loop_rule> rules;
    for (const policy_node& rule : node.arguments) {
        const bool is_last = &rule == &node.arguments.back();
        if (rule.name == "otherwise" && is_last) {
            require_arguments(rule, 1, 1);
            rules.push_back({kind::cluster, true, false, read_level_algorithm(rule.arguments[0])});
        } else if ((rule.name == "on" || rule.name == "within") && !is_last) {
            require_arguments(rule, 2, 2);
            rules.push_back({read_kind(rule.arguments[0]), false, rule.name == "within",
                             read_level_algorithm(rule.arguments[1])});
        } else {
            refuse(rule, is_last ? "the last rule must be otherwise<algorithm>, for all other levels"
                                 : "a rule must be on<kind, algorithm> or within<kind, algorithm>");
        }
    }
    if (rules.empty()) refuse(node, "a rule otherwise<algorithm> is missing");
    return {algorithm::hierarchical, {}, {kept_rules(rules)}};
}

TOPOMP_INLINE plan plan_reader::with_numbers(const policy_node& node, const algorithm_row& row) const {
    using enum policy_number::plan_member;
    std::size_t least = 0, most = 0;
    for (const policy_number& each : row.numbers) {
        if (each.is != none) ++most;
        if (each.is != none && each.usual == policy_number::must_be_given) least = most;
    }
    require_arguments(node, least, most);
    plan made{row.which};
    for (std::size_t i = 0; i < most; ++i) {
        const policy_number& each = row.numbers[i];
        const bool is_given = i < node.arguments.size();
        const auto least_bytes = static_cast<std::size_t>(each.least);
        if (each.is == radix)
            made.radix = is_given ? read_number(node.arguments[i], each.least) : each.usual;
        else
            made.whole_bytes =
                is_given ? read_bytes(node.arguments[i], least_bytes) : static_cast<std::size_t>(each.usual);
    }
    return made;
}

TOPOMP_INLINE plan_reader::shapes plan_reader::read_shapes(const policy_node& node) const {
    for (const plan* const split : {&plan_of<split_binary>, &plan_of<two_tree>}) {
        const any_shape& first = split->tree.rules.front().shape;
        if (node.name != first.family->name) continue;
        require_arguments(node, 0, 0);
        return {first, split->second_tree.rules.front().shape, true};
    }
    const any_shape one = read_shape(node);
    return {one, one};
}

TOPOMP_INLINE any_shape plan_reader::read_shape(const policy_node& node) const {
    if (node.name == "below_single_child") {
        require_arguments(node, 1, 1);
        any_shape made = read_shape(node.arguments[0]);
        if (made.is_below_single_child) refuse(node.arguments[0], "it has a single child already");
        made.is_below_single_child = true;
        return made;
    }
    for (const auto& [name, made] : named_shapes)
        if (node.name == name) {
            require_arguments(node, 0, 0);
            return made;
        }
    for (const auto& [family, number] : shape_families)
        if (node.name == family->name) {
            require_arguments(node, 1, 1);
            return {family, read_number(node.arguments[0], family->least_number)};
        }
    std::string known;
    for (const std::string& each : known_policies())
        known.append(known.empty() ? "" : ", ").append(each);
    refuse(node, "there is no '" + std::string{node.name} + "'; known are " + known);
}

TOPOMP_INLINE kind plan_reader::read_kind(const policy_node& node) const {
    require_arguments(node, 0, 0);
    std::string known;
    for (const kind_name& each : kind_names) {
        if (each.enumerator == node.name) return each.which;
        known.append(known.empty() ? "" : ", ").append(each.enumerator);
    }
    refuse(node, "there is no kind '" + std::string{node.name} + "'; known are " + known);
}

/// The algorithms inside levels that a text can name.
inline constexpr std::array level_algorithms{
    any_level_algorithm::of<mpi_calls>(),
    any_level_algorithm::of<shared>(),
    any_level_algorithm::of<direct_messages>(),
    any_level_algorithm::of<multi_object>(),
    any_level_algorithm::of<rounds_in_lanes<4>>(),
    any_level_algorithm::of<rounds_in_lanes<16>>(),
    any_level_algorithm::of<rounds_in_lanes<4, 128>>(),
    any_level_algorithm::of<rounds_in_lanes<16, 128>>(),
    any_level_algorithm::of<rounds_in_lanes<4, 2048>>(),
    any_level_algorithm::of<rounds_in_lanes<16, 2048>>(),
    any_level_algorithm::of<rounds_in_level<2>>(),
    any_level_algorithm::of<rounds_in_level<3>>(),
    any_level_algorithm::of<rounds_in_level<4>>(),
    any_level_algorithm::of<rounds_in_level<6>>(),
    any_level_algorithm::of<rounds_in_level<8>>(),
    any_level_algorithm::of<rounds_in_level<16>>(),
    any_level_algorithm::of<circulant_in_level<8192>>(),
    any_level_algorithm::of<circulant_in_level<16384>>(),
    any_level_algorithm::of<circulant_in_level<32768>>(),
    any_level_algorithm::of<circulant_in_level<65536>>(),
    any_level_algorithm::of<circulant_in_level<16384, 8>>(),
    any_level_algorithm::of<tree_in_level<linear>>(),
    any_level_algorithm::of<tree_in_level<binomial>>(),
    any_level_algorithm::of<tree_in_level<postal<4>>>(),
    any_level_algorithm::of<tree_in_level<postal<6>>>(),
    any_level_algorithm::of<tree_in_level<binary, 8192>>(),
    any_level_algorithm::of<tree_in_level<chain, 8192>>(),
    any_level_algorithm::of<tree_in_level<chain, 32768>>(),
};

TOPOMP_INLINE std::string text_of(const policy_node& node) {
    std::string text{node.name};
    for (const policy_node& each : node.arguments)
        text += (&each == node.arguments.data() ? "<" : ", ") + text_of(each);
    return node.has_arguments ? text + '>' : text;
}

TOPOMP_INLINE any_level_algorithm plan_reader::read_level_algorithm(const policy_node& node) const {
    const std::string wanted = text_of(node);
    std::string known;
    for (const any_level_algorithm& each : level_algorithms) {
        if (each.name == wanted) return each;
        known.append(known.empty() ? "" : ", ").append(each.name);
    }
    refuse(node, "there is no algorithm '" + wanted + "' inside levels; known are " + known);
}

template <class Number>
Number plan_reader::read(const policy_node& node, Number least) const {
    require_arguments(node, 0, 0);
    Number value = 0;
    const char* const end = node.name.data() + node.name.size();
    const auto [behind, problem] = std::from_chars(node.name.data(), end, value);
    if (problem != std::errc{} || behind != end || value < least)
        refuse(node, '\'' + std::string{node.name} + "' must be a number from " + std::to_string(least) +
                         (problem == std::errc::result_out_of_range
                              ? " to " + std::to_string(std::numeric_limits<Number>::max())
                              : " on"));
    return value;
}

TOPOMP_INLINE int plan_reader::read_number(const policy_node& node, int least) const {
    return read(node, least);
}

TOPOMP_INLINE std::size_t plan_reader::read_bytes(const policy_node& node, std::size_t least) const {
    return read(node, least);
}

TOPOMP_INLINE void plan_reader::require_arguments(const policy_node& node, std::size_t least,
                                                  std::size_t most) const {
    const std::size_t given = node.arguments.size();
    if (given >= least && given <= most) return;
    std::string wanted = std::to_string(least);
    if (most > least) wanted += " to " + std::to_string(most);
    refuse(node, '\'' + std::string{node.name} + "' takes " + (most == 0 ? "no" : wanted) +
                     (most == 1 ? " argument" : " arguments") + " in angle brackets");
}

TOPOMP_INLINE void plan_reader::refuse(const policy_node& node, const std::string& problem) const {
    throw argument_error(call_, where_, "column " + std::to_string(node.column) + ": " + problem);
}

} // namespace topo::detail
