// SPDX-License-Identifier: BSL-1.0
/// @file
/// From the text of a policy to its plan.
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/tree/rule_list.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/policy_tree.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

/// Rules that live as long as the program. Equal rules are one object, because a context caches trees under
/// the address of their rules.
rule_list<level_rule> kept_rules(const std::vector<level_rule>& rules);
rule_list<loop_rule> kept_rules(const std::vector<loop_rule>& rules);

/// A node as it is written in output. @pre what is in angle brackets is not empty
std::string text_of(const policy_node& node);

/// Reads the plan of a policy. Each function is for one kind of node.
class plan_reader {
public:
    plan_reader(std::string_view call, const std::string& where) : call_(call), where_(where) {}

    plan read(const policy_node& node) const;

    struct form;
    static std::span<const form> forms();

private:
    /// A shape, or for a broadcast one for each half of the message.
    struct shapes {
        any_shape first, second;
        bool is_split = false;
    };
    /// The rules of trees, for both halves of a message.
    struct tree_rules {
        std::vector<level_rule> first, second;
        bool is_split = false;

        void add(kind which, bool is_default, const shapes& each);
        /// The plan of one tree, or of two.
        plan finish() const;
    };

    plan per_level(const policy_node& node) const;
    plan segmented(const policy_node& node) const;
    plan placement_independent(const policy_node& node) const;
    plan two_levels(const policy_node& node) const;
    plan node_aware(const policy_node& node) const;
    plan lanes(const policy_node& node) const;
    plan hierarchical(const policy_node& node) const;
    /// Of an algorithm whose policies have numbers.
    plan with_numbers(const policy_node& node, const algorithm_row& row) const;

    shapes read_shapes(const policy_node& node) const;
    any_shape read_shape(const policy_node& node) const;
    kind read_kind(const policy_node& node) const;
    any_level_algorithm read_level_algorithm(const policy_node& node) const;
    int read_number(const policy_node& node, int least) const;
    std::size_t read_bytes(const policy_node& node, std::size_t least) const;
    template <class Number>
    Number read(const policy_node& node, Number least) const;
    /// Refuses another number of arguments.
    void require_arguments(const policy_node& node, std::size_t least, std::size_t most) const;
    [[noreturn]] void refuse(const policy_node& node, const std::string& problem) const;

    std::string_view call_;
    const std::string& where_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/plan/impl/plan_reader.ipp>
#endif
