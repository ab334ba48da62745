// SPDX-License-Identifier: BSL-1.0
/// @file
/// C++ types and function objects as MPI's datatypes and operations, by Boost.MPI's traits.
#pragma once

#include <topomp/core/finalize.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/datatype.hpp>
#include <boost/mpi/operations.hpp>
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>

namespace topo {

/// A type that MPI can move as it lies in memory: numbers, and structs marked `BOOST_IS_MPI_DATATYPE`.
template <class T>
concept mpi_datatype = boost::mpi::is_mpi_datatype<std::remove_cv_t<T>>::value;

namespace detail {

template <class R>
inline constexpr bool is_string = false;
template <class Character, class Traits, class Allocator>
inline constexpr bool is_string<std::basic_string<Character, Traits, Allocator>> = true;

} // namespace detail

/// Consecutive elements that MPI can move: a vector, an array, a span. A string is not among them but a
/// single value, whose length may differ between ranks.
template <class R>
concept buffer = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    mpi_datatype<std::ranges::range_value_t<R>> && !detail::is_string<std::remove_cvref_t<R>>;

/// One element: no buffer, although Boost.MPI takes a `std::array` for a datatype too.
template <class T>
concept single_value = mpi_datatype<T> && !buffer<T>;

/// A buffer that can be written through.
template <class R>
concept writable_buffer =
    buffer<R> && !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

namespace detail {

/// The type itself if its elements are `bytes` apart, else one that is: Boost.MPI's types of structs end with
/// the last member that is serialized, and SimGrid's MPI (3.32) leaves out the padding behind that.
inline MPI_Datatype spaced_as(MPI_Datatype type, std::size_t bytes) {
    const type_layout layout{type};
    const auto wanted = static_cast<MPI_Aint>(bytes);
    if (layout.extent == wanted) return type;
    MPI_Datatype spaced = MPI_DATATYPE_NULL;
    mpi::check(MPI_Type_create_resized(type, 0, wanted, &spaced), "MPI_Type_create_resized", "user's type");
    mpi::check(MPI_Type_commit(&spaced), "MPI_Type_commit", "user's type");
    finalize_hook::add([spaced]() mutable { MPI_Type_free(&spaced); });
    return spaced;
}

/// The MPI datatype of elements of an array of `T`.
template <mpi_datatype T>
MPI_Datatype datatype_of() {
    using value = std::remove_cv_t<T>;
    if constexpr (boost::mpi::is_mpi_builtin_datatype<value>::value) {
        return boost::mpi::get_mpi_datatype<value>(value{});
    } else {
        static const MPI_Datatype made =
            spaced_as(boost::mpi::get_mpi_datatype<value>(value{}), sizeof(value));
        return made;
    }
}

template <writable_buffer R>
message message_of(R&& elements) {
    using value_type = std::ranges::range_value_t<R>;
    return {std::ranges::data(elements), std::ranges::size(elements), datatype_of<value_type>()};
}

template <mpi_datatype T>
message message_of_value(T& value) {
    return {&value, 1, datatype_of<T>()};
}

/// How a function object combines: an MPI operation, and whether it may be reordered.
struct combination {
    MPI_Op op = MPI_OP_NULL; ///< none: nothing is combined, as in a barrier
    bool is_commutative = true;
};

/// `std::plus<>` and its like, given the type of their operands, are operations that MPI knows.
template <class Op, class T>
struct with_operands {
    using type = Op;
};
template <template <class> class Op, class T>
struct with_operands<Op<void>, T> {
    using type = Op<T>;
};
template <class Op, class T>
using with_operands_t = typename with_operands<std::decay_t<Op>, T>::type;

/// Whether a function object's operands may be combined in any order: known for MPI's own operations, said of
/// others by `boost::mpi::is_commutative`.
template <class Op, class T>
inline constexpr bool is_commutative = boost::mpi::is_mpi_op<with_operands_t<Op, T>, T>::value ||
                                       boost::mpi::is_commutative<with_operands_t<Op, T>, T>::value;

/// The MPI operation for a function object. One that MPI does not know is made once and freed when MPI ends.
template <class Op, class T>
combination combination_of() {
    using function = with_operands_t<Op, T>;
    if constexpr (boost::mpi::is_mpi_op<function, T>::value) {
        return {boost::mpi::is_mpi_op<function, T>::op(), true};
    } else {
        static_assert(
            std::is_empty_v<function> && std::is_default_constructible_v<function>,
            "topo: an operation must be a function object without state, for MPI calls it without an "
            "object; pass what it needs inside the elements");
        static const MPI_Op made = [] {
            MPI_Op op = MPI_OP_NULL;
            const auto apply = [](void* left, void* right, int* count, MPI_Datatype*) {
                const T* const first = static_cast<const T*>(left);
                T* const second = static_cast<T*>(right);
                for (int i = 0; i < *count; ++i)
                    second[i] = function{}(first[i], second[i]);
            };
            mpi::check(MPI_Op_create(apply, is_commutative<Op, T> ? 1 : 0, &op), "MPI_Op_create",
                       "user's operation");
            finalize_hook::add([op]() mutable { MPI_Op_free(&op); });
            return op;
        }();
        return {made, is_commutative<Op, T>};
    }
}

} // namespace detail
} // namespace topo
