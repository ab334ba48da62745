// SPDX-License-Identifier: BSL-1.0
/// @file
/// Inside a level: one tree over its members, in segments.
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/fixed_text.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hardware/kind.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace topo {

namespace detail {

void tree_in_level_broadcast(level_members& here, const message& what, int root, const tree_plan& plan);
void tree_in_level_reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root,
                          const tree_plan& plan);
void tree_in_level_all_reduce(level_members& here, const void* input, const message& result, MPI_Op op,
                              const tree_plan& plan);
void tree_in_level_barrier(level_members& here, const tree_plan& plan);

} // namespace detail

/// Among the members of a level along a tree of this shape, as the policy `Shape` does among all ranks; in
/// segments of `SegmentBytes`, as `segmented` does. Operations that do not commute, along shapes that reorder
/// operands: by the MPI's own collective.
/// @tparam SegmentBytes 0: one piece @cost at the first call in a level a duplicate of its communicator
template <shape Shape, std::size_t SegmentBytes = 0>
struct tree_in_level {
    /// From `root`, a number among the members.
    static void broadcast(level_members& here, const message& what, int root) {
        detail::tree_in_level_broadcast(here, what, root, plan);
    }
    /// Combines all operands at `root`, whose own is in `sum`.
    static void reduce(level_members& here, const message& sum, MPI_Op op, int root) {
        detail::tree_in_level_reduce(here, sum.data, sum, op, root, plan);
    }
    /// The same with the operand elsewhere.
    static void reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root) {
        detail::tree_in_level_reduce(here, input, result, op, root, plan);
    }
    /// Combines all operands on all members; a member's own is in `sum`.
    static void all_reduce(level_members& here, const message& sum, MPI_Op op) {
        detail::tree_in_level_all_reduce(here, sum.data, sum, op, plan);
    }
    /// The same with the operand elsewhere.
    static void all_reduce(level_members& here, const void* input, const message& result, MPI_Op op) {
        detail::tree_in_level_all_reduce(here, input, result, op, plan);
    }
    /// Returns when all members have called it.
    static void barrier(level_members& here) { detail::tree_in_level_barrier(here, plan); }

private:
    static constexpr std::array rules{detail::level_rule{kind::cluster, true, any_shape::of<Shape>()}};
    static constexpr detail::tree_plan plan{rules, SegmentBytes};
};

namespace detail {

constexpr fixed_text text_of_tree_in_level(const any_shape& what, std::size_t segment_bytes) {
    if (what.family->name.empty()) return {}; // a shape of the program
    fixed_text text{"tree_in_level<"};
    if (what.is_below_single_child) text = text.with("below_single_child<");
    // By name: to g++ 11 the addresses of two families are no constants that compare.
    const bool is_of_two = what.number == 2 && !what.is_below_single_child;
    if (is_of_two && what.family->name == k_ary_family.name)
        text = text.with("binary");
    else if (is_of_two && what.family->name == k_nomial_family.name)
        text = text.with("binomial");
    else if (text = text.with(what.family->name); what.family->least_number > 0)
        text = text.with("<").with(what.number).with(">");
    if (what.is_below_single_child) text = text.with(">");
    if (segment_bytes > 0) text = text.with(", ").with(segment_bytes);
    return text.with(">");
}
template <class Shape, std::size_t SegmentBytes>
inline constexpr auto kept_text_of_tree_in_level = text_of_tree_in_level(any_shape::of<Shape>(),
                                                                         SegmentBytes);
template <class Shape, std::size_t SegmentBytes>
inline constexpr std::string_view level_algorithm_name<tree_in_level<Shape, SegmentBytes>> =
    kept_text_of_tree_in_level<Shape, SegmentBytes>.view();

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/tree_in_level.ipp>
#endif
