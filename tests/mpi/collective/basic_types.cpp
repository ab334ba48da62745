// SPDX-License-Identifier: BSL-1.0
// All of C++'s basic types as elements, and the function objects on them: what MPI's operations make of them
// is what C++'s make of them, and those that commute are known to.
#include "support/made_up.hpp"
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/predefined_reduction.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/operations.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace basic_types_tests {

namespace {

using topo::detail::combination_of;
using topo::detail::is_commutative;
using topo::detail::is_predefined;

template <class...>
struct types {};
using integers = types<signed char, unsigned char, char8_t, char16_t, char32_t, short, unsigned short, int,
                       unsigned, long, unsigned long, long long, unsigned long long, std::int8_t,
                       std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                       std::uint64_t, std::size_t, std::ptrdiff_t>;
using characters = types<char, wchar_t>;
using reals = types<float, double, long double>;
using complexes = types<std::complex<float>, std::complex<double>, std::complex<long double>>;
using places = types<std::pair<short, int>, std::pair<int, int>, std::pair<long, int>, std::pair<float, int>,
                     std::pair<double, int>, std::pair<long double, int>>;

template <class... Ts, class F>
void for_each(types<Ts...>, F f) {
    (f(std::type_identity<Ts>{}), ...);
}

/// Values among which there are equal ones, none, all bits, and negative ones where there are any.
template <class T>
std::vector<T> values() {
    if constexpr (std::is_same_v<T, bool>)
        return {false, true};
    else if constexpr (std::is_same_v<T, std::byte>)
        return {std::byte{0}, std::byte{1}, std::byte{0x5A}, std::byte{0xFF}};
    else if constexpr (std::integral<T>)
        return {T{0}, T{1}, T{2}, T{4}, T{5}, T{11}, static_cast<T>(std::is_signed_v<T> ? -3 : 3)};
    else if constexpr (std::floating_point<T>)
        return {T{0}, T{1}, T{-2.5}, T{7}, T{1024}};
    else if constexpr (topo::detail::is_complex<T>)
        return {T{0, 0}, T{1, -2}, T{-3, 0.5}, T{0, 4}};
    else
        return {T{0, 0}, T{0, 1}, T{3, 1}, T{static_cast<typename T::first_type>(-3), 2}, T{3, 7}};
}

/// What is asked of each operation. No template, for each check takes the compiler long.
void check_all(const topo::detail::combination& combiner, MPI_Datatype type, bool is_known_to_commute,
               bool is_as_in_cpp) {
    CHECK(combiner.is_commutative);
    CHECK(is_known_to_commute);
    CHECK(topo::mpi::op_is_commutative(combiner.op));
    CHECK(
        (topo::detail::find_predefined(combiner.op) == nullptr || topo::detail::combines(combiner.op, type)));
    CHECK(is_as_in_cpp);
}

/// Whether a function object's operation makes of each two values what the function object makes of them.
template <class Op, class T>
void check_as_in_cpp() {
    std::array<T, 64> left{}, right{}, expected{}; // a vector of bool is none
    std::size_t count = 0;
    const auto operands = values<T>();
    for (const auto& a : operands)
        for (const auto& b : operands) {
            left[count] = a;
            right[count] = b;
            expected[count++] = static_cast<T>(Op{}(a, b));
        }
    const auto combiner = combination_of<Op, T>();
    const auto type = topo::detail::datatype_of<T>();
    MPI_Reduce_local(left.data(), right.data(), static_cast<int>(count), type, combiner.op);
    check_all(combiner, type, is_commutative<Op, T>, right == expected);
}

template <class T, class Op>
void check_predefined() {
    check_as_in_cpp<Op, T>();
    CHECK(is_predefined<topo::detail::with_operands_t<Op, T>, T>);
}

/// An operation that MPI does not have of this type, and so a function of ours.
template <class T, class Op>
void check_own() {
    check_as_in_cpp<Op, T>();
    CHECK(!is_predefined<topo::detail::with_operands_t<Op, T>, T>);
}

using boost::mpi::maximum, boost::mpi::minimum;

struct difference {
    int operator()(int a, int b) const { return a - b; }
};

} // namespace

TEST_CASE("integers") {
    for_each(integers{}, []<class T>(std::type_identity<T>) {
        check_predefined<T, std::plus<>>();
        check_predefined<T, std::plus<T>>();
        check_predefined<T, std::multiplies<>>();
        check_predefined<T, minimum<T>>();
        check_predefined<T, maximum<T>>();
        check_predefined<T, std::logical_and<>>();
        check_predefined<T, std::logical_or<>>();
        check_predefined<T, boost::mpi::logical_xor<T>>();
        check_predefined<T, std::bit_and<>>();
        check_predefined<T, std::bit_or<>>();
        check_predefined<T, std::bit_xor<>>();
        check_predefined<T, boost::mpi::bitwise_and<T>>();
        check_predefined<T, boost::mpi::bitwise_or<T>>();
        check_predefined<T, boost::mpi::bitwise_xor<T>>();
    });
}

TEST_CASE("characters") {
    for_each(characters{}, []<class T>(std::type_identity<T>) {
        check_own<T, std::plus<>>();
        check_own<T, std::multiplies<>>();
        check_own<T, minimum<T>>();
        check_own<T, maximum<T>>();
        check_own<T, std::logical_and<>>();
        check_own<T, std::bit_xor<>>();
    });
}

TEST_CASE("floating-point and complex numbers") {
    for_each(reals{}, []<class T>(std::type_identity<T>) {
        check_predefined<T, std::plus<>>();
        check_predefined<T, std::multiplies<>>();
        check_predefined<T, minimum<T>>();
        check_predefined<T, maximum<T>>();
        check_own<T, std::logical_and<>>();
        check_own<T, std::logical_or<>>();
    });
    for_each(complexes{}, []<class T>(std::type_identity<T>) {
        check_predefined<T, std::plus<>>();
        check_predefined<T, std::multiplies<>>();
    });
}

TEST_CASE("bool, std::byte, and values with their places") {
    check_predefined<bool, std::logical_and<>>();
    check_predefined<bool, std::logical_or<>>();
    check_predefined<bool, boost::mpi::logical_xor<bool>>();
    check_own<bool, std::plus<>>();
    check_own<bool, std::bit_and<>>();
    check_own<bool, maximum<bool>>();
    check_predefined<std::byte, std::bit_and<>>();
    check_predefined<std::byte, std::bit_or<>>();
    check_predefined<std::byte, std::bit_xor<>>();
    check_own<std::byte, maximum<std::byte>>();
    for_each(places{}, []<class T>(std::type_identity<T>) {
        check_predefined<T, minimum<T>>();
        check_own<T, maximum<T>>(); // of equal values the last, where MPI's takes the first
    });
}

TEST_CASE("what does not commute is not said to") {
    CHECK(!is_commutative<std::minus<>, int>);
    CHECK(!is_commutative<std::divides<>, double>);
    CHECK(!is_commutative<difference, int>);
    CHECK(is_commutative<std::plus<double>, int>); // another type's, which MPI does not have
    CHECK(!is_predefined<std::plus<double>, int>);
}

TEST_CASE("as many bytes as in C++, and moved as they are") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 package:2 core:2"),
                                 topo::placement::round_robin()};
    const auto check = [&]<class T>(std::type_identity<T>) {
        const topo::detail::type_layout layout{topo::detail::datatype_of<T>()};
        CHECK(layout.extent == static_cast<MPI_Aint>(sizeof(T)));
        auto data = values<T>();
        const auto expected = data;
        if (world.rank() != world.size() - 1) data.assign(data.size(), T{});
        topo::broadcast(levels, data, world.size() - 1);
        CHECK((data == expected));
        CHECK(topo::all_gather(levels, expected[1]).size() == static_cast<std::size_t>(world.size()));
    };
    check(std::type_identity<std::byte>{});
    check(std::type_identity<char8_t>{});
    check(std::type_identity<char32_t>{});
    check(std::type_identity<signed char>{});
    check(std::type_identity<std::complex<float>>{});
    check(std::type_identity<std::complex<long double>>{});
    check(std::type_identity<std::pair<long double, int>>{});
    check(std::type_identity<std::pair<int, double>>{}); // no type of MPI's, and a gap between the members
}

TEST_CASE("policies that reorder take what commutes") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 package:2 core:2"),
                                 topo::placement::round_robin()};
    const int ranks = world.size();
    const auto check = [&]<class T>(std::type_identity<T>) {
        const std::vector<T> ones(3 * static_cast<std::size_t>(ranks), T{1});
        const auto sum = static_cast<T>(ranks);
        CHECK((topo::all_reduce(levels, ones, std::plus<>{}, topo::ring{}) ==
               std::vector<T>(ones.size(), sum)));
        CHECK((topo::reduce_scatter(levels, ones, std::plus<>{}, topo::recursive_halving{}) ==
               std::vector<T>(3, sum)));
    };
    check(std::type_identity<long long>{});
    check(std::type_identity<unsigned long long>{});
    check(std::type_identity<signed char>{});
    check(std::type_identity<unsigned char>{});
    check(std::type_identity<char>{});
    const std::complex<double> mine{1.0 * world.rank(), 2.0};
    CHECK(topo::all_reduce(levels, mine, std::plus<>{}, topo::rabenseifner{}) ==
          std::complex<double>{ranks * (ranks - 1) / 2.0, 2.0 * ranks});
}

TEST_CASE("the MPI combines what it is said to") {
    const std::array<MPI_Datatype, 40> some{MPI_CHAR,
                                            MPI_SIGNED_CHAR,
                                            MPI_UNSIGNED_CHAR,
                                            MPI_SHORT,
                                            MPI_INT,
                                            MPI_LONG,
                                            MPI_LONG_LONG,
                                            MPI_UNSIGNED_LONG_LONG,
                                            MPI_INT8_T,
                                            MPI_UINT16_T,
                                            MPI_INT32_T,
                                            MPI_UINT64_T,
                                            MPI_INTEGER,
                                            MPI_INTEGER1,
                                            MPI_INTEGER8,
                                            MPI_FLOAT,
                                            MPI_DOUBLE,
                                            MPI_LONG_DOUBLE,
                                            MPI_REAL,
                                            MPI_DOUBLE_PRECISION,
                                            MPI_REAL8,
                                            MPI_LOGICAL,
                                            MPI_C_BOOL,
                                            MPI_COMPLEX,
                                            MPI_DOUBLE_COMPLEX,
                                            MPI_C_FLOAT_COMPLEX,
                                            MPI_C_LONG_DOUBLE_COMPLEX,
                                            MPI_COMPLEX16,
                                            MPI_BYTE,
                                            MPI_AINT,
                                            MPI_OFFSET,
                                            MPI_COUNT,
                                            MPI_FLOAT_INT,
                                            MPI_DOUBLE_INT,
                                            MPI_LONG_INT,
                                            MPI_2INT,
                                            MPI_SHORT_INT,
                                            MPI_LONG_DOUBLE_INT,
                                            MPI_2REAL,
                                            MPI_2DOUBLE_PRECISION};
    int combined = 0;
    for (const auto& known : topo::detail::predefined_ops())
        for (const MPI_Datatype type : some) {
            if (!topo::detail::combines(known.op, type)) continue;
            alignas(64) std::array<char, 64> left{}, right{};
            CHECK(MPI_Reduce_local(left.data(), right.data(), 1, type, known.op) == MPI_SUCCESS);
            ++combined;
        }
    CHECK(combined > 200);
    using topo::detail::combines;
    CHECK(!combines(MPI_SUM, MPI_DATATYPE_NULL));
    CHECK(!combines(MPI_OP_NULL, MPI_INT));
    CHECK(!combines(MPI_REPLACE, MPI_INT));
    CHECK(!combines(MPI_BAND, MPI_FLOAT));
    CHECK(!combines(MPI_LAND, MPI_DOUBLE));
    CHECK(!combines(MPI_SUM, MPI_C_BOOL));
    CHECK(!combines(MPI_SUM, MPI_BYTE));
    CHECK(!combines(MPI_MAX, MPI_COMPLEX));
    CHECK(!combines(MPI_SUM, MPI_FLOAT_INT));
    CHECK(!combines(MPI_MINLOC, MPI_INT));
    CHECK(!combines(MPI_SUM, MPI_WCHAR));
    CHECK(!combines(MPI_SUM, MPI_PACKED));
}

} // namespace basic_types_tests
