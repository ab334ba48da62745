// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/broadcast_by_tree.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/tree.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/plan/detail/checked_call.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE std::size_t check_broadcast(std::string_view call, const hierarchy& levels, const message& what,
                                          int root) {
    return check_own(call, levels, [&] {
        require_root(call, root, levels);
        const std::size_t bytes = require_message(call, what);
        require_data(call, "data", what);
        return bytes;
    });
}

template <algorithm Only>
void broadcast(const hierarchy& levels, const message& what, int root, const plan& chosen) {
    if (chosen.uses != algorithm::flat) check_host_memory(levels, "topo::broadcast", {what.data});
    start_by_plan<Only>(broadcast_call{context::of(levels), what, root}, chosen, to_the_end{});
}

} // namespace topo::detail
