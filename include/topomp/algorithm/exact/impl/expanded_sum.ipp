// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/exact/expanded_sum.hpp>
#include <topomp/core/detail/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// The first `count` sums, rounded.
template <class T>
void write_values(std::span<const expansions<T>> sums, std::size_t count, T* to) {
    for (std::size_t i = 0; i < count; ++i)
        to[i] = sums[i / expansions<T>::columns].value(i % expansions<T>::columns);
}

template <class T>
void expanded_sum<T>::start(const exact_call<T>& call, int rank) {
    constexpr std::size_t columns = expansions<T>::columns;
    call_ = call;
    rank_ = rank;
    counts_.clear();
    blocks_ = 0;
    const std::size_t parts = call.counts.empty() ? 1 : call.counts.size();
    for (std::size_t part = 0; part < parts; ++part)
        blocks_ += counts_.emplace_back(expansions<T>::blocks_of(length(part)));
    memory_.reserve(blocks_ * sizeof(expansions<T>));
    std::byte* to = memory_.data();
    const T* from = call.input;
    for (std::size_t part = 0; part < parts; ++part) {
        if (part == own_part()) {
            first_column_ = static_cast<std::size_t>(from - call.input);
            first_block_ = static_cast<std::size_t>(to - memory_.data()) / sizeof(expansions<T>);
        }
        for (std::size_t left = length(part); left > 0; to += sizeof(expansions<T>)) {
            const std::size_t count = std::min(left, columns);
            new (to) expansions<T>{from, count};
            from += count;
            left -= count;
        }
    }
}

template <class T>
std::span<expansions<T>> expanded_sum<T>::data() const {
    return {reinterpret_cast<expansions<T>*>(memory_.data()), blocks_};
}

template <class T>
std::span<expansions<T>> expanded_sum<T>::own() const {
    return data().subspan(first_block_, counts_[own_part()]);
}

template <class T>
std::vector<std::size_t> expanded_sum<T>::lost() const {
    constexpr std::size_t columns = expansions<T>::columns;
    std::vector<std::size_t> result;
    const auto sums = own();
    const std::size_t end = length(own_part());
    for (std::size_t block = 0; block < sums.size(); ++block) {
        T none{}; // NaN where a sum is infinite or NaN
        for (std::size_t i = 0; i < columns; ++i)
            none += sums[block].value(i) - sums[block].value(i);
        if (none == T{}) [[likely]]
            continue;
        for (std::size_t i = block * columns; i < std::min(end, (block + 1) * columns); ++i)
            if (const T sum = sums[block].value(i % columns); sum - sum != T{})
                result.push_back(first_column_ + i);
    }
    return result;
}

template <class T>
void expanded_sum<T>::keep(std::vector<std::size_t> lost) {
    lost_ = std::move(lost);
    lost_operands_.clear();
    for (const std::size_t column : lost_)
        lost_operands_.push_back(call_.input[column]);
}

template <class T>
void expanded_sum<T>::keep_loaded(std::vector<std::size_t> lost) {
    constexpr std::size_t columns = expansions<T>::columns;
    lost_ = std::move(lost);
    lost_operands_.clear();
    for (const std::size_t column : lost_)
        lost_operands_.push_back(data()[column / columns].value(column % columns));
}

template <class T>
void expanded_sum<T>::write() {
    if (gets_result(call_, rank_)) write_values<T>(own(), length(own_part()), call_.result);
}

template <class T>
exact_call<T> expanded_sum<T>::again() {
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

template <class T>
void expanded_sum<T>::write_again() {
    if (!gets_result(call_, rank_)) return;
    const std::size_t end = first_column_ + length(own_part());
    const T* from = lost_sums_.data();
    for (auto at = std::ranges::lower_bound(lost_, first_column_); at != lost_.end() && *at < end; ++at)
        call_.result[*at - first_column_] = *from++;
}

} // namespace topo::detail
