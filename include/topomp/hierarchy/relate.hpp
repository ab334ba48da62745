// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the ranks of two communicators have to do with each other.
#pragma once

#include <topomp/core/handle.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <mpi.h>

#include <string_view>

namespace topo {

/// How one communicator relates to another.
enum class relation {
    identical,    ///< the same communicator
    congruent,    ///< the same processes in the same order
    similar,      ///< the same processes in another order
    sub,          ///< the first one's processes are some of the second one's
    strict_sub,   ///< and in the same order
    super,        ///< the second one's processes are some of the first one's
    strict_super, ///< and in the same order
    unequal       ///< neither has all processes of the other
};

/// `strict_sub`
constexpr std::string_view to_string(relation which) {
    constexpr std::string_view names[] = {"identical",  "congruent", "similar",      "sub",
                                          "strict_sub", "super",     "strict_super", "unequal"};
    return names[static_cast<int>(which)];
}

namespace detail {

/// How the processes that are in both groups compare with one of them, which is the same as with the group
/// itself if it has no others. They come in the first one's order.
inline int compare_common(MPI_Group first, MPI_Group second, MPI_Group with) {
    MPI_Group common = MPI_GROUP_NULL;
    mpi::check(MPI_Group_intersection(first, second, &common), "MPI_Group_intersection", "two communicators");
    const auto owner = handle<group_traits>::adopt(common);
    int result = MPI_UNEQUAL;
    mpi::check(MPI_Group_compare(common, with, &result), "MPI_Group_compare", "two communicators");
    return result;
}

} // namespace detail

/// How the first communicator relates to the second. Local.
/// @throws usage_error, argument_error for a null or inter-communicator
/// @see paper 4, section 3.2 and appendix A (`MPI_Comm_relate`)
inline relation relate(MPI_Comm first, MPI_Comm second) {
    mpi::require_intracommunicator("topo::relate", first);
    mpi::require_intracommunicator("topo::relate", second);
    int result = MPI_UNEQUAL;
    mpi::check(MPI_Comm_compare(first, second, &result), "MPI_Comm_compare", "two communicators");
    if (result == MPI_IDENT) return relation::identical;
    if (result == MPI_CONGRUENT) return relation::congruent;
    if (result == MPI_SIMILAR) return relation::similar;
    const auto one = detail::group_of(first), other = detail::group_of(second);
    const MPI_Group a = one.native_handle(), b = other.native_handle();
    if (const int common = detail::compare_common(a, b, b); common != MPI_UNEQUAL)
        return common == MPI_IDENT ? relation::strict_super : relation::super;
    if (const int common = detail::compare_common(b, a, a); common != MPI_UNEQUAL)
        return common == MPI_IDENT ? relation::strict_sub : relation::sub;
    return relation::unequal;
}

} // namespace topo
