// SPDX-License-Identifier: BSL-1.0
// The hierarchy that is discovered on several hosts: its machines are the hosts, its switches those of a
// file.

#include "arrangement.hpp"
#include "support/program_check.hpp"
#include <topomp/hardware/network.hpp>
#include <topomp/hierarchy/gather_outline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/shared_level.hpp>
#include <topomp/hierarchy/split.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace {

using cluster_test::arrangement;
using topo::kind;
using topo_test::check;

/// node0 and node1 are under s0, node2 and node3 under s1, all under one spine.
int switch_of(int host) { return host / 2; }

/// A file of this rank's own, gone with the object: only the roots of the nodes read theirs.
class switch_file {
public:
    switch_file(arrangement const& hosts, int rank)
        : path_(std::filesystem::temp_directory_path() /
                ("topomp-switches-" + std::to_string(getpid()) + '-' + std::to_string(rank))) {
        std::ofstream out{path_};
        for (int host = 0; host < hosts.hosts(); ++host) {
            out << arrangement::host_name(host) << ": spine s" << switch_of(host) << '\n';
        }
    }
    switch_file(switch_file const&) = delete;
    switch_file& operator=(switch_file const&) = delete;
    ~switch_file() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::vector<int> ranks_under(arrangement const& hosts, int which) {
    std::vector<int> found;
    for (int rank = 0; rank < hosts.ranks(); ++rank) {
        if (switch_of(hosts.host_of[static_cast<std::size_t>(rank)]) == which) {
            found.push_back(rank);
        }
    }
    return found;
}

/// The ranks of the whole that are in one of the calling rank's levels.
std::vector<int> members(topo::hierarchy const& levels, int depth) {
    std::vector<int> ranks;
    for (int rank = 0; rank < levels[depth].size(); ++rank) {
        ranks.push_back(topo::whole_rank(levels, depth, rank));
    }
    return ranks;
}

void check_level(topo::hierarchy const& levels, int depth, kind which, std::vector<int> const& expected,
                 int index, int count) {
    check(levels.depth() > depth, "there is such a level");
    if (levels.depth() <= depth) {
        return;
    }
    topo::level const& level = levels[depth];
    check(level.is(which), "kind of the level");
    check(members(levels, depth) == expected, "ranks of the level");
    check(level.index() == index && level.count() == count, "index and count of the level");
    check(level.is_root() == (levels.whole().rank() == expected.front()), "root of the level");
    if (level.is_root()) {
        check(level.roots().rank() == index && level.roots().size() == count, "roots of the level");
        check(boost::mpi::all_reduce(level.roots(), 1, std::plus<>{}) == count, "messages between the roots");
    }
    check(boost::mpi::all_reduce(level.comm(), 1, std::plus<>{}) == level.size(), "messages in the level");
}

/// Levels inside the node, with ranks that are not bound: none but on a host of one core.
void check_inside(topo::hierarchy const& levels, int depth) {
    check(levels.depth() == depth && levels.max_depth() == depth,
          "nothing is known inside a node of unbound ranks");
}

void check_without_network(boost::mpi::communicator const& world, arrangement const& hosts, int host) {
    topo::hierarchy const levels{world, {.network = topo::network::none()}};
    check(levels.whole_info().type == kind::cluster, "nothing joins the hosts");
    check_level(levels, 0, kind::machine, hosts.ranks_on(host), host, hosts.hosts());
    check_inside(levels, 1);
    if (levels.depth() > 0 && levels[0].type() == kind::machine) {
        check(levels[0].name() == arrangement::host_name(host), "the machine has the host's name");
    }

    int const last = hosts.ranks() - 1; // of the last host, rank 0 of the first
    int const expected = hosts.host_of[static_cast<std::size_t>(last)] == 0 ? 1 : 0;
    check(topo::shared_depth(levels, 0, last) == expected, "what the first and the last rank share");
}

void check_with_switches(boost::mpi::communicator const& world, arrangement const& hosts, int host,
                         topo::network const& network) {
    topo::hierarchy const levels{world, {.network = network}};
    check(levels.whole_info().type == kind::network_switch, "the spine joins the hosts");
    check(levels.whole_info().name == "spine", "name of the spine");
    auto const under = ranks_under(hosts, switch_of(host));
    check_level(levels, 0, kind::network_switch, under, switch_of(host), 2);
    check_level(levels, 1, kind::machine, hosts.ranks_on(host), host % 2, 2);
    check_inside(levels, 2);
    if (levels.depth() > 0) {
        check(levels[0].name() == "s" + std::to_string(switch_of(host)), "name of the switch");
    }

    // One step at a time finds the same.
    auto const first = topo::split_with_roots(world, {.network = network});
    check(first && levels.depth() > 0 && first->info() == levels[0].info(), "the first step alone");
    if (first) {
        auto const second = topo::split_with_roots(first->comm());
        check(second && levels.depth() > 1 && second->info() == levels[1].info(), "the second step alone");
    }

    auto const outline = topo::gather_outline(levels);
    if (world.rank() == 0) {
        check(outline.communicators.size() == 1 + 2 + 4, "number of communicators");
        check(outline.roots_below(outline.whole()) ==
                  std::vector{ranks_under(hosts, 0).front(), ranks_under(hosts, 1).front()},
              "roots of the switches");
    }
}

/// A file that knows only the first host: every rank hears of it.
void check_unknown_host(boost::mpi::communicator const& world, std::filesystem::path const& path) {
    std::ofstream{path} << arrangement::host_name(0) << ": s0\n";
    topo_test::check_throws<topo::argument_error>(
        [&] { topo::hierarchy const levels(world, {.network = topo::network::file(path)}); }, "node",
        "a host that the file does not know");
}

} // namespace

int main(int argc, char** argv) {
    auto const hosts = cluster_test::read_arrangement(argc, argv);
    boost::mpi::environment const environment{argc, argv};
    boost::mpi::communicator const world;
    check(world.size() == hosts.ranks(), "number of ranks");
    check(hosts.hosts() == 4, "this test knows the switches of four hosts");
    if (topo_test::failed_checks == 0) {
        int const host = hosts.host_of[static_cast<std::size_t>(world.rank())];
        switch_file const file{hosts, world.rank()};
        check_without_network(world, hosts, host);
        check_with_switches(world, hosts, host, topo::network::file(file.path()));
        check_unknown_host(world, file.path());
    }

    int const failures = boost::mpi::all_reduce(world, topo_test::failed_checks, std::plus<>{});
    if (world.rank() == 0 && failures == 0) {
        std::cout << "hierarchy_cluster: " << world.size() << " ranks on " << hosts.hosts()
                  << " hosts, as arranged\n";
    }
    return failures == 0 ? 0 : 1;
}
