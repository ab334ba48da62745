// SPDX-License-Identifier: BSL-1.0
// The two examples of paper 1, section 5, step by step: 32 ranks on 4 nodes, and a node whose ranks are bound
// in different ways. All expected values are the paper's, written out by hand.
#include "support/outline_text.hpp"
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/outline.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace outline_paper_tests {

namespace {

using topo::kind;
using topo::outline;
using members = std::vector<int>;

const std::string inside_node = "numa:2 package:1 l3:1 l2:2 l1:1 core:2 pu:1";

/// What a step of the paper yields for a rank: its communicator of this depth, null where it has none.
const outline::communicator* newcomm(const outline& all, int depth, int rank) {
    for (const auto& one : all.communicators)
        if (one.depth == depth && std::ranges::find(one.ranks, rank) != one.ranks.end()) return &one;
    return nullptr;
}

/// What a step yields as roots communicator for a rank: empty where it is null.
members rootscomm(const outline& all, int depth, int rank) {
    const auto* own = newcomm(all, depth, rank);
    const auto* parent = newcomm(all, depth - 1, rank);
    if (own == nullptr || parent == nullptr || own->root() != rank) return {};
    return all.roots_below(*parent);
}

/// Checks everything that is known about the communicator of one rank after a step.
void check(const outline::communicator* one, const members& ranks, kind type, const std::vector<kind>& also,
           int index, int count, const std::string& name) {
    REQUIRE(one != nullptr);
    CHECK(one->ranks == ranks);
    CHECK(one->type == type);
    CHECK(one->also == also);
    CHECK(one->index == index);
    CHECK(one->count == count);
    CHECK(one->name == name);
}

outline simple_case() {
    const auto machine = topo::machine::parse("node:4 " + inside_node);
    return outline::of(places_of(machine, topo::placement::core_by_core(), 32));
}

outline complicated_case() {
    const auto machine = topo::machine::parse(inside_node);
    const auto cpus = [](const char* list) { return topo::seat{0, topo::cpu_set::parse(list)}; };
    // Ranks 0 and 1 on their cores, 2 and 3 on L2 cache number 1, the others on NUMA node number 1.
    const auto seats = topo::placement::list(
        {cpus("0"), cpus("1"), cpus("2-3"), cpus("2-3"), cpus("4-7"), cpus("4-7"), cpus("4-7"), cpus("4-7")});
    return outline::of(places_of(machine, seats, 8));
}

} // namespace

TEST_CASE("outline_paper: 5.1, node 0 and the whole as the paper writes them") {
    const auto all = simple_case();
    const auto lines = topo_test::lines_of(all);
    const std::vector<std::string> expected{"-1 System - Cluster System - Cluster 0/1 [0-31]",
                                            "0 Machine node0 0/4 [0-7]",
                                            "1 L3Cache (Package NUMANode) node0/L3Cache#0 0/2 [0-3]",
                                            "2 L1Cache (L2Cache) node0/L1Cache#0 0/2 [0-1]",
                                            "3 Core (PU) node0/Core#0 0/2 [0]",
                                            "3 Core (PU) node0/Core#1 1/2 [1]",
                                            "2 L1Cache (L2Cache) node0/L1Cache#1 1/2 [2-3]",
                                            "3 Core (PU) node0/Core#2 0/2 [2]",
                                            "3 Core (PU) node0/Core#3 1/2 [3]",
                                            "1 L3Cache (Package NUMANode) node0/L3Cache#1 1/2 [4-7]",
                                            "2 L1Cache (L2Cache) node0/L1Cache#2 0/2 [4-5]",
                                            "3 Core (PU) node0/Core#4 0/2 [4]",
                                            "3 Core (PU) node0/Core#5 1/2 [5]",
                                            "2 L1Cache (L2Cache) node0/L1Cache#3 1/2 [6-7]",
                                            "3 Core (PU) node0/Core#6 0/2 [6]",
                                            "3 Core (PU) node0/Core#7 1/2 [7]",
                                            "0 Machine node1 1/4 [8-15]"};
    REQUIRE(lines.size() == 1 + 4 + 8 + 16 + 32);
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(lines[i] == expected[i]);
    CHECK(all.size() == 32);
    CHECK(all.max_depth() == 4);
}

TEST_CASE("outline_paper: 5.1, step 1: the machines") {
    const auto all = simple_case();
    for (int k = 0; k <= 3; ++k)
        for (int i = 0; i <= 7; ++i) {
            const int x = 8 * k + i;
            check(newcomm(all, 0, x),
                  {8 * k, 8 * k + 1, 8 * k + 2, 8 * k + 3, 8 * k + 4, 8 * k + 5, 8 * k + 6, 8 * k + 7},
                  kind::machine, {}, k, 4, "node" + std::to_string(k));
            CHECK(rootscomm(all, 0, x) == (i == 0 ? members{0, 8, 16, 24} : members{}));
        }
}

TEST_CASE("outline_paper: 5.1, step 2: the L3 caches") {
    const auto all = simple_case();
    for (int k = 0; k <= 3; ++k)
        for (int i = 0; i <= 1; ++i)
            for (int member = 0; member < 4; ++member) {
                const int first = 8 * k + 4 * i;
                check(newcomm(all, 1, first + member), {first, first + 1, first + 2, first + 3},
                      kind::l3_cache, {kind::package, kind::numa_node}, i, 2,
                      "node" + std::to_string(k) + "/L3Cache#" + std::to_string(i));
                CHECK(rootscomm(all, 1, first + member) ==
                      (member == 0 ? members{8 * k, 8 * k + 4} : members{}));
            }
}

TEST_CASE("outline_paper: 5.1, step 3: the L1 caches") {
    const auto all = simple_case();
    for (int k = 0; k <= 3; ++k)
        for (int i = 0; i <= 3; ++i)
            for (int member = 0; member < 2; ++member) {
                const int first = 8 * k + 2 * i;
                check(newcomm(all, 2, first + member), {first, first + 1}, kind::l1_cache, {kind::l2_cache},
                      i % 2, 2, "node" + std::to_string(k) + "/L1Cache#" + std::to_string(i));
                const int l3_first = 8 * k + 4 * (i / 2);
                CHECK(rootscomm(all, 2, first + member) ==
                      (member == 0 ? members{l3_first, l3_first + 2} : members{}));
            }
}

TEST_CASE("outline_paper: 5.1, step 4: the cores; step 5: nothing") {
    const auto all = simple_case();
    for (int k = 0; k <= 3; ++k)
        for (int i = 0; i <= 7; ++i) {
            const int x = 8 * k + i;
            check(newcomm(all, 3, x), {x}, kind::core, {kind::pu}, i % 2, 2,
                  "node" + std::to_string(k) + "/Core#" + std::to_string(i));
            CHECK(rootscomm(all, 3, x) == members{x - i % 2, x - i % 2 + 1});
            CHECK(newcomm(all, 4, x) == nullptr);
            CHECK(rootscomm(all, 4, x).empty());
        }
}

TEST_CASE("outline_paper: 5.2, all communicators") {
    CHECK(topo_test::lines_of(complicated_case()) ==
          topo_test::lines{
              "-1 Machine node0 0/1 [0-7]", "0 L3Cache (Package NUMANode) node0/L3Cache#0 0/2 [0-3]",
              "1 L1Cache (L2Cache) node0/L1Cache#0 0/2 [0-1]", "2 Core (PU) node0/Core#0 0/2 [0]",
              "2 Core (PU) node0/Core#1 1/2 [1]", "1 L1Cache (L2Cache) node0/L1Cache#1 1/2 [2-3]",
              "0 L3Cache (Package NUMANode) node0/L3Cache#1 1/2 [4-7]"});
    CHECK(complicated_case().max_depth() == 3);
}

TEST_CASE("outline_paper: 5.2, step by step with null communicators") {
    const auto all = complicated_case();
    // step 1
    for (int x = 0; x <= 7; ++x) {
        const auto* one = newcomm(all, 0, x);
        REQUIRE(one != nullptr);
        CHECK(one->ranks == (x < 4 ? members{0, 1, 2, 3} : members{4, 5, 6, 7}));
        CHECK(rootscomm(all, 0, x) == (x == 0 || x == 4 ? members{0, 4} : members{}));
    }
    // step 2
    for (int x = 0; x <= 3; ++x) {
        const auto* one = newcomm(all, 1, x);
        REQUIRE(one != nullptr);
        CHECK(one->ranks == (x < 2 ? members{0, 1} : members{2, 3}));
        CHECK(rootscomm(all, 1, x) == (x == 0 || x == 2 ? members{0, 2} : members{}));
    }
    for (int x = 4; x <= 7; ++x) {
        CHECK(newcomm(all, 1, x) == nullptr);
        CHECK(rootscomm(all, 1, x).empty());
    }
    // step 3
    for (int x = 0; x <= 1; ++x) {
        const auto* one = newcomm(all, 2, x);
        REQUIRE(one != nullptr);
        CHECK(one->ranks == members{x});
        CHECK(rootscomm(all, 2, x) == members{0, 1});
    }
    for (int x = 2; x <= 7; ++x) {
        CHECK(newcomm(all, 2, x) == nullptr);
        CHECK(rootscomm(all, 2, x).empty());
    }
    // step 4
    for (int x = 0; x <= 7; ++x)
        CHECK(newcomm(all, 3, x) == nullptr);
}

} // namespace outline_paper_tests
