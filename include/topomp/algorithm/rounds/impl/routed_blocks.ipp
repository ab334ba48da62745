// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/rounds/routed_blocks.hpp>
#include <topomp/algorithm/schedule/block_route.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void routed_blocks::start(context& ranks, const block_route& route, std::size_t shorter_than,
                                        const blocks& source, const blocks& result) {
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    rank_ = ranks.rank();
    route_ = &route;
    result_ = result;
    result_layout_ = type_layout{result.type};
    slots_.clear();
    parcels_.clear();
    arrivals_.clear();
    problem_.clear();
    used_ = round_ = 0;
    has_rests_ = is_started_ = false;
    pack_own(ranks, shorter_than, source);
    note_awaited(shorter_than);
}

TOPOMP_INLINE void routed_blocks::pack_own(context& ranks, std::size_t shorter_than, const blocks& source) {
    const type_layout layout{source.type};
    const int size = ranks.private_comm().size();
    const auto bytes_for = [&](int target) { return source.count_of(target) * layout.size; };
    std::size_t packed = 0;
    if (!layout.is_dense)
        for (int target = 0; target < size; ++target)
            if (target != rank_ && bytes_for(target) < shorter_than) packed += bytes_for(target);
    own_.reserve(packed);
    std::byte* next = own_.data();
    for (int target = 0; target < size; ++target) {
        const std::size_t bytes = bytes_for(target);
        if (bytes >= shorter_than) continue;
        const message block = source.block_of(target, layout);
        if (target == rank_) {
            copy_block(block, result_.block_of(rank_, result_layout_), temporary_);
            continue;
        }
        if (bytes == 0) continue;
        const header what{rank_, target, static_cast<std::uint32_t>(bytes)};
        if (layout.is_dense) {
            parcels_.push_back({what, static_cast<const std::byte*>(block.data)});
            continue;
        }
        pack(block, layout, next);
        parcels_.push_back({what, next});
        next += bytes;
    }
}

TOPOMP_INLINE void routed_blocks::note_awaited(std::size_t shorter_than) {
    if (route_->other_nodes().empty()) return;
    is_awaited_.assign(route_->other_nodes().size() + 1, false);
    for (int source = 0; source < static_cast<int>(result_.counts.size()); ++source) {
        const std::size_t bytes = result_.count_of(source) * result_layout_.size;
        if (bytes > 0 && bytes < shorter_than)
            is_awaited_[static_cast<std::size_t>(route_->node_of(source))] = true;
    }
    for (const int other : route_->other_nodes())
        if (is_awaited_[static_cast<std::size_t>(route_->node_of(other))])
            parcels_.push_back({{no_rank, other, 0}, nullptr});
}

TOPOMP_INLINE bool routed_blocks::advance() {
    for (;;) {
        // Before what this rank sends has gone: the rest of that may be waiting for the receiver, which does
        // the same.
        if (is_started_ && !has_rests_ && are_free(slots_, sends_)) {
            receive_rests();
            has_rests_ = true;
        }
        if (!are_free(slots_, 0)) return false;
        slots_.clear();
        if (is_started_) {
            take_in();
            ++round_;
        }
        is_started_ = round_ < route_->rounds().size();
        has_rests_ = false;
        if (!is_started_) {
            if (!problem_.empty()) throw argument_error("topo::all_to_allv", "result", problem_);
            return true;
        }
        begin_round();
    }
}

TOPOMP_INLINE void routed_blocks::begin_round() {
    const auto& now = route_->rounds()[round_];
    const bool is_between_nodes = now.weight == 0;
    next_.resize(parcels_.size());
    is_awaited_.assign(now.from.size(), !is_between_nodes);
    for (std::size_t i = 0; i < parcels_.size(); ++i) {
        next_[i] = route_->next(now, parcels_[i].what.target);
        if (is_between_nodes && parcels_[i].what.source == no_rank)
            is_awaited_[static_cast<std::size_t>(std::exchange(next_[i], block_route::stays))] = true;
    }
    for (std::size_t i = 0; i < now.from.size(); ++i) {
        if (!is_awaited_[i]) continue;
        arrivals_.push_back({now.from[i], used_});
        receive_packed(new_buffer(longest_part).data(), longest_part, now.from[i], tag_, private_comm_,
                       slots_);
    }
    const auto receives = static_cast<std::ptrdiff_t>(slots_.size());
    send_round(now);
    std::rotate(slots_.begin(), slots_.begin() + receives, slots_.end());
    sends_ = slots_.size() - static_cast<std::size_t>(receives);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < parcels_.size(); ++i)
        if (next_[i] == block_route::stays && !(is_between_nodes && parcels_[i].what.source == no_rank))
            parcels_[kept++] = parcels_[i];
    parcels_.resize(kept);
}

TOPOMP_INLINE void routed_blocks::send_round(const block_route::round& now) {
    auto &bytes = message_bytes_, &begin = message_begin_, &at = message_end_;
    bytes.assign(now.to.size(), 0);
    begin.clear();
    at.clear();
    for (std::size_t i = 0; i < parcels_.size(); ++i)
        if (next_[i] != block_route::stays)
            bytes[static_cast<std::size_t>(next_[i])] += sizeof(header) + parcels_[i].what.bytes;
    std::uint64_t all = 0;
    for (const std::uint64_t each : bytes) {
        begin.push_back(all);
        all += sizeof(std::uint64_t) + each;
    }
    going_.reserve(all);
    for (std::size_t m = 0; m < bytes.size(); ++m) {
        const std::uint64_t whole = sizeof whole + bytes[m];
        std::memcpy(going_.data() + begin[m], &whole, sizeof whole);
        at.push_back(begin[m] + sizeof whole);
    }
    for (std::size_t i = 0; i < parcels_.size(); ++i) {
        if (next_[i] == block_route::stays) continue;
        std::uint64_t& to = at[static_cast<std::size_t>(next_[i])];
        const parcel& each = parcels_[i];
        std::memcpy(going_.data() + to, &each.what, sizeof each.what);
        to += sizeof each.what;
        copy_bytes(going_.data() + to, each.data, each.what.bytes);
        to += each.what.bytes;
    }
    for (std::size_t m = 0; m < bytes.size(); ++m) {
        if (now.weight == 0 && bytes[m] == 0) continue;
        const std::size_t whole = at[m] - begin[m], first = std::min(whole, longest_part);
        std::byte* const data = going_.data() + begin[m];
        send_packed(data, first, now.to[m], tag_, private_comm_, slots_);
        send_packed(data + first, whole - first, now.to[m], tag_, private_comm_, slots_);
    }
}

TOPOMP_INLINE void routed_blocks::receive_rests() {
    for (arrival& each : arrivals_) {
        std::uint64_t whole = 0;
        std::memcpy(&whole, arrived_[each.buffer].data(), sizeof whole);
        if (whole <= longest_part) continue;
        const std::size_t part = std::exchange(each.buffer, used_);
        std::byte* const all = new_buffer(whole).data();
        copy_bytes(all, arrived_[part].data(), longest_part);
        receive_packed(all + longest_part, whole - longest_part, each.from, tag_, private_comm_, slots_);
    }
}

TOPOMP_INLINE void routed_blocks::take_in() {
    for (const arrival& each : arrivals_) {
        const std::byte* at = arrived_[each.buffer].data();
        std::uint64_t whole = 0;
        std::memcpy(&whole, at, sizeof whole);
        const std::byte* const end = at + whole;
        for (at += sizeof whole; at != end;) {
            header what;
            std::memcpy(&what, at, sizeof what);
            at += sizeof what;
            if (what.target == rank_ && what.source != no_rank)
                deliver(what, at);
            else
                parcels_.push_back({what, at});
            at += what.bytes;
        }
    }
    arrivals_.clear();
}

TOPOMP_INLINE void routed_blocks::deliver(const header& what, const std::byte* data) {
    const message block = result_.block_of(what.source, result_layout_);
    const std::size_t room = block.count * result_layout_.size;
    if (what.bytes == room) return unpack(const_cast<std::byte*>(data), block, result_layout_);
    if (problem_.empty())
        problem_ = "rank " + std::to_string(what.source) + " sends " + std::to_string(what.bytes) +
                   " bytes to rank " + std::to_string(rank_) + ", whose count stands for " +
                   std::to_string(room);
}

TOPOMP_INLINE scratch_buffer& routed_blocks::new_buffer(std::size_t bytes) {
    if (used_ == arrived_.size()) arrived_.emplace_back();
    scratch_buffer& made = arrived_[used_++];
    made.reserve(bytes);
    return made;
}

} // namespace topo::detail
