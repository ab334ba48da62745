// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>

#include <string>
#include <string_view>

namespace topo {

[[gnu::cold]] TOPOMP_INLINE std::string error::compose(std::string_view call, std::string_view object,
                                                       std::string_view problem) {
    std::string text{call};
    for (const std::string_view part : {object, problem})
        if (!part.empty()) text.append(": ").append(part);
    return text;
}

} // namespace topo
