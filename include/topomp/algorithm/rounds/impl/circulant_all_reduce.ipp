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
                                               combination combiner, int radix, std::size_t piece_bytes) {
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    rank_ = ranks.rank();
    size_ = ranks.private_comm().size();
    op_ = combiner.op;
    input_ = input;
    result_ = result;
    layout_ = type_layout{result.type};
    piece_bytes_ = piece_bytes;
    radix = std::min(radix, std::max(2, size_)); // all in one round
    blocks_.assign(1, size_);
    while (blocks_.back() > 1)
        blocks_.push_back((blocks_.back() + radix - 1) / radix);
    round_ = 0;
    slots_.clear();
    received_.clear();
    combined_ = 0;
    const int kept = blocks_.size() > 1 ? blocks_[1] : 1, sent = size_ - kept;
    // Blocks for which nothing comes in the first round; later rounds take them from the result.
    for (int behind = sent; behind < kept && input != result.data; ++behind) {
        const int block = (rank_ + behind) % size_;
        const std::size_t first = first_of(block), count = first_of(block + 1) - first;
        copy_block({const_cast<void*>(layout_.element(input, first)), count, result.type},
                   {layout_.element(result.data, first), count, result.type}, temporary_);
    }
    const auto all = static_cast<std::size_t>(size_);
    landing_.reserve(layout_.span((result.count + all - 1) / all * static_cast<std::size_t>(sent)));
}

TOPOMP_INLINE std::size_t circulant_all_reduce::first_of(int block) const {
    const auto number = static_cast<std::size_t>(block), all = static_cast<std::size_t>(size_);
    return result_.count / all * number + std::min(number, result_.count % all);
}

TOPOMP_INLINE void circulant_all_reduce::append_pieces(int first_block, int blocks, int peer,
                                                       std::vector<piece>& to) const {
    constexpr std::size_t most_pieces = 8; // of one message
    const auto append = [&](std::size_t first, std::size_t last) {
        const std::size_t bytes = (last - first) * layout_.size;
        const segments cut{last - first, layout_.size, std::max(piece_bytes_, bytes / most_pieces + 1)};
        for (std::size_t each = 0; each < cut.number; ++each)
            to.push_back({first + cut.first(each), cut.length(each), peer});
    };
    const int end = first_block + blocks;
    append(first_of(first_block), first_of(std::min(end, size_)));
    if (end > size_) append(0, first_of(end - size_));
}

TOPOMP_INLINE void circulant_all_reduce::begin_round() {
    const std::size_t rounds = blocks_.size() - 1;
    const bool reduces = round_ < rounds;
    const std::size_t which = reduces ? round_ : 2 * rounds - 1 - round_;
    const int all = blocks_[which], kept = blocks_[which + 1];
    received_.clear();
    sent_.clear();
    for (int away = kept; away < all; away += kept) {
        const int behind = (rank_ + away) % size_, before = (rank_ + size_ - away) % size_;
        const int part = std::min(kept, all - away);
        append_pieces(rank_, part, before, reduces ? received_ : sent_);
        append_pieces(behind, part, behind, reduces ? sent_ : received_);
    }
    slots_.assign(received_.size() + sent_.size(), MPI_REQUEST_NULL);
    auto slot = slots_.begin();
    std::size_t before = 0;
    for (const piece& each : received_) {
        void* const to = reduces ? landing(before) : layout_.element(result_.data, each.first);
        mpi::check(MPI_Irecv(to, each.count, result_.type, each.peer, tag_, private_comm_, &*slot++),
                   "MPI_Irecv", "blocks of a message");
        before += static_cast<std::size_t>(each.count);
    }
    const void* const source = round_ == 0 ? input_ : result_.data;
    for (const piece& each : sent_)
        mpi::check(mpi::isend(layout_.element(source, each.first), each.count, result_.type, each.peer, tag_,
                              private_comm_, &*slot++),
                   "MPI_Isend", "blocks of a message");
    combined_ = reduces ? 0 : received_.size();
    landed_ = 0;
    ++round_;
}

TOPOMP_INLINE void circulant_all_reduce::combine_arrived() {
    for (; combined_ < received_.size() && slots_[combined_] == MPI_REQUEST_NULL; ++combined_) {
        const piece& here = received_[combined_];
        const auto count = static_cast<std::size_t>(here.count);
        void* const sum = layout_.element(result_.data, here.first);
        // The first part that comes is the longest one, so that others find a sum.
        const bool is_first = round_ == 1 && here.peer == received_.front().peer;
        const void* const own = is_first ? layout_.element(input_, here.first) : sum;
        reduce_local(landing(landed_), own, {sum, count, result_.type}, op_);
        landed_ += count;
    }
}

TOPOMP_INLINE bool circulant_all_reduce::advance() {
    for (;;) {
        combine_arrived();
        if (!are_free(slots_, 0)) return false;
        if (round_ == 2 * (blocks_.size() - 1)) return true;
        begin_round();
    }
}

} // namespace topo::detail
