// SPDX-License-Identifier: BSL-1.0
// Another algorithm at each level, composed in one type: which way a message takes is known while compiling.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <iostream>
#include <sstream>
#include <vector>

//! [policy]
/// Between nodes each passes long messages on, piece by piece; between the packages of a node all take them
/// from one; between the cores of a package a tree brings them.
using composition =
    topo::segmented<16384, topo::per_level<topo::on<topo::kind::cluster, topo::chain>,  // between nodes
                                           topo::on<topo::kind::machine, topo::linear>, // inside a node
                                           topo::otherwise<topo::in_order_binary>>>;    // further inside
//! [policy]

/// Digits, and ten to the power of how many: put behind each other, they tell the order.
struct digits {
    int value, power;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& value& power;
    }
};
BOOST_IS_MPI_DATATYPE(digits)

/// Associative, as every operation must be, but not commutative, so it is not declared to be.
struct behind {
    digits operator()(const digits& left, const digits& right) const {
        return {left.value * right.power + right.value, left.power * right.power};
    }
};

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const auto cluster = topo::machine::parse("node:2 package:2 core:2");
    const topo::hierarchy levels{world, cluster, topo::placement::round_robin()};

    //! [use]
    std::vector<double> field(100000);
    if (world.rank() == 1) field.back() = 6.25;
    topo::broadcast(levels, field, 1, composition{});

    // Ranks interleave on these nodes, yet operands meet in the order of ranks.
    const auto all = topo::all_reduce(levels, digits{world.rank() + 1, 10}, behind{}, composition{});
    //! [use]

    std::ostringstream out;
    out << world.rank() << ": field ends with " << field.back() << ", digits " << all.value << '\n';
    std::cout << out.str() << std::flush;
}
