// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/all_gather_operations.hpp>
#include <topomp/algorithm/exchange_operations.hpp>
#include <topomp/algorithm/lane_gather.hpp>
#include <topomp/algorithm/native_blocks.hpp>
#include <topomp/algorithm/node_blocks.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/shared_blocks.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/block_arguments.hpp>
#include <topomp/core/argument_checks.hpp>
#include <topomp/core/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/selection.hpp>

#include <cstddef>
#include <limits>
#include <string_view>

namespace topo::detail {

/// The engines that also go on in the background. @param go `to_the_end` or `in_background`
/// @pre the calling rank's block is in its place
template <class Go>
auto all_gather_by_engine(team& ranks, const blocks& result, const selection& chosen, Go go) {
    switch (chosen.how) {
    case way::tree:
        return go(ranks.pool<all_gather_tree>(), [&](all_gather_tree& op) {
            op.start(ranks, chosen.plan, result.block_of(ranks.rank()), result);
        });
    case way::ring:
        return go(ranks.pool<all_gather_ring>(),
                  [&](all_gather_ring& op) { op.start(ranks, ranks.order(), result); });
    case way::bruck:
        return go(ranks.pool<all_gather_bruck>(),
                  [&](all_gather_bruck& op) { op.start(ranks, ranks.order(), result); });
    case way::recursive_doubling:
        return go(ranks.pool<all_gather_doubling>(),
                  [&](all_gather_doubling& op) { op.start(ranks, result, chosen.radix); });
    default:
        refuse("topo::all_gather");
    }
}

TOPOMP_INLINE std::size_t check_all_gather(std::string_view call, const hierarchy& tree, const message& mine,
                                           const blocks& result) {
    return check_own(tree, [&] {
        require_equal_blocks(call, result);
        require_blocks(call, result, tree);
        const std::size_t bytes = result.count * size_of(result.type);
        if (mine.data != MPI_IN_PLACE) require_own_bytes(call, require_message(call, mine), bytes);
        return bytes;
    });
}

TOPOMP_INLINE void check_all_gather(std::string_view call, const hierarchy& tree, std::size_t elements,
                                    std::size_t result) {
    check_own(tree, [&] { require_same_size(call, true, elements_of_all(call, elements, 1, tree), result); });
}

TOPOMP_INLINE void all_gather(const hierarchy& tree, const blocks& result, const selection& chosen) {
    team& ranks = team::of(tree);
    switch (chosen.how) {
    case way::flat:
        if (!is_countable(bytes_of(result.block_of(0)), ranks.wire()))
            return all_gather(tree, result, {way::ring, {}}); // which all ranks see alike
        return mpi::check(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, result.data,
                                        static_cast<int>(result.count), result.type, ranks.wire()),
                          "MPI_Allgather", "all_gather");
    case way::shared:
        if (shared_blocks node{ranks}; node.works()) return node.all_gather(result);
        if (node_blocks{tree, bytes_of(result.block_of(0))}.all_gather(result)) return;
        return all_gather(tree, result, {way::flat, {}});
    case way::lanes:
        return lane_all_gather(ranks, chosen.plan, result);
    default:
        return all_gather_by_engine(ranks, result, chosen, to_the_end{});
    }
}

} // namespace topo::detail
