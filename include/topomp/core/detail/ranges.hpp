// SPDX-License-Identifier: BSL-1.0
/// @file
/// The concepts of ranges, and what takes them apart, for headers.
#pragma once

// Not <ranges>, whose views cost every file as much as Boost.MPI's communicator: the standard libraries
// define the concepts of ranges where they define spans, which are made of them.
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo::detail {

/// The standard's own ranges of consecutive elements, of which everything below is known. To ask the concepts
/// of ranges costs GCC a fiftieth of a program of Boost.MPI's for each type, so only others are asked.
template <class R>
inline constexpr bool is_usual_range = false;
template <class T>
inline constexpr bool is_usual_range<std::vector<T>> = !std::is_same_v<T, bool>;
template <class T, std::size_t N>
inline constexpr bool is_usual_range<std::array<T, N>> = true;
template <class T, std::size_t Extent>
inline constexpr bool is_usual_range<std::span<T, Extent>> = true;
template <class R>
concept usual_range = is_usual_range<std::remove_cvref_t<R>>;

/// Of other types the standard's concepts are asked inside a constant: as parts of the concepts below, GCC
/// would take them apart anew for each overload of a verb that a call may mean.
template <class R>
inline constexpr bool is_contiguous_range = std::ranges::contiguous_range<R>;
template <class R>
inline constexpr bool is_sized_range = std::ranges::sized_range<R>;
template <class R>
inline constexpr bool is_input_range = std::ranges::input_range<R>;
template <class R>
inline constexpr bool is_borrowed_range = std::ranges::borrowed_range<R>;

/// Ranges whose elements lie one behind the other, and that know how many there are.
template <class R>
concept other_consecutive = is_contiguous_range<R> && is_sized_range<R>;
template <class R>
concept consecutive = usual_range<R> || other_consecutive<R>;

template <class R>
struct element_of {};
template <usual_range R>
struct element_of<R> {
    using type = std::remove_pointer_t<decltype(std::declval<R&>().data())>;
    using value_type = std::remove_cv_t<type>;
};
template <class R>
concept unusual_range = !usual_range<R> && is_input_range<R>;
template <unusual_range R>
struct element_of<R> {
    using type = std::remove_reference_t<std::ranges::range_reference_t<R>>;
    using value_type = std::ranges::range_value_t<R>;
};
/// The type of a range's elements, const where they cannot be written.
template <class R>
using element_t = typename element_of<R>::type;
/// `std::ranges::range_value_t`.
template <class R>
using element_value_t = typename element_of<R>::value_type;

/// `std::ranges::data`.
template <class R>
constexpr auto data_of(R& range) {
    if constexpr (usual_range<R>)
        return range.data();
    else
        return std::ranges::data(range);
}
/// `std::ranges::size`, as MPI's buffers are counted here.
template <class R>
constexpr std::size_t length_of(R& range) {
    if constexpr (usual_range<R>)
        return range.size();
    else
        return static_cast<std::size_t>(std::ranges::size(range));
}

/// Whether what an argument of type `Range&&` refers to outlives the call.
template <class Range>
concept outlives_call = std::is_lvalue_reference_v<Range> || is_borrowed_range<Range>;

} // namespace topo::detail
