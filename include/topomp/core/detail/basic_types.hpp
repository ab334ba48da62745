// SPDX-License-Identifier: BSL-1.0
/// @file
/// C++'s basic types as MPI's.
#pragma once

#include <topomp/core/detail/predefined_reduction.hpp>

#include <boost/mpi/config.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace topo::detail {

template <class T, class... Others>
inline constexpr bool is_any_of = (std::is_same_v<T, Others> || ...);

/// Character types: MPI moves them but defines no operation on them.
template <class T>
inline constexpr bool is_character = is_any_of<T, char, wchar_t>;

template <class T>
inline constexpr bool is_integer =
    is_any_of<T, signed char, unsigned char, char8_t, char16_t, char32_t, short, unsigned short, int,
              unsigned, long, unsigned long, long long, unsigned long long>;

template <class T>
inline constexpr bool is_floating = is_any_of<T, float, double, long double>;

/// `std::complex`, without its header, which is a tenth of what a file costs to compile: a pair of numbers
/// with a real and an imaginary part from namespace std, as the name that only lookup by arguments finds
/// shows.
template <class T>
inline constexpr bool is_complex = false;
template <template <class> class Pair, class Part>
    requires(is_floating<Part>)
inline constexpr bool is_complex<Pair<Part>> =
    sizeof(Pair<Part>) == 2 * sizeof(Part) && requires(Pair<Part> & number) {
    { as_const(number).real() } -> std::same_as<Part>;
    { as_const(number).imag() } -> std::same_as<Part>;
};
template <class T, class Part>
inline constexpr bool is_complex_of = false;
template <template <class> class Pair, class Part>
inline constexpr bool is_complex_of<Pair<Part>, Part> = is_complex<Pair<Part>>;

/// A value and where it is: what MPI_MINLOC works on.
template <class T>
inline constexpr bool is_value_and_place =
    is_any_of<T, std::pair<short, int>, std::pair<int, int>, std::pair<long, int>, std::pair<float, int>,
              std::pair<double, int>, std::pair<long double, int>>;

/// MPI's group of a C++ type, which determines the MPI operations equivalent to C++'s; 0: none.
template <class T>
inline constexpr unsigned group_of_basic = is_integer<T>             ? type_group::c_integer
                                           : is_floating<T>          ? type_group::floating_point
                                           : is_complex<T>           ? type_group::complex
                                           : is_value_and_place<T>   ? type_group::pair
                                           : std::is_same_v<T, bool> ? type_group::logical
                                           : is_any_of<T, std::byte> ? type_group::byte
                                                                     : 0U;

/// A type that one of MPI's own datatypes stands for. Boost.MPI's traits leave some out, and give `bool` a
/// derived one.
template <class T>
concept basic_type = is_character<T> || group_of_basic<T>
!= 0;

/// MPI's own datatype of a basic type. Of `bool` and complex numbers C's, for these are the same in memory,
/// and not every MPI has those of C++.
template <basic_type T>
MPI_Datatype datatype_of_basic() {
    if constexpr (std::is_same_v<T, char>) return MPI_CHAR;
    if constexpr (std::is_same_v<T, wchar_t>) return MPI_WCHAR;
    if constexpr (std::is_same_v<T, signed char>) return MPI_SIGNED_CHAR;
    if constexpr (std::is_same_v<T, unsigned char>) return MPI_UNSIGNED_CHAR;
    if constexpr (std::is_same_v<T, char8_t>) return MPI_UINT8_T;
    if constexpr (std::is_same_v<T, char16_t>) return MPI_UINT16_T;
    if constexpr (std::is_same_v<T, char32_t>) return MPI_UINT32_T;
    if constexpr (std::is_same_v<T, short>) return MPI_SHORT;
    if constexpr (std::is_same_v<T, unsigned short>) return MPI_UNSIGNED_SHORT;
    if constexpr (std::is_same_v<T, int>) return MPI_INT;
    if constexpr (std::is_same_v<T, unsigned>) return MPI_UNSIGNED;
    if constexpr (std::is_same_v<T, long>) return MPI_LONG;
    if constexpr (std::is_same_v<T, unsigned long>) return MPI_UNSIGNED_LONG;
    if constexpr (std::is_same_v<T, long long>) return MPI_LONG_LONG;
    if constexpr (std::is_same_v<T, unsigned long long>) return MPI_UNSIGNED_LONG_LONG;
    if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
    if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
    if constexpr (std::is_same_v<T, long double>) return MPI_LONG_DOUBLE;
    if constexpr (std::is_same_v<T, bool>) return MPI_C_BOOL;
    if constexpr (std::is_same_v<T, std::byte>) return MPI_BYTE;
    if constexpr (is_complex_of<T, float>) return MPI_C_FLOAT_COMPLEX;
    if constexpr (is_complex_of<T, double>) return MPI_C_DOUBLE_COMPLEX;
    if constexpr (is_complex_of<T, long double>) return MPI_C_LONG_DOUBLE_COMPLEX;
    if constexpr (std::is_same_v<T, std::pair<short, int>>) return MPI_SHORT_INT;
    if constexpr (std::is_same_v<T, std::pair<int, int>>) return MPI_2INT;
    if constexpr (std::is_same_v<T, std::pair<long, int>>) return MPI_LONG_INT;
    if constexpr (std::is_same_v<T, std::pair<float, int>>) return MPI_FLOAT_INT;
    if constexpr (std::is_same_v<T, std::pair<double, int>>) return MPI_DOUBLE_INT;
    if constexpr (std::is_same_v<T, std::pair<long double, int>>) return MPI_LONG_DOUBLE_INT;
}

} // namespace topo::detail
