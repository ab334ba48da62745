// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE bool level_info::is(kind which) const {
    return type == which || std::ranges::find(also, which) != also.end() ||
           std::ranges::find(ranks_within, which) != ranks_within.end();
}

TOPOMP_INLINE std::ostream& operator<<(std::ostream& out, const level_info& info) {
    out << to_string(info.type);
    if (const auto others = detail::kinds_text(info.also, info.ranks_within); !others.empty())
        out << " (" << others << ')';
    return out << ' ' << info.name << ", " << info.index << " of " << info.count;
}

} // namespace topo

namespace topo::detail {

TOPOMP_INLINE level_info info_of(level_kinds found, std::span<const trail_step> shared, int depth) {
    level_info info;
    info.name = name_of_level(shared, found, [](const trail_step& each) { return each.name; });
    info.type = found.type;
    info.also = std::move(found.also);
    info.depth = depth;
    info.ranks_within = std::move(found.ranks_within);
    return info;
}

TOPOMP_INLINE void append_objects(std::vector<hardware_object>& path, const level_info& info) {
    const auto add = [&](kind which, bool fills_outer) {
        path.push_back({which, info.root, info.name, fills_outer});
    };
    const auto is_inside = [&](kind which) {
        return which != kind::network_switch || info.type == kind::network_switch;
    };
    for (const kind outer : info.ranks_within)
        if (!is_inside(outer)) add(outer, false);
    add(info.type, false);
    for (const kind same : info.also)
        add(same, true);
    for (const kind inner : info.ranks_within)
        if (is_inside(inner)) add(inner, false);
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE level::level(boost::mpi::communicator comm, boost::mpi::communicator roots, level_info info)
    : comm_(std::move(comm)), roots_(std::move(roots)), info_(std::move(info)) {
    if (mpi::is_running()) detail::finalize_hook::watch();
}

TOPOMP_INLINE const level& level::open(const char* member) const {
    detail::require_usable(static_cast<bool>(comm_), "topo::level", member);
    return *this;
}

TOPOMP_INLINE std::optional<level_info> level_info_of(MPI_Comm comm) {
    mpi::require_intracommunicator("topo::level_info_of", comm);
    const auto* memory = detail::split_attribute::find(comm);
    return memory != nullptr ? std::optional{memory->info} : std::nullopt;
}

} // namespace topo
