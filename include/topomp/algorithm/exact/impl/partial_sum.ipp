// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/exact/partial_sum.hpp>
#include <topomp/core/detail/ranges.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

template <class Block>
void partial_sum<Block>::prepare(const exact_call<T>& call, int rank) {
    call_ = call;
    rank_ = rank;
    counts_.clear();
    blocks_ = 0;
    std::size_t column = 0;
    const std::size_t parts = call.counts.empty() ? 1 : call.counts.size();
    for (std::size_t part = 0; part < parts; ++part) {
        if (part == own_part()) {
            first_column_ = column;
            first_block_ = blocks_;
        }
        column += length(part);
        blocks_ += counts_.emplace_back(blocks_of<Block>(length(part)));
    }
    memory_.reserve(blocks_ * sizeof(Block));
}

template <class Block>
void partial_sum<Block>::load() {
    std::byte* to = memory_.data();
    const T* from = call_.input;
    for (std::size_t part = 0; part < counts_.size(); ++part)
        for (std::size_t left = length(part); left > 0; to += sizeof(Block)) {
            const std::size_t count = std::min(left, Block::columns);
            new (to) Block{from, count};
            from += count;
            left -= count;
        }
}

template <class Block>
void partial_sum<Block>::start_lost(const exact_call<T>& call, int rank) {
    std::vector<std::size_t> all(call.count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    start_lost(call, rank, std::move(all), {call.input, call.input + call.count});
}

template <class Block>
void partial_sum<Block>::start_lost(const exact_call<T>& call, int rank, std::vector<std::size_t> lost,
                                    std::vector<T> operands) {
    call_ = call;
    rank_ = rank;
    first_column_ = 0;
    for (std::size_t part = 0; part < own_part(); ++part)
        first_column_ += length(part);
    lost_ = std::move(lost);
    lost_operands_ = std::move(operands);
}

template <class Block>
std::span<Block> partial_sum<Block>::data() const {
    return {reinterpret_cast<Block*>(memory_.data()), blocks_};
}

template <class Block>
std::span<Block> partial_sum<Block>::own() const {
    return data().subspan(first_block_, counts_[own_part()]);
}

template <class Block>
void partial_sum<Block>::write(std::span<const Block> sums, std::size_t count, T* to) {
    for (std::size_t done = 0; done < count; done += Block::columns)
        sums[done / Block::columns].write(to + done, std::min(count - done, Block::columns));
}

template <class Block>
std::vector<std::size_t> partial_sum<Block>::lost() const {
    std::vector<std::size_t> result;
    const std::size_t end = length(own_part());
    std::array<T, Block::columns> sums{};
    for (std::size_t done = 0; done < end; done += Block::columns) {
        const std::size_t count = std::min(end - done, Block::columns);
        write(own().subspan(done / Block::columns, 1), count, sums.data());
        T none{}; // NaN where a sum is infinite or NaN
        for (const T each : sums)
            none += each - each;
        if (none == T{}) [[likely]]
            continue;
        for (std::size_t i = 0; i < count; ++i)
            if (sums[i] - sums[i] != T{}) result.push_back(first_column_ + done + i);
    }
    return result;
}

template <class Block>
void partial_sum<Block>::keep(std::vector<std::size_t> lost) {
    lost_ = std::move(lost);
    lost_operands_.clear();
    for (const std::size_t column : lost_)
        lost_operands_.push_back(call_.input[column]);
}

template <class Block>
void partial_sum<Block>::keep_loaded(std::vector<std::size_t> lost) {
    if (call_.input != call_.result) return keep(std::move(lost));
    lost_ = std::move(lost);
    lost_operands_.clear();
    for (const std::size_t column : lost_) {
        const std::size_t place = column % Block::columns;
        std::array<T, Block::columns> operands;
        write(data().subspan(column / Block::columns, 1), place + 1, operands.data());
        lost_operands_.push_back(operands[place]);
    }
}

template <class Block>
void partial_sum<Block>::write() {
    if (gets_result(call_, rank_)) write(own(), length(own_part()), call_.result);
}

template <class Block>
exact_call<typename Block::number> partial_sum<Block>::again() {
    lost_of_parts_.clear();
    std::size_t begin = 0;
    for (const std::size_t count : call_.counts) {
        const auto first = std::ranges::lower_bound(lost_, begin);
        begin += count;
        lost_of_parts_.push_back(static_cast<std::size_t>(std::ranges::lower_bound(lost_, begin) - first));
    }
    lost_sums_.resize(lost_.size());
    return {call_.what,   lost_operands_.data(), lost_sums_.data(),
            lost_.size(), lost_of_parts_,        call_.receivers};
}

template <class Block>
void partial_sum<Block>::write_again() {
    if (!gets_result(call_, rank_)) return;
    const std::size_t end = first_column_ + length(own_part());
    const T* from = lost_sums_.data();
    for (auto at = std::ranges::lower_bound(lost_, first_column_); at != lost_.end() && *at < end; ++at)
        call_.result[*at - first_column_] = *from++;
}

} // namespace topo::detail
