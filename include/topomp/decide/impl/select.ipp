// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE call_key local_call_key(verb what, const hierarchy& levels, std::size_t bytes,
                                      bool is_commutative) {
    return {.what = what,
            .joins_all = innermost_kind(levels.whole_info()),
            .max_depth = levels.max_depth(),
            .bytes = bytes,
            .is_commutative = is_commutative,
            .ranks = levels.whole_size(),
            .uses_memory = moves_in_memory(),
            .ranks_of_node = levels.most_ranks_of_node()};
}

TOPOMP_INLINE plan choose_automatically(verb what, const hierarchy& levels, std::size_t bytes,
                                        bool is_commutative) {
    return decisions::of(levels).of(what, bytes, is_commutative);
}

TOPOMP_INLINE plan choose_without_memory(verb what, const hierarchy& levels, std::size_t bytes,
                                         bool is_commutative) {
    call_key now = decisions::of(levels).key_of(what, bytes, is_commutative);
    now.uses_memory = false;
    return decide(now);
}

TOPOMP_INLINE plan choose_in_background(verb what, const hierarchy& levels, std::size_t bytes,
                                        bool is_commutative) {
    call_key now = local_call_key(what, levels, bytes, is_commutative);
    now.is_in_background = true;
    return decide(now);
}

TOPOMP_INLINE plan right_for(const plan& chosen, const message& result) {
    if (chosen.uses == algorithm::flat && !reduces_at_offset(result.type))
        return {algorithm::tree, tree_plan_of<binomial>};
    return chosen;
}

TOPOMP_INLINE void require_order(std::string_view call, const plan& chosen, bool is_commutative) {
    if (!is_commutative && reorders(chosen.uses))
        throw argument_error(call, "operation",
                             "it is not commutative, and the policy reorders operands: use a tree, or "
                             "recursive_doubling for all_reduce");
    if (!is_commutative && !chosen.tree.keeps_order())
        throw argument_error(call, "operation",
                             "it is not commutative, and the policy has a shape that reorders "
                             "operands: use linear, chain, k_nomial<K> or in_order_binary");
}

TOPOMP_INLINE void refuse(verb what) {
    throw argument_error(name_of(what), "policy", "it has no algorithm for this verb");
}

TOPOMP_INLINE void require_same_size(std::string_view call, bool matters, std::size_t elements,
                                     std::size_t result) {
    if (matters && elements != result)
        throw argument_error(call, "result",
                             "it has room for " + std::to_string(result) + " elements, the operands are " +
                                 std::to_string(elements));
}

} // namespace topo::detail
