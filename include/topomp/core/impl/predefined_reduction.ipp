// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/predefined_reduction.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>

namespace topo::detail {

TOPOMP_INLINE const std::array<predefined_op, 14>& predefined_ops() {
    using enum op_kind;
    static const std::array<predefined_op, 14> all{{{MPI_SUM, sum, "MPI_SUM"},
                                                    {MPI_PROD, product, "MPI_PROD"},
                                                    {MPI_MAX, maximum, "MPI_MAX"},
                                                    {MPI_MIN, minimum, "MPI_MIN"},
                                                    {MPI_LAND, logical_and, "MPI_LAND"},
                                                    {MPI_LOR, logical_or, "MPI_LOR"},
                                                    {MPI_LXOR, logical_xor, "MPI_LXOR"},
                                                    {MPI_BAND, bit_and, "MPI_BAND"},
                                                    {MPI_BOR, bit_or, "MPI_BOR"},
                                                    {MPI_BXOR, bit_xor, "MPI_BXOR"},
                                                    {MPI_MAXLOC, maximum_place, "MPI_MAXLOC"},
                                                    {MPI_MINLOC, minimum_place, "MPI_MINLOC"},
                                                    {MPI_REPLACE, of_windows, "MPI_REPLACE"},
                                                    {MPI_NO_OP, of_windows, "MPI_NO_OP"}}};
    return all;
}

TOPOMP_INLINE const predefined_op* find_predefined(MPI_Op op) {
    const auto found = std::ranges::find(predefined_ops(), op, &predefined_op::op);
    return found == predefined_ops().end() ? nullptr : &*found;
}

TOPOMP_INLINE unsigned groups_of_precision([[maybe_unused]] MPI_Datatype type) {
#ifndef SMPI_H // which has none
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    mpi::check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope",
               "datatype");
    if (combiner == MPI_COMBINER_F90_INTEGER) return type_group::fortran_integer;
    if (combiner == MPI_COMBINER_F90_REAL) return type_group::floating_point;
    if (combiner == MPI_COMBINER_F90_COMPLEX) return type_group::complex;
#endif
    return 0;
}

TOPOMP_INLINE unsigned groups_of(MPI_Datatype type) {
    using namespace type_group;
    struct member {
        MPI_Datatype type;
        unsigned groups;
    };
    // A type may be in several rows: if the MPI has one handle for two names, or none for some, which are
    // then null.
    static const std::array all {
        member{MPI_CHAR, c_integer}, member{MPI_SIGNED_CHAR, c_integer}, member{MPI_UNSIGNED_CHAR, c_integer},
            member{MPI_SHORT, c_integer}, member{MPI_UNSIGNED_SHORT, c_integer}, member{MPI_INT, c_integer},
            member{MPI_UNSIGNED, c_integer}, member{MPI_LONG, c_integer},
            member{MPI_UNSIGNED_LONG, c_integer}, member{MPI_LONG_LONG, c_integer},
            member{MPI_UNSIGNED_LONG_LONG, c_integer}, member{MPI_INT8_T, c_integer},
            member{MPI_UINT8_T, c_integer}, member{MPI_INT16_T, c_integer}, member{MPI_UINT16_T, c_integer},
            member{MPI_INT32_T, c_integer}, member{MPI_UINT32_T, c_integer}, member{MPI_INT64_T, c_integer},
            member{MPI_UINT64_T, c_integer}, member{MPI_INTEGER, fortran_integer},
            member{MPI_INTEGER1, fortran_integer}, member{MPI_INTEGER2, fortran_integer},
            member{MPI_INTEGER4, fortran_integer}, member{MPI_INTEGER8, fortran_integer},
#ifdef MPI_INTEGER16
            member{MPI_INTEGER16, fortran_integer},
#endif
            member{MPI_FLOAT, floating_point}, member{MPI_DOUBLE, floating_point},
            member{MPI_LONG_DOUBLE, floating_point}, member{MPI_REAL, floating_point},
            member{MPI_DOUBLE_PRECISION, floating_point},
#ifdef MPI_REAL2
            member{MPI_REAL2, floating_point},
#endif
            member{MPI_REAL4, floating_point}, member{MPI_REAL8, floating_point},
#ifdef MPI_REAL16
            member{MPI_REAL16, floating_point},
#endif
            member{MPI_LOGICAL, logical}, member{MPI_C_BOOL, logical}, member{MPI_CXX_BOOL, logical},
            member{MPI_COMPLEX, complex}, member{MPI_DOUBLE_COMPLEX, complex},
            member{MPI_C_FLOAT_COMPLEX, complex}, member{MPI_C_DOUBLE_COMPLEX, complex},
            member{MPI_C_LONG_DOUBLE_COMPLEX, complex},
#ifndef SMPI_H // which has names for these but no operation on them
            member{MPI_CXX_BOOL, logical}, member{MPI_CXX_FLOAT_COMPLEX, complex},
            member{MPI_CXX_DOUBLE_COMPLEX, complex}, member{MPI_CXX_LONG_DOUBLE_COMPLEX, complex},
#endif
            member{MPI_COMPLEX8, complex}, member{MPI_COMPLEX16, complex},
#if defined(MPI_COMPLEX32) && !defined(MPICH_VERSION) // which moves it and has no operation on it
            member{MPI_COMPLEX32, complex},
#endif
            member{MPI_BYTE, byte}, member{MPI_AINT, multi_language}, member{MPI_OFFSET, multi_language},
            member{MPI_COUNT, multi_language}, member{MPI_FLOAT_INT, pair}, member{MPI_DOUBLE_INT, pair},
            member{MPI_LONG_INT, pair}, member{MPI_2INT, pair}, member{MPI_SHORT_INT, pair},
            member{MPI_LONG_DOUBLE_INT, pair}, member{MPI_2REAL, pair}, member{MPI_2DOUBLE_PRECISION, pair},
            member{MPI_2INTEGER, pair},
    };
    if (type == MPI_DATATYPE_NULL) return 0;
    unsigned groups = 0;
    for (const member& each : all)
        if (each.type == type) groups |= each.groups;
    return groups != 0 ? groups : groups_of_precision(type);
}

TOPOMP_INLINE bool combines(MPI_Op op, MPI_Datatype type) {
    // No handle in here is ever freed.
    thread_local MPI_Op last_op = MPI_OP_NULL;
    thread_local MPI_Datatype last_type = MPI_DATATYPE_NULL;
    if (op == MPI_OP_NULL || type == MPI_DATATYPE_NULL) return false;
    if (op == last_op && type == last_type) return true;
    const predefined_op* const known = find_predefined(op);
    if (known == nullptr) return true;
    if ((groups_of(known->kind) & groups_of(type)) == 0) return false;
    last_op = op;
    last_type = type;
    return true;
}

} // namespace topo::detail
