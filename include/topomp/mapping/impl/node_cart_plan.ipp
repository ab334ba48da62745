// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/mapping/cost/quality.hpp>
#include <topomp/mapping/detail/node_table.hpp>
#include <topomp/mapping/grid_plan.hpp>
#include <topomp/mapping/node_cart_plan.hpp>
#include <topomp/mapping/reordering.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void add_request(comparison& all, const std::vector<int>& dims,
                               const node_cart_options& options) {
    const std::vector<int> periods(options.periods.begin(), options.periods.end());
    std::string offsets;
    if (options.pattern)
        for (const auto& each : options.pattern->offsets())
            offsets += " (" + extents_text(each.steps) + ") * " + std::to_string(each.weight);
    all.add("dims", extents_text(dims));
    all.add("periods", extents_text(periods));
    all.add("pattern", offsets.empty() ? "none" : "of the offsets" + offsets);
    all.add("first", options.first == mapping_goal::total ? "the total" : "the greatest");
    all.add("algorithm", std::string{to_string(options.algorithm)});
    all.add("reorder", options.reorder == reordering::off ? "off" : "allowed");
}

TOPOMP_INLINE grid_plan plan_for_ranks(const node_table& table, std::vector<int> dims,
                                       const node_cart_options& options) {
    const bool is_off = options.reorder == reordering::off;
    grid_plan plan = grid_plan::of({std::move(dims), options.periods, options.pattern, table.node_sizes,
                                    is_off ? std::vector<std::vector<int>>{} : table.parts, options.first,
                                    is_off ? mapping_algorithm::blocked : options.algorithm});
    for (int& seat : plan.owner)
        seat = table.rank_of_seat[static_cast<std::size_t>(seat)];
    const grid_links links{plan.cells, plan.pattern};
    plan.blocked = quality_of(links, table.node_of_rank, static_cast<int>(table.node_sizes.size()),
                              std::ssize(plan.pattern.offsets()));
    const bool is_asked_for =
        options.algorithm != mapping_algorithm::automatic && options.algorithm != mapping_algorithm::blocked;
    if (is_off || (!is_asked_for && !is_lower(plan.now.cost, plan.blocked.cost, options.first))) {
        plan.node = table.node_of_rank;
        std::iota(plan.owner.begin(), plan.owner.end(), 0);
        plan.algorithm = mapping_algorithm::blocked;
        plan.is_refined = false;
        plan.now = plan.blocked;
        plan.parts.clear();
    }
    return plan;
}

TOPOMP_INLINE grid_plan shared_grid_plan(const node_table& table, std::vector<int> dims,
                                         const node_cart_options& options, MPI_Comm whole) {
    auto made = on_first(whole, [&] { return std::optional{plan_for_ranks(table, dims, options)}; });
    plan_summary sent{};
    if (made) {
        std::ranges::copy(made->cells.extents(), sent.extents.begin());
        sent.now = made->now;
        sent.blocked = made->blocked;
        sent.lower_bound = made->lower_bound.value_or(0);
        sent.is_bounded = made->lower_bound.has_value();
        sent.parts = std::ssize(made->parts);
        sent.is_refined = made->is_refined;
        sent.algorithm = made->algorithm;
    }
    static_assert(std::is_trivially_copyable_v<plan_summary>);
    mpi::bcast(&sent, sizeof sent, MPI_BYTE, 0, whole, "costs of a plan");
    if (!made) {
        std::copy_n(sent.extents.begin(), dims.size(), dims.begin());
        const std::size_t size = table.node_of_rank.size();
        made = grid_plan{grid{dims, options.periods},
                         options.pattern ? *options.pattern : stencil::star(dims.size()),
                         std::vector<int>(size),
                         std::vector<int>(size),
                         sent.algorithm,
                         sent.is_refined,
                         sent.now,
                         sent.blocked,
                         sent.is_bounded ? std::optional{sent.lower_bound} : std::nullopt,
                         std::vector<grid_plan::level>(static_cast<std::size_t>(sent.parts))};
    }
    const int ranks = static_cast<int>(made->owner.size());
    mpi::bcast(made->owner.data(), ranks, MPI_INT, 0, whole, "owners of cells");
    std::ranges::transform(made->owner, made->node.begin(),
                           [&](int rank) { return table.node_of_rank[static_cast<std::size_t>(rank)]; });
    if (sent.parts > 0)
        mpi::bcast(made->parts.data(), static_cast<int>(made->parts.size() * sizeof made->parts.front()),
                   MPI_BYTE, 0, whole, "costs of parts");
    return std::move(*made);
}

} // namespace topo::detail
