/* SPDX-License-Identifier: BSL-1.0 */
/* errors [SEED [CALLS]]: makes random collectives, half of them wrong in one way, and prints the error class
 * that each rank gets, how often its error handler was called, and a checksum of what a right call brought.
 * Run with the preload library and without, it has to print the same. A call that takes more than
 * ERRORS_SECONDS ends it.
 *
 * All ranks are wrong, or one alone: that calls by itself, before the others do, and all call rightly after
 * it. MPI (4.0.2, 4.1.4) checks arguments before it sends anything, so it comes back with an error. */
#define _GNU_SOURCE /* alarm */
#include <mpi.h>

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_ranks = 16, most_count = 40, room = most_ranks * most_count * 32 };

static uint64_t state;
static int up_to(int most) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % ((unsigned)most + 1));
}

enum verb {
    barrier,
    bcast,
    reduce,
    allreduce,
    scan,
    exscan,
    reduce_scatter_block,
    reduce_scatter,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    ibarrier,
    ibcast,
    ireduce,
    iallreduce,
    iallgather,
    ialltoall,
    igather,
    iscatter,
    iallgatherv,
    ialltoallv,
    iscan,
    iexscan,
    ireduce_scatter_block,
    ireduce_scatter,
    cart_create,
    cart_map,
    graph,
    adjacent,
    verbs
};
static const char* const verb_names[verbs] = {"barrier",
                                              "bcast",
                                              "reduce",
                                              "allreduce",
                                              "scan",
                                              "exscan",
                                              "reduce_scatter_block",
                                              "reduce_scatter",
                                              "gather",
                                              "gatherv",
                                              "scatter",
                                              "scatterv",
                                              "allgather",
                                              "allgatherv",
                                              "alltoall",
                                              "alltoallv",
                                              "ibarrier",
                                              "ibcast",
                                              "ireduce",
                                              "iallreduce",
                                              "iallgather",
                                              "ialltoall",
                                              "igather",
                                              "iscatter",
                                              "iallgatherv",
                                              "ialltoallv",
                                              "iscan",
                                              "iexscan",
                                              "ireduce_scatter_block",
                                              "ireduce_scatter",
                                              "cart_create",
                                              "cart_map",
                                              "graph",
                                              "adjacent"};

enum wrong {
    nothing,
    root_below,
    root_beyond,
    negative_count,
    null_type,
    uncommitted_type,
    null_op,
    unfit_op,
    null_buffer,
    in_place_wrongly,
    same_buffer,
    null_comm,
    bad_grid,
    wrongs
};
static const char* const wrong_names[wrongs] = {
    "right",       "root -1",          "root beyond",    "negative count",
    "null type",   "uncommitted type", "null operation", "operation of another type",
    "null buffer", "in place wrongly", "same buffer",    "null communicator",
    "bad grid"};

static int is_started(enum verb v) { return v >= ibarrier && v <= ireduce_scatter; }

/* What a non-blocking form is the form of. */
static enum verb blocking_of(enum verb v) {
    static const enum verb forms[] = {barrier,
                                      bcast,
                                      reduce,
                                      allreduce,
                                      allgather,
                                      alltoall,
                                      gather,
                                      scatter,
                                      allgatherv,
                                      alltoallv,
                                      scan,
                                      exscan,
                                      reduce_scatter_block,
                                      reduce_scatter};
    return is_started(v) ? forms[v - ibarrier] : v;
}

static int is_rooted(enum verb v) {
    v = blocking_of(v);
    return v == bcast || v == reduce || (v >= gather && v <= scatterv);
}
static int combines(enum verb v) { return blocking_of(v) >= reduce && blocking_of(v) <= reduce_scatter; }
static int is_blockwise(enum verb v) { return blocking_of(v) >= gather && blocking_of(v) <= alltoallv; }
static int has_data(enum verb v) { return blocking_of(v) != barrier && v < cart_create; }

/* Whether a verb can be wrong in that way. */
static int applies(enum wrong w, enum verb given) {
    const enum verb v = blocking_of(given);
#ifdef OPEN_MPI
    if (w == null_comm && v == allgather) return 0; /* it crashes (4.1.4) */
    if (w == negative_count && (v == scatter || v == allgatherv)) return 0;
#else
    /* It does not look (4.0.2), and aborts or writes where it must not. */
    if (w == negative_count && combines(v) && v != reduce_scatter) return 0;
    if (w == bad_grid && (v == graph || v == adjacent)) return 0;
#endif
    switch (w) {
    case nothing:
    case null_comm:
        return 1;
    case root_below:
    case root_beyond:
        return is_rooted(v);
    case negative_count:
    case null_type:
    case uncommitted_type:
    case in_place_wrongly:
        return has_data(v);
    case null_op:
    case unfit_op:
        return combines(v);
    case null_buffer:
#ifdef OPEN_MPI
        return 0; /* it looks at buffers when it is too late */
#else
        return has_data(v);
#endif
    case same_buffer:
        return combines(v) && v != exscan;
    case bad_grid:
        return v >= cart_create;
    default:
        return 0;
    }
}

struct call {
    enum verb verb;
    const void* from; /* what a rank gives */
    void* to;         /* what it gets; the only buffer of a broadcast */
    int count, each;  /* of from, of to */
    MPI_Datatype type, other;
    MPI_Op op;
    int root, is_root, size;
    const int *counts, *places;
    int dims[2], reorder;
    MPI_Comm comm;
};

/* Its error code; what it started is complete, and what it made is gone. */
static int perform(const struct call* c) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    const int periods[2] = {0, 1}, one = 1, next = c->dims[0];
    int code = MPI_SUCCESS, number;
    switch (c->verb) {
    case barrier:
        return MPI_Barrier(c->comm);
    case bcast:
        return MPI_Bcast(c->to, c->each, c->other, c->root, c->comm);
    case reduce:
        return MPI_Reduce(c->from, c->to, c->count, c->type, c->op, c->root, c->comm);
    case allreduce:
        return MPI_Allreduce(c->from, c->to, c->count, c->type, c->op, c->comm);
    case scan:
        return MPI_Scan(c->from, c->to, c->count, c->type, c->op, c->comm);
    case exscan:
        return MPI_Exscan(c->from, c->to, c->count, c->type, c->op, c->comm);
    case reduce_scatter_block:
        return MPI_Reduce_scatter_block(c->from, c->to, c->count, c->type, c->op, c->comm);
    case reduce_scatter:
        return MPI_Reduce_scatter(c->from, c->to, c->counts, c->type, c->op, c->comm);
    case gather:
        return MPI_Gather(c->from, c->count, c->type, c->to, c->each, c->other, c->root, c->comm);
    case gatherv:
        return MPI_Gatherv(c->from, c->count, c->type, c->to, c->counts, c->places, c->other, c->root,
                           c->comm);
    case scatter:
        return MPI_Scatter(c->from, c->count, c->type, c->to, c->each, c->other, c->root, c->comm);
    case scatterv:
        return MPI_Scatterv(c->from, c->counts, c->places, c->type, c->to, c->each, c->other, c->root,
                            c->comm);
    case allgather:
        return MPI_Allgather(c->from, c->count, c->type, c->to, c->each, c->other, c->comm);
    case allgatherv:
        return MPI_Allgatherv(c->from, c->count, c->type, c->to, c->counts, c->places, c->other, c->comm);
    case alltoall:
        return MPI_Alltoall(c->from, c->count, c->type, c->to, c->each, c->other, c->comm);
    case alltoallv:
        return MPI_Alltoallv(c->from, c->counts, c->places, c->type, c->to, c->counts, c->places, c->other,
                             c->comm);
    case ibarrier:
        code = MPI_Ibarrier(c->comm, &request);
        break;
    case ibcast:
        code = MPI_Ibcast(c->to, c->each, c->other, c->root, c->comm, &request);
        break;
    case ireduce:
        code = MPI_Ireduce(c->from, c->to, c->count, c->type, c->op, c->root, c->comm, &request);
        break;
    case iallreduce:
        code = MPI_Iallreduce(c->from, c->to, c->count, c->type, c->op, c->comm, &request);
        break;
    case iallgather:
        code = MPI_Iallgather(c->from, c->count, c->type, c->to, c->each, c->other, c->comm, &request);
        break;
    case ialltoall:
        code = MPI_Ialltoall(c->from, c->count, c->type, c->to, c->each, c->other, c->comm, &request);
        break;
    case igather:
        code = MPI_Igather(c->from, c->count, c->type, c->to, c->each, c->other, c->root, c->comm, &request);
        break;
    case iscatter:
        code = MPI_Iscatter(c->from, c->count, c->type, c->to, c->each, c->other, c->root, c->comm, &request);
        break;
    case iallgatherv:
        code = MPI_Iallgatherv(c->from, c->count, c->type, c->to, c->counts, c->places, c->other, c->comm,
                               &request);
        break;
    case ialltoallv:
        code = MPI_Ialltoallv(c->from, c->counts, c->places, c->type, c->to, c->counts, c->places, c->other,
                              c->comm, &request);
        break;
    case iscan:
        code = MPI_Iscan(c->from, c->to, c->count, c->type, c->op, c->comm, &request);
        break;
    case iexscan:
        code = MPI_Iexscan(c->from, c->to, c->count, c->type, c->op, c->comm, &request);
        break;
    case ireduce_scatter_block:
        code = MPI_Ireduce_scatter_block(c->from, c->to, c->count, c->type, c->op, c->comm, &request);
        break;
    case ireduce_scatter:
        code = MPI_Ireduce_scatter(c->from, c->to, c->counts, c->type, c->op, c->comm, &request);
        break;
    case cart_create:
        code = MPI_Cart_create(c->comm, 2, c->dims, periods, 1, &made);
        break;
    case cart_map:
        return MPI_Cart_map(c->comm, 2, c->dims, periods, &number);
    case graph:
        code = MPI_Dist_graph_create(c->comm, 1, &next, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                     c->reorder, &made);
        break;
    case adjacent:
        code = MPI_Dist_graph_create_adjacent(c->comm, 1, &next, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                              MPI_INFO_NULL, c->reorder, &made);
        break;
    case verbs:
        break;
    }
    if (code != MPI_SUCCESS) return code;
    if (is_started(c->verb)) return MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    return code;
}

static char *given, *got;
static MPI_Datatype types[4], uncommitted;
static MPI_Op own_op;

static void add(void* left, void* right, int* count, MPI_Datatype* type) {
    int bytes;
    PMPI_Type_size(*type, &bytes);
    for (int i = 0; i < *count * bytes / 4; ++i)
        ((unsigned*)right)[i] += ((unsigned*)left)[i];
}

static int counts[most_ranks], places[most_ranks], no_counts[most_ranks], no_places[most_ranks];

/* A right call, the same on all ranks. */
static struct call draw(MPI_Comm comm, enum verb v) {
    struct call c;
    int rank;
    memset(&c, 0, sizeof c);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &c.size);
    c.verb = v;
    c.comm = comm;
    c.count = c.each = 1 + up_to(most_count - 1);
    const int kind = up_to(3);
    c.type = c.other = types[kind];
    c.op = kind == 3 ? own_op : MPI_SUM;
    c.root = up_to(c.size - 1);
    c.is_root = rank == c.root;
    c.from = given;
    c.to = got;
    for (int i = 0; i < c.size; ++i) {
        counts[i] = c.count;
        places[i] = i * c.count;
        no_counts[i] = -1;
    }
    c.counts = counts;
    c.places = places;
    c.dims[0] = c.size;
    c.dims[1] = 1;
    if (v == graph || v == adjacent) c.dims[0] = rank;
    for (int i = 0; i < room; ++i)
        given[i] = got[i] = 0;
    for (int i = 0; i < room / 4; ++i) /* small numbers, in ints as in floats */
        ((int*)given)[i] = kind == 1 ? 0 : (rank + i) % 100;
    if (kind == 1)
        for (int i = 0; i < room / 8; ++i)
            ((double*)given)[i] = (rank + i) % 100;
    if (v == bcast || v == ibcast) memcpy(got, given, room);
    return c;
}

static void spoil(struct call* c, enum wrong w, int which) {
    static const struct {
        MPI_Op op;
        MPI_Datatype type;
    } unfit[] = {{MPI_BAND, MPI_FLOAT},       {MPI_SUM, MPI_FLOAT_INT}, {MPI_MAXLOC, MPI_INT},
                 {MPI_MAX, MPI_BYTE},         {MPI_LAND, MPI_2INT},     {MPI_BXOR, MPI_DOUBLE},
                 {MPI_SUM, MPI_DATATYPE_NULL}};
    const enum verb v = blocking_of(c->verb);
    const int is_receiving = which % 2 && is_blockwise(v);
    switch (w) {
    case root_below:
        c->root = -1 - which;
        break;
    case root_beyond:
        c->root = c->size + which;
        break;
    case negative_count:
        c->counts = no_counts;
        if (v == scatterv && which % 2)
            c->each = -1, c->counts = counts;
        else if (v == gatherv && which % 2)
            c->count = -1, c->counts = counts;
        else if (is_receiving)
            c->each = -1;
        else
            c->count = -1;
        if (v == bcast) c->each = -1;
        break;
    case null_type:
    case uncommitted_type: {
        const MPI_Datatype bad = w == null_type ? MPI_DATATYPE_NULL : uncommitted;
        if (is_receiving || v == bcast)
            c->other = bad;
        else
            c->type = bad;
        break;
    }
    case null_op:
        c->op = MPI_OP_NULL;
        break;
    case unfit_op:
        c->op = unfit[which].op;
        c->type = which == 6 ? types[3] : unfit[which].type;
        break;
    case null_buffer:
        if (is_receiving || v == bcast)
            c->to = NULL;
        else
            c->from = NULL;
        break;
    case in_place_wrongly:
        if (v == bcast || (combines(v) && !is_rooted(v)))
            c->to = MPI_IN_PLACE;
        else if (v == scatter || v == scatterv) {
            if (c->is_root)
                c->from = MPI_IN_PLACE;
            else
                c->to = MPI_IN_PLACE;
        } else if (is_rooted(v) && !c->is_root)
            c->from = MPI_IN_PLACE;
        else
            c->to = MPI_IN_PLACE;
        break;
    case same_buffer:
        c->to = (void*)c->from;
        break;
    case null_comm:
        c->comm = MPI_COMM_NULL;
        break;
    case bad_grid:
        c->dims[0] = 10 * most_ranks;
        c->reorder = 1; /* right graphs are not: Open MPI (4.1.4) ends the program in some */
        break;
    case nothing:
    case wrongs:
        break;
    }
}

/* Whether only the root can see that. */
static int is_the_roots(const struct call* c, enum wrong w, int which) {
    const int is_receiving = which % 2;
    const enum verb v = blocking_of(c->verb);
    if (w == same_buffer) return v == reduce;
    if (w != negative_count && w != null_type && w != uncommitted_type && w != null_buffer) return 0;
    if (v == gather || v == gatherv) return is_receiving;
    return (v == scatter || v == scatterv) && !is_receiving;
}

/* Whether the MPI refuses such a call before it sends anything: what it does for a root that is alone. Open
 * MPI (4.1.4) meets an uncommitted type in a scatter only at the root's own block, when the others' are sent:
 * that it reports as a truncated message, and the others' next call would receive them. */
static int is_refused(struct call c, enum wrong w, int which, MPI_Comm alone) {
    if (w == null_comm) return 1;
    if (w == in_place_wrongly && is_rooted(c.verb) && c.verb != bcast && c.verb != ibcast) return 0;
    c.comm = alone;
    c.root = 0;
    c.size = c.is_root = 1;
    c.places = no_places;
    if (c.verb == graph || c.verb == adjacent) c.dims[0] = 0;
    spoil(&c, w, which);
    int class = MPI_SUCCESS;
    MPI_Error_class(perform(&c), &class);
    return class != MPI_SUCCESS && class != MPI_ERR_TRUNCATE;
}

static int handled;
static void handler(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
    ++handled;
}

static const char* now = "";
static void late(int signal) {
    (void)signal;
    (void)!write(2, "it waits for ever: ", 19);
    (void)!write(2, now, strlen(now));
    (void)!write(2, "\n", 1);
    _exit(3);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int me, ranks;
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > most_ranks) PMPI_Abort(MPI_COMM_WORLD, 1);
    const unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    state = seed * 2654435761u + 1;
    const int calls = argc > 2 ? atoi(argv[2]) : 400;
    if (me == 0) printf("seed %lu, %d calls\n", seed, calls);
    const unsigned seconds = getenv("ERRORS_SECONDS") ? (unsigned)atoi(getenv("ERRORS_SECONDS")) : 30;
    signal(SIGALRM, late);
    given = malloc(room);
    got = malloc(room);
    types[0] = MPI_INT;
    types[1] = MPI_DOUBLE;
    types[2] = MPI_UNSIGNED;
    PMPI_Type_contiguous(2, MPI_INT, &types[3]);
    PMPI_Type_commit(&types[3]);
    PMPI_Type_contiguous(2, MPI_INT, &uncommitted);
    PMPI_Op_create(add, 1, &own_op);
    MPI_Comm comms[3] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL}, results, alone;
    MPI_Errhandler counting;
    MPI_Comm_create_errhandler(handler, &counting);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &comms[2]);
    PMPI_Comm_dup(MPI_COMM_WORLD, &results); /* for what is about the test */
    PMPI_Comm_dup(MPI_COMM_SELF, &alone);
    PMPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, counting);
    MPI_Comm_set_errhandler(comms[1], counting);
    MPI_Comm_set_errhandler(comms[2], MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, counting);
    for (int i = 0; i < calls; ++i) {
        const int which_comm = up_to(2), which = up_to(6);
        enum verb v = (enum verb)up_to(verbs - 1);
        enum wrong w = nothing;
        const int is_wrong = up_to(1);
        for (int tries = 0; tries < 20; ++tries) {
            const enum wrong drawn = (enum wrong)(1 + up_to(wrongs - 2));
            if (is_wrong && w == nothing && applies(drawn, v)) w = drawn;
        }
        int is_alone = up_to(1), rank;
        const unsigned draws = (unsigned)up_to(1 << 20);
        const uint64_t before = state;
        const MPI_Comm comm = comms[which_comm];
        PMPI_Comm_rank(comm, &rank);
        struct call right = draw(comm, v), bad;
        if (w != nothing && !is_refused(right, w, which, alone)) w = nothing;
        if (w == nothing && (v == graph || v == adjacent))
            v = barrier; /* Open MPI (4.1.4) may wait in them for ever */
        state = before;
        bad = right = draw(comm, v);
        spoil(&bad, w, which);
        const int lonely = is_the_roots(&right, w, which) ? right.root : (int)(draws % (unsigned)right.size);
        is_alone = is_alone || is_the_roots(&right, w, which);
        char line[128];
        snprintf(line, sizeof line, "%d: %s, %s, %s, communicator %d", i, verb_names[v], wrong_names[w],
                 is_alone ? "one" : "all", which_comm);
        now = line;
        alarm(seconds);
        int mine[3] = {0, 0, 0}, class = MPI_SUCCESS, all[3 * most_ranks];
        handled = 0;
        if (w == nothing || !is_alone || rank == lonely) MPI_Error_class(perform(&bad), &mine[0]);
        mine[1] = handled;
        PMPI_Barrier(results);
        if (w != nothing && v != graph && v != adjacent) MPI_Error_class(perform(&right), &class);
        unsigned sum = 2166136261u;
        if (has_data(v) && blocking_of(v) != exscan && (w != nothing || mine[0] == MPI_SUCCESS))
            for (int b = 0; b < room; ++b)
                sum = (sum ^ (unsigned char)got[b]) * 16777619u;
        mine[2] = (int)(sum % 100000) + 100000 * class;
        PMPI_Gather(mine, 3, MPI_INT, all, 3, MPI_INT, 0, results);
        state = before + 12345;
        if (me != 0) continue;
        printf("%s:", line);
        for (int r = 0; r < ranks; ++r)
            printf(" %d/%d/%d", all[3 * r], all[3 * r + 1], all[3 * r + 2]);
        printf("\n");
        fflush(stdout);
    }
    alarm(0);
    if (me == 0) printf("all calls came back\n");
    MPI_Errhandler_free(&counting);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&comms[1]);
    MPI_Comm_free(&comms[2]);
    PMPI_Comm_free(&results);
    PMPI_Comm_free(&alone);
    PMPI_Type_free(&types[3]);
    PMPI_Type_free(&uncommitted);
    PMPI_Op_free(&own_op);
    MPI_Finalize();
    return 0;
}
