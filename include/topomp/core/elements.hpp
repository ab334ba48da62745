// SPDX-License-Identifier: BSL-1.0
/// @file
/// C++ elements as MPI's messages.
#pragma once

#include <topomp/core/detail/basic_types.hpp>
#include <topomp/core/detail/pair_datatype.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>
#include <boost/mpi/datatype.hpp>

#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo {

namespace detail {

template <class T>
inline constexpr bool moves_as_it_lies = basic_type<T> || boost::mpi::is_mpi_datatype<T>::value;

/// A list, a map, a view: not asked of types that move as they lie, because it costs GCC time.
template <class T, bool Moves>
inline constexpr bool is_scattered = false;
template <unusual_range T>
inline constexpr bool is_scattered<T, false> = !other_consecutive<T>;

template <class T, bool Moves = false>
concept in_one_piece =
    says(!is_scattered<T, Moves>,
         "topo: elements must lie next to each other in memory, and those of this container "
         "or view do not: copy them into a std::vector; broadcast, gather, all_gather and "
         "scatter of collective/serialized.hpp take lists and maps, too");
template <class R>
concept contiguous = in_one_piece<std::remove_cvref_t<R>>;

} // namespace detail

/// A type that MPI can move as it lies in memory: all of C++'s numbers and characters, complex ones and
/// `std::byte` among them, and structs marked `BOOST_IS_MPI_DATATYPE`.
template <class T>
concept mpi_datatype =
    detail::in_one_piece<std::remove_cv_t<T>, detail::moves_as_it_lies<std::remove_cv_t<T>>> && detail::says(
        detail::moves_as_it_lies<std::remove_cv_t<T>>,
        "topo: MPI cannot move elements of this type as they lie in memory: mark a struct of numbers "
        "BOOST_IS_MPI_DATATYPE; the verbs of collective/serialized.hpp take what can be serialized");

namespace detail {

template <class R>
inline constexpr bool is_string = false;
template <class Character, class Traits, class Allocator>
inline constexpr bool is_string<std::basic_string<Character, Traits, Allocator>> = true;

template <class R>
concept no_bits = says(!std::is_same_v<std::remove_cvref_t<R>, std::vector<bool>>,
                       "topo: a std::vector<bool> holds bits, which MPI cannot move: use a std::vector<char> "
                       "or an array of bool");

} // namespace detail

/// Consecutive elements that MPI can move: a vector, an array, a span. A string is not among them but a
/// single value, whose length may differ between ranks.
template <class R>
concept buffer =
    detail::counted<R> && detail::no_bits<R> && detail::contiguous<R> && detail::consecutive<R> &&
    mpi_datatype<detail::element_value_t<R>> && !detail::is_string<std::remove_cvref_t<R>>;

/// One element: no buffer, although Boost.MPI takes a `std::array` for a datatype too.
template <class T>
concept single_value = mpi_datatype<T> && !buffer<T>;

/// A buffer that can be written through.
template <class R>
concept writable_buffer = buffer<R> &&
    detail::says(!std::is_const_v<detail::element_t<R>>,
                 "topo: these elements are const, and something is to be received into them");

namespace detail {

/// The type itself if its elements are `bytes` apart, else one that is: Boost.MPI's types of structs end with
/// the last member that is serialized, and SimGrid's MPI (3.32) leaves out the padding behind that.
MPI_Datatype spaced_as(MPI_Datatype type, std::size_t bytes);

/// The MPI datatype of elements of an array of `T`.
template <mpi_datatype T>
MPI_Datatype datatype_of() {
    using value = std::remove_cv_t<T>;
    if constexpr (basic_type<value>) {
        return datatype_of_basic<value>();
    } else if constexpr (boost::mpi::is_mpi_builtin_datatype<value>::value) {
        return boost::mpi::get_mpi_datatype<value>(value{});
    } else {
        static const MPI_Datatype made =
            spaced_as(boost::mpi::get_mpi_datatype<value>(value{}), sizeof(value));
        last_lasting_type() = made;
        return made;
    }
}

template <writable_buffer R>
message message_of(R&& elements) {
    using value_type = detail::element_value_t<R>;
    return {detail::data_of(elements), detail::length_of(elements), datatype_of<value_type>()};
}

template <mpi_datatype T>
message message_of_value(T& value) {
    static_assert(!std::is_const_v<T>, "topo: this value is const, and something is to be received into it");
    return {&value, 1, datatype_of<T>()};
}

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/elements.ipp>
#endif
