// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/detail/split_memory.hpp>
#include <topomp/hierarchy/detail/split_step.hpp>
#include <topomp/hierarchy/detail/trail_steps.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/options.hpp>
#include <topomp/hierarchy/split.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace topo::detail {

/// What is cached on a communicator of the split it came from; a new discovery if it came from none.
[[gnu::cold]] TOPOMP_INLINE split_memory recall(const boost::mpi::communicator& comm,
                                                const hierarchy_options& options) {
    if (const auto* memory = split_attribute::find(comm)) return *memory;
    const place found = discover_place(comm, options);
    auto steps = all_or_none(comm, [&] { return std::make_shared<const trail>(make_trail(found, options)); });
    level_info whole;
    whole.depth = -1;
    return {std::move(whole), std::move(steps), comm.rank()};
}

/// @param call what the user called
[[gnu::cold]] TOPOMP_INLINE std::optional<level>
next_level(const char* call, const boost::mpi::communicator& comm, const hierarchy_options& options) {
    mpi::require_intracommunicator(call, comm);
    check_on(
        comm, call, [] {}, [&](comparison& all) { add_options(all, options); });
    const auto memory = recall(comm, options);
    const auto known = compare(comm, *memory.steps);
    const int depth = memory.info.depth + 1;
    if (!known.is_divided || depth >= options.max_depth) return std::nullopt;
    auto step = split_step(comm, *memory.steps, known, depth, memory.whole_rank, memory.steps);
    return step ? std::optional{std::move(step->below)} : std::nullopt;
}

} // namespace topo::detail

namespace topo {

[[gnu::cold]] TOPOMP_INLINE std::optional<level> split_with_roots(const boost::mpi::communicator& comm,
                                                                  const hierarchy_options& options) {
    return detail::next_level("topo::split_with_roots", comm, options);
}

[[gnu::cold]] TOPOMP_INLINE std::optional<level> split(const boost::mpi::communicator& comm,
                                                       const hierarchy_options& options) {
    const auto below = detail::next_level("topo::split", comm, options);
    if (!below) return std::nullopt;
    return level{below->comm(), detail::null_communicator(), below->info()};
}

[[gnu::cold]] TOPOMP_INLINE std::optional<level> split(const boost::mpi::communicator& comm, kind wanted,
                                                       const hierarchy_options& options) {
    mpi::require_intracommunicator("topo::split", comm);
    detail::check_on(
        comm, "topo::split", [] {},
        [&](detail::comparison& all) {
            all.add("kind", std::string{to_string(wanted)});
            detail::add_options(all, options);
        });
    const auto memory = detail::recall(comm, options);
    detail::trail only;
    for (const auto& step : *memory.steps)
        if (step.type == wanted) only = {step};
    const auto common = detail::compare(comm, only);
    if (common.is_divided) {
        auto step =
            detail::split_step(comm, only, common, memory.info.depth + 1, memory.whole_rank, memory.steps);
        return step ? std::optional{std::move(step->below)} : std::nullopt;
    }
    if (common.length == 0) return std::nullopt;

    boost::mpi::communicator same = detail::own(mpi::comm_dup(comm, "ranks of a level"));
    auto roots =
        detail::own(mpi::comm_split(comm, same.rank() == 0 ? 0 : MPI_UNDEFINED, 0, "roots of a level"));
    level_info info = detail::info_of(detail::kinds_of_level(only), only, memory.info.depth + 1);
    info.root = memory.info.root;
    detail::split_attribute::set(same, {info, memory.steps, memory.whole_rank});
    return level{std::move(same), roots ? std::move(roots) : detail::null_communicator(), std::move(info)};
}

[[gnu::cold]] TOPOMP_INLINE std::optional<level> split_with_roots(MPI_Comm comm,
                                                                  const hierarchy_options& options) {
    return split_with_roots(detail::lent(comm), options);
}

[[gnu::cold]] TOPOMP_INLINE std::optional<level> split(MPI_Comm comm, const hierarchy_options& options) {
    return split(detail::lent(comm), options);
}

[[gnu::cold]] TOPOMP_INLINE std::optional<level> split(MPI_Comm comm, kind wanted,
                                                       const hierarchy_options& options) {
    return split(detail::lent(comm), wanted, options);
}

} // namespace topo
