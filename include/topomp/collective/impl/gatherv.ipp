// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>

namespace topo::detail {

TOPOMP_INLINE void gatherv(const hierarchy& levels, const message& mine, const blocks& result, int root,
                           const plan& chosen) {
    if (chosen.uses != algorithm::flat) check_host_memory(levels, "topo::gatherv", {mine.data, result.data});
    if (chosen.uses == algorithm::flat) {
        context& ranks = context::of(levels);
        return flat_gatherv(ranks, mine, result, root, flat_limits{ranks.private_comm()});
    }
    std::string problem;
    const auto checked = [&](std::span<const int> ranks, std::span<const std::size_t> sizes) {
        const type_layout layout{result.type};
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (const std::size_t expected = result.count_of(ranks[i]) * layout.size; sizes[i] != expected)
                problem = "rank " + std::to_string(ranks[i]) + " sends " + number_of(sizes[i], "byte") +
                          ", its count stands for " + std::to_string(expected);
        return problem.empty() ? result : blocks{};
    };
    gather_unknown(levels, mine, checked, root, chosen);
    if (!problem.empty()) throw argument_error("topo::gatherv", "counts", problem);
}

} // namespace topo::detail
