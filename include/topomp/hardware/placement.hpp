// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which rank sits where on a machine.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/text_file.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
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
    static placement list(std::vector<seat> seats) {
        return placement{order::listed, std::make_shared<const std::vector<seat>>(std::move(seats))};
    }

    /// Reads a line per rank: `NODE CPULIST`, NODE a number or a name, CPULIST such as `0-3,8` or `all`;
    /// `#` starts a comment. @throws system_error, input_error naming file and line
    static placement read(const std::filesystem::path& file, const machine& on);

    /// The number of ranks that a list is for; nothing for a rule that takes any number.
    std::optional<int> fixed_size() const {
        return list_ ? std::optional{static_cast<int>(list_->size())} : std::nullopt;
    }

    /// The seats of ranks 0 to `ranks` - 1. @cost linear in ranks and in the machine's cores
    /// @throws argument_error if a list was given and is not of `ranks` seats, or `ranks` is negative
    std::vector<seat> seats(const machine& on, int ranks) const {
        std::vector<seat> result;
        each_seat(on, ranks, [&](const seat& each) { result.push_back(each); });
        return result;
    }

    /// Calls `take(seat)` for rank 0 to `ranks` - 1, and so keeps no list of them. @throws as `seats`
    template <class Take>
    void each_seat(const machine& on, int ranks, Take take) const {
        if (ranks < 0)
            throw argument_error("topo::placement", "number of ranks",
                                 std::to_string(ranks) + " is negative");
        if (list_ && list_->size() != static_cast<std::size_t>(ranks))
            throw argument_error("topo::placement", "list of " + std::to_string(list_->size()) + " seats",
                                 "there are " + std::to_string(ranks) + " ranks");
        if (list_) return void(std::ranges::for_each(*list_, take));
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

    std::vector<core> cores_in_order(const machine& on) const {
        std::vector<core> cores;
        for (int node = 0; const auto& one : on.nodes()) {
            for (int index = 0; index < one.hardware->core_count(); ++index)
                cores.push_back({node, index});
            ++node;
        }
        if (rule_ == order::round_robin) std::ranges::stable_sort(cores, {}, &core::index);
        return cores;
    }

    order rule_;
    std::shared_ptr<const std::vector<seat>> list_; ///< shared by copies; null unless listed
};

inline placement placement::read(const std::filesystem::path& file, const machine& on) {
    std::istringstream in{detail::read_text_file("topo::placement::read", file)};
    std::vector<seat> seats;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const auto fail = [&](const std::string& problem) {
            throw input_error("topo::placement::read", file.string() + ", line " + std::to_string(number),
                              problem);
        };
        std::istringstream words{line.substr(0, line.find('#'))};
        std::string node, cpus, extra;
        if (!(words >> node)) continue;
        if (!(words >> cpus) || words >> extra) fail("expected 'NODE CPULIST', found '" + line + '\'');
        const auto& nodes = on.nodes();
        auto home = std::ranges::find(nodes, node, &machine::node::name);
        if (home == nodes.end() && node.size() < 9 &&
            std::ranges::all_of(node, [](char c) { return c >= '0' && c <= '9'; }))
            home = nodes.begin() + std::min<std::ptrdiff_t>(std::stol(node), std::ssize(nodes));
        if (home == nodes.end())
            fail("unknown node '" + node + "' (the machine has " + std::to_string(nodes.size()) + ')');
        seat next{static_cast<int>(home - nodes.begin()), {}};
        try {
            if (cpus != "all") next.cpus = cpu_set::parse(cpus);
            on.place_of(next); // that the node has these CPUs
        } catch (const error& problem) {
            fail(problem.what());
        }
        seats.push_back(std::move(next));
    }
    if (seats.empty()) throw input_error("topo::placement::read", file.string(), "it seats no rank");
    return list(std::move(seats));
}

/// The places of all ranks of a program under a placement. @throws as `placement::seats`, `machine::place_of`
inline std::vector<place> places_of(const machine& on, const placement& rule, int ranks) {
    std::vector<place> places;
    rule.each_seat(on, ranks, [&](const seat& each) { places.push_back(on.place_of(each)); });
    return places;
}

} // namespace topo
