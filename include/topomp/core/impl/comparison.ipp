// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/hash.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE void comparison::add(const char* name, std::uint64_t value, std::string text) {
    facts_[added_++] = {name, static_cast<std::int64_t>(value), std::move(text)};
}

[[gnu::cold]] TOPOMP_INLINE void comparison::add(const char* name, std::string text) {
    const std::uint64_t hash = hash_of(text);
    add(name, hash, std::move(text));
}

[[noreturn]] TOPOMP_INLINE void
comparison::complain(MPI_Comm comm, const fact& mine, std::int64_t least, std::int64_t greatest,
                     function_ref<void(std::int64_t*, std::size_t)> lowest) const {
    const int rank = mpi::comm_rank(comm), none = mpi::comm_size(comm);
    std::array<std::int64_t, 2> holders{mine.value == least ? rank : none,
                                        mine.value == greatest ? rank : none};
    lowest(holders.data(), holders.size());
    if (holders[0] > holders[1]) std::swap(holders[0], holders[1]);
    std::string problem;
    for (const auto holder : holders) {
        const int which = static_cast<int>(holder);
        const std::string text = mpi::bcast_text(mine.text, which, comm, "difference of arguments");
        problem += (problem.empty() ? "it is " : " and ") + text + " on rank " + std::to_string(which);
    }
    throw argument_error(call_, mine.name, problem + ", but must be the same on all ranks");
}

[[gnu::cold]] TOPOMP_INLINE void
comparison::among(MPI_Comm comm, failure mine, function_ref<void(std::int64_t*, std::size_t)> lowest) const {
    const int rank = mpi::comm_rank(comm), size = mpi::comm_size(comm);
    std::array<std::int64_t, 2 * most + 1> ends{};
    ends.fill(std::numeric_limits<std::int64_t>::max());
    ends[0] = mine.what ? rank : size;
    for (std::size_t i = 0; i < added_; ++i) {
        ends[1 + i] = facts_[i].value;
        ends[1 + most + i] = ~facts_[i].value; // whose minimum is the maximum's
    }
    lowest(ends.data(), ends.size());
    if (ends[0] < size) throw_on_all(comm, static_cast<int>(ends[0]), std::move(mine));
    for (std::size_t i = 0; i < added_; ++i)
        if (const std::int64_t greatest = ~ends[1 + most + i]; ends[1 + i] != greatest)
            complain(comm, facts_[i], ends[1 + i], greatest, lowest);
}

[[gnu::cold]] TOPOMP_INLINE void comparison::among(MPI_Comm comm, failure mine) const {
    const auto lowest = [comm](std::int64_t* values, std::size_t count) {
        mpi::check(MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_INT64_T, MPI_MIN, comm),
                   "MPI_Allreduce", "comparison of arguments");
    };
    among(comm, std::move(mine), lowest);
}

} // namespace topo::detail
