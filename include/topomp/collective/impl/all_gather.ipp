// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/lanes/lane_gather.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

#include <cstddef>
#include <limits>
#include <string_view>

namespace topo::detail {

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

template <way Only>
void all_gather(const hierarchy& tree, const blocks& result, const selection& chosen) {
    team& ranks = team::of(tree);
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat) {
            if (!is_countable(bytes_of(result.block_of(0)), ranks.wire()))
                return all_gather<way::ring>(tree, result, {way::ring, {}}); // which all ranks see alike
            return mpi::check(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, result.data,
                                            static_cast<int>(result.count), result.type, ranks.wire()),
                              "MPI_Allgather", "all_gather");
        }
    if constexpr (may_be(Only, way::shared))
        if (chosen.how == way::shared) {
            if (shared_blocks node{ranks}; node.works()) return node.all_gather(result);
            if (node_blocks{tree, bytes_of(result.block_of(0))}.all_gather(result)) return;
            return all_gather<way::flat>(tree, result, {way::flat, {}});
        }
    if constexpr (may_be(Only, way::lanes))
        if (chosen.how == way::lanes) return lane_all_gather(ranks, chosen.plan, result);
    return all_gather_by_engine<Only>(ranks, result, chosen, to_the_end{});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_gather = forms_of<verb::all_gather>([]<way Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, const selection&)>(&all_gather<Only>);
});
#endif

} // namespace topo::detail
