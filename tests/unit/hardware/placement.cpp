// SPDX-License-Identifier: BSL-1.0
// Which rank sits where: the rules, lists, files, and what is said about broken ones.
#include "support/complaint.hpp"
#include "support/files.hpp"
#include <topomp/hardware/placement.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace placement_tests {

namespace {

using topo::cpu_set;
using topo::machine;
using topo::placement;

/// Seats as text: `0:3` is CPU 3 of node 0, `1:all` anywhere on node 1.
std::string shown(const std::vector<topo::seat>& seats) {
    std::ostringstream text;
    for (const char* separator = ""; const auto& each : seats) {
        text << separator << each.node << ':' << (each.cpus.empty() ? "all" : to_string(each.cpus));
        separator = " ";
    }
    return text.str();
}

std::string seats(const machine& on, const placement& rule, int ranks) {
    return shown(rule.seats(on, ranks));
}

/// The seats that a file of this content gives.
std::string read(const machine& on, const std::string& content) {
    const topo_test::temporary_directory files;
    const auto rule = placement::read(files.file("seats", content), on);
    return shown(rule.seats(on, rule.fixed_size().value()));
}

/// The problem that is found in a file of this content, behind the file's name.
std::string problem(const machine& on, const std::string& content) {
    const topo_test::temporary_directory files;
    const auto file = files.file("seats", content);
    const std::string text = topo_test::complaint<topo::input_error>([&] { placement::read(file, on); });
    const std::string start = "topo::placement::read: " + file.string();
    return text.starts_with(start) ? text.substr(start.size()) : "not so named: " + text;
}

} // namespace

TEST_CASE("placement: core by core fills a node before the next") {
    const auto even = machine::parse("node:2 package:2 core:2");
    CHECK(seats(even, placement::core_by_core(), 0).empty());
    CHECK(seats(even, placement::core_by_core(), 3) == "0:0 0:1 0:2");
    CHECK(seats(even, placement::core_by_core(), 8) == "0:0 0:1 0:2 0:3 1:0 1:1 1:2 1:3");
    const auto uneven = machine::parse("node:1 core:1; node:1 core:3; node:1 core:2");
    CHECK(seats(uneven, placement::core_by_core(), 6) == "0:0 1:0 1:1 1:2 2:0 2:1");
}

TEST_CASE("placement: round robin passes over full nodes") {
    const auto even = machine::parse("node:2 core:2");
    CHECK(seats(even, placement::round_robin(), 4) == "0:0 1:0 0:1 1:1");
    const auto uneven = machine::parse("node:1 core:1; node:1 core:3; node:1 core:2");
    CHECK(seats(uneven, placement::round_robin(), 6) == "0:0 1:0 2:0 1:1 2:1 1:2");
    CHECK(seats(machine::parse("core:3"), placement::round_robin(), 3) == "0:0 0:1 0:2");
}

TEST_CASE("placement: more ranks than cores start again") {
    const auto uneven = machine::parse("node:1 core:1; node:1 core:2");
    CHECK(seats(uneven, placement::core_by_core(), 7) == "0:0 1:0 1:1 0:0 1:0 1:1 0:0");
    CHECK(seats(uneven, placement::round_robin(), 7) == "0:0 1:0 1:1 0:0 1:0 1:1 0:0");
    const auto even = machine::parse("node:2 core:2");
    CHECK(seats(even, placement::round_robin(), 6) == "0:0 1:0 0:1 1:1 0:0 1:0");
}

TEST_CASE("placement: a rank gets all PUs of its core, and a PU where there are no cores") {
    CHECK(seats(machine::parse("core:2 pu:2"), placement::core_by_core(), 2) == "0:0-1 0:2-3");
    CHECK(seats(machine::parse("package:2 pu:2"), placement::core_by_core(), 4) == "0:0 0:1 0:2 0:3");
    const auto smt = machine::uniform(topo::topology::from_xml(topo_test::data_file("smt.xml")), 2);
    CHECK(seats(smt, placement::round_robin(), 4) == "0:0,4 1:0,4 0:1,5 1:1,5");
}

TEST_CASE("placement: rules take any number of ranks, lists their own") {
    const auto on = machine::parse("node:2 core:2");
    CHECK_FALSE(placement::core_by_core().fixed_size().has_value());
    CHECK_FALSE(placement::round_robin().fixed_size().has_value());
    const auto list = placement::list({{1, cpu_set::parse("0-1")}, {0, {}}});
    CHECK(list.fixed_size() == 2);
    CHECK(seats(on, list, 2) == "1:0-1 0:all");
    CHECK(topo_test::complaint<topo::argument_error>([&] { list.seats(on, 3); }) ==
          "topo::placement: list of 2 seats: there are 3 ranks");
    CHECK(topo_test::complaint<topo::argument_error>([&] { list.seats(on, 0); }) ==
          "topo::placement: list of 2 seats: there are 0 ranks");
}

TEST_CASE("placement: a negative number of ranks is refused") {
    const auto on = machine::parse("core:2");
    for (const auto& rule : {placement::core_by_core(), placement::round_robin(), placement::list({{0, {}}})})
        CHECK(topo_test::complaint<topo::argument_error>([&] { rule.seats(on, -1); }) ==
              "topo::placement: number of ranks: -1 is negative");
}

TEST_CASE("placement: places of all ranks") {
    const auto on = machine::parse("switch:2 node:1 package:2 core:2");
    const auto places = places_of(on, placement::round_robin(), 3);
    REQUIRE(places.size() == 3);
    const std::vector<std::string> expected{"switch0 > node0 > Package#0 > Core#0 > PU#0",
                                            "switch1 > node1 > Package#0 > Core#0 > PU#0",
                                            "switch0 > node0 > Package#0 > Core#1 > PU#1"};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        std::ostringstream text;
        text << places[i];
        CHECK(text.str() == expected[i]);
    }
    CHECK(topo_test::complaint<topo::argument_error>([&] {
              places_of(on, placement::list({{0, {}}, {2, {}}}), 2);
          }) == "topo::machine::place_of: node 2: the machine has 2 nodes, numbered from 0");
    CHECK(topo_test::complaint<topo::argument_error>([&] {
              places_of(on, placement::list({{1, cpu_set::parse("3-5")}}), 1);
          }) == "topo::machine::place_of: node1: it has no CPU 4-5 (its CPUs are 0-3)");
}

TEST_CASE("placement: files of nodes by number and name, comments, blanks and all") {
    const auto on = machine::parse("node:3 core:4");
    CHECK(read(on, "0 0\n") == "0:0");
    CHECK(read(on, "2 1-2,3\nnode1 all\n0 0") == "2:1-3 1:all 0:0");
    CHECK(read(on, "# who sits where\n\n  \t\n1 0 # the first\n\t node2\t 3  \n#0 0\n") == "1:0 2:3");
    CHECK(read(on, "1 0\r\n2 all\r\n") == "1:0 2:all");
    CHECK(read(on, "0001 0\n") == "1:0");
    CHECK(read(on, "0 0\n0 0\n0 0\n") == "0:0 0:0 0:0");
}

TEST_CASE("placement: a node's name goes before its number") {
    const auto hardware =
        std::make_shared<const topo::topology>(topo::topology::from_synthetic("core:2 pu:1"));
    const machine on{{{"1", {}, hardware}, {"login", {}, hardware}, {"12345678901", {}, hardware}}};
    CHECK(read(on, "1 0\nlogin 0\n2 1\n0 all\n12345678901 0\n") == "0:0 1:0 2:1 0:all 2:0");
}

TEST_CASE("placement: broken files are named with the line") {
    const auto on = machine::parse("node:3 core:4");
    CHECK(problem(on, "0\n") == ", line 1: expected 'NODE CPULIST', found '0'");
    CHECK(problem(on, "0 0\n\n# x\n1 0 1\n") == ", line 4: expected 'NODE CPULIST', found '1 0 1'");
    CHECK(problem(on, "0 #0\n") == ", line 1: expected 'NODE CPULIST', found '0 #0'");
    CHECK(problem(on, "3 0\n") == ", line 1: unknown node '3' (the machine has 3)");
    CHECK(problem(on, "-1 0\n") == ", line 1: unknown node '-1' (the machine has 3)");
    CHECK(problem(on, "+1 0\n") == ", line 1: unknown node '+1' (the machine has 3)");
    CHECK(problem(on, "0 0\nnode3 0\n") == ", line 2: unknown node 'node3' (the machine has 3)");
    CHECK(problem(on, "99999999999999999999 0\n") ==
          ", line 1: unknown node '99999999999999999999' (the machine has 3)");
    CHECK(problem(on, "0 0\n1 x\n") ==
          ", line 2: topo::cpu_set: \"x\": column 1: expected the number of a CPU");
    CHECK(problem(on, "1 ALL\n") ==
          ", line 1: topo::cpu_set: \"ALL\": column 1: expected the number of a CPU");
    CHECK(problem(on, "0 0\n1 2-4\n") ==
          ", line 2: topo::machine::place_of: node1: it has no CPU 4 (its CPUs are 0-3)");
    CHECK(problem(on, "") == ": it seats no rank");
    CHECK(problem(on, "# nobody\n\n") == ": it seats no rank");
}

TEST_CASE("placement: files that cannot be read are named with the reason") {
    const auto on = machine::parse("core:4");
    const topo_test::temporary_directory files;
    const auto complaint = [&](const std::filesystem::path& file) {
        return topo_test::complaint<topo::system_error>([&] { placement::read(file, on); });
    };
    const auto missing = files.path() / "missing";
    CHECK(complaint(missing) == "topo::placement::read: " + missing.string() + ": No such file or directory");
    CHECK(complaint(files.path()) == "topo::placement::read: " + files.path().string() + ": Is a directory");
}

} // namespace placement_tests
