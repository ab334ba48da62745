/* SPDX-License-Identifier: BSL-1.0 */
/* Persistent collectives: started many times, many at a time, in an order that differs from rank to rank,
 * waited for in any of MPI's functions, with what they use freed meanwhile. Prints what comes out, the same
 * with the library and without, and fails if anything is wrong.
 *
 * With the argument `served`, all are the library's, by a policy of trees, but for those of one rank. Open
 * MPI's own (4.1.4) crash if a datatype was freed before the start; MPICH's (4.0.2) have wrong results in
 * place and fail in MPI_Waitany, or if several are under way: so that those are not called. */
#include <mpi.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define PERSISTENT(name) MPIX_##name##_init
#else
#define PERSISTENT(name) MPI_##name##_init
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 64, length = 3000, number = 16 };
static int rank, size, is_served;
static long all_wrong;

/* Of all ranks, how often something was wrong. */
static void say(const char* what, long wrong) {
    long sum = -1;
    MPI_Allreduce(&wrong, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    all_wrong += sum;
    if (rank == 0) printf("%s: %ld wrong\n", what, sum);
}

/* Whether those of so many ranks are right, whosever they are. */
static int are_right(int ranks) {
#ifdef OPEN_MPI
    return ranks > 0;
#else
    return is_served && ranks > 1;
#endif
}

/* One of each, with data that depends on a number. */
struct batch {
    MPI_Request requests[number];
    int data[length], sums[length], all[4 * most_ranks], from[most_ranks], to[most_ranks], result;
    int gathered[most_ranks], scattered[most_ranks], mine, unequal[4 * most_ranks], got[most_ranks];
    int gathered_v[4 * most_ranks], dealt[4 * most_ranks], own[3], got_own[3];
    int up_to_here, before, block, other_block;
    int ones[most_ranks], counts[most_ranks], places[most_ranks], next_places[most_ranks];
    int me, ranks, root, value;
};

static void make_batch(struct batch* it, int root, MPI_Comm comm) {
    MPI_Comm_rank(comm, &it->me);
    MPI_Comm_size(comm, &it->ranks);
    it->root = root % it->ranks;
    int next = 0;
    for (int i = 0; i < it->ranks; ++i) {
        it->ones[i] = 1;
        it->counts[i] = i % 3;
        it->places[i] = next;
        it->next_places[i] = i;
        next += it->counts[i] + 1;
    }
    MPI_Request* const to = it->requests;
    const MPI_Info info = MPI_INFO_NULL;
    PERSISTENT(Barrier)(comm, info, to);
    PERSISTENT(Bcast)(it->data, length, MPI_INT, it->root, comm, info, to + 1);
    PERSISTENT(Allreduce)(MPI_IN_PLACE, it->sums, length, MPI_INT, MPI_SUM, comm, info, to + 2);
    PERSISTENT(Allgather)(MPI_IN_PLACE, 0, MPI_INT, it->all, 4, MPI_INT, comm, info, to + 3);
    if (is_served)
        PERSISTENT(Barrier)(comm, info, to + 4);
    else
        PERSISTENT(Alltoall)(it->from, 1, MPI_INT, it->to, 1, MPI_INT, comm, info, to + 4);
    PERSISTENT(Reduce)(&it->value, &it->result, 1, MPI_INT, MPI_SUM, it->root, comm, info, to + 5);
    PERSISTENT(Gather)(&it->value, 1, MPI_INT, it->gathered, 1, MPI_INT, 0, comm, info, to + 6);
    PERSISTENT(Scatter)(it->scattered, 1, MPI_INT, &it->mine, 1, MPI_INT, 0, comm, info, to + 7);
    PERSISTENT(Allgatherv)
    (MPI_IN_PLACE, 0, MPI_INT, it->unequal, it->counts, it->places, MPI_INT, comm, info, to + 8);
    if (is_served)
        PERSISTENT(Barrier)(comm, info, to + 9);
    else
        PERSISTENT(Alltoallv)
    (it->from, it->ones, it->next_places, MPI_INT, it->got, it->ones, it->next_places, MPI_INT, comm, info,
     to + 9);
    PERSISTENT(Scan)(MPI_IN_PLACE, &it->up_to_here, 1, MPI_INT, MPI_SUM, comm, info, to + 10);
    PERSISTENT(Exscan)(&it->value, &it->before, 1, MPI_INT, MPI_SUM, comm, info, to + 11);
    PERSISTENT(Reduce_scatter_block)(it->from, &it->block, 1, MPI_INT, MPI_SUM, comm, info, to + 12);
    PERSISTENT(Reduce_scatter)(it->from, &it->other_block, it->ones, MPI_INT, MPI_MAX, comm, info, to + 13);
    PERSISTENT(Gatherv)
    (it->own, it->counts[it->me], MPI_INT, it->gathered_v, it->counts, it->places, MPI_INT, 0, comm, info,
     to + 14);
    PERSISTENT(Scatterv)
    (it->dealt, it->counts, it->places, MPI_INT, it->got_own, it->counts[it->me], MPI_INT, 0, comm, info,
     to + 15);
}

static void fill_batch(struct batch* it, int value) {
    it->value = value;
    for (int i = 0; i < length; ++i) {
        it->data[i] = it->me == it->root ? value + i : -1;
        it->sums[i] = it->me + i + value;
    }
    for (int i = 0; i < it->ranks; ++i) {
        it->from[i] = 100 * it->me + i + value;
        it->scattered[i] = 7 * i + value;
        it->to[i] = it->got[i] = it->gathered[i] = -1;
    }
    for (int i = 0; i < 4 * it->ranks; ++i) {
        it->all[i] = i / 4 == it->me ? 4 * it->me + i % 4 + value : -1;
        it->unequal[i] = it->gathered_v[i] = -1;
        it->dealt[i] = 5 * i + value;
    }
    for (int i = 0; i < 3; ++i) {
        it->own[i] = 9 * it->me + i + value;
        it->got_own[i] = -1;
    }
    for (int i = 0; i < it->counts[it->me]; ++i)
        it->unequal[it->places[it->me] + i] = it->me + i + value;
    it->result = it->mine = it->before = it->block = it->other_block = -1;
    it->up_to_here = it->me + value;
}

static long check_batch(const struct batch* it) {
    long wrong = 0;
    const int p = it->ranks, value = it->value, me = it->me;
    for (int i = 0; i < length; ++i)
        wrong += (it->data[i] != value + i) + (it->sums[i] != p * (p - 1) / 2 + p * (i + value));
    for (int i = 0; i < 4 * p; ++i)
        wrong += it->all[i] != i + value;
    for (int i = 0; i < p; ++i) {
        wrong += it->to[i] != (is_served ? -1 : 100 * i + me + value) || it->got[i] != it->to[i];
        wrong += it->gathered[i] != (me == 0 ? value : -1);
        for (int j = 0; j <= i % 3; ++j) {
            wrong += it->unequal[it->places[i] + j] != (j == i % 3 ? -1 : i + j + value);
            wrong +=
                it->gathered_v[it->places[i] + j] != (j == i % 3 || me != 0 ? -1 : 9 * i + j + value);
        }
    }
    for (int j = 0; j < 3; ++j)
        wrong += it->got_own[j] != (j < it->counts[me] ? 5 * (it->places[me] + j) + value : -1);
    wrong += it->result != (me == it->root ? p * value : -1);
    wrong += it->mine != 7 * me + value;
    wrong += it->up_to_here != me * (me + 1) / 2 + (me + 1) * value;
    wrong += me > 0 && it->before != me * value;
    wrong += it->block != 100 * p * (p - 1) / 2 + p * (me + value);
    return wrong + (it->other_block != 100 * (p - 1) + me + value);
}

/* A persistent collective stays where it is when it is complete, and nobody waits for one that is not
 * started. */
static long check_requests(struct batch* it) {
    long wrong = 0;
    for (int i = 0; i < number; ++i) {
        int done = 0;
        MPI_Status status;
        wrong += it->requests[i] == MPI_REQUEST_NULL;
        MPI_Test(&it->requests[i], &done, &status);
        wrong += !done;
    }
    return wrong;
}

static void wait_for(struct batch* it, int way) {
    int left = number, done = 0, which[number], how_many;
    MPI_Status statuses[number];
    switch (way) {
    case 0:
        MPI_Waitall(number, it->requests, statuses);
        break;
    case 1:
        for (int i = 0; i < number; ++i)
            MPI_Wait(&it->requests[rank % 2 == 0 ? i : number - 1 - i], MPI_STATUS_IGNORE);
        break;
    case 2:
        for (; left > 0; --left)
            MPI_Waitany(number, it->requests, which, statuses);
        break;
    case 3:
        for (; left > 0; left -= how_many)
            MPI_Waitsome(number, it->requests, &how_many, which, statuses);
        break;
    case 4:
        while (!done)
            MPI_Testall(number, it->requests, &done, statuses);
        break;
    default:
        for (int i = 0; i < number; ++i)
            for (done = 0; !done;)
                MPI_Request_get_status(it->requests[i], &done, statuses);
        MPI_Waitall(number, it->requests, MPI_STATUSES_IGNORE);
    }
}

static void free_batch(struct batch* it, long* wrong) {
    for (int i = 0; i < number; ++i) {
        MPI_Request_free(&it->requests[i]);
        *wrong += it->requests[i] != MPI_REQUEST_NULL;
    }
}

static void many_times(MPI_Comm comm, const char* what) {
    static struct batch one, other;
    long wrong = 0;
    int ranks;
    MPI_Comm_size(comm, &ranks);
    if (!are_right(ranks)) return say(what, 0);
    make_batch(&one, 0, comm);
    make_batch(&other, 1, comm);
    for (int round = 0; round < 12; ++round) {
        fill_batch(&one, round);
        fill_batch(&other, 100 * round);
        if (round % 2 == 0) {
            MPI_Startall(number, one.requests);
            MPI_Startall(number, other.requests);
        } else { /* in another order on each rank */
            for (int i = 0; i < number; ++i) {
                MPI_Start(&other.requests[(i + rank) % number]);
                MPI_Start(&one.requests[(number - i + 2 * rank) % number]);
            }
        }
        wait_for(rank % 2 == 0 ? &one : &other, round % 6);
        wait_for(rank % 2 == 0 ? &other : &one, (round + 1) % 6);
        wrong += check_batch(&one) + check_batch(&other);
        wrong += check_requests(&one) + check_requests(&other);
    }
    free_batch(&one, &wrong);
    free_batch(&other, &wrong);
    say(what, wrong);
}

/* Other collectives, and persistent messages, while they are under way. */
static void with_others(void) {
    static struct batch it;
    long wrong = 0;
    int given = rank, got = -1, sum = -1;
    MPI_Request messages[2], started;
    MPI_Send_init(&given, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &messages[0]);
    MPI_Recv_init(&got, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &messages[1]);
    make_batch(&it, 2, MPI_COMM_WORLD);
    for (int round = 0; round < 5; ++round) {
        MPI_Request mixed[3] = {messages[0], it.requests[2], messages[1]};
        fill_batch(&it, round);
        got = -1;
        MPI_Startall(3, mixed);
        for (int i = 0; i < number; ++i)
            if (i != 2) MPI_Start(&it.requests[i]);
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &started);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&started, MPI_STATUS_IGNORE);
        MPI_Waitall(number, it.requests, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, messages, MPI_STATUSES_IGNORE);
        wrong += check_batch(&it) + (sum != size * (size - 1) / 2) + (got != (rank + size - 1) % size);
    }
    free_batch(&it, &wrong);
    MPI_Request_free(&messages[0]);
    MPI_Request_free(&messages[1]);
    say("with others", wrong);
}

/* What they are made of may be freed. */
static void freed_types(void) {
    const int frees_first = is_served && size > 1;
    MPI_Datatype spaced;
    MPI_Request requests[4];
    int all[4 * most_ranks], from[4 * most_ranks], to[4 * most_ranks], data[40], gathered[4 * most_ranks];
    long wrong = 0;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    PERSISTENT(Allgather)(from, 2, MPI_INT, all, 2, spaced, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    if (is_served)
        PERSISTENT(Scan)(from, to, 4 * size, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    else
        PERSISTENT(Alltoall)(from, 2, spaced, to, 2, spaced, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    PERSISTENT(Bcast)(data, 20, spaced, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
    PERSISTENT(Gather)(from, 2, spaced, gathered, 2, spaced, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[3]);
    if (frees_first) MPI_Type_free(&spaced);
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 40; ++i)
            data[i] = rank == 0 ? i + round : -1;
        for (int i = 0; i < 4 * size; ++i) {
            from[i] = 100 * rank + i + round;
            all[i] = to[i] = gathered[i] = -1;
        }
        for (int i = 0; i < 4; ++i)
            MPI_Start(&requests[(i + rank) % 4]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 40; ++i)
            wrong += data[i] != (rank == 0 || i % 2 == 0 ? i + round : -1);
        for (int i = 0; i < 4 * size; ++i) {
            const int theirs = 100 * (i / 4) + round, place = i % 4;
            wrong += all[i] != (place % 2 == 0 ? theirs + place / 2 : -1);
            wrong += !is_served && to[i] != (place % 2 == 0 ? theirs + 4 * rank + place : -1);
            wrong += gathered[i] != (rank == 0 && place % 2 == 0 ? theirs + place : -1);
        }
    }
    for (int i = 0; i < 4; ++i)
        MPI_Request_free(&requests[i]);
    if (!frees_first) MPI_Type_free(&spaced);
    say("freed types", wrong);
}

static void sum_pairs(void* left, void* right, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i)
        ((int*)right)[i] += ((int*)left)[i];
}

static void corners(void) {
    long wrong = 0;
    int sum = -1, alone = -1, reduced = rank;
    MPI_Op op;
    MPI_Comm half, between, turned;
    MPI_Request requests[4];
    MPI_Op_create(sum_pairs, 1, &op);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    PERSISTENT(Allreduce)(&rank, &sum, 1, MPI_INT, op, turned, MPI_INFO_NULL, &requests[0]);
    PERSISTENT(Allreduce)(&rank, &alone, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]);
    PERSISTENT(Bcast)(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
    PERSISTENT(Reduce)
    (rank == 0 ? MPI_IN_PLACE : &reduced, rank == 0 ? &reduced : NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD,
     MPI_INFO_NULL, &requests[3]);
    for (int round = 0; round < 2; ++round) {
        sum = alone = -1;
        reduced = rank + round;
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        wrong += sum != size * (size - 1) / 2 || alone != rank;
        wrong += reduced != (rank == 0 ? size * (size - 1) / 2 + size * round : rank + round);
    }
    for (int i = 0; i < 4; ++i)
        MPI_Request_free(&requests[i]);
    MPI_Op_free(&op);
    MPI_Comm_free(&turned);
    if (size > 1) {
        int all[most_ranks] = {-1};
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between);
        PERSISTENT(Allgather)(&rank, 1, MPI_INT, all, 1, MPI_INT, between, MPI_INFO_NULL, requests);
        MPI_Start(requests);
        MPI_Wait(requests, MPI_STATUS_IGNORE);
        wrong += all[0] != 1 - rank % 2;
        MPI_Request_free(requests);
        MPI_Comm_free(&between);
        MPI_Comm_free(&half);
    }
    say("corners", wrong);
}

static void errors(void) {
    int class = MPI_SUCCESS, value = 0;
    MPI_Request request;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(PERSISTENT(Bcast)(&value, 1, MPI_INT, size, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
                    &class);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    say("a root that there is not", class != MPI_ERR_ROOT);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Comm part;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    is_served = argc > 1 && strcmp(argv[1], "served") == 0;
    many_times(MPI_COMM_WORLD, "many times");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    many_times(part, "many times on a part");
    MPI_Comm_free(&part);
    if (are_right(size)) {
        with_others();
        freed_types();
        corners();
        errors();
    }
    MPI_Finalize();
    return all_wrong != 0;
}
