// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/adaptive.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/plan/plan_of.hpp>

#include <bit>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace topo::detail {

/// The choices of one hierarchy.
class adaptive_choices {
public:
    explicit adaptive_choices(context&) {}

    using key = std::tuple<verb, bool, bool, int>; ///< commutative, one tree, power of two of bytes
    std::map<key, adaptive_choice> known;
};

/// The plans that are tried for a key: those of which the models or the table think most, and the MPI's own.
[[gnu::cold]] TOPOMP_INLINE std::vector<plan>
adaptive_candidates(const call_key& now, const cost_sources& sources, bool is_one_tree) {
    if (is_one_tree) {
        std::vector<plan> trees{plan_of<placement_independent<binomial>>};
        for (const std::size_t segment : {std::size_t{8} << 10U, std::size_t{64} << 10U})
            if (now.bytes > segment) {
                trees.push_back(trees.front());
                trees.back().tree.segment_bytes = segment;
            }
        return trees;
    }
    constexpr std::size_t most = 3;
    constexpr double hopeless = 4; // times the best of the models
    std::vector<plan> made;
    double best = 0;
    for (const ranked_plan& each : rank_plans(now, sources)) {
        if (each.what.uses == algorithm::flat || made.size() == most) continue;
        if (best > 0 && each.seconds && *each.seconds > hopeless * best) continue;
        if (best == 0 && each.seconds) best = *each.seconds;
        made.push_back(each.what);
    }
    made.push_back(plan_of<flat>);
    return made;
}

TOPOMP_INLINE timed_plan choose_adaptively(verb what, const hierarchy& levels, std::size_t bytes,
                                           bool is_commutative, bool is_one_tree) {
    if (has_unequal_blocks(what)) return choose_automatically(what, levels, bytes, is_commutative);
    context& ranks = context::of(levels);
    auto& known = ranks.attached<adaptive_choices>().known;
    const adaptive_choices::key key{what, is_commutative, is_one_tree, std::bit_width(bytes)};
    auto at = known.find(key);
    if (at == known.end()) [[unlikely]] {
        decisions& all = decisions::of(levels);
        at = known
                 .emplace(key, adaptive_choice(adaptive_candidates(all.key_of(what, bytes, is_commutative),
                                                                   all.sources(), is_one_tree)))
                 .first;
    }
    adaptive_choice& choice = at->second;
    if (choice.must_agree()) [[unlikely]] {
        std::vector<double> sums = choice.medians();
        run(ranks.pool<all_reduce_operation>(), [&](all_reduce_operation& op) {
            op.start(ranks, tree_plan_of<binomial>, sums.data(), {sums.data(), sums.size(), MPI_DOUBLE},
                     {MPI_SUM, true});
        });
        choice.agree(sums);
    }
    const auto [plan, trial] = choice.next();
    if (!trial) return *plan;
    return {*plan, choice, *trial};
}

} // namespace topo::detail
