// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether there is a function `serialize` for a type, and what the compiler says inside Boost's archives
/// where there is nothing.
#pragma once

#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>
#include <boost/serialization/serialization.hpp>

#include <type_traits>

namespace topo::detail {

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

template <class Archive>
inline constexpr bool is_packed = std::is_same_v<Archive, boost::mpi::packed_oarchive> ||
                                  std::is_same_v<Archive, boost::mpi::packed_iarchive>;

/// Whether Boost's own default, which calls the member, cannot compile for a part of a packed value. Of a
/// union it is not known.
template <class T, class Archive>
concept not_serializable_in = is_packed<Archive> && !member_serializable<T> && !std::is_union_v<T>;

} // namespace topo::detail

namespace topo::detail::probe {

/// As good a match as Boost's own default, which every type has: a call is unambiguous only if there is a
/// better one.
template <class Archive, class T>
void serialize(Archive&, T&, const unsigned int);
/// As good a match as the message below.
template <class Archive, class T>
    requires not_serializable_in<T, Archive>
void serialize(Archive&, T&, const unsigned int);

/// As for the standard library's containers if `<boost/serialization/...>` is included.
template <class T, class Archive>
concept function_serializable = requires(Archive& archive, T& value,
                                         boost::serialization::version_type version) {
    serialize(archive, value, version);
};

} // namespace topo::detail::probe

namespace boost::serialization {

/// Takes the place of Boost's default where that would not compile: a page of templates, in which the type is
/// hard to find. Any function for a type is a better match.
template <class Archive, class T>
    requires topo::detail::not_serializable_in<T, Archive>
void serialize(Archive&, T&, const unsigned int) {
    static_assert(std::is_class_v<T>,
                  "topo: a pointer cannot be serialized, nor can what holds one: send what it points to");
    static_assert(
        !std::is_class_v<T>,
        "topo: this T, which the value is or holds, cannot be serialized: give it a serialize member "
        "or function, or include the header for it in <boost/serialization/...>");
}

} // namespace boost::serialization
