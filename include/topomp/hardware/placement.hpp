// SPDX-License-Identifier: BSL-1.0
/// @file
/// The placement of ranks on a machine.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace topo {

/// A rule that gives every rank a seat on a machine: a value.
class placement {
public:
    /// Rank by rank onto the cores of node 0, then node 1, ...; from the start again when all are taken.
    static placement core_by_core() { return placement{order::core_by_core, nullptr}; }

    /// Rank by rank over the nodes, on each the next free core; a full node is passed over; from the start
    /// again when all are taken.
    static placement round_robin() { return placement{order::round_robin, nullptr}; }

    /// Rank r sits in `seats[r]`.
    static placement list(std::vector<seat> seats);

    /// Reads a line per rank: `NODE CPULIST`, NODE a number or a name, CPULIST such as `0-3,8` or `all`;
    /// `#` starts a comment. @throws system_error, input_error naming file and line
    static placement read(const std::string& file, const machine& on);

    /// The number of ranks that a list is for; nothing for a rule that takes any number.
    std::optional<int> fixed_size() const;

    /// The seats of ranks 0 to `ranks` - 1. @cost linear in ranks and in the machine's cores
    /// @throws argument_error if a list was given and is not of `ranks` seats, or `ranks` is negative
    std::vector<seat> seats(const machine& on, int ranks) const;

    /// Calls `take(seat)` for rank 0 to `ranks` - 1, without storing a list of them. @throws as `seats`
    template <class Take>
    void each_seat(const machine& on, int ranks, Take take) const {
        if (ranks < 0)
            throw argument_error("topo::placement", "number of ranks",
                                 std::to_string(ranks) + " is negative");
        if (list_ && list_->size() != static_cast<std::size_t>(ranks))
            throw argument_error("topo::placement", "list of " + std::to_string(list_->size()) + " seats",
                                 "there are " + std::to_string(ranks) + " ranks");
        if (list_) {
            for (const seat& each : *list_)
                take(each);
            return;
        }
        const std::vector<core> cores = cores_in_order(on);
        for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
            const auto [node, index] = cores[rank % cores.size()];
            take(seat{node, on.nodes()[static_cast<std::size_t>(node)].hardware->core(index)});
        }
    }

private:
    enum class order { core_by_core, round_robin, listed };
    placement(order rule, std::shared_ptr<const std::vector<seat>> list)
        : rule_(rule), list_(std::move(list)) {}

    struct core {
        int node, index;
    };

    std::vector<core> cores_in_order(const machine& on) const;

    order rule_;
    std::shared_ptr<const std::vector<seat>> list_; ///< shared by copies; null unless listed
};

/// The places of all ranks of a program under a placement. @throws as `placement::seats`, `machine::place_of`
std::vector<place> places_of(const machine& on, const placement& rule, int ranks);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/placement.ipp>
#endif
