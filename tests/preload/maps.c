/* SPDX-License-Identifier: BSL-1.0 */
/* Cart_map and Dims_create. maps [DIMS]: also prints the dims for so many dimensions. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void require(int holds, const char* what) {
    if (holds) return;
    printf("rank %d: %s\n", rank, what);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The number that Cart_map gives is the one that Cart_create gives, and everybody has another one. */
static void check_map(MPI_Comm comm, int dimensions, const int* dims) {
    const int periods[3] = {0, 1, 0};
    int mapped = -1, created = -2, me, ranks;
    MPI_Comm cart, sorted;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    MPI_Cart_map(comm, dimensions, dims, periods, &mapped);
    MPI_Cart_create(comm, dimensions, dims, periods, 1, &cart);
    MPI_Comm_rank(cart, &created);
    require(mapped == created, "Cart_map and Cart_create differ");
    /* It is local: one rank asks alone, and is told the same. */
    int alone = mapped;
    if (me == ranks - 1) MPI_Cart_map(comm, dimensions, dims, periods, &alone);
    require(alone == mapped, "Cart_map tells one rank something else");
    MPI_Comm_split(comm, 0, mapped, &sorted);
    MPI_Comm_rank(sorted, &me);
    require(mapped == me, "two ranks have one number");
    MPI_Comm_free(&sorted);
    MPI_Comm_free(&cart);
}

static void check_dims(int ranks, int dimensions, const int* wanted) {
    int dims[3], cells = 1;
    for (int d = 0; d < dimensions; ++d)
        dims[d] = wanted[d];
    MPI_Dims_create(ranks, dimensions, dims);
    for (int d = 0; d < dimensions; ++d) {
        require(wanted[d] == 0 || dims[d] == wanted[d], "a dim that was given is another one");
        cells *= dims[d];
    }
    require(cells == ranks, "there are not as many cells as ranks");
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
        int dims[3] = {0, 0, 0}, ranks;
        MPI_Dims_create(size, dimensions, dims);
        check_map(MPI_COMM_WORLD, dimensions, dims);
        if (argc > 1 && dimensions == atoi(argv[1]) && rank == 0)
            printf("dims: %d %d %d\n", dims[0], dims[1], dims[2]);
        for (int open = 0; open < dimensions; ++open) { /* one dim is left open, then two */
            int wanted[3] = {1, 1, 1};
            wanted[open] = 0;
            check_dims(size, dimensions, wanted);
            wanted[(open + 1) % dimensions] = 0;
            check_dims(size, dimensions, wanted);
        }
        int parts[3] = {0, 0, 0};
        MPI_Comm_size(half, &ranks);
        MPI_Dims_create(ranks, dimensions, parts);
        check_map(half, dimensions, parts);
        const int none[3] = {0, 0, 0};
        check_dims(30, dimensions, none);
    }
    /* What cannot be divided is an error, in all MPIs' words. */
    int wrong[2] = {size + 1, 0};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    require(MPI_Dims_create(size, 2, wrong) != MPI_SUCCESS, "ranks were divided by more than there are");
    MPI_Comm_free(&half);
    if (rank == 0) printf("maps and dims are right\n");
    MPI_Finalize();
    return 0;
}
