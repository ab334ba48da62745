// SPDX-License-Identifier: BSL-1.0
// Plain MPI, 4 ranks: elements that end with a gap are combined in the order of ranks, and each rank gets a
// block. Exit code 0 if all is right. MPICH 4.0.2 writes beside its own memory and ends with a signal or
// wrong elements.
#include <mpi.h>

#include <cstdio>
#include <vector>

namespace {

struct element {
    int first = 0, last = 0;
    int gap[6] = {-1, -1, -1, -1, -1, -1};
};

/// From the left operand's first to the right one's last; neighbours meet.
void join(void* left, void* right, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) {
        const element& a = static_cast<element*>(left)[i];
        element& b = static_cast<element*>(right)[i];
        b.first = a.last + 1 == b.first ? a.first : -1000;
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0, failures = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Datatype data = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &data);
    MPI_Type_create_resized(data, 0, sizeof(element), &type);
    MPI_Type_commit(&type);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(&join, 0, &op);
    for (int count = 1; count < 2000; count *= 3) {
        const auto length = static_cast<std::size_t>(count);
        std::vector<element> all(length * static_cast<std::size_t>(ranks)), mine(length);
        for (element& each : all)
            each.first = each.last = rank;
        MPI_Reduce_scatter_block(all.data(), mine.data(), count, type, op, MPI_COMM_WORLD);
        for (const element& each : mine)
            if (each.first != 0 || each.last != ranks - 1) ++failures;
    }
    if (failures > 0) std::printf("rank %d: %d elements are wrong\n", rank, failures);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Type_free(&data);
    int sum = 0;
    MPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == 0 ? 0 : 1;
}
