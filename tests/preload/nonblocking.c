/* SPDX-License-Identifier: BSL-1.0 */
/* Collectives that go on in the background: many at a time, waited for in any order and in any of MPI's
 * functions, with what they use freed meanwhile. Prints what comes out; the same with the library and
 * without. */
#define _DEFAULT_SOURCE
#include <mpi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_ranks = 64, length = 5000, number = 8 };
static int rank, size;

/* Of all ranks, how often something was wrong. */
static void say(const char* what, long wrong) {
    long sum = -1;
    MPI_Allreduce(&wrong, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%s: %ld wrong\n", what, sum);
}

/* A communicator's non-blocking collectives are the library's when it has seen one and then a blocking one.
 */
static void get_ready(MPI_Comm comm) {
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(comm);
}

static int sum_of_ranks(int ranks) { return ranks * (ranks - 1) / 2; }

/* --- Many at a time ------------------------------------------------------------------------------------- */

/* One of each kind under way, with data that depends on a number. */
static int has_alltoall = 1;
enum { in_batch = 14 };
struct batch {
    MPI_Request requests[in_batch];
    int data[length], sums[length], all[4 * most_ranks], from[most_ranks], to[most_ranks], result;
    int gathered[most_ranks], scattered, unequal[most_ranks * most_ranks], before, up_to_here;
    int block, blocks[most_ranks], counts[most_ranks], places[most_ranks], ones[most_ranks];
    int sent[most_ranks], got[most_ranks], to_root[most_ranks], exchange_places[most_ranks];
    int number, root;
};

/* Rank r has r % 3 elements of its own for all, which are r + i there. */
static void start_blocks(struct batch* it, int me, int ranks, MPI_Comm comm) {
    int next = 0;
    for (int i = 0; i < ranks; ++i) {
        it->ones[i] = 1;
        it->exchange_places[i] = i;
        it->counts[i] = i % 3;
        it->places[i] = next;
        next += it->counts[i] + 1;
        it->gathered[i] = me == 0 ? i + it->number : -1; /* what is scattered, and where others come */
        it->blocks[i] = me + i;
        it->sent[i] = 10 * me + i;
        it->got[i] = -1;
    }
    for (int i = 0; i < next; ++i)
        it->unequal[i] = -1;
    for (int i = 0; i < it->counts[me]; ++i)
        it->unequal[it->places[me] + i] = me + i;
    it->up_to_here = me + 1;
    it->before = it->block = it->scattered = -1;
    MPI_Iscatter(it->gathered, 1, MPI_INT, &it->scattered, 1, MPI_INT, 0, comm, &it->requests[6]);
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_INT, it->unequal, it->counts, it->places, MPI_INT, comm,
                    &it->requests[7]);
    MPI_Iscan(MPI_IN_PLACE, &it->up_to_here, 1, MPI_INT, MPI_SUM, comm, &it->requests[8]);
    MPI_Iexscan(&it->ones[me], &it->before, 1, MPI_INT, MPI_SUM, comm, &it->requests[9]);
    MPI_Ireduce_scatter_block(it->blocks, &it->block, 1, MPI_INT, MPI_SUM, comm, &it->requests[10]);
    MPI_Ireduce_scatter(MPI_IN_PLACE, it->sent, it->ones, MPI_INT, MPI_MAX, comm, &it->requests[11]);
    if (has_alltoall) {
        MPI_Ialltoallv(it->blocks, it->ones, it->exchange_places, MPI_INT, it->got, it->ones,
                       it->exchange_places, MPI_INT, comm, &it->requests[12]);
    } else {
        MPI_Igather(&it->ones[me], 1, MPI_INT, it->got, 1, MPI_INT, 0, comm, &it->requests[12]);
    }
    MPI_Igather(&it->number, 1, MPI_INT, it->to_root, 1, MPI_INT, 0, comm, &it->requests[13]);
}

static long check_blocks(const struct batch* it, int me, int ranks) {
    long wrong = 0;
    int next = 0;
    for (int i = 0; i < ranks; ++i) {
        for (int j = 0; j < i % 3; ++j)
            wrong += it->unequal[next++] != i + j;
        wrong += it->unequal[next++] != -1;
        wrong += it->got[i] != (has_alltoall ? i + me : me == 0 ? 1 : -1);
        wrong += me == 0 && it->to_root[i] != it->number;
    }
    wrong += it->scattered != me + it->number;
    wrong += it->up_to_here != (me + 1) * (me + 2) / 2;
    wrong += me > 0 && it->before != me;
    wrong += it->block != sum_of_ranks(ranks) + ranks * me;
    return wrong + (it->sent[0] != 10 * (ranks - 1) + me);
}

static void start_batch(struct batch* it, int which, MPI_Comm comm) {
    int me, ranks;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    it->number = which;
    it->root = which % ranks;
    for (int i = 0; i < length; ++i) {
        it->data[i] = me == it->root ? which + i : -1;
        it->sums[i] = me + i;
    }
    for (int i = 0; i < ranks; ++i)
        it->from[i] = 100 * me + i + which;
    for (int i = 0; i < 4 * ranks; ++i)
        it->all[i] = i / 4 == me ? 4 * me + i % 4 + which : -1;
    it->result = -1;
    MPI_Ibarrier(comm, &it->requests[0]);
    MPI_Ibcast(it->data, length, MPI_INT, it->root, comm, &it->requests[1]);
    MPI_Iallreduce(MPI_IN_PLACE, it->sums, length, MPI_INT, MPI_SUM, comm, &it->requests[2]);
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, it->all, 4, MPI_INT, comm, &it->requests[3]);
    if (has_alltoall)
        MPI_Ialltoall(it->from, 1, MPI_INT, it->to, 1, MPI_INT, comm, &it->requests[4]);
    else
        MPI_Iallgather(&it->number, 1, MPI_INT, it->to, 1, MPI_INT, comm, &it->requests[4]);
    MPI_Ireduce(&it->number, &it->result, 1, MPI_INT, MPI_SUM, it->root, comm, &it->requests[5]);
    start_blocks(it, me, ranks, comm);
}

static long check_batch(const struct batch* it, MPI_Comm comm) {
    long wrong = 0;
    int me, ranks;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < length; ++i)
        wrong += (it->data[i] != it->number + i) + (it->sums[i] != sum_of_ranks(ranks) + ranks * i);
    for (int i = 0; i < 4 * ranks; ++i)
        wrong += it->all[i] != i + it->number;
    for (int i = 0; i < ranks; ++i)
        wrong += it->to[i] != (has_alltoall ? 100 * i + me + it->number : it->number);
    wrong += it->result != (me == it->root ? ranks * it->number : -1);
    return wrong + check_blocks(it, me, ranks);
}

static void many_at_a_time(void) {
    static struct batch all[number];
    long wrong = 0;
    MPI_Status statuses[in_batch];
    for (int way = 0; way < 5; ++way) {
        for (int i = 0; i < number; ++i)
            start_batch(&all[i], i + way, MPI_COMM_WORLD);
        /* Ranks wait in different orders. */
        for (int k = 0; k < number; ++k) {
            struct batch* const it = &all[(rank + way) % 2 == 0 ? k : number - 1 - k];
            int left = in_batch, done = 0, which[in_batch], how_many;
            switch (way) {
            case 0:
                MPI_Waitall(in_batch, it->requests, statuses);
                break;
            case 1:
                for (int i = in_batch - 1; i >= 0; --i)
                    MPI_Wait(&it->requests[rank % 2 == 0 ? i : in_batch - 1 - i], MPI_STATUS_IGNORE);
                break;
            case 2:
                for (; left > 0; --left)
                    MPI_Waitany(in_batch, it->requests, which, statuses);
                break;
            case 3:
                for (; left > 0; left -= how_many)
                    MPI_Waitsome(in_batch, it->requests, &how_many, which, statuses);
                break;
            case 4:
                while (!done)
                    MPI_Testall(in_batch, it->requests, &done, statuses);
                break;
            }
            for (int i = 0; i < in_batch; ++i)
                wrong += it->requests[i] != MPI_REQUEST_NULL;
            wrong += check_batch(it, MPI_COMM_WORLD);
        }
    }
    say("many at a time", wrong);
    MPI_Request barriers[200];
    for (int i = 0; i < 200; ++i)
        MPI_Ibarrier(MPI_COMM_WORLD, &barriers[i]);
    MPI_Waitall(200, barriers, MPI_STATUSES_IGNORE);
    say("many barriers", 0);
}

static void statuses(void) {
    MPI_Request request;
    MPI_Status status;
    int done = 0, is_cancelled = 1, sum = 0;
    long wrong = 0;
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    while (!done)
        MPI_Request_get_status(request, &done, &status);
    wrong += sum != sum_of_ranks(size) || request == MPI_REQUEST_NULL;
    done = 0;
    MPI_Test(&request, &done, &status);
    MPI_Test_cancelled(&status, &is_cancelled);
    say("statuses", wrong + !done + is_cancelled + (request != MPI_REQUEST_NULL));
}

/* --- Who waits where ------------------------------------------------------------------------------------ */

/* Everybody but the last waits in a receive before it waits for the collective, and the last sends only when
 * it has got what the others pass on. */
static void progress(void) {
    static int data[length];
    long wrong = 0;
    for (int root = 0; root < size && root < 4; ++root) {
        MPI_Request request;
        int word = -1;
        for (int i = 0; i < length; ++i)
            data[i] = rank == root ? root + i : -1;
        MPI_Ibcast(data, length, MPI_INT, root, MPI_COMM_WORLD, &request);
        if (rank == size - 1) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            for (int to = 0; to < size - 1; ++to)
                MPI_Send(&root, 1, MPI_INT, to, 5, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&word, 1, MPI_INT, size - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            wrong += word != root;
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < length; ++i)
            wrong += data[i] != root + i;
    }
    say("waiting elsewhere", wrong);
}

static void blocking_between(void) {
    static struct batch one, other;
    long wrong = 0;
    for (int round = 0; round < 5; ++round) {
        int sum = 0, word = rank == round % size ? round : -1;
        start_batch(&one, round, MPI_COMM_WORLD);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        start_batch(&other, round + 1, MPI_COMM_WORLD);
        MPI_Bcast(&word, 1, MPI_INT, round % size, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        wrong += sum != sum_of_ranks(size) || word != round;
        MPI_Waitall(in_batch, other.requests, MPI_STATUSES_IGNORE);
        MPI_Waitall(in_batch, one.requests, MPI_STATUSES_IGNORE);
        wrong += check_batch(&one, MPI_COMM_WORLD) + check_batch(&other, MPI_COMM_WORLD);
    }
    say("blocking ones between", wrong);
}

/* --- What is freed meanwhile ---------------------------------------------------------------------------- */

static int while_freeing(MPI_Comm comm, int key, void* value, void* state) {
    (void)key, (void)state;
    MPI_Request request;
    const int one = 1;
    int sum = 0;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    *(int*)value += sum;
    return MPI_SUCCESS;
}

static void freed_communicators(void) {
    static struct batch it;
    long wrong = 0;
    int key, seen = 0;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, while_freeing, &key, NULL);
    for (int round = 0; round < 5; ++round) {
        MPI_Comm comm, kept;
        MPI_Comm_split(MPI_COMM_WORLD, 0, round % 2 == 0 ? rank : -rank, &comm);
        MPI_Comm_dup(comm, &kept);
        get_ready(comm);
        if (round == 0) MPI_Comm_set_attr(comm, key, &seen);
        if (rank == round % size) usleep(10000); /* others free while this one has not begun */
        start_batch(&it, round, comm);
        MPI_Comm_free(&comm);
        MPI_Waitall(in_batch, it.requests, MPI_STATUSES_IGNORE);
        wrong += check_batch(&it, kept) + (comm != MPI_COMM_NULL);
        MPI_Comm_free(&kept);
    }
    MPI_Comm_free_keyval(&key);
    say("freed communicators", wrong + (seen != size));
}

static void freed_types(void) {
    long wrong = 0;
    for (int round = 0; round < 4; ++round) {
        MPI_Datatype every_other, spaced;
        MPI_Request requests[7];
        int data[40], all[4 * most_ranks], from[4 * most_ranks], to[4 * most_ranks];
        int gathered[4 * most_ranks], mine[4], unequal[4 * most_ranks], got[4 * most_ranks];
        int twos[most_ranks], places[most_ranks];
        const int root = round % size;
        MPI_Type_vector(20, 1, 2, MPI_INT, &every_other);
        MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced);
        MPI_Type_commit(&every_other);
        MPI_Type_commit(&spaced);
        for (int i = 0; i < 40; ++i)
            data[i] = rank == root ? i : -1;
        for (int i = 0; i < 4 * size; ++i) {
            all[i] = -1;
            from[i] = 100 * rank + i;
            to[i] = gathered[i] = unequal[i] = got[i] = mine[i % 4] = -1;
            twos[i / 4] = 2;
            places[i / 4] = 2 * (i / 4);
        }
        MPI_Ibcast(data, 1, every_other, root, MPI_COMM_WORLD, &requests[0]);
        MPI_Iallgather(from, 2, MPI_INT, all, 2, spaced, MPI_COMM_WORLD, &requests[1]);
        MPI_Ialltoall(from, 2, spaced, to, 2, spaced, MPI_COMM_WORLD, &requests[2]);
        MPI_Igather(from, 2, spaced, gathered, 2, spaced, 0, MPI_COMM_WORLD, &requests[3]);
        MPI_Iscatter(from, 2, spaced, mine, 2, spaced, 0, MPI_COMM_WORLD, &requests[4]);
        MPI_Iallgatherv(from, 2, spaced, unequal, twos, places, spaced, MPI_COMM_WORLD, &requests[5]);
        MPI_Ialltoallv(from, twos, places, spaced, got, twos, places, spaced, MPI_COMM_WORLD, &requests[6]);
        MPI_Type_free(&every_other);
        MPI_Type_free(&spaced);
        MPI_Waitall(7, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 40; ++i)
            wrong += data[i] != (rank == root || i % 2 == 0 ? i : -1);
        for (int i = 0; i < 4 * size; ++i) {
            const int theirs = i / 4, place = i % 4;
            wrong += all[i] != (place % 2 == 0 ? 100 * theirs + place / 2 : -1);
            wrong += to[i] != (place % 2 == 0 ? 100 * theirs + 4 * rank + place : -1);
            wrong += got[i] != to[i] || unequal[i] != (place % 2 == 0 ? 100 * theirs + place : -1);
            wrong += gathered[i] != (rank == 0 ? unequal[i] : -1);
            wrong += mine[place] != (place % 2 == 0 ? 4 * rank + place : -1);
        }
    }
    say("freed types", wrong);
}

static void sum_pairs(void* left, void* right, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i)
        ((int*)right)[i] += ((int*)left)[i];
}

static void freed_operations(void) {
    long wrong = 0;
    for (int commutes = 0; commutes < 2; ++commutes) {
        MPI_Op op;
        MPI_Request request;
        int sum = -1;
        MPI_Op_create(sum_pairs, commutes, &op);
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
        MPI_Op_free(&op);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += sum != sum_of_ranks(size);
    }
    say("freed operations", wrong);
}

/* --- Nothing, in place, errors -------------------------------------------------------------------------- */

static void corners(void) {
    long wrong = 0;
    MPI_Request requests[14];
    int none[most_ranks] = {0}, gathered[most_ranks];
    MPI_Ibcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD, &requests[2]);
    MPI_Ialltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD, &requests[3]);
    MPI_Ireduce(NULL, NULL, 0, MPI_INT, MPI_SUM, size - 1, MPI_COMM_WORLD, &requests[4]);
    MPI_Igather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD, &requests[5]);
    MPI_Iscatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD, &requests[6]);
    MPI_Iallgatherv(NULL, 0, MPI_INT, NULL, none, none, MPI_INT, MPI_COMM_WORLD, &requests[7]);
    MPI_Ialltoallv(none, none, none, MPI_INT, NULL, none, none, MPI_INT, MPI_COMM_WORLD, &requests[8]);
    MPI_Iscan(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[9]);
    MPI_Iexscan(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[10]);
    MPI_Ireduce_scatter_block(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[11]);
    MPI_Ireduce_scatter(NULL, NULL, none, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[12]);
    MPI_Igather(&rank, 1, MPI_INT, rank == size - 1 ? gathered : NULL, 1, MPI_INT, size - 1, MPI_COMM_WORLD,
                &requests[13]);
    MPI_Waitall(14, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < size && rank == size - 1; ++i)
        wrong += gathered[i] != i;
    int all[most_ranks], sum = rank;
    for (int i = 0; i < size; ++i)
        all[i] = 100 * rank + i;
    MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[0]);
    MPI_Ireduce(rank == 0 ? MPI_IN_PLACE : &sum, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < size; ++i)
        wrong += all[i] != 100 * i + rank;
    wrong += sum != (rank == 0 ? sum_of_ranks(size) : rank);
    int alone = 0;
    MPI_Iallreduce(&rank, &alone, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    say("corners", wrong + (alone != rank));
}

static void errors(void) {
    int class = MPI_SUCCESS;
    MPI_Request request;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Ibcast(&class, 1, MPI_INT, size, MPI_COMM_WORLD, &request), &class);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    say("a root that there is not", class != MPI_ERR_ROOT);
}

/* --- Threads -------------------------------------------------------------------------------------------- */

struct worker {
    MPI_Comm comm;
    long wrong;
    struct batch its[2];
};

static void* work(void* argument) {
    struct worker* const me = argument;
    for (int round = 0; round < 10; ++round) {
        start_batch(&me->its[0], round, me->comm);
        start_batch(&me->its[1], round + 3, me->comm);
        for (int i = 1; i >= 0; --i) {
            MPI_Waitall(in_batch, me->its[i].requests, MPI_STATUSES_IGNORE);
            me->wrong += check_batch(&me->its[i], me->comm);
        }
        MPI_Barrier(me->comm);
    }
    return NULL;
}

static void threads(void) {
    static struct worker workers[2];
    pthread_t handles[2];
    for (int i = 0; i < 2; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
        get_ready(workers[i].comm);
        pthread_create(&handles[i], NULL, work, &workers[i]);
    }
    long wrong = 0;
    for (int i = 0; i < 2; ++i) {
        pthread_join(handles[i], NULL);
        wrong += workers[i].wrong;
        MPI_Comm_free(&workers[i].comm);
    }
    say("threads", wrong);
}

/* Open MPI (4.1) crashes if a communicator goes while its own collectives are under way: with this argument,
 * all of them are the library's. */
static int is_all_served(int argc, char** argv) { return argc > 1 && strcmp(argv[1], "served") == 0; }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    get_ready(MPI_COMM_WORLD);
    many_at_a_time();
    statuses();
    progress();
    blocking_between();
    has_alltoall = !is_all_served(argc, argv);
#ifdef OPEN_MPI
    if (is_all_served(argc, argv)) freed_communicators();
#else
    freed_communicators();
#endif
    freed_types();
    freed_operations();
    corners();
    errors();
    if (provided == MPI_THREAD_MULTIPLE) threads();
    MPI_Finalize();
    return 0;
}
