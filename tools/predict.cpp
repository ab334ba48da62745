// SPDX-License-Identifier: BSL-1.0
#include "predict.hpp"

#include "measure_quality.hpp"
#include "output.hpp"
#include <topomp/core/error.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/explanation.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/decide/detail/model_table.hpp>
#include <topomp/decide/detail/predicted.hpp>
#include <topomp/decide/detail/read_sources.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/flat_time.hpp>
#include <topomp/model/measured_messages.hpp>
#include <topomp/model/table.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_text.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>

namespace topo::tool {

namespace {

using model::machine_parameters;
using model::measured_messages;
using level_models = std::vector<model::level_model<measured_messages>>;

[[noreturn]] void refuse(const std::string& what, const std::string& problem) {
    throw argument_error("topomp predict", what, problem);
}

/// The models that are listed: of exchanges over the levels of the parameters, each step after the one
/// before.
constexpr auto& listed_models = detail::model_table<measured_messages, detail::model_reader::list>;

/// By verb: some trees, and all exchanges of which there is a model.
const std::map<std::string_view, std::vector<std::string>>& known_policies() {
    static const auto all = [] {
        std::map<std::string_view, std::vector<std::string>> known{
            {"barrier", {"binomial", "k_nomial<4>", "linear"}},
            {"broadcast",
             {"linear", "chain", "binary", "binomial", "k_nomial<4>", "in_order_binary", "split_binary",
              "two_tree"}},
            {"reduce", {"linear", "chain", "binary", "binomial", "k_nomial<4>", "in_order_binary"}},
            {"all_reduce", {"chain", "binary", "binomial", "k_nomial<4>"}},
        };
        for (const auto& each : listed_models)
            if (each.seconds != nullptr) known[to_string(each.what)].push_back(to_string(plan{each.uses}));
        return known;
    }();
    return all;
}

/// Seconds to combine a byte with another: reading two and writing one takes about as long as copying.
double combine_per_byte(const machine_parameters& machine, double bytes) {
    if (machine.copies.empty()) return 0; // in a simulation it costs nothing
    const double rate = model::detail::read_table(
        machine.copies, bytes, [](const machine_parameters::copy& at) { return at.bytes_per_second; });
    return 1 / rate;
}

/// Each level's shape. @param rules of a tree over all levels
std::vector<any_shape> shapes_of(const machine_parameters& machine, const detail::tree_plan& rules) {
    std::vector<any_shape> shapes;
    for (const auto& level : machine.levels) {
        level_info info;
        info.type = level.inside;
        shapes.push_back(rules.shape_for(info));
    }
    return shapes;
}

/// A policy as `predict` takes it: `hierarchical:` stands in front of shapes of which one level ends before
/// the next begins.
struct tree_policy_text {
    plan what;
    bool is_level_by_level = false;

    explicit tree_policy_text(const std::string& text) {
        constexpr std::string_view by_level = "hierarchical:";
        is_level_by_level = text.starts_with(by_level);
        what = read_plan("topomp predict", "--policy '" + text + "'",
                         std::string_view{text}.substr(is_level_by_level ? by_level.size() : 0));
    }
    bool is_split() const { return what.uses == detail::algorithm::split_trees; }
    /// Whether the models here know it: trees of a shape per level.
    bool is_known() const {
        return is_split() || (what.uses == detail::algorithm::tree && !what.tree.node_aware &&
                              what.tree.through == detail::node_leader::none);
    }
};

/// One direction of a tree: down, or with combining up. @pre `policy.is_known()`
double tree_seconds(const machine_parameters& machine, const tree_policy_text& policy, double segment,
                    double bytes, double combine) {
    const level_models all = machine.models();
    const double piece = segment > 0 && segment < bytes ? segment : bytes;
    const double segments = piece > 0 ? std::ceil(bytes / piece) : 1;
    const detail::tree_plan& tree = policy.what.tree;
    if (tree.ignores_placement)
        return model::flat_tree<measured_messages>{all, {}, combine}.time(tree.rules.back().shape, piece,
                                                                          segments);
    if (policy.is_split()) {
        const auto halves = model::costs_of(std::span{all}, std::min(piece, bytes / 2), combine);
        return model::split_broadcast_time(shapes_of(machine, tree),
                                           shapes_of(machine, policy.what.second_tree), halves,
                                           std::max(1.0, std::ceil(segments / 2)));
    }
    const auto costs = model::costs_of(std::span{all}, piece, combine);
    if (policy.is_level_by_level) return model::hierarchical_time(shapes_of(machine, tree), costs, segments);
    return model::broadcast_time(shapes_of(machine, tree), costs, segments);
}

/// A call on the machine of the parameters: all its nodes are alike.
detail::call_key key_of(const machine_parameters& machine, const std::string& verb, double bytes) {
    detail::call_key now;
    now.what = detail::verb_of("topomp predict", verb);
    now.joins_all = machine.levels.front().inside;
    now.max_depth = static_cast<int>(machine.levels.size()) - 1;
    now.node_count = 1;
    for (const auto& level : machine.levels) {
        now.ranks *= level.members;
        if (detail::joins_nodes(level.inside))
            now.node_count *= level.members;
        else
            now.ranks_of_node *= level.members;
    }
    now.least_of_node = now.ranks_of_node;
    if (now.what == detail::verb::barrier) return now;
    // A key has the bytes of all blocks that are reduced and scattered, the command line those of one.
    const int blocks = now.what == detail::verb::reduce_scatter ? now.ranks : 1;
    now.bytes = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(blocks);
    return now;
}

/// Seconds of an exchange of which each step ends before the next begins; nothing: there is no such model.
std::optional<double> in_steps(const machine_parameters& machine, const plan& what,
                               const detail::call_key& now, double combine) {
    detail::modelled_machine<measured_messages> modelled;
    for (const auto& level : machine.levels)
        modelled.inside.push_back(level.inside);
    modelled.levels = machine.models();
    modelled.combine_per_byte = combine;
    return detail::predicted<measured_messages, detail::model_reader::list>(modelled, what, now);
}

/// What `automatic` decides with these parameters.
detail::ranked_plan decided(const machine_parameters& machine, const std::string& verb, double bytes) {
    detail::cost_sources known;
    known.measured = std::make_shared<const detail::machine_costs>(detail::costs_by(machine));
    return rank_plans(key_of(machine, verb, bytes), known).front();
}

constexpr const char* automatic_name = "automatic";

} // namespace

double predicted(const machine_parameters& machine, const std::string& verb, const std::string& policy,
                 double segment, double bytes) {
    if (machine.levels.empty()) refuse("parameters", "they have no level");
    const double combine = combine_per_byte(machine, bytes);
    if (policy == automatic_name) {
        const auto best = decided(machine, verb, bytes);
        if (!best.seconds)
            refuse("--policy automatic",
                   "there is no model of " + to_string(best.what) + ", which it decides for");
        return *best.seconds;
    }
    const tree_policy_text tree{policy};
    if (!tree.is_level_by_level && tree.what == plan{tree.what.uses})
        if (const auto seconds = in_steps(machine, tree.what, key_of(machine, verb, bytes), combine))
            return *seconds;
    if (tree.is_known()) {
        if (verb == "broadcast") return tree_seconds(machine, tree, segment, bytes, 0);
        if (tree.is_split())
            refuse("--policy '" + policy + "'", "only broadcast sends halves of a message down two trees");
        if (verb == "reduce") return tree_seconds(machine, tree, segment, bytes, combine);
        if (verb == "barrier") return 2 * tree_seconds(machine, tree, 0, 0, 0);
        if (verb == "all_reduce") {
            // The first segment goes up and down; behind it messages go both ways at a time.
            const double piece = segment > 0 ? std::min(segment, bytes) : bytes;
            const double up = tree_seconds(machine, tree, segment, bytes, combine);
            const double down = tree_seconds(machine, tree, segment, bytes, 0);
            const double first_up = tree_seconds(machine, tree, 0, piece, combine);
            const double first_down = tree_seconds(machine, tree, 0, piece, 0);
            return std::max(up + first_down, first_up + down);
        }
    }
    // The others as `automatic` sees them.
    if (const auto seconds = tree.is_level_by_level ? std::nullopt
                                                    : seconds_of(tree.what, key_of(machine, verb, bytes),
                                                                 detail::costs_by(machine)))
        return *seconds;
    std::string known;
    if (const auto found = known_policies().find(verb); found != known_policies().end())
        for (const auto& each : found->second)
            known.append(known.empty() ? "" : ", ").append(each);
    refuse("--policy '" + policy + "'", known.empty() ? "there is no model of the verb '" + verb + "'"
                                                      : "for " + verb + " there are models of " + known);
}

void predict(const predict_request& request) {
    const auto found = known_policies().find(request.verb);
    if (found == known_policies().end()) {
        std::string known;
        for (const auto& each : known_policies())
            known.append(known.empty() ? "" : ", ").append(each.first);
        refuse("--verb '" + request.verb + "'", "there are models of " + known);
    }
    const auto machine = machine_parameters::read(request.parameters);
    if (const auto why = nonsense_in(machine); !why.empty()) refuse(request.parameters, why);
    const auto& policies = request.policies.empty() ? found->second : request.policies;
    std::vector<std::vector<double>> seconds; // all before the first is printed
    for (const double bytes : request.bytes) {
        seconds.emplace_back();
        for (const auto& policy : policies)
            seconds.back().push_back(predicted(machine, request.verb, policy, request.segment, bytes));
    }
    std::ostringstream text;
    text << std::setw(10) << "bytes";
    for (const auto& policy : policies)
        text << ' ' << std::setw(static_cast<int>(std::max<std::size_t>(policy.size(), 10))) << policy;
    text << '\n' << std::fixed;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        text << std::setprecision(0) << std::setw(10) << request.bytes[i] << std::setprecision(2);
        for (std::size_t j = 0; j < policies.size(); ++j)
            text << ' ' << std::setw(static_cast<int>(std::max<std::size_t>(policies[j].size(), 10)))
                 << seconds[i][j] * 1e6;
        text << '\n';
    }
    if (std::ranges::find(policies, automatic_name) != policies.end())
        for (const double bytes : request.bytes) {
            const auto best = decided(machine, request.verb, bytes);
            text << "automatic, " << std::setprecision(0) << bytes << " bytes: " << to_string(best.what)
                 << ", by " << to_string(best.from) << '\n';
        }
    write_output("topomp predict", std::nullopt, text.str());
}

} // namespace topo::tool
