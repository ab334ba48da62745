// SPDX-License-Identifier: BSL-1.0
// What the verbs take for a policy, for counts and for a hierarchy, and that a template can ask.
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/iscan.hpp>
#include <topomp/collective/progress_thread.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/iall_reduce.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/neighbour/neighbourhood.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <list>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace arguments_static {

template <class... Types>
inline constexpr bool are_policies = (topo::policy<Types> && ...);
static_assert(are_policies<topo::automatic, topo::native, topo::binomial, topo::k_ary<3>, topo::split_binary,
                           topo::two_tree, topo::rabenseifner, topo::recursive_doubling,
                           topo::recursive_halving, topo::node_aware_postal<4, 1>>);
static_assert(are_policies<topo::segmented<1024, topo::chain>, topo::placement_independent<>, topo::lanes<>,
                           topo::two_levels<topo::binomial>, topo::lanes<topo::native, topo::native>,
                           topo::per_level<topo::otherwise<topo::linear>>,
                           topo::hierarchical<topo::otherwise<topo::mpi_calls>>>);
struct own_shape : topo::chain {};
static_assert(topo::policy<own_shape>);
template <class... Types>
inline constexpr bool are_none = (!topo::policy<Types> && ...);
static_assert(are_none<int, double, MPI_Op, int*, std::vector<int>, std::span<int>, topo::message,
                       topo::hierarchy, std::plus<>, topo::mpi_calls>);

template <class... Types>
inline constexpr bool are_integers = (std::convertible_to<Types, topo::integers> && ...);
static_assert(are_integers<std::vector<int>&, const std::vector<int>&, std::vector<long>, std::list<short>&,
                           std::array<long, 4>&, std::span<const std::size_t>, int (&)[3]>);
static_assert(!std::convertible_to<int, topo::integers>);
static_assert(!std::convertible_to<std::vector<double>&, topo::integers>);
static_assert(!std::convertible_to<std::vector<std::string>&, topo::integers>);

static_assert(std::convertible_to<const topo::level&, topo::hierarchy>);
static_assert(!std::convertible_to<boost::mpi::communicator, topo::hierarchy>); // never by accident
static_assert(std::constructible_from<topo::hierarchy, MPI_Comm, topo::machine, topo::placement>);
static_assert(std::constructible_from<topo::hierarchy, MPI_Comm, topo::place>);

template <class... Arguments>
concept broadcasts = requires(const topo::hierarchy& levels, const topo::level& part,
                              Arguments... arguments) {
    topo::broadcast(levels, arguments...);
    topo::broadcast(part, arguments...);
};
static_assert(broadcasts<std::vector<int>&, int>);
static_assert(broadcasts<std::span<int>, int, topo::binomial>);
static_assert(broadcasts<topo::message, int>);
static_assert(!broadcasts<std::vector<int>&, int, int>);
static_assert(!broadcasts<std::vector<int>&, int, std::vector<int>>);
static_assert(!broadcasts<int*, int, int>);
static_assert(!broadcasts<int*, int>);
static_assert(!broadcasts<std::vector<int>&> && !broadcasts<int&, topo::binomial>); // without a root

// A verb that does not wait and has no buffer for its result.
template <class... Arguments>
concept starts_sums = requires(const topo::hierarchy& levels, Arguments... arguments) {
    topo::iall_reduce(levels, arguments...);
    topo::all_reduce_init(levels, arguments...);
    topo::iscan(levels, arguments...);
};
template <class... Arguments>
concept starts_any_sum = requires(const topo::hierarchy& levels, Arguments... arguments) {
    topo::iall_reduce(levels, arguments...);
}
|| requires(const topo::hierarchy& levels, Arguments... arguments) {
    topo::all_reduce_init(levels, arguments...);
}
|| requires(const topo::hierarchy& levels, Arguments... arguments) { topo::iscan(levels, arguments...); }
|| requires(const topo::hierarchy& levels, Arguments... arguments) {
    topo::hybrid::iall_reduce(levels, arguments...);
};
static_assert(starts_sums<std::vector<int>&, std::vector<int>&, std::plus<>>);
static_assert(starts_sums<int&, int&, std::plus<>, topo::binomial>);
static_assert(starts_sums<void*, topo::message, MPI_Op>);
static_assert(!starts_any_sum<std::vector<int>&, std::plus<>>);
static_assert(!starts_any_sum<const int&, std::plus<>, topo::binomial>);

// A communicator in the place of a hierarchy.
static_assert(!std::constructible_from<topo::neighbourhood, boost::mpi::communicator&, std::vector<int>,
                                       std::vector<int>>);
static_assert(!std::constructible_from<topo::shared_window<int>, MPI_Comm, int>);
static_assert(!std::constructible_from<topo::progress_thread, const boost::mpi::communicator&>);

} // namespace arguments_static
