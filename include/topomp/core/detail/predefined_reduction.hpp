// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which of MPI's own operations are defined on which datatypes.
#pragma once

#include <boost/mpi/config.hpp>

#include <array>
#include <string_view>

namespace topo::detail {

/// The groups of basic datatypes for which the MPI standard defines its operations; to be joined with |.
/// @see MPI standard, Predefined Reduction Operations
namespace type_group {
inline constexpr unsigned c_integer = 1, fortran_integer = 2, floating_point = 4, logical = 8, complex = 16,
                          byte = 32, multi_language = 64, pair = 128;
} // namespace type_group

/// MPI's own operations.
enum class op_kind {
    sum,
    product,
    maximum,
    minimum,
    logical_and,
    logical_or,
    logical_xor,
    bit_and,
    bit_or,
    bit_xor,
    maximum_place,
    minimum_place,
    of_windows,
    none ///< what is no operation of MPI's own
};

/// On which groups an operation is defined.
constexpr unsigned groups_of(op_kind kind) {
    using namespace type_group;
    constexpr unsigned ordered = c_integer | fortran_integer | floating_point | multi_language;
    switch (kind) {
    case op_kind::sum:
    case op_kind::product:
        return ordered | complex;
    case op_kind::maximum:
    case op_kind::minimum:
        return ordered;
    case op_kind::logical_and:
    case op_kind::logical_or:
    case op_kind::logical_xor:
        return c_integer | logical;
    case op_kind::bit_and:
    case op_kind::bit_or:
    case op_kind::bit_xor:
        return c_integer | fortran_integer | byte | multi_language;
    case op_kind::maximum_place:
    case op_kind::minimum_place:
        return pair;
    default:
        return 0;
    }
}

/// An operation of MPI's own.
struct predefined_op {
    MPI_Op op;
    op_kind kind;
    std::string_view name;
};

const std::array<predefined_op, 14>& predefined_ops();

/// Null for an operation of the user's, and for `MPI_OP_NULL`. Local. @cost a comparison for each operation
const predefined_op* find_predefined(MPI_Op op);

/// The groups of the types that MPI gives for a precision; 0 for all others. Local.
unsigned groups_of_precision([[maybe_unused]] MPI_Datatype type);

/// The groups of a datatype: 0 for `MPI_DATATYPE_NULL`, for derived types, and for basic ones that no
/// operation combines. `MPI_CHAR` counts as an integer, for Open MPI, MPICH and SimGrid's MPI all combine it.
/// Local. @cost a comparison for each basic type
unsigned groups_of(MPI_Datatype type);

/// Whether an operation is defined on a datatype, as each rank can tell by itself; an operation of the user's
/// is on all. Local.
/// @cost two comparisons for the pair that was the last with an operation of MPI's own
bool combines(MPI_Op op, MPI_Datatype type);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/predefined_reduction.ipp>
#endif
