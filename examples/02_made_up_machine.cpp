// SPDX-License-Identifier: BSL-1.0
// What would my communicators be over there? First as a plan without MPI, then for the ranks of this run.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <iostream>
#include <sstream>

//! [plan]
/// The communicators of 8 ranks on a cluster, as data. Needs no MPI.
void print_plan(const topo::machine& cluster) {
    const auto places = topo::places_of(cluster, topo::placement::round_robin(), 8);
    const auto plan = topo::outline::of(places);
    for (const auto& comm : plan.communicators) {
        std::cout << "plan: depth " << comm.depth << ' ' << to_string(comm.type) << ' ' << comm.name
                  << ", ranks";
        for (const int rank : comm.ranks)
            std::cout << ' ' << rank;
        std::cout << '\n';
    }
}
//! [plan]

//! [run]
/// The same kind of machine under the ranks of a running program: real communicators, made-up places.
void print_levels(const boost::mpi::communicator& world, const topo::machine& cluster) {
    const topo::hierarchy levels{world, cluster, topo::placement::round_robin()};
    std::ostringstream lines;
    for (const topo::level& level : levels)
        lines << "run: rank " << world.rank() << ": " << level.info() << '\n';
    std::cout << lines.str() << std::flush;
}
//! [run]

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;

    // Two switches: three small nodes under the first, one large node under the second.
    const auto cluster = topo::machine::parse("switch:1 (node:3 core:2); switch:1 (node:1 package:2 core:2)");
    if (world.rank() == 0) print_plan(cluster);
    print_levels(world, cluster);
}
