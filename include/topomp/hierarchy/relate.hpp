// SPDX-License-Identifier: BSL-1.0
/// @file
/// How the ranks of two communicators relate.
#pragma once

#include <boost/mpi/config.hpp>

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

enum class containment { none, any_order, same_order };

/// Whether all processes of a communicator are in another one. By their ranks there: the order of a group's
/// intersection differs between MPIs.
containment contained(MPI_Comm small, MPI_Comm large);

} // namespace detail

/// How the first communicator relates to the second. Local. @cost linear in the smaller one's ranks
/// @throws usage_error, argument_error for a null or inter-communicator
/// @see paper 4, section 3.2 and appendix A (`MPI_Comm_relate`)
relation relate(MPI_Comm first, MPI_Comm second);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/relate.ipp>
#endif
