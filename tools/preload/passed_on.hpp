// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that are always the MPI's own, or persistent, and have a line in the report all the same.
#pragma once

#include <boost/preprocessor/cat.hpp>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <string_view>

#ifdef OMPI_MPI_H
#include <mpi-ext.h>
#endif

// Names and numbers of arguments: macros, for no function can define others by their names.

#define TOPOMP_STARTED_PASSED_ON(X) X(Ialltoallw, 10)

#define TOPOMP_PERSISTENT_PASSED_ON(X) X(Alltoallw, 9)

/// Whose persistent forms are served.
#define TOPOMP_PERSISTENT_SERVED(X)                                                                          \
    X(Barrier, 1)                                                                                            \
    X(Bcast, 5)                                                                                              \
    X(Reduce, 7)                                                                                             \
    X(Allreduce, 6)                                                                                          \
    X(Gather, 8)                                                                                             \
    X(Scatter, 8)                                                                                            \
    X(Gatherv, 9)                                                                                            \
    X(Scatterv, 9)                                                                                           \
    X(Allgather, 7)                                                                                          \
    X(Allgatherv, 8)                                                                                         \
    X(Alltoall, 7)                                                                                           \
    X(Alltoallv, 9)                                                                                          \
    X(Reduce_scatter, 6)                                                                                     \
    X(Reduce_scatter_block, 6)                                                                               \
    X(Scan, 6)                                                                                               \
    X(Exscan, 6)                                                                                             \
    X(Neighbor_allgather, 7)                                                                                 \
    X(Neighbor_allgatherv, 8)                                                                                \
    X(Neighbor_alltoall, 7)                                                                                  \
    X(Neighbor_alltoallv, 9)                                                                                 \
    X(Neighbor_alltoallw, 9)

/// X(name without MPI_, arguments), what is behind the name of its persistent form, of that with large
/// counts, and of both.
#define TOPOMP_PASSED_ON(X, PERSISTENT, LARGE, LARGE_PERSISTENT)                                             \
    TOPOMP_STARTED_PASSED_ON(X)                                                                              \
    TOPOMP_PERSISTENT_SERVED(PERSISTENT)                                                                     \
    TOPOMP_PERSISTENT_PASSED_ON(PERSISTENT)                                                                  \
    TOPOMP_STARTED_PASSED_ON(LARGE)                                                                          \
    TOPOMP_PERSISTENT_PASSED_ON(LARGE_PERSISTENT)

/// Whether the MPI has those of its standard's version 4, and under which prefix the persistent ones.
#if MPI_VERSION >= 4
#define TOPOMP_HAS_LARGE_COUNTS 1
#define TOPOMP_HAS_PERSISTENT 1
#define TOPOMP_PERSISTENT_PREFIX MPI_
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define TOPOMP_HAS_LARGE_COUNTS 0
#define TOPOMP_HAS_PERSISTENT 1
#define TOPOMP_PERSISTENT_PREFIX MPIX_
#else
#define TOPOMP_HAS_LARGE_COUNTS 0
#define TOPOMP_HAS_PERSISTENT 0
#define TOPOMP_PERSISTENT_PREFIX MPI_
#endif

/// The MPI's own persistent form, and what programs call in its place.
#define TOPOMP_PERSISTENT(name) BOOST_PP_CAT(TOPOMP_PERSISTENT_PREFIX, name##_init)
#define TOPOMP_INTERCEPTED_PERSISTENT(name) BOOST_PP_CAT(intercepted_, TOPOMP_PERSISTENT(name))

namespace topo::preload {

#define TOPOMP_ONE(name, arguments) name,
#define TOPOMP_ONE_PERSISTENT(name, arguments) name##_init,
#define TOPOMP_ONE_LARGE(name, arguments) name##_c,
#define TOPOMP_ONE_LARGE_PERSISTENT(name, arguments) name##_init_c,

/// These calls, whether the MPI has them or not.
enum class passed_call : std::size_t {
    TOPOMP_PASSED_ON(TOPOMP_ONE, TOPOMP_ONE_PERSISTENT, TOPOMP_ONE_LARGE, TOPOMP_ONE_LARGE_PERSISTENT) end
};

#undef TOPOMP_ONE
#undef TOPOMP_ONE_PERSISTENT
#undef TOPOMP_ONE_LARGE
#undef TOPOMP_ONE_LARGE_PERSISTENT
#define TOPOMP_ONE(name, arguments) #name,
#define TOPOMP_ONE_PERSISTENT(name, arguments) #name "_init",
#define TOPOMP_ONE_LARGE(name, arguments) #name "_c",
#define TOPOMP_ONE_LARGE_PERSISTENT(name, arguments) #name "_init_c",

inline constexpr auto number_of_passed_calls = static_cast<std::size_t>(passed_call::end);

/// Their names, with a capital letter in front.
inline constexpr std::array<std::string_view, number_of_passed_calls> passed_call_names{
    TOPOMP_PASSED_ON(TOPOMP_ONE, TOPOMP_ONE_PERSISTENT, TOPOMP_ONE_LARGE, TOPOMP_ONE_LARGE_PERSISTENT)};

#undef TOPOMP_ONE
#undef TOPOMP_ONE_PERSISTENT
#undef TOPOMP_ONE_LARGE
#undef TOPOMP_ONE_LARGE_PERSISTENT

} // namespace topo::preload
