// SPDX-License-Identifier: BSL-1.0
// Plain MPI, 3 ranks: all-reduce of a type whose data does not begin at the element's address. Exit code 0 if
// sums are right and nothing else is written. Open MPI 4.1.4 writes beside temporary memory of its own (the
// ring among its algorithms), and mostly ends in 'double free or corruption'.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr std::size_t offset = 8, extent = 16; // an int, behind 8 bytes that are not data

void add(void* in, void* inout, int* count, MPI_Datatype*) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
        int a = 0, b = 0;
        std::memcpy(&a, static_cast<char*>(in) + i * extent + offset, sizeof a);
        std::memcpy(&b, static_cast<char*>(inout) + i * extent + offset, sizeof b);
        b += a;
        std::memcpy(static_cast<char*>(inout) + i * extent + offset, &b, sizeof b);
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0, failures = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int one = 1;
    const MPI_Aint at = offset;
    MPI_Datatype raw = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &one, &at, MPI_INT, &raw);
    MPI_Type_create_resized(raw, 0, extent, &type);
    MPI_Type_commit(&type);
    MPI_Op sum = MPI_OP_NULL;
    MPI_Op_create(&add, 1, &sum);
    for (int count = 1; count < 20000; count += count / 2 + 1) {
        const std::size_t elements = static_cast<std::size_t>(count);
        std::vector<char> in(elements * extent, 'i'), out(elements * extent, 'o');
        for (std::size_t i = 0; i < elements; ++i) {
            const int value = rank + static_cast<int>(i);
            std::memcpy(&in[i * extent + offset], &value, sizeof value);
        }
        MPI_Allreduce(in.data(), out.data(), count, type, sum, MPI_COMM_WORLD);
        bool is_right = true;
        for (std::size_t i = 0; i < elements; ++i) {
            int value = 0;
            std::memcpy(&value, &out[i * extent + offset], sizeof value);
            is_right = is_right && value == ranks * (ranks - 1) / 2 + ranks * static_cast<int>(i) &&
                       std::all_of(&out[i * extent], &out[i * extent + offset],
                                   [](char each) { return each == 'o'; });
        }
        if (!is_right && failures++ == 0) std::printf("%d elements are not summed up rightly\n", count);
    }
    MPI_Op_free(&sum);
    MPI_Type_free(&type);
    MPI_Type_free(&raw);
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}
