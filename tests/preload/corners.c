/* SPDX-License-Identifier: BSL-1.0 */
/* What MPI promises at the edges: callbacks that communicate, communicators of all kinds, errors, nothing at
 * all. Prints what it sees; the same has to come out with the library and without. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void say(const char* what, long value) {
    if (rank == 0) printf("%s: %ld\n", what, value);
}

static long sum_on(MPI_Comm comm, long mine) {
    long sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm);
    return sum;
}

/* --- Callbacks that communicate ------------------------------------------------------------------------- */

static long seen_by_copy, seen_by_delete;

static int copy_attribute(MPI_Comm comm, int key, void* state, void* from, void* to, int* flag) {
    (void)key, (void)state;
    seen_by_copy += sum_on(comm, 1);
    *(void**)to = from;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int key, void* value, void* state) {
    (void)key, (void)value, (void)state;
    seen_by_delete += sum_on(comm, 1);
    MPI_Barrier(comm);
    return MPI_SUCCESS;
}

static void attributes(void) {
    int key;
    MPI_Comm first, second;
    MPI_Comm_create_keyval(copy_attribute, delete_attribute, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_set_attr(first, key, &key);
    for (int i = 0; i < 6; ++i) /* enough for a hierarchy, which must not call the callbacks */
        sum_on(first, i);
    say("copies before there is a duplicate", seen_by_copy);
    MPI_Comm_dup(first, &second);
    say("ranks seen while duplicating", seen_by_copy);
    MPI_Comm_free(&first);
    say("ranks seen while freeing", seen_by_delete);
    say("sum on the duplicate", sum_on(second, rank));
    MPI_Comm_disconnect(&second);
    say("ranks seen while disconnecting", seen_by_delete);
    MPI_Comm_free_keyval(&key);
}

static int at_the_end(MPI_Comm comm, int key, void* value, void* state) {
    (void)comm, (void)key, (void)value, (void)state;
    say("sum while MPI ends", sum_on(MPI_COMM_WORLD, rank));
    return MPI_SUCCESS;
}

/* --- Communicators of all kinds ------------------------------------------------------------------------- */

static void communicators(void) {
    say("sum on self", sum_on(MPI_COMM_SELF, 7));
    if (size > 1) {
        MPI_Comm half, between;
        const int side = rank % 2;
        MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 3, &between);
        for (int i = 0; i < 4; ++i)
            say("sum over an inter-communicator", sum_on(between, rank));
        long value = rank == 0 ? 42 : -1;
        const int root = side == 0 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
        MPI_Bcast(&value, 1, MPI_LONG, root, between);
        say("broadcast to the other side", sum_on(MPI_COMM_WORLD, value));
        MPI_Comm merged;
        MPI_Intercomm_merge(between, side, &merged);
        for (int i = 0; i < 4; ++i)
            say("sum over the merged sides", sum_on(merged, rank));
        MPI_Comm_free(&merged);
        MPI_Comm_free(&between);
        MPI_Comm_free(&half);
    }
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 && size > 1 ? MPI_UNDEFINED : 1, -rank, &part);
    long sum = 0;
    if (part != MPI_COMM_NULL) {
        for (int i = 0; i < 5; ++i)
            sum = sum_on(part, rank);
        MPI_Comm_free(&part);
    }
    MPI_Bcast(&sum, 1, MPI_LONG, size - 1, MPI_COMM_WORLD);
    say("sum without the first", sum);
}

static void many_communicators(void) {
    long sum = 0;
#ifdef MPICH_VERSION /* whose waiting ranks keep their core */
    enum { alive = 12, made = 60 };
#else
    enum { alive = 80, made = 300 }; /* more at a time than have a hierarchy */
#endif
    for (int i = 0; i < made; ++i) {
        MPI_Comm next;
        MPI_Comm_split(MPI_COMM_WORLD, rank % (1 + i % 3), 0, &next);
        for (int j = 0; j < i % 5; ++j)
            sum += sum_on(next, j);
        MPI_Comm_free(&next);
    }
    say("sum on many communicators", sum_on(MPI_COMM_WORLD, sum));
    MPI_Comm all[alive];
    sum = 0;
    for (int i = 0; i < alive; ++i)
        MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < alive; ++i)
            sum += sum_on(all[i], i);
    for (int i = 0; i < alive; i += 2)
        MPI_Comm_free(&all[i]);
    for (int i = 1; i < alive; i += 2) {
        sum += sum_on(all[i], i);
        MPI_Comm_free(&all[i]);
    }
    say("sum on communicators that live at the same time", sum_on(MPI_COMM_WORLD, sum));
}

/* --- Errors --------------------------------------------------------------------------------------------- */

/* Which ranks are told. */
static void maximum_of_bytes(void) {
    char value = 1, result = 0;
    int class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Reduce(&value, &result, 1, MPI_BYTE, MPI_MAX, 0, MPI_COMM_WORLD), &class);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    say("ranks without a maximum of bytes", sum_on(MPI_COMM_WORLD, class == MPI_ERR_OP));
}

#ifndef MPICH_VERSION
static int handled;
static void handler(MPI_Comm* comm, int* code, ...) {
    int class;
    MPI_Error_class(*code, &class);
    handled += class == MPI_ERR_ROOT || class == MPI_ERR_COUNT || class == MPI_ERR_OP;
    (void)comm;
}

static void errors(void) {
    int value = rank, result = 0, class = 0;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 4; ++i)
        sum_on(comm, 1);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Bcast(&value, 1, MPI_INT, size, comm), &class);
    say("root that there is not", class == MPI_ERR_ROOT);
    MPI_Error_class(MPI_Bcast(&value, -1, MPI_INT, 0, comm), &class);
    say("negative count", class == MPI_ERR_COUNT);
    MPI_Error_class(MPI_Allreduce(&value, &result, 1, MPI_INT, MPI_OP_NULL, comm), &class);
    say("no operation", class == MPI_ERR_OP);
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_set_errhandler(comm, own);
    MPI_Bcast(&value, 1, MPI_INT, -5, comm);
    MPI_Allreduce(&value, &result, -1, MPI_INT, MPI_SUM, comm);
    say("errors that came to the handler", handled);
    say("sum after errors", sum_on(comm, rank));
    MPI_Errhandler_free(&own);
    MPI_Comm_free(&comm);
}
#endif

/* --- Buffers that are the same ----------------------------------------------------------------------------
 */

/* The first collectives of the program, so that nothing may be made ready in them: the root is alone in some.
 */
static void same_buffers(void) {
    int values[2 * 64], counts[64], places[64];
    long refused = 0;
    (void)counts, (void)places;
    for (int i = 0; i < size; ++i) {
        values[2 * i] = values[2 * i + 1] = i;
        counts[i] = 2;
        places[i] = 2 * i;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#ifdef MPICH_VERSION /* Open MPI takes most of them */
    if (rank == 0) {
        refused += MPI_Gather(values, 2, MPI_INT, values, 2, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
        refused += MPI_Gatherv(values, 2, MPI_INT, values, counts, places, MPI_INT, 0, MPI_COMM_WORLD) !=
                   MPI_SUCCESS;
        refused += MPI_Scatter(values, 2, MPI_INT, values, 2, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
        refused += MPI_Scatterv(values, counts, places, MPI_INT, values, 2, MPI_INT, 0, MPI_COMM_WORLD) !=
                   MPI_SUCCESS;
    }
    int* const mine = values + 2 * rank;
    refused += MPI_Allgather(mine, 2, MPI_INT, values, 2, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS;
    refused +=
        MPI_Allgatherv(mine, 2, MPI_INT, values, counts, places, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS;
    refused += MPI_Alltoall(values, 2, MPI_INT, values, 2, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS;
    refused += MPI_Alltoallv(values, counts, places, MPI_INT, values, counts, places, MPI_INT,
                             MPI_COMM_WORLD) != MPI_SUCCESS;
    refused += MPI_Allreduce(values, values, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS;
    refused += MPI_Scan(values, values, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS;
#endif
    if (rank == 0)
        refused += MPI_Reduce(values, values, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    say("refused", refused);
    /* Elsewhere than on the root the second buffer means nothing. */
    for (int root = 0; root < size; ++root) {
        int sum = rank;
        MPI_Reduce(rank == root ? MPI_IN_PLACE : &sum, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        say("reduced in place", sum_on(MPI_COMM_WORLD, sum));
    }
}

/* --- Nothing, and addresses that are none ----------------------------------------------------------------
 */

static void nothing(void) {
    int none[64] = {0};
    long code = 0;
    code += MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    code += MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    code += MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    code += MPI_Gatherv(NULL, 0, MPI_INT, NULL, none, none, MPI_INT, 0, MPI_COMM_WORLD);
    code += MPI_Scatterv(NULL, none, none, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    code += MPI_Allgatherv(NULL, 0, MPI_INT, NULL, none, none, MPI_INT, MPI_COMM_WORLD);
    code += MPI_Alltoallv(none, none, none, MPI_INT, NULL, none, none, MPI_INT, MPI_COMM_WORLD);
    say("codes of nothing", code);
}

/* A datatype with absolute addresses on one rank, and none on the others. */
static void absolute(void) {
    int values[4] = {rank, rank + 1, rank + 2, rank + 3}, all[4 * 64];
    MPI_Aint address;
    MPI_Datatype there;
    const int four = 4;
    MPI_Get_address(values, &address);
    MPI_Type_create_hindexed(1, &four, &address, MPI_INT, &there);
    MPI_Type_commit(&there);
    const int is_odd = rank == size - 1;
    if (is_odd)
        MPI_Bcast(MPI_BOTTOM, 1, there, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(values, 4, MPI_INT, 0, MPI_COMM_WORLD);
    say("broadcast to absolute addresses", sum_on(MPI_COMM_WORLD, values[3]));
    values[0] = rank;
    memset(all, 0, sizeof all);
    if (is_odd)
        MPI_Gather(MPI_BOTTOM, 1, there, all, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(values, 4, MPI_INT, all, 4, MPI_INT, 0, MPI_COMM_WORLD);
    say("gathered from absolute addresses", all[4 * (size - 1)] + all[4 * (size - 1) + 3]);
    if (is_odd)
        MPI_Allgather(MPI_BOTTOM, 1, there, all, 4, MPI_INT, MPI_COMM_WORLD);
    else
        MPI_Allgather(values, 4, MPI_INT, all, 4, MPI_INT, MPI_COMM_WORLD);
    say("and on all ranks", sum_on(MPI_COMM_WORLD, all[4 * (size - 1)]));
    for (int i = 0; i < 4 * size; ++i)
        all[i] = 10 * i;
    if (is_odd)
        MPI_Scatter(all, 4, MPI_INT, MPI_BOTTOM, 1, there, 0, MPI_COMM_WORLD);
    else
        MPI_Scatter(all, 4, MPI_INT, values, 4, MPI_INT, 0, MPI_COMM_WORLD);
    say("scattered to absolute addresses", sum_on(MPI_COMM_WORLD, values[3]));
    MPI_Type_free(&there);
}

int main(int argc, char** argv) {
    int started = -1, ended = -1, key;
    MPI_Initialized(&started);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    say("initialized before MPI_Init", started);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);
    same_buffers();
    attributes();
    communicators();
    many_communicators();
    maximum_of_bytes();
#ifndef MPICH_VERSION /* which crashes on some of these (4.0.2) */
    errors();
#endif
    nothing();
    absolute();
    MPI_Finalize();
    MPI_Finalized(&ended);
    say("finalized after MPI_Finalize", ended);
    return 0;
}
