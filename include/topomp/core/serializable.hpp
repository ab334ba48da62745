// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which types Boost.Serialization can turn into bytes.
#pragma once

#include <topomp/core/detail/function_serializable.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>
#include <boost/serialization/level.hpp>
#include <boost/serialization/serialization.hpp>

#include <concepts>
#include <type_traits>

namespace topo {

namespace detail {

/// Has a member called `serialize`.
struct serializing_base {
    int serialize;
};
template <class T>
struct with_serializing_base : T, serializing_base {};

/// Whether a class has a member called `serialize`, also one that is private and meant for
/// `boost::serialization::access`: its name then hides nothing, but is ambiguous.
template <class T>
concept member_serializable = std::is_class_v<T> &&
    (std::is_final_v<T> || !requires { &with_serializing_base<T>::serialize; });

} // namespace detail

/// A type that MPI cannot move as it lies in memory, but Boost.Serialization can write and read: strings,
/// containers, classes with a `serialize`.
template <class T>
concept serializable = !mpi_datatype<T> && !buffer<T> && !std::same_as<T, message> && !std::is_pointer_v<T> &&
                       !std::is_array_v<T> &&
                       (detail::is_string<T> || std::is_enum_v<T> || detail::member_serializable<T> ||
                        detail::probe::function_serializable<T, boost::mpi::packed_oarchive>);

} // namespace topo
