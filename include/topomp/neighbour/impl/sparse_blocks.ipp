// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/neighbour/detail/sparse_blocks.hpp>

#include <cstdint>
#include <exception>
#include <string>

namespace topo::detail {

TOPOMP_INLINE sparse_problem sparse_problem::of(const sparse_sends& sent, int ranks) {
    if (sent.problem != nullptr) return {1, 0, -1};
    for (const sparse_block& each : sent.blocks)
        if (each.rank < 0 || each.rank >= ranks || each.bytes.size() > longest_sparse)
            return {1, each.rank, static_cast<std::int64_t>(each.bytes.size())};
    return {};
}

TOPOMP_INLINE void refuse_sparse(const char* call, int ranks, const sparse_sends& sent,
                                 const sparse_problem& mine, const sparse_problem& told, int lowest) {
    if (sent.problem != nullptr) std::rethrow_exception(sent.problem);
    const bool is_own = mine.is_any != 0;
    const auto& [is_any, destination, bytes] = is_own ? mine : told;
    const std::string where = is_own ? "" : " (on rank " + std::to_string(lowest) + ')';
    if (bytes < 0) throw argument_error(call, "values", "they could not be serialized" + where);
    throw argument_error(call, "destination " + std::to_string(destination),
                         (destination < 0 || destination >= ranks
                              ? "there are " + std::to_string(ranks) + " ranks"
                              : std::to_string(bytes) + " bytes are more than INT_MAX") +
                             where);
}

} // namespace topo::detail
