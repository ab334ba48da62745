// SPDX-License-Identifier: BSL-1.0
/// @file
/// Local checks of a rank's own arguments, before anything is sent.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string_view>

namespace topo::detail {

/// Whether a derived datatype is committed, as far as the MPI reports it: the test sends an element to
/// MPI_PROC_NULL. (Open MPI takes a resized type for committed if what it was made of is.) Local.
bool is_committed([[maybe_unused]] MPI_Datatype type);

/// Refuses a datatype that no message can have. Local. @cost a comparison for the cached type; for a derived
/// one of the user's some calls of MPI
void require_type(std::string_view call, MPI_Datatype type);

/// @return the product @throws argument_error if it is more than memory can hold
std::size_t require_memory(std::string_view call, std::string_view object, std::size_t count,
                           std::size_t bytes_each);

/// The same with the gaps between elements. @return bytes of data
std::size_t require_memory(std::string_view call, std::string_view object, std::size_t count,
                           const type_layout& layout);

/// Refuses a message of no possible datatype or length. Local. @return bytes of data
std::size_t require_message(std::string_view call, const message& what);

/// Refuses an operation that cannot combine elements of a type. Local. @pre `require_type`
/// @cost that of `combines`
void require_operation(std::string_view call, MPI_Op op, MPI_Datatype type);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/argument_checks.ipp>
#endif
