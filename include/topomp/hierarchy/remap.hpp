// SPDX-License-Identifier: BSL-1.0
/// @file
/// Moving data from ranks of one communicator to the ranks with the same numbers in another.
#pragma once

#include <topomp/core/argument_checks.hpp>
#include <topomp/core/checked.hpp>
#include <topomp/core/comparison.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/core/usable.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

namespace topo {

/// Where a rank's data goes and comes from when a communicator is followed by another one of some of its
/// ranks in any order, such as a `node_cart`: rank i of the base has the data that rank i of the other shall
/// have. One that was moved from, or is kept beyond `MPI_Finalize`, may be destroyed, copied and assigned to;
/// all else throws a usage_error.
///
/// ```
///   base    0 1 2 3 4
///   other   2 4 0          ranks 0, 1 and 2 of the other
///   to      2 4 0 - -      from   2 - 0 - 1
/// ```
class remapping {
public:
    /// The base's rank that shall have the caller's data; `MPI_PROC_NULL` if the other has no rank with that
    /// number.
    int to_rank() const { return open("topo::remapping", "to_rank").to_; }
    /// The base's rank that has what the caller shall have; `MPI_PROC_NULL` on ranks that are not in the
    /// other.
    int from_rank() const { return open("topo::remapping", "from_rank").from_; }

private:
    friend remapping remap(const boost::mpi::communicator& base, MPI_Comm other);
    friend void permute(const remapping& along, const message& in, const message& out);

    remapping(boost::mpi::communicator wire, int to, int from)
        : wire_(std::move(wire)), to_(to), from_(from) {}

    const remapping& open(const char* scope, const char* call) const {
        detail::require_usable(static_cast<bool>(wire_), scope, call);
        return *this;
    }

    boost::mpi::communicator wire_; ///< a duplicate of the base, on which nobody else sends
    int to_, from_;
};

/// Finds out where data has to go.
///
/// @param other ranks of @p base in any order; `MPI_COMM_NULL` on the ranks that are not in it
/// @collective over @p base @cost a duplicate, two all-reduces of an integer, and a message for each rank of
/// the other
/// @throws argument_error on every rank if a rank of the other is not in the base
/// @see paper 4, section 3.2 and appendix B (`MPI_Comm_map`)
inline remapping remap(const boost::mpi::communicator& base, MPI_Comm other) {
    mpi::require_intracommunicator("topo::remap", base);
    const int rank = base.rank();
    const bool is_in = other != MPI_COMM_NULL;
    const int mine = is_in ? mpi::comm_size(other) : 0, one = is_in ? 1 : 0;
    int size = 0, present = 0;
    mpi::allreduce(&mine, &size, 1, MPI_INT, MPI_MAX, base, "size of the other communicator");
    mpi::allreduce(&one, &present, 1, MPI_INT, MPI_SUM, base, "ranks of the other communicator");
    if (present != size)
        throw argument_error("topo::remap", "a communicator of " + std::to_string(size) + " ranks",
                             std::to_string(present) + " of them are in the base; all have to be");
    boost::mpi::communicator wire{base, boost::mpi::comm_duplicate};
    const int from = is_in ? mpi::comm_rank(other) : MPI_PROC_NULL;
    // Who shall have a rank's data tells it so: the rank itself may not be in the other, and cannot ask.
    int to = MPI_PROC_NULL;
    MPI_Request asked = MPI_REQUEST_NULL;
    if (rank < size)
        mpi::check(MPI_Irecv(&to, 1, MPI_INT, MPI_ANY_SOURCE, 0, wire, &asked), "MPI_Irecv",
                   "rank to send to");
    mpi::check(MPI_Send(&rank, 1, MPI_INT, from, 0, wire), "MPI_Send", "rank to send to");
    mpi::check(MPI_Wait(&asked, MPI_STATUS_IGNORE), "MPI_Wait", "rank to send to");
    return {std::move(wire), to, from};
}

/// The same for a raw base.
inline remapping remap(MPI_Comm base, MPI_Comm other) { return remap(detail::lent(base), other); }

namespace detail {

/// In a checked build, whether what a rank sends is as long as what the other expects. @collective over the
/// base
inline void compare_lengths([[maybe_unused]] const remapping& along, [[maybe_unused]] MPI_Comm wire,
                            [[maybe_unused]] const message& in, [[maybe_unused]] const message& out) {
    if constexpr (is_checked) {
        const bool is_expecting = along.from_rank() != MPI_PROC_NULL;
        const std::size_t sent = along.to_rank() != MPI_PROC_NULL ? bytes_of(in) : 0,
                          room = is_expecting ? bytes_of(out) : 0;
        std::size_t coming = 0;
        mpi::check(MPI_Sendrecv(&sent, 1, mpi::size_type(), along.to_rank(), 1, &coming, 1, mpi::size_type(),
                                along.from_rank(), 1, wire, MPI_STATUS_IGNORE),
                   "MPI_Sendrecv", "lengths of data");
        check_on(wire, "topo::permute", [&] {
            if (coming != room)
                throw argument_error("topo::permute", "out",
                                     "it has room for " + std::to_string(room) + " bytes, rank " +
                                         std::to_string(along.from_rank()) + " sends " +
                                         std::to_string(coming));
        });
    }
}

} // namespace detail

/// Moves data along a remapping: what the caller has to `to_rank()`, what it shall have from `from_rank()`.
///
/// @param in what the rank with the caller's number in the other communicator shall have; ignored if there is
/// none
/// @param out what arrives, of the type that is sent; untouched on ranks that are not in the other. Must not
/// overlap with @p in
/// @collective over the base
/// @see paper 4, section 3.2 (`MPI_Permute`)
inline void permute(const remapping& along, const message& in, const message& out) {
    along.open("topo", "permute");
    constexpr std::size_t most = std::size_t{1} << 30; // elements in a message that MPI can count
    detail::check_on(along.wire_, "topo::permute", [&] {
        if (along.to_rank() != MPI_PROC_NULL) detail::require_message("topo::permute", in);
        if (along.from_rank() != MPI_PROC_NULL) detail::require_message("topo::permute", out);
    });
    detail::compare_lengths(along, along.wire_, in, out);
    std::size_t sent = 0, received = 0;
    const std::size_t to_send = along.to_rank() == MPI_PROC_NULL ? 0 : in.count;
    const std::size_t to_receive = along.from_rank() == MPI_PROC_NULL ? 0 : out.count;
    do {
        const std::size_t next_out = std::min(most, to_send - sent),
                          next_in = std::min(most, to_receive - received);
        mpi::check(MPI_Sendrecv(detail::element_at(in.data, sent, in.type), static_cast<int>(next_out),
                                in.type, sent > 0 && next_out == 0 ? MPI_PROC_NULL : along.to_rank(), 1,
                                detail::element_at(out.data, received, out.type), static_cast<int>(next_in),
                                out.type, received > 0 && next_in == 0 ? MPI_PROC_NULL : along.from_rank(), 1,
                                along.wire_, MPI_STATUS_IGNORE),
                   "MPI_Sendrecv", "data that moves along a remapping");
        sent += next_out;
        received += next_in;
    } while (sent < to_send || received < to_receive);
}

/// The same for buffers of elements that MPI can move; both of one length everywhere.
template <buffer In, writable_buffer Out>
    requires std::same_as<std::ranges::range_value_t<In>, std::ranges::range_value_t<Out>>
void permute(const remapping& along, const In& in, Out&& out) {
    using value = std::ranges::range_value_t<In>;
    permute(along,
            message{const_cast<std::remove_const_t<value>*>(std::ranges::data(in)), std::ranges::size(in),
                    detail::datatype_of<value>()},
            detail::message_of(out));
}

} // namespace topo
