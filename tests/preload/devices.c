/* SPDX-License-Identifier: BSL-1.0 */
/* devices RUNTIME all|one: collectives on memory that the processor cannot read. The library RUNTIME stands
 * in for an accelerator's; all ranks have it, or only rank 1. The memory is protected and open only inside
 * the MPI's own collectives, which this program stands in front of. Run with the preload library. */
#define _GNU_SOURCE
#include <mpi.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { room = 1 << 20, count = 700, most_ranks = 16 };

static char* device;
static int opened, rank, size, has_device, device_calls;

static int is_device(const void* address) {
    return device != NULL && (const char*)address >= device && (const char*)address < device + room;
}
static void open_for(const void* a, const void* b) {
    if (!is_device(a) && !is_device(b)) return;
    ++device_calls;
    if (opened++ == 0) mprotect(device, room, PROT_READ | PROT_WRITE);
}
static void close_after(const void* a, const void* b) {
    if (!is_device(a) && !is_device(b)) return;
    if (--opened == 0) mprotect(device, room, PROT_NONE);
}

/* The MPI's own, with the memory open. */
#define OWN(name, from, to, parameters, arguments)                                                           \
    int PMPI_##name parameters {                                                                             \
        static int(*next) parameters;                                                                        \
        if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "PMPI_" #name);                                  \
        open_for(from, to);                                                                                  \
        const int code = next arguments;                                                                     \
        close_after(from, to);                                                                               \
        return code;                                                                                         \
    }

OWN(Bcast, a, NULL, (void* a, int n, MPI_Datatype t, int r, MPI_Comm c), (a, n, t, r, c))
OWN(Reduce, a, b, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, int r, MPI_Comm c),
    (a, b, n, t, o, r, c))
OWN(Allreduce, a, b, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
    (a, b, n, t, o, c))
OWN(Scan, a, b, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
OWN(Reduce_scatter_block, a, b, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
    (a, b, n, t, o, c))
OWN(Gather, a, b, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int r, MPI_Comm c),
    (a, n, t, b, m, u, r, c))
OWN(Scatter, a, b, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int r, MPI_Comm c),
    (a, n, t, b, m, u, r, c))
OWN(Gatherv, a, b,
    (const void* a, int n, MPI_Datatype t, void* b, const int* m, const int* d, MPI_Datatype u, int r,
     MPI_Comm c),
    (a, n, t, b, m, d, u, r, c))
OWN(Scatterv, a, b,
    (const void* a, const int* n, const int* d, MPI_Datatype t, void* b, int m, MPI_Datatype u, int r,
     MPI_Comm c),
    (a, n, d, t, b, m, u, r, c))
OWN(Allgather, a, b, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c),
    (a, n, t, b, m, u, c))
OWN(Allgatherv, a, b,
    (const void* a, int n, MPI_Datatype t, void* b, const int* m, const int* d, MPI_Datatype u, MPI_Comm c),
    (a, n, t, b, m, d, u, c))
OWN(Alltoall, a, b, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c),
    (a, n, t, b, m, u, c))
OWN(Alltoallv, a, b,
    (const void* a, const int* n, const int* d, MPI_Datatype t, void* b, const int* m, const int* e,
     MPI_Datatype u, MPI_Comm c),
    (a, n, d, t, b, m, e, u, c))
OWN(Neighbor_allgather, a, b,
    (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c), (a, n, t, b, m, u, c))
OWN(Neighbor_alltoall, a, b,
    (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c), (a, n, t, b, m, u, c))

static const char* now = "nothing";
static void touched(int signal) {
    (void)signal;
    (void)!write(2, "the processor touched memory of the device: ", 44);
    (void)!write(2, now, strlen(now));
    (void)!write(2, "\n", 1);
    _exit(4);
}

static int* host_from;
static int* host_to;
static int *from, *to; /* as the calls get them */

/* What the call gives: rank 0, 1000, ... ; results are 0. */
static void prepare(void) {
    for (int i = 0; i < room / 8; ++i)
        host_from[i] = 1000 * rank + i % 1000;
    memset(host_to, 0, room / 2);
    if (!has_device) return;
    mprotect(device, room, PROT_READ | PROT_WRITE);
    memcpy(from, host_from, room / 2);
    memset(to, 0, room / 2);
    mprotect(device, room, PROT_NONE);
}

static void require(const char* what, int at, long expected) {
    if (has_device) {
        mprotect(device, room, PROT_READ);
        memcpy(host_to, to, room / 2);
        mprotect(device, room, PROT_NONE);
    }
    if (host_to[at] == expected) return;
    printf("rank %d: %s: element %d is %d, not %ld\n", rank, what, at, host_to[at], expected);
    fflush(stdout);
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

#define CALL(name, ...)                                                                                      \
    do {                                                                                                     \
        prepare();                                                                                           \
        now = #name;                                                                                         \
        MPI_##name(__VA_ARGS__);                                                                             \
    } while (0)

int main(int argc, char** argv) {
    int counts[most_ranks], places[most_ranks];
    if (argc < 3) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    signal(SIGSEGV, touched);
    signal(SIGBUS, touched);
    host_from = malloc(room / 2);
    host_to = malloc(room / 2);
    from = host_from;
    to = host_to;
    void* const runtime =
        strcmp(argv[2], "all") == 0 || rank == 1 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    has_device = runtime != NULL && rank % 2 == 1;
    if (has_device) {
        void (*owns)(const void*, size_t);
        *(void**)&owns = dlsym(runtime, "device_runtime_owns");
        device = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        owns(device, room);
        from = (int*)device;
        to = (int*)(device + room / 2);
    }
    for (int i = 0; i < size; ++i) {
        counts[i] = i == 0 ? 0 : count;
        places[i] = i == 0 ? 0 : (i - 1) * count;
    }
    const int periods = 1, lower = (rank + size - 1) % size;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &ring);
    const long sum = 1000L * size * (size - 1) / 2, last = size - 1, before = rank > 0 ? rank - 1 : 0;
    for (int round = 0; round < 2; ++round) {
        const int root = round % size;
        CALL(Bcast, rank == root ? from : to, count, MPI_INT, root, MPI_COMM_WORLD);
        if (rank != root) require("Bcast", 5, 1000 * root + 5);
        CALL(Reduce, from, to, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        if (rank == root) require("Reduce", 7, sum + 7 * size);
        CALL(Allreduce, from, to, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        require("Allreduce", 7, sum + 7 * size);
        CALL(Scan, from, to, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        require("Scan", 3, 1000 * rank + 3);
        CALL(Reduce_scatter_block, from, to, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        require("Reduce_scatter_block", 2, sum + (10 * rank + 2) * size);
        CALL(Gather, from, count, MPI_INT, to, count, MPI_INT, root, MPI_COMM_WORLD);
        if (rank == root) require("Gather", (int)last * count + 1, 1000 * last + 1);
        CALL(Gatherv, from, counts[rank], MPI_INT, to, counts, places, MPI_INT, root, MPI_COMM_WORLD);
        if (rank == root && size > 1) require("Gatherv", places[last] + 1, 1000 * last + 1);
        CALL(Scatter, from, 10, MPI_INT, to, 10, MPI_INT, root, MPI_COMM_WORLD);
        require("Scatter", 3, 1000 * root + 10 * rank + 3);
        CALL(Scatterv, from, counts, places, MPI_INT, to, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
        if (rank > 0) require("Scatterv", 3, 1000 * root + (before * count + 3) % 1000);
        CALL(Allgather, from, count, MPI_INT, to, count, MPI_INT, MPI_COMM_WORLD);
        require("Allgather", (int)last * count + 9, 1000 * last + 9);
        CALL(Allgatherv, from, counts[rank], MPI_INT, to, counts, places, MPI_INT, MPI_COMM_WORLD);
        if (size > 1) require("Allgatherv", places[last] + 9, 1000 * last + 9);
        CALL(Alltoall, from, 10, MPI_INT, to, 10, MPI_INT, MPI_COMM_WORLD);
        require("Alltoall", (int)last * 10 + 4, 1000 * last + 10 * rank + 4);
        int tens[most_ranks], at[most_ranks];
        for (int i = 0; i < size; ++i) {
            tens[i] = 10;
            at[i] = 10 * i;
        }
        CALL(Alltoallv, from, tens, at, MPI_INT, to, tens, at, MPI_INT, MPI_COMM_WORLD);
        require("Alltoallv", (int)last * 10 + 4, 1000 * last + 10 * rank + 4);
        CALL(Neighbor_allgather, from, 10, MPI_INT, to, 10, MPI_INT, ring);
        require("Neighbor_allgather", 4, 1000 * lower + 4);
        CALL(Neighbor_alltoall, from, 10, MPI_INT, to, 10, MPI_INT, ring);
        if (size > 2) require("Neighbor_alltoall", 4, 1000 * lower + 14);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    /* On the processors' memory topomp serves the same calls. */
    int mine = 1, all = 0;
    const int device_calls_before = device_calls;
    for (int i = 0; i < 10; ++i)
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    now = "the end";
    if (all != size || device_calls != device_calls_before || (has_device && device_calls < 20)) {
        printf("rank %d: the sum of ones is %d; %d calls of the MPI's had its memory\n", rank, all,
               device_calls);
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_free(&ring);
    if (rank == 0) printf("devices: as the MPI's own\n");
    MPI_Finalize();
    return 0;
}
