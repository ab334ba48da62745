// SPDX-License-Identifier: BSL-1.0
// What building a hierarchy costs: collective calls by depth, and memory that does not grow with the ranks.
#include "support/program_check.hpp"
#include "support/tally.hpp"
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/shared_level.hpp>
#include <topomp/hierarchy/split.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using topo_test::spent;
using topo_test::tally;

constexpr std::size_t most_bytes = 64 * 1024;

/// Two ranks to an object on each of so many stages: a depth that grows with the number of ranks, but slowly.
topo::place binary_place(int rank) {
    std::vector<topo::hardware_object> path;
    for (int bit = 9; bit >= 0; --bit)
        path.push_back({topo::kind::network_switch, 0, std::to_string(rank >> bit)});
    return topo::place{std::move(path)};
}

/// Two packages, of one node for all ranks: a depth of one, whatever the number of ranks.
topo::place flat_place(int rank) {
    return topo::place{{{topo::kind::machine, 0, "node"}, {topo::kind::package, rank % 2, {}}}};
}

/// What `work` costs this rank.
template <class Work>
tally cost_of(Work&& work) {
    const tally before = spent;
    work();
    return {spent.bytes - before.bytes, spent.splits - before.splits, spent.exchanges - before.exchanges,
            spent.gathers - before.gathers};
}

void check_cost(const tally& cost, int depth, const char* what) {
    topo_test::check(cost.bytes <= most_bytes, what);
    topo_test::check(cost.gathers == 0, "nothing is gathered");
    topo_test::check(cost.splits <= 2 + 2 * (depth + 1), "splits by depth");
    topo_test::check(cost.exchanges <= 10 + 2 * (depth + 1), "reductions and broadcasts by depth");
    if (topo_test::failed_checks == 0) return;
    std::fprintf(stderr, "%s: depth %d, %zu bytes, %d splits, %d exchanges, %d gathers\n", what, depth,
                 cost.bytes, cost.splits, cost.exchanges, cost.gathers);
}

/// The cost of everything that ranks of `comm` can do without a list of ranks.
tally check_costs(const boost::mpi::communicator& comm) {
    const int rank = comm.rank();
    int depth = 0;
    const tally flat = cost_of([&] { depth = topo::hierarchy(comm, flat_place(rank)).depth(); });
    check_cost(flat, depth, "flat place");
    topo_test::check(depth == (comm.size() > 1 ? 1 : 0), "depth of the flat hierarchy");

    const tally binary = cost_of([&] { depth = topo::hierarchy(comm, binary_place(rank)).depth(); });
    check_cost(binary, depth, "binary place");

    const tally real = cost_of([&] { depth = topo::hierarchy(comm).depth(); });
    check_cost(real, depth, "real place");

    const tally step = cost_of([&] { topo::split_with_roots(comm); });
    check_cost(step, 1, "one step");

    const topo::hierarchy levels(comm, binary_place(rank));
    const tally query = cost_of([&] { topo::shared_depth(levels, 0, comm.size() - 1); });
    check_cost(query, 1, "shared depth");
    return flat;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const boost::mpi::communicator world;
        topo::hierarchy{world, flat_place(world.rank())}; // makes what is made once
        topo::hierarchy{world};
        std::vector<tally> costs;
        for (int size = world.size(); size > 0; size /= 2) { // the first half, again and again
            const bool is_in = world.rank() < size;
            const auto part = world.split(is_in ? 0 : 1);
            if (is_in) costs.push_back(check_costs(part));
        }
        // The same levels cost the same with more ranks, to the byte: that is what 'independent' means.
        for (std::size_t i = 0; i + 1 < costs.size(); ++i) {
            if (world.size() >> (i + 1) < 4) break; // depth or count may differ
            topo_test::check(costs[i].bytes == costs[i + 1].bytes, "bytes with twice as many ranks");
            topo_test::check(costs[i].collectives() == costs[i + 1].collectives(),
                             "calls with twice as many ranks");
        }
        topo_test::check(world.rank() != 0 || (costs.front().bytes > 0 && costs.front().splits > 0),
                         "it counts");
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
