// SPDX-License-Identifier: BSL-1.0
/// @file
/// The one place from the key of a call to its plan.
#pragma once

#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/length_class.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/decide/detail/measured_plans.hpp>
#include <topomp/model/usual_networks.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace topo::detail {

/// The sources of costs, in the order in which `decide` uses them.
struct cost_sources {
    std::shared_ptr<const measured_plans> file{};    ///< null: there is none
    std::shared_ptr<const machine_costs> measured{}; ///< null: there are none
    const model::usual_network* network = nullptr;   ///< null: that for which the tuned table was made

    bool is_empty() const { return file == nullptr && measured == nullptr && network == nullptr; }
    /// What the other has counts in the place of what is here of the same kind.
    void replace_by(const cost_sources& other) {
        if (other.file != nullptr) file = other.file;
        if (other.measured != nullptr) measured = other.measured;
        if (other.network != nullptr) network = other.network;
    }
};

/// What says that a plan is faster than the next one.
enum class cost_origin : unsigned char {
    tuning_file,
    measured_parameters,
    tuned_table,
    usual_network,
    several_networks, ///< nearly the first by the usual network, and never far behind on others
    rule,
    none ///< nobody knows the time
};

std::string_view to_string(cost_origin from);

struct ranked_plan {
    plan what;
    cost_origin from{};
    std::optional<double> seconds{}; ///< nothing: there is no model of it
};

/// The models' costs for a key: what was measured, where that is known.
struct costs_and_origin {
    machine_costs costs;
    cost_origin from;
};
costs_and_origin costs_for(const call_key& now, const cost_sources& known);

/// Whether a plan can serve a key: the verb, the order of operands, and whether it may wait for
/// other ranks.
bool can_serve(const plan& what, const call_key& now);

/// All plans among which `decide` chooses for a key: any algorithm between nodes with messages or memory
/// inside them, what was measured inside a node, and always the MPI's own collective.
std::vector<const plan*> candidates_for(const call_key& now);

/// The candidates: what is decided for, then the others, the fastest first; those without a
/// known time are left out.
/// @cost of models, linear in the number of ranks for each
std::vector<ranked_plan> rank_plans(const call_key& now, const cost_sources& known = {});

/// The same, with so many plans at least, if there are so many: behind the candidates stand others that can
/// serve, as a tuning file may name them, and then plans of which nobody knows the time, the MPI's own first.
std::vector<ranked_plan> rank_at_least(std::size_t number, const call_key& now, const cost_sources& known);

/// The first of `rank_plans`: the plan of a call. Local; ranks with the same key and the same costs decide
/// alike.
plan decide(const call_key& now, const cost_sources& known = {});
/// The same for a persistent form, where the decision for the blocking one is at hand.
plan decide_prepared(const call_key& now, const cost_sources& known, const plan& blocking);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/decide.ipp>
#endif
