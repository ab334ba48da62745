// SPDX-License-Identifier: BSL-1.0
// Combining in the own process: what MPI_Reduce_local gives, bit for bit, for all lengths and places.
#include <topomp/algorithm/progress/reduce_local.hpp>

#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace reduce_local_tests {

namespace {

template <class T>
std::vector<T> some(std::size_t count, unsigned seed) {
    std::mt19937 random{seed};
    std::vector<T> all(count);
    for (T& each : all)
        if constexpr (std::is_integral_v<T>)
            each = static_cast<T>(random()); // sums and products overflow
        else
            each = static_cast<T>(std::normal_distribution<>{}(random));
    return all;
}

template <class T>
void check_type(MPI_Datatype type, const std::vector<MPI_Op>& ops, bool has_loop = true) {
    for (const MPI_Op op : ops) {
        CHECK((topo::detail::loop_of(op, type) != nullptr) == has_loop);
        for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 8U, 15U, 16U, 17U, 100U, 1001U})
            for (const std::size_t offset : {0U, 1U}) {
                const auto left = some<T>(count + offset, 1), right = some<T>(count + offset, 2);
                const T *const a = left.data() + offset, *const b = right.data() + offset;
                std::vector<T> expected{b, b + count};
                MPI_Reduce_local(a, expected.data(), static_cast<int>(count), type, op);
                std::vector<T> apart(count), in_place{b, b + count};
                topo::detail::reduce_local(a, b, {apart.data(), count, type}, op);
                topo::detail::reduce_local(a, in_place.data(), {in_place.data(), count, type}, op);
                CHECK(apart == expected);
                CHECK(in_place == expected);
            }
    }
}

void decimal(void* left, void* right, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i)
        static_cast<int*>(right)[i] = 10 * static_cast<int*>(left)[i] + static_cast<int*>(right)[i];
}

} // namespace

TEST_CASE("local reductions of MPI's types by MPI's operations") {
    const std::vector<MPI_Op> of_numbers{MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};
    std::vector<MPI_Op> of_integers = of_numbers;
    of_integers.insert(of_integers.end(), {MPI_BAND, MPI_BOR, MPI_BXOR});
    check_type<double>(MPI_DOUBLE, of_numbers);
    check_type<float>(MPI_FLOAT, of_numbers);
    check_type<int>(MPI_INT, of_integers);
    check_type<unsigned>(MPI_UNSIGNED, of_integers);
    check_type<long>(MPI_LONG, of_integers);
    check_type<unsigned long>(MPI_UNSIGNED_LONG, of_integers);
    check_type<long long>(MPI_LONG_LONG, of_integers);
    check_type<unsigned long long>(MPI_UNSIGNED_LONG_LONG, of_integers);
    check_type<std::int32_t>(MPI_INT32_T, of_integers);
    check_type<std::uint32_t>(MPI_UINT32_T, of_integers);
    check_type<std::int64_t>(MPI_INT64_T, of_integers);
    check_type<std::uint64_t>(MPI_UINT64_T, of_integers);
    check_type<int>(MPI_INT, {MPI_LAND, MPI_LXOR}, false);
    check_type<short>(MPI_SHORT, of_numbers, false);
}

TEST_CASE("local reductions by a user's operation, of elements with gaps") {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(&decimal, 0, &op);
    check_type<int>(MPI_INT, {op}, false);
    MPI_Op_free(&op);

    MPI_Datatype sparse = MPI_DATATYPE_NULL; // an int and room for one more
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &sparse);
    MPI_Type_commit(&sparse);
    MPI_Op_create(
        [](void* left, void* right, int* count, MPI_Datatype*) {
            for (int i = 0; i < 2 * *count; i += 2)
                static_cast<int*>(right)[i] += static_cast<int*>(left)[i];
        },
        1, &op);
    const std::vector<int> a{1, -1, 2, -1}, b{10, -2, 20, -2};
    std::vector<int> sum{0, -3, 0, -3};
    topo::detail::reduce_local(a.data(), b.data(), {sum.data(), 2, sparse}, op);
    CHECK(sum == std::vector<int>{11, -3, 22, -3});
    MPI_Op_free(&op);
    MPI_Type_free(&sparse);
}

} // namespace reduce_local_tests
