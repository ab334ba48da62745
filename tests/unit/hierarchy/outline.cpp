// SPDX-License-Identifier: BSL-1.0
// All communicators of special machines, written out by hand: uneven, interleaved, oversubscribed, unbound,
// under switches, with memory in odd places; and the options.
#include "support/complaint.hpp"
#include "support/files.hpp"
#include "support/outline_text.hpp"
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/outline.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace outline_tests {

namespace {

using topo::kind;
using topo::machine;
using topo::outline;
using topo::placement;
using topo_test::lines;

/// The outline of ranks placed by a rule, as text.
lines outlined(const machine& on, const placement& rule, int ranks,
               const topo::hierarchy_options& options = {}) {
    return topo_test::lines_of(outline::of(places_of(on, rule, ranks), options));
}
lines outlined(const std::string& description, const placement& rule, int ranks,
               const topo::hierarchy_options& options = {}) {
    return outlined(machine::parse(description), rule, ranks, options);
}

/// A rank for every pair of node and list of CPUs; an empty list is unbound.
placement bound(const std::vector<std::pair<int, std::string>>& ranks) {
    std::vector<topo::seat> seats;
    for (const auto& [node, cpus] : ranks)
        seats.push_back({node, cpus.empty() ? topo::cpu_set{} : topo::cpu_set::parse(cpus)});
    return placement::list(std::move(seats));
}

machine from_data(const std::string& name) {
    return machine::uniform(topo::topology::from_xml(topo_test::data_file(name)));
}

const std::string cluster = "-1 System - Cluster System - Cluster 0/1 ";

} // namespace

TEST_CASE("outline: one rank is alone at every object of its place") {
    CHECK(outlined("node:4 package:2 core:2", placement::core_by_core(), 1) ==
          lines{"-1 Machine {Package Core PU} node0 0/1 [0]"});
    CHECK(outlined("switch:2 node:2 core:2", bound({{3, ""}}), 1) ==
          lines{"-1 Machine {Switch} node3 0/1 [0]"});
    const auto alone = outline::of(places_of(machine::parse("core:1"), placement::core_by_core(), 1));
    CHECK(alone.max_depth() == 0);
    CHECK(alone.size() == 1);
    CHECK(alone.roots_below(alone.whole()).empty());
}

TEST_CASE("outline: uneven nodes") {
    CHECK(outlined("node:1 core:3; node:1 core:1; node:1 package:2 core:1", placement::core_by_core(), 6) ==
          lines{cluster + "[0-5]", "0 Machine node0 0/3 [0-2]", "1 Core (PU) node0/Core#0 0/3 [0]",
                "1 Core (PU) node0/Core#1 1/3 [1]", "1 Core (PU) node0/Core#2 2/3 [2]",
                "0 Core (Machine PU) node1/Core#0 1/3 [3]", "0 Machine node2 2/3 [4-5]",
                "1 Core (Package PU) node2/Core#0 0/2 [4]", "1 Core (Package PU) node2/Core#1 1/2 [5]"});
}

TEST_CASE("outline: interleaved ranks") {
    CHECK(outlined("node:2 package:2 core:2", placement::round_robin(), 8) ==
          lines{cluster + "[0-7]", "0 Machine node0 0/2 [0 2 4 6]", "1 Package node0/Package#0 0/2 [0 2]",
                "2 Core (PU) node0/Core#0 0/2 [0]", "2 Core (PU) node0/Core#1 1/2 [2]",
                "1 Package node0/Package#1 1/2 [4 6]", "2 Core (PU) node0/Core#2 0/2 [4]",
                "2 Core (PU) node0/Core#3 1/2 [6]", "0 Machine node1 1/2 [1 3 5 7]",
                "1 Package node1/Package#0 0/2 [1 3]", "2 Core (PU) node1/Core#0 0/2 [1]",
                "2 Core (PU) node1/Core#1 1/2 [3]", "1 Package node1/Package#1 1/2 [5 7]",
                "2 Core (PU) node1/Core#2 0/2 [5]", "2 Core (PU) node1/Core#3 1/2 [7]"});
}

TEST_CASE("outline: siblings are numbered by their roots, not by the hardware") {
    CHECK(outlined("node:3 core:2", bound({{2, "1"}, {0, "1"}, {2, "0"}, {1, ""}, {0, "0"}}), 5) ==
          lines{cluster + "[0-4]", "0 Machine node2 0/3 [0 2]", "1 Core (PU) node2/Core#1 0/2 [0]",
                "1 Core (PU) node2/Core#0 1/2 [2]", "0 Machine node0 1/3 [1 4]",
                "1 Core (PU) node0/Core#1 0/2 [1]", "1 Core (PU) node0/Core#0 1/2 [4]",
                "0 Machine node1 2/3 [3]"});
}

TEST_CASE("outline: more ranks than cores share cores") {
    CHECK(outlined("node:1 core:2", placement::core_by_core(), 5) ==
          lines{"-1 Machine node0 0/1 [0-4]", "0 Core (PU) node0/Core#0 0/2 [0 2 4]",
                "0 Core (PU) node0/Core#1 1/2 [1 3]"});
    CHECK(outlined("core:1", placement::core_by_core(), 3) ==
          lines{"-1 Core (Machine PU) node0/Core#0 0/1 [0-2]"});
}

TEST_CASE("outline: a rank that spans two packages is in neither") {
    CHECK(outlined("package:3 core:2", bound({{0, "0"}, {0, "1-2"}, {0, "2"}, {0, "3"}}), 4) ==
          lines{"-1 Machine node0 0/1 [0-3]", "0 Package {Core PU} node0/Package#0 0/2 [0]",
                "0 Package node0/Package#1 1/2 [2-3]", "1 Core (PU) node0/Core#2 0/2 [2]",
                "1 Core (PU) node0/Core#3 1/2 [3]"});
    CHECK(outlined("package:2 core:2", bound({{0, "1-2"}, {0, "0,3"}}), 2) ==
          lines{"-1 Machine node0 0/1 [0-1]"});
}

TEST_CASE("outline: unbound ranks beside bound ones") {
    CHECK(outlined("node:2 package:2 core:2", bound({{0, ""}, {0, "0"}, {1, ""}, {0, "1"}, {1, ""}}), 5) ==
          lines{cluster + "[0-4]", "0 Machine node0 0/2 [0-1 3]", "1 Package node0/Package#0 0/1 [1 3]",
                "2 Core (PU) node0/Core#0 0/2 [1]", "2 Core (PU) node0/Core#1 1/2 [3]",
                "0 Machine node1 1/2 [2 4]"});
    CHECK(outlined("core:2", bound({{0, ""}, {0, "1"}}), 2) ==
          lines{"-1 Machine node0 0/1 [0-1]", "0 Core (PU) node0/Core#1 0/1 [1]"});
}

TEST_CASE("outline: two levels of switches") {
    CHECK(outlined("switch:2 switch:2 node:1", placement::core_by_core(), 4) ==
          lines{cluster + "[0-3]", "0 Switch switch0 0/2 [0-1]",
                "1 Core (Switch Machine PU) node0/Core#0 0/2 [0]",
                "1 Core (Switch Machine PU) node1/Core#0 1/2 [1]", "0 Switch switch1 1/2 [2-3]",
                "1 Core (Switch Machine PU) node2/Core#0 0/2 [2]",
                "1 Core (Switch Machine PU) node3/Core#0 1/2 [3]"});
}

TEST_CASE("outline: three levels of switches, ranks on some nodes only") {
    // switch0 has switch0.0 (nodes 0 to 3) and switch0.1 (nodes 4 to 7), and so on; ranks are unbound.
    CHECK(outlined("switch:2 switch:2 switch:2 node:2 core:2",
                   bound({{0, ""}, {5, ""}, {1, ""}, {3, ""}, {4, ""}}), 5) ==
          lines{"-1 Switch switch0 0/1 [0-4]", "0 Switch switch0.0 0/2 [0 2-3]",
                "1 Switch switch0.0.0 0/2 [0 2]", "2 Machine node0 0/2 [0]", "2 Machine node1 1/2 [2]",
                "1 Switch {Machine} switch0.0.1 1/2 [3]", "0 Switch {Switch} switch0.1/switch0.1.0 1/2 [1 4]",
                "1 Machine node5 0/2 [1]", "1 Machine node4 1/2 [4]"});
}

TEST_CASE("outline: switches of unequal depth") {
    CHECK(outlined("switch:1 (switch:1 node:2 core:2; core:2); core:2",
                   bound({{0, ""}, {1, ""}, {2, ""}, {3, ""}}), 4) ==
          lines{cluster + "[0-3]", "0 Switch switch0 0/2 [0-2]", "1 Switch switch0.0 0/2 [0-1]",
                "2 Machine node0 0/2 [0]", "2 Machine node1 1/2 [1]", "1 Machine node2 1/2 [2]",
                "0 Machine node3 1/2 [3]"});
}

TEST_CASE("outline: equal names under different switches are different") {
    const auto hardware =
        std::make_shared<const topo::topology>(topo::topology::from_synthetic("core:2 pu:1"));
    const machine on{{{"n", {"a", "leaf"}, hardware},
                      {"n", {"b", "leaf"}, hardware},
                      {"n", {"a", "leaf"}, hardware},
                      {"n", {"b", "leaf"}, hardware}}};
    CHECK(outlined(on, bound({{0, ""}, {1, ""}, {2, ""}, {3, ""}}), 4) ==
          lines{cluster + "[0-3]", "0 Switch (Switch) a/leaf 0/2 [0 2]", "1 Machine n 0/2 [0]",
                "1 Machine n 1/2 [2]", "0 Switch (Switch) b/leaf 1/2 [1 3]", "1 Machine n 0/2 [1]",
                "1 Machine n 1/2 [3]"});
}

TEST_CASE("outline: a NUMA node around two packages") {
    CHECK(outlined("numa:2 package:2 core:1", placement::core_by_core(), 4) ==
          lines{"-1 Machine node0 0/1 [0-3]", "0 NUMANode (Group) node0/NUMANode#0 0/2 [0-1]",
                "1 Core (Package PU) node0/Core#0 0/2 [0]", "1 Core (Package PU) node0/Core#1 1/2 [1]",
                "0 NUMANode (Group) node0/NUMANode#1 1/2 [2-3]", "1 Core (Package PU) node0/Core#2 0/2 [2]",
                "1 Core (Package PU) node0/Core#3 1/2 [3]"});
}

TEST_CASE("outline: groups of NUMA nodes") {
    CHECK(outlined("group:2 numa:2 core:2", bound({{0, "0"}, {0, "1"}, {0, "2-3"}, {0, "4-7"}, {0, "6-7"}}),
                   5) ==
          lines{"-1 Machine node0 0/1 [0-4]", "0 Group node0/Group0#0 0/2 [0-2]",
                "1 NUMANode (Group) node0/NUMANode#0 0/2 [0-1]", "2 Core (PU) node0/Core#0 0/2 [0]",
                "2 Core (PU) node0/Core#1 1/2 [1]", "1 NUMANode (Group) node0/NUMANode#1 1/2 [2]",
                "0 Group node0/Group0#1 1/2 [3-4]", "1 NUMANode (Group) node0/NUMANode#3 0/1 [4]"});
}

TEST_CASE("outline: sub-NUMA clusters with far memory on each package") {
    CHECK(outlined(from_data("sub_numa_groups.xml"), bound({{0, "0-1"}, {0, "2-3"}, {0, "6-7"}, {0, "4-7"}}),
                   4) ==
          lines{"-1 Machine node0 0/1 [0-3]", "0 Package node0/Package#0 0/2 [0-1]",
                "1 NUMANode (Group) node0/NUMANode#0 0/2 [0]", "1 NUMANode (Group) node0/NUMANode#1 1/2 [1]",
                "0 Package node0/Package#1 1/2 [2-3]", "1 NUMANode (Group) node0/NUMANode#4 0/1 [2]"});
}

TEST_CASE("outline: L3 caches around two NUMA nodes each") {
    CHECK(outlined(from_data("l3_around_numa.xml"), placement::core_by_core(), 6) ==
          lines{"-1 Package (Machine) node0/Package#0 0/1 [0-5]", "0 L3Cache node0/L3Cache#0 0/2 [0-3]",
                "1 NUMANode (Group) node0/NUMANode#0 0/2 [0-1]", "2 Core (PU) node0/Core#0 0/2 [0]",
                "2 Core (PU) node0/Core#1 1/2 [1]", "1 NUMANode (Group) node0/NUMANode#1 1/2 [2-3]",
                "2 Core (PU) node0/Core#2 0/2 [2]", "2 Core (PU) node0/Core#3 1/2 [3]",
                "0 L3Cache {Group NUMANode} node0/L3Cache#1 1/2 [4-5]", "1 Core (PU) node0/Core#4 0/2 [4]",
                "1 Core (PU) node0/Core#5 1/2 [5]"});
}

TEST_CASE("outline: two PUs a core") {
    // Ranks on one thread, on both threads, on two threads of different cores, on the other thread.
    CHECK(outlined(from_data("smt.xml"), bound({{0, "0"}, {0, "0,4"}, {0, "0,5"}, {0, "4"}}), 4) ==
          lines{"-1 Machine {Package NUMANode} node0 0/1 [0-3]", "0 Core node0/Core#0 0/1 [0-1 3]",
                "1 PU node0/PU#0 0/2 [0]", "1 PU node0/PU#1 1/2 [3]"});
    CHECK(outlined(from_data("smt.xml"), bound({{0, "0"}, {0, "1"}}), 2) ==
          lines{"-1 Machine {Package NUMANode} node0 0/1 [0-1]", "0 Core {PU} node0/Core#0 0/2 [0]",
                "0 Core {PU} node0/Core#1 1/2 [1]"});
}

TEST_CASE("outline: uneven inside one node") {
    CHECK(outlined(from_data("uneven.xml"), placement::core_by_core(), 4) ==
          lines{"-1 Machine node0 0/1 [0-3]", "0 Package node0/Package#0 0/2 [0-2]",
                "1 L3Cache node0/L3Cache#0 0/2 [0-1]", "2 Core node0/Core#0 0/2 [0]",
                "2 Core node0/Core#1 1/2 [1]", "1 Core (L3Cache PU) node0/Core#2 1/2 [2]",
                "0 Core (Package) node0/Core#3 1/2 [3]"});
}

TEST_CASE("outline: only some kinds") {
    const std::string description = "switch:2 node:2 package:2 l3:2 core:2";
    CHECK(outlined(description, placement::core_by_core(), 9, {.only = {kind::machine, kind::package}}) ==
          lines{cluster + "[0-8]", "0 Machine node0 0/2 [0-7]", "1 Package node0/Package#0 0/2 [0-3]",
                "1 Package node0/Package#1 1/2 [4-7]", "0 Machine {Package} node1 1/2 [8]"});
    CHECK(outlined(description, placement::core_by_core(), 9, {.only = {kind::package}}) ==
          lines{cluster + "[0-8]", "0 Package node0/Package#0 0/3 [0-3]",
                "0 Package node0/Package#1 1/3 [4-7]", "0 Package node1/Package#0 2/3 [8]"});
    CHECK(outlined(description, placement::core_by_core(), 9, {.only = {kind::numa_node}}) ==
          lines{cluster + "[0-8]"});
}

TEST_CASE("outline: without some kinds") {
    const std::string description = "switch:2 node:1 package:2 core:1";
    CHECK(outlined(description, placement::core_by_core(), 4, {.skip = {kind::network_switch, kind::core}}) ==
          lines{cluster + "[0-3]", "0 Machine node0 0/2 [0-1]", "1 Package (PU) node0/Package#0 0/2 [0]",
                "1 Package (PU) node0/Package#1 1/2 [1]", "0 Machine node1 1/2 [2-3]",
                "1 Package (PU) node1/Package#0 0/2 [2]", "1 Package (PU) node1/Package#1 1/2 [3]"});
    CHECK(outlined(description, placement::core_by_core(), 2,
                   {.only = {kind::package, kind::core}, .skip = {kind::core}}) ==
          lines{cluster + "[0-1]", "0 Package node0/Package#0 0/2 [0]", "0 Package node0/Package#1 1/2 [1]"});
}

TEST_CASE("outline: at most so deep") {
    const std::string description = "node:2 package:2 core:2";
    const auto rule = placement::core_by_core();
    const auto full = outlined(description, rule, 5);
    REQUIRE(full.size() == 1 + 2 + 2 + 4);
    CHECK(outlined(description, rule, 5, {.max_depth = 3}) == full);
    CHECK(outlined(description, rule, 5, {.max_depth = 2}) ==
          lines{cluster + "[0-4]", "0 Machine node0 0/2 [0-3]", "1 Package node0/Package#0 0/2 [0-1]",
                "1 Package node0/Package#1 1/2 [2-3]", "0 Machine {Package Core PU} node1 1/2 [4]"});
    CHECK(outlined(description, rule, 5, {.max_depth = 1}) ==
          lines{cluster + "[0-4]", "0 Machine node0 0/2 [0-3]", "0 Machine {Package Core PU} node1 1/2 [4]"});
    CHECK(outlined(description, rule, 5, {.max_depth = 0}) == lines{cluster + "[0-4]"});
}

TEST_CASE("outline: children and roots") {
    const auto all = outline::of(places_of(machine::parse("node:3 package:2"), placement::round_robin(), 6));
    CHECK(all.whole().children == std::vector<int>{1, 4, 7});
    CHECK(all.roots_below(all.whole()) == std::vector<int>{0, 1, 2});
    CHECK(all.roots_below(all.communicators[4]) == std::vector<int>{1, 4});
    CHECK(all.roots_below(all.communicators[5]).empty());
    CHECK(all.max_depth() == 2);
    CHECK(all.size() == 6);
}

TEST_CASE("outline: levels are called after what separates them, not after where few ranks sit") {
    CHECK(outlined("node:3 package:2 l3:1 core:2", placement::round_robin(), 3) ==
          lines{cluster + "[0-2]", "0 Machine {Package L3Cache Core PU} node0 0/3 [0]",
                "0 Machine {Package L3Cache Core PU} node1 1/3 [1]",
                "0 Machine {Package L3Cache Core PU} node2 2/3 [2]"});
    // The machine is one package and one cache: the lowest of these.
    CHECK(outlined("node:2 package:1 l3:1 core:2", placement::round_robin(), 2) ==
          lines{cluster + "[0-1]", "0 L3Cache (Machine Package) {Core PU} node0/L3Cache#0 0/2 [0]",
                "0 L3Cache (Machine Package) {Core PU} node1/L3Cache#0 1/2 [1]"});
    // One sibling has ranks on one core, the other on two.
    CHECK(outlined("package:2 core:2", bound({{0, "0"}, {0, "2"}, {0, "3"}}), 3) ==
          lines{"-1 Machine node0 0/1 [0-2]", "0 Package {Core PU} node0/Package#0 0/2 [0]",
                "0 Package node0/Package#1 1/2 [1-2]", "1 Core (PU) node0/Core#2 0/2 [1]",
                "1 Core (PU) node0/Core#3 1/2 [2]"});
    // The whole is called after its node, whatever else its ranks share, or after the lowest switch.
    CHECK(outlined("switch:2 node:2 package:2 core:2", bound({{1, "2"}, {1, "3"}}), 2) ==
          lines{"-1 Machine {Switch Package} node1 0/1 [0-1]", "0 Core (PU) node1/Core#2 0/2 [0]",
                "0 Core (PU) node1/Core#3 1/2 [1]"});
    CHECK(outlined("switch:2 switch:1 node:2 core:2", bound({{0, ""}, {1, ""}}), 2).front() ==
          "-1 Switch (Switch) switch0/switch0.0 0/1 [0-1]");
}

TEST_CASE("outline: NUMA nodes around L3 caches and inside them are called alike") {
    for (const std::string inside : {"core:2", "l2:2 core:2", "core:2 pu:2"}) {
        const auto rule = placement::core_by_core();
        const auto outer = outlined("node:2 package:2 numa:2 l3:1 " + inside, rule, 40);
        CHECK(outer[2].starts_with("1 Package node0/Package#0 0/2 "));
        CHECK(outer[3].starts_with("2 L3Cache (NUMANode) node0/L3Cache#0 0/2 "));
        CHECK(outer == outlined("node:2 package:2 l3:2 numa:1 " + inside, rule, 40));
    }
}

TEST_CASE("outline: ranks that a rule places need no list of places") {
    const auto on = machine::parse("switch:2 (node:2 package:2 core:2; core:3)");
    for (const auto& rule : {placement::core_by_core(), placement::round_robin()})
        for (const topo::hierarchy_options& options :
             {topo::hierarchy_options{}, topo::hierarchy_options{.only = {kind::machine}}})
            CHECK((outline::of(on, rule, 40, options).communicators ==
                   outline::of(places_of(on, rule, 40), options).communicators));
    CHECK(topo_test::complaint<topo::argument_error>([&] {
              outline::of(on, bound({{0, ""}}), 2);
          }) == "topo::placement: list of 1 seats: there are 2 ranks");
}

TEST_CASE("outline: places that know nothing are one cluster") {
    CHECK(topo_test::lines_of(outline::of(std::vector<topo::place>(3))) == lines{cluster + "[0-2]"});
    const topo::place somewhere{{{kind::machine, 0, "a"}}};
    CHECK(topo_test::lines_of(outline::of(std::vector<topo::place>{{}, somewhere, {}, somewhere})) ==
          lines{cluster + "[0-3]", "0 Machine a 0/1 [1 3]"});
}

TEST_CASE("outline: no ranks, and places too deep to tell apart, are refused") {
    CHECK(topo_test::complaint<topo::argument_error>([] { outline::of({}); }) ==
          "topo::outline: list of places: it is empty");
    const auto of_depth = [](int depth) {
        return std::vector<topo::place>{topo::place{std::vector<topo::hardware_object>(
            static_cast<std::size_t>(depth), {kind::network_switch, 0, "s"})}};
    };
    CHECK(outline::of(of_depth(24)).whole().ranks_within.size() == 23);
    CHECK(topo_test::complaint<topo::argument_error>([&] { outline::of(of_depth(25)); }) ==
          "topo::hierarchy: a place of 25 objects: at most 24 can be told apart");
    CHECK(outline::of(of_depth(25), {.skip = {kind::network_switch}}).size() == 1);
    CHECK_THROWS_AS(outline::of(topo::machine::parse("node:2 core:2"), topo::placement::list({{-1, {}}}), 1),
                    topo::argument_error);
}

} // namespace outline_tests
