// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact/partial_sum.hpp>
#include <topomp/algorithm/exact/scan_in_lanes.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/prefix_exchange.hpp>
#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

template <class Block>
scan_in_lanes<Block>::scan_in_lanes(context& ranks, lanes_of_slices& nodes, const exact_call<T>& call,
                                    T* result)
    : ranks_(ranks), nodes_(nodes), room_(nodes.room()), call_(call), result_(result) {}

template <class Block>
std::vector<std::size_t> scan_in_lanes<Block>::run() {
    constexpr std::size_t longest = longest_piece * Block::columns;
    room_.begin();
    room_.own_all_chunks();
    std::vector<Block> sums;
    for (std::size_t step = 0; step * longest < call_.count; ++step) {
        fill(step);
        room_.wait_for_all(&shared_room::filled, room_.now(step + 1));
        sums.assign(slice(step, room_.rank()).length(), Block{});
        add(step, sums);
        exchange(step, sums);
        write(step, sums);
        room_.raise(room_.reduced(room_.rank()), room_.now(2 * step + 2));
        room_.wait_for_all(&shared_room::reduced, room_.now(2 * step + 2));
        take(step);
    }
    room_.end();
    return std::move(lost_);
}

template <class Block>
std::size_t scan_in_lanes<Block>::columns(std::size_t step) const {
    constexpr std::size_t longest = longest_piece * Block::columns;
    return std::min(longest, call_.count - step * longest);
}

template <class Block>
typename Block::number* scan_in_lanes<Block>::place(int rank, std::size_t block) const {
    return reinterpret_cast<T*>(room_.data_of(rank)) + block * Block::columns;
}

template <class Block>
void scan_in_lanes<Block>::fill(std::size_t step) {
    T* const to = place(room_.rank());
    const std::size_t count = columns(step);
    copy_shared(to, call_.input + step * longest_piece * Block::columns, count * sizeof(T));
    std::fill(to + count, to + blocks_of<Block>(count) * Block::columns, T{});
    room_.raise(room_.filled(room_.rank()), room_.now(step + 1));
}

template <class Block>
void scan_in_lanes<Block>::add(std::size_t step, std::span<Block> sums) const {
    for (int rank = 0; rank < room_.size(); ++rank) {
        const T* from = place(rank, slice(step, room_.rank()).begin);
        for (Block& sum : sums) {
            sum.add(from, Block::columns);
            from += Block::columns;
        }
        charge_copy(sums.size() * Block::columns * sizeof(T));
    }
}

/// Of nodes with more ranks than lanes the first ranks exchange what all have added.
template <class Block>
void scan_in_lanes<Block>::exchange(std::size_t step, std::span<Block> sums) {
    const auto along_lane = [&](std::span<Block> all) {
        if (all.empty()) return;
        detail::run(ranks_.pool<prefix_exchange>(), [&](prefix_exchange& op) {
            op.start(nodes_.lane(), {all.data(), all.size(), datatype_of<Block>()},
                     combination_of<std::plus<>, Block>().op);
        });
        if (nodes_.node() == 0) std::ranges::fill(all, Block{});
    };
    if (room_.size() == nodes_.lanes()) return along_lane(sums);
    const auto slice_of = [&](int rank) { return slice(step, rank); };
    const auto lane_part = [&](int lane) { return part_of_lane(step, lane); };
    copy_shared(sums_of_slice(room_.rank()), sums.data(), sums.size_bytes());
    room_.raise(room_.reduced(room_.rank()), room_.now(2 * step + 1));
    room_.wait_for_all(&shared_room::reduced, room_.now(2 * step + 1));
    if (room_.rank() < nodes_.lanes()) {
        const range mine = lane_part(room_.rank());
        const std::span all{sums_of_lane(room_.rank()), mine.length()};
        gather_blocks(
            room_.size(), slice_of, [&](int rank) { return sums_of_slice(rank); }, mine, all.data());
        charge_copy(all.size_bytes());
        along_lane(all);
        room_.raise(room_.taken(room_.rank()), room_.now(step + 1));
    }
    room_.wait_for_first(nodes_.lanes(), &shared_room::taken, room_.now(step + 1));
    gather_blocks(
        nodes_.lanes(), lane_part, [&](int lane) { return sums_of_lane(lane); }, slice_of(room_.rank()),
        sums.data());
    charge_copy(sums.size_bytes());
}

template <class Block>
void scan_in_lanes<Block>::write(std::size_t step, std::span<Block> sums) const {
    const bool is_before = call_.what == exact_result::prefix_before;
    for (int rank = 0; rank < room_.size(); ++rank) {
        T* at = place(rank, slice(step, room_.rank()).begin);
        for (Block& sum : sums) {
            const Block before = sum;
            sum.add(at, Block::columns);
            (is_before ? before : sum).write(at, Block::columns);
            at += Block::columns;
        }
        charge_copy(sums.size() * Block::columns * sizeof(T));
    }
}

template <class Block>
void scan_in_lanes<Block>::take(std::size_t step) {
    if (result_ == nullptr) return;
    const T* const sums = place(room_.rank());
    const std::size_t first = step * longest_piece * Block::columns, count = columns(step);
    for (std::size_t i = 0; i < count; ++i)
        if (sums[i] - sums[i] != T{}) lost_.push_back(first + i);
    copy_shared(result_ + first, sums, count * sizeof(T));
}

} // namespace topo::detail
