// SPDX-License-Identifier: BSL-1.0
/// @file
/// All communicators of a running hierarchy, brought to one rank for showing.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <boost/mpi/collectives/gather.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace topo {

namespace detail {

/// What one rank reports: the root of each of its levels, and all about those whose root it is.
struct rank_report {
    std::vector<int> roots;
    std::vector<level_info> own; ///< of the levels that it is root of; these are its last ones

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& roots& own;
    }
};

/// Puts reports of all ranks together.
class outline_assembler {
public:
    explicit outline_assembler(std::span<const rank_report> reports) : reports_(reports) {}

    outline assemble(level_info whole) {
        std::vector<int> all(reports_.size());
        std::iota(all.begin(), all.end(), 0);
        add(all, std::move(whole));
        return std::move(result_);
    }

private:
    std::size_t add(const std::vector<int>& ranks, level_info info) {
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

    const rank_report& report_of(int rank) const { return reports_[static_cast<std::size_t>(rank)]; }

    level_info info_of(int root, std::size_t depth) const {
        for (const level_info& info : report_of(root).own)
            if (info.depth == static_cast<int>(depth)) return info;
        throw error("topo::gather_outline", "rank " + std::to_string(root),
                    "it is named as root of a level that it does not know");
    }

    std::span<const rank_report> reports_;
    outline result_;
};

} // namespace detail

/// All communicators of a running hierarchy, on rank `root` of the whole; an empty outline elsewhere. For
/// showing and testing: it is the one thing here whose memory, on the root, grows with the number of ranks.
/// @collective over the whole, with the same root @throws argument_error if there is no such root
inline outline gather_outline(const hierarchy& tree, int root = 0) {
    detail::require_same_root("topo::gather_outline", root, tree.whole());
    detail::rank_report mine;
    for (const level& each : tree) {
        mine.roots.push_back(each.info().root);
        if (each.is_root()) mine.own.push_back(each.info());
    }
    if (tree.whole().rank() != root) {
        boost::mpi::gather(tree.whole(), mine, root);
        return {};
    }
    std::vector<detail::rank_report> reports;
    boost::mpi::gather(tree.whole(), mine, reports, root);
    return detail::outline_assembler{reports}.assemble(tree.whole_info());
}

} // namespace topo

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, topo::level_info& info, unsigned) {
    archive& info.type& info.also& info.name& info.depth& info.index& info.count& info.root& info
        .ranks_within;
}

} // namespace boost::serialization
