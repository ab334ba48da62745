// SPDX-License-Identifier: BSL-1.0
/// @file
/// One rank's data to all ranks.
#pragma once

#include <topomp/algorithm/exchange_operations.hpp>
#include <topomp/algorithm/lane_calls.hpp>
#include <topomp/algorithm/lane_operations.hpp>
#include <topomp/algorithm/looped_operations.hpp>
#include <topomp/algorithm/native.hpp>
#include <topomp/algorithm/parts.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/core/argument_checks.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/policy/selection.hpp>

#include <cstddef>
#include <string_view>

namespace topo {

namespace detail {

/// What is known of a message from one rank to all. @return its bytes @throws argument_error, in a checked
/// build on all ranks, if there is no such root, or no such message
inline std::size_t check_broadcast(std::string_view call, const hierarchy& tree, const message& what,
                                   int root) {
    return check_own(tree, [&] {
        require_root(call, root, tree.whole());
        return require_message(call, what);
    });
}

/// @pre `check_broadcast`
inline void broadcast(const hierarchy& tree, const message& what, int root, const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::broadcast", {what.data});
    team& ranks = team::of(tree);
    switch (chosen.how) {
    case way::flat:
        return flat_broadcast(ranks.wire(), what, root);
    case way::looped:
        return looped_broadcast(ranks, chosen.loop, what, root);
    case way::tree:
        return run(ranks.pool<broadcast_operation>(),
                   [&](broadcast_operation& op) { op.start(ranks, chosen.plan, what, root); });
    case way::halves:
        return split_broadcast(ranks, chosen.plan, chosen.other_half, what, root);
    case way::lanes:
        return lane_broadcast(ranks, chosen.plan, what, root);
    case way::recursive_doubling:
        return run(ranks.pool<broadcast_exchange>(),
                   [&](broadcast_exchange& op) { op.start(ranks, what, root, chosen.radix); });
    case way::native_lanes:
        return native_lane_broadcast(ranks, what, root);
    default:
        refuse("topo::broadcast");
    }
}

} // namespace detail

/// The root's elements to every rank: after the call all ranks have what the root had.
///
/// The message may have a derived datatype, on each rank another one as long as elements have as many bytes
/// of data everywhere: long messages are cut between elements. @param root a rank of the whole
/// @tparam Policy `automatic`, a shape, `per_level`, `two_levels`, `spreading`, `segmented`, `split_binary`,
/// `double_binary`, `lanes`, `recursive_doubling`, `looped`, `native` or `flat`
/// @collective over the whole, with the same root and type signature
/// @cost of a tree of depth D over p ranks in s segments: D + s - 1 transfers of a segment on the longest
/// path
/// @throws argument_error if there is no such root @see MPI standard, Broadcast; paper 1, section 7.2
template <policy Policy = automatic>
void broadcast(const hierarchy& tree, message what, int root, Policy = {}) {
    const std::size_t bytes = detail::check_broadcast("topo::broadcast", tree, what, root);
    detail::broadcast(
        tree, what, root,
        detail::select<detail::verb::broadcast, Policy>(tree, bytes, true, {.root = root, .data = what}));
}

/// The root's elements to every rank; all ranks must give as many.
template <writable_buffer Elements, policy Policy = automatic>
void broadcast(const hierarchy& tree, Elements&& elements, int root, Policy policy = {}) {
    detail::assert_readable<Elements>();
    broadcast(tree, detail::message_of(elements), root, policy);
}

/// The root's value to every rank.
template <single_value T, policy Policy = automatic>
void broadcast(const hierarchy& tree, T& value, int root, Policy policy = {}) {
    broadcast(tree, detail::message_of_value(value), root, policy);
}

} // namespace topo
