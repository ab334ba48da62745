// SPDX-License-Identifier: BSL-1.0
/// @file
/// C++ function objects as MPI's operations.
#pragma once

#include <topomp/core/detail/basic_types.hpp>
#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/predefined_reduction.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>
#include <boost/mpi/operations.hpp>

#include <cstddef>
#include <functional>
#include <type_traits>

namespace topo::detail {

/// How a function object combines: an MPI operation, and whether it may be reordered.
struct combination {
    MPI_Op op = MPI_OP_NULL; ///< none: nothing is combined, as in a barrier
    bool is_commutative = true;
};

/// `std::plus<>` and its like, given the type of their operands, are predefined MPI operations.
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

/// Which of MPI's operations a function object of the standard library's or of Boost.MPI's is on types on
/// which MPI defines it.
template <class Op>
inline constexpr op_kind predefined_kind = op_kind::none;
template <class T>
inline constexpr op_kind predefined_kind<std::plus<T>> = op_kind::sum;
template <class T>
inline constexpr op_kind predefined_kind<std::multiplies<T>> = op_kind::product;
template <class T>
inline constexpr op_kind predefined_kind<boost::mpi::maximum<T>> = op_kind::maximum;
template <class T>
inline constexpr op_kind predefined_kind<boost::mpi::minimum<T>> =
    is_value_and_place<T> ? op_kind::minimum_place : op_kind::minimum;
template <class T>
inline constexpr op_kind predefined_kind<std::logical_and<T>> = op_kind::logical_and;
template <class T>
inline constexpr op_kind predefined_kind<std::logical_or<T>> = op_kind::logical_or;
template <class T>
inline constexpr op_kind predefined_kind<boost::mpi::logical_xor<T>> = op_kind::logical_xor;
template <class T>
inline constexpr op_kind predefined_kind<std::bit_and<T>> = op_kind::bit_and;
template <class T>
inline constexpr op_kind predefined_kind<boost::mpi::bitwise_and<T>> = op_kind::bit_and;
template <class T>
inline constexpr op_kind predefined_kind<std::bit_or<T>> = op_kind::bit_or;
template <class T>
inline constexpr op_kind predefined_kind<boost::mpi::bitwise_or<T>> = op_kind::bit_or;
template <class T>
inline constexpr op_kind predefined_kind<std::bit_xor<T>> = op_kind::bit_xor;
template <class T>
inline constexpr op_kind predefined_kind<boost::mpi::bitwise_xor<T>> = op_kind::bit_xor;

template <class Op>
inline constexpr bool is_predefined_kind = predefined_kind<Op> != op_kind::none;

/// Whether a function object is the one for operands of a basic type, as `std::plus<int>`.
template <class Function, class T>
inline constexpr bool is_for = false;
template <template <class> class Op, class U, class T>
inline constexpr bool is_for<Op<U>, T> = std::is_same_v<U, T>;

template <class Function>
inline constexpr bool is_for_basic = false;
template <template <class> class Op, class U>
inline constexpr bool is_for_basic<Op<U>> = basic_type<U>;

/// Whether a function object, as `std::plus<int>`, would cut elements that are floating-point numbers.
template <class Function, class T>
inline constexpr bool cuts = false;
template <template <class> class Op, class U, class T>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, bool>)
inline constexpr bool cuts<Op<U>, T> =
    std::is_floating_point_v<T> && (std::is_integral_v<U> || sizeof(U) < sizeof(T));

/// Whether a function object is one of MPI's operations on elements of a type.
template <class Function, class T>
inline constexpr bool is_predefined = [] {
    if constexpr (is_predefined_kind<Function> && is_for<Function, T>)
        return (groups_of(predefined_kind<Function>) & group_of_basic<T>) != 0;
    else
        return false;
}();

/// Whether a function object's operands may be combined in any order: known of the standard library's and of
/// Boost.MPI's on basic types, declared for others by `boost::mpi::is_commutative` or
/// `boost::mpi::is_mpi_op`.
template <class Op, class T>
inline constexpr bool is_commutative = (is_predefined_kind<with_operands_t<Op, T>> &&
                                        is_for_basic<with_operands_t<Op, T>> && basic_type<T>) ||
                                       boost::mpi::is_mpi_op<with_operands_t<Op, T>, T>::value
                                       || boost::mpi::is_commutative<with_operands_t<Op, T>, T>::value;

/// For an MPI handle only MPI can tell, at run time.
template <class T>
inline constexpr bool is_commutative<MPI_Op, T> = true;

/// The MPI operation for a function object. One that is not predefined is created once and freed when MPI
/// ends.
template <class Op, class T>
combination combination_of() {
    using function = with_operands_t<Op, T>;
    static_assert(
        !(is_predefined_kind<function> && cuts<function, T>),
        "topo: this operation, as std::plus<int> of doubles, would cut the elements: leave its type out, "
        "std::plus<>{}");
    if constexpr (is_predefined<function, T>) {
        return {predefined_ops()[static_cast<std::size_t>(predefined_kind<function>)].op, true};
    } else if constexpr (boost::mpi::is_mpi_op<function, T>::value) {
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

} // namespace topo::detail
