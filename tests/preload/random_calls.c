/* SPDX-License-Identifier: BSL-1.0 */
/* random_calls [SEED [CALLS [nonblocking|persistent]]]: calls every collective of MPI-1 with random
 * arguments, on random communicators, and compares what comes out with what the profiling names give, bit by
 * bit: gaps between elements included. Numbers are such that sums are exact. All ranks draw the same numbers.
 * With `nonblocking`, also the non-blocking forms, with `persistent` the persistent ones. */
#include <mpi.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define PERSISTENT(name) MPIX_##name##_init
#else
#define PERSISTENT(name) MPI_##name##_init
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 64, room = 1 << 20 };

static uint64_t state;
static unsigned up_to(unsigned most) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % (most + 1);
}

/* Of the calling rank only. */
static uint64_t own_state;
static unsigned own_number(void) {
    own_state = own_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(own_state >> 33);
}

/* Affine maps x -> ax + b of numbers modulo 251, a pair of ints each: composing them does not commute. */
static void compose(void* left, void* right, int* count, MPI_Datatype* type) {
    MPI_Aint lower, extent;
    PMPI_Type_get_extent(*type, &lower, &extent);
    for (int i = 0; i < *count; ++i) {
        int* a = (int*)((char*)left + i * extent);
        int* b = (int*)((char*)right + i * extent);
        const int slope = (int)(((unsigned)a[0] * (unsigned)b[0]) % 251);
        const int shift = (int)(((unsigned)a[1] * (unsigned)b[0] + (unsigned)b[1]) % 251);
        b[0] = slope;
        b[1] = shift;
    }
}

/* A sum modulo 2^32 of every other int, which commutes. */
static void add_pairs(void* left, void* right, int* count, MPI_Datatype* type) {
    MPI_Aint lower, extent;
    PMPI_Type_get_extent(*type, &lower, &extent);
    for (int i = 0; i < *count; ++i) {
        unsigned* a = (unsigned*)((char*)left + i * extent);
        unsigned* b = (unsigned*)((char*)right + i * extent);
        b[0] += a[0];
        b[1] += a[1];
    }
}

enum { number_of_types = 7 };
static MPI_Datatype types[number_of_types];
static int ints_of[number_of_types] = {1, 1, 2, 2, 2, 3, 2}; /* basic elements, 4 bytes each */
static MPI_Op composition, pair_sum;

static void make_types(void) {
    const int lengths[2] = {1, 2}, places[2] = {1, 3};
    MPI_Datatype plain;
    types[0] = MPI_INT;
    types[1] = MPI_UNSIGNED;
    PMPI_Type_contiguous(2, MPI_INT, &types[2]);
    PMPI_Type_vector(2, 1, 1, MPI_INT, &plain); /* two ints, a gap of one behind them */
    PMPI_Type_create_resized(plain, 0, 12, &types[3]);
    PMPI_Type_free(&plain);
    PMPI_Type_contiguous(2, MPI_INT, &plain); /* gaps at both sides: the lower bound is not 0 */
    PMPI_Type_create_resized(plain, -4, 16, &types[4]);
    PMPI_Type_free(&plain);
    PMPI_Type_indexed(2, lengths, places, MPI_INT, &types[5]); /* data begins behind the address */
    PMPI_Type_vector(2, 1, 2, MPI_INT, &types[6]);
    for (int i = 2; i < number_of_types; ++i)
        PMPI_Type_commit(&types[i]);
    PMPI_Op_create(compose, 0, &composition);
    PMPI_Op_create(add_pairs, 1, &pair_sum);
}

static char *input, *ours, *theirs;
static const size_t middle = room / 2; /* buffers begin here: displacements may be negative */
static int call_number, rank_in_world;
static const char* call_name;

/* Twice as many as a buffer holds, drawn once: to draw them for each call took longer than the calls. */
static unsigned* numbers;

static void draw_numbers(void) {
    numbers = malloc(2 * (size_t)room);
    for (size_t i = 0; i < room / 2; ++i)
        numbers[i] = own_number() % 1000;
}

static void fill(char* buffer) { memcpy(buffer, numbers + own_number() % (room / 4), room); }

static void prepare(void) {
    fill(input);
    fill(ours);
    memcpy(theirs, ours, room);
}

static void compare(int our_code, int their_code) {
    if (our_code == their_code && memcmp(ours, theirs, room) == 0) return;
    size_t at = 0;
    while (at < room && ours[at] == theirs[at])
        ++at;
    printf("call %d, %s, rank %d: codes %d and %d, first difference at byte %ld\n", call_number, call_name,
           rank_in_world, our_code, their_code, (long)at - (long)middle);
    fflush(stdout);
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

static int counts[most_ranks], places[most_ranks], their_counts[most_ranks], their_places[most_ranks];

/* Blocks of random lengths, in a random order, with gaps, the first perhaps before the beginning. */
static void lay_out(int size, unsigned most) {
    int order[most_ranks];
    for (int i = 0; i < size; ++i) {
        const int j = (int)up_to((unsigned)i);
        order[i] = order[j];
        order[j] = i;
    }
    int next = -(int)up_to(5);
    for (int i = 0; i < size; ++i) {
        counts[order[i]] = up_to(4) == 0 ? 0 : (int)up_to(most);
        places[order[i]] = next;
        next += counts[order[i]] + (int)up_to(3);
    }
}

/* Rank r sends (r + s) % 7 * most / 7 elements to rank s, each of which is `factor` of the other type. */
static void lay_out_exchange(int rank, int size, unsigned most, int factor) {
    lay_out(size, most);
    int next = -(int)up_to(3);
    for (int i = 0; i < size; ++i) {
        counts[i] = (int)((unsigned)((rank + i) % 7) * most / 7);
        places[i] = next;
        their_counts[i] = counts[i] * factor;
        their_places[i] = next * factor;
        next += counts[i] + i % 2;
    }
}

/* Twice the same call, the second time by the profiling name, and the results compared. */
#define BOTH(CALL, ...)                                                                                      \
    do {                                                                                                     \
        call_name = #CALL;                                                                                   \
        char* to = ours + middle;                                                                            \
        const int our_code = MPI_##CALL(__VA_ARGS__);                                                        \
        to = theirs + middle;                                                                                \
        compare(our_code, PMPI_##CALL(__VA_ARGS__));                                                         \
        (void)to;                                                                                            \
    } while (0)

/* The same with a non-blocking form, waited for in one of several ways. */
static int after(int code, MPI_Request* request) {
    int done = 0, which;
    if (code != MPI_SUCCESS) return code;
    switch (up_to(3)) {
    case 0:
        return MPI_Wait(request, MPI_STATUS_IGNORE);
    case 1:
        return MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
    case 2:
        return MPI_Waitany(1, request, &which, MPI_STATUS_IGNORE);
    default:
        while (!done)
            code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        return code;
    }
}

static int has_nonblocking, has_persistent, number_of_starts;

/* A persistent form, started as often as its operands stay the same, and freed. */
static int after_starts(int code, MPI_Request* request) {
    for (int i = 0; i < number_of_starts && code == MPI_SUCCESS; ++i) {
        code = up_to(1) == 0 ? MPI_Start(request) : MPI_Startall(1, request);
        code = after(code, request);
        if (*request == MPI_REQUEST_NULL) return MPI_ERR_REQUEST;
    }
    return code == MPI_SUCCESS ? MPI_Request_free(request) : code;
}

#define BOTH_IN_BACKGROUND(START, CALL, ...)                                                                 \
    do {                                                                                                     \
        call_name = has_persistent ? #CALL "_init" : #START;                                                 \
        MPI_Request request = MPI_REQUEST_NULL;                                                              \
        char* to = ours + middle;                                                                            \
        const int our_code =                                                                                 \
            has_persistent ? after_starts(PERSISTENT(CALL)(__VA_ARGS__, MPI_INFO_NULL, &request), &request)  \
                           : after(MPI_##START(__VA_ARGS__, &request), &request);                            \
        to = theirs + middle;                                                                                \
        compare(our_code, PMPI_##CALL(__VA_ARGS__));                                                         \
        (void)to;                                                                                            \
    } while (0)

/* That of rank 0 need not be anywhere. MPICH wants one. */
#ifdef MPICH_VERSION
#define EXSCAN_RESULT to
#else
#define EXSCAN_RESULT (rank == 0 && !in_place && count % 2 == 1 ? NULL : to)
#endif

static void call_one(MPI_Comm comm) {
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    static const unsigned longest[] = {1, 7, 40, 300, 20000};
    const unsigned verb = up_to(has_nonblocking ? 31 : 15), length = up_to(4);
    const int is_combining =
        (verb >= 10 && verb < 16) || verb == 20 || verb == 21 || (verb >= 26 && verb < 30);
    unsigned kind = up_to(number_of_types - 1);
    if (verb >= 16 && is_combining) kind %= 2; /* operations of the program's own are the MPI's */
    const int root = (int)up_to((unsigned)size - 1), root_or_0 = up_to(1) == 0 ? root : 0;
    int count = (int)up_to(longest[length]);
    const int in_place = up_to(2) == 0;
    number_of_starts = in_place ? 1 : 1 + (int)up_to(2);
    MPI_Datatype type = types[kind];
    prepare();
    /* Where two types may differ, one side may have the elements one by one. */
    const int is_split = up_to(2) == 0;
    MPI_Datatype other = is_split && kind != 1 ? MPI_INT : type;
    const int factor = is_split && kind != 1 ? ints_of[kind] : 1;
    char* const from = input + middle;
    MPI_Op op = MPI_SUM;
    if (is_combining) { /* operations: MPI's on MPI's types, else the user's */
        if (kind < 2) {
            const unsigned which = up_to(3);
            op = which == 0 ? MPI_SUM : which == 1 ? MPI_MAX : which == 2 ? MPI_BXOR : MPI_MIN;
        } else {
            if (kind == 5 || kind == 6) type = types[3];
#ifdef MPICH_VERSION
            /* MPICH's own (4.0.2) write beyond their memory where types have gaps. */
            if (verb >= 14) type = types[2];
#endif
            op = up_to(1) == 0 ? composition : pair_sum;
        }
    }
    const void* const operand = in_place ? MPI_IN_PLACE : from;
    const unsigned most = longest[length] < 300 ? longest[length] : 300;
    if ((verb >= 4 && verb <= 9) || verb == 18 || verb == 19)
        if (count > 300) count = 300;
    const int each = count % 300;
    switch (verb) {
    case 0:
        BOTH(Barrier, comm);
        break;
    case 1:
        BOTH(Bcast, to, rank == root ? count : count * factor, rank == root ? type : other, root, comm);
        break;
    case 2:
        if (in_place && rank == root)
            BOTH(Gather, MPI_IN_PLACE, 0, MPI_INT, to, count % 300, type, root, comm);
        else
            BOTH(Gather, from, count % 300 * factor, other, to, count % 300, type, root, comm);
        break;
    case 3:
        if (in_place && rank == root)
            BOTH(Scatter, from, count % 300, type, MPI_IN_PLACE, 0, MPI_INT, root, comm);
        else
            BOTH(Scatter, from, count % 300, type, to, count % 300 * factor, other, root, comm);
        break;
    case 4:
        lay_out(size, most);
        if (in_place && rank == root)
            BOTH(Gatherv, MPI_IN_PLACE, 0, MPI_INT, to, counts, places, type, root, comm);
        else
            BOTH(Gatherv, from, counts[rank] * factor, other, to, counts, places, type, root, comm);
        break;
    case 5:
        lay_out(size, most);
        if (in_place && rank == root)
            BOTH(Scatterv, from, counts, places, type, MPI_IN_PLACE, 0, MPI_INT, root, comm);
        else
            BOTH(Scatterv, from, counts, places, type, to, counts[rank] * factor, other, root, comm);
        break;
    case 6:
        if (in_place)
            BOTH(Allgather, MPI_IN_PLACE, 0, MPI_INT, to, count, type, comm);
        else
            BOTH(Allgather, from, count * factor, other, to, count, type, comm);
        break;
    case 7:
        lay_out(size, most);
        if (in_place)
            BOTH(Allgatherv, MPI_IN_PLACE, 0, MPI_INT, to, counts, places, type, comm);
        else
            BOTH(Allgatherv, from, counts[rank] * factor, other, to, counts, places, type, comm);
        break;
    case 8:
        if (in_place)
            BOTH(Alltoall, MPI_IN_PLACE, 0, MPI_INT, to, count, type, comm);
        else
            BOTH(Alltoall, from, count * factor, other, to, count, type, comm);
        break;
    case 9:
        lay_out_exchange(rank, size, most, factor);
        if (in_place)
            BOTH(Alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_INT, to, counts, places, type, comm);
        else
            BOTH(Alltoallv, from, their_counts, their_places, other, to, counts, places, type, comm);
        break;
    case 10:
        BOTH(Reduce, in_place && rank == root && root == 0 ? MPI_IN_PLACE : from, to, count, type, op, root,
             comm);
        break;
    case 11:
        BOTH(Allreduce, operand, to, count, type, op, comm);
        break;
    case 12:
        BOTH(Scan, operand, to, count, type, op, comm);
        break;
    case 13:
        BOTH(Exscan, operand, EXSCAN_RESULT, count, type, op, comm);
        break;
    case 14: /* in place, what is behind the result is nobody's business */
        BOTH(Reduce_scatter_block, from, to, count % 300, type, op, comm);
        break;
    case 15:
        lay_out(size, most);
        BOTH(Reduce_scatter, from, to, counts, type, op, comm);
        break;
    case 16:
        BOTH_IN_BACKGROUND(Ibarrier, Barrier, comm);
        break;
    case 17:
        BOTH_IN_BACKGROUND(Ibcast, Bcast, to, rank == root ? count : count * factor,
                           rank == root ? type : other, root, comm);
        break;
    case 18:
        if (in_place)
            BOTH_IN_BACKGROUND(Iallgather, Allgather, MPI_IN_PLACE, 0, MPI_INT, to, count, type, comm);
        else
            BOTH_IN_BACKGROUND(Iallgather, Allgather, from, count * factor, other, to, count, type, comm);
        break;
    case 19:
        if (in_place)
            BOTH_IN_BACKGROUND(Ialltoall, Alltoall, MPI_IN_PLACE, 0, MPI_INT, to, count, type, comm);
        else
            BOTH_IN_BACKGROUND(Ialltoall, Alltoall, from, count * factor, other, to, count, type, comm);
        break;
    case 20: /* MPICH's own (4.0.2) may write to what is said to be no result */
        BOTH_IN_BACKGROUND(Ireduce, Reduce, in_place && rank == root && root == 0 ? MPI_IN_PLACE : from,
                           rank == root ? to : NULL, count, type, op, root, comm);
        break;
    case 21:
        BOTH_IN_BACKGROUND(Iallreduce, Allreduce, operand, to, count, type, op, comm);
        break;
    case 22: /* mostly to and from rank 0, whose tree topomp knows without asking */
        if (in_place && rank == root_or_0)
            BOTH_IN_BACKGROUND(Igather, Gather, MPI_IN_PLACE, 0, MPI_INT, to, each, type, root_or_0, comm);
        else
            BOTH_IN_BACKGROUND(Igather, Gather, from, each * factor, other, to, each, type, root_or_0, comm);
        break;
    case 23:
        if (in_place && rank == root_or_0)
            BOTH_IN_BACKGROUND(Iscatter, Scatter, from, each, type, MPI_IN_PLACE, 0, MPI_INT, root_or_0,
                               comm);
        else
            BOTH_IN_BACKGROUND(Iscatter, Scatter, from, each, type, to, each * factor, other, root_or_0,
                               comm);
        break;
    case 24:
        lay_out(size, most);
        if (in_place)
            BOTH_IN_BACKGROUND(Iallgatherv, Allgatherv, MPI_IN_PLACE, 0, MPI_INT, to, counts, places, type,
                               comm);
        else
            BOTH_IN_BACKGROUND(Iallgatherv, Allgatherv, from, counts[rank] * factor, other, to, counts,
                               places, type, comm);
        break;
    case 25:
        lay_out_exchange(rank, size, most, factor);
        if (in_place)
            BOTH_IN_BACKGROUND(Ialltoallv, Alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_INT, to, counts, places,
                               type, comm);
        else
            BOTH_IN_BACKGROUND(Ialltoallv, Alltoallv, from, their_counts, their_places, other, to, counts,
                               places, type, comm);
        break;
    case 26:
        BOTH_IN_BACKGROUND(Iscan, Scan, operand, to, count, type, op, comm);
        break;
    case 27:
        BOTH_IN_BACKGROUND(Iexscan, Exscan, operand, EXSCAN_RESULT, count, type, op, comm);
        break;
    case 28:
        BOTH_IN_BACKGROUND(Ireduce_scatter_block, Reduce_scatter_block, from, to, each, type, op, comm);
        break;
    case 29:
        lay_out(size, most);
        BOTH_IN_BACKGROUND(Ireduce_scatter, Reduce_scatter, from, to, counts, type, op, comm);
        break;
    case 30:
        lay_out(size, most);
        if (in_place && rank == root)
            BOTH_IN_BACKGROUND(Igatherv, Gatherv, MPI_IN_PLACE, 0, MPI_INT, to, counts, places, type, root,
                               comm);
        else
            BOTH_IN_BACKGROUND(Igatherv, Gatherv, from, counts[rank] * factor, other, to, counts, places,
                               type, root, comm);
        break;
    case 31:
        lay_out(size, most);
        if (in_place && rank == root)
            BOTH_IN_BACKGROUND(Iscatterv, Scatterv, from, counts, places, type, MPI_IN_PLACE, 0, MPI_INT,
                               root, comm);
        else
            BOTH_IN_BACKGROUND(Iscatterv, Scatterv, from, counts, places, type, to, counts[rank] * factor,
                               other, root, comm);
        break;
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int ranks;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank_in_world);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > most_ranks) PMPI_Abort(MPI_COMM_WORLD, 1);
    if ((void*)MPI_Bcast == (void*)PMPI_Bcast) {
        printf("nobody stands in for MPI_Bcast: there is nothing to compare\n");
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    const unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    const int calls = argc > 2 ? atoi(argv[2]) : 1000;
    has_persistent = argc > 3 && strcmp(argv[3], "persistent") == 0;
    has_nonblocking = has_persistent || (argc > 3 && strcmp(argv[3], "nonblocking") == 0);
    if (rank_in_world == 0) printf("seed %lu, %d calls\n", seed, calls);
    state = seed;
    own_state = seed * 1000 + (uint64_t)rank_in_world;
    draw_numbers();
    input = malloc(room);
    ours = malloc(room);
    theirs = malloc(room);
    make_types();
    enum { number = 4 };
    MPI_Comm comms[number] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
    for (call_number = 0; call_number < calls; ++call_number) {
        const unsigned which = up_to(number - 1);
        if (which > 0 && (comms[which] == MPI_COMM_NULL || up_to(30) == 0)) {
            if (comms[which] != MPI_COMM_NULL) MPI_Comm_free(&comms[which]);
            const int parts = 1 + (int)up_to(1), is_turned = (int)up_to(1);
            MPI_Comm_split(MPI_COMM_WORLD, rank_in_world % parts, is_turned ? -rank_in_world : 0,
                           &comms[which]);
        }
        /* Parts of the world call with arguments of their own size; what all draw stays the same. */
        const uint64_t before = state;
        call_one(comms[which]);
        state = before + 12345;
    }
    for (int i = 1; i < number; ++i)
        if (comms[i] != MPI_COMM_NULL) MPI_Comm_free(&comms[i]);
    for (int i = 2; i < number_of_types; ++i)
        PMPI_Type_free(&types[i]);
    PMPI_Op_free(&composition);
    PMPI_Op_free(&pair_sum);
    if (rank_in_world == 0) printf("all results are those of the MPI\n");
    MPI_Finalize();
    return 0;
}
