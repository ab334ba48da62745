// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace topo::detail {

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
