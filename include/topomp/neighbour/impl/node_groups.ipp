// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/shared/node_messages.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/detail/waiting.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE node_members node_members::of(std::span<const int> keys) {
    node_members result;
    std::map<int, int> nodes; // by key
    for (const int key : keys) {
        const int node = nodes.try_emplace(key, static_cast<int>(nodes.size())).first->second;
        if (static_cast<std::size_t>(node) == result.members.size()) result.members.emplace_back();
        result.members[static_cast<std::size_t>(node)].push_back(static_cast<int>(result.node_of.size()));
        result.node_of.push_back(node);
    }
    return result;
}

TOPOMP_INLINE node_groups::node_groups(const boost::mpi::communicator& from, std::span<const int> keys,
                                       in_flight* others)
    : nodes(node_members::of(keys)), comm(own(mpi::comm_dup(from, "ranks with neighbours"))),
      inside(own(mpi::comm_split(comm, nodes.node(comm.rank()), comm.rank(), "ranks of a node"))),
      alone(others == nullptr ? std::make_unique<in_flight>(std::make_shared<background_slot>()) : nullptr),
      running(others == nullptr ? *alone : *others) {}

TOPOMP_INLINE std::shared_ptr<node_groups> node_groups::renewed(std::shared_ptr<node_groups> failed) {
    auto made = std::make_shared<node_groups>(failed->comm, failed->nodes.node_of, &failed->running);
    made->memory = failed->memory;
    made->before = std::move(failed);
    return made;
}

TOPOMP_INLINE void node_groups::require_sound(const char* call) const {
    if (has_failed) [[unlikely]]
        throw usage_error(call, "topo::neighbourhood",
                          "an exchange of the same ranks has failed, of which messages may still come: make "
                          "a new neighbourhood, on all ranks");
}

[[gnu::cold]] TOPOMP_INLINE void node_groups::lowest_of_all(std::int64_t* values, std::size_t count,
                                                            const std::exception_ptr& when_late) const {
    const in_flight::turn now{running};
    const auto kept = std::make_shared<std::vector<std::int64_t>>(values, values + count);
    const auto end = deadline::after(seconds_of_checks());
    MPI_Request all = MPI_REQUEST_NULL;
    mpi::check(
        MPI_Iallreduce(MPI_IN_PLACE, kept->data(), static_cast<int>(count), MPI_INT64_T, MPI_MIN, comm, &all),
        "MPI_Iallreduce", "comparison of calls");
    while (true) {
        int is_complete = 0;
        mpi::check(MPI_Test(&all, &is_complete, MPI_STATUS_IGNORE), "MPI_Test", "comparison of calls");
        if (is_complete != 0) break;
        if (when_late != nullptr && end.has_passed()) {
            keep_for_messages(kept);
            has_failed = true;
            std::rethrow_exception(when_late);
        }
        running.go_on();
        yield_core();
    }
    std::copy(kept->begin(), kept->end(), values);
}

TOPOMP_INLINE void node_groups::require_sparse_sound(const char* call) const {
    if (sparse_has_failed) refuse_after_failure(call, "hierarchy", "a sparse exchange of the same ranks");
}

TOPOMP_INLINE node_groups& node_groups::of(const hierarchy& levels) {
    return levels.attachment<node_groups>([&] {
        const level* const node = levels.find(kind::machine);
        const int mine = node == nullptr ? -1 : node->info().root;
        std::vector<int> all(static_cast<std::size_t>(levels.whole_size()));
        mpi::check(MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, levels.whole()), "MPI_Allgather",
                   "nodes of ranks");
        auto made = std::make_shared<node_groups>(levels.whole(), all, &in_flight::of(levels));
        made->memory = arena_of_nodes(levels);
        return made;
    });
}

} // namespace topo::detail
