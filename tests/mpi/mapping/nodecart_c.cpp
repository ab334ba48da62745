// SPDX-License-Identifier: BSL-1.0
// The names of paper 3.
#include <topomp/mapping/node_cart.hpp>
#include <topomp/mapping/nodecart_c.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <vector>

namespace nodecart_c_tests {

TEST_CASE("the entry points of paper 3 give the grid that node_cart gives") {
    const boost::mpi::communicator world;
    const topo::node_cart expected{world, {0, 0}};
    const int open[2] = {0, 0}, no_periods[2] = {0, 0};
    MPI_Comm grid = MPI_COMM_NULL;
    REQUIRE(MPIX_Nodecart_create(world, 2, open, no_periods, 1, &grid) == MPI_SUCCESS);
    int dims[2], periods[2], coords[2], rank = -1;
    CHECK(MPIX_Nodecart_get(grid, 2, dims, periods, coords) == MPI_SUCCESS);
    CHECK(std::vector<int>(dims, dims + 2) == expected.dims());
    CHECK(std::vector<int>(coords, coords + 2) == expected.coordinates());
    CHECK(MPIX_Nodecart_rank(grid, coords, &rank) == MPI_SUCCESS);
    CHECK(rank == expected.rank());
    CHECK(MPIX_Nodecart_coords(grid, rank, 2, coords) == MPI_SUCCESS);
    CHECK(std::vector<int>(coords, coords + 2) == expected.coordinates());
    for (const int direction : {0, 1}) {
        int source = -1, destination = -1;
        CHECK(MPIX_Nodecart_shift(grid, direction, 1, &source, &destination) == MPI_SUCCESS);
        const auto wanted = expected.shift(static_cast<std::size_t>(direction), 1);
        CHECK(source == wanted.source);
        CHECK(destination == wanted.destination);
    }
    const int columns[2] = {1, 0};
    MPI_Comm column = MPI_COMM_NULL;
    CHECK(MPIX_Nodecart_sub(grid, columns, &column) == MPI_SUCCESS);
    CHECK(topo::mpi::comm_size(column) == dims[0]);
    MPI_Comm_free(&column);
    MPI_Comm_free(&grid);
}

TEST_CASE("ranks keep their numbers, and bad dims are a code") {
    const boost::mpi::communicator world;
    const int all[1] = {world.size()}, circle[1] = {1}, more[1] = {world.size() + 1};
    MPI_Comm grid = MPI_COMM_NULL;
    REQUIRE(MPIX_Nodecart_create(world, 1, all, circle, 0, &grid) == MPI_SUCCESS);
    CHECK(topo::mpi::comm_rank(grid) == world.rank());
    MPI_Comm_free(&grid);
    CHECK(MPIX_Nodecart_create(world, 1, more, circle, 1, &grid) == MPI_ERR_DIMS);
    CHECK(MPIX_Nodecart_create(world, 0, all, circle, 1, &grid) == MPI_ERR_DIMS);
    CHECK(grid == MPI_COMM_NULL);
}

} // namespace nodecart_c_tests
