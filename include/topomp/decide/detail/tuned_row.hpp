// SPDX-License-Identifier: BSL-1.0
/// @file
/// The thresholds in bytes and nodes from which a policy is chosen.
#pragma once

#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <cstddef>
#include <span>

namespace topo::detail {

/// On so many nodes and more, a verb is served by a choice from `bytes` and `bytes_per_rank` for each rank
/// on, until the next row of the verb. The first row of a verb and a number of nodes starts at 0 bytes; the
/// rows of a number of nodes are followed by those of the next larger one, which replace them.
struct tuned_row {
    verb what{};
    int nodes = 0;
    std::size_t bytes = 0; ///< as in `call_key`, but of a block where blocks are reduced and scattered
    std::size_t bytes_per_rank = 0; ///< the threshold in bytes per rank
    const plan* chosen = nullptr;

    constexpr std::size_t from(int ranks) const {
        return bytes + bytes_per_rank * static_cast<std::size_t>(ranks);
    }
};

/// The plan for so many bytes: of the rows of the verb for the most nodes that there are, that of the last
/// one up to which all start below.
constexpr const plan* look_up(std::span<const tuned_row> table, verb what, std::size_t bytes, int ranks,
                              int nodes) {
    const plan* found = &plan_of<flat>;
    int rows_of = 0;
    bool is_behind = false;
    for (const tuned_row& row : table) {
        if (row.what != what || row.nodes > nodes) continue;
        if (row.nodes != rows_of) is_behind = false;
        rows_of = row.nodes;
        is_behind = is_behind || bytes < row.from(ranks);
        if (!is_behind) found = row.chosen;
    }
    return found;
}

} // namespace topo::detail
