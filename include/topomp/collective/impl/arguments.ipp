// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/kept_blocks.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE blocks with_own_counts(const blocks& all) {
    if (all.counts.empty()) return all;
    const auto copied = [](const integers& numbers) {
        return integers{std::vector<std::size_t>(numbers.begin(), numbers.end())};
    };
    blocks result = with_positions(all);
    result.counts = copied(all.counts);
    if (!all.positions.empty()) result.positions = copied(all.positions);
    return result;
}

template <verb Verb>
void all_gathering_arguments<Verb>::refresh(const hierarchy& levels) {
    if (mine.data != MPI_IN_PLACE) copy_own_block(mine, result, levels.whole_rank());
}

template <verb Verb>
void exchange_arguments<Verb>::refresh(const hierarchy& levels) {
    if (!is_in_place) return;
    copy.reset();
    copy = std::make_shared<copied_blocks>(levels, result);
    source = copy->all();
}

} // namespace topo::detail
