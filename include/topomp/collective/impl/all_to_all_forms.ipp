// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/collective/engines/in_background.hpp>
#include <topomp/collective/engines/of_all_to_all.hpp>
#include <topomp/collective/forms/all_to_all.hpp>
#include <topomp/collective/impl/begin.ipp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <cstddef>
#include <string>
#include <vector>

#ifdef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#include <topomp/collective/persistent.hpp>

#include <utility>
#endif

namespace topo::detail {

TOPOMP_INLINE void compare_exchange([[maybe_unused]] const char* call,
                                    [[maybe_unused]] const hierarchy& levels,
                                    [[maybe_unused]] const blocks& source,
                                    [[maybe_unused]] const blocks& result) {
    if constexpr (is_checked) {
        std::vector<std::size_t> sent, coming(result.counts.size());
        for (const std::size_t count : source.counts)
            sent.push_back(count * size_of(source.type));
        mpi::check(MPI_Alltoall(sent.data(), 1, mpi::size_type(), coming.data(), 1, mpi::size_type(),
                                context::of(levels).private_comm()),
                   "MPI_Alltoall", "sizes of blocks");
        check_on_all_ranks(levels, [&] {
            for (std::size_t rank = 0; rank < coming.size(); ++rank)
                if (const std::size_t room = result.counts[rank] * size_of(result.type); coming[rank] != room)
                    throw argument_error(call, "result",
                                         "rank " + std::to_string(rank) + " sends " +
                                             number_of(coming[rank], "byte") + " to rank " +
                                             std::to_string(levels.whole_rank()) +
                                             ", whose count stands for " + std::to_string(room));
        });
    }
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr std::pair compiled_all_to_all_forms{
    compiled_begin<at_once, exchange_arguments<verb::all_to_all>>(),
    compiled_begin<when_started, exchange_arguments<verb::all_to_all>>()};
[[gnu::used]] static constexpr std::pair compiled_all_to_allv_forms{
    compiled_begin<at_once, exchange_arguments<verb::all_to_allv>>(),
    compiled_begin<when_started, exchange_arguments<verb::all_to_allv>>()};
#endif

} // namespace topo::detail
