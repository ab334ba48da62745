// SPDX-License-Identifier: BSL-1.0
/// @file
/// The verbs by many policies, as rows of functions: tests loop over rows instead of being templates.
#pragma once

#include "support/for_each_algorithm.hpp"
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/ibarrier.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/decide/detail/tuned.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <mpi.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo_test {

/// The type-erased verbs by one policy.
struct verbs {
    std::string name;
    void (*broadcast)(const topo::hierarchy&, topo::message, int root) = nullptr;
    void (*reduce)(const topo::hierarchy&, const void* input, topo::message result, MPI_Op,
                   int root) = nullptr;
    void (*all_reduce)(const topo::hierarchy&, const void* input, topo::message result, MPI_Op) = nullptr;
    void (*barrier)(const topo::hierarchy&) = nullptr;
};

template <class Policy>
constexpr bool is_served(topo::detail::verb what) {
    return std::is_same_v<Policy, topo::automatic> || serves(topo::detail::algorithm_of<Policy>, what);
}

/// Null for what the policy does not serve.
template <class Policy>
verbs verbs_by(std::string name) {
    using topo::detail::verb;
    verbs result;
    result.name = std::move(name);
    if constexpr (is_served<Policy>(verb::broadcast))
        result.broadcast = [](const topo::hierarchy& levels, topo::message what, int root) {
            topo::broadcast(levels, what, root, Policy{});
        };
    if constexpr (is_served<Policy>(verb::reduce))
        result.reduce = [](const topo::hierarchy& levels, const void* input, topo::message sum, MPI_Op op,
                           int root) { topo::reduce(levels, input, sum, op, root, Policy{}); };
    if constexpr (is_served<Policy>(verb::all_reduce))
        result.all_reduce = [](const topo::hierarchy& levels, const void* input, topo::message sum,
                               MPI_Op op) { topo::all_reduce(levels, input, sum, op, Policy{}); };
    if constexpr (is_served<Policy>(verb::barrier))
        result.barrier = [](const topo::hierarchy& levels) { topo::barrier(levels, Policy{}); };
    return result;
}

/// With `automatic` for what the policy does not serve.
inline verbs completed(verbs by) {
    const verbs rest = verbs_by<topo::automatic>("automatic");
    if (by.broadcast == nullptr) by.broadcast = rest.broadcast;
    if (by.reduce == nullptr) by.reduce = rest.reduce;
    if (by.all_reduce == nullptr) by.all_reduce = rest.all_reduce;
    if (by.barrier == nullptr) by.barrier = rest.barrier;
    return by;
}

/// The non-blocking verbs, waited for at once. Null for what the policy does not serve so.
template <class Policy>
verbs verbs_in_background_by(std::string name) {
    using topo::detail::verb;
    verbs result;
    result.name = std::move(name) + " in the background";
    if constexpr (is_served_in_background<Policy>(verb::broadcast))
        result.broadcast = [](const topo::hierarchy& levels, topo::message what, int root) {
            topo::ibroadcast(levels, what, root, Policy{}).wait();
        };
    if constexpr (is_served_in_background<Policy>(verb::reduce))
        result.reduce = [](const topo::hierarchy& levels, const void* input, topo::message sum, MPI_Op op,
                           int root) { topo::ireduce(levels, input, sum, op, root, Policy{}).wait(); };
    if constexpr (is_served_in_background<Policy>(verb::all_reduce))
        result.all_reduce = [](const topo::hierarchy& levels, const void* input, topo::message sum,
                               MPI_Op op) { topo::iall_reduce(levels, input, sum, op, Policy{}).wait(); };
    if constexpr (is_served_in_background<Policy>(verb::barrier))
        result.barrier = [](const topo::hierarchy& levels) { topo::ibarrier(levels, Policy{}).wait(); };
    return result;
}

/// The algorithms whose policies have no shapes nor rules, in the background and then not. @tparam Reorders
/// whether they combine operands in another order than that of ranks
template <bool Reorders>
std::vector<verbs> algorithms() {
    using topo::detail::verb;
    std::vector<verbs> in_background, blocking;
    for_each_algorithm<verb::broadcast, verb::reduce, verb::all_reduce>(
        [&]<class Policy>(const std::string& name) {
            if constexpr (reorders(topo::detail::algorithm_of<Policy>) == Reorders) {
                in_background.push_back(completed(verbs_in_background_by<Policy>(name)));
                blocking.push_back(completed(verbs_by<Policy>(name)));
            }
        });
    std::ranges::move(blocking, std::back_inserter(in_background));
    return in_background;
}

/// Those that have no other of these verbs than a barrier.
inline std::vector<verbs> barrier_algorithms() {
    std::vector<verbs> all;
    for_each_algorithm<topo::detail::verb::barrier>([&]<class Policy>(const std::string& name) {
        for (const verbs& by : {verbs_by<Policy>(name), verbs_in_background_by<Policy>(name)})
            if (by.broadcast == nullptr && by.reduce == nullptr && by.all_reduce == nullptr &&
                by.barrier != nullptr)
                all.push_back(by);
    });
    return all;
}

/// Messages of a few hundred bytes are several of these.
inline constexpr std::size_t short_segment = 64;

/// Policies that keep operands in the order of ranks. Those in the background come first, before other calls
/// have made the roots known.
inline std::vector<verbs> ordered_policies() {
    using namespace topo;
    std::vector<verbs> all{
        verbs_in_background_by<segmented<short_segment, chain>>("pipeline"),
        verbs_in_background_by<binomial>("binomial"),
    };
    std::ranges::move(algorithms<false>(), std::back_inserter(all));
    std::vector<verbs> others{
        verbs_by<linear>("linear"),
        verbs_by<chain>("chain"),
        verbs_by<binomial>("binomial"),
        verbs_by<k_nomial<3>>("3-nomial"),
        verbs_by<k_nomial<4>>("4-nomial"),
        verbs_by<in_order_binary>("in-order binary"),
        verbs_by<segmented<short_segment, chain>>("pipeline"),
        verbs_by<segmented<short_segment,
                           per_level<on<kind::cluster, k_nomial<3>>, on<kind::network_switch, linear>,
                                     on<kind::machine, chain>, otherwise<in_order_binary>>>>(
            "mixed, in order"),
        verbs_by<native>("native"),
        verbs_by<hierarchical<within<kind::machine, mpi_calls>, otherwise<mpi_calls>>>(
            "native within machines"),
        completed(verbs_by<recursive_doubling>("recursive doubling")),
        verbs_by<automatic>("automatic"),
    };
    std::ranges::move(others, std::back_inserter(all));
    return all;
}

/// Policies that do not.
inline std::vector<verbs> reordering_policies() {
    using namespace topo;
    return {
        verbs_by<binary>("binary"),
        verbs_by<k_ary<3>>("3-ary"),
        verbs_by<node_aware_postal<4, 2, true>>("node_aware_postal that crosses nodes"),
        verbs_by<segmented<short_segment, node_aware_postal<3, 1>>>("node_aware_postal in segments"),
        verbs_by<segmented<short_segment, two_levels<chain>>>("two levels in segments"),
        verbs_by<
            segmented<short_segment,
                      per_level<on<kind::cluster, k_nomial<4>>, on<kind::network_switch, binary>,
                                on<kind::machine, k_ary<3>>, on<kind::package, linear>, otherwise<chain>>>>(
            "mixed"),
    };
}

/// Exchanges for commutative operations.
inline std::vector<verbs> commuting_policies() {
    using namespace topo;
    std::vector<verbs> all{
        verbs_in_background_by<node_aware_postal<4, 2, true>>("node_aware_postal that crosses nodes"),
        completed(verbs_by<rabenseifner>("Rabenseifner")),
        completed(verbs_by<k_ary_rabenseifner<4>>("Rabenseifner by 4")),
        completed(verbs_by<circulant<short_segment>>("circulant"))};
    std::ranges::move(algorithms<true>(), std::back_inserter(all));
    return all;
}

inline std::vector<verbs> all_policies() {
    auto result = ordered_policies();
    std::ranges::move(reordering_policies(), std::back_inserter(result));
    std::ranges::move(commuting_policies(), std::back_inserter(result));
    return result;
}

/// Policies whose barrier is to be tried.
inline std::vector<verbs> barrier_policies() {
    auto result = all_policies();
    std::ranges::move(barrier_algorithms(), std::back_inserter(result));
    return result;
}

} // namespace topo_test
