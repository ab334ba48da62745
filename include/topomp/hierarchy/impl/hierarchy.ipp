// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/attribute.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/device_memory.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/detail/split_memory.hpp>
#include <topomp/hierarchy/detail/split_step.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/detail/trail_steps.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/options.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace topo::detail {

using hierarchy_cache = attribute<hierarchy, on_duplicate::forget>;

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE std::span<const level> hierarchy::levels() const {
    const std::vector<level>& all = open("levels").levels;
    return {all.data(), all.size()};
}
TOPOMP_INLINE std::span<const level>::iterator hierarchy::begin() const { return levels().begin(); }
TOPOMP_INLINE std::span<const level>::iterator hierarchy::end() const { return levels().end(); }

TOPOMP_INLINE const level* hierarchy::find(kind wanted) const {
    for (std::size_t i = levels().size(); i-- > 0;)
        if (levels()[i].is(wanted)) return &levels()[i];
    return nullptr;
}

[[gnu::cold]] TOPOMP_INLINE void hierarchy::refuse_closed(const char* member) const {
    detail::refuse_use(state_ != nullptr, std::string{"topo::hierarchy::"} + member, "hierarchy");
}

[[gnu::cold]] TOPOMP_INLINE void hierarchy::refuse_depth(int depth) const {
    throw argument_error(
        "topo::hierarchy", "level " + std::to_string(depth),
        "rank " + std::to_string(whole_rank()) + " has " + std::to_string(this->depth()) +
            " levels: ask depth() first, which may differ between ranks; ranks that are not bound and share "
            "a node have none, nor has a single rank");
}

[[gnu::cold]] TOPOMP_INLINE std::ostream& operator<<(std::ostream& out, const hierarchy& levels) {
    out << to_string(levels.whole_info().type) << ", rank " << levels.whole_rank() << " of "
        << levels.whole_size();
    std::string indent = "\n";
    for (const level& each : levels)
        out << (indent += "  ") << each;
    return out;
}

[[gnu::cold]] TOPOMP_INLINE hierarchy::hierarchy(const boost::mpi::communicator& comm,
                                                 const hierarchy_options& options)
    : hierarchy(comm,
                (mpi::require_intracommunicator("topo::hierarchy", comm), discover_place(comm, options)),
                options) {}

[[gnu::cold]] TOPOMP_INLINE hierarchy::hierarchy(const boost::mpi::communicator& comm, const place& mine,
                                                 const hierarchy_options& options) {
    mpi::require_intracommunicator("topo::hierarchy", comm);
    detail::check_on(
        comm, "topo::hierarchy", [] {}, [&](detail::comparison& all) { detail::add_options(all, options); });
    const auto steps = detail::all_or_none(
        comm, [&] { return std::make_shared<const detail::trail>(detail::make_trail(mine, options)); });
    state_ = build(comm, steps, options.max_depth);
}

[[gnu::cold]] TOPOMP_INLINE std::shared_ptr<const hierarchy::state>
hierarchy::build(const boost::mpi::communicator& comm, const std::shared_ptr<const detail::trail>& steps,
                 int deepest) {
    auto built = std::make_shared<state>();
    built->whole = detail::own(mpi::comm_dup(comm, "ranks of a hierarchy"));
    auto common = detail::compare(built->whole, *steps);
    const auto shared = std::span{*steps}.first(common.length);
    built->whole_info = detail::info_of(detail::kinds_of_whole(shared), shared, -1);
    const int whole_rank = built->whole_rank = built->whole.rank();
    built->whole_size = built->whole.size();
    detail::split_attribute::set(built->whole, {built->whole_info, steps, whole_rank});

    boost::mpi::communicator parent = built->whole;
    for (int depth = 0; common.is_divided && depth < deepest; ++depth) {
        auto step = detail::split_step(parent, *steps, common, depth, whole_rank, steps);
        if (!step) break;
        parent = step->below.comm();
        common = step->common;
        built->levels.push_back(std::move(step->below));
    }
    std::array<int, 2> own{static_cast<int>(built->levels.size()), built->whole_size}, greatest{};
    if (detail::may_cross_nodes(built->whole_info)) {
        const auto node = std::ranges::find_if(
            built->levels, [](const level& each) { return !detail::may_cross_nodes(each.info()); });
        own[1] = node != built->levels.end() ? node->size() : 1;
    }
    mpi::allreduce(own.data(), greatest.data(), 2, MPI_INT, MPI_MAX, built->whole, "greatest depth and node");
    built->max_depth = greatest[0];
    built->most_ranks_of_node = greatest[1];
    detail::device_runtimes::look(); // for the collectives
    return built;
}

[[gnu::cold]] TOPOMP_INLINE place hierarchy::place_of_each(const boost::mpi::communicator& comm,
                                                           detail::function_ref<place(int, int)> find) {
    mpi::require_intracommunicator("topo::hierarchy", comm);
    return detail::all_or_none(comm, [&] { return find(comm.rank(), comm.size()); });
}

[[gnu::cold]] TOPOMP_INLINE hierarchy hierarchy::of(const boost::mpi::communicator& comm) {
    mpi::require_intracommunicator("topo::hierarchy::of", comm);
    if (const hierarchy* cached = detail::hierarchy_cache::find(comm)) return *cached;
    const hierarchy_options options;
    const auto* memory = detail::split_attribute::find(comm);
    hierarchy built = memory != nullptr ? hierarchy{build(comm, memory->steps, options.max_depth)}
                                        : hierarchy{comm, discover_place(comm, options), options};
    detail::hierarchy_cache::set(comm, built);
    return built;
}

} // namespace topo

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE hierarchy hierarchy_for(std::string_view call,
                                                    const boost::mpi::communicator& comm) {
    mpi::require_intracommunicator(call, comm);
    return hierarchy::of(comm);
}

} // namespace topo::detail
