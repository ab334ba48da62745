// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/collective/detail/kept_blocks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

struct kept_lists {
    std::vector<std::size_t> counts, positions;
    scratch_buffer memory, temporary;
};

TOPOMP_INLINE copied_blocks::~copied_blocks() { ranks_.pool<kept_lists>().give_back(kept_.release()); }

TOPOMP_INLINE copied_blocks::copied_blocks(const hierarchy& levels, const blocks& all)
    : ranks_(context::of(levels)), kept_(owned<kept_lists>::of(ranks_.pool<kept_lists>().take())) {
    const type_layout layout{all.type};
    const int size = ranks_.private_comm().size();
    kept_->counts.clear();
    kept_->positions.clear();
    std::size_t next = 0;
    for (int rank = 0; rank < size; ++rank) {
        kept_->counts.push_back(all.count_of(rank));
        kept_->positions.push_back(next);
        next += all.count_of(rank);
    }
    kept_->memory.reserve(layout.span(next));
    all_ = {kept_->memory.data() - layout.true_lower, all.type, all.count};
    if (!all.counts.empty()) {
        all_.counts = kept_->counts;
        all_.positions = kept_->positions;
    }
    for (int rank = 0; rank < size; ++rank)
        copy_block(all.block_of(rank, layout), all_.block_of(rank, layout), kept_->temporary);
}

} // namespace topo::detail
