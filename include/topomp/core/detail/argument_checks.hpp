// SPDX-License-Identifier: BSL-1.0
/// @file
/// Local checks of a rank's own arguments, before anything is sent.
#pragma once

#include <topomp/core/detail/bounded.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace topo::detail {

/// Whether a derived datatype is committed, as far as the MPI reports it: the test sends an element to
/// MPI_PROC_NULL. (Open MPI takes a resized type for committed if what it was made of is.) Local.
bool is_committed([[maybe_unused]] MPI_Datatype type);

void require_other_type(std::string_view call, MPI_Datatype type);

/// Refuses a datatype that no message can have. Local. @cost a comparison for the cached type; for a derived
/// one of the user's some calls of MPI
inline void require_type(std::string_view call, MPI_Datatype type) {
    if (!is_known(type)) require_other_type(call, type);
}

[[noreturn]] void refuse_length(std::string_view call, std::string_view object, std::size_t count,
                                std::size_t bytes_each);

/// For messages: `1 byte`, `2 bytes`.
std::string number_of(std::size_t count, std::string_view what);

/// @return the product @throws argument_error if it is more than memory can hold
inline std::size_t require_memory(std::string_view call, std::string_view object, std::size_t count,
                                  std::size_t bytes_each) {
    // Elements of no bytes are counted, too.
    if (!bounded(count, bytes_each > 0 ? bytes_each : 1)) [[unlikely]]
        refuse_length(call, object, count, bytes_each);
    return count * bytes_each;
}

/// The same with the gaps between elements. @return bytes of data
inline std::size_t require_memory(std::string_view call, std::string_view object, std::size_t count,
                                  const type_layout& layout) {
    const auto apart = static_cast<std::size_t>(layout.extent < 0 ? -layout.extent : layout.extent);
    require_memory(call, object, count, apart > layout.size ? apart : layout.size);
    return count * layout.size;
}

/// Refuses a message of no possible datatype or length. Local. @return bytes of data
inline std::size_t require_message(std::string_view call, const message& what) {
    require_type(call, what.type);
    return require_memory(call, "length", what.count, type_layout{what.type});
}

void refuse_null(std::string_view call, std::string_view object, std::size_t count, MPI_Datatype type);

/// Refuses elements at no address, unless the datatype has absolute ones (`MPI_BOTTOM`). Local. @cost a
/// comparison
inline void require_data(std::string_view call, std::string_view object, const void* data, std::size_t count,
                         MPI_Datatype type) {
    if (data == nullptr && count > 0) [[unlikely]]
        refuse_null(call, object, count, type);
}
inline void require_data(std::string_view call, std::string_view object, const message& what) {
    require_data(call, object, what.data, what.count, what.type);
}

/// Refuses an operation that cannot combine elements of a type. Local. @pre `require_type`
/// @cost that of `combines`
void require_operation(std::string_view call, MPI_Op op, MPI_Datatype type);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/argument_checks.ipp>
#endif
