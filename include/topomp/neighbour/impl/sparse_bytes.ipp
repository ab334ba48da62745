// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/sparse_by_lengths.hpp>
#include <topomp/neighbour/detail/sparse_bytes.hpp>
#include <topomp/neighbour/detail/sparse_operation.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE std::unique_ptr<sparse_operation> start_sparse(const char* call, node_groups& groups,
                                                             sparse_sends sent, neighbour_route route,
                                                             sparse_result result) {
    auto made = std::make_unique<sparse_operation>(call, groups, std::move(sent), route, result);
    made->start();
    return made;
}

TOPOMP_INLINE void sparse_exchange(const hierarchy& levels, sparse_sends sent, neighbour_route route,
                                   sparse_result result) {
    constexpr auto call = "topo::sparse_exchange";
    if (route == neighbour_route::best && sparse_exchange_by_lengths(call, levels, sent, result)) return;
    node_groups& groups = node_groups::of(levels);
    const in_flight::turn alone{groups.running};
    auto made = start_sparse(call, groups, std::move(sent), route, result);
    try {
        groups.running.wait(*made);
    } catch (...) {
        made->note_failure();
        give_up(std::move(made), groups.running.left);
        throw;
    }
}

TOPOMP_INLINE request isparse_exchange(const hierarchy& levels, sparse_sends sent, neighbour_route route,
                                       sparse_result result) {
    prepare_sparse_by_lengths(levels);
    node_groups& groups = node_groups::of(levels);
    const in_flight::turn alone{groups.running};
    return in_background::of(groups.running,
                             start_sparse("topo::isparse_exchange", groups, std::move(sent), route, result),
                             std::make_shared<hierarchy>(levels));
}

TOPOMP_INLINE void require_sent_length(const char* call, int source, std::size_t bytes, std::size_t each,
                                       bool fits) {
    if (!fits)
        throw argument_error(call, "data from rank " + std::to_string(source),
                             "it has " + number_of(bytes, "byte") + ", but values here have " +
                                 std::to_string(each) + " each: all ranks must have one type");
}

} // namespace topo::detail
