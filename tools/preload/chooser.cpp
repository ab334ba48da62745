// SPDX-License-Identifier: BSL-1.0
#include "chooser.hpp"

#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/lanes/lane_order.hpp>
#include <topomp/decide/adaptive.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/read_sources.hpp>
#include <topomp/decide/detail/sharing.hpp>
#include <topomp/plan/plan_text.hpp>

#include <algorithm>
#include <optional>

namespace topo::preload {

namespace {

using detail::algorithm;
using detail::verb;

/// Whose trees must be known with the ranks below each rank.
constexpr detail::verbs with_subtrees{verb::gather,        verb::gatherv,    verb::scatter,
                                      verb::scatterv,      verb::all_gather, verb::all_gatherv,
                                      verb::reduce_scatter};

/// Lets ranks know all lanes, and their trees from and to rank 0. @collective over the context
void prepare_lanes(const detail::tree_plan& trees, detail::context& ranks) {
    auto& layout = ranks.attached<detail::lane_layout>();
    static_cast<void>(layout.seat_of(0));
    static_cast<void>(layout.trees_from(trees, 0));
    static_cast<void>(layout.trees_to(trees, 0, detail::operand_order::any));
    auto& orders = ranks.attached<detail::lane_orders>();
    static_cast<void>(orders.has_tags());
    static_cast<void>(orders.trees_of(trees, detail::operand_order::any));
}

/// The time of the calling thread's call, where it counts.
thread_local std::optional<detail::timed_plan> timed;

} // namespace

chooser chooser::read(const std::string& text, const std::string& tuning) {
    detail::has_adaptive_calls = true;
    chooser result;
    result.learns_ = std::ranges::count(detail::names_in(tuning), detail::adaptive_tuning) > 0;
    if (text.empty() || text == "automatic") return result;
    result.is_automatic_ = false;
    result.fixed_ = read_plan("TOPOMP_POLICY=" + text, "not known", text);
    return result;
}

plan chooser::choose(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative) const {
    const bool keeps_order = is_commutative && what != verb::scan && what != verb::exclusive_scan;
    plan chosen = fixed_;
    if (learns())
        chosen = timed.emplace(detail::choose_adaptively(what, levels, bytes, keeps_order, false));
    else if (is_automatic_)
        chosen = detail::choose_automatically(what, levels, bytes, keeps_order);
    const bool may_reorder = !detail::combines(what) || keeps_order;
    if (!detail::serves(chosen.uses, what)) return {};
    if (!may_reorder && (detail::reorders(chosen.uses) || !chosen.tree.keeps_order())) return {};
    return chosen;
}

reason chooser::why_flat(verb what) const noexcept {
    if (is_automatic_) return reason::choice;
    return detail::serves(fixed_.uses, what) ? reason::operation : reason::policy;
}

void chooser::end_call() noexcept { timed.reset(); }

plan chooser::in_background(verb what, const hierarchy& levels, std::size_t bytes) const {
    const bool is_ordered = detail::is_scan(what);
    const plan chosen = is_automatic_ ? detail::choose_with_places(what, levels, bytes, !is_ordered) : fixed_;
    if (!detail::serves_in_background(chosen.uses, what)) return {};
    if (is_ordered && (detail::reorders(chosen.uses) || !chosen.tree.keeps_order())) return {};
    return chosen;
}

plan chooser::choose_in_background(verb what, const hierarchy& levels, const detail::context& ranks,
                                   std::size_t bytes, int root) const {
    const plan chosen = in_background(what, levels, bytes);
    // The lanes of other roots would have to be asked for.
    if (chosen.uses == algorithm::lanes && root != 0) return {};
    const bool must_know = chosen.uses == algorithm::tree && with_subtrees.contains(what);
    return must_know && !ranks.knows_subtree(chosen.tree, root) ? plan{} : chosen;
}

reason chooser::why_flat_in_background(verb what) const noexcept {
    if (is_automatic_) return reason::choice;
    // Of an all-gather nothing is known of the subtrees of another tree than those that are prepared.
    return detail::serves_in_background(fixed_.uses, what) ? reason::not_ready : reason::policy;
}

void chooser::prepare(const hierarchy& levels, detail::context& ranks) const {
    // Which plans there are to prepare for depends on the whole key, and on TOPOMP_TUNING.
    if (is_automatic_) static_cast<void>(detail::decisions::of(levels));
    static_cast<void>(ranks.order());
    for (const auto part : {detail::machine_part::widest, detail::machine_part::numa_node})
        static_cast<void>(ranks.by_node(part));
    if (const auto scans = in_background(verb::scan, levels, 1); scans.uses == algorithm::tree)
        static_cast<void>(ranks.for_operands(scans.tree, detail::operand_order::of_ranks));
    if (!is_automatic_ && fixed_.uses == algorithm::lanes) prepare_lanes(fixed_.tree, ranks);
    // The trees of blocks, which automatic chooses by length.
    constexpr std::size_t longest = std::size_t{1} << 20U;
    for (const verb what : {verb::all_gather, verb::all_gatherv, verb::gather, verb::gatherv, verb::scatter,
                            verb::scatterv, verb::reduce_scatter})
        for (std::size_t bytes = 1; bytes <= longest; bytes *= 2)
            if (const auto chosen = in_background(what, levels, bytes); chosen.uses == algorithm::tree)
                static_cast<void>(ranks.subtree_for(chosen.tree, 0));
}

} // namespace topo::preload
