// SPDX-License-Identifier: BSL-1.0
// Combining in the own process: what a serial loop gives, bit for bit, for all lengths and places.
#include <topomp/algorithm/progress/reduce_local.hpp>

#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
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
struct operation {
    MPI_Op op;
    T (*combine)(T, T);
};

/// Sums and products of integers are computed without a sign, as they may overflow.
template <class T>
std::vector<operation<T>> of_numbers() {
    using wide = std::conditional_t<std::is_integral_v<T>, unsigned long long, T>;
    return {{MPI_SUM, [](T a, T b) { return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b)); }},
            {MPI_PROD, [](T a, T b) { return static_cast<T>(static_cast<wide>(a) * static_cast<wide>(b)); }},
            {MPI_MAX, [](T a, T b) { return std::max(a, b); }},
            {MPI_MIN, [](T a, T b) { return std::min(a, b); }}};
}

template <class T>
std::vector<operation<T>> of_integers() {
    std::vector<operation<T>> all = of_numbers<T>();
    all.push_back({MPI_BAND, [](T a, T b) { return static_cast<T>(a & b); }});
    all.push_back({MPI_BOR, [](T a, T b) { return static_cast<T>(a | b); }});
    all.push_back({MPI_BXOR, [](T a, T b) { return static_cast<T>(a ^ b); }});
    return all;
}

template <class T>
void check_type(MPI_Datatype type, const std::vector<operation<T>>& operations, bool has_loop = true) {
    for (const auto& each : operations) {
        CHECK((topo::detail::loop_of(each.op, type) != nullptr) == has_loop);
        for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 8U, 15U, 16U, 17U, 100U, 1001U})
            for (const std::size_t offset : {0U, 1U}) {
                const auto left = some<T>(count + offset, 1), right = some<T>(count + offset, 2);
                const T *const a = left.data() + offset, *const b = right.data() + offset;
                std::vector<T> expected(count), apart(count), in_place{b, b + count};
                std::transform(a, a + count, b, expected.begin(), each.combine);
                topo::detail::reduce_local(a, b, {apart.data(), count, type}, each.op);
                CHECK(apart == expected);
                topo::detail::reduce_local(a, in_place.data(), {in_place.data(), count, type}, each.op);
                CHECK(in_place == expected);
            }
    }
}

void decimal(void* left, void* right, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i)
        static_cast<unsigned*>(right)[i] += 10 * static_cast<unsigned*>(left)[i];
}

} // namespace

TEST_CASE("local reductions of MPI's types by MPI's operations") {
    check_type<double>(MPI_DOUBLE, of_numbers<double>());
    check_type<float>(MPI_FLOAT, of_numbers<float>());
    check_type<int>(MPI_INT, of_integers<int>());
    check_type<unsigned>(MPI_UNSIGNED, of_integers<unsigned>());
    check_type<long>(MPI_LONG, of_integers<long>());
    check_type<unsigned long>(MPI_UNSIGNED_LONG, of_integers<unsigned long>());
    check_type<long long>(MPI_LONG_LONG, of_integers<long long>());
    check_type<unsigned long long>(MPI_UNSIGNED_LONG_LONG, of_integers<unsigned long long>());
    check_type<std::int32_t>(MPI_INT32_T, of_integers<std::int32_t>());
    check_type<std::uint32_t>(MPI_UINT32_T, of_integers<std::uint32_t>());
    check_type<std::int64_t>(MPI_INT64_T, of_integers<std::int64_t>());
    check_type<std::uint64_t>(MPI_UINT64_T, of_integers<std::uint64_t>());
    check_type<int>(MPI_INT, {{MPI_LAND, [](int a, int b) { return a != 0 && b != 0 ? 1 : 0; }}}, false);
    // Open MPI's sums of short numbers stop at the greatest one.
    check_type<short>(MPI_SHORT, {{MPI_MAX, [](short a, short b) { return std::max(a, b); }}}, false);
}

TEST_CASE("local reductions by a user's operation, of elements with gaps") {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(&decimal, 0, &op);
    check_type<unsigned>(MPI_UNSIGNED, {{op, [](unsigned a, unsigned b) { return b + 10 * a; }}}, false);
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
