// SPDX-License-Identifier: BSL-1.0
// Plain MPI, 2 ranks: bytes are sent and received as structs with gaps between members of several sizes. Exit
// code 0 if all arrives. MPICH 4.0.2 calls messages of more than 8 KiB truncated.
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

struct mixed {
    char c;
    double d;
    short s;
};

MPI_Datatype type_of_mixed() {
    const int lengths[] = {1, 1, 1};
    const MPI_Aint offsets[] = {offsetof(mixed, c), offsetof(mixed, d), offsetof(mixed, s)};
    const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
    MPI_Datatype raw = MPI_DATATYPE_NULL, spaced = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(3, lengths, offsets, types, &raw);
    MPI_Type_create_resized(raw, 0, sizeof(mixed), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Type_free(&raw);
    return spaced;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank = 0, size = 0, failures = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = type_of_mixed();
    MPI_Type_size(type, &size);
    for (int count = 1; count < 3000; count += count < 1000 ? 7 : 97) {
        std::vector<mixed> elements(static_cast<std::size_t>(count));
        const int bytes = count * size;
        if (rank == 0) {
            for (int i = 0; i < count; ++i)
                elements[static_cast<std::size_t>(i)] = {static_cast<char>(i % 100), 1.0 * i,
                                                         static_cast<short>(i)};
            std::vector<char> packed(static_cast<std::size_t>(bytes));
            int end = 0;
            MPI_Pack(elements.data(), count, type, packed.data(), bytes, &end, MPI_COMM_WORLD);
            MPI_Send(packed.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        } else if (rank == 1) {
            bool is_right = MPI_Recv(elements.data(), count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
                            MPI_SUCCESS;
            for (int i = 0; i < count; ++i) {
                const mixed& each = elements[static_cast<std::size_t>(i)];
                is_right = is_right && each.c == i % 100 && each.d == i && each.s == i;
            }
            if (!is_right && failures++ == 0)
                std::printf("%d structs, sent as %d bytes, do not arrive\n", count, bytes);
        }
    }
    MPI_Type_free(&type);
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
