// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/place.hpp>

#include <ostream>
#include <string>
#include <utility>

namespace topo {

[[gnu::cold]] TOPOMP_INLINE std::string to_string(const hardware_object& object) {
    if (!object.name.empty()) return object.name;
    return std::string{to_string(object.kind)} + '#' + std::to_string(object.index);
}

[[gnu::cold]] TOPOMP_INLINE bool operator==(const place& a, const place& b) { return a.path_ == b.path_; }

[[gnu::cold]] TOPOMP_INLINE std::ostream& operator<<(std::ostream& out, const place& p) {
    const char* separator = "";
    for (const auto& object : p.path_)
        out << std::exchange(separator, " > ") << to_string(object);
    return out;
}

} // namespace topo
