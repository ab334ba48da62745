// SPDX-License-Identifier: BSL-1.0
// What cannot work throws the right exception, on every rank, and leaves nothing behind.
#include "support/check_fails.hpp"
#include "support/made_up.hpp"
#include "support/open_handles.hpp"
#include <topomp/hardware/network.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/gather_outline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/remap.hpp>
#include <topomp/hierarchy/shared_level.hpp>
#include <topomp/hierarchy/split.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/mapping/graph.hpp>
#include <topomp/mapping/node_cart.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bad_input_tests {

using boost::mpi::communicator;
using topo_test::check_fails;

namespace {

const topo::machine& small_machine() {
    static const auto on = topo::machine::parse("node:2 package:2 core:2");
    return on;
}

/// Checks that every way in refuses a communicator for this reason.
void check_refused(MPI_Comm bare, const std::string& reason) {
    const communicator comm{bare, boost::mpi::comm_attach};
    const auto in_order = topo::placement::core_by_core();
    const auto refused = [&](const std::string& name, auto call) {
        check_fails<topo::argument_error>(call, {"topo::" + name + ": communicator", reason});
    };
    // Each by the name of the function that is called here.
    const auto refused_both = [&](const std::string& name, auto call) {
        refused(name, [&] { call(comm); });
        refused(name, [&] { call(bare); });
    };
    refused_both("hierarchy", [](auto of) { topo::hierarchy levels(of); });
    refused_both("hierarchy", [](auto of) { topo::hierarchy levels(of, topo::place{}); });
    refused_both("hierarchy", [&](auto of) { topo::hierarchy levels(of, small_machine(), in_order); });
    refused_both("hierarchy::of", [](auto of) { topo::hierarchy::of(of); });
    refused_both("discover_place", [](auto of) { topo::discover_place(of); });
    refused_both("split", [](auto of) { topo::split(of); });
    refused_both("split", [](auto of) { topo::split(of, topo::kind::core); });
    refused_both("split_with_roots", [](auto of) { topo::split_with_roots(of); });
    refused_both("node_cart", [](auto of) { topo::node_cart{of, {0}}; });
    refused_both("graph", [](auto of) { topo::graph{of, std::vector<int>{}}; });
    refused_both("graph", [](auto of) { topo::graph{of, std::nullopt}; });
    refused_both("remap", [](auto of) { topo::remap(of, MPI_COMM_NULL); });
    refused("level_info_of", [&] { topo::level_info_of(bare); });
}

template <class Expected>
void check_build_fails(const communicator& world, const topo::placement& rule,
                       std::initializer_list<std::string_view> parts) {
    check_fails<Expected>([&] { topo::hierarchy levels(world, small_machine(), rule); }, parts);
}

std::vector<topo::seat> good_seats(int ranks) {
    return std::vector<topo::seat>(static_cast<std::size_t>(ranks), topo::seat{1, topo_test::cpus(2, 2)});
}

std::string on_rank(int rank) { return "(on rank " + std::to_string(rank) + ')'; }

} // namespace

TEST_CASE("no communicator") { check_refused(MPI_COMM_NULL, "MPI_COMM_NULL"); }

#ifndef SMPI_H // has no MPI_Intercomm_create
TEST_CASE("an inter-communicator") {
    const communicator world;
    if (world.size() == 1) return; // one rank has no other side
    const auto before = topo_test::count_open_handles();
    {
        const communicator side = world.split(world.rank() % 2);
        MPI_Comm both = MPI_COMM_NULL;
        MPI_Intercomm_create(side, 0, world, 1 - world.rank() % 2, 0, &both);
        check_refused(both, "inter-communicator");
        MPI_Comm_free(&both);
    }
    CHECK((topo_test::count_open_handles() == before));
}
#endif

TEST_CASE("a machine that cannot be read, on every rank") {
    const std::array<std::pair<const char*, const char*>, 4> bad{{{"node:2 foo:3", "unknown kind 'foo'"},
                                                                  {"node:2 core:0", "count"},
                                                                  {"switch:2 (node:1", "never closed"},
                                                                  {"", "expected a kind"}}};
    for (const auto& each : bad)
        check_fails<topo::input_error>(
            [&] {
                topo::hierarchy levels(communicator{}, topo::machine::parse(each.first),
                                       topo::placement::core_by_core());
            },
            {"topo::machine::parse", each.first, "column", each.second});
}

TEST_CASE("a placement for another number of ranks") {
    const communicator world;
    const std::string ranks = "there are " + std::to_string(world.size()) + " ranks";
    for (const int wrong : {world.size() - 1, world.size() + 1}) {
        const std::string seats = "list of " + std::to_string(wrong) + " seats";
        check_build_fails<topo::argument_error>(world, topo::placement::list(good_seats(wrong)),
                                                {"topo::placement", seats, ranks});
    }
}

TEST_CASE("a seat outside the machine, of one rank only") {
    const communicator world;
    const int last = world.size() - 1;
    auto seats = good_seats(world.size());
    seats.back().cpus = topo_test::cpus(3, 5);
    const auto expect = [&](const std::string& problem) {
        if (world.rank() == last)
            check_build_fails<topo::argument_error>(world, topo::placement::list(seats), {problem});
        else
            check_build_fails<topo::argument_error>(world, topo::placement::list(seats),
                                                    {problem, on_rank(last)});
    };
    expect("no CPU 4-5");
    seats.back() = {7, {}};
    expect("node 7");
    seats.back() = {-1, {}};
    expect("node -1");
}

TEST_CASE("different seats outside the machine, on two ranks") {
    const communicator world;
    const int first = world.size() / 2;
    const int last = world.size() - 1;
    auto seats = good_seats(world.size());
    seats[static_cast<std::size_t>(last)] = {5, {}};
    seats[static_cast<std::size_t>(first)] = {4, {}};
    const auto rule = topo::placement::list(seats);
    if (world.rank() == first) // each its own problem, the others the first one
        check_build_fails<topo::argument_error>(world, rule, {"node 4"});
    else if (world.rank() == last)
        check_build_fails<topo::argument_error>(world, rule, {"node 5"});
    else
        check_build_fails<topo::argument_error>(world, rule, {"node 4", on_rank(first)});
}

TEST_CASE("a place with more objects than can be told apart, of one rank only") {
    const communicator world;
    const int last = world.size() - 1;
    const auto path_of = [](std::size_t length) {
        std::vector<topo::hardware_object> path;
        for (std::size_t i = 0; i < length; ++i)
            path.push_back({topo::kind::network_switch, 0, "s" + std::to_string(i)});
        return topo::place{path};
    };
    const auto longest = topo::detail::longest_trail;
    const auto build = [&](std::size_t length, const topo::hierarchy_options& options = {}) {
        return topo::hierarchy(world, path_of(world.rank() == last ? length : 2), options);
    };
    const auto before = topo_test::count_open_handles();
    const auto call = [&] { build(longest + 1); };
    if (world.rank() == last)
        check_fails<topo::argument_error>(call, {"topo::hierarchy", "a place of 25 objects", "at most 24"});
    else
        check_fails<topo::argument_error>(call, {"a place of 25 objects", "at most 24", on_rank(last)});
    CHECK((topo_test::count_open_handles() == before));

    const int most = world.size() > 1 ? 1 : 0;
    CHECK(build(longest).max_depth() == most);
    CHECK(build(longest + 1, {.only = {topo::kind::machine}}).max_depth() == 0); // those are not compared
}

TEST_CASE("a network file that does not exist") {
    const communicator world;
    const std::string name = "/nonexistent/topomp.switches";
    for (const auto& source : {topo::network::file(name), topo::network::slurm_conf(name)})
        check_fails<topo::system_error>([&] { topo::hierarchy levels(world, {.network = source}); }, {name});
}

TEST_CASE("questions about what does not exist") {
    const communicator world;
    const topo::hierarchy levels{world, small_machine(), topo::placement::core_by_core()};
    const auto refused = [](auto call, const char* problem) {
        check_fails<topo::argument_error>(call, {"topo::", problem});
    };
    const std::array<int, 2> too_many{0, world.size()};
    const std::array<int, 1> negative{-1};
    const std::string beyond = "rank " + std::to_string(world.size());
    refused([&] { topo::lowest_shared_type(levels, too_many); },
            ("topo::lowest_shared_type: " + beyond).c_str());
    refused([&] { topo::lowest_shared_node(levels, negative); }, "topo::lowest_shared_node: rank -1");
    refused([&] { topo::shared_depth(levels, 0, world.size()); }, beyond.c_str());
    refused([&] { topo::shared_depth(levels, -1, 0); }, "rank -1");
    refused([&] { topo::locate(levels, world.size()); }, beyond.c_str());
    refused([&] { topo::gather_outline(levels, 99); }, "root 99");
    refused([&] { topo::whole_rank(levels, levels.depth(), 0); }, "level");
    refused([&] { topo::whole_rank(levels, -1, 0); }, "level -1");
    refused([&] { topo::level_rank(levels, levels.depth(), 0); }, "level");
    if (levels.depth() == 0) return;
    refused([&] { topo::whole_rank(levels, 0, levels[0].size()); }, "rank");
    refused([&] { topo::whole_rank(levels, 0, -1); }, "rank -1");
    refused([&] { topo::level_rank(levels, 0, world.size()); }, beyond.c_str());
}

} // namespace bad_input_tests
