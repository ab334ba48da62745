// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/node_aggregated.hpp>
#include <topomp/collective/engines/of_all_to_all.hpp>
#include <topomp/collective/engines/shared_all_to_all.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <string_view>

namespace topo::detail {

template <algorithm Only>
void all_to_all(const hierarchy& levels, const blocks& source, const blocks& result, const plan& chosen) {
    if (chosen.uses != algorithm::flat)
        check_host_memory(levels, "topo::all_to_all", {source.data, result.data});
    start_by_plan<Only>(all_to_all_call{levels, context::of(levels), source, result}, chosen, to_the_end{});
}

TOPOMP_INLINE std::size_t check_all_to_all(std::string_view call, const hierarchy& levels,
                                           const blocks& source, const blocks& result) {
    return check_own(call, levels, [&] {
        require_equal_blocks(call, source);
        require_equal_blocks(call, result);
        require_blocks(call, result, levels);
        require_data(call, "result", result, levels);
        const std::size_t bytes = result.count * size_of(result.type);
        if (source.data == MPI_IN_PLACE) return bytes;
        require_blocks(call, source, levels);
        require_data(call, "source", source, levels);
        require_own_bytes(call, source.count * size_of(source.type), bytes);
        return bytes;
    });
}

TOPOMP_INLINE std::size_t check_all_to_all(std::string_view call, const hierarchy& levels,
                                           std::size_t elements, std::size_t result) {
    return check_own(call, levels, [&] {
        const std::size_t each = elements / static_cast<std::size_t>(levels.whole_size());
        require_block_each(call, "elements", elements, each, levels);
        require_same_size(call, true, elements, result);
        return each;
    });
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_to_all = forms_of<verb::all_to_all>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, const blocks&, const plan&)>(
        &all_to_all<Only>);
});
#endif

} // namespace topo::detail
