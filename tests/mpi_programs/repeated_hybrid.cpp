// SPDX-License-Identifier: BSL-1.0
// What a hybrid verb costs the second time: no memory, no communicator, nothing gathered.
#include "support/hybrid_calls.hpp"
#include "support/made_up.hpp"
#include "support/program_check.hpp"
#include "support/tally.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/hybrid/all_gatherv.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/all_to_all.hpp>
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/hybrid/gather.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/hybrid/scatter.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

namespace hybrid = topo::hybrid;
using number = std::uint64_t;
using window = topo::shared_window<number>;
using topo_test::spent, topo_test::tally;

/// What all calls need, made before anything is counted.
struct data {
    const topo::hierarchy& levels;
    std::size_t count;
    std::size_t ranks = static_cast<std::size_t>(levels.whole().size());
    std::vector<number> mine = std::vector<number>(count, 1);
    std::vector<std::size_t> counts = std::vector<std::size_t>(ranks, count);
    window result{levels, count, hybrid::one_copy}, all{levels, count*ranks, hybrid::one_copy};
    window operands{levels, count}, source{levels, count*ranks}, exchanged{levels, count*ranks};

    void use(const hybrid::policy<>& options) {
        for (const int root : {0, static_cast<int>(ranks) - 1}) {
            hybrid::broadcast(levels, mine, result, root, options);
            hybrid::reduce(levels, mine, result, std::plus<>{}, root, options);
            hybrid::reduce(levels, operands, result, std::plus<>{}, root, options);
            hybrid::gather(levels, mine, all, root, options);
            all.fence();
            hybrid::scatter(levels, all, mine, root, options);
        }
        hybrid::all_reduce(levels, mine, result, std::plus<>{}, options);
        hybrid::all_reduce(levels, operands, result, std::plus<>{}, options);
        hybrid::all_reduce(levels, mine, result, topo_test::after_one_another{}, options);
        hybrid::all_gather(levels, mine, all, options);
        hybrid::all_gatherv(levels, mine, all, counts, options);
        hybrid::all_to_all(levels, source, exchanged, options);
    }
};

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const boost::mpi::communicator world;
        const tally at_start = spent;
        const auto machines = topo_test::scenarios(world.size());
        for (const std::size_t chosen : {0U, 3U, 9U}) {
            const topo::hierarchy levels{world, machines[chosen].on, machines[chosen].rule};
            data with{levels, 75};
            for (const auto& algorithm : topo_test::hybrid_ways()) {
                with.use(algorithm.by<topo::automatic>()); // makes what is kept
                const tally before = spent;
                for (int again = 0; again < 3; ++again)
                    with.use(algorithm.by<topo::automatic>());
                const tally after = spent;
                const bool is_right = after.bytes == before.bytes && after.splits == before.splits &&
                                      after.gathers == before.gathers;
                if (!is_right)
                    std::fprintf(stderr, "%s by %s: %zu bytes, %d splits, %d gathers\n",
                                 machines[chosen].name.c_str(), algorithm.name.c_str(),
                                 after.bytes - before.bytes, after.splits - before.splits,
                                 after.gathers - before.gathers);
                topo_test::check(is_right, "a repeated call costs nothing");
            }
        }
        topo_test::check(spent.bytes > at_start.bytes && spent.splits > at_start.splits, "it counts");
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
