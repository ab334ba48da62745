// SPDX-License-Identifier: BSL-1.0
/// @file
/// The levels of a rank as data that is sent, and the outline that is made of those of all ranks.
#pragma once

#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/outline.hpp>

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

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

} // namespace topo::detail

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
