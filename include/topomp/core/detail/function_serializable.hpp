// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether there is a function `serialize` for a type.
#pragma once

#include <boost/serialization/serialization.hpp>

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
