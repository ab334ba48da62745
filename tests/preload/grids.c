/* SPDX-License-Identifier: BSL-1.0 */
/* Grids and graphs with reorder: whatever number a rank gets, its coordinates, neighbours and messages must
 * fit. Prints how many ranks share a node with their neighbours only if it is told which rank sits where:
 * grids NODE_SIZE. */
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

/* Every rank is there once, and a shift brings what the neighbour sent. */
static void check_grid(MPI_Comm cart, int dimensions, const int* dims) {
    int status, now, coordinates[3], source, destination, back;
    MPI_Topo_test(cart, &status);
    require(status == MPI_CART, "no Cartesian communicator");
    MPI_Comm_rank(cart, &now);
    MPI_Cart_coords(cart, now, dimensions, coordinates);
    int number = 0;
    for (int d = 0; d < dimensions; ++d)
        number = number * dims[d] + coordinates[d];
    require(number == now, "coordinates are not in row-major order");
    for (int d = 0; d < dimensions; ++d) {
        MPI_Cart_shift(cart, d, 1, &source, &destination);
        back = -1;
        MPI_Sendrecv(&now, 1, MPI_INT, destination, 0, &back, 1, MPI_INT, source, 0, cart, MPI_STATUS_IGNORE);
        require(source == MPI_PROC_NULL || back == source, "a shift brought another's number");
    }
    int sum = 0;
    MPI_Allreduce(&now, &sum, 1, MPI_INT, MPI_SUM, cart);
    require(sum == size * (size - 1) / 2, "ranks are missing");
}

static void grids(int per_node) {
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
        int dims[3] = {0, 0, 0}, periods[3] = {0, 1, 0}, before = 0, after = 0, elsewhere[2];
        MPI_Comm cart;
        MPI_Dims_create(size, dimensions, dims);
        MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 1, &cart);
        check_grid(cart, dimensions, dims);
        /* How many neighbours are on other nodes, by the old numbers and by the new ones. */
        for (int d = 0; d < dimensions && per_node > 0; ++d) {
            int source, destination, now, other = -1;
            MPI_Comm_rank(cart, &now);
            MPI_Cart_shift(cart, d, 1, &source, &destination);
            MPI_Sendrecv(&rank, 1, MPI_INT, source, 0, &other, 1, MPI_INT, destination, 0, cart,
                         MPI_STATUS_IGNORE);
            after += destination != MPI_PROC_NULL && other / per_node != rank / per_node;
            int step = 1; /* the same grid, every rank its old number */
            for (int e = d + 1; e < dimensions; ++e)
                step *= dims[e];
            const int place = rank / step % dims[d];
            const int neighbour = place + 1 < dims[d] ? rank + step : periods[d] ? rank - place * step : -1;
            before += neighbour >= 0 && neighbour / per_node != rank / per_node;
        }
        elsewhere[0] = before;
        elsewhere[1] = after;
        MPI_Allreduce(MPI_IN_PLACE, elsewhere, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0 && per_node > 0)
            printf("%d dimensions: %d links between nodes, without reorder %d\n", dimensions, elsewhere[1],
                   elsewhere[0]);
        MPI_Comm_free(&cart);
    }
    /* A grid for some of the ranks. */
    int dims[1] = {size > 1 ? size - 1 : 1}, periods[1] = {0}, now = 0;
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &cart);
    if (cart != MPI_COMM_NULL) {
        MPI_Comm_size(cart, &now);
        require(now == dims[0], "the grid has another size");
        MPI_Comm_free(&cart);
    }
}

/* A ring in which i sends to i + step, with loads, as each of the two calls wants it. */
static void graphs(void) {
    const int step = size > 3 ? size / 2 : 1;
    const int next = (rank + step) % size, last = (rank + size - step) % size;
    for (int way = 0; way < 3; ++way) {
        MPI_Comm graph;
        if (way == 0) {
            const int sources[2] = {last, rank}, in[2] = {3 + rank, 1}, destinations[2] = {rank, next};
            const int out[2] = {1, 3 + (rank + step) % size};
            MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, in, 2, destinations, out,
                                           MPI_INFO_NULL, 1, &graph);
        } else if (way == 1) {
            MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                           MPI_INFO_NULL, 1, &graph);
        } else { /* rank 0 names all edges */
            int sources[64], degrees[64], destinations[64], weights[64];
            for (int i = 0; i < size; ++i) {
                sources[i] = i;
                degrees[i] = 1;
                destinations[i] = (i + step) % size;
                weights[i] = 1 + i;
            }
            MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? size : 0, sources, degrees, destinations,
                                  weights, MPI_INFO_NULL, 1, &graph);
        }
        int now, in, out, is_weighted, sources[2], in_weights[2], destinations[2], out_weights[2];
        MPI_Comm_rank(graph, &now);
        MPI_Dist_graph_neighbors_count(graph, &in, &out, &is_weighted);
        require(in == (way == 0 ? 2 : 1) && out == in, "another number of neighbours");
        require((is_weighted != 0) == (way != 1), "weights came or went");
        MPI_Dist_graph_neighbors(graph, in, sources, in_weights, out, destinations, out_weights);
        const int from = (now + size - step) % size, to = (now + step) % size;
        require(sources[0] == from, "another source");
        require(destinations[out - 1] == to, "another destination");
        if (way == 0) {
            require(sources[1] == now && destinations[0] == now, "the order of neighbours is another");
            require(in_weights[0] == 3 + now && in_weights[1] == 1, "another weight of a source");
            require(out_weights[0] == 1 && out_weights[1] == 3 + to, "another weight of a destination");
        }
        int values[2] = {-1, -1}, mine[2] = {now, now};
        MPI_Neighbor_alltoall(mine, 1, MPI_INT, values, 1, MPI_INT, graph);
        require(values[0] == from, "a neighbour's message is another's");
        MPI_Comm_free(&graph);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grids(argc > 1 ? atoi(argv[1]) : 0);
    graphs();
    if (rank == 0) printf("grids and graphs are right\n");
    MPI_Finalize();
    return 0;
}
