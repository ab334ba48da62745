// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/integers.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE void integers::keep(std::vector<std::size_t>&& numbers) {
    auto kept = std::make_shared<const std::vector<std::size_t>>(std::move(numbers));
    view_ = *kept;
    copy_ = std::move(kept);
}

} // namespace topo
