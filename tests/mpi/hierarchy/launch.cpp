// SPDX-License-Identifier: BSL-1.0
// That the launcher, Boost.MPI and the MPI fit together at all: if this fails, look at nothing else.
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace launch_tests {

TEST_CASE("every rank takes part") {
    const boost::mpi::communicator world;
    const int sum = boost::mpi::all_reduce(world, world.rank() + 1, std::plus<>{});
    CHECK(sum == world.size() * (world.size() + 1) / 2);
}

TEST_CASE("serialized values travel") {
    const boost::mpi::communicator world;
    std::vector<std::string> words;
    if (world.rank() == 0) words = {"switch", "node", "core"};
    boost::mpi::broadcast(world, words, 0);
    CHECK(words == std::vector<std::string>{"switch", "node", "core"});
}

} // namespace launch_tests
