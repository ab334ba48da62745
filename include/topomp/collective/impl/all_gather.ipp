// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/all_gather_by_tree.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE std::size_t check_all_gather(std::string_view call, const hierarchy& levels,
                                           const message& mine, const blocks& result) {
    return check_own(call, levels, [&] {
        require_equal_blocks(call, result);
        require_blocks(call, result, levels);
        const std::size_t bytes = result.count * size_of(result.type);
        if (mine.data != MPI_IN_PLACE) {
            require_own_bytes(call, require_message(call, mine), bytes);
            require_data(call, "mine", mine);
        }
        require_data(call, "blocks", result, levels);
        return bytes;
    });
}

TOPOMP_INLINE void check_all_gather(std::string_view call, const hierarchy& levels, std::size_t elements,
                                    std::size_t result) {
    check_own(call, levels,
              [&] { require_same_size(call, true, elements_of_all(call, elements, 1, levels), result); });
}

template <algorithm Only>
void all_gather(const hierarchy& levels, const blocks& result, const plan& chosen) {
    start_by_plan<Only>(all_gather_call{levels, context::of(levels), result}, chosen, to_the_end{});
}

} // namespace topo::detail
