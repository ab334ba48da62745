// SPDX-License-Identifier: BSL-1.0
/// @file
/// What no algorithm can beat on a machine.
#pragma once

#include <topomp/model/level_cost.hpp>
#include <topomp/model/machine_parameters.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace topo::model {

/// Lower bounds of the verbs' times on a machine whose messages cost what was measured: by how many messages
/// it takes until all ranks have heard of one, by what must pass the boundary of a group and what the group
/// reaches together, and by what one rank must copy, where copies were measured. No algorithm has to reach
/// them.
/// @see Karp et al. 1993 (how fast messages spread); Patarasu and Yuan 2009 (what an all-reduce must move)
class least_times {
public:
    explicit least_times(const machine_parameters& machine);

    /// Seconds. @param verb as topomp's functions are called
    /// @param bytes of the whole message; in gathers, scatters and exchanges of a rank's block
    /// @return nothing for a verb that there is no bound of
    std::optional<double> seconds(std::string_view verb, double bytes) const;

private:
    /// How often a message, or a block, passes the boundary of a group of ranks in the direction in which it
    /// passes more often, in the group of which that is most: (ranks of the group, ranks of all).
    using passing = double (*)(double, double);

    static std::optional<passing> passing_of(std::string_view verb);

    /// Seconds until all ranks can have heard of what one rank knows, if every message were one of the
    /// cheapest level: who has heard of it tells another one in each gap. But some message is one of the
    /// outermost level.
    double spread(long long ranks) const;

    std::vector<level_model<measured_messages>> levels_;
    std::vector<double> outside_rates_; ///< of each level; 0: not measured
    double copy_rate_ = 0, spread_ = 0;
};

} // namespace topo::model

#ifndef TOPOMP_COMPILED
#include <topomp/model/impl/least_time.ipp>
#endif
