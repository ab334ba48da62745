// SPDX-License-Identifier: BSL-1.0
/// @file
/// Calls of every verb by a given plan, timed.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace topo::tool {

/// What is measured: a verb, and bytes as in `detail::call_key`.
struct tuned_call {
    detail::verb what{};
    std::size_t bytes = 0;
    bool is_commutative = true;

    friend bool operator==(const tuned_call&, const tuned_call&) = default;
};

/// Whether a verb's key holds no bytes: its ranks do not know each other's lengths, or there are none.
constexpr bool has_no_bytes(detail::verb what) {
    using detail::verb;
    return what == verb::barrier || what == verb::gatherv || what == verb::scatterv ||
           what == verb::all_to_allv;
}
/// The mean block of these verbs, as it is measured.
inline constexpr std::size_t bytes_of_unknown_blocks = 1024;

/// Whether some rank holds a block for each rank.
constexpr bool has_blocks(detail::verb what) {
    using detail::verb;
    return what == verb::gather || what == verb::gatherv || what == verb::scatter || what == verb::scatterv ||
           what == verb::all_gather || what == verb::all_gatherv || what == verb::all_to_all ||
           what == verb::all_to_allv;
}

/// The next larger number of bytes that can be measured: whole numbers of 8 bytes, for reduce_scatter of each
/// rank.
std::size_t measurable_bytes(detail::verb what, std::size_t bytes, int ranks);

/// Makes calls on a hierarchy, from and to rank 0 where there is a root.
class tuned_calls {
public:
    /// @collective over the whole, as each function
    explicit tuned_calls(const hierarchy& levels);
    ~tuned_calls();
    tuned_calls(const tuned_calls&) = delete;
    tuned_calls& operator=(const tuned_calls&) = delete;

    /// The slowest rank's seconds of a call that all ranks start together, with other data than the last one.
    double seconds(const tuned_call& call, const plan& by);

private:
    using number = std::uint64_t;

    void prepare(const tuned_call& call);
    void run(const plan& by);
    detail::combination sum() const;
    message whole(std::vector<number>& all) const;
    blocks equal_blocks(std::vector<number>& all) const;
    blocks unequal_blocks(std::vector<number>& all) const;
    std::size_t unequal_count(int from, int to) const;

    const hierarchy& levels_;
    MPI_Comm comm_ = MPI_COMM_NULL; ///< for the agreement on starts and times
    MPI_Op ordered_sum_ = MPI_OP_NULL;
    std::optional<tuned_call> prepared_;
    std::size_t count_ = 0; ///< numbers of a block, or of the message
    number calls_ = 0;
    std::vector<number> input_, result_;
    std::vector<std::size_t> counts_, positions_; ///< of unequal blocks
};

} // namespace topo::tool
