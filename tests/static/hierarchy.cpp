// SPDX-License-Identifier: BSL-1.0
// A hierarchy is made of a communicator where a program says so, and in no call of a verb.
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/cartesian_communicator.hpp>
#include <boost/mpi/communicator.hpp>

#include <type_traits>

template <class Comm>
inline constexpr bool is_explicit =
    std::is_constructible_v<topo::hierarchy, Comm> && !std::is_convertible_v<Comm, topo::hierarchy>;

static_assert(is_explicit<boost::mpi::communicator&>);
static_assert(is_explicit<const boost::mpi::cartesian_communicator&>);
static_assert(is_explicit<MPI_Comm>);
static_assert(is_explicit<const MPI_Comm&>);
static_assert(std::is_convertible_v<const topo::level&, topo::hierarchy>);
