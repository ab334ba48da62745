// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether there is a function `serialize` for a type.
#pragma once

#include <boost/serialization/serialization.hpp>

#include <vector>

namespace topo::detail::probe {

/// As good a match as Boost's own default, which every type has: a call is unambiguous only if there is a
/// better one.
template <class Archive, class T>
void serialize(Archive&, T&, const unsigned int);

/// As for the standard library's containers if `<boost/serialization/...>` is included.
template <class T, class Archive>
concept function_serializable = requires(Archive& archive, T& value,
                                         boost::serialization::version_type version) {
    serialize(archive, value, version);
};

} // namespace topo::detail::probe

namespace topo::detail::vector_probe {

/// As good a match as Boost's own of vectors: where that is known, a call is unambiguous only if the program
/// has a better one.
template <class Archive, class T, class Allocator>
void serialize(Archive&, std::vector<T, Allocator>&, const unsigned int);

/// Whether a program has a function `serialize` for vectors of these elements.
template <class T, class Archive>
concept function_of_program = requires(Archive& archive, T& value,
                                       boost::serialization::version_type version) {
    serialize(archive, value, version);
};

} // namespace topo::detail::vector_probe
