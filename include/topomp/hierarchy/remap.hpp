// SPDX-License-Identifier: BSL-1.0
/// @file
/// Moving data from ranks of one communicator to the ranks with the same numbers in another.
#pragma once

#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

namespace topo {

/// Where a rank's data goes and comes from when a communicator is followed by another one of some of its
/// ranks in any order, such as a `node_cart`: rank i of the base sends its data to rank i of the other. One
/// that was moved from, or outlives `MPI_Finalize`, may be destroyed, copied and assigned to; every other use
/// throws a usage_error.
///
/// ```
///   base    0 1 2 3 4
///   other   2 4 0          ranks 0, 1 and 2 of the other
///   to      2 4 0 - -      from   2 - 0 - 1
/// ```
class remapping {
public:
    /// The base's rank that receives the caller's data; `MPI_PROC_NULL` if the other has no rank with that
    /// number.
    int to_rank() const { return open("topo::remapping", "to_rank").to_; }
    /// The base's rank that sends data to the caller; `MPI_PROC_NULL` on ranks that are not in the other.
    int from_rank() const { return open("topo::remapping", "from_rank").from_; }

private:
    friend remapping remap(const boost::mpi::communicator& base, MPI_Comm other);
    friend void permute(const remapping& along, const message& in, const message& out);

    remapping(boost::mpi::communicator private_comm, int to, int from)
        : private_comm_(std::move(private_comm)), to_(to), from_(from) {}

    const remapping& open(const char* scope, const char* call) const;

    boost::mpi::communicator private_comm_; ///< a private duplicate of the base
    int to_, from_;
};

/// Computes the sources and destinations.
///
/// @param other ranks of @p base in any order; `MPI_COMM_NULL` on the ranks that are not in it
/// @collective over @p base @cost a duplicate, two all-reduces of one and two integers, and a message for
/// each rank of the other
/// @throws argument_error on every rank if a rank of the other is not in the base, or if ranks give
/// communicators of different sizes
/// @see paper 4, section 3.2 and appendix B (`MPI_Comm_map`)
remapping remap(const boost::mpi::communicator& base, MPI_Comm other);

/// The same for a raw base.
inline remapping remap(MPI_Comm base, MPI_Comm other) { return remap(detail::lent(base), other); }

namespace detail {

/// In a checked build, whether what a rank sends is as long as what the other expects. @collective over the
/// base
void compare_lengths([[maybe_unused]] const remapping& along, [[maybe_unused]] MPI_Comm private_comm,
                     [[maybe_unused]] const message& in, [[maybe_unused]] const message& out);

} // namespace detail

/// Moves data along a remapping: sends to `to_rank()`, receives from `from_rank()`.
///
/// @param in the data for the rank with the caller's number in the other communicator; ignored if there is
/// none
/// @param out what arrives, of the type that is sent; untouched on ranks that are not in the other. Must not
/// overlap with @p in
/// @collective over the base
/// @see paper 4, section 3.2 (`MPI_Permute`)
void permute(const remapping& along, const message& in, const message& out);

/// The same for buffers of elements that MPI can move; both of one length everywhere.
template <buffer In, writable_buffer Out>
void permute(const remapping& along, const In& in, Out&& out) {
    using value = detail::element_value_t<In>;
    static_assert(std::is_same_v<value, detail::element_value_t<Out>>,
                  "topo::permute: what is sent and what arrives must be of one type");
    static_assert(
        detail::outlives_call<Out>,
        "topo::permute: what arrives is written into a buffer that ends with the call, so that it could "
        "not be read: pass a variable or a span");
    permute(along,
            message{const_cast<std::remove_const_t<value>*>(detail::data_of(in)), detail::length_of(in),
                    detail::datatype_of<value>()},
            detail::message_of(out));
}

/// The same for a value of each rank.
template <single_value T>
void permute(const remapping& along, const T& in, T& out) {
    permute(along, std::span<const T>{&in, 1}, std::span<T>{&out, 1});
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/remap.ipp>
#endif
