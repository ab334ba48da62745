// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which types Boost.Serialization can turn into bytes.
#pragma once

#include <topomp/core/detail/function_serializable.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/packed_oarchive.hpp>
#include <boost/serialization/level.hpp>
#include <boost/serialization/serialization.hpp>

#include <concepts>
#include <type_traits>

namespace topo {

/// A type that MPI cannot move as it lies in memory, but Boost.Serialization can write and read: strings,
/// containers, classes with a `serialize`.
template <class T>
concept serializable = !mpi_datatype<T> && !buffer<T> && !std::same_as<T, message> && !std::is_pointer_v<T> &&
                       !std::is_array_v<T> &&
                       (detail::is_string<T> || std::is_enum_v<T> || detail::member_serializable<T> ||
                        detail::probe::function_serializable<T, boost::mpi::packed_oarchive>);

} // namespace topo
