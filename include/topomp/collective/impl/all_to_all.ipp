// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/all_to_all_bruck.hpp>
#include <topomp/algorithm/rounds/all_to_all_operations.hpp>
#include <topomp/algorithm/rounds/all_to_all_rounds.hpp>
#include <topomp/algorithm/schedule/folded_orders.hpp>
#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

#include <cstddef>
#include <string_view>

namespace topo::detail {

template <way Only>
void all_to_all(const hierarchy& tree, const blocks& source, const blocks& result, const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::all_to_all", {source.data, result.data});
    team& ranks = team::of(tree);
    if constexpr (may_be(Only, way::shared))
        if (chosen.how == way::shared) {
            if (shared_blocks node{ranks}; node.works()) return node.all_to_all(source, result);
            if (node_blocks{tree, bytes_of(result.block_of(0))}.all_to_all(source, result)) return;
            return all_to_all<way::flat>(tree, source, result, {way::flat, {}});
        }
    // Where MPI's int counts do not suffice, which all ranks see alike, blocks travel one by one.
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat && is_countable(bytes_of(result.block_of(0)), ranks.wire()))
            return mpi::check(MPI_Alltoall(source.data, static_cast<int>(source.count), source.type,
                                           result.data, static_cast<int>(result.count), result.type,
                                           ranks.wire()),
                              "MPI_Alltoall", "all_to_all");
    all_to_all_by_engine<Only>(ranks, source, result, chosen, to_the_end{});
}

TOPOMP_INLINE std::size_t check_all_to_all(std::string_view call, const hierarchy& tree, const blocks& source,
                                           const blocks& result) {
    return check_own(tree, [&] {
        require_equal_blocks(call, source);
        require_equal_blocks(call, result);
        require_blocks(call, result, tree);
        const std::size_t bytes = result.count * size_of(result.type);
        if (source.data == MPI_IN_PLACE) return bytes;
        require_blocks(call, source, tree);
        require_own_bytes(call, source.count * size_of(source.type), bytes);
        return bytes;
    });
}

TOPOMP_INLINE std::size_t check_all_to_all(std::string_view call, const hierarchy& tree, std::size_t elements,
                                           std::size_t result) {
    return check_own(tree, [&] {
        const std::size_t each = elements / static_cast<std::size_t>(tree.whole().size());
        require_block_each(call, "elements", elements, each, tree);
        require_same_size(call, true, elements, result);
        return each;
    });
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_to_all = forms_of<verb::all_to_all>([]<way Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, const blocks&, const selection&)>(
        &all_to_all<Only>);
});
#endif

} // namespace topo::detail
