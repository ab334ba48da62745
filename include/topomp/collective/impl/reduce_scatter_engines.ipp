// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/engines/hierarchical_reduce_scatter.hpp>
#include <topomp/collective/engines/of_reduce_scatter.hpp>
#include <topomp/collective/engines/shared_reduce_scatter.hpp>
#include <topomp/collective/impl/reduce_scatter.ipp>
#include <topomp/collective/reduce_scatter_by_tree.hpp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_reduce_scatter =
    forms_of<verb::reduce_scatter>([]<algorithm Only> {
        return static_cast<void (*)(const hierarchy&, const blocks&, std::size_t, const message&, combination,
                                    const plan&)>(&reduce_scatter<Only>);
    });
#endif

} // namespace topo::detail
