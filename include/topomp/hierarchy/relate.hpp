// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the ranks of two communicators have to do with each other.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <vector>

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

enum class containment { none, any_order, same_order };

/// Whether all processes of a communicator are in another one. By their numbers there: the order in which a
/// group's intersection comes differs between MPIs.
inline containment contained(MPI_Comm small, MPI_Comm large) {
    std::vector<int> ranks(static_cast<std::size_t>(mpi::comm_size(small)));
    std::iota(ranks.begin(), ranks.end(), 0);
    ranks = translate(ranks, small, large);
    if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end()) return containment::none;
    return std::ranges::is_sorted(ranks) ? containment::same_order : containment::any_order;
}

} // namespace detail

/// How the first communicator relates to the second. Local. @cost linear in the smaller one's ranks
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
    const bool is_smaller = mpi::comm_size(first) < mpi::comm_size(second);
    switch (is_smaller ? detail::contained(first, second) : detail::contained(second, first)) {
    case detail::containment::same_order:
        return is_smaller ? relation::strict_sub : relation::strict_super;
    case detail::containment::any_order:
        return is_smaller ? relation::sub : relation::super;
    default:
        return relation::unequal;
    }
}

} // namespace topo
