// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/integers.hpp>

#include <cstddef>
#include <memory>

namespace topo {

TOPOMP_INLINE std::size_t* integers::allocate() {
    many_.reset(new std::size_t[size_]);
    elsewhere_ = many_.get();
    return many_.get();
}

} // namespace topo
