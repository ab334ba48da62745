// SPDX-License-Identifier: BSL-1.0
// Machines: descriptions, their errors, and where a seat is.
#include "support/complaint.hpp"
#include "support/files.hpp"
#include "support/repetitions.hpp"
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/network.hpp>

#include <doctest/doctest.h>
#include <hwloc.h>

#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace machine_tests {

namespace {

using topo::cpu_set;
using topo::machine;

/// All nodes as text: switches, name, and how many cores: `switch0/switch0.1/node1:4 ...`.
std::string shown(const machine& what) {
    std::ostringstream text;
    for (const char* separator = ""; const auto& node : what.nodes()) {
        text << separator;
        for (const auto& name : node.switches)
            text << name << '/';
        text << node.name << ':' << node.hardware->core_count();
        separator = " ";
    }
    return text.str();
}

std::string nodes(std::string_view description) { return shown(machine::parse(description)); }

/// The place of a binding on node 0.
std::string place(std::string_view description, const std::string& cpus) {
    std::ostringstream text;
    text << machine::parse(description).place_of({0, cpu_set::parse(cpus)});
    return text.str();
}

std::string complaint(const std::string& description) {
    return topo_test::complaint<topo::input_error>([&] { machine::parse(description); });
}

std::string expected_complaint(const std::string& description, int column, const std::string& problem) {
    return "topo::machine::parse: \"" + description + "\": column " + std::to_string(column) + ": " + problem;
}

} // namespace

TEST_CASE("machine: nodes and what is in them") {
    CHECK(nodes("node:2 package:2 core:3") == "node0:6 node1:6");
    CHECK(nodes("package:2 core:3") == "node0:6");
    CHECK(nodes("node:3") == "node0:1 node1:1 node2:1");
    CHECK(nodes("core:4") == "node0:4");
    CHECK(nodes("pu:4") == "node0:4");
    CHECK(place("package:2 l3:1 l2:2 l1:1 core:2", "5") ==
          "node0 > Package#1 > L3Cache#1 > L2Cache#2 > L1Cache#2 > Core#5 > PU#5");
}

TEST_CASE("machine: every word for a kind") {
    CHECK(place("machine:1 socket:2 core:1", "0") == "node0 > Package#0 > Core#0 > PU#0");
    CHECK(place("package:2 die:2 core:1", "1") == "node0 > Package#0 > Die#1 > Core#1 > PU#1");
    CHECK(place("numa:2 l5:1 l4:2 l3:2 l2:2 l1:2 core:1", "0") ==
          place("numanode:2 L5Cache:1 l4cache:2 L3cache:2 L2CACHE:2 l1d:2 Core:1 PU:1", "0"));
    CHECK(place("numa:2 l5:1 l4:2 core:1", "0") ==
          "node0 > L5Cache#0 > NUMANode#0 > L4Cache#0 > Core#0 > PU#0");
    CHECK(place("group:2 core:2", "0-1") == "node0 > Group0#0");
}

TEST_CASE("machine: a core has one PU and the innermost objects one core, where nothing else is said") {
    CHECK(place("package:2", "1") == "node0 > Package#1 > Core#1 > PU#1");
    CHECK(place("package:2 core:2", "1") == "node0 > Package#0 > Core#1 > PU#1");
    CHECK(place("package:2 core:2 pu:2", "1") == "node0 > Package#0 > Core#0 > PU#1");
    CHECK(place("package:2 pu:2", "1") == "node0 > Package#0 > PU#1");
    CHECK(place("node:1", "0") == "node0 > Core#0 > PU#0");
}

TEST_CASE("machine: switches of one, two and three levels") {
    CHECK(nodes("switch:2 node:2") == "switch0/node0:1 switch0/node1:1 switch1/node2:1 switch1/node3:1");
    CHECK(nodes("switch:2") == "switch0/node0:1 switch1/node1:1");
    CHECK(nodes("switch:2 switch:2 core:3") == "switch0/switch0.0/node0:3 switch0/switch0.1/node1:3 "
                                               "switch1/switch1.0/node2:3 switch1/switch1.1/node3:3");
    CHECK(nodes("switch:1 switch:2 switch:1 node:2") ==
          "switch0/switch0.0/switch0.0.0/node0:1 switch0/switch0.0/switch0.0.0/node1:1 "
          "switch0/switch0.1/switch0.1.0/node2:1 switch0/switch0.1/switch0.1.0/node3:1");
}

TEST_CASE("machine: nodes differ by alternatives") {
    CHECK(nodes("node:2 core:2; node:1 core:5") == "node0:2 node1:2 node2:5");
    CHECK(nodes("core:2;core:3;core:4") == "node0:2 node1:3 node2:4");
    CHECK(nodes("switch:1 node:1 core:2; switch:2 node:1 core:3") ==
          "switch0/node0:2 switch1/node1:3 switch2/node2:3");
    CHECK(nodes("switch:2 (node:1 core:2; node:2 core:1)") ==
          "switch0/node0:2 switch0/node1:1 switch0/node2:1 switch1/node3:2 switch1/node4:1 switch1/node5:1");
    CHECK(nodes("switch:1 (switch:2 core:1; switch:1 core:2; core:3); node:1") ==
          "switch0/switch0.0/node0:1 switch0/switch0.1/node1:1 switch0/switch0.2/node2:2 switch0/node3:3 "
          "node4:1");
    CHECK(nodes("switch:1(switch:1(switch:1(core:2)))") == "switch0/switch0.0/switch0.0.0/node0:2");
}

TEST_CASE("machine: blanks count for nothing") {
    const std::string expected = nodes("switch:2 (node:1 core:2;node:1)");
    CHECK(nodes("  switch:2(node:1 core:2;node:1)  ") == expected);
    CHECK(nodes("\tswitch:2\n( node:1\tcore:2 ; node:1 ) ") == expected);
}

TEST_CASE("machine: equal nodes share their hardware, and so do copies") {
    const auto two = machine::parse("node:2 core:2; core:3; switch:1 node:1 core:2");
    REQUIRE(two.nodes().size() == 4);
    CHECK(two.nodes()[0].hardware == two.nodes()[1].hardware);
    CHECK(two.nodes()[0].hardware == two.nodes()[3].hardware);
    CHECK(two.nodes()[0].hardware != two.nodes()[2].hardware);
    const machine copy = two;
    CHECK(copy.nodes()[2].hardware == two.nodes()[2].hardware);
}

TEST_CASE("machine: attributes and attached memory are hwloc's") {
    const auto sized = machine::parse("package:2 l3:1(size=32MB) core:2");
    const auto raw = sized.nodes().front().hardware->native_handle();
    CHECK(hwloc_get_obj_by_type(raw, HWLOC_OBJ_L3CACHE, 0)->attr->cache.size == 32'000'000u);

    CHECK(place("package:2 [numa] core:2", "0-1") == "node0 > Package#0 > NUMANode#0");
    CHECK(place("package:2 [numa] [numa] core:2", "0-1") == "node0 > Package#0 > NUMANode#0");
    CHECK(place("package:2 [numa(memory=1GB)] group:2 [numa] core:2", "0-1") ==
          "node0 > Package#0 > Group0#0 > NUMANode#0");
    CHECK(place("[numa] package:2 core:2", "0-1") == "node0 > Package#0");
    const auto numbered = machine::parse("core:2 pu:2(indexes=0,2,1,3)");
    CHECK(to_string(numbered.nodes().front().hardware->core(0)) == "0,2");
}

TEST_CASE("machine: broken descriptions are named with the column") {
    const std::string nothing = "expected a kind and a count, such as node:4";
    const auto unknown = [](const std::string& word) {
        return "unknown kind '" + word +
               "' (known: switch node package die numa group l5 l4 l3 l2 l1 core pu)";
    };
    const auto count = [](const std::string& word) {
        return "expected a count from 1 to 4194304 for " + word;
    };
    const std::vector<std::pair<std::string, std::pair<int, std::string>>> broken{
        {"", {1, nothing}},
        {"   ", {4, nothing}},
        {";", {1, nothing}},
        {"node:2;", {8, nothing}},
        {"node:2;;core:1", {8, nothing}},
        {"switch:2 ()", {11, nothing}},
        {"switch:2 (node:1; )", {19, nothing}},
        {"node:2 foo:3", {8, unknown("foo")}},
        {"nodes:2", {1, unknown("nodes")}},
        {"node:2 l1i:3", {8, unknown("l1i")}},
        {"node", {5, "expected ':' and a count behind node"}},
        {"node:2 core", {12, "expected ':' and a count behind core"}},
        {"node 2", {5, "expected ':' and a count behind node"}},
        {"node:", {6, count("node")}},
        {"node: 2", {6, count("node")}},
        {"node:x", {6, count("node")}},
        {"node:0", {6, count("node")}},
        {"core:-1", {6, count("core")}},
        {"node:4194305", {6, count("node")}},
        {"switch:99999999999999999999", {8, count("switch")}},
        {"node:1.5", {7, "unexpected '.'"}},
        {"node:1,core:2", {7, "unexpected ','"}},
        {":3", {1, "unexpected ':'"}},
        {"2", {1, unknown("2")}},
        {"node:2 core:2)", {14, "')' without '('"}},
        {")", {1, nothing}},
        {"switch:2 (node:2", {10, "this '(' is never closed"}},
        {"switch:2 (switch:1 (node:2)", {10, "this '(' is never closed"}},
        {"(node:2)", {1, "'(' belongs behind a switch"}},
        {"node:2 (core:2)", {8, "'(' belongs behind a switch"}},
        {"node:2(core:2)", {7, "'(' belongs behind a switch"}},
        {"switch:2 node:1 (core:2)", {17, "'(' belongs behind a switch"}},
        {"switch:2 (node:1) node:2", {19, "expected ';' or the end"}},
        {"switch:2 (node:1) (node:2)", {19, "expected ';' or the end"}},
        {"node:2 switch:2", {8, "a switch cannot be inside a node"}},
        {"core:2 switch:2", {8, "a switch cannot be inside a node"}},
        {"node:2 node:2", {8, "a node cannot be inside a node"}},
        {"core:2 node:2", {8, "a node cannot be inside a node"}},
        {"pu:2 core:2", {6, "nothing can be inside a PU"}},
        {"core:2 pu:2 [numa]", {13, "nothing can be inside a PU"}},
        {"package:2 [numa core:2", {11, "this '[' is never closed"}},
        {"l3:2(size=1MB core:2", {5, "this '(' is never closed"}},
        {"core:1; core:2 core:2", {16, "a second level of the kind Core"}},
        {"package:2 socket:2", {11, "a second level of the kind Package"}},
        {"l1:2 l2:2 l1d:2", {11, "a second level of the kind L1Cache"}},
        {"numa:2 core:2 numa:2", {15, "a second level of the kind NUMANode"}},
        {"numa:2 [numa]", {8, "NUMA nodes are either a level or attached in brackets"}},
        {"[numa] numa:2", {8, "NUMA nodes are either a level or attached in brackets"}},
        {"package:2(colour=red)", {1, "hwloc cannot build a node from 'Package:2(colour=red) Core:1 PU:1'"}},
        {"core:2 []", {1, "hwloc cannot build a node from 'Core:2 [] PU:1'"}},
    };
    for (const auto& [description, problem] : broken)
        CHECK(complaint(description) == expected_complaint(description, problem.first, problem.second));
}

TEST_CASE("machine: absurd sizes are refused at once") {
    CHECK(machine::parse("core:64 pu:64").nodes().front().hardware->core_count() == 64);
    CHECK(complaint("core:4097") == expected_complaint("core:4097", 1, "more than 4096 CPUs in a node"));
    CHECK(complaint("core:64 pu:65") ==
          expected_complaint("core:64 pu:65", 9, "more than 4096 CPUs in a node"));
    CHECK(complaint("package:4194304 core:4194304 pu:4194304") ==
          expected_complaint("package:4194304 core:4194304 pu:4194304", 1, "more than 4096 CPUs in a node"));
    for (const std::string text : {"switch:4194304 node:2", "node:4194304; node:1",
                                   "switch:4194304 switch:4194304 switch:4194304 switch:4194304",
                                   "switch:65536 (switch:65536 (node:4194304; node:4194304))"})
        CHECK(complaint(text) == expected_complaint(text, 1, "more than 4194304 nodes"));

    std::string chain, nest;
    for (int i = 0; i < 16; ++i) {
        chain += "switch:1 ";
        nest += "switch:1(";
    }
    const std::string closing(16, ')');
    CHECK(machine::parse(chain + "node:1").nodes().front().switches.size() == 16);
    CHECK(machine::parse(nest + "node:1" + closing).nodes().front().switches.size() == 16);
    const std::string deep = "more than 16 levels of switches";
    CHECK(complaint(chain + "switch:1") == expected_complaint(chain + "switch:1", 145, deep));
    CHECK(complaint(nest + "switch:1" + closing) ==
          expected_complaint(nest + "switch:1" + closing, 145, deep));
    std::string endless;
    for (int i = 0; i < 100'000; ++i)
        endless += "switch:1(";
    CHECK(complaint(endless) == expected_complaint(endless, 145, deep));
}

TEST_CASE("machine: whatever is thrown at the reader, it gives a machine or an input_error") {
    constexpr std::array<std::string_view, 44> tokens{
        "switch:2",   "switch:1",  "switch",     "node:1",      "node:3",
        "node:0",     "machine:2", "package:2",  "package:1",   "die:2",
        "numa:2",     "numa:1",    "group:2",    "l5:1",        "l3:2",
        "l2:1",       "l1:2",      "core:2",     "core:1",      "core:3",
        "pu:2",       "pu:1",      "[numa]",     "[",           "]",
        "(",          ")",         ";",          ":",           "-",
        "2",          "[numa:2]",  "(size=1MB)", "foo:1",       "[core]",
        "core:99999", "node:",     "x",          "(indexes=1)", "(indexes=0,)",
        "\xff",       "=",         "L3Cache:1",  "(memory=1)"};
    // While one topology lives, hwloc does not look for its plugins anew at every load.
    const auto keep_plugins = topo::topology::from_synthetic("pu:1");
    std::mt19937 random{20240611};
    int machines = 0, errors = 0;
    for (int round = 0; round < topo_test::repetitions(300'000); ++round) {
        std::string text;
        for (auto length = random() % 8; length > 0; --length) {
            text += tokens[random() % tokens.size()];
            if (random() % 4 != 0) text += ' ';
        }
        try {
            const auto parsed = machine::parse(text);
            ++machines;
            REQUIRE(parsed.nodes().size() <= 2187); // 3 to the number of tokens
            for (const auto& node : parsed.nodes())
                if (node.hardware->core_count() < 1 || node.name.empty()) FAIL(text);
            const int last = static_cast<int>(parsed.nodes().size()) - 1;
            const auto there = parsed.place_of({last, parsed.nodes().back().hardware->core(0)});
            const auto above = parsed.nodes().back().switches.size();
            if (there.path().size() <= above || there.path()[above].kind != topo::kind::machine) FAIL(text);
        } catch (const topo::input_error& error) {
            ++errors;
            const std::string_view what = error.what();
            if (!what.starts_with("topo::machine::parse: \"" + text + "\": column ")) FAIL(text << what);
        }
    }
    // Both ways out were taken often.
    CHECK(machines > topo_test::repetitions(10'000));
    CHECK(errors > topo_test::repetitions(10'000));
}

TEST_CASE("machine: a seat's place starts with switches and node") {
    const auto two = machine::parse("switch:2 node:1 package:2 core:2");
    std::ostringstream text;
    text << two.place_of({1, cpu_set::parse("2-3")});
    CHECK(text.str() == "switch1 > node1 > Package#1");
    const auto path = two.place_of({1, {}}).path();
    REQUIRE(path.size() == 2);
    CHECK(path[0] == topo::hardware_object{topo::kind::network_switch, 0, "switch1"});
    CHECK(path[1] == topo::hardware_object{topo::kind::machine, 1, "node1"});
}

TEST_CASE("machine: seats outside the machine are named") {
    const auto two = machine::parse("node:2 core:4");
    const auto complaint_about = [&](int node, const std::string& cpus) {
        return topo_test::complaint<topo::argument_error>([&] {
            two.place_of({node, cpu_set::parse(cpus)});
        });
    };
    CHECK(complaint_about(2, "0") ==
          "topo::machine::place_of: node 2: the machine has 2 nodes, numbered from 0");
    CHECK(complaint_about(-1, "0") ==
          "topo::machine::place_of: node -1: the machine has 2 nodes, numbered from 0");
    CHECK(complaint_about(1, "3-5,9") ==
          "topo::machine::place_of: node1: it has no CPU 4-5,9 (its CPUs are 0-3)");
}

TEST_CASE("machine: of one piece of hardware many times over") {
    const auto three = machine::uniform(topo::topology::from_synthetic("core:2 pu:1"), 3);
    CHECK(shown(three) == "node0:2 node1:2 node2:2");
    CHECK(shown(machine::uniform(topo::topology::from_xml(topo_test::data_file("uneven.xml")))) == "node0:4");
    CHECK(topo_test::complaint<topo::argument_error>([] {
              machine::uniform(topo::topology::from_synthetic("core:2 pu:1"), 0);
          }) == "topo::machine::uniform: number of nodes: 0 is not at least 1");
    CHECK(topo_test::complaint<topo::argument_error>([] { machine{std::vector<machine::node>{}}; }) ==
          "topo::machine: list of nodes: it is empty");
}

TEST_CASE("machine: under the switches that a network knows") {
    const auto three = machine::parse("switch:1 node:3");
    const auto network = topo::network::callback([](const std::string& host) {
        return host == "node1" ? std::vector<std::string>{} : std::vector<std::string>{"top", "leaf"};
    });
    CHECK(shown(three.under(network)) == "top/leaf/node0:1 node1:1 top/leaf/node2:1");
    CHECK(shown(three) == "switch0/node0:1 switch0/node1:1 switch0/node2:1");
}

} // namespace machine_tests
