/* SPDX-License-Identifier: BSL-1.0 */
/* typed [SEED [CALLS]]: calls MPI_Alltoallw with blocks of random lengths, of a random datatype each, in
 * place and at absolute addresses too, and compares what comes out, gaps included, with what its profiling
 * name gives. All ranks draw the same numbers. Prints what comes of wrong calls; the same with the library
 * and without. */
#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 16, longest = 600, ints_of_block = 3 * longest, room = most_ranks * ints_of_block };

static uint64_t state;
static unsigned up_to(unsigned most) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % (most + 1);
}

static int rank, size, given[room], got[room], expected[room];

static void fail(const char* what, int call) {
    printf("rank %d, call %d: %s\n", rank, call, what);
    fflush(stdout);
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

static unsigned mixed(unsigned drawn, int a, int b) {
    return ((unsigned)a * 7u + (unsigned)b * 13u + drawn) * 2654435761u >> 7;
}

/* Blocks of one side. */
struct side {
    int counts[most_ranks], places[most_ranks]; /* in bytes */
    MPI_Datatype types[most_ranks];
    int is_made[most_ranks];
};

/* A block of so many ints. */
static void set_block(struct side* it, int other, int ints, unsigned kind, const int* absolute) {
    MPI_Datatype made = MPI_INT, inner;
    int count = ints, is_made = 0;
    if (ints > 0 && kind % 4 == 1) { /* each int with a gap behind it */
        PMPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &made);
        is_made = 1;
    } else if (ints > 0 && kind % 4 == 2) {
        PMPI_Type_contiguous(ints, MPI_INT, &made);
        is_made = count = 1;
    } else if (ints > 0 && kind % 4 == 3) { /* the middle column of an array */
        const int whole[2] = {ints, 3}, part[2] = {ints, 1}, first[2] = {0, 1};
        PMPI_Type_create_subarray(2, whole, part, first, MPI_ORDER_C, MPI_INT, &made);
        is_made = count = 1;
    }
    it->places[other] = (int)sizeof(int) * ints_of_block * ((other + 1) % size);
    if (absolute != NULL && ints > 0) {
        MPI_Aint address;
        PMPI_Get_address((const char*)absolute + it->places[other], &address);
        it->places[other] = 0;
        inner = made;
        PMPI_Type_create_hindexed(1, &count, &address, inner, &made);
        if (is_made) PMPI_Type_free(&inner);
        is_made = count = 1;
    }
    if (is_made) PMPI_Type_commit(&made);
    it->counts[other] = count;
    it->types[other] = made;
    it->is_made[other] = is_made;
}

static void free_types(struct side* it) {
    for (int i = 0; i < size; ++i)
        if (it->is_made[i]) PMPI_Type_free(&it->types[i]);
}

static int call_ours(const void* from, const struct side* out, const struct side* in) {
#if MPI_VERSION >= 4
    if (up_to(1) == 0) {
        MPI_Count counts[2][most_ranks];
        MPI_Aint places[2][most_ranks];
        for (int i = 0; i < size; ++i) {
            counts[0][i] = out->counts[i];
            places[0][i] = out->places[i];
            counts[1][i] = in->counts[i];
            places[1][i] = in->places[i];
        }
        return MPI_Alltoallw_c(from, counts[0], places[0], out->types, got, counts[1], places[1], in->types,
                               MPI_COMM_WORLD);
    }
#endif
    return MPI_Alltoallw(from, out->counts, out->places, out->types, got, in->counts, in->places, in->types,
                         MPI_COMM_WORLD);
}

static void call_one(int number) {
    static const unsigned lengths[] = {0, 1, 30, 255, 256, longest};
    const unsigned most = lengths[up_to(5)], drawn = up_to(1000), mode = up_to(5);
    const int in_place = mode == 0;
    struct side out, in;
    for (int i = 0; i < size; ++i) {
        const int low = i < rank ? i : rank, high = i < rank ? rank : i;
        const unsigned there = in_place ? mixed(drawn, low, high) : mixed(drawn, rank, i),
                       here = in_place ? mixed(drawn, low, high) : mixed(drawn, i, rank);
        set_block(&out, i, (int)(there % (most + 1)), there, mode == 1 ? given : NULL);
        set_block(&in, i, (int)(here % (most + 1)), here / 4, NULL);
    }
    for (int i = 0; i < room; ++i) {
        given[i] = number + rank * 100003 + i * 7;
        got[i] = expected[i] = -rank * room - i;
    }
    const void* const from = in_place ? MPI_IN_PLACE : mode == 1 ? MPI_BOTTOM : given;
    if (call_ours(from, &out, &in) != MPI_SUCCESS) fail("an error code", number);
    PMPI_Alltoallw(from, out.counts, out.places, out.types, expected, in.counts, in.places, in.types,
                   MPI_COMM_WORLD);
    if (memcmp(got, expected, sizeof got) != 0) fail("another result", number);
    free_types(&out);
    free_types(&in);
}

/* The classes of errors, rank by rank, of calls that are wrong on all ranks or on none. */
static void wrong_calls(void) {
    int class, ones[most_ranks], none[most_ranks], negative[most_ranks], places[most_ranks];
    MPI_Datatype ints[most_ranks], missing[most_ranks];
    for (int i = 0; i < size; ++i) {
        ones[i] = 1;
        none[i] = 0;
        negative[i] = -(i == size - 1);
        places[i] = i * (int)sizeof(int);
        ints[i] = MPI_INT;
        missing[i] = i == size - 1 ? MPI_DATATYPE_NULL : MPI_INT;
    }
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const MPI_Comm all = MPI_COMM_WORLD;
    const struct {
        const char* name;
        int code;
    } calls[] = {
        {"right", MPI_Alltoallw(given, ones, places, ints, got, ones, places, ints, all)},
        {"negative count", MPI_Alltoallw(given, negative, places, ints, got, none, places, ints, all)},
        {"no datatype", MPI_Alltoallw(given, ones, places, missing, got, ones, places, ints, all)},
        {"no datatype to receive", MPI_Alltoallw(given, ones, places, ints, got, ones, places, missing, all)},
        {"no datatype of nothing", MPI_Alltoallw(given, none, places, missing, got, none, places, ints, all)},
        {"no buffer", MPI_Alltoallw(NULL, none, places, ints, NULL, none, places, ints, all)},
        {"one buffer", MPI_Alltoallw(got, none, places, ints, got, none, places, ints, all)},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
        int classes[most_ranks];
        PMPI_Error_class(calls[i].code, &class);
        PMPI_Gather(&class, 1, MPI_INT, classes, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 0) printf("%s:", calls[i].name);
        for (int r = 0; rank == 0 && r < size; ++r)
            printf(" %d%s", classes[r], r == size - 1 ? "\n" : "");
    }
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > most_ranks) fail("too many ranks", 0);
    state = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    const int calls = argc > 2 ? atoi(argv[2]) : 200;
    for (int i = 0; i < calls; ++i)
        call_one(i);
    wrong_calls();
    if (rank == 0) printf("%d calls are right\n", calls);
    MPI_Finalize();
    return 0;
}
