// SPDX-License-Identifier: BSL-1.0
// A shape of one's own: any type that says who hangs below whom can be used at any level.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <functional>
#include <iostream>
#include <sstream>

//! [shape]
/// Two chains that begin at the root: half the steps of one, and each rank sends to one or two others.
///
///     0 - 1 - 3 - 5
///       ` 2 - 4 - 6
struct two_chains {
    static constexpr bool is_interval = false; // below 1 there are 3 and 5, but not 2
    static constexpr int parent(int v, int) { return v == 0 ? -1 : v <= 2 ? 0 : v - 2; }
    template <class F>
    static constexpr void children(int v, int n, F f) {
        if (v == 0 && n > 1) f(1);
        if (v + 2 < n) f(v + 2);
    }
};
static_assert(topo::shape<two_chains>);
//! [shape]

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const auto cluster = topo::machine::parse("node:4 core:2");
    const topo::hierarchy levels{world, cluster, topo::placement::round_robin()};

    //! [use]
    using policy = topo::per_level<topo::on<topo::kind::cluster, two_chains>, topo::otherwise<topo::linear>>;
    int value = world.rank() == 2 ? 42 : 0;
    topo::broadcast(levels, value, 2, policy{});
    const int sum = topo::all_reduce(levels, value, std::plus<>{}, policy{});
    // With an operation that is not commutative this does not compile: two_chains would reorder operands.
    //! [use]

    std::ostringstream out;
    out << world.rank() << ": value " << value << ", sum " << sum << '\n';
    std::cout << out.str() << std::flush;
}
