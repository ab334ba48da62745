// SPDX-License-Identifier: BSL-1.0
/// @file
/// All communicators of a running hierarchy, brought to one rank for showing.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>

#include <boost/mpi/collectives/gather.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <cstddef>
#include <span>
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

    outline assemble(level_info whole);

private:
    std::size_t add(const std::vector<int>& ranks, level_info info);

    const rank_report& report_of(int rank) const { return reports_[static_cast<std::size_t>(rank)]; }

    level_info info_of(int root, std::size_t depth) const;

    std::span<const rank_report> reports_;
    outline result_;
};

} // namespace detail

/// All communicators of a running hierarchy, on rank `root` of the whole; an empty outline elsewhere. For
/// showing and testing: it is the one thing here whose memory, on the root, grows with the number of ranks.
/// @collective over the whole, with the same root @throws argument_error if there is no such root
outline gather_outline(const hierarchy& levels, int root = 0);

} // namespace topo

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, topo::level_info& info, unsigned) {
    archive& info.type& info.also& info.name& info.depth& info.index& info.count& info.root& info
        .ranks_within;
}

} // namespace boost::serialization

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/gather_outline.ipp>
#endif
