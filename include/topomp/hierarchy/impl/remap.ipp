// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/remap.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>
#include <climits>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace topo {

TOPOMP_INLINE const remapping& remapping::open(const char* scope, const char* call) const {
    detail::require_usable(static_cast<bool>(private_comm_), scope, call);
    return *this;
}

TOPOMP_INLINE remapping remap(const boost::mpi::communicator& base, MPI_Comm other) {
    mpi::require_intracommunicator("topo::remap", base);
    const int rank = base.rank();
    const bool is_in = other != MPI_COMM_NULL;
    const int one = is_in ? 1 : 0;
    const std::array mine{is_in ? mpi::comm_size(other) : 0, is_in ? -mpi::comm_size(other) : -INT_MAX};
    std::array<int, 2> greatest{};
    int present = 0;
    mpi::allreduce(mine.data(), greatest.data(), 2, MPI_INT, MPI_MAX, base, "size of the other communicator");
    mpi::allreduce(&one, &present, 1, MPI_INT, MPI_SUM, base, "ranks of the other communicator");
    const int size = greatest[0], least = -greatest[1];
    if (present > 0 && least != size)
        throw argument_error("topo::remap", "a communicator of " + std::to_string(size) + " ranks",
                             "another rank of the base gives one of " + std::to_string(least) +
                                 ", but all have to give the same");
    if (present != size)
        throw argument_error("topo::remap", "a communicator of " + std::to_string(size) + " ranks",
                             std::to_string(present) + " of them are in the base; all have to be");
    auto private_comm = detail::own(mpi::comm_dup(base, "ranks of a remapping"));
    const int from = is_in ? mpi::comm_rank(other) : MPI_PROC_NULL;
    // The receiver of a rank's data sends it its number, because the rank itself may not be in the other
    // communicator.
    int to = MPI_PROC_NULL;
    MPI_Request asked = MPI_REQUEST_NULL;
    if (rank < size)
        mpi::check(MPI_Irecv(&to, 1, MPI_INT, MPI_ANY_SOURCE, 0, private_comm, &asked), "MPI_Irecv",
                   "rank to send to");
    mpi::check(MPI_Send(&rank, 1, MPI_INT, from, 0, private_comm), "MPI_Send", "rank to send to");
    mpi::check(MPI_Wait(&asked, MPI_STATUS_IGNORE), "MPI_Wait", "rank to send to");
    return {std::move(private_comm), to, from};
}

} // namespace topo

namespace topo::detail {

TOPOMP_INLINE void compare_lengths([[maybe_unused]] const remapping& along,
                                   [[maybe_unused]] MPI_Comm private_comm, [[maybe_unused]] const message& in,
                                   [[maybe_unused]] const message& out) {
    if constexpr (is_checked) {
        const bool is_expecting = along.from_rank() != MPI_PROC_NULL;
        const std::size_t sent = along.to_rank() != MPI_PROC_NULL ? bytes_of(in) : 0,
                          room = is_expecting ? bytes_of(out) : 0;
        std::size_t coming = 0;
        mpi::check(MPI_Sendrecv(&sent, 1, mpi::size_type(), along.to_rank(), 1, &coming, 1, mpi::size_type(),
                                along.from_rank(), 1, private_comm, MPI_STATUS_IGNORE),
                   "MPI_Sendrecv", "lengths of data");
        check_on(private_comm, "topo::permute", [&] {
            if (coming != room)
                throw argument_error("topo::permute", "out",
                                     "it has room for " + std::to_string(room) + " bytes, rank " +
                                         std::to_string(along.from_rank()) + " sends " +
                                         std::to_string(coming));
        });
    }
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE void permute(const remapping& along, const message& in, const message& out) {
    along.open("topo", "permute");
    constexpr std::size_t most = std::size_t{1} << 30; // elements in a message that MPI can count
    detail::check_on(along.private_comm_, "topo::permute", [&] {
        if (along.to_rank() != MPI_PROC_NULL) detail::require_message("topo::permute", in);
        if (along.from_rank() != MPI_PROC_NULL) detail::require_message("topo::permute", out);
    });
    detail::compare_lengths(along, along.private_comm_, in, out);
    // What is ignored may have a type that MPI refuses.
    const message outgoing = along.to_rank() == MPI_PROC_NULL ? message{} : in;
    const message incoming = along.from_rank() == MPI_PROC_NULL ? message{} : out;
    std::size_t sent = 0, received = 0;
    do {
        const std::size_t next_out = std::min(most, outgoing.count - sent),
                          next_in = std::min(most, incoming.count - received);
        mpi::check(MPI_Sendrecv(
                       detail::element_at(outgoing.data, sent, outgoing.type), static_cast<int>(next_out),
                       outgoing.type, sent > 0 && next_out == 0 ? MPI_PROC_NULL : along.to_rank(), 1,
                       detail::element_at(incoming.data, received, incoming.type), static_cast<int>(next_in),
                       incoming.type, received > 0 && next_in == 0 ? MPI_PROC_NULL : along.from_rank(), 1,
                       along.private_comm_, MPI_STATUS_IGNORE),
                   "MPI_Sendrecv", "data that moves along a remapping");
        sent += next_out;
        received += next_in;
    } while (sent < outgoing.count || received < incoming.count);
}

} // namespace topo
