// SPDX-License-Identifier: BSL-1.0
/// @file
/// The choice of `automatic` where nothing was measured: the fastest plan by the cost models.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/tuned_node.hpp>
#include <topomp/model/log_gp.hpp>
#include <topomp/model/message_cost.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <tuple>

namespace topo::detail {

/// LogGP's messages, with the total rate of a node's ranks limited by its link.
struct usual_messages {
    model::log_gp single;
    double node_rate = std::numeric_limits<double>::infinity(); ///< bytes a second

    constexpr model::message_cost cost(double bytes, int flows = 1) const {
        const double shared = flows * bytes / node_rate;
        model::message_cost alone = single.cost(bytes);
        return {std::max(alone.gap, shared), std::max(alone.time, single.latency + shared), alone.busy};
    }
};

/// The parameters of scripts/tune's platforms: see benchmarks/platforms/ntw32x16.xml, of whose nodes most are
/// behind another switch.
inline constexpr usual_messages usual_between_nodes{{2e-6, 3e-7, 3e-7, 8e-11}, 12.5e9};
inline constexpr usual_messages usual_inside_node{{2.5e-7, 3e-7, 3e-7, 1e-10}};

/// Twice as many nodes as the largest of scripts/tune's platforms has: the limit up to which a measured
/// choice applies.
inline constexpr int nodes_not_measured = 64;

/// Whether a model chooses: on many nodes, for verbs with a model of every candidate.
constexpr bool goes_by_model(const call_key& now) {
    if (now.nodes() < nodes_not_measured || !now.crosses_nodes() || !now.has_levels()) return false;
    if (choose_through_nodes(now)) return false;
    return now.what == verb::barrier || now.what == verb::broadcast || now.what == verb::reduce ||
           now.what == verb::all_reduce;
}

/// The candidate for a verb with the least time by the models.
/// @pre `goes_by_model` @cost linear in the number of ranks
plan choose_by_model(const call_key& now);

/// The plans that a context's models chose, by powers of two of the length.
class modelled_choices {
public:
    explicit modelled_choices(context&) {}

    const plan& of(call_key now);

private:
    std::map<std::tuple<verb, bool, std::size_t>, plan> chosen_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/modelled.ipp>
#endif
