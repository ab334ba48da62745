// SPDX-License-Identifier: BSL-1.0
// A broadcast and a sum that go through the roots communicators, level by level. Between two nodes, or two
// caches, each value travels once.
#include <topomp/topomp.hpp>

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/environment.hpp>

#include <functional>
#include <iostream>
#include <sstream>

namespace mpi = boost::mpi;

/// The ranks that share the calling rank's innermost object.
const mpi::communicator& innermost(const topo::hierarchy& levels) { return levels.node(levels.depth()); }

//! [broadcast]
/// Sends rank 0's value to all ranks, outermost links first.
/// @pre every rank is bound to one core: a rank that spans two objects of a level is in neither
template <class T>
void broadcast_down(const topo::hierarchy& levels, T& value) {
    for (const topo::level& level : levels)
        if (level.is_root()) mpi::broadcast(level.roots(), value, 0);
    mpi::broadcast(innermost(levels), value, 0);
}
//! [broadcast]

//! [sum]
/// The sum of all ranks' values on rank 0, innermost links first.
/// @pre as above
template <class T>
T sum_up(const topo::hierarchy& levels, T value) {
    T sum{};
    mpi::reduce(innermost(levels), value, sum, std::plus<T>{}, 0);
    for (int depth = levels.depth() - 1; depth >= 0; --depth)
        if (const topo::level& level = levels[depth]; level.is_root()) {
            const T part = sum;
            mpi::reduce(level.roots(), part, sum, std::plus<T>{}, 0);
        }
    return sum;
}
//! [sum]

int main(int argc, char** argv) {
    const mpi::environment environment{argc, argv};
    const mpi::communicator world;
    const auto cluster = topo::machine::parse("node:2 package:2 core:2");
    const topo::hierarchy levels{world, cluster, topo::placement::round_robin()};

    int value = world.rank() == 0 ? 42 : 0;
    broadcast_down(levels, value);
    const int sum = sum_up(levels, 1 << world.rank());

    std::ostringstream line;
    line << "rank " << world.rank() << ": received " << value;
    if (world.rank() == 0) line << ", sum " << sum;
    std::cout << line.str() + '\n';
}
