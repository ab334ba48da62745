// SPDX-License-Identifier: BSL-1.0
/// @file
/// Made-up machines that hold any number of ranks, and random ones, the same on all ranks.
#pragma once

#include "support/repetitions.hpp"
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/options.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace topo_test {

/// A machine and who sits where on it.
struct scenario {
    std::string name;
    topo::machine on;
    topo::placement rule;
};

inline topo::cpu_set cpus(int first, int last) { return topo::cpu_set{}.insert(first, last); }

/// Two nodes of two packages of two L2 caches of two cores; ranks bound to a core, a cache, a package, across
/// packages, or not at all, on either node in turn.
inline scenario mixed_bindings(int ranks) {
    std::vector<topo::seat> seats;
    for (int rank = 0; rank < ranks; ++rank) {
        const int node = rank % 2;
        const int core = rank / 2 % 8;
        switch (rank % 5) {
        case 0:
            seats.push_back({node, cpus(core, core)});
            break;
        case 1:
            seats.push_back({node, cpus(core / 2 * 2, core / 2 * 2 + 1)});
            break;
        case 2:
            seats.push_back({node, cpus(core / 4 * 4, core / 4 * 4 + 3)});
            break;
        case 3:
            seats.push_back({node, cpus(3, 4)});
            break;
        default:
            seats.push_back({node, {}});
        }
    }
    return {"mixed bindings", topo::machine::parse("node:2 package:2 l2:2 core:2"),
            topo::placement::list(std::move(seats))};
}

inline scenario all_unbound(int ranks) {
    std::vector<topo::seat> seats;
    for (int rank = 0; rank < ranks; ++rank)
        seats.push_back({rank * rank % 3, {}});
    return {"unbound", topo::machine::parse("node:3 package:2 core:2"),
            topo::placement::list(std::move(seats))};
}

/// The machines that every test shall hold on.
inline std::vector<scenario> scenarios(int ranks) {
    using topo::machine;
    const auto in_order = topo::placement::core_by_core();
    const auto in_turn = topo::placement::round_robin();
    return {
        {"even", machine::parse("node:4 package:2 core:2"), in_order},
        {"more ranks than cores", machine::parse("node:1 core:2"), in_order},
        {"uneven", machine::parse("package:2 core:2; node:2 core:1; core:3"), in_order},
        {"uneven, interleaved", machine::parse("package:2 core:3; node:2 core:1; l3:3 core:2"), in_turn},
        {"interleaved", machine::parse("node:3 package:2 l2:2 core:1"), in_turn},
        {"deep", machine::parse("node:2 group:2 package:2 numa:2 l3:1 l2:2 l1:1 core:1 pu:2"), in_order},
        {"NUMA nodes around packages", machine::parse("numa:2 package:2 core:2"), in_order},
        {"switches", machine::parse("switch:2 switch:2 node:2 core:2"), in_turn},
        {"three switch levels", machine::parse("switch:2 (switch:2 switch:1 core:2; node:2 core:1)"),
         in_order},
        mixed_bindings(ranks),
        all_unbound(ranks),
    };
}

/// The same; of many ranks, whose calls are slow in the simulator, two.
inline std::vector<scenario> few_scenarios_of_many(int ranks) {
    auto all = scenarios(ranks);
    if (ranks <= 16) return all;
    return {all[3], all[9]};
}

/// A step through repetitions, of which slow MPIs get only some. Waiting ranks of MPICH keep their core, so
/// that where there are more ranks than cores every collective takes many milliseconds; the simulator runs
/// all its ranks in one process.
#if defined(MPICH_VERSION)
inline constexpr std::size_t stride = 8;
#elif defined(SMPI_H)
inline constexpr std::size_t stride = 4;
#else
inline constexpr std::size_t stride = 1;
#endif

/// Those of `few_scenarios_of_many` that an MPI gets which is slow.
inline std::vector<scenario> some_scenarios(int ranks) {
    const auto all = few_scenarios_of_many(ranks);
    std::vector<scenario> some;
    for (std::size_t i = 0; i < all.size(); i += stride)
        some.push_back(all[i]);
    return some;
}

/// Whether a sanitizer watches, which makes everything many times slower: fewer repetitions show it as much.
inline constexpr bool is_watched = is_sanitized;

/// Numbers from a seed, the same with every standard library.
class dice {
public:
    explicit dice(std::uint32_t seed) : engine_(seed) {}
    int up_to(int most) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(most + 1)); }
    bool one_in(int many) { return up_to(many - 1) == 0; }

private:
    std::mt19937 engine_;
};

inline std::string random_node(dice& roll) {
    std::string text = "node:" + std::to_string(1 + roll.up_to(2));
    int cpus = 1;
    const auto maybe = [&](const char* kind, int most) {
        if (roll.one_in(2)) return;
        const int count = 1 + roll.up_to(most - 1);
        if (cpus * count > 32) return;
        cpus *= count;
        text += std::string{' '} + kind + ':' + std::to_string(count);
    };
    maybe("group", 2);
    if (roll.one_in(2)) {
        maybe("numa", 3);
        maybe("package", 2);
    } else {
        maybe("package", 3);
        maybe("numa", 2);
    }
    maybe("l3", 2);
    maybe("l2", 3);
    maybe("l1", 2);
    maybe("core", 4);
    maybe("pu", 2);
    return text;
}

inline std::string random_description(dice& roll) {
    std::string text;
    for (int i = roll.up_to(2); i > 0; --i)
        text += "switch:" + std::to_string(1 + roll.up_to(2)) + ' ';
    if (text.empty() || roll.one_in(2)) return text + random_node(roll);
    return text + '(' + random_node(roll) + "; " + random_node(roll) + ')';
}

inline topo::placement random_placement(dice& roll, const topo::machine& on, int ranks) {
    const int rule = roll.up_to(3);
    if (rule == 0) return topo::placement::core_by_core();
    if (rule == 1) return topo::placement::round_robin();
    std::vector<topo::seat> seats;
    for (int rank = 0; rank < ranks; ++rank) {
        const int node = roll.up_to(static_cast<int>(on.nodes().size()) - 1);
        const auto& hardware = *on.nodes()[static_cast<std::size_t>(node)].hardware;
        topo::seat next{node, hardware.core(roll.up_to(hardware.core_count() - 1))};
        if (roll.one_in(4)) // two cores, near or far: whatever contains both
            next.cpus = topo::cpu_set{}
                            .insert(0, hardware.core_count() - 1)
                            .without(cpus(0, roll.up_to(hardware.core_count() - 1)));
        if (roll.one_in(8)) next.cpus = {};
        seats.push_back(std::move(next));
    }
    return topo::placement::list(std::move(seats));
}

inline scenario random_scenario(std::uint32_t seed, int ranks) {
    dice roll{seed};
    const std::string description = random_description(roll);
    auto on = topo::machine::parse(description);
    auto rule = random_placement(roll, on, ranks);
    return {"seed " + std::to_string(seed) + ": " + description, std::move(on), std::move(rule)};
}

inline topo::hierarchy_options random_options(std::uint32_t seed) {
    using topo::kind;
    dice roll{~seed};
    topo::hierarchy_options options;
    if (roll.one_in(3)) options.max_depth = roll.up_to(3);
    const std::vector<kind> some{kind::network_switch, kind::machine,  kind::package,
                                 kind::numa_node,      kind::l2_cache, kind::core};
    for (const kind each : some) {
        if (roll.one_in(6)) options.skip.push_back(each);
        if (seed % 3 == 0 && roll.one_in(2)) options.only.push_back(each);
    }
    return options;
}

} // namespace topo_test
