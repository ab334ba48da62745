// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/circulant_all_gather.hpp>
#include <topomp/algorithm/schedule/circulant_schedule.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void circulant_all_gather::start(context& ranks, const blocks& result,
                                               std::size_t piece_bytes) {
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    own_ = ranks.rank();
    members_.clear();
    start(ranks.private_comm().size(), result, piece_bytes);
}

TOPOMP_INLINE void circulant_all_gather::start(MPI_Comm private_comm, int tag, std::vector<int> members,
                                               int own, const blocks& result, std::size_t piece_bytes) {
    private_comm_ = private_comm;
    tag_ = tag;
    own_ = own;
    members_ = std::move(members);
    start(static_cast<int>(members_.size()), result, piece_bytes);
}

TOPOMP_INLINE void circulant_all_gather::start(int size, const blocks& result, std::size_t piece_bytes) {
    slots_.clear();
    received_.clear();
    round_ = 0;
    result_ = result;
    layout_ = type_layout{result.type};
    std::size_t longest = 0;
    for (int each = 0; each < size; ++each)
        longest = std::max(longest, result.count_of(each) * layout_.size);
    const std::size_t pieces = (longest + piece_bytes - 1) / piece_bytes;
    if (rounds_.size() == size && rounds_.pieces() == pieces) return;
    rounds_ = {size, pieces};
    arrivals_.clear();
    if (rounds_.rounds() == 0) return;
    for (int number = 1; number < size; ++number)
        arrivals_.push_back(rounds_.arrivals_of(number));
}

TOPOMP_INLINE void circulant_all_gather::find_pieces(int receiver, std::size_t round,
                                                     std::vector<message>& found) const {
    found.clear();
    const std::size_t pieces = rounds_.pieces();
    for (int number = 1; number < rounds_.size(); ++number) {
        const std::size_t piece = rounds_.piece(arrivals_[static_cast<std::size_t>(number) - 1], round);
        if (piece == circulant_rounds::no_piece) continue;
        const message block =
            result_.block_of((receiver + rounds_.size() - number) % rounds_.size(), layout_);
        const std::size_t each = block.count / pieces, longer = block.count % pieces;
        const std::size_t first = piece * each + std::min(piece, longer);
        const std::size_t count = each + (piece < longer ? 1 : 0);
        if (count > 0) found.push_back({layout_.element(block.data, first), count, block.type});
    }
}

TOPOMP_INLINE std::size_t circulant_all_gather::bytes_of_all(const std::vector<message>& pieces) const {
    std::size_t bytes = 0;
    for (const message& each : pieces)
        bytes += each.count * layout_.size;
    return bytes;
}

TOPOMP_INLINE void circulant_all_gather::begin_round() {
    const int away = rounds_.distance(rounds_.place_of(round_));
    const int next = (own_ + away) % rounds_.size(), last = (own_ + rounds_.size() - away) % rounds_.size();
    const int to = rank_of(next), from = rank_of(last);
    find_pieces(own_, round_, received_);
    find_pieces(next, round_, sent_);
    if (received_.size() == 1) in_.start(received_.front(), layout_, from, tag_, private_comm_, slots_);
    if (received_.size() > 1) {
        const std::size_t bytes = bytes_of_all(received_);
        landing_.reserve(bytes);
        receive_packed(landing_.data(), bytes, from, tag_, private_comm_, slots_);
    }
    if (sent_.size() == 1) out_.start(sent_.front(), layout_, to, tag_, private_comm_, slots_);
    if (sent_.size() > 1) {
        const std::size_t bytes = bytes_of_all(sent_);
        departing_.reserve(bytes);
        std::byte* here = departing_.data();
        for (const message& each : sent_) {
            pack(each, layout_, here);
            here += each.count * layout_.size;
        }
        send_packed(departing_.data(), bytes, to, tag_, private_comm_, slots_);
    }
    ++round_;
}

TOPOMP_INLINE void circulant_all_gather::finish_round() {
    if (received_.size() == 1) return in_.finish();
    std::byte* here = landing_.data();
    for (const message& each : received_) {
        unpack(here, each, layout_);
        here += each.count * layout_.size;
    }
}

TOPOMP_INLINE bool circulant_all_gather::advance() {
    while (are_free(slots_, 0)) {
        finish_round();
        received_.clear();
        slots_.clear();
        if (round_ == rounds_.rounds()) return true;
        begin_round();
    }
    return false;
}

} // namespace topo::detail
