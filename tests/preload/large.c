/* SPDX-License-Identifier: BSL-1.0 */
/* The forms with large counts, blocking, non-blocking and persistent: with types that have gaps, in place,
 * and blocks of different lengths, the first behind the last. Prints a checksum of what comes out; the same
 * with the library and without. */
#include <mpi.h>

#include <stdio.h>
#include <string.h>

#if MPI_VERSION < 4

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    printf("this MPI has no large counts\n");
    MPI_Finalize();
    return 0;
}

#else

enum { most_ranks = 16, most = 40, room = 4 * most_ranks * most };
static int rank, size, from[room], to[room];
static MPI_Count counts[most_ranks], even[most_ranks];
static MPI_Aint places[most_ranks], even_places[most_ranks];

static void fill(void) {
    for (int i = 0; i < room; ++i) {
        from[i] = 1000 * rank + i;
        to[i] = -rank * (i % 7);
    }
}

/* Of all ranks' results. @param length of the result that MPI defines, in ints */
static void say(const char* what, int code, int length) {
    unsigned sum = (unsigned)code, total;
    for (int i = 0; i < length; ++i)
        sum = (sum ^ (unsigned)to[i]) * 16777619u;
    sum *= (unsigned)rank + 1;
    MPI_Reduce(&sum, &total, 1, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%s: %u\n", what, total);
}

/* A call in its three forms, whose last argument is the communicator. */
#define EACH_FORM(length, VERB, STARTED, ...)                                                                \
    do {                                                                                                     \
        MPI_Request request;                                                                                 \
        int code;                                                                                            \
        fill();                                                                                              \
        code = MPI_##VERB##_c(__VA_ARGS__);                                                                  \
        say(#VERB "_c", code, length);                                                                       \
        fill();                                                                                              \
        code = MPI_##STARTED##_c(__VA_ARGS__, &request);                                                     \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                               \
        say(#STARTED "_c", code, length);                                                                    \
        fill();                                                                                              \
        code = MPI_##VERB##_init_c(__VA_ARGS__, MPI_INFO_NULL, &request);                                    \
        MPI_Start(&request);                                                                                 \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                               \
        MPI_Request_free(&request);                                                                          \
        say(#VERB "_init_c", code, length);                                                                  \
    } while (0)

int main(int argc, char** argv) {
    int provided;
    MPI_Datatype spaced;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Aint next = 0;
    for (int i = size - 1; i >= 0; --i) {
        counts[i] = i % 4 * 3;
        places[i] = next;
        next += counts[i] + 1;
        even[i] = 3;
        even_places[i] = 3 * i;
    }
    const MPI_Comm comm = MPI_COMM_WORLD;
    const MPI_Count count = most, few = 3;
    const MPI_Count mine = counts[rank];
    EACH_FORM(room, Bcast, Ibcast, to, count, spaced, size - 1, comm);
    EACH_FORM(most, Reduce, Ireduce, from, to, count, MPI_INT, MPI_SUM, 0, comm);
    EACH_FORM(most, Allreduce, Iallreduce, MPI_IN_PLACE, to, count, MPI_INT, MPI_SUM, comm);
    EACH_FORM(most, Scan, Iscan, from, to, count, MPI_INT, MPI_MAX, comm);
    EACH_FORM(rank == 0 ? 0 : most, Exscan, Iexscan, from, to, count, MPI_INT, MPI_SUM, comm);
    EACH_FORM(3, Reduce_scatter_block, Ireduce_scatter_block, from, to, few, MPI_INT, MPI_SUM, comm);
    EACH_FORM((int)mine, Reduce_scatter, Ireduce_scatter, from, to, counts, MPI_INT, MPI_SUM, comm);
    EACH_FORM(room, Gather, Igather, from, few, MPI_INT, to, few, spaced, 0, comm);
    EACH_FORM(room, Scatter, Iscatter, from, few, spaced, to, few, MPI_INT, 0, comm);
    EACH_FORM(room, Gatherv, Igatherv, from, mine, MPI_INT, to, counts, places, spaced, 0, comm);
    EACH_FORM(room, Scatterv, Iscatterv, from, counts, places, spaced, to, mine, MPI_INT, 0, comm);
    EACH_FORM(room, Allgather, Iallgather, MPI_IN_PLACE, 0, MPI_INT, to, few, spaced, comm);
    EACH_FORM(room, Allgatherv, Iallgatherv, from, mine, MPI_INT, to, counts, places, spaced, comm);
    EACH_FORM(room, Alltoall, Ialltoall, from, few, spaced, to, few, MPI_INT, comm);
    EACH_FORM(room, Alltoallv, Ialltoallv, from, even, even_places, spaced, to, even, even_places, MPI_INT,
              comm);

    MPI_Aint bytes[most_ranks];
    MPI_Datatype ints[most_ranks], spaced_ints[most_ranks];
    for (int i = 0; i < most_ranks; ++i) {
        bytes[i] = (MPI_Aint)sizeof(int) * 2 * even_places[i];
        ints[i] = MPI_INT;
        spaced_ints[i] = spaced;
    }
    EACH_FORM(room, Alltoallw, Ialltoallw, from, even, bytes, ints, to, even, bytes, spaced_ints, comm);

    MPI_Comm ring;
    const int periods = 1;
    MPI_Cart_create(comm, 1, &size, &periods, 0, &ring);
    EACH_FORM(room, Neighbor_allgather, Ineighbor_allgather, from, few, MPI_INT, to, few, spaced, ring);
    EACH_FORM(room, Neighbor_allgatherv, Ineighbor_allgatherv, from, few, MPI_INT, to, even, even_places,
              spaced, ring);
    EACH_FORM(room, Neighbor_alltoall, Ineighbor_alltoall, from, few, spaced, to, few, MPI_INT, ring);
    EACH_FORM(room, Neighbor_alltoallv, Ineighbor_alltoallv, from, even, even_places, spaced, to, even,
              even_places, MPI_INT, ring);
    EACH_FORM(room, Neighbor_alltoallw, Ineighbor_alltoallw, from, even, bytes, spaced_ints, to, even, bytes,
              ints, ring);
    MPI_Comm_free(&ring);

    /* Errors are the MPI's. */
    int class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Bcast_c(to, -1, MPI_INT, 0, comm), &class);
    if (rank == 0) printf("a negative count: %d\n", class == MPI_ERR_COUNT);
    MPI_Error_class(MPI_Bcast_c(to, 1, MPI_INT, size, comm), &class);
    if (rank == 0) printf("a root that there is not: %d\n", class == MPI_ERR_ROOT);
    MPI_Type_free(&spaced);
    MPI_Finalize();
    return 0;
}

#endif
