// SPDX-License-Identifier: BSL-1.0
/// @file
/// From how many bytes on a policy is chosen.
#pragma once

#include <topomp/policy/tuned_choice.hpp>
#include <topomp/policy/way.hpp>

#include <cstddef>
#include <span>

namespace topo::detail {

/// A verb is served by a choice from `bytes` and `bytes_per_rank` for each rank on, until the next row of the
/// verb. Its first row starts at 0.
struct tuned_row {
    verb what{};
    std::size_t bytes = 0; ///< as in `situation`, but of a block where blocks are reduced and scattered
    std::size_t bytes_per_rank = 0; ///< what depends on how much of the message there is for each rank
    tuned_choice chosen{};

    constexpr std::size_t from(int ranks) const {
        return bytes + bytes_per_rank * static_cast<std::size_t>(ranks);
    }
};

/// The choice for so many bytes: that of the last row up to which all rows of the verb start below.
constexpr tuned_choice look_up(std::span<const tuned_row> table, verb what, std::size_t bytes, int ranks) {
    tuned_choice found = tuned_choice::flat;
    for (const tuned_row& row : table) {
        if (row.what != what) continue;
        if (bytes < row.from(ranks)) break;
        found = row.chosen;
    }
    return found;
}

} // namespace topo::detail
