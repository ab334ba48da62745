// SPDX-License-Identifier: BSL-1.0
// What a collective costs the second time: no memory, no communicator, nothing gathered.
#include "support/collective_policies.hpp"
#include "support/made_up.hpp"
#include "support/program_check.hpp"
#include "support/tally.hpp"
#include <topomp/algorithm/shared.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

using topo_test::spent;
using topo_test::tally;

/// An algorithm that keeps memory.
using shared =
    topo::hierarchical<topo::within<topo::kind::machine, topo::shared>, topo::otherwise<topo::mpi_calls>>;

using lane_segments = topo::segmented<topo_test::short_segment, topo::lanes<topo::chain, topo::binomial>>;

/// What all calls of one shape need, made before anything is counted.
struct data {
    const topo::hierarchy& levels;
    std::vector<std::uint64_t> input, result;
    int last_rank;
    MPI_Op in_order;

    void use(const topo_test::verbs& by, bool keeps_order) {
        const topo::message what{result.data(), result.size(), MPI_UINT64_T};
        for (const int root : {0, last_rank}) {
            by.broadcast(levels, what, root);
            if (by.reduce == nullptr) continue;
            by.reduce(levels, input.data(), what, MPI_SUM, root);
            if (keeps_order) by.reduce(levels, input.data(), what, in_order, root);
        }
        if (by.all_reduce == nullptr) return;
        by.all_reduce(levels, input.data(), what, MPI_SUM);
        by.all_reduce(levels, MPI_IN_PLACE, what, MPI_MAX);
        if (keeps_order) by.all_reduce(levels, input.data(), what, in_order);
        if (by.barrier != nullptr) by.barrier(levels);
    }
};

void take_right(void*, void*, int*, MPI_Datatype*) {} // MPI leaves the result in the right operand

void check_policy(data& what, const topo_test::verbs& by, bool keeps_order, const std::string& where) {
    what.use(by, keeps_order); // makes what is kept
    const tally before = spent;
    for (int again = 0; again < 3; ++again)
        what.use(by, keeps_order);
    const tally after = spent;
    const bool is_right =
        after.bytes == before.bytes && after.splits == before.splits && after.gathers == before.gathers;
    if (!is_right)
        std::fprintf(stderr, "%s by %s: %zu bytes, %d splits, %d gathers\n", where.c_str(), by.name.c_str(),
                     after.bytes - before.bytes, after.splits - before.splits,
                     after.gathers - before.gathers);
    topo_test::check(is_right, "a repeated call costs nothing");
}

void check_typed(const topo::hierarchy& levels) {
    std::vector<double> values(50, 1.0), sums(50);
    const auto use = [&] {
        topo::broadcast(levels, values, 0, topo::binomial{});
        topo::all_reduce(levels, values, sums, std::plus<>{}, topo::chain{});
        return topo::all_reduce(levels, 1, std::plus<>{}) +
               topo::all_reduce(levels, 1, [](int a, int) { return a; });
    };
    const int first = use();
    const tally before = spent;
    const int second = use();
    topo_test::check(spent.bytes == before.bytes, "a repeated call of the typed surface takes no memory");
    topo_test::check(spent.splits == before.splits, "nor makes a communicator");
    topo_test::check(first == second && first == levels.whole().size() + 1, "and gives the same");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const boost::mpi::communicator world;
        MPI_Op in_order = MPI_OP_NULL;
        MPI_Op_create(&take_right, 0, &in_order);
        const tally at_start = spent;
        const auto all = topo_test::scenarios(world.size());
        for (const std::size_t chosen : {std::size_t{0}, std::size_t{3}, std::size_t{9}}) {
            const topo::hierarchy levels{world, all[chosen].on, all[chosen].rule};
            data what{levels, std::vector<std::uint64_t>(75, 1), std::vector<std::uint64_t>(75),
                      world.size() - 1, in_order};
            for (const auto& by : topo_test::ordered_policies())
                check_policy(what, by, true, all[chosen].name);
            for (const auto& by : topo_test::reordering_policies())
                check_policy(what, by, false, all[chosen].name);
            for (const auto& by : topo_test::commuting_policies())
                check_policy(what, by, false, all[chosen].name);
            check_policy(what, topo_test::verbs_by<topo::lanes<>>("lanes"), true, all[chosen].name);
            check_policy(what, topo_test::verbs_by<topo::lanes<topo::native, topo::native>>("native lanes"),
                         true, all[chosen].name);
            check_policy(what, topo_test::verbs_by<topo::split_binary>("split binary"), true,
                         all[chosen].name);
            check_policy(what, topo_test::verbs_by<topo::two_levels<topo::two_tree>>("two_tree among nodes"),
                         true, all[chosen].name);
            check_policy(what, topo_test::verbs_by<lane_segments>("lanes in segments"), true,
                         all[chosen].name);
            check_policy(what, topo_test::verbs_by<shared>("shared memory"), true, all[chosen].name);
            check_typed(levels);
        }
        topo_test::check(spent.bytes > at_start.bytes && spent.splits > at_start.splits, "it counts");
        MPI_Op_free(&in_order);
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
