// SPDX-License-Identifier: BSL-1.0
#include "drawn_plan.hpp"

#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_text.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace topo_random {

namespace {

using topo::detail::verb;
namespace detail = topo::detail;

/// Plans of an algorithm with few and with many ranks in a round, and with short and with long pieces, where
/// its policies have such numbers.
std::vector<topo::plan> plans_of(const detail::algorithm_row& row) {
    using enum detail::policy_number::plan_member;
    std::vector<topo::plan> made;
    for (const auto& [ranks, bytes] : {std::pair{2, 64}, std::pair{3, 1000}, std::pair{8, 100'000}}) {
        topo::plan one{row.which};
        for (const detail::policy_number& each : row.numbers) {
            if (each.is == radix) one.radix = ranks;
            if (each.is == whole_bytes) one.whole_bytes = static_cast<std::size_t>(bytes);
        }
        if (made.empty() || made.back() != one) made.push_back(one);
    }
    return made;
}

const std::vector<named_plan>& plans() {
    static const std::vector<named_plan> all = [] {
        std::vector<named_plan> made{{"automatic", true}, {"automatic, once more", true}}; // twice as likely
        for (const detail::algorithm_row& row : detail::algorithm_rows)
            if (!row.has_types)
                for (const topo::plan& each : plans_of(row))
                    made.push_back({to_string(each), false, each});
        for (const char* const text :
             {"native",
              "hierarchical<within<machine, mpi_calls>, otherwise<mpi_calls>>",
              "hierarchical<within<machine, shared>, otherwise<direct_messages>>",
              "hierarchical<within<machine, shared>, otherwise<rounds_in_level<3>>>",
              "hierarchical<within<machine, shared>, otherwise<circulant_in_level<8192>>>",
              "hierarchical<within<machine, shared>, otherwise<tree_in_level<chain, 8192>>>",
              "hierarchical<within<machine, shared>, otherwise<multi_object>>",
              "hierarchical<within<machine, shared>, otherwise<rounds_in_lanes<4>>>",
              "hierarchical<within<machine, shared>, otherwise<rounds_in_lanes<16, 128>>>",
              "linear",
              "chain",
              "binary",
              "k_ary<3>",
              "binomial",
              "k_nomial<4>",
              "in_order_binary",
              "postal<3>",
              "below_single_child<binomial>",
              "segmented<64, chain>",
              "segmented<1000, binary>",
              "segmented<8192, in_order_binary>",
              "node_aware_postal<4, 2, true>",
              "segmented<64, node_aware_postal<3, 1>>",
              "two_levels<k_nomial<3>, binary>",
              "segmented<512, two_levels<chain>>",
              "per_level<on<machine, linear>, on<cluster, k_nomial<3>>, otherwise<chain>>",
              "segmented<64, per_level<on<cluster, k_nomial<4>>, on<network_switch, binary>, "
              "on<machine, k_ary<3>>, on<package, linear>, otherwise<chain>>>",
              "placement_independent<binomial>",
              "placement_independent<segmented<100, in_order_binary>>",
              "split_binary",
              "segmented<256, two_tree>",
              "two_levels<two_tree>",
              "lanes<binomial, linear>",
              "segmented<128, lanes<chain, binary>>",
              "lanes<native, native>"})
            made.push_back({text, false, topo::read_plan("random_calls", "plan", text)});
        return made;
    }();
    return all;
}

bool serves(const named_plan& by, verb what, bool keeps_order, bool in_background) {
    if (by.is_automatic) return true;
    if (by.chosen.tree.ignores_placement && !detail::combines(what)) return false;
    const auto uses = by.chosen.uses;
    if (in_background ? !detail::serves_in_background(uses, what) : !detail::serves(uses, what)) return false;
    return !keeps_order || (!detail::reorders(uses) && by.chosen.tree.keeps_order());
}

} // namespace

const named_plan& draw_plan(topo_test::dice& roll, verb what, bool keeps_order, bool in_background) {
    if (only_plan != nullptr && serves(*only_plan, what, keeps_order, in_background)) return *only_plan;
    for (;;) {
        const named_plan& by =
            plans()[static_cast<std::size_t>(roll.up_to(static_cast<int>(plans().size()) - 1))];
        if (serves(by, what, keeps_order, in_background)) return by;
    }
}

const named_plan& plan_by_name(const std::string& name) {
    const auto found = std::ranges::find(plans(), name, &named_plan::name);
    if (found != plans().end()) return *found;
    std::string known;
    for (const named_plan& each : plans())
        known.append(known.empty() ? "" : ", ").append(each.name);
    throw std::invalid_argument("there is no policy '" + name + "'; known are " + known);
}

} // namespace topo_random
