// SPDX-License-Identifier: BSL-1.0
// A hierarchy is made of a communicator where a program says so, and in no call of a verb.
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/cartesian_communicator.hpp>
#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <type_traits>
#include <utility>

template <class Comm>
inline constexpr bool is_explicit =
    std::is_constructible_v<topo::hierarchy, Comm> && !std::is_convertible_v<Comm, topo::hierarchy>;

static_assert(is_explicit<boost::mpi::communicator&>);
static_assert(is_explicit<const boost::mpi::cartesian_communicator&>);
static_assert(is_explicit<MPI_Comm>);
static_assert(is_explicit<const MPI_Comm&>);
static_assert(std::is_convertible_v<const topo::level&, topo::hierarchy>);

// Nor does a hierarchy change what a program's own functions do with a communicator.
namespace hierarchy_static {

struct own_comm {
    own_comm(MPI_Comm);
    own_comm(const boost::mpi::communicator&);
};
struct by_hierarchy {};
struct by_own {};
by_hierarchy take(const topo::hierarchy&);
by_own take(const own_comm&);
template <class Argument, class Expected>
inline constexpr bool takes = std::is_same_v<decltype(take(std::declval<Argument>())), Expected>;
static_assert(takes<MPI_Comm, by_own>);
static_assert(takes<const boost::mpi::communicator&, by_own>);
static_assert(takes<boost::mpi::cartesian_communicator, by_own>);
static_assert(takes<const topo::hierarchy&, by_hierarchy>);
static_assert(takes<const topo::level&, by_hierarchy>);

// Also of functions that are named as the verbs, and are found beside them.
by_own barrier(const own_comm&);
by_own broadcast(const own_comm&, double&, long root);
namespace beside_the_verbs {
using namespace topo; // NOLINT(google-build-using-namespace)
static_assert(std::is_same_v<decltype(barrier(std::declval<MPI_Comm>())), by_own>);
static_assert(std::is_same_v<decltype(barrier(std::declval<boost::mpi::communicator&>())), by_own>);
static_assert(
    std::is_same_v<decltype(broadcast(std::declval<MPI_Comm>(), std::declval<double&>(), 0)), by_own>);
} // namespace beside_the_verbs

// What is both is a hierarchy.
struct surroundings {
    operator MPI_Comm() const;
    operator const topo::hierarchy&() const;
};
template <class Comm>
concept has_barrier = requires(const Comm& comm) {
    topo::barrier(comm);
};
static_assert(has_barrier<topo::hierarchy> && has_barrier<topo::level> && has_barrier<surroundings>);
static_assert(!has_barrier<MPI_Comm> && !has_barrier<boost::mpi::communicator>);

} // namespace hierarchy_static
