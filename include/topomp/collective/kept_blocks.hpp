// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the verbs that exchange blocks make of their arguments, in memory that is kept from call to call.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

/// Blocks with a position each, found here where none are given.
class settled_blocks {
public:
    settled_blocks(team& ranks, const blocks& all) : ranks_(ranks), all_(all) {
        if (all.counts.empty() || !all.positions.empty()) return;
        found_ = ranks.pool<found_positions>().take();
        auto& positions = found_->values;
        positions.clear();
        std::size_t next = 0;
        for (const std::size_t count : all.counts) {
            positions.push_back(next);
            next += count;
        }
        all_.positions = positions;
    }
    settled_blocks(const settled_blocks&) = delete;
    settled_blocks& operator=(const settled_blocks&) = delete;
    ~settled_blocks() {
        if (found_) ranks_.pool<found_positions>().give_back(std::move(found_));
    }

    const blocks& all() const noexcept { return all_; }

private:
    struct found_positions {
        std::vector<std::size_t> values;
    };

    team& ranks_;
    blocks all_;
    std::unique_ptr<found_positions> found_;
};

/// A copy of blocks, one behind the other: what a rank has for the others, if the result will lie where it
/// is.
class copied_blocks {
public:
    /// @param all with counts there are positions too
    copied_blocks(team& ranks, const blocks& all) : ranks_(ranks), kept_(ranks.pool<kept>().take()) {
        const type_layout layout{all.type};
        const int size = ranks.wire().size();
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
    copied_blocks(const copied_blocks&) = delete;
    copied_blocks& operator=(const copied_blocks&) = delete;
    ~copied_blocks() { ranks_.pool<kept>().give_back(std::move(kept_)); }

    const blocks& all() const noexcept { return all_; }

private:
    struct kept {
        std::vector<std::size_t> counts, positions;
        cell memory, temporary;
    };

    team& ranks_;
    std::unique_ptr<kept> kept_;
    blocks all_;
};

} // namespace topo::detail
