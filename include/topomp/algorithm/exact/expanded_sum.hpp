// SPDX-License-Identifier: BSL-1.0
/// @file
/// A reproducible sum by expansions: one rank's side, without communication.
#pragma once

#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact/expansions.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

class context;

/// One rank's operands as expansions, which a verb combines in place, and what becomes of the sums.
///
/// A column whose sum was not held by an expansion is lost. The operands of lost columns are then added
/// another way, as a sum of their own that is shorter: `again`.
template <class T>
class expanded_sum {
public:
    expanded_sum() = default;
    explicit expanded_sum(context&) {}

    /// Loads the operands.
    void start(const exact_call<T>& call, int rank);

    /// What a verb combines; a rank's own block is afterwards at the beginning of its part.
    std::span<expansions<T>> data() const;
    /// Of `data`, of each rank's part, if each rank gets one.
    const std::vector<std::size_t>& counts() const noexcept { return counts_; }
    /// Those of the calling rank's result.
    std::span<expansions<T>> own() const;

    /// Whether a blocking verb leaves different sums on different ranks.
    static bool sees_other_sums(const exact_call<T>& call) {
        return call.what != exact_result::of_all || call.receivers.size() == 1;
    }
    /// The columns that are lost in `own`, ascending. A rank that gets no sums still has its operands there,
    /// of which one that is not finite is lost for all. If all ranks have the same sums, the same on all of
    /// them.
    std::vector<std::size_t> lost() const;
    /// Keeps the operands of the columns that are lost on any rank: results may go where they are.
    void keep(std::vector<std::size_t> lost);
    /// The same if `data` still has the operands, and the results are written.
    void keep_loaded(std::vector<std::size_t> lost);
    /// Writes the results.
    void write();

    /// The sum of the lost columns, after `write`.
    exact_call<T> again();
    /// Writes what came out of it.
    void write_again();

private:
    std::size_t length(std::size_t part) const {
        return call_.counts.empty() ? call_.count : call_.counts[part];
    }
    std::size_t own_part() const { return call_.counts.empty() ? 0 : static_cast<std::size_t>(rank_); }

    exact_call<T> call_;
    int rank_ = 0;
    std::vector<std::size_t> counts_;
    std::size_t blocks_ = 0;
    std::size_t first_block_ = 0, first_column_ = 0; ///< of the own part
    scratch_buffer memory_;
    std::vector<std::size_t> lost_, lost_of_parts_;
    std::vector<T> lost_operands_, lost_sums_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/expanded_sum.ipp>
#endif
