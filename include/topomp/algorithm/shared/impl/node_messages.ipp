// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_messages.hpp>
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/oversubscription.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE arena* arena_of_nodes(const hierarchy& levels) {
    return moves_in_memory() && oversubscription::of(levels).shares_memory ? &arena::of(levels) : nullptr;
}

TOPOMP_INLINE copy_groups* nodes_with_memory(const hierarchy& levels) {
    const arena* const memory = arena_of_nodes(levels);
    return memory != nullptr ? &copy_groups::of(levels, memory->comm()) : nullptr;
}

TOPOMP_INLINE bool take_on_all_nodes(const hierarchy& levels, arena::block& memory, std::size_t bytes,
                                     const char* call, window_sharers sharers) {
    arena& from = arena::of(levels, sharers);
    try {
        all_or_none(context::of(levels).private_comm(), [&] {
            memory = from.take(round_up(bytes, page_bytes), page_bytes, call);
            return true;
        });
    } catch (const system_error&) { // on all ranks, which have messages
        return false;
    }
    return true;
}

TOPOMP_INLINE void node_messages::begin(context& ranks) {
    begin(ranks.private_comm(), ranks.next_tag(), ranks.running());
}

TOPOMP_INLINE void node_messages::begin(MPI_Comm comm, int tag, in_flight& others) {
    others_ = &others;
    comm_ = comm;
    tag_ = tag;
    requests_.clear();
}

TOPOMP_INLINE void node_messages::require_none_left() const {
    if (!requests_.empty()) [[unlikely]]
        refuse_after_failure("topo::node_aggregated", "memory of a node", "a collective through it");
}

TOPOMP_INLINE void node_messages::check(int code, const char* call, std::string_view object) {
    if (code == MPI_SUCCESS) [[likely]]
        return;
    others_->left.add(requests_);
    mpi::fail(code, call, object);
}

TOPOMP_INLINE void node_messages::send(const std::byte* data, std::size_t bytes, int to) {
    if (bytes > 0)
        check(mpi::isend(const_cast<std::byte*>(data), static_cast<int>(bytes), MPI_BYTE, to, tag_, comm_,
                         &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Isend", "blocks of a node");
}

TOPOMP_INLINE void node_messages::receive(std::byte* data, std::size_t bytes, int from) {
    if (bytes > 0)
        check(MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, tag_, comm_,
                        &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Irecv", "blocks of a node");
}

TOPOMP_INLINE void node_messages::wait_for(std::size_t first) {
    try {
        if (first > 0) others_->wait_for_all(std::span{requests_}.first(first), "blocks of nodes");
    } catch (...) {
        others_->left.add(requests_);
        throw;
    }
    requests_.erase(requests_.begin(), requests_.begin() + static_cast<std::ptrdiff_t>(first));
}

TOPOMP_INLINE bool node_messages::are_complete(bool waits) {
    if (waits) wait_for_all();
    if (requests_.empty()) return true;
    int all = 0;
    check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE),
          "MPI_Testall", "blocks of nodes");
    if (all != 0) requests_.clear();
    return all != 0;
}

} // namespace topo::detail
