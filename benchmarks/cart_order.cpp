// SPDX-License-Identifier: BSL-1.0
// cart_order [--repetitions 1] [--output FILE] [--note KEY=VALUE]...
//
// Paper 3's table 2: how many ranks of a grid of two dimensions the MPI gives another number when it may
// reorder them. Appends one JSON object to FILE.
#include "support/record.hpp"

#include <mpi.h>

#include <array>
#include <iostream>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const auto given = topo_bench::read_arguments(argc, argv, 1);
    int rank = 0, ranks = 0, in_grid = 0, remapped = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::array dims{0, 0};
    constexpr std::array periods{0, 0};
    MPI_Dims_create(ranks, 2, dims.data());
    MPI_Comm grid = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 1, &grid);
    MPI_Comm_rank(grid, &in_grid);
    const int differs = in_grid == rank ? 0 : 1;
    MPI_Allreduce(&differs, &remapped, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        std::cout << remapped << " of " << ranks << " ranks have another number in the grid" << std::endl;
        if (!given.output.empty())
            topo_bench::sample_file{given}.add(
                {{"benchmark", "cart_order"}, {"ranks", ranks}, {"remapped", remapped}});
    }
    MPI_Comm_free(&grid);
    MPI_Finalize();
}
