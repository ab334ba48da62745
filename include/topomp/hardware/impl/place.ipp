// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/place.hpp>

#include <string>

namespace topo {

TOPOMP_INLINE std::string to_string(const hardware_object& object) {
    if (!object.name.empty()) return object.name;
    return std::string{to_string(object.kind)} + '#' + std::to_string(object.index);
}

} // namespace topo
