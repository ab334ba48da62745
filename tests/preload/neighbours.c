/* SPDX-License-Identifier: BSL-1.0 */
/* neighbours [SEED [CALLS [served]]]: calls the collectives of neighbours in their three forms with random
 * arguments, on grids, graphs and distributed graphs, and compares what comes out, gaps between elements
 * included, with messages of its own that go as MPI demands, and with what the profiling names
 * give. All ranks draw the same numbers. Then several exchanges are under way at a time.
 * Prints what comes of wrong calls; the same with the library and without.
 *
 * With `served` the persistent forms are the library's. MPICH's own (4.0.2) fail if several are under way or
 * one is started again. */
#include <mpi.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define PERSISTENT(P, name) P##MPIX_##name##_init
#else
#define PERSISTENT(P, name) P##MPI_##name##_init
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 16, most_links = 64, room = 1 << 21, number_of_types = 4 };

static uint64_t state;
static unsigned up_to(unsigned most) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % (most + 1);
}

static int rank, size, is_served;

static void fail(const char* what) {
    printf("rank %d: %s\n", rank, what);
    fflush(stdout);
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

/* One end of each link of the calling rank. Links with the same pair of ranks have different tags. */
struct ends {
    int number, ranks[most_links], tags[most_links];
};

struct topology {
    const char* name;
    MPI_Comm comm, plain; /* the latter for messages of the test */
    struct ends in, out;
    int repeats;    /* whether two ranks have several links in one direction, anywhere */
    int is_one_way; /* whether any rank only sends or only receives */
};

enum { most_topologies = 12 };
static struct topology all[most_topologies];
static int number_of_topologies;

/* The first link of a pair in the sender's list is the first in the receiver's. */
static void set_tags(struct ends* to) {
    for (int i = 0; i < to->number; ++i) {
        to->tags[i] = 0;
        for (int j = 0; j < i; ++j)
            to->tags[i] += to->ranks[j] == to->ranks[i];
    }
}

static int repeats_any(const struct ends* to) {
    for (int i = 0; i < to->number; ++i)
        for (int j = 0; j < i; ++j)
            if (to->ranks[i] != MPI_PROC_NULL && to->ranks[i] == to->ranks[j]) return 1;
    return 0;
}

/* Asks the MPI for the neighbours. */
static struct topology* add(const char* name, MPI_Comm comm) {
    struct topology* const it = &all[number_of_topologies++];
    int kind, dimensions, weighted, weights[2][most_links];
    it->name = name;
    it->comm = comm;
    PMPI_Comm_split(comm, 0, 0, &it->plain);
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &dimensions);
        it->in.number = it->out.number = 2 * dimensions;
        for (int i = 0; i < dimensions; ++i) {
            PMPI_Cart_shift(comm, i, 1, &it->in.ranks[2 * i], &it->in.ranks[2 * i + 1]);
            for (int side = 0; side < 2; ++side) { /* what goes down arrives from above */
                it->out.ranks[2 * i + side] = it->in.ranks[2 * i + side];
                it->in.tags[2 * i + side] = 2 * i + side;
                it->out.tags[2 * i + side] = 2 * i + 1 - side;
            }
        }
    } else if (kind == MPI_GRAPH) {
        int mine;
        PMPI_Comm_rank(comm, &mine);
        PMPI_Graph_neighbors_count(comm, mine, &it->in.number);
        PMPI_Graph_neighbors(comm, mine, it->in.number, it->in.ranks);
        set_tags(&it->in);
        it->out = it->in;
    } else {
        PMPI_Dist_graph_neighbors_count(comm, &it->in.number, &it->out.number, &weighted);
        PMPI_Dist_graph_neighbors(comm, it->in.number, it->in.ranks, weights[0], it->out.number,
                                  it->out.ranks, weights[1]);
        set_tags(&it->in);
        set_tags(&it->out);
    }
    int repeats = repeats_any(&it->in) || repeats_any(&it->out);
    PMPI_Allreduce(&repeats, &it->repeats, 1, MPI_INT, MPI_MAX, comm);
    int is_one_way = (it->in.number == 0) != (it->out.number == 0);
    PMPI_Allreduce(&is_one_way, &it->is_one_way, 1, MPI_INT, MPI_MAX, comm);
    return it;
}

/* MPICH's own Neighbor_alltoallw (4.0.2) moves nothing on a rank that only sends or only receives, and does
 * not end where blocks of several links between two ranks have different lengths. */
static int has_alltoallw(const struct topology* on) {
#ifdef MPICH_VERSION
    return !on->is_one_way && !on->repeats;
#else
    (void)on;
    return 1;
#endif
}

static void make_topologies(void) {
    MPI_Comm made, reversed;
    int dims[3] = {0, 0, 0}, periods[3] = {1, 0, 1};
    PMPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods[0], 0, &made);
    add("ring", made);
    PMPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods[1], 0, &made);
    add("line", made);
    PMPI_Dims_create(size, 2, dims);
    PMPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &made);
    add("cylinder", made);
    dims[0] = dims[1] = 0;
    PMPI_Dims_create(size, 3, dims);
    periods[1] = 1;
    PMPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    PMPI_Cart_create(reversed, 3, dims, periods, 0, &made);
    add("torus", made);
    PMPI_Comm_free(&reversed);

    /* A ring with a link to the opposite rank. */
    int index[most_ranks], edges[3 * most_ranks], next = 0;
    for (int i = 0; i < size; ++i) {
        const int others[3] = {(i + 1) % size, (i + size - 1) % size, (i + size / 2) % size};
        for (int j = 0; j < (size % 2 == 0 ? 3 : 2); ++j)
            edges[next++] = others[j];
        index[i] = next;
    }
    PMPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &made);
    add("graph", made);

    /* Any links, to the own rank and several to one too. */
    int in[most_links], out[most_links], ins = 0, outs = 0, from[most_links], to[most_links],
                                         degrees[most_links];
    for (int i = 0; i < 3 * size; ++i) {
        from[i] = (int)up_to((unsigned)size - 1);
        to[i] = (int)up_to((unsigned)size - 1);
        degrees[i] = 1;
        if (from[i] == rank) out[outs++] = to[i];
        if (to[i] == rank) in[ins++] = from[i];
    }
    PMPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ins, in, MPI_UNWEIGHTED, outs, out, MPI_UNWEIGHTED,
                                    MPI_INFO_NULL, 0, &made);
    struct topology* const random_links = add("random links", made);
    PMPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 3 * size : 0, from, degrees, to, degrees,
                           MPI_INFO_NULL, 0, &made);
    add("the same by one rank", made);
    PMPI_Comm_dup(random_links->comm, &made);
    PMPI_Comm_free(&random_links->comm);
    random_links->comm = made;

    /* No rank occurs twice; the last has no links, and the first is nobody's source. */
    ins = outs = 0;
    for (int i = 0; i < size - 1; ++i) {
        if (rank == 0 && i != 0) in[ins++] = i;
        if (rank != 0 && rank != size - 1 && i != rank && i % 2 == 1) in[ins++] = i;
        if (rank != 0 && rank != size - 1 && i != rank && (i == 0 || rank % 2 == 1)) out[outs++] = i;
    }
    PMPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ins, in, MPI_UNWEIGHTED, outs, out, MPI_UNWEIGHTED,
                                    MPI_INFO_NULL, 0, &made);
    add("star", made);
}

static void free_topologies(void) {
    for (int i = 0; i < number_of_topologies; ++i) {
        MPI_Comm_free(&all[i].comm);
        PMPI_Comm_free(&all[i].plain);
    }
}

static MPI_Datatype types[number_of_types];
static const int ints_of[number_of_types] = {1, 2, 2, 3};

static void make_types(void) {
    const int lengths[2] = {1, 2}, places[2] = {1, 3};
    MPI_Datatype plain;
    types[0] = MPI_INT;
    PMPI_Type_vector(2, 1, 1, MPI_INT, &plain); /* two ints, a gap of one behind them */
    PMPI_Type_create_resized(plain, 0, 12, &types[1]);
    PMPI_Type_free(&plain);
    PMPI_Type_contiguous(2, MPI_INT, &plain); /* gaps at both sides: the lower bound is not 0 */
    PMPI_Type_create_resized(plain, -4, 16, &types[2]);
    PMPI_Type_free(&plain);
    PMPI_Type_indexed(2, lengths, places, MPI_INT, &types[3]); /* data begins behind the address */
    for (int i = 1; i < number_of_types; ++i)
        PMPI_Type_commit(&types[i]);
}

static char *given, *got, *expected;
static const size_t middle = room / 2;

static void prepare(int call) {
    for (size_t i = 0; i < room / sizeof(int); ++i) {
        ((int*)given)[i] = call + rank * 100003 + (int)i * 7;
        ((int*)got)[i] = -(int)i;
    }
    memcpy(expected, got, room);
}

enum verb { allgather, allgatherv, alltoall, alltoallv, alltoallw };
static const char* const verb_names[5] = {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"};
enum form { blocking, started, persistent };
static const char* const form_names[3] = {"blocking", "non-blocking", "persistent"};

struct side {
    int count, counts[most_links], places[most_links];
    MPI_Datatype type;
    /* Of alltoallw. */
    MPI_Aint bytes[most_links];
    MPI_Datatype types[most_links];
};

/* Puts blocks of these lengths behind each other, with gaps, the last in front; the first perhaps before the
 * beginning of the buffer. @param typed_extent of elements of alltoallw; blocks that are sent may overlap */
static void lay_out(struct side* it, int number, int typed_extent) {
    int next = -(int)up_to(3);
    for (int i = number - 1; i >= 0; --i) {
        it->places[i] = next;
        it->bytes[i] = typed_extent * next + 8 * (number - i);
        next += it->counts[i] + i % 3;
    }
}

#define IN_FORM(P, form, name, ...)                                                                          \
    ((form) == blocking  ? P##MPI_Neighbor_##name(__VA_ARGS__)                                               \
     : (form) == started ? P##MPI_Ineighbor_##name(__VA_ARGS__, &request)                                    \
                         : PERSISTENT(P, Neighbor_##name)(__VA_ARGS__, MPI_INFO_NULL, &request))
#define EITHER(form, ...) (is_theirs ? IN_FORM(P, form, __VA_ARGS__) : IN_FORM(, form, __VA_ARGS__))

/* @param is_theirs by the profiling name, into what is expected */
static int call(int is_theirs, enum form form, enum verb v, const struct side* out, const struct side* in,
                MPI_Comm comm) {
    const char* const from = given + middle;
    char* const to = (is_theirs ? expected : got) + middle;
    const int is_absolute = in->count % 2 == 1 && rank % 2 == 1; /* in alltoallw */
    MPI_Aint places[2][most_links];
    MPI_Request request;
    int code;
    switch (v) {
    case allgather:
        code = EITHER(form, allgather, from, out->count, out->type, to, in->count, in->type, comm);
        break;
    case allgatherv:
        code =
            EITHER(form, allgatherv, from, out->count, out->type, to, in->counts, in->places, in->type, comm);
        break;
    case alltoall:
        code = EITHER(form, alltoall, from, out->count, out->type, to, in->count, in->type, comm);
        break;
    case alltoallv:
        code = EITHER(form, alltoallv, from, out->counts, out->places, out->type, to, in->counts, in->places,
                      in->type, comm);
        break;
    default:
        for (int i = 0; i < most_links; ++i) {
            places[0][i] = out->bytes[i] + (is_absolute ? (MPI_Aint)from : 0);
            places[1][i] = in->bytes[i] + (is_absolute ? (MPI_Aint)to : 0);
        }
        code = EITHER(form, alltoallw, is_absolute ? MPI_BOTTOM : from, out->counts, places[0], out->types,
                      is_absolute ? MPI_BOTTOM : to, in->counts, places[1], in->types, comm);
    }
    if (form == blocking || code != MPI_SUCCESS) return code;
    if (form == persistent) MPI_Start(&request);
    code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (form == persistent) MPI_Request_free(&request);
    return code;
}

struct block {
    MPI_Aint place; /* in bytes */
    int count;
    MPI_Datatype type;
};

/* @param is_one whether all links have one block */
static struct block block_of(const struct side* it, int link, int has_counts, int is_typed, int is_one) {
    if (is_typed) return (struct block){it->bytes[link], it->counts[link], it->types[link]};
    MPI_Aint lower, extent;
    PMPI_Type_get_extent(it->type, &lower, &extent);
    if (has_counts) return (struct block){it->places[link] * extent, it->counts[link], it->type};
    return (struct block){is_one ? 0 : (MPI_Aint)link * it->count * extent, it->count, it->type};
}

/* A message for each link. */
static void by_messages(enum verb v, const struct topology* on, const struct side* out,
                        const struct side* in) {
    MPI_Request requests[2 * most_links];
    const int is_gather = v == allgather || v == allgatherv;
    int number = 0;
    for (int i = 0; i < on->in.number; ++i) {
        const struct block it = block_of(in, i, v == allgatherv || v == alltoallv, v == alltoallw, 0);
        PMPI_Irecv(expected + middle + it.place, it.count, it.type, on->in.ranks[i], on->in.tags[i],
                   on->plain, &requests[number++]);
    }
    for (int i = 0; i < on->out.number; ++i) {
        const struct block it = block_of(out, i, v == alltoallv, v == alltoallw, is_gather);
        PMPI_Isend(given + middle + it.place, it.count, it.type, on->out.ranks[i], on->out.tags[i], on->plain,
                   &requests[number++]);
    }
    PMPI_Waitall(number, requests, MPI_STATUSES_IGNORE);
}

/* In elements of the receiver's type; both ends of a link know it. */
static int length(unsigned most, unsigned drawn, int source, int destination, int tag) {
    const unsigned mixed = (unsigned)source * 7u + (unsigned)destination * 13u + (unsigned)tag * 5u + drawn;
    return mixed % 4 == 0 ? 0 : (int)(mixed * 2654435761u % (most + 1));
}

/* Of alltoallw; both ends of a link know it. */
static unsigned kind_of(unsigned drawn, int source, int destination, int tag) {
    return ((unsigned)source * 3u + (unsigned)destination * 5u + (unsigned)tag + drawn) % number_of_types;
}

static void call_one(int number) {
    static const unsigned longest[] = {0, 1, 7, 40, 300, 4000};
    const struct topology* const on = &all[up_to((unsigned)number_of_topologies - 1)];
    enum verb v = (enum verb)up_to(4);
    if (v == alltoallw && !has_alltoallw(on)) v = alltoallv;
    enum form form = (enum form)up_to(2);
    const unsigned most = longest[up_to(5)], kind = up_to(number_of_types - 1), drawn = up_to(1000);
    /* MPICH (4.0.2) matches several links between two ranks in an order of its own, as does Open MPI (4.1.4)
     * where the call does not block. */
    int has_order = v == allgather || v == allgatherv || !on->repeats;
#ifdef OPEN_MPI
    if (v >= alltoallv && !has_order) form = blocking; /* blocks would have another length than those sent */
    has_order |= form == blocking;
#endif
    const int is_split = up_to(2) == 0; /* the sender may have the elements one by one */
    const int factor = is_split ? ints_of[kind] : 1;
    struct side out = {.type = is_split ? MPI_INT : types[kind]}, in = {.type = types[kind]};
    int mine;
    PMPI_Comm_rank(on->comm, &mine);
    in.count = (int)up_to(most);
    out.count = in.count * factor;
    if (v == allgatherv) out.count = length(most, drawn, mine, 0, 0) * factor;
    for (int i = 0; i < on->in.number; ++i) {
        const int source = on->in.ranks[i], tag = on->in.tags[i];
        in.counts[i] =
            v == allgatherv ? length(most, drawn, source, 0, 0) : length(most, drawn, source, mine, tag);
        in.types[i] = types[kind_of(drawn, source, mine, tag)];
    }
    for (int i = 0; i < on->out.number; ++i) {
        const int destination = on->out.ranks[i], tag = on->out.tags[i];
        const unsigned its = v == alltoallw ? kind_of(drawn, mine, destination, tag) : kind;
        out.counts[i] = length(most, drawn, mine, destination, tag) * (is_split ? ints_of[its] : 1);
        out.types[i] = is_split ? MPI_INT : types[its];
    }
    lay_out(&in, on->in.number, 16);
    lay_out(&out, on->out.number, 4);
    prepare(number);
    if (call(0, form, v, &out, &in, on->comm) != MPI_SUCCESS) fail("an error code");
    int is_wrong = 0;
    if (has_order) {
        by_messages(v, on, &out, &in);
        is_wrong = memcmp(got, expected, room) != 0;
    }
    if (!is_wrong) {
        if (call(1, form, v, &out, &in, on->comm) != MPI_SUCCESS) fail("an error code of the MPI's own");
        is_wrong = memcmp(got, expected, room) != 0;
    }
    if (!is_wrong) return;
    size_t at = 0;
    while (at < room && got[at] == expected[at])
        ++at;
    printf("call %d, %s %s on %s, type %u: first difference at byte %ld\n", number, form_names[form],
           verb_names[v], on->name, kind, (long)at - (long)middle);
    fail("another result");
}

/* Several exchanges at a time, in the order of each rank where MPI allows it: where they are persistent,
 * which are started twice, after the communicator and a datatype were freed. */
static void at_once(const struct topology* on, enum form form) {
    enum { exchanges = 4 };
    static int from[exchanges][most_links], to[exchanges][most_links], right[most_links], ones[most_links];
    static MPI_Aint bytes[most_links];
    static MPI_Datatype kinds[most_links];
    MPI_Request requests[exchanges], messages[2 * most_links];
    MPI_Comm comm;
    int mine;
    const int has_order = !on->repeats; /* as above */
#ifdef MPICH_VERSION
    if (form == persistent && !is_served) return;
#endif
    MPI_Comm_dup(on->comm, &comm);
    MPI_Comm_rank(comm, &mine);
    MPI_Datatype kind;
    PMPI_Type_contiguous(1, MPI_INT, &kind);
    PMPI_Type_commit(&kind);
    for (int i = 0; i < most_links; ++i) {
        ones[i] = 1;
        bytes[i] = i * (MPI_Aint)sizeof(int);
        kinds[i] = kind;
    }
    for (int round = 0; round < 2; ++round) {
        for (int e = 0; e < exchanges; ++e) {
            for (int i = 0; i < most_links; ++i) {
                from[e][i] = 100000 * round + 10000 * e + 100 * mine + i;
                to[e][i] = -1;
            }
            MPI_Request request = MPI_REQUEST_NULL;
            if (round > 0 && form == persistent) continue;
            if (e == 1 && has_order && has_alltoallw(on))
                IN_FORM(, form, alltoallw, from[e], ones, bytes, kinds, to[e], ones, bytes, kinds, comm);
            else if (e % 2 == 1 && has_order)
                IN_FORM(, form, alltoall, from[e], 1, MPI_INT, to[e], 1, MPI_INT, comm);
            else
                IN_FORM(, form, allgather, from[e], 1, MPI_INT, to[e], 1, MPI_INT, comm);
            requests[e] = request;
        }
        if (is_served && round == 0 && form == persistent) {
            MPI_Comm_free(&comm);
            if (has_order) PMPI_Type_free(&kind); /* Open MPI's own (4.1.4) crashes then */
        }
        for (int e = 0; e < exchanges && form == persistent; ++e)
            MPI_Start(&requests[(e + mine) % exchanges]);
        MPI_Waitall(exchanges, requests, MPI_STATUSES_IGNORE);
        for (int e = 0; e < exchanges; ++e) {
            int number = 0;
            memset(right, -1, sizeof right);
            for (int i = 0; i < on->in.number; ++i)
                PMPI_Irecv(&right[i], 1, MPI_INT, on->in.ranks[i], on->in.tags[i], on->plain,
                           &messages[number++]);
            for (int i = 0; i < on->out.number; ++i)
                PMPI_Isend(&from[e][e % 2 == 1 && has_order ? i : 0], 1, MPI_INT, on->out.ranks[i],
                           on->out.tags[i], on->plain, &messages[number++]);
            PMPI_Waitall(number, messages, MPI_STATUSES_IGNORE);
            if (memcmp(right, to[e], sizeof right) == 0) continue;
            printf("%s exchange %d of several on %s\n", form_names[form], e, on->name);
            fail("another result");
        }
        if (form == started) MPI_Barrier(comm); /* after which the library may serve them */
    }
    for (int e = 0; e < exchanges && form == persistent; ++e)
        MPI_Request_free(&requests[e]);
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    if (kind != MPI_DATATYPE_NULL) PMPI_Type_free(&kind);
}

/* The classes of errors of calls that are wrong on all ranks. */
static void wrong_calls(void) {
    int class, value[2] = {0, 0}, result[2 * most_ranks], counts[2] = {1, -1}, places[2] = {0, 1},
               ones[2] = {1, 1}, none[2] = {0, 0};
    MPI_Aint bytes[2] = {0, sizeof(int)};
    MPI_Datatype ints[2] = {MPI_INT, MPI_INT}, missing[2] = {MPI_INT, MPI_DATATYPE_NULL};
    MPI_Comm ring, plain;
    MPI_Request request;
    const int periods = 1;
    PMPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &ring);
    PMPI_Comm_dup(MPI_COMM_WORLD, &plain);
    PMPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(plain, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* to which Open MPI gives some of them */
    MPI_Neighbor_allgather(value, 1, MPI_INT, result, 1, MPI_INT,
                           ring); /* what follows may be the library's */
    struct {
        const char* name;
        int code;
    } const calls[] = {
        {"no topology", MPI_Neighbor_allgather(value, 1, MPI_INT, result, 1, MPI_INT, plain)},
        {"no topology, vector",
         MPI_Neighbor_alltoallv(value, places, places, MPI_INT, result, places, places, MPI_INT, plain)},
        {"no topology, non-blocking",
         MPI_Ineighbor_allgather(value, 1, MPI_INT, result, 1, MPI_INT, plain, &request)},
        {"negative count, non-blocking",
         MPI_Ineighbor_alltoall(value, -1, MPI_INT, result, 1, MPI_INT, ring, &request)},
        {"negative count", MPI_Neighbor_alltoall(value, -1, MPI_INT, result, 1, MPI_INT, ring)},
        {"no datatype", MPI_Neighbor_alltoall(value, 1, MPI_DATATYPE_NULL, result, 1, MPI_INT, ring)},
        {"negative count to send",
         MPI_Neighbor_allgatherv(value, -1, MPI_INT, result, places, places, MPI_INT, ring)},
        {"no datatype to receive",
         MPI_Neighbor_allgatherv(value, 0, MPI_INT, result, places, places, MPI_DATATYPE_NULL, ring)},
        {"typed", MPI_Neighbor_alltoallw(value, ones, bytes, ints, result, ones, bytes, ints, ring)},
        {"typed, no datatype",
         MPI_Neighbor_alltoallw(value, ones, bytes, missing, result, ones, bytes, ints, ring)},
        {"typed, no datatype of nothing",
         MPI_Neighbor_alltoallw(value, none, bytes, missing, result, none, bytes, missing, ring)},
        {"typed, negative count",
         MPI_Neighbor_alltoallw(value, counts, bytes, ints, result, ones, bytes, ints, ring)},
        {"one negative count",
         MPI_Neighbor_alltoallv(value, counts, places, MPI_INT, result, places, places, MPI_INT, ring)},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
        PMPI_Error_class(calls[i].code, &class);
        if (rank == 0) printf("%s: class %d\n", calls[i].name, class);
    }
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&ring);
    PMPI_Comm_free(&plain);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > most_ranks) fail("too many ranks");
    state = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    const int calls = argc > 2 ? atoi(argv[2]) : 200;
    is_served = argc > 3 && strcmp(argv[3], "served") == 0;
    given = malloc(room);
    got = malloc(room);
    expected = malloc(room);
    make_types();
    make_topologies();
    for (int i = 0; i < calls; ++i)
        call_one(i);
    for (int i = 0; i < number_of_topologies; ++i) {
        at_once(&all[i], started);
        at_once(&all[i], persistent);
    }
    free_topologies();
    wrong_calls();
    for (int i = 1; i < number_of_types; ++i)
        PMPI_Type_free(&types[i]);
    free(given);
    free(got);
    free(expected);
    if (rank == 0) printf("%d calls are right\n", calls);
    MPI_Finalize();
    return 0;
}
