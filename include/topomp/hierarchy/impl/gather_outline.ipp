// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/detail/rank_report.hpp>
#include <topomp/hierarchy/gather_outline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <boost/mpi/collectives/gather.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE outline outline_assembler::assemble(level_info whole) {
    std::vector<int> all(reports_.size());
    std::iota(all.begin(), all.end(), 0);
    add(all, std::move(whole));
    return std::move(result_);
}

TOPOMP_INLINE std::size_t outline_assembler::add(const std::vector<int>& ranks, level_info info) {
    const std::size_t position = result_.communicators.size();
    const auto inner = static_cast<std::size_t>(info.depth + 1);
    result_.communicators.push_back({info.depth,
                                     info.type,
                                     std::move(info.also),
                                     std::move(info.name),
                                     info.index,
                                     info.count,
                                     ranks,
                                     {},
                                     std::move(info.ranks_within)});
    std::map<int, std::vector<int>> groups; // by root, which is the order of the index
    for (const int rank : ranks) {
        const auto& roots = report_of(rank).roots;
        if (roots.size() > inner) groups[roots[inner]].push_back(rank);
    }
    for (const auto& [root, members] : groups) {
        const std::size_t child = add(members, info_of(root, inner));
        result_.communicators[position].children.push_back(static_cast<int>(child));
    }
    return position;
}

TOPOMP_INLINE level_info outline_assembler::info_of(int root, std::size_t depth) const {
    for (const level_info& info : report_of(root).own)
        if (info.depth == static_cast<int>(depth)) return info;
    throw error("topo::gather_outline", "rank " + std::to_string(root),
                "it is named as root of a level that it does not know");
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE outline gather_outline(const hierarchy& levels, int root) {
    detail::require_same_root("topo::gather_outline", root, levels.whole());
    detail::rank_report mine;
    for (const level& each : levels) {
        mine.roots.push_back(each.info().root);
        if (each.is_root()) mine.own.push_back(each.info());
    }
    if (levels.whole_rank() != root) {
        boost::mpi::gather(levels.whole(), mine, root);
        return {};
    }
    std::vector<detail::rank_report> reports;
    boost::mpi::gather(levels.whole(), mine, reports, root);
    return detail::outline_assembler{reports}.assemble(levels.whole_info());
}

} // namespace topo
