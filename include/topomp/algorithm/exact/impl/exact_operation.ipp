// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/column_sums.hpp>
#include <topomp/algorithm/exact/exact_operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace topo::detail {

template <class T>
void exact_operation<T>::start(context& ranks, exact_call<T> call, int tag) {
    call_ = std::move(call);
    private_comm_ = ranks.private_comm();
    rank_ = ranks.private_comm().rank();
    size_ = ranks.private_comm().size();
    tag_ = tag;
    begins_.assign(1, 0);
    const auto parts = static_cast<std::size_t>(size_);
    for (std::size_t part = 0; part < parts; ++part)
        begins_.push_back(call_.counts.empty()
                              // the first parts get one of what is left over
                              ? begins_.back() + call_.count / parts + (part < call_.count % parts ? 1 : 0)
                              : begins_.back() + call_.counts[part]);
    step_ = step::operands;
    slots_.clear();
    exchange_operands();
}

template <class T>
bool exact_operation<T>::advance() {
    while (are_free(slots_, 0)) {
        slots_.clear();
        if (step_ != step::operands) {
            step_ = step::end;
            return true;
        }
        step_ = step::results;
        add_up();
    }
    return false;
}

template <class T>
void exact_operation<T>::exchange_operands() {
    operands_.reserve(static_cast<std::size_t>(size_) * own() * sizeof(T));
    for (int i = 1; i < size_; ++i) {
        const int from = (rank_ + size_ - i) % size_, to = (rank_ + i) % size_;
        receive(const_cast<T*>(row(static_cast<std::size_t>(from))), own(), from);
        send(call_.input + begin(to), length(to), to);
    }
}

template <class T>
const T* exact_operation<T>::row(std::size_t rank) const {
    if (rank == static_cast<std::size_t>(rank_)) return call_.input + begin(rank_);
    return reinterpret_cast<const T*>(operands_.data()) + rank * own();
}

template <class T>
T* exact_operation<T>::prefix(std::size_t rank) const {
    return reinterpret_cast<T*>(sums_.data()) + rank * own();
}

/// All messages with operands have ended, so that a result in their place may be overwritten.
template <class T>
void exact_operation<T>::add_up() {
    const auto rows = [this](std::size_t rank) { return row(rank); };
    const auto size = static_cast<std::size_t>(size_);
    switch (call_.what) {
    case exact_result::own_block:
        return column_sums(rows, size, own(), call_.result);
    case exact_result::of_all:
        if (gets_result(call_, rank_)) {
            column_sums(rows, size, own(), call_.result + begin(rank_));
        } else {
            sums_.reserve(own() * sizeof(T));
            column_sums(rows, size, own(), prefix(0));
        }
        return send_sums();
    default:
        sums_.reserve(size * own() * sizeof(T));
        column_prefixes<T>(rows, size, own(), [this](std::size_t rank) { return prefix(rank); });
        return send_prefixes();
    }
}

template <class T>
void exact_operation<T>::send_sums() {
    const bool is_receiver = gets_result(call_, rank_);
    const T* const mine = is_receiver ? call_.result + begin(rank_) : prefix(0);
    for (int i = 1; i < size_; ++i) {
        const int from = (rank_ + size_ - i) % size_, to = (rank_ + i) % size_;
        if (is_receiver) receive(call_.result + begin(from), length(from), from);
        if (gets_result(call_, to)) send(mine, own(), to);
    }
}

template <class T>
void exact_operation<T>::send_prefixes() {
    const int shift = call_.what == exact_result::prefix_before ? 1 : 0; // whose rank 0 gets nothing
    for (int i = 0; i < size_; ++i) {
        const int from = (rank_ + size_ - i) % size_, to = (rank_ + i) % size_;
        const T* const sums = to < shift ? nullptr : prefix(static_cast<std::size_t>(to - shift));
        if (i == 0 && sums != nullptr) std::copy_n(sums, own(), call_.result + begin(rank_));
        if (i == 0) continue;
        if (rank_ >= shift) receive(call_.result + begin(from), length(from), from);
        if (sums != nullptr) send(sums, own(), to);
    }
}

template <class T>
void exact_operation<T>::send(const T* from, std::size_t count, int to) {
    send_packed(reinterpret_cast<std::byte*>(const_cast<T*>(from)), count * sizeof(T), to, tag_,
                private_comm_, slots_);
}

template <class T>
void exact_operation<T>::receive(T* to, std::size_t count, int from) {
    receive_packed(reinterpret_cast<std::byte*>(to), count * sizeof(T), from, tag_, private_comm_, slots_);
}

} // namespace topo::detail
