// SPDX-License-Identifier: BSL-1.0
// The test of the test: a communicator that is not freed is seen.
#include "support/open_handles.hpp"

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

namespace open_handles_tests {

TEST_CASE("an open communicator is counted until it is freed") {
    const topo_test::open_handles before = topo_test::count_open_handles();
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    CHECK(topo_test::count_open_handles().communicators == before.communicators + 1);
    MPI_Comm_free(&copy);
    CHECK(topo_test::count_open_handles() == before);
}

TEST_CASE("a communicator that Boost.MPI makes is counted too") {
    const topo_test::open_handles before = topo_test::count_open_handles();
    {
        const boost::mpi::communicator world;
        const boost::mpi::communicator part = world.split(world.rank() % 2);
        CHECK(topo_test::count_open_handles().communicators == before.communicators + 1);
    }
    CHECK(topo_test::count_open_handles() == before);
}

} // namespace open_handles_tests
