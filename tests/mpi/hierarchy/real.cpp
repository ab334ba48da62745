// SPDX-License-Identifier: BSL-1.0
// The hierarchy of the machine that the tests run on, whatever it is and however the ranks are bound.
#include "support/check_levels.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/network.hpp>
#include <topomp/hardware/topology.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/hierarchy/split.hpp>

#include <boost/mpi/collectives/all_gather.hpp>
#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/operations.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <doctest/doctest.h>
#include <hwloc.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sched.h>
#include <set>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace real_tests {

using boost::mpi::communicator;
using topo::kind;
using topo_test::compare;
using topo_test::members;

namespace {

/// The ranks of `comm` that share memory with each rank: the lowest of them, which names the node.
std::vector<int> node_of_each(const communicator& comm) {
    MPI_Comm bare = MPI_COMM_NULL;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &bare);
    const communicator node{bare, boost::mpi::comm_take_ownership};
    int lowest = comm.rank();
    boost::mpi::broadcast(node, lowest, 0);
    std::vector<int> nodes;
    boost::mpi::all_gather(comm, lowest, nodes);
    return nodes;
}

/// The ranks for which `value` is what it is for the calling rank.
template <class Value>
std::vector<int> same_as_mine(const std::vector<Value>& value, int rank) {
    std::vector<int> ranks;
    for (std::size_t other = 0; other < value.size(); ++other)
        if (value[other] == value[static_cast<std::size_t>(rank)]) ranks.push_back(static_cast<int>(other));
    return ranks;
}

std::string processor_name() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return {name.data(), static_cast<std::size_t>(length)};
}

void check_group(const std::optional<topo::level>& actual, const std::vector<int>& expected, MPI_Comm whole) {
    CHECK(actual.has_value());
    if (actual) CHECK(members(actual->comm(), whole) == expected);
}

} // namespace

TEST_CASE("nodes are what shares memory") {
    const communicator world;
    const auto mine = same_as_mine(node_of_each(world), world.rank());
    const auto node = topo::split(world, kind::machine);
    check_group(node, mine, world);
    if (node) CHECK((MPI_Comm(node->roots()) != MPI_COMM_NULL) == (world.rank() == mine.front()));

    const topo::hierarchy levels{world, {.only = {kind::machine}, .network = topo::network::none()}};
    const bool is_divided = static_cast<int>(mine.size()) < world.size();
    CHECK(levels.whole_info().type == (is_divided ? kind::cluster : kind::machine));
    CHECK(levels.depth() == (is_divided ? 1 : 0));
    if (is_divided && levels.depth() == 1) CHECK(members(levels[0].comm(), levels.whole()) == mine);
}

TEST_CASE("the levels are those of the places") {
    const communicator world;
    for (const auto source : {topo::binding_source::binding, topo::binding_source::last_cpu}) {
        const topo::hierarchy_options options{.network = topo::network::none(), .source = source};
        const topo::place mine = topo::discover_place(world, options);
        const topo::hierarchy levels{world, mine, options};
        std::vector<std::string> path; // a kind, a number, a name and a flag for each object
        for (const auto& object : mine.path()) {
            path.emplace_back(to_string(object.kind));
            path.push_back(std::to_string(object.index));
            path.push_back(object.name);
            path.emplace_back(object.fills_outer ? "fills" : "");
        }
        std::vector<std::vector<std::string>> paths;
        boost::mpi::all_gather(world, path, paths);
        std::vector<topo::place> places;
        for (const auto& each : paths) {
            std::vector<topo::hardware_object> objects;
            for (std::size_t i = 0; i + 3 < each.size(); i += 4)
                objects.push_back({topo::kind_from_string(each[i]).value_or(kind::cluster),
                                   std::stoi(each[i + 1]), each[i + 2], each[i + 3] == "fills"});
            places.emplace_back(std::move(objects));
        }
        topo_test::check_levels(world, levels, places, options);
        topo_test::check_step_by_step(levels);
    }
}

TEST_CASE("the step-by-step way discovers what the all-at-once way does") {
    const communicator world;
    const topo::hierarchy levels{world};
    const auto first = topo::split_with_roots(world);
    CHECK(first.has_value() == (levels.depth() > 0));
    if (!first || levels.depth() == 0) return;
    CHECK((first->info() == levels[0].info()));
    CHECK(compare(first->comm(), levels[0].comm()) == MPI_CONGRUENT);
    CHECK(first->is_root() == (MPI_Comm(first->roots()) != MPI_COMM_NULL));
}

namespace {

/// The number of the object of a type that contains a rank's whole binding; -1 if there is none. Asked of
/// hwloc directly.
int object_around(hwloc_topology_t hardware, hwloc_const_cpuset_t binding, hwloc_obj_type_t type) {
    for (hwloc_obj_t each = nullptr; (each = hwloc_get_next_obj_by_type(hardware, type, each)) != nullptr;)
        if (hwloc_bitmap_isincluded(binding, each->cpuset) != 0) return static_cast<int>(each->logical_index);
    return -1;
}

} // namespace

TEST_CASE("ranks that are bound inside one object are together there") {
    const communicator world;
    hwloc_topology_t hardware = nullptr;
    hwloc_topology_init(&hardware);
    hwloc_topology_set_flags(hardware, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    hwloc_topology_load(hardware);
    hwloc_bitmap_t binding = hwloc_bitmap_alloc();
    hwloc_get_cpubind(hardware, binding, HWLOC_CPUBIND_PROCESS);

    const std::array<std::pair<kind, hwloc_obj_type_t>, 6> known{{{kind::package, HWLOC_OBJ_PACKAGE},
                                                                  {kind::l3_cache, HWLOC_OBJ_L3CACHE},
                                                                  {kind::l2_cache, HWLOC_OBJ_L2CACHE},
                                                                  {kind::l1_cache, HWLOC_OBJ_L1CACHE},
                                                                  {kind::core, HWLOC_OBJ_CORE},
                                                                  {kind::pu, HWLOC_OBJ_PU}}};
    const std::vector<int> nodes = node_of_each(world);
    const topo::hierarchy levels{world};
    for (const auto& each : known) {
        const kind which = each.first;
        const auto type = each.second;
        INFO(std::string{to_string(which)});
        const int around = object_around(hardware, binding, type);
        std::vector<int> all;
        boost::mpi::all_gather(world, around, all);
        std::vector<std::pair<int, int>> objects;
        for (std::size_t rank = 0; rank < all.size(); ++rank)
            objects.emplace_back(nodes[rank], all[rank]);

        const auto part = topo::split(world, which);
        CHECK(part.has_value() == (around >= 0));
        if (part) CHECK(members(part->comm(), world) == same_as_mine(objects, world.rank()));
        const topo::level* level = levels.find(which);
        if (level != nullptr)
            CHECK(members(level->comm(), levels.whole()) == same_as_mine(objects, world.rank()));
    }
    hwloc_bitmap_free(binding);
    hwloc_topology_destroy(hardware);
}

TEST_CASE("the CPU that a rank last ran on is inside its binding") {
    const communicator world;
    const auto loose = topo::discover_place(world);
    const auto tight = topo::discover_place(world, {.source = topo::binding_source::last_cpu});
    CHECK(tight.path().size() >= loose.path().size());
    const auto common = std::min(tight.path().size(), loose.path().size());
    for (std::size_t i = 0; i < common; ++i)
        CHECK((tight.path()[i] == loose.path()[i]));
    CHECK(topo::split(world, kind::pu, {.source = topo::binding_source::last_cpu}).has_value());
}

namespace {

/// Builds with a network and checks that the innermost switch of every rank is the one expected.
void check_switches(const communicator& world, const topo::network& network,
                    const std::vector<std::string>& switch_of_rank, const std::string& what) {
    INFO(what);
    const topo::hierarchy_options options{.only = {kind::network_switch}, .network = network};
    const auto part = topo::split(world, kind::network_switch, options);
    const auto expected = same_as_mine(switch_of_rank, world.rank());
    check_group(part, expected, world);
    if (part) CHECK(part->name() == switch_of_rank[static_cast<std::size_t>(world.rank())]);

    const topo::hierarchy levels{world, options};
    const bool is_divided = static_cast<int>(expected.size()) < world.size();
    CHECK(levels.depth() == (is_divided ? 1 : 0));
    CHECK(levels.whole_info().type == kind::network_switch); // the spine, or the one leaf that there is
    if (is_divided && levels.depth() == 1) CHECK(members(levels[0].comm(), levels.whole()) == expected);
}

/// A file of this rank's own, gone with the object.
class scratch_file {
public:
    scratch_file(const std::string& name, const std::string& text)
        : path_(std::filesystem::temp_directory_path() /
                ("topomp-" + std::to_string(getpid()) + '-' + std::to_string(communicator{}.rank()) + '-' +
                 name)) {
        std::ofstream{path_} << text;
    }
    scratch_file(const scratch_file&) = delete;
    scratch_file& operator=(const scratch_file&) = delete;
    ~scratch_file() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace

TEST_CASE("switches from a callback, asked once by each node's root") {
    const communicator world;
    const auto nodes = node_of_each(world);
    const std::vector<int> different = [&] {
        std::set<int> all{nodes.begin(), nodes.end()};
        return std::vector<int>{all.begin(), all.end()};
    }();
    std::vector<std::string> leaves; // of every rank; the nodes take turns
    for (const int node : nodes)
        leaves.push_back((std::ranges::find(different, node) - different.begin()) % 2 == 0 ? "even" : "odd");

    int calls = 0;
    std::string host;
    const auto network = topo::network::callback([&](const std::string& asked) {
        ++calls;
        host = asked;
        return std::vector<std::string>{"spine", leaves[static_cast<std::size_t>(world.rank())]};
    });
    check_switches(world, network, leaves, "callback");
    const bool is_root = nodes[static_cast<std::size_t>(world.rank())] == world.rank();
    CHECK(calls == (is_root ? 2 : 0));
    if (is_root) CHECK(host == processor_name());
}

TEST_CASE("a switch's name of several lines, and a place too deep on one rank, are refused on every rank") {
    const communicator world;
    topo::hierarchy_options options;
    options.network =
        topo::network::callback([](const std::string&) { return std::vector<std::string>{"a\nb"}; });
    CHECK_THROWS_AS(topo::discover_place(world, options), topo::argument_error);
    CHECK_THROWS_AS(topo::hierarchy(world, options), topo::argument_error);

    // The last rank is bound to one CPU, and so has a longer path than the others where these are not.
    cpu_set_t before;
    sched_getaffinity(0, sizeof before, &before);
    if (world.rank() == world.size() - 1) {
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
            if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
    const auto longest = boost::mpi::all_reduce(world, topo::discover_place(world).path().size(),
                                                boost::mpi::maximum<std::size_t>{});
    options.network = topo::network::callback([longest](const std::string&) {
        std::vector<std::string> names;
        for (std::size_t i = longest; i <= 24; ++i) // one object too many on that rank alone
            names.push_back("s" + std::to_string(i));
        return names;
    });
    CHECK_THROWS_AS(topo::hierarchy(world, options), topo::argument_error);
    CHECK_THROWS_AS(topo::split(world, options), topo::argument_error);
    CHECK_THROWS_AS(topo::split_with_roots(world, options), topo::argument_error);
    CHECK_THROWS_AS(topo::split(world, topo::kind::core, options), topo::argument_error);
    sched_setaffinity(0, sizeof before, &before);
}

TEST_CASE("switches from files") {
    const communicator world;
    std::vector<std::string> hosts;
    boost::mpi::all_gather(world, processor_name(), hosts);
    std::map<std::string, std::string> leaf_of;
    for (const auto& host : hosts)
        leaf_of.try_emplace(host, "leaf" + std::to_string(leaf_of.size()));
    std::vector<std::string> leaves;
    for (const auto& host : hosts)
        leaves.push_back(leaf_of[host]);

    std::string plain = "# a comment\n";
    std::string slurm;
    std::string spine = "SwitchName=spine Switches=";
    for (const auto& [host, leaf] : leaf_of) {
        plain += host + ": spine " + leaf + '\n';
        slurm += "SwitchName=" + leaf + " Nodes=" + host + '\n';
        spine += (spine.back() == '=' ? "" : ",") + leaf;
    }
    const scratch_file plain_file{"switches", plain};
    const scratch_file slurm_file{"topology.conf", slurm + spine + '\n'};
    check_switches(world, topo::network::file(plain_file.path()), leaves, "plain file");
    check_switches(world, topo::network::slurm_conf(slurm_file.path()), leaves, "topology.conf");
}

TEST_CASE("switches from Slurm's variables, as they are on the node's root when it builds") {
    const communicator world;
    const auto nodes = node_of_each(world);
#ifdef SMPI_H // the simulator's ranks share one environment
    const bool says_it_right = true;
#else // only the root of a node looks
    const bool says_it_right = nodes[static_cast<std::size_t>(world.rank())] == world.rank();
#endif
    const char* const mine = says_it_right ? "spine.leaf.node0" : "elsewhere.nowhere.node9";
    setenv("SLURM_TOPOLOGY_ADDR", mine, 1);
    setenv("SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.node", 1);
    const std::vector<std::string> leaves(nodes.size(), "leaf");
    check_switches(world, topo::network::slurm_environment(), leaves, "Slurm's variables");
    check_switches(world, topo::hierarchy_options{}.network, leaves, "the default");
    const auto without = topo::split(world, kind::network_switch, {.network = topo::network::none()});
    CHECK(!without);
    MPI_Barrier(world);
    unsetenv("SLURM_TOPOLOGY_ADDR");
    unsetenv("SLURM_TOPOLOGY_ADDR_PATTERN");
}

} // namespace real_tests
