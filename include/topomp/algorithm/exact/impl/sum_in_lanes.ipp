// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact/impl/sum_exchange.ipp>
#include <topomp/algorithm/exact/partial_sum.hpp>
#include <topomp/algorithm/exact/sum_exchange.hpp>
#include <topomp/algorithm/exact/sum_in_lanes.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

template <class Block>
sum_in_lanes<Block>::sum_in_lanes(context& ranks, lanes_of_slices& nodes, const exact_call<T>& call,
                                  T* result)
    : ranks_(ranks), nodes_(nodes), room_(nodes.room()), call_(call), result_(result) {
    if (call.what == exact_result::own_block) {
        divide_among_nodes();
    } else {
        sections_.resize(1);
        sections_.front().append(0, call.count);
        own_columns_ = {0, call.count};
    }
    std::size_t blocks = 0;
    for (std::size_t number = 0; number < sections_.size(); ++number)
        blocks += blocks_of_section(number);
    // A piece has up to a block more of each section than its share.
    const std::size_t longest = longest_piece(nodes.are_even()) - (sections_.size() - 1);
    steps_ = (blocks + longest - 1) / longest;
}

template <class Block>
void sum_in_lanes<Block>::divide_among_nodes() {
    std::vector<std::size_t> begins(call_.counts.size());
    std::exclusive_scan(call_.counts.begin(), call_.counts.end(), begins.begin(), std::size_t{0});
    own_section_ = static_cast<std::size_t>(nodes_.node());
    for (int node = 0; node < nodes_.nodes(); ++node) {
        section& columns = sections_.emplace_back();
        for (const int rank : nodes_.ranks_of(node)) {
            const auto index = static_cast<std::size_t>(rank);
            if (rank == ranks_.rank()) {
                first_own_ = begins[index];
                own_columns_ = {columns.columns, columns.columns + call_.counts[index]};
            }
            columns.append(begins[index], call_.counts[index]);
        }
    }
}

template <class Block>
void sum_in_lanes<Block>::section::append(std::size_t column, std::size_t count) {
    columns += count;
    if (!runs.empty() && runs.back().end == column)
        runs.back().end += count;
    else
        runs.push_back({column, column + count});
}

template <class Block>
lost_columns<typename Block::number> sum_in_lanes<Block>::run() {
    room_.begin();
    room_.own_all_chunks();
    const std::size_t steps = steps_;
    std::array<started, exchanged> under_way;
    const auto end = [&](std::size_t step) { end_exchange(step, under_way[step % exchanged]); };
    for (std::size_t step = 0; step < std::min<std::size_t>(steps, 2); ++step)
        fill(step);
    for (std::size_t step = 0; step < steps; ++step) {
        room_.wait_for_all(&shared_room::filled, room_.now(step + 1));
        if (!exchanges_slices()) {
            add_slice(step);
            room_.raise(room_.reduced(room_.rank()), room_.now(step + 1));
            room_.wait_for_all(&shared_room::reduced, room_.now(step + 1));
        }
        if (step >= exchanged) end(step - exchanged);
        under_way[step % exchanged] = start_exchange(step);
        if (step >= exchanged) take(step - exchanged);
        // In the place of a piece that all ranks took before they filled this one.
        if (step > 0 && step + 1 < steps) fill(step + 1);
    }
    for (std::size_t step = steps - std::min(steps, exchanged); step < steps; ++step) {
        end(step);
        take(step);
    }
    room_.end();
    return std::move(lost_);
}

template <class Block>
typename sum_in_lanes<Block>::range sum_in_lanes<Block>::blocks_in(std::size_t step,
                                                                   std::size_t number) const {
    const auto& begins = begins_[step % places];
    return {begins[number], begins[number + 1]};
}

template <class Block>
typename sum_in_lanes<Block>::range sum_in_lanes<Block>::added(std::size_t step, std::size_t number) const {
    if (exchanges_slices()) return part_of_lane(step, number, room_.rank());
    const range all = blocks_in(step, number), mine = slice(step, room_.rank());
    const std::size_t begin = std::clamp(mine.begin, all.begin, all.end);
    return {begin, std::clamp(mine.end, begin, all.end)};
}

template <class Block>
typename Block::number* sum_in_lanes<Block>::place(int rank, std::size_t step, std::size_t block) const {
    return reinterpret_cast<T*>(room_.data_of(rank) + step % places * place_bytes) + block * Block::columns;
}

template <class Block>
Block* sum_in_lanes<Block>::sums_of_slice(int rank, std::size_t step) const {
    return reinterpret_cast<Block*>(place(rank, step, longest_piece(false)));
}

/// What it adds itself others do not read. It adds that from where the operands are if they are together.
template <class Block>
void sum_in_lanes<Block>::fill(std::size_t step) {
    auto& begins = begins_[step % places];
    begins.assign(1, 0);
    for (std::size_t number = 0; number < sections_.size(); ++number)
        begins.push_back(begins.back() + first_block(step + 1, number) - first_block(step, number));
    for (std::size_t number = 0; number < sections_.size(); ++number) {
        const range all = blocks_in(step, number), mine = added(step, number);
        if (sections_[number].is_one_run()) {
            fill(step, number, {all.begin, mine.begin});
            fill(step, number, {mine.end, all.end});
        } else {
            fill(step, number, all);
        }
    }
    room_.raise(room_.filled(room_.rank()), room_.now(step + 1));
}

template <class Block>
void sum_in_lanes<Block>::fill(std::size_t step, std::size_t number, range blocks) const {
    const section& all = sections_[number];
    std::size_t skipped =
        (first_block(step, number) + blocks.begin - blocks_in(step, number).begin) * Block::columns;
    const std::size_t columns = blocks.length() * Block::columns;
    T* const to = place(room_.rank(), step, blocks.begin);
    std::size_t done = 0;
    for (const range& run : all.runs) {
        const std::size_t begin = std::min(run.begin + skipped, run.end);
        skipped -= begin - run.begin;
        const std::size_t count = std::min(run.end - begin, columns - done);
        copy_shared(to + done, call_.input + begin, count * sizeof(T));
        done += count;
    }
    std::fill(to + done, to + columns, T{});
}

template <class Block>
void sum_in_lanes<Block>::add(std::size_t step, std::size_t number, range blocks, Block* sums) const {
    const section& all = sections_[number];
    if (all.is_one_run()) {
        std::size_t column =
            all.runs.front().begin +
            (first_block(step, number) + blocks.begin - blocks_in(step, number).begin) * Block::columns;
        for (std::size_t i = 0; i < blocks.length(); ++i, column += Block::columns)
            new (sums + i)
                Block{call_.input + column, std::min(Block::columns, all.runs.front().end - column)};
    } else {
        std::uninitialized_value_construct_n(sums, blocks.length());
    }
    for (int rank = 0; rank < room_.size(); ++rank) {
        const bool is_own = rank == room_.rank();
        if (is_own && all.is_one_run()) continue;
        const T* from = place(rank, step, blocks.begin);
        for (std::size_t i = 0; i < blocks.length(); ++i, from += Block::columns)
            sums[i].add(from, Block::columns);
        charge_copy(blocks.length() * Block::columns * sizeof(T));
    }
}

template <class Block>
void sum_in_lanes<Block>::add_slice(std::size_t step) const {
    Block* to = sums_of_slice(room_.rank(), step);
    for (std::size_t number = 0; number < sections_.size(); ++number) {
        const range blocks = added(step, number);
        add(step, number, blocks, to);
        to += blocks.length();
    }
}

template <class Block>
void sum_in_lanes<Block>::load_part(std::size_t step, std::size_t number, std::span<Block> sums) const {
    const range mine = part_of_lane(step, number, room_.rank());
    if (exchanges_slices()) return add(step, number, mine, sums.data());
    gather_blocks(
        room_.size(), [&](int rank) { return slice(step, rank); },
        [&](int rank) { return sums_of_slice(rank, step); }, mine, sums.data());
    charge_copy(sums.size_bytes());
}

template <class Block>
started sum_in_lanes<Block>::start_exchange(std::size_t step) {
    if (!has_lane()) return {};
    std::vector<std::size_t> lengths;
    for (std::size_t number = 0; number < sections_.size(); ++number)
        lengths.push_back(part_of_lane(step, number, room_.rank()).length());
    if (std::ranges::all_of(lengths, [](std::size_t each) { return each == 0; })) return {};
    T* const sums = place(room_.rank(), step, part_of_lane(step, own_section_, room_.rank()).begin);
    started now{ranks_.pool<sum_exchange<Block>>(), [&](sum_exchange<Block>& exchange) {
                    if (call_.what == exact_result::own_block)
                        exchange.start_scatter(nodes_.lane(), sums, lengths, nodes_.radix(),
                                               [&](int node, std::span<Block> to) {
                                                   load_part(step, static_cast<std::size_t>(node), to);
                                               });
                    else
                        exchange.start(nodes_.lane(), sums, lengths.front(), nodes_.radix(),
                                       [&](std::span<Block> to) { load_part(step, 0, to); });
                }};
    if (room_.is_oversubscribed()) now.finish();
    return now;
}

template <class Block>
void sum_in_lanes<Block>::end_exchange(std::size_t step, started& exchange) {
    if (!has_lane()) return;
    exchange.finish();
    room_.raise(room_.taken(room_.rank()), room_.now(step + 1));
}

template <class Block>
void sum_in_lanes<Block>::take(std::size_t step) {
    room_.wait_for_first(nodes_.lanes(), &shared_room::taken, room_.now(step + 1));
    const range all = blocks_in(step, own_section_);
    const std::size_t first = first_block(step, own_section_) * Block::columns; // column of the section
    for (int lane = 0; lane < nodes_.lanes(); ++lane) {
        const range theirs = part_of_lane(step, own_section_, lane);
        const std::size_t begin = first + (theirs.begin - all.begin) * Block::columns,
                          end = first + (theirs.end - all.begin) * Block::columns;
        const range columns{std::max(begin, own_columns_.begin), std::min(end, own_columns_.end)};
        if (columns.begin < columns.end)
            take(place(lane, step, theirs.begin) + (columns.begin - begin),
                 {columns.begin - own_columns_.begin, columns.end - own_columns_.begin});
    }
}

/// @param columns of the own sums: the operands may be where they go
template <class Block>
void sum_in_lanes<Block>::take(const T* sums, range columns) {
    std::array<T, Block::columns> none{}; // NaN where a sum is infinite or NaN; as many, for vector units
    const std::size_t whole = columns.length() / Block::columns * Block::columns;
    for (std::size_t i = 0; i < whole; i += Block::columns)
        for (std::size_t k = 0; k < Block::columns; ++k)
            none[k] += sums[i + k] - sums[i + k];
    for (std::size_t i = whole; i < columns.length(); ++i)
        none[0] += sums[i] - sums[i];
    if (!std::ranges::all_of(none, [](T each) { return each == T{}; })) [[unlikely]]
        for (std::size_t i = 0; i < columns.length(); ++i) {
            if (sums[i] - sums[i] == T{}) continue;
            lost_.columns.push_back(first_own_ + columns.begin + i);
            lost_.operands.push_back(call_.input[lost_.columns.back()]);
        }
    if (result_ != nullptr) copy_shared(result_ + columns.begin, sums, columns.length() * sizeof(T));
}

} // namespace topo::detail
