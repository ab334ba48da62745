// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/rounds/circulant_all_reduce.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void circulant_all_reduce::start(context& ranks, const void* input, const message& result,
                                               combination combiner, std::size_t piece_bytes) {
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    rank_ = ranks.rank();
    size_ = ranks.private_comm().size();
    op_ = combiner.op;
    input_ = input;
    result_ = result;
    layout_ = type_layout{result.type};
    piece_bytes_ = piece_bytes;
    halves_.clear();
    for (int blocks = size_; blocks > 1; blocks -= blocks / 2)
        halves_.push_back(blocks);
    round_ = 0;
    slots_.clear();
    received_.clear();
    // What the first round leaves as it is, the others take from the result.
    if (size_ % 2 == 1 && input != result.data) {
        const int block = (rank_ + size_ / 2) % size_;
        const std::size_t first = first_of(block), count = first_of(block + 1) - first;
        copy_block({const_cast<void*>(layout_.element(input, first)), count, result.type},
                   {layout_.element(result.data, first), count, result.type}, temporary_);
    }
    const std::size_t longest = (result.count + static_cast<std::size_t>(size_) - 1) /
                                static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_ / 2);
    landing_.reserve(layout_.span(longest));
}

TOPOMP_INLINE std::size_t circulant_all_reduce::first_of(int block) const {
    const auto number = static_cast<std::size_t>(block), all = static_cast<std::size_t>(size_);
    return result_.count / all * number + std::min(number, result_.count % all);
}

TOPOMP_INLINE void circulant_all_reduce::append_pieces(int first_block, int blocks,
                                                       std::vector<piece>& to) const {
    constexpr std::size_t most_pieces = 8; // of one message
    std::size_t landing = 0;
    const auto append = [&](std::size_t first, std::size_t last) {
        const std::size_t bytes = (last - first) * layout_.size;
        const segments cut{last - first, layout_.size, std::max(piece_bytes_, bytes / most_pieces + 1)};
        for (std::size_t each = 0; each < cut.number; ++each)
            to.push_back({first + cut.first(each), cut.length(each), landing + cut.first(each)});
        landing += last - first;
    };
    const int end = first_block + blocks;
    append(first_of(first_block), first_of(std::min(end, size_)));
    if (end > size_) append(0, first_of(end - size_));
}

TOPOMP_INLINE void circulant_all_reduce::begin_round() {
    const std::size_t rounds = halves_.size();
    const bool reduces = round_ < rounds;
    const int blocks = halves_[reduces ? round_ : 2 * rounds - 1 - round_];
    const int away = blocks - blocks / 2; // of the rank whose block is the first of the second half
    const int behind = (rank_ + away) % size_, before = (rank_ + size_ - away) % size_;
    received_.clear();
    sent_.clear();
    append_pieces(rank_, blocks / 2, reduces ? received_ : sent_);
    append_pieces(behind, blocks / 2, reduces ? sent_ : received_);
    is_combined_.assign(received_.size(), reduces ? 0 : 1);
    slots_.assign(received_.size() + sent_.size(), MPI_REQUEST_NULL);
    auto slot = slots_.begin();
    for (const piece& each : received_) {
        void* const to = reduces ? layout_.element(landing_.data() - layout_.true_lower, each.landing)
                                 : layout_.element(result_.data, each.first);
        mpi::check(
            MPI_Irecv(to, each.count, result_.type, reduces ? before : behind, tag_, private_comm_, &*slot++),
            "MPI_Irecv", "blocks of a message");
    }
    const void* const source = round_ == 0 ? input_ : result_.data;
    for (const piece& each : sent_)
        mpi::check(MPI_Isend(layout_.element(source, each.first), each.count, result_.type,
                             reduces ? behind : before, tag_, private_comm_, &*slot++),
                   "MPI_Isend", "blocks of a message");
    ++round_;
}

TOPOMP_INLINE void circulant_all_reduce::combine_arrived() {
    for (std::size_t i = 0; i < received_.size(); ++i) {
        if (is_combined_[i] != 0 || slots_[i] != MPI_REQUEST_NULL) continue;
        is_combined_[i] = 1;
        const piece& here = received_[i];
        void* const sum = layout_.element(result_.data, here.first);
        const void* const own = round_ == 1 ? layout_.element(input_, here.first) : sum;
        reduce_local(layout_.element(landing_.data() - layout_.true_lower, here.landing), own,
                     {sum, static_cast<std::size_t>(here.count), result_.type}, op_);
    }
}

TOPOMP_INLINE bool circulant_all_reduce::advance() {
    for (;;) {
        combine_arrived();
        if (!are_free(slots_, 0)) return false;
        if (round_ == 2 * halves_.size()) return true;
        begin_round();
    }
}

} // namespace topo::detail
