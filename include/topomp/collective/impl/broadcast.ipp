// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/lanes/lane_calls.hpp>
#include <topomp/algorithm/lanes/lane_operations.hpp>
#include <topomp/algorithm/lanes/parts.hpp>
#include <topomp/algorithm/levels/hierarchical_operations.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/policy/detail/selection.hpp>

#include <cstddef>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE std::size_t check_broadcast(std::string_view call, const hierarchy& tree, const message& what,
                                          int root) {
    return check_own(tree, [&] {
        require_root(call, root, tree.whole());
        return require_message(call, what);
    });
}

template <way Only>
void broadcast(const hierarchy& tree, const message& what, int root, const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::broadcast", {what.data});
    team& ranks = team::of(tree);
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat) return flat_broadcast(ranks.wire(), what, root);
    if constexpr (may_be(Only, way::hierarchical))
        if (chosen.how == way::hierarchical) return hierarchical_broadcast(ranks, chosen.loop, what, root);
    if constexpr (may_be(Only, way::tree))
        if (chosen.how == way::tree)
            return run(ranks.pool<broadcast_operation>(),
                       [&](broadcast_operation& op) { op.start(ranks, chosen.plan, what, root); });
    if constexpr (may_be(Only, way::halves))
        if (chosen.how == way::halves)
            return split_broadcast(ranks, chosen.plan, chosen.other_half, what, root);
    if constexpr (may_be(Only, way::lanes))
        if (chosen.how == way::lanes) return lane_broadcast(ranks, chosen.plan, what, root);
    if constexpr (may_be(Only, way::recursive_doubling))
        if (chosen.how == way::recursive_doubling)
            return run(ranks.pool<broadcast_exchange>(),
                       [&](broadcast_exchange& op) { op.start(ranks, what, root, chosen.radix); });
    if constexpr (may_be(Only, way::native_lanes))
        if (chosen.how == way::native_lanes) return native_lane_broadcast(ranks, what, root);
    refuse("topo::broadcast");
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_broadcast = forms_of<verb::broadcast>([]<way Only> {
    return static_cast<void (*)(const hierarchy&, const message&, int, const selection&)>(&broadcast<Only>);
});
#endif

} // namespace topo::detail
