// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a level stands for.
#pragma once

#include <topomp/hardware/kind.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace topo {

/// What a communicator that came out of a split stands for.
/// @see paper 1, section 3.3.1 (`MPI_Comm_get_hlevel_info`)
struct level_info {
    /// Of the outermost object that contains these ranks and no other of the parent: the lowest kind of
    /// object with the same processing units, PU left out.
    kind type = kind::cluster;
    std::vector<kind> also; ///< of the other objects with these processing units, in the usual nesting order
    std::string name;       ///< of the object that gives the type: `node1/L3Cache#0`
    int depth = 0;          ///< 0: the outermost strict subset of the whole communicator
    int index = 0;          ///< among the siblings, in the order of their roots
    int count = 1;          ///< of siblings: communicators split off the same parent, this one included
    int root = 0;           ///< the whole communicator's rank of this one's root
    /// Of smaller objects that contain all these ranks too, outermost first; of the whole also of larger
    /// ones.
    std::vector<kind> ranks_within{};

    /// Whether these ranks share an object of this kind that no other rank of the parent is in.
    bool is(kind which) const;

    friend bool operator==(const level_info& a, const level_info& b);
};

/// `L3Cache (also Package, NUMANode) node0/L3Cache#1, 1 of 2`; `Machine (ranks within Core, PU) node1, 1 of
/// 4`
std::ostream& operator<<(std::ostream& out, const level_info& info);

namespace detail {

/// Whether the ranks need not be in one node.
bool may_cross_nodes(const level_info& info);

} // namespace detail

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/level_info.ipp>
#endif
