// SPDX-License-Identifier: BSL-1.0
#include "ways.hpp"

#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/policy/hierarchical.hpp>
#include <topomp/policy/policy.hpp>
#include <topomp/policy/policy_traits.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace topo_random {

namespace {

using topo::detail::verb;
namespace detail = topo::detail;

/// A policy type as plain data, as `detail::select` makes it.
template <class Policy>
way of(std::string name) {
    constexpr detail::way how = detail::way_of<Policy>;
    way made{std::move(name), false, detail::ignores_placement<Policy>, {}};
    if constexpr (how == detail::way::tree || how == detail::way::lanes)
        made.chosen = {how, detail::tree_plan_of<Policy>};
    else if constexpr (how == detail::way::hierarchical)
        made.chosen = {how, {}, detail::loop_plan_of<verb::all_reduce, Policy>};
    else if constexpr (how == detail::way::halves)
        made.chosen = {how, detail::tree_plan_of<Policy>, {}, detail::other_half_of<Policy>};
    else
        made.chosen = {how, {}, {}, {}, detail::radix_of<Policy>, detail::whole_bytes_of<Policy>};
    return made;
}

std::vector<way> all_ways() {
    using namespace topo;
    return {
        {"automatic", true},
        {"automatic by itself", true}, // twice as likely as any other
        of<flat>("flat"),
        of<native>("native"),
        of<hierarchical<within<kind::machine, mpi_calls>, otherwise<mpi_calls>>>("native within machines"),
        of<hierarchical<within<kind::machine, topo::shared>, otherwise<direct_messages>>>("shared in loops"),
        of<topo::shared>("shared"),
        of<linear>("linear"),
        of<chain>("chain"),
        of<binary>("binary"),
        of<k_ary<3>>("3-ary"),
        of<binomial>("binomial"),
        of<k_nomial<4>>("4-nomial"),
        of<in_order_binary>("in-order binary"),
        of<postal<3>>("postal"),
        of<segmented<64, chain>>("pipeline"),
        of<segmented<1000, binary>>("binary in segments"),
        of<segmented<8192, in_order_binary>>("in-order binary in segments"),
        of<spreading<4, 2, true>>("spreading with help"),
        of<segmented<64, spreading<3, 1>>>("spreading in segments"),
        of<two_levels<k_nomial<3>, binary>>("two levels"),
        of<segmented<512, two_levels<chain>>>("two levels in segments"),
        of<per_level<on<kind::machine, linear>, on<kind::cluster, k_nomial<3>>, otherwise<chain>>>(
            "per level"),
        of<segmented<64,
                     per_level<on<kind::cluster, k_nomial<4>>, on<kind::network_switch, binary>,
                               on<kind::machine, k_ary<3>>, on<kind::package, linear>, otherwise<chain>>>>(
            "per level in segments"),
        of<placement_independent<binomial>>("placement independent"),
        of<placement_independent<segmented<100, in_order_binary>>>("placement independent in segments"),
        of<split_binary>("split binary"),
        of<segmented<256, double_binary>>("double binary in segments"),
        of<two_levels<double_binary>>("double binary of two levels"),
        of<lanes<binomial, linear>>("lanes"),
        of<segmented<128, lanes<chain, binary>>>("lanes in segments"),
        of<lanes<native, native>>("native lanes"),
        of<ring>("ring"),
        of<bruck>("bruck"),
        of<pairwise>("pairwise"),
        of<dissemination>("dissemination"),
        of<recursive_doubling>("recursive doubling"),
        of<k_ary_recursive_doubling<3>>("recursive doubling by 3"),
        of<k_ary_recursive_doubling<8>>("recursive doubling by 8"),
        of<recursive_halving>("recursive halving"),
        of<k_ary_recursive_halving<3>>("recursive halving by 3"),
        of<rabenseifner>("rabenseifner"),
        of<k_ary_rabenseifner<3, 256>>("Rabenseifner by 3 down to 256 bytes"),
    };
}

const std::vector<way>& ways() {
    static const std::vector<way> all = all_ways();
    return all;
}

bool serves(const way& by, verb what, bool keeps_order, bool in_background) {
    if (by.is_automatic) return true;
    if (by.only_combines && !detail::combines(what)) return false;
    const auto how = by.chosen.how;
    if (in_background ? !detail::serves_in_background(how, what) : !detail::serves(how, what)) return false;
    return !keeps_order || (!detail::reorders(how) && by.chosen.plan.keeps_order());
}

} // namespace

const way& draw_way(topo_test::dice& roll, verb what, bool keeps_order, bool in_background) {
    if (only_way != nullptr && serves(*only_way, what, keeps_order, in_background)) return *only_way;
    for (;;) {
        const way& by = ways()[static_cast<std::size_t>(roll.up_to(static_cast<int>(ways().size()) - 1))];
        if (serves(by, what, keeps_order, in_background)) return by;
    }
}

const way& way_by_name(const std::string& name) {
    const auto found = std::ranges::find(ways(), name, &way::name);
    if (found != ways().end()) return *found;
    std::string known;
    for (const way& each : ways())
        known.append(known.empty() ? "" : ", ").append(each.name);
    throw std::invalid_argument("there is no policy '" + name + "'; known are " + known);
}

} // namespace topo_random
