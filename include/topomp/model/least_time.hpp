// SPDX-License-Identifier: BSL-1.0
/// @file
/// Lower bounds for all algorithms on a machine.
#pragma once

#include <topomp/model/level_cost.hpp>
#include <topomp/model/machine_parameters.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace topo::model {

/// Lower bounds of the verbs' times on a machine whose messages cost what was measured: from the number of
/// messages until all ranks are informed, from the bytes that must cross the boundary of a group and the
/// group's total bandwidth, and from the bytes that one rank must copy, if copies were measured. The bounds
/// need not be attainable.
/// @see Karp et al. 1993 (how fast messages spread); Patarasu and Yuan 2009 (what an all-reduce must move)
class least_times {
public:
    /// @param machine as `topomp measure` found it
    explicit least_times(const machine_parameters& machine);

    /// Seconds. @param verb as topomp's functions are called
    /// @param bytes of the whole message; in gathers, scatters and exchanges of a rank's block
    /// @return nothing for a verb without a bound
    std::optional<double> seconds(std::string_view verb, double bytes) const;

private:
    /// How often a message, or a block, passes the boundary of a group of ranks in the direction in which it
    /// passes more often, for the group for which that is most: (ranks of the group, ranks of all).
    using passing = double (*)(double, double);

    static std::optional<passing> passing_of(std::string_view verb);

    /// Lower bound of the postal model for informing all ranks, in seconds, if every message had the cost of
    /// the cheapest level: the number of informed ranks at most doubles every gap. At least one message has
    /// the cost of the outermost level.
    double spread(long long ranks) const;

    std::vector<level_model<measured_messages>> levels_;
    std::vector<double> outside_rates_; ///< of each level; 0: not measured
    double copy_rate_ = 0, spread_ = 0;
};

} // namespace topo::model

#ifndef TOPOMP_COMPILED
#include <topomp/model/impl/least_time.ipp>
#endif
