// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact/impl/sum_exchange.ipp>
#include <topomp/algorithm/exact/partial_sum.hpp>
#include <topomp/algorithm/exact/sum_exchange.hpp>
#include <topomp/algorithm/exact/sum_in_lanes.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <utility>

namespace topo::detail {

template <class Block>
sum_in_lanes<Block>::sum_in_lanes(context& ranks, lanes_of_slices& nodes, const exact_call<T>& call,
                                  bool has_result)
    : ranks_(ranks), nodes_(nodes), room_(nodes.room()), call_(call), has_result_(has_result),
      longest_piece_(longest_piece(nodes.are_even())) {}

template <class Block>
lost_columns<typename Block::number> sum_in_lanes<Block>::run() {
    room_.begin();
    room_.own_all_chunks();
    const std::size_t steps = (call_.count + longest_piece_ - 1) / longest_piece_;
    std::array<started, exchanged> under_way;
    const auto end = [&](std::size_t step) { end_exchange(step, under_way[step % exchanged]); };
    for (std::size_t step = 0; step < std::min<std::size_t>(steps, 2); ++step)
        fill(step);
    for (std::size_t step = 0; step < steps; ++step) {
        room_.wait_for_all(&shared_room::filled, room_.now(step + 1));
        if (!exchanges_slices()) {
            add(step, slice(step), {blocks(room_.rank(), step), blocks_of<Block>(slice(step).length())});
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
typename sum_in_lanes<Block>::range sum_in_lanes<Block>::piece(std::size_t step) const {
    const std::size_t begin = step * longest_piece_;
    return {begin, std::min(begin + longest_piece_, call_.count)};
}

template <class Block>
typename sum_in_lanes<Block>::range sum_in_lanes<Block>::part(std::size_t step, int number, int parts) const {
    const range all = piece(step);
    const std::size_t blocks = blocks_of<Block>(all.length());
    const auto begin_of = [&](int which) {
        const std::size_t block = blocks * static_cast<std::size_t>(which) / static_cast<std::size_t>(parts);
        return std::min(all.begin + block * Block::columns, all.end);
    };
    return {begin_of(number), begin_of(number + 1)};
}

template <class Block>
typename Block::number* sum_in_lanes<Block>::place(int rank, std::size_t step) const {
    return reinterpret_cast<T*>(room_.data_of(rank) + step % places * place_bytes);
}

template <class Block>
Block* sum_in_lanes<Block>::blocks(int rank, std::size_t step) const {
    return reinterpret_cast<Block*>(place(rank, step) + longest_piece_);
}

/// Others do not read the own operands that it adds.
template <class Block>
void sum_in_lanes<Block>::fill(std::size_t step) {
    const range all = piece(step), skipped = slice(step);
    T* const to = place(room_.rank(), step);
    copy_shared(to, call_.input + all.begin, (skipped.begin - all.begin) * sizeof(T));
    copy_shared(to + (skipped.end - all.begin), call_.input + skipped.end,
                (all.end - skipped.end) * sizeof(T));
    room_.raise(room_.filled(room_.rank()), room_.now(step + 1));
}

template <class Block>
void sum_in_lanes<Block>::add(std::size_t step, range columns, std::span<Block> sums) const {
    const auto each_block = [&](auto f) {
        std::size_t first = columns.begin;
        for (Block& sum : sums) {
            const std::size_t count = std::min(Block::columns, columns.end - first);
            f(sum, first, count);
            first += count;
        }
    };
    each_block([&](Block& sum, std::size_t first, std::size_t count) {
        new (&sum) Block{call_.input + first, count};
    });
    for (int rank = 0; rank < room_.size(); ++rank) {
        if (rank == room_.rank()) continue;
        each_block([&](Block& sum, std::size_t first, std::size_t count) {
            sum.add(column(rank, step, first), count);
        });
        charge_copy(columns.length() * sizeof(T));
    }
}

template <class Block>
void sum_in_lanes<Block>::load_part(std::size_t step, std::span<Block> sums) const {
    const range mine = own(step);
    if (exchanges_slices()) return add(step, mine, sums);
    auto to = sums.begin();
    for (int rank = 0; rank < room_.size(); ++rank) {
        const range theirs = part(step, rank, room_.size());
        const std::size_t first = std::max(theirs.begin, mine.begin), end = std::min(theirs.end, mine.end);
        if (first >= end) continue;
        const Block* const from = blocks(rank, step) + (first - theirs.begin) / Block::columns;
        to = std::copy_n(from, blocks_of<Block>(end - first), to);
    }
    charge_copy(sums.size_bytes());
}

template <class Block>
started sum_in_lanes<Block>::start_exchange(std::size_t step) {
    if (!has_lane() || own(step).length() == 0) return {};
    const range mine = own(step);
    started now{ranks_.pool<sum_exchange<Block>>(), [&](sum_exchange<Block>& exchange) {
                    exchange.start(nodes_.lane(), column(room_.rank(), step, mine.begin), mine.length(),
                                   nodes_.radix(), [&](std::span<Block> sums) { load_part(step, sums); });
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
    for (int rank = 0; rank < nodes_.lanes(); ++rank) {
        const range theirs = part(step, rank, nodes_.lanes());
        const T* const sums = column(rank, step, theirs.begin);
        note_lost(sums, theirs);
        if (has_result_) copy_shared(call_.result + theirs.begin, sums, theirs.length() * sizeof(T));
    }
}

/// The operands may be where the sums are copied to.
template <class Block>
void sum_in_lanes<Block>::note_lost(const T* sums, range columns) {
    std::array<T, Block::columns> none{}; // NaN where a sum is infinite or NaN; as many, for vector units
    const std::size_t whole = columns.length() / Block::columns * Block::columns;
    for (std::size_t i = 0; i < whole; i += Block::columns)
        for (std::size_t k = 0; k < Block::columns; ++k)
            none[k] += sums[i + k] - sums[i + k];
    for (std::size_t i = whole; i < columns.length(); ++i)
        none[0] += sums[i] - sums[i];
    if (std::ranges::all_of(none, [](T each) { return each == T{}; })) [[likely]]
        return;
    for (std::size_t i = 0; i < columns.length(); ++i) {
        if (sums[i] - sums[i] == T{}) continue;
        lost_.columns.push_back(columns.begin + i);
        lost_.operands.push_back(call_.input[columns.begin + i]);
    }
}

} // namespace topo::detail
