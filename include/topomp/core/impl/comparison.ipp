// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/hash.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void comparison::add(const char* name, std::uint64_t value, std::string text) {
    facts_[added_++] = {name, static_cast<std::int64_t>(value), std::move(text)};
}

TOPOMP_INLINE void comparison::add(const char* name, std::string text) {
    const std::uint64_t hash = hash_of(text);
    add(name, hash, std::move(text));
}

TOPOMP_INLINE void comparison::among(MPI_Comm comm, failure mine) const {
    among(comm, std::move(mine), [comm](std::int64_t* values, std::size_t count) {
        mpi::check(MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_INT64_T, MPI_MIN, comm),
                   "MPI_Allreduce", "comparison of arguments");
    });
}

} // namespace topo::detail
