// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/all_reduce_in_rounds.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/rounds_in_lanes.hpp>
#include <topomp/algorithm/rounds_in_level.hpp>
#include <topomp/algorithm/schedule/radices.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/nodes_with_rooms.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE bool lanes_broadcast(context& ranks, const loop_plan& plan, const message& what, int root) {
    auto* const nodes = nodes_of<lanes_of_slices>(ranks, plan);
    return nodes != nullptr && nodes->broadcast(what, root);
}

TOPOMP_INLINE bool lanes_reduce(context& ranks, const loop_plan& plan, const void* input,
                                const message& result, MPI_Op op, int root) {
    auto* const nodes = nodes_of<lanes_of_slices>(ranks, plan);
    return nodes != nullptr && nodes->reduce(input, result, op, root);
}

TOPOMP_INLINE bool lanes_all_reduce(context& ranks, const loop_plan& plan, const void* input,
                                    const message& result, MPI_Op op) {
    auto* const nodes = nodes_of<lanes_of_slices>(ranks, plan);
    return nodes != nullptr && nodes->all_reduce(input, result, op);
}

TOPOMP_INLINE lanes_of_slices::lanes_of_slices(context& ranks, const loop_plan& plan)
    : nodes_with_rooms(ranks, plan), radix_(plan.rules.back().algorithm.radix_of_lanes),
      whole_bytes_(plan.rules.back().algorithm.whole_bytes_of_lanes) {
    const bool has_lane = number_ < least_size_;
    const MPI_Comm comm =
        mpi::comm_split(ranks.private_comm(), has_lane ? number_ : MPI_UNDEFINED, node_, "ranks of a lane");
    if (has_lane) ranks.running().include(lane_.emplace(own(comm), place{}));
    for (int node = 0; node < nodes(); ++node)
        if (rank_of(node, size_of(node) - 1) != rank_of(node, 0) + size_of(node) - 1) in_rank_order_ = false;
}

TOPOMP_INLINE bool lanes_of_slices::folds_lanes() const {
    return radices{nodes(), {}, radix_}.product() != nodes();
}

TOPOMP_INLINE bool lanes_of_slices::all_reduce(const void* input, const message& result, MPI_Op op) {
    if (!shared_combine::takes(type_layout{result.type}) || result.count == 0) return false;
    const auto begin = [](auto& pool, auto start) { return started{pool, start}; };
    return keep_if_failed([&] {
        shared_combine{*room_, input, result, op, shared_combine::all_ranks}.run_in_slices(
            [&](const message& slice) {
                return run_all_reduce_in_rounds(lane(), ranks_, slice.data, slice, op, radix_, whole_bytes_,
                                                begin);
            },
            least_size_);
        return true;
    });
}

TOPOMP_INLINE bool lanes_of_slices::reduce(const void* input, const message& result, MPI_Op op, int root) {
    if (!shared_combine::takes(type_layout{result.type}) || result.count == 0) return false;
    const int target = node_of(root);
    const int receiver = target == node_ ? number_of(root) : shared_combine::no_rank;
    return keep_if_failed([&] {
        shared_combine{*room_, input, result, op, receiver}.run_in_slices(
            [&](const message& slice) {
                return started{ranks_.pool<reduce_exchange>(), [&](reduce_exchange& all) {
                                   all.start(lane(), slice.data, slice, {op, true}, target, radix_);
                               }};
            },
            least_size_);
        return true;
    });
}

TOPOMP_INLINE lanes_of_slices::range lanes_of_slices::slice_of(int number, std::size_t length) const {
    constexpr std::size_t line = 64;
    const auto lanes = static_cast<std::size_t>(least_size_);
    const std::size_t each = round_up((length + lanes - 1) / lanes, line);
    const std::size_t first = std::min(length, static_cast<std::size_t>(number) * each);
    return {first, std::min(each, length - first)};
}

TOPOMP_INLINE void lanes_of_slices::send_slice(std::byte* from, std::size_t length, int source) {
    const range mine = slice_of(number_, length);
    if (mine.bytes == 0) return;
    context& others = lane();
    run(others.pool<broadcast_exchange>(), [&](broadcast_exchange& all) {
        all.start(others, {from + mine.first, mine.bytes, MPI_BYTE}, source, radix_);
    });
}

TOPOMP_INLINE void lanes_of_slices::spread(int holder, std::byte* data, std::size_t piece, std::size_t length,
                                           int source) {
    std::byte* const from = piece_of(holder, piece);
    if (number_ == holder) {
        copy_shared(from, data, length);
        room_->raise(room_->filled(holder), room_->now(piece + 1));
    } else {
        room_->wait_for(holder, room_->filled(holder), room_->now(piece + 1));
    }
    send_slice(from, length, source);
    if (number_ != holder) copy_shared(data, from, length);
}

TOPOMP_INLINE void lanes_of_slices::take(std::byte* data, std::size_t piece, std::size_t length, int source) {
    send_slice(piece_of(number_, piece), length, source);
    room_->raise(room_->reduced(number_), room_->now(piece + 1));
    room_->wait_for_all(&shared_room::reduced, room_->now(piece + 1));
    for (int number = 0; number < least_size_; ++number)
        if (const range part = slice_of(number, length); part.bytes > 0)
            copy_shared(data + part.first, piece_of(number, piece) + part.first, part.bytes);
}

TOPOMP_INLINE bool lanes_of_slices::broadcast(const message& what, int root) {
    return keep_if_failed([&] { return broadcast_in_memory(what, root); });
}

TOPOMP_INLINE bool lanes_of_slices::broadcast_in_memory(const message& what, int root) {
    const type_layout layout{what.type};
    const std::size_t bytes = what.count * layout.size;
    if (bytes == 0) return false;
    const int source = node_of(root), holder = number_of(root);
    if (!layout.is_dense) room_->own_copy().reserve(bytes);
    std::byte* const data = layout.is_dense ? static_cast<std::byte*>(what.data) : room_->own_copy().data();
    const bool is_root = ranks_.rank() == root;
    if (is_root && !layout.is_dense) pack(what, layout, data);
    room_->begin();
    room_->own_all_chunks();
    for (std::size_t piece = 0, first = 0; first < bytes; ++piece, first += piece_bytes) {
        const std::size_t length = std::min(piece_bytes, bytes - first);
        if (piece >= 2) room_->wait_for_all(&shared_room::taken, room_->now(piece - 1)); // its memory is free
        if (node_ == source)
            spread(holder, data + first, piece, length, source);
        else
            take(data + first, piece, length, source);
        room_->raise(room_->taken(number_), room_->now(piece + 1));
    }
    room_->end();
    if (!is_root && !layout.is_dense) unpack(data, what, layout);
    return true;
}

} // namespace topo::detail
