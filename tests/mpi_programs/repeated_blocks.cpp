// SPDX-License-Identifier: BSL-1.0
// What the verbs that move blocks cost the second time: no memory, no communicator.
#include "support/block_policies.hpp"
#include "support/made_up.hpp"
#include "support/program_check.hpp"
#include "support/tally.hpp"
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <vector>

namespace {

using topo_test::spent;
using topo_test::tally;

/// What all calls of one shape need, made before anything is counted.
struct data {
    const topo::hierarchy& levels;
    std::vector<int> mine = std::vector<int>(60, 1);
    std::vector<int> all = std::vector<int>(mine.size() * static_cast<std::size_t>(levels.whole().size()));
    MPI_Datatype spaced = MPI_DATATYPE_NULL; ///< an int and a gap

    void use(const topo_test::block_policy& by) {
        for (const int root : {0, levels.whole().size() - 1}) {
            by.gather(levels, {mine.data(), mine.size(), MPI_INT}, {all.data(), MPI_INT, mine.size()}, root);
            by.scatter(levels, {all.data(), MPI_INT, 7}, {mine.data(), 7, MPI_INT}, root);
            by.gather(levels, {mine.data(), 30, spaced}, {all.data(), spaced, 30}, root);
            by.scatter(levels, {all.data(), spaced, 30}, {mine.data(), 30, spaced}, root);
        }
    }
};

template <class Use>
void check(const char* name, Use use) {
    use(); // makes what is kept
    const tally before = spent;
    for (int again = 0; again < 3; ++again)
        use();
    const tally after = spent;
    const bool is_right = after.bytes == before.bytes && after.splits == before.splits;
    if (!is_right)
        std::fprintf(stderr, "%s: %zu bytes, %d splits\n", name, after.bytes - before.bytes,
                     after.splits - before.splits);
    topo_test::check(is_right, "a repeated call costs nothing");
}

/// The blocks of all ranks to all ranks.
struct exchanges {
    const topo::hierarchy& levels;
    std::size_t ranks = static_cast<std::size_t>(levels.whole().size());
    std::vector<std::size_t> counts = std::vector<std::size_t>(ranks, 3);
    std::vector<int> mine = std::vector<int>(3, 1), all = std::vector<int>(3 * ranks), result = all;

    template <class Policy>
    void gather(const char* name, Policy policy) {
        check(name, [&] {
            topo::all_gather(levels, mine, all, policy);
            topo::all_gatherv(levels, mine, all, counts, policy);
        });
    }
    template <class Policy>
    void exchange(const char* name, Policy policy) {
        check(name, [&] {
            topo::all_to_all(levels, all, result, policy);
            topo::all_to_allv(levels, all, counts, result, counts, policy);
            topo::all_to_allv(levels, {MPI_IN_PLACE}, {result.data(), MPI_INT, 0, counts}, policy);
        });
    }
    template <class Policy>
    void reduce(const char* name, Policy policy) {
        check(name, [&] {
            topo::reduce_scatter(levels, all, mine, std::plus<>{}, policy);
            topo::reduce_scatter(levels, all, counts, mine, std::plus<>{}, policy);
            topo::reduce_scatter(levels, {all.data(), MPI_INT, 0, counts}, {MPI_IN_PLACE}, MPI_SUM, policy);
        });
    }
};

void check_exchanges(const topo::hierarchy& levels) {
    exchanges what{levels};
    what.gather("all_gather, automatic", topo::automatic{});
    what.gather("all_gather, flat", topo::flat{});
    what.gather("all_gather, ring", topo::ring{});
    what.gather("all_gather, bruck", topo::bruck{});
    what.gather("all_gather, binomial", topo::binomial{});
    what.gather("all_gather, lanes", topo::lanes<>{});
    what.gather("all_gather, recursive doubling", topo::recursive_doubling{});
    what.reduce("reduce_scatter, automatic", topo::automatic{});
    what.reduce("reduce_scatter, flat", topo::flat{});
    what.reduce("reduce_scatter, recursive halving", topo::recursive_halving{});
    what.reduce("reduce_scatter, ring", topo::ring{});
    what.reduce("reduce_scatter, lanes", topo::lanes<>{});
    what.reduce("reduce_scatter, binomial", topo::binomial{});
    what.exchange("all_to_all, automatic", topo::automatic{});
    what.exchange("all_to_all, pairwise", topo::pairwise{});
    check("all_to_all, bruck", [&] { topo::all_to_all(levels, what.all, what.result, topo::bruck{}); });
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const boost::mpi::communicator world;
        const tally at_start = spent;
        const auto all = topo_test::scenarios(world.size());
        for (const std::size_t chosen : {std::size_t{0}, std::size_t{3}, std::size_t{9}}) {
            const topo::hierarchy levels{world, all[chosen].on, all[chosen].rule};
            data what{levels};
            MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &what.spaced);
            MPI_Type_commit(&what.spaced);
            for (const auto& by : topo_test::block_policies())
                check(by.name.c_str(), [&] { what.use(by); });
            check_exchanges(levels);
            MPI_Type_free(&what.spaced);
        }
        topo_test::check(spent.bytes > at_start.bytes && spent.splits > at_start.splits, "it counts");
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
