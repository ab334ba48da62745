// SPDX-License-Identifier: BSL-1.0
/// @file
/// A reproducible sum by numbers that hold most sums: one rank's side, without communication.
#pragma once

#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact/expansions.hpp>
#include <topomp/algorithm/exact/fixed_point.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

class context;

/// One rank's operands as blocks of `expansions` or of `fixed_point`, which a verb combines in place, and
/// what becomes of the sums.
///
/// A column whose sum such a block does not hold is lost. The operands of lost columns are then added another
/// way, as a sum of their own that is shorter: `again`.
template <class Block>
class partial_sum {
public:
    using T = typename Block::number;

    partial_sum() = default;
    explicit partial_sum(context&) {}

    /// Loads the operands. The result may be in their place for `expansions` only.
    void start(const exact_call<T>& call, int rank) {
        prepare(call, rank);
        load();
    }
    /// The same in two steps, of which the second may be repeated, with the operands as they are then.
    void prepare(const exact_call<T>& call, int rank);
    void load();
    /// The same without the blocks: all columns are lost.
    void start_lost(const exact_call<T>& call, int rank);
    /// The same of these columns only: the other results are written. @param operands of each of them
    void start_lost(const exact_call<T>& call, int rank, std::vector<std::size_t> lost,
                    std::vector<T> operands);

    /// What a verb combines; a rank's own part is afterwards at the beginning of its part.
    std::span<Block> data() const;
    /// Of `data`, of each rank's part, if each rank gets one.
    const std::vector<std::size_t>& counts() const noexcept { return counts_; }
    /// Those of the calling rank's result.
    std::span<Block> own() const;
    /// Rounds sums. @param count of columns
    static void write(std::span<const Block> sums, std::size_t count, T* to);

    /// Whether a blocking verb leaves different sums on different ranks.
    static bool sees_other_sums(const exact_call<T>& call) {
        return call.what != exact_result::of_all || call.receivers.size() == 1;
    }
    /// The columns that are lost in `own`, ascending; if all ranks have the same sums, the same on all of
    /// them.
    /// @pre the rank has sums
    std::vector<std::size_t> lost() const;
    /// Keeps the operands of the columns that are lost on any rank: results may go where they are.
    void keep(std::vector<std::size_t> lost);
    /// The same if `data` still has the operands, and the results are written.
    void keep_loaded(std::vector<std::size_t> lost);
    /// Writes the results.
    void write();
    /// How many columns are lost.
    std::size_t lost_columns() const noexcept { return lost_.size(); }

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

/// How many blocks of `Block` hold so many columns.
template <class Block>
constexpr std::size_t blocks_of(std::size_t columns) {
    return (columns + Block::columns - 1) / Block::columns;
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/partial_sum.ipp>
#endif
