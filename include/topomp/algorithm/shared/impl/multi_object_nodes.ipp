// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/multi_object.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/shared/multi_object_nodes.hpp>
#include <topomp/algorithm/shared/nodes_with_rooms.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared/shared_steps.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE bool multi_object_barrier(context& ranks, const loop_plan& plan) {
    auto* const nodes = nodes_of<multi_object_nodes>(ranks, plan);
    if (nodes != nullptr) nodes->barrier();
    return nodes != nullptr;
}

TOPOMP_INLINE bool multi_object_broadcast(context& ranks, const loop_plan& plan, const message& what,
                                          int root) {
    auto* const nodes = nodes_of<multi_object_nodes>(ranks, plan);
    return nodes != nullptr && nodes->broadcast(what, root);
}

TOPOMP_INLINE bool multi_object_reduce(context& ranks, const loop_plan& plan, const void* input,
                                       const message& result, MPI_Op op, int root) {
    auto* const nodes = nodes_of<multi_object_nodes>(ranks, plan);
    return nodes != nullptr && nodes->reduce(input, result, op, root);
}

TOPOMP_INLINE bool multi_object_all_reduce(context& ranks, const loop_plan& plan, const void* input,
                                           const message& result, MPI_Op op) {
    auto* const nodes = nodes_of<multi_object_nodes>(ranks, plan);
    return nodes != nullptr && nodes->all_reduce(input, result, op);
}

TOPOMP_INLINE void multi_object_nodes::send(const void* data, const message& what, int to, int tag) {
    mpi::check(mpi::isend(data, static_cast<int>(what.count), what.type, to, tag, ranks_.private_comm(),
                          &requests_.emplace_back(MPI_REQUEST_NULL)),
               "MPI_Isend", "from node to node");
}

TOPOMP_INLINE void multi_object_nodes::receive(void* data, const message& what, int from, int tag) {
    mpi::check(MPI_Irecv(data, static_cast<int>(what.count), what.type, from, tag, ranks_.private_comm(),
                         &requests_.emplace_back(MPI_REQUEST_NULL)),
               "MPI_Irecv", "from node to node");
}

TOPOMP_INLINE void multi_object_nodes::wait_for_all() {
    if (!requests_.empty()) ranks_.running().wait_for_all(requests_, "from node to node");
    requests_.clear();
}

TOPOMP_INLINE void multi_object_nodes::leave_messages() noexcept {
    ranks_.running().left.add(requests_);
    requests_.clear();
    for (scratch_buffer* const each : {&sum_, &received_})
        keep_for_messages(std::make_shared<scratch_buffer>(std::exchange(*each, {})));
}

TOPOMP_INLINE std::optional<std::size_t> multi_object_nodes::bytes_of_slot(const type_layout& layout,
                                                                           std::size_t count) const {
    constexpr std::size_t line = 64;
    const auto most = static_cast<std::size_t>((nodes() - 2) / least_size_ + 1); // that a rank receives
    if (count == 0 || count > shared_room::chunk_bytes || !shared_combine::takes(layout)) return {};
    const std::size_t bytes = round_up(layout.span(count), line);
    return bytes <= shared_room::chunk_bytes / most ? std::optional{bytes} : std::nullopt;
}

TOPOMP_INLINE void multi_object_nodes::barrier() {
    const message nothing{nullptr, 0, MPI_BYTE};
    const messages left{*this};
    const int tag = ranks_.next_tag();
    if (room_ != nullptr) {
        room_->begin();
        room_->raise(room_->filled(number_), room_->now(1));
    }
    if (number_ < carriers()) {
        if (room_ != nullptr) room_->wait_for_all(&shared_room::filled, room_->now(1));
        for_distances([&](int distance) {
            const int before = (node_ - distance + nodes()) % nodes(), behind = (node_ + distance) % nodes();
            receive(nullptr, nothing, carrier_rank(before, distance), tag);
            send(nullptr, nothing, carrier_rank(behind, distance), tag);
        });
        wait_for_all();
        if (room_ != nullptr) room_->raise(room_->reduced(number_), room_->now(1));
    }
    if (room_ == nullptr) return;
    room_->wait_for_first(carriers(), &shared_room::reduced, room_->now(1));
    room_->end();
}

TOPOMP_INLINE bool multi_object_nodes::broadcast(const message& what, int root) {
    if (what.count > static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
    const messages left{*this};
    const int source = node_of(root), tag = ranks_.next_tag();
    const int away = distance(source, node_);
    const int holder = away == 0 ? number_of(root) : carrier(node_, away);
    if (away > 0 && number_ == holder) {
        receive(what.data, what, carrier_rank(source, away), tag);
        wait_for_all();
    }
    if (room_ != nullptr) shared_broadcast(*room_, copies::fastest, what, holder);
    if (away == 0)
        for_distances([&](int distance) {
            send(what.data, what, carrier_rank((node_ + distance) % nodes(), distance), tag);
        });
    wait_for_all();
    return true;
}

TOPOMP_INLINE bool multi_object_nodes::reduce(const void* input, const message& result, MPI_Op op, int root) {
    const type_layout layout{result.type};
    const auto slot = bytes_of_slot(layout, result.count);
    if (!slot) return false;
    const messages left{*this};
    const int target = node_of(root), tag = ranks_.next_tag();
    const int away = distance(target, node_);
    if (away > 0) { // one rank has the node's sum, and sends it
        const int holder = carrier(node_, away);
        message sum{nullptr, result.count, result.type};
        const void* mine = input;
        if (room_ != nullptr) {
            if (number_ == holder) {
                sum_.reserve(*slot);
                sum.data = sum_.data() - layout.true_lower;
            }
            shared_combine{*room_, input, sum, op, holder}.run();
            mine = sum.data;
        }
        if (number_ == holder) send(mine, result, carrier_rank(target, away), tag);
        wait_for_all();
        return true;
    }
    std::size_t received = 0;
    received_.reserve(*slot * static_cast<std::size_t>(nodes()));
    const auto operand = [&](std::size_t which) {
        return received_.data() + which * *slot - layout.true_lower;
    };
    for_distances([&](int distance) {
        receive(operand(received++), result, carrier_rank((node_ + distance) % nodes(), distance), tag);
    });
    wait_for_all();
    const void* mine = input;
    for (std::size_t each = 0; each < received; ++each) {
        reduce_local(mine, operand(each), {operand(each), result.count, result.type}, op);
        mine = operand(each);
    }
    if (room_ != nullptr)
        shared_combine{*room_, mine, result, op, number_of(root)}.run();
    else
        copy_elements(mine, result.data, static_cast<int>(result.count), result.type);
    return true;
}

TOPOMP_INLINE bool multi_object_nodes::all_reduce(const void* input, const message& result, MPI_Op op) {
    return keep_if_failed([&] { return all_reduce_in_memory(input, result, op); });
}

TOPOMP_INLINE bool multi_object_nodes::all_reduce_in_memory(const void* input, const message& result,
                                                            MPI_Op op) {
    const messages left{*this};
    const type_layout layout{result.type};
    const auto slot = bytes_of_slot(layout, result.count);
    if (!slot) return false;
    const int tag = ranks_.next_tag();
    sum_.reserve(*slot);
    const message sum{sum_.data() - layout.true_lower, result.count, result.type};
    std::byte* slots = nullptr;
    if (room_ != nullptr) {
        shared_combine{*room_, input, sum, op, shared_combine::all_ranks}.run();
        room_->begin();
        if (number_ < carriers()) slots = room_->own_chunk(0);
    } else {
        copy_elements(input, sum.data, static_cast<int>(result.count), result.type);
        received_.reserve(*slot * static_cast<std::size_t>(nodes()));
        slots = received_.data();
    }
    for_distances([&](int distance) {
        const auto place = static_cast<std::size_t>((distance - 1) / size_) * *slot;
        const int before = (node_ - distance + nodes()) % nodes(), behind = (node_ + distance) % nodes();
        receive(slots + place - layout.true_lower, result, carrier_rank(before, distance), tag);
        send(sum.data, sum, carrier_rank(behind, distance), tag);
    });
    wait_for_all();
    if (room_ != nullptr) {
        if (number_ < carriers()) room_->raise(room_->filled(number_), room_->now(1));
        room_->wait_for_first(carriers(), &shared_room::filled, room_->now(1));
    }
    reduce_in_order(nodes(), result, op, [&](int node) -> const void* {
        if (node == node_) return sum.data;
        const int away = distance(node, node_), holder = carrier(node_, away);
        if (holder != number_) charge_copy(layout.span(result.count));
        std::byte* const from = room_ != nullptr ? room_->chunk_of(holder, 0) : slots;
        return from + static_cast<std::size_t>((away - 1) / size_) * *slot - layout.true_lower;
    });
    if (room_ != nullptr) room_->end();
    return true;
}

} // namespace topo::detail
