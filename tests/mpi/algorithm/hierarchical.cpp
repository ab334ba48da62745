// SPDX-License-Identifier: BSL-1.0
// An algorithm of one's own inside a level: right on every machine, asked where the policy says and nowhere
// else, what it keeps made once and freed with the hierarchy.
#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include "support/crosswise.hpp"
#include "support/joining.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/verb_checks.hpp"
#include <topomp/algorithm/circulant_in_level.hpp>
#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/algorithm/multi_object.hpp>
#include <topomp/algorithm/rounds_in_lanes.hpp>
#include <topomp/algorithm/rounds_in_level.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/tree_in_level.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hierarchical_tests {

using topo_test::call;
using topo_test::check_all_reduce;
using topo_test::check_reduce;
using topo_test::check_reduce_in_place;
using topo_test::complaints;

namespace {

using topo::kind, topo::on, topo::otherwise, topo::within, topo::hierarchical, topo::mpi_calls;

/// The MPI's own collectives, written down: which kind of level, how many ranks.
struct noted {
    struct visit {
        kind type;
        int ranks;
        friend bool operator==(const visit&, const visit&) = default;
    };
    static inline std::vector<visit> visits;

    static void note(const topo::level_members& here) { visits.push_back({here.info().type, here.size()}); }
    static void broadcast(topo::level_members& here, topo::message what, int root) {
        note(here);
        mpi_calls::broadcast(here, what, root);
    }
    static void reduce(topo::level_members& here, topo::message sum, MPI_Op op, int root) {
        note(here);
        mpi_calls::reduce(here, sum, op, root);
    }
    static void all_reduce(topo::level_members& here, topo::message sum, MPI_Op op) {
        note(here);
        mpi_calls::all_reduce(here, sum, op);
    }
    /// An algorithm that keeps nothing may just take the communicator.
    static void barrier(const boost::mpi::communicator& members) {
        MPI_Barrier(members);
        visits.push_back({kind::cluster, members.size()});
    }
};

/// Every verb on every machine from every root, and operands in the order of ranks.
void check_everywhere(const boost::mpi::communicator& world, const topo_test::verbs& by) {
    const topo_test::joining<topo_test::word> words{&topo_test::word_of};
    std::uint64_t calls = 0;
    for (const auto& each : topo_test::scenarios(world.size())) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        complaints wrong;
        for (const std::size_t count : topo_test::counts) {
            for (const int root : topo_test::roots(world.size())) {
                const call now{levels, by, root, count, ++calls, wrong};
                if (calls % topo_test::sampling(world) != 0) continue;
                check_broadcast(now);
                check_reduce(now);
                check_reduce_in_place(now);
            }
            check_all_reduce({levels, by, 0, count, ++calls, wrong});
        }
        if (topo_test::stride == 1) words.check(levels, by, 3, wrong);
        by.barrier(levels);
        INFO(each.name << ", " << by.name << ": " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

} // namespace

TEST_CASE("among all ranks of a machine at once") {
    const boost::mpi::communicator world;
    using policy =
        hierarchical<on<kind::network_switch, mpi_calls>, within<kind::machine, noted>, otherwise<mpi_calls>>;
    check_everywhere(world, topo_test::verbs_by<policy>("hierarchical, within machines"));
    check_everywhere(world, topo_test::verbs_by<hierarchical<on<kind::cluster, mpi_calls>, otherwise<noted>>>(
                                "hierarchical, two algorithms"));
    check_everywhere(world, topo_test::verbs_by<hierarchical<within<kind::machine, noted>, otherwise<noted>>>(
                                "hierarchical, one rank of each node"));
    check_everywhere(
        world, topo_test::verbs_by<
                   hierarchical<within<kind::numa_node, topo::shared>, otherwise<topo::rounds_in_level<3>>>>(
                   "the memory of NUMA nodes"));
    check_everywhere(world,
                     topo_test::verbs_by<hierarchical<otherwise<topo::direct_messages>>>("direct messages"));
    check_everywhere(
        world,
        topo_test::verbs_by<hierarchical<within<kind::machine, topo::shared>, otherwise<topo::multi_object>>>(
            "all ranks of a node"));
    check_everywhere(world,
                     topo_test::verbs_by<
                         hierarchical<within<kind::numa_node, topo::shared>, otherwise<topo::multi_object>>>(
                         "all ranks of a NUMA node"));
    check_everywhere(
        world, topo_test::verbs_by<
                   hierarchical<within<kind::machine, topo::shared>, otherwise<topo::rounds_in_lanes<4>>>>(
                   "slices along lanes"));
    check_everywhere(
        world, topo_test::verbs_by<
                   hierarchical<within<kind::numa_node, topo::shared>, otherwise<topo::rounds_in_lanes<16>>>>(
                   "slices along lanes of NUMA nodes"));
    check_everywhere(
        world, topo_test::verbs_by<
                   hierarchical<within<kind::machine, topo::shared>, otherwise<topo::rounds_in_lanes<2, 8>>>>(
                   "slices along lanes, parts of a few bytes whole"));
    check_everywhere(
        world, topo_test::verbs_by<hierarchical<otherwise<topo::rounds_in_level<3>>>>("rounds in levels"));
    check_everywhere(world, topo_test::verbs_by<hierarchical<otherwise<topo::circulant_in_level<64>>>>(
                                "pieces in levels"));
    check_everywhere(world,
                     topo_test::verbs_by<hierarchical<on<kind::machine, topo::tree_in_level<topo::chain>>,
                                                      otherwise<topo::tree_in_level<topo::postal<4>, 64>>>>(
                         "trees in levels"));
}

TEST_CASE("slices along lanes: one piece is exchanged while others are filled and taken") {
    const boost::mpi::communicator world;
    constexpr std::size_t of_piece =
        topo::detail::shared_combine::piece_bytes / 2 / sizeof(topo_test::number);
    const auto by = topo_test::verbs_by<
        hierarchical<within<kind::machine, topo::shared>, otherwise<topo::rounds_in_lanes<3>>>>("lanes");
    constexpr int many = 8;
    const bool is_large = world.size() > many; // of which a simulation takes minutes
    std::vector<std::size_t> counts{2 * of_piece + 1};
    if (!is_large) counts.insert(counts.end(), {of_piece - 100, of_piece + 100, 5 * of_piece - 7});
    std::uint64_t calls = 0, number = 0;
    for (const auto& each : topo_test::scenarios(world.size())) {
        if (is_large && number++ % 3 != 0) continue;
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        complaints wrong;
        for (const std::size_t count : counts) {
            const int root = static_cast<int>(calls % static_cast<std::uint64_t>(world.size()));
            check_reduce({levels, by, root, count, ++calls, wrong});
            if (is_large) {
                check_all_reduce({levels, by, 0, count, ++calls, wrong});
                continue;
            }
            check_reduce_in_place({levels, by, root, count, ++calls, wrong});
            // What was started before goes on while ranks wait in the memory of their node.
            std::uint64_t mine = calls, sum = 0;
            auto started = topo::iall_reduce(levels, mine, sum, std::plus<>{}, topo::binary{});
            check_all_reduce({levels, by, 0, count, ++calls, wrong});
            started.wait();
            CHECK(sum == mine * static_cast<std::uint64_t>(world.size()));
        }
        INFO(each.name << ": " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

TEST_CASE("pieces of elements that fill no piece exactly") {
    const boost::mpi::communicator world;
    const auto half = std::to_string((world.size() + 1) / 2);
    MPI_Datatype triple = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(3, MPI_INT64_T, &triple);
    MPI_Type_commit(&triple);
    MPI_Op sum = MPI_OP_NULL;
    MPI_Op_create(
        [](void* in, void* in_and_out, int* length, MPI_Datatype*) {
            for (int i = 0; i < 3 * *length; ++i)
                static_cast<std::int64_t*>(in_and_out)[i] += static_cast<const std::int64_t*>(in)[i];
        },
        1, &sum);
    using in_lanes = hierarchical<within<kind::machine, topo::shared>, otherwise<topo::rounds_in_lanes<4>>>;
    for (const std::string& machine : {"node:2 core:" + half, "node:" + half + " core:2"}) {
        INFO(machine);
        const topo::hierarchy levels{world, topo::machine::parse(machine), topo::placement::core_by_core()};
        for (const std::size_t count : {8192U, 16384U, 20000U}) {
            std::vector<std::int64_t> mine(3 * count), all(3 * count);
            for (std::size_t i = 0; i < mine.size(); ++i)
                mine[i] = static_cast<std::int64_t>(i) * (world.rank() + 1);
            const auto is_sum = [&] {
                const std::int64_t ranks = std::int64_t{world.size()} * (world.size() + 1) / 2;
                for (std::size_t i = 0; i < all.size(); ++i)
                    if (all[i] != static_cast<std::int64_t>(i) * ranks) return false;
                return true;
            };
            topo::all_reduce(levels, mine.data(), topo::message{all.data(), count, triple}, sum, in_lanes{});
            CHECK(is_sum());
            std::ranges::fill(all, -1);
            const int root = world.size() - 1;
            topo::reduce(levels, mine.data(), topo::message{all.data(), count, triple}, sum, root,
                         in_lanes{});
            CHECK((world.rank() != root || is_sum()));
        }
    }
    MPI_Op_free(&sum);
    MPI_Type_free(&triple);
}

TEST_CASE("an algorithm is asked in its levels, with their ranks") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 package:2 core:2"),
                                 topo::placement::core_by_core()};
    const int in_node = world.rank() < 4 ? std::min(world.size(), 4) : std::min(world.size() - 4, 4);
    if (world.size() > 8) return;
    int value = world.rank();

    noted::visits.clear();
    topo::broadcast(levels, value, 0, hierarchical<within<kind::machine, noted>, otherwise<mpi_calls>>{});
    const auto once = noted::visits;
    CHECK(value == 0);
    if (in_node == 1)
        CHECK(once.empty());
    else
        CHECK(((once.size() == 1 && once.front().ranks == in_node)));

    noted::visits.clear();
    topo::all_reduce(levels, 1, std::plus<>{},
                     hierarchical<within<kind::cluster, noted>, otherwise<mpi_calls>>{});
    const bool has_two_nodes = world.size() > 4;
    CHECK(noted::visits == (has_two_nodes ? std::vector{noted::visit{kind::cluster, world.size()}}
                                          : std::vector<noted::visit>{}));

    noted::visits.clear();
    topo::barrier(levels, hierarchical<on<kind::package, noted>, otherwise<mpi_calls>>{});
    for (const auto& each : noted::visits)
        CHECK(each.ranks == 2);
    const bool has_neighbour = (world.rank() ^ 1) < world.size(); // in its package
    CHECK(noted::visits.empty() == !has_neighbour);
}

TEST_CASE("levels around nodes are one unless a rule names them") {
    const boost::mpi::communicator world;
    if (world.size() > 8) return;
    const int cores = world.size() > 4 ? 2 : 1, nodes = (world.size() + cores - 1) / cores;
    const auto machine = topo::machine::parse("switch:2 node:2 core:" + std::to_string(cores));
    const topo::hierarchy levels{world, machine, topo::placement::core_by_core()};
    const bool is_first = world.rank() % cores == 0, has_two_switches = nodes > 2;
    const auto visits_by = [&](auto policy) {
        noted::visits.clear();
        int value = world.rank();
        topo::broadcast(levels, value, world.size() - 1, policy);
        CHECK(value == world.size() - 1);
        std::vector<int> ranks;
        for (const auto& each : noted::visits)
            ranks.push_back(each.ranks);
        return ranks;
    };
    CHECK(visits_by(hierarchical<within<kind::machine, mpi_calls>, otherwise<noted>>{}) ==
          (is_first && nodes > 1 ? std::vector{nodes} : std::vector<int>{}));
    const auto one_by_one = visits_by(
        hierarchical<on<kind::network_switch, noted>, within<kind::machine, mpi_calls>, otherwise<noted>>{});
    if (has_two_switches && world.rank() == 0) CHECK(one_by_one == std::vector{2, 2});
}

namespace {

/// Counts its objects.
struct counted {
    static inline int made = 0, freed = 0;
    counted() { ++made; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() { ++freed; }
};

/// The MPI's own broadcast, with something kept in the level.
struct keeping {
    static void broadcast(topo::level_members& here, topo::message what, int root) {
        here.attached<counted>();
        mpi_calls::broadcast(here, what, root);
    }
};

} // namespace

TEST_CASE("a rank that waits between nodes goes on with what was started") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), last = world.size() - 1;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        const auto check = [&](auto policy, int verbs = 4) {
            const auto call = [&](int which) {
                int word = rank == last ? 17 : 0, sum = 0;
                if (which == 0) topo::broadcast(levels, word, last, policy);
                if (which == 1) topo::reduce(levels, 1, sum, std::plus<>{}, 0, policy);
                if (which == 2) topo::all_reduce(levels, 1, sum, std::plus<>{}, policy);
                if (which == 3) topo::barrier(levels, policy);
                CHECK(word == (which == 0 || rank == last ? 17 : 0));
                CHECK(sum == (which == 2 || (which == 1 && rank == 0) ? world.size() : 0));
            };
            for (int which = 0; which < verbs; ++which) {
                call(which); // the first one in each level asks others
                int sum = -1;
                topo_test::wait_crosswise(
                    world, [&] { return topo::iall_reduce(levels, rank, sum, std::plus<>{}, topo::chain{}); },
                    [&] { call(which); });
                CHECK(sum == last * world.size() / 2);
            }
        };
        check(hierarchical<otherwise<topo::tree_in_level<topo::binomial>>>{});
        check(hierarchical<otherwise<topo::rounds_in_level<3>>>{});
        check(hierarchical<otherwise<topo::circulant_in_level<64>>>{}, 3); // its barrier is the MPI's
#ifndef SMPI_H // there `wait_for_all` does not go on
        // Its all_reduce and barrier are the MPI's.
        check(hierarchical<on<kind::cluster, topo::direct_messages>,
                           otherwise<topo::tree_in_level<topo::chain>>>{},
              2);
#endif
    }
}

TEST_CASE("what an algorithm keeps is made once for a level and freed with the hierarchy") {
    const boost::mpi::communicator world;
    {
        const topo::hierarchy levels{world, topo::machine::parse("node:1 core:64"),
                                     topo::placement::core_by_core()};
        const topo::hierarchy copy = levels;
        int value = 0;
        for (int again = 0; again < 3; ++again) {
            topo::broadcast(levels, value, 0, hierarchical<otherwise<keeping>>{});
            topo::broadcast(copy, value, 0, hierarchical<on<kind::machine, keeping>, otherwise<mpi_calls>>{});
        }
        CHECK(counted::made == (world.size() > 1 ? 1 : 0));
        CHECK(counted::freed == 0);
    }
    CHECK(counted::made == counted::freed);
}

} // namespace hierarchical_tests
