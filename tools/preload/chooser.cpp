// SPDX-License-Identifier: BSL-1.0
#include "chooser.hpp"

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/core/error.hpp>
#include <topomp/policy/detail/policy_text.hpp>
#include <topomp/policy/detail/selection.hpp>
#include <topomp/policy/detail/tuned.hpp>
#include <topomp/policy/policy.hpp>
#include <topomp/policy/policy_traits.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace topo::preload {

namespace {

using detail::selection;
using detail::verb;
using detail::way;

/// A policy of no trees as plain data.
template <class Policy>
constexpr selection rounds_of() {
    return {detail::way_of<Policy>, {}, {}, {}, detail::radix_of<Policy>, detail::whole_bytes_of<Policy>};
}

const std::array<std::pair<std::string_view, selection>, 12> named_policies{{
    {"double_binary",
     {way::halves, detail::tree_plan_of<double_binary>, {}, detail::other_half_of<double_binary>}},
    {"flat", {}},
    {"native", {way::hierarchical, {}, detail::loop_plan_of<verb::broadcast, native>}},
    {"lanes", {way::lanes, detail::tree_plan_of<lanes<linear, linear>>}},
    {"split_binary",
     {way::halves, detail::tree_plan_of<split_binary>, {}, detail::other_half_of<split_binary>}},
    {"ring", rounds_of<ring>()},
    {"bruck", rounds_of<bruck>()},
    {"pairwise", rounds_of<pairwise>()},
    {"dissemination", rounds_of<dissemination>()},
    {"recursive_doubling", rounds_of<recursive_doubling>()},
    {"recursive_halving", rounds_of<recursive_halving>()},
    {"rabenseifner", rounds_of<rabenseifner>()},
}};

} // namespace

chooser chooser::read(const std::string& text) {
    chooser result;
    if (text.empty() || text == "automatic") return result;
    result.is_automatic_ = false;
    const auto found = std::ranges::find(named_policies, text,
                                         [](const auto& each) -> std::string_view { return each.first; });
    if (found != named_policies.end()) {
        result.fixed_ = found->second;
        return result;
    }
    try {
        result.rules_ = new std::vector(detail::read_rules("TOPOMP_POLICY", text, text));
    } catch (const argument_error& problem) {
        std::string known = "automatic";
        for (const auto& each : named_policies)
            known.append(", ").append(each.first);
        throw argument_error("TOPOMP_POLICY=" + text, "not known",
                             "accepted: " + known +
                                 ", or shapes such as binomial or Machine=linear,binomial (" +
                                 problem.what() + ')');
    }
    result.fixed_ = {way::tree, {*result.rules_, 0}};
    return result;
}

selection chooser::choose(verb what, const hierarchy& tree, std::size_t bytes, bool is_commutative) const {
    const bool keeps_order = is_commutative && what != verb::scan && what != verb::exclusive_scan;
    selection chosen = fixed_;
    if (is_automatic_) chosen = detail::choose(detail::call_key_of(what, tree, bytes, keeps_order));
    const bool may_reorder = !detail::combines(what) || keeps_order;
    if (!detail::serves(chosen.how, what)) return {};
    if (!may_reorder && (detail::reorders(chosen.how) || !chosen.plan.keeps_order())) return {};
    return chosen;
}

selection chooser::in_background(verb what, const hierarchy& tree, std::size_t bytes) const {
    const selection chosen =
        is_automatic_ ? detail::choose_in_background(detail::local_call_key(what, tree, bytes, true))
                      : fixed_;
    return detail::serves_in_background(chosen.how, what) ? chosen : selection{};
}

selection chooser::choose_in_background(verb what, const hierarchy& tree, const detail::team& ranks,
                                        std::size_t bytes) const {
    const selection chosen = in_background(what, tree, bytes);
    const bool must_know = what == verb::all_gather && chosen.how == way::tree;
    return must_know && !ranks.knows_subtree(chosen.plan, 0) ? selection{} : chosen;
}

void chooser::prepare(const hierarchy& tree, detail::team& ranks) const {
    static_cast<void>(ranks.order());
    for (const auto part : {detail::machine_part::widest, detail::machine_part::numa_node})
        static_cast<void>(ranks.by_node(part));
    // The trees of all-gathers, which automatic chooses by length.
    constexpr std::size_t longest = std::size_t{1} << 20U;
    for (std::size_t bytes = 1; bytes <= longest; bytes *= 2)
        if (const auto chosen = in_background(verb::all_gather, tree, bytes); chosen.how == way::tree)
            static_cast<void>(ranks.subtree_for(chosen.plan, 0));
}

} // namespace topo::preload
