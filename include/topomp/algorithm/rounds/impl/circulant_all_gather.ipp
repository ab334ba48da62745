// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/circulant_all_gather.hpp>
#include <topomp/algorithm/schedule/circulant_schedule.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
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
    is_unpacked_ = layout_.is_dense;
    blocks_.clear();
    std::size_t longest = 0, all = 0;
    for (int each = 0; each < size; ++each) {
        const message block = result.block_of(each, layout_);
        const std::size_t bytes = block.count * layout_.size;
        blocks_.push_back({static_cast<std::byte*>(block.data), bytes});
        longest = std::max(longest, bytes);
        all += bytes;
    }
    if (!layout_.is_dense) {
        packed_.reserve(all);
        std::byte* next = packed_.data();
        for (piece& each : blocks_) {
            each.data = next;
            next += each.bytes;
        }
        pack(result.block_of(own_, layout_), layout_, blocks_[static_cast<std::size_t>(own_)].data);
    }
    const std::size_t pieces = longest == 0 ? 0 : (longest - 1) / piece_bytes + 1;
    if (rounds_.size() == size && rounds_.pieces() == pieces) return;
    rounds_ = {size, pieces};
    arrivals_.clear();
    if (rounds_.rounds() == 0) return;
    for (int number = 1; number < size; ++number)
        arrivals_.push_back(rounds_.arrivals_of(number));
}

TOPOMP_INLINE void circulant_all_gather::find_pieces(int receiver, std::size_t round,
                                                     std::vector<piece>& found) const {
    found.clear();
    const std::size_t pieces = rounds_.pieces();
    for (int number = 1; number < rounds_.size(); ++number) {
        const std::size_t which = rounds_.piece(arrivals_[static_cast<std::size_t>(number) - 1], round);
        if (which == circulant_rounds::no_piece) continue;
        const int root = receiver >= number ? receiver - number : receiver + rounds_.size() - number;
        const piece& block = blocks_[static_cast<std::size_t>(root)];
        const std::size_t each = block.bytes / pieces, longer = block.bytes % pieces;
        const std::size_t bytes = each + (which < longer ? 1 : 0);
        if (bytes > 0) found.push_back({block.data + which * each + std::min(which, longer), bytes});
    }
}

TOPOMP_INLINE std::size_t circulant_all_gather::bytes_of_all(const std::vector<piece>& pieces) {
    std::size_t bytes = 0;
    for (const piece& each : pieces)
        bytes += each.bytes;
    return bytes;
}

TOPOMP_INLINE void circulant_all_gather::begin_round() {
    const int away = rounds_.distance(rounds_.place_of(round_)), size = rounds_.size();
    const int next = (own_ + away) % size, last = (own_ + size - away) % size;
    find_pieces(own_, round_, received_);
    find_pieces(next, round_, sent_);
    // A single piece is not copied.
    const std::size_t in = bytes_of_all(received_), out = bytes_of_all(sent_);
    if (received_.size() > 1) landing_.reserve(in);
    if (in > 0)
        receive_packed(received_.size() > 1 ? landing_.data() : received_.front().data, in, rank_of(last),
                       tag_, private_comm_, slots_);
    if (sent_.size() > 1) {
        departing_.reserve(out);
        std::byte* here = departing_.data();
        for (const piece& each : sent_) {
            copy_bytes(here, each.data, each.bytes);
            here += each.bytes;
        }
    }
    if (out > 0)
        send_packed(sent_.size() > 1 ? departing_.data() : sent_.front().data, out, rank_of(next), tag_,
                    private_comm_, slots_);
    ++round_;
}

TOPOMP_INLINE void circulant_all_gather::finish_round() {
    const std::byte* here = landing_.data();
    if (received_.size() > 1)
        for (const piece& each : received_) {
            copy_bytes(each.data, here, each.bytes);
            here += each.bytes;
        }
    received_.clear();
}

TOPOMP_INLINE void circulant_all_gather::unpack_all() {
    for (int each = 0; each < rounds_.size(); ++each)
        if (each != own_)
            unpack(blocks_[static_cast<std::size_t>(each)].data, result_.block_of(each, layout_), layout_);
    is_unpacked_ = true;
}

TOPOMP_INLINE bool circulant_all_gather::advance() {
    while (are_free(slots_, 0)) {
        finish_round();
        slots_.clear();
        if (round_ == rounds_.rounds()) {
            if (!is_unpacked_) unpack_all();
            return true;
        }
        begin_round();
    }
    return false;
}

} // namespace topo::detail
