// SPDX-License-Identifier: BSL-1.0
// Plain MPI, 1 rank: two elements of a datatype whose last block is not the last in memory. Exit code 0 if
// they are sent in the order of their blocks. SimGrid 3.32 takes the second element from another place.
#include <mpi.h>

#include <array>
#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const std::array lengths{1, 1}, places{1, 0};
    const std::array source{10, 20, 30, 40};
    MPI_Datatype turned = MPI_DATATYPE_NULL;
    MPI_Type_indexed(2, lengths.data(), places.data(), MPI_INT, &turned);
    MPI_Type_commit(&turned);
    std::array<int, 4> result{};
    MPI_Sendrecv(source.data(), 2, turned, 0, 0, result.data(), 4, MPI_INT, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&turned);
    const bool is_right = result == std::array{20, 10, 40, 30};
    if (!is_right) std::printf("%d %d %d %d arrived\n", result[0], result[1], result[2], result[3]);
    MPI_Finalize();
    return is_right ? 0 : 1;
}
