// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/block_list.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>

namespace topo {

TOPOMP_INLINE void direct_messages::broadcast(level_members& here, const message& what, int root) {
    if (!is_for(here, what)) return mpi_calls::broadcast(here, what, root);
    const int count = static_cast<int>(what.count);
    if (here.rank() != root) {
        here.running().receive(what.data, count, what.type, root, tag, here.comm(), "broadcast");
        return;
    }
    with_all_others(here, [&](int other, MPI_Request& request) {
        mpi::check(mpi::isend(what.data, count, what.type, other, tag, here.comm(), &request), "MPI_Isend",
                   "broadcast");
    });
}

TOPOMP_INLINE void direct_messages::reduce(level_members& here, const message& sum, MPI_Op op, int root) {
    reduce(here, sum.data, sum, op, root);
}

TOPOMP_INLINE void direct_messages::reduce(level_members& here, const void* input, const message& result,
                                           MPI_Op op, int root) {
    if (!is_for(here, result)) return mpi_calls::reduce(here, input, result, op, root);
    const int count = static_cast<int>(result.count);
    if (here.rank() != root) {
        here.running().send(input, count, result.type, root, tag, here.comm(), "operands");
        return;
    }
    const operands all{here, result};
    with_all_others(here, [&](int other, MPI_Request& request) {
        mpi::check(MPI_Irecv(all.of(other), count, result.type, other, tag, here.comm(), &request),
                   "MPI_Irecv", "operands");
    });
    detail::copy_elements(input, all.of(root), count, result.type);
    // MPI's operations leave the result in the right operand.
    void* const last = all.of(here.size() - 1);
    for (int rank = here.size() - 1; rank-- > 0;)
        mpi::check(MPI_Reduce_local(all.of(rank), last, count, result.type, op), "MPI_Reduce_local",
                   "operands");
    detail::copy_elements(last, result.data, count, result.type);
}

TOPOMP_INLINE void direct_messages::with_all_others(const level_members& here,
                                                    detail::function_ref<void(int, MPI_Request&)> start) {
    std::array<MPI_Request, most_ranks> requests;
    requests.fill(MPI_REQUEST_NULL);
    for (int other = 0; other < here.size(); ++other)
        if (other != here.rank()) start(other, requests[static_cast<std::size_t>(other)]);
    here.running().wait_for_all({requests.data(), static_cast<std::size_t>(here.size())},
                                "messages of a root");
}

TOPOMP_INLINE bool direct_messages::is_for(const level_members& here, const message& what) {
    return what.count > 0 && here.size() <= most_ranks && what.count <= most_bytes &&
           detail::bytes_of(what) <= most_bytes;
}

TOPOMP_INLINE direct_messages::operands::operands(level_members& here, const message& one)
    : layout_(one.type), memory_(here.attached<detail::scratch_buffer>()) {
    bytes_of_each_ = detail::round_up(layout_.span(one.count), 64); // for any type's alignment
    memory_.reserve(bytes_of_each_ * static_cast<std::size_t>(here.size()));
}

TOPOMP_INLINE void* direct_messages::operands::of(int rank) const {
    return memory_.data() + static_cast<std::size_t>(rank) * bytes_of_each_ - layout_.true_lower;
}

} // namespace topo
