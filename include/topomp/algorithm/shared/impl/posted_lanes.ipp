// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/rounds/all_reduce_in_rounds.hpp>
#include <topomp/algorithm/shared/posted_lanes.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <sched.h>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE posted_lanes::sizes::sizes(const message& operands, int ranks)
    : element(type_layout{operands.type}.size),
      pieces(shared_combine::exchanged_pieces(operands.count, element)),
      per_piece((operands.count + pieces - 1) / pieces) {
    pieces = (operands.count + per_piece - 1) / per_piece;
    places = pieces == 1 ? 2 : most_places; // of one piece all have taken the last but one before they fill
    place = round_up(per_piece * element, sizeof(signal));
    all = static_cast<std::size_t>(ranks) * (3 * sizeof(signal) + places * place);
}

TOPOMP_INLINE bool posted_lanes::takes(const message& operands) {
    const type_layout layout{operands.type};
    return operands.count > 0 && layout.is_dense && shared_combine::takes(layout);
}

TOPOMP_INLINE posted_lanes::posted_lanes(arena& memory, lanes_of_slices& lanes, const void* input,
                                         const message& result, MPI_Op op)
    : posted_between_nodes(memory, sizes{result, lanes.size()}.all), lanes_(lanes), number_(lanes.number()),
      size_(lanes.size()), at_(result, size_), input_(input), result_(result), op_(op) {
    for (int which = 0; which < 3; ++which)
        row(which)[number_] = {};
    begin_at_zero();
}

TOPOMP_INLINE posted_lanes::~posted_lanes() {
    for (exchange& each : exchanges_)
        if (each.running != nullptr) each.give_back(each.pool, std::move(each.running));
}

TOPOMP_INLINE void posted_lanes::let_go() noexcept {
    for (exchange& each : exchanges_)
        if (each.running != nullptr) give_up(std::move(each.running), lanes_.lane().running().left);
}

TOPOMP_INLINE void posted_lanes::take_tags() {
    if (!exchanges()) return;
    for (std::size_t which = 0; which < std::min(depth, at_.pieces); ++which)
        tags_[which] = lanes_.lane().reserve_tags();
    static_cast<void>(lanes_.lane().order());
}

TOPOMP_INLINE std::byte* posted_lanes::operands(int rank, std::size_t piece) const {
    return row(3).first + (static_cast<std::size_t>(rank) * at_.places + place_at(piece)) * at_.place;
}

TOPOMP_INLINE block_range posted_lanes::piece_at(std::size_t piece) const {
    const std::size_t first = piece * at_.per_piece;
    return {first, std::min(result_.count, first + at_.per_piece)};
}

TOPOMP_INLINE void posted_lanes::start() {
    if (!is_complete_) before_ += at_.pieces; // the last start has failed
    piece_ = 0;
    step_ = step::combine;
    is_complete_ = false;
    fill(0);
    begin_step();
}

TOPOMP_INLINE bool posted_lanes::begin_step() {
    part_ = nullptr;
    const std::size_t earlier = piece_ - depth;
    switch (step_) {
    case step::combine:
        if (has_piece()) await_signals(filled(), value_of(piece_));
        return has_piece();
    case step::end_exchange:
        if (!has_earlier() || !exchanges()) return false;
        if (exchange& one = exchange_at(earlier); one.is_under_way) part_ = one.running.get();
        return true;
    case step::all_combined:
        if (!has_piece() || are_parts_slices()) return false;
        raise(combined()[number_], value_of(piece_));
        await_signals(combined(), value_of(piece_));
        return true;
    case step::take:
        if (has_piece()) start_exchange(piece_);
        if (has_earlier()) await_signals(exchanged(), value_of(earlier));
        return has_earlier();
    case step::next:
        break;
    }
    return false;
}

TOPOMP_INLINE bool posted_lanes::has_come() const {
    return step_ == step::end_exchange ? part_ == nullptr || part_->advance() : are_raised();
}

TOPOMP_INLINE void posted_lanes::end_step() {
    const std::size_t earlier = piece_ - depth;
    switch (step_) {
    case step::combine:
        charge_awaited(number_);
        if (piece_ == 0 && at_.pieces > 1) fill(1);
        return combine(piece_);
    case step::end_exchange:
        exchange_at(earlier).is_under_way = false;
        part_ = nullptr;
        return raise(exchanged()[number_], value_of(earlier));
    case step::all_combined:
        return charge_awaited(number_);
    case step::take:
        charge_awaited(number_);
        return take(earlier);
    case step::next:
        break;
    }
}

TOPOMP_INLINE bool posted_lanes::advance() {
    if (is_complete_) return true;
    go_on_with_others();
    while (true) {
        if (!has_come()) return false;
        end_step();
        do {
            if (step_ == step::next) {
                if (piece_ > 0 && piece_ + 1 < at_.pieces) fill(piece_ + 1);
                if (++piece_ == at_.pieces + depth) {
                    before_ += at_.pieces;
                    lends_memory_ = false;
                    return is_complete_ = true;
                }
                step_ = step::combine;
            } else {
                step_ = static_cast<step>(static_cast<int>(step_) + 1);
            }
        } while (!begin_step());
    }
}

TOPOMP_INLINE void posted_lanes::go_on_with_others() {
    if constexpr (is_simulated) return; // whose tests take long
    for (exchange& each : exchanges_) {
        if (!each.is_under_way || each.running.get() == part_) continue;
        auto& slots = each.running->slots_;
        while (true) {
            if (each.running->advance()) {
                each.is_under_way = false;
                break;
            }
            const auto [which, code] = mpi::test_any(slots);
            mpi::check(code, "MPI_Testany", "messages of a collective");
            if (which == MPI_UNDEFINED) break;
        }
    }
}

TOPOMP_INLINE void posted_lanes::await() {
    if (part_ != nullptr) return await_messages_of_all();
    const bool is_exchanging =
        std::ranges::any_of(exchanges_, [](const exchange& each) { return each.is_under_way; });
    if (!is_simulated && is_exchanging) {
        sched_yield(); // then it goes on with them
        return;
    }
    posted_between_nodes::await();
}

/// Those of the exchange that is awaited come first.
TOPOMP_INLINE void posted_lanes::await_messages_of_all() {
    requests_ = part_->slots_;
    for (const exchange& each : exchanges_)
        if (each.is_under_way && each.running.get() != part_)
            requests_.insert(requests_.end(), each.running->slots_.begin(), each.running->slots_.end());
    const mpi::arrival now = mpi::wait_any(requests_);
    mpi::check(now.code, "MPI_Waitany", "messages of a collective");
    if (now.which == MPI_UNDEFINED) throw error("topo::persistent", "collective", "it waits for nothing");
    auto index = static_cast<std::size_t>(now.which);
    const auto takes = [&](operation& one) {
        const bool is_here = index < one.slots_.size();
        if (is_here) one.slots_[index] = requests_[static_cast<std::size_t>(now.which)];
        index -= is_here ? 0 : one.slots_.size();
        return is_here;
    };
    if (takes(*part_)) return;
    for (exchange& each : exchanges_)
        if (each.is_under_way && each.running.get() != part_ && takes(*each.running)) {
            each.is_under_way = !each.running->advance();
            return;
        }
}

/// Everything but the own slice, which no other rank reads unless it is combined here.
TOPOMP_INLINE void posted_lanes::fill(std::size_t piece) {
    const block_range all = piece_at(piece), own = slice_of(piece, number_);
    std::byte* const to = operands(number_, piece);
    const auto* const from = static_cast<const std::byte*>(input_) + bytes_of(all.begin);
    if (place_of(number_) == number_) {
        copy_shared(to, from, bytes_of(all.length()));
    } else {
        copy_shared(to, from, bytes_of(own.begin));
        copy_shared(to + bytes_of(own.end), from + bytes_of(own.end), bytes_of(all.length() - own.end));
    }
    raise(filled()[number_], value_of(piece));
}

TOPOMP_INLINE void posted_lanes::combine(std::size_t piece) {
    const block_range own = slice_of(piece, number_);
    if (own.length() == 0) return;
    const std::size_t offset = bytes_of(own.begin), length = bytes_of(own.length());
    const auto* const mine = static_cast<const std::byte*>(input_) + bytes_of(piece_at(piece).begin) + offset;
    const int place = place_of(number_);
    std::byte* const sum = operands(place, piece) + offset;
    for (int rank = 0; rank < size_; ++rank)
        if (rank != number_) fetch_if_short(operands(rank, piece) + offset, length);
    for (int rank = size_; rank-- > 0;) {
        if (rank == place) continue;
        reduce_local(rank == number_ ? mine : operands(rank, piece) + offset, sum,
                     {sum, own.length(), result_.type}, op_);
        charge_copy(length);
    }
}

TOPOMP_INLINE posted_lanes::exchange& posted_lanes::exchange_at(std::size_t piece) {
    const bool is_shorter = piece_at(piece).length() < at_.per_piece;
    return exchanges_[place_at(piece) + (is_shorter ? most_places : 0)];
}

TOPOMP_INLINE void posted_lanes::start_exchange(std::size_t piece) {
    if (!exchanges()) return;
    const block_range part = part_of(piece, number_);
    if (part.length() == 0) return;
    exchange& one = exchange_at(piece);
    lends_memory_ = true;
    one.is_under_way = true;
    if (!one.was_started || !one.running->start_again()) {
        context& lane = lanes_.lane();
        reserved_tags& tags = tags_[place_at(piece) % std::min(depth, at_.pieces)];
        tags.taken = 0;
        const context::start_of_one now{lane, &tags};
        std::byte* const sum = operands(place_of(number_), piece) + bytes_of(part.begin);
        run_all_reduce_in_rounds(lane, lane, sum, {sum, part.length(), result_.type}, op_, lanes_.radix(),
                                 lanes_.whole_bytes(),
                                 [&]<class Operation>(operation_pool<Operation>& pool, auto start_one) {
                                     if (one.running == nullptr) {
                                         one.running = pool.take();
                                         one.give_back = &give_back_to_pool<Operation>;
                                         one.pool = &pool;
                                     }
                                     start_one(static_cast<Operation&>(*one.running));
                                 });
        one.was_started = true;
    }
    if (one.running->advance()) one.is_under_way = false; // its first messages leave now
}

TOPOMP_INLINE void posted_lanes::take(std::size_t piece) {
    auto* const to = static_cast<std::byte*>(result_.data) + bytes_of(piece_at(piece).begin);
    for (int rank = 0; rank < size_; ++rank) {
        const block_range slice = slice_of(piece, rank);
        const std::size_t at = bytes_of(slice.begin);
        copy_shared(to + at, operands(place_of(rank), piece) + at, bytes_of(slice.length()));
    }
}

} // namespace topo::detail
