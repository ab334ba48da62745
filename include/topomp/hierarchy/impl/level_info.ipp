// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/level_info.hpp>

#include <algorithm>
#include <ostream>

namespace topo {

TOPOMP_INLINE bool level_info::is(kind which) const {
    return type == which || std::ranges::find(also, which) != also.end() ||
           std::ranges::find(ranks_within, which) != ranks_within.end();
}

[[gnu::cold]] TOPOMP_INLINE bool operator==(const level_info& a, const level_info& b) {
    return a.type == b.type && a.also == b.also && a.name == b.name && a.depth == b.depth &&
           a.index == b.index && a.count == b.count && a.root == b.root && a.ranks_within == b.ranks_within;
}

[[gnu::cold]] TOPOMP_INLINE std::ostream& operator<<(std::ostream& out, const level_info& info) {
    out << to_string(info.type);
    if (const auto others = detail::kinds_text(info.also, info.ranks_within); !others.empty())
        out << " (" << others << ')';
    return out << ' ' << info.name << ", " << info.index << " of " << info.count;
}

} // namespace topo

namespace topo::detail {

TOPOMP_INLINE bool may_cross_nodes(const level_info& info) { return joins_nodes(innermost_kind(info)); }

} // namespace topo::detail
