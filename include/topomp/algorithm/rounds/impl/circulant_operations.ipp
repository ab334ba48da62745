// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/rounds/circulant_operations.hpp>
#include <topomp/algorithm/schedule/circulant_schedule.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void circulant_operation::begin(context& ranks, const message& what, int root,
                                              std::size_t piece_bytes, bool takes_in_order,
                                              std::size_t under_way) {
    window_ = under_way;
    takes_in_order_ = takes_in_order;
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    root_ = root;
    size_ = ranks.private_comm().size();
    type_ = what.type;
    layout_ = type_layout{what.type};
    cut_ = segments{what.count, layout_.size, piece_bytes};
    schedule_ = circulant_schedule{(ranks.rank() - root + size_) % size_, size_, cut_.number};
    posted_ = arrived_ = sent_ = 0;
    slots_.assign(2 * window_, MPI_REQUEST_NULL);
    is_noted_.assign(window_, 0);
}

TOPOMP_INLINE void circulant_operation::receive(void* to, std::size_t piece, int from, std::size_t round) {
    mpi::check(MPI_Irecv(to, cut_.length(piece), type_, rank_of(from), tag_, private_comm_,
                         &slots_[round % window_]),
               "MPI_Irecv", "piece of a message");
}

TOPOMP_INLINE void circulant_operation::send(const void* from, std::size_t piece, int to, std::size_t round) {
    const auto send = window_ == 1 ? &MPI_Issend : &mpi::isend;
    mpi::check(send(from, cut_.length(piece), type_, rank_of(to), tag_, private_comm_,
                    &slots_[window_ + round % window_]),
               window_ == 1 ? "MPI_Issend" : "MPI_Isend", "piece of a message");
}

TOPOMP_INLINE bool circulant_operation::advance() {
    const std::size_t rounds = schedule_.rounds();
    for (bool has_moved = true; has_moved;) {
        has_moved = false;
        for (; posted_ < rounds && posted_ < arrived_ + window_; ++posted_) {
            is_noted_[posted_ % window_] = 0;
            post_receive(posted_);
        }
        for (std::size_t round = arrived_; round < posted_; ++round) {
            char& is_noted = is_noted_[round % window_];
            if (is_noted == 0 && slots_[round % window_] == MPI_REQUEST_NULL) {
                arrived(round);
                is_noted = 1;
            }
            if (is_noted == 0 && takes_in_order_) break;
        }
        for (; arrived_ < posted_ && is_noted_[arrived_ % window_] != 0; ++arrived_)
            has_moved = true;
        for (; sent_ < rounds && slots_[window_ + sent_ % window_] == MPI_REQUEST_NULL && post_send(sent_);
             ++sent_)
            has_moved = true;
    }
    return sent_ == rounds && arrived_ == rounds && are_free(slots_, 0);
}

TOPOMP_INLINE void circulant_broadcast::start(context& ranks, const message& what, int root,
                                              std::size_t piece_bytes, std::size_t under_way) {
    begin(ranks, what, root, piece_bytes, false, under_way);
    what_ = what;
    has_.assign(cut_.number, ranks.rank() == root ? 1 : 0);
}

TOPOMP_INLINE void circulant_broadcast::post_receive(std::size_t round) {
    const circulant_schedule::step now = schedule_.at(round);
    if (now.received != circulant_schedule::no_piece)
        receive(element(what_.data, now.received), now.received, now.from, round);
}

TOPOMP_INLINE void circulant_broadcast::arrived(std::size_t round) {
    const circulant_schedule::step now = schedule_.at(round);
    if (now.received != circulant_schedule::no_piece) has_[now.received] = 1;
}

TOPOMP_INLINE bool circulant_broadcast::post_send(std::size_t round) {
    const circulant_schedule::step now = schedule_.at(round);
    if (now.sent == circulant_schedule::no_piece) return true;
    if (has_[now.sent] == 0) return false;
    send(element(what_.data, now.sent), now.sent, now.to, round);
    return true;
}

TOPOMP_INLINE void circulant_reduce::start(context& ranks, const void* input, const message& result,
                                           combination combiner, int root, std::size_t piece_bytes,
                                           std::size_t under_way) {
    begin(ranks, result, root, piece_bytes, true, under_way);
    input_ = input;
    result_ = result;
    op_ = combiner.op;
    if (ranks.rank() != root) {
        work_.reserve(layout_.span(result.count));
        result_.data = work_.data() - layout_.true_lower;
    }
    constexpr std::size_t alignment = 64;
    landing_bytes_ =
        (layout_.span(std::min(cut_.per_segment, result.count)) + alignment - 1) / alignment * alignment;
    landings_.reserve(window() * landing_bytes_);
    is_summed_.assign(cut_.number, 0);
    awaited_.assign(cut_.number, 0);
    for (std::size_t round = 0; round < schedule_.rounds(); ++round)
        if (const std::size_t piece = schedule_.at(round).sent; piece != circulant_schedule::no_piece)
            ++awaited_[piece];
    if (schedule_.rounds() == 0) // of one rank
        copy_block({const_cast<void*>(input), result.count, result.type}, result_, temporary_);
}

TOPOMP_INLINE void* circulant_reduce::landing(std::size_t round) const {
    return landings_.data() + round % window() * landing_bytes_ - layout_.true_lower;
}

TOPOMP_INLINE void circulant_reduce::post_receive(std::size_t round) {
    const circulant_schedule::step now = step_of(round);
    if (now.sent != circulant_schedule::no_piece) receive(landing(round), now.sent, now.to, round);
}

TOPOMP_INLINE void circulant_reduce::arrived(std::size_t round) {
    const std::size_t piece = step_of(round).sent;
    if (piece == circulant_schedule::no_piece) return;
    void* const sum = element(result_.data, piece);
    const void* const own = is_summed_[piece] != 0 ? sum : element(input_, piece);
    reduce_local(landing(round), own, {sum, piece_count(piece), type_}, op_);
    is_summed_[piece] = 1;
    --awaited_[piece];
}

TOPOMP_INLINE bool circulant_reduce::post_send(std::size_t round) {
    const circulant_schedule::step now = step_of(round);
    if (now.received == circulant_schedule::no_piece) return true;
    if (awaited_[now.received] > 0) return false;
    const void* const data = is_summed_[now.received] != 0 ? result_.data : input_;
    send(element(data, now.received), now.received, now.from, round);
    return true;
}

} // namespace topo::detail
