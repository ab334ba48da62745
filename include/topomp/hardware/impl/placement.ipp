// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/text_file.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE placement placement::list(std::vector<seat> seats) {
    return placement{order::listed, std::make_shared<const std::vector<seat>>(std::move(seats))};
}

TOPOMP_INLINE std::optional<int> placement::fixed_size() const {
    return list_ ? std::optional{static_cast<int>(list_->size())} : std::nullopt;
}

TOPOMP_INLINE std::vector<seat> placement::seats(const machine& on, int ranks) const {
    std::vector<seat> result;
    each_seat(on, ranks, [&](const seat& each) { result.push_back(each); });
    return result;
}

TOPOMP_INLINE std::vector<placement::core> placement::cores_in_order(const machine& on) const {
    std::vector<core> cores;
    for (int node = 0; const auto& one : on.nodes()) {
        for (int index = 0; index < one.hardware->core_count(); ++index)
            cores.push_back({node, index});
        ++node;
    }
    if (rule_ == order::round_robin) std::ranges::stable_sort(cores, {}, &core::index);
    return cores;
}

TOPOMP_INLINE placement placement::read(const std::string& file, const machine& on) {
    std::istringstream in{detail::read_text_file("topo::placement::read", file)};
    std::vector<seat> seats;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const auto fail = [&](const std::string& problem) {
            throw input_error("topo::placement::read", file + ", line " + std::to_string(number), problem);
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
    if (seats.empty()) throw input_error("topo::placement::read", file, "it seats no rank");
    return list(std::move(seats));
}

TOPOMP_INLINE std::vector<place> places_of(const machine& on, const placement& rule, int ranks) {
    std::vector<place> places;
    rule.each_seat(on, ranks, [&](const seat& each) { places.push_back(on.place_of(each)); });
    return places;
}

} // namespace topo
