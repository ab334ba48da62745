// SPDX-License-Identifier: BSL-1.0
// Kinds of hardware object and their names; places and objects as values.
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/place.hpp>

#include <doctest/doctest.h>
#include <hwloc.h>

#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace kind_tests {

namespace {

using topo::kind;

/// Outermost first, with hwloc's type where it has one.
struct known_kind {
    kind which;
    std::string_view name;
    std::optional<hwloc_obj_type_t> type;
};
const std::vector<known_kind> all_kinds{{kind::cluster, "System - Cluster", {}},
                                        {kind::network_switch, "Switch", {}},
                                        {kind::machine, "Machine", HWLOC_OBJ_MACHINE},
                                        {kind::group, "Group", HWLOC_OBJ_GROUP},
                                        {kind::package, "Package", HWLOC_OBJ_PACKAGE},
                                        {kind::die, "Die", HWLOC_OBJ_DIE},
                                        {kind::numa_node, "NUMANode", HWLOC_OBJ_NUMANODE},
                                        {kind::l5_cache, "L5Cache", HWLOC_OBJ_L5CACHE},
                                        {kind::l4_cache, "L4Cache", HWLOC_OBJ_L4CACHE},
                                        {kind::l3_cache, "L3Cache", HWLOC_OBJ_L3CACHE},
                                        {kind::l2_cache, "L2Cache", HWLOC_OBJ_L2CACHE},
                                        {kind::l1_cache, "L1Cache", HWLOC_OBJ_L1CACHE},
                                        {kind::core, "Core", HWLOC_OBJ_CORE},
                                        {kind::pu, "PU", HWLOC_OBJ_PU}};

static_assert(topo::to_string(kind::numa_node) == "NUMANode");
static_assert(topo::kind_from_string("L3Cache") == kind::l3_cache);
static_assert(!topo::kind_from_string("L3"));

std::string shown(const topo::place& where) {
    std::ostringstream text;
    text << where;
    return text.str();
}

} // namespace

TEST_CASE("kind: every kind has its own name, and hwloc's where hwloc has one") {
    for (const auto& known : all_kinds) {
        CAPTURE(known.name);
        CHECK(topo::to_string(known.which) == known.name);
        CHECK(topo::kind_from_string(known.name) == known.which);
        std::ostringstream text;
        text << known.which;
        CHECK(text.str() == known.name);
        if (known.type) CHECK(hwloc_obj_type_string(*known.type) == known.name);
    }
}

TEST_CASE("kind: they are ordered outermost first") {
    for (std::size_t i = 1; i < all_kinds.size(); ++i)
        CHECK(all_kinds[i - 1].which < all_kinds[i].which);
}

TEST_CASE("kind: other words name no kind") {
    for (const std::string_view word : {"", "numanode", "NUMANODE", "Core ", " Core", "L1iCache", "MemCache",
                                        "System", "Bridge", "Cor", "Cores", "node"}) {
        CAPTURE(word);
        CHECK_FALSE(topo::kind_from_string(word).has_value());
    }
}

TEST_CASE("place: an object is called by its own name, else by kind and index") {
    CHECK(to_string(topo::hardware_object{kind::l3_cache, 7, {}}) == "L3Cache#7");
    CHECK(to_string(topo::hardware_object{kind::machine, 3, "node3"}) == "node3");
    CHECK(shown(topo::place{}).empty());
    CHECK(shown(topo::place{
              {{kind::network_switch, 0, "s1"}, {kind::machine, 2, "node2"}, {kind::core, 5, {}}}}) ==
          "s1 > node2 > Core#5");
}

TEST_CASE("place: equal places have equal paths") {
    const topo::hardware_object core{kind::core, 1, {}};
    const topo::place one{{{kind::machine, 0, "a"}, core}};
    CHECK(one == topo::place{{{kind::machine, 0, "a"}, core}});
    CHECK(one != topo::place{{{kind::machine, 0, "b"}, core}});
    CHECK(one != topo::place{{{kind::machine, 1, "a"}, core}});
    CHECK(one != topo::place{{{kind::package, 0, "a"}, core}});
    CHECK(one != topo::place{{{kind::machine, 0, "a"}}});
    CHECK(one.path().back() == core);
}

} // namespace kind_tests
