// SPDX-License-Identifier: BSL-1.0
/// @file
/// All communicators of a hierarchy as plain data, computed from places without MPI.
#pragma once

#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/options.hpp>

#include <span>
#include <string>
#include <vector>

namespace topo {

class machine;
class placement;

/// The whole hierarchy of a program as plain data: which communicators there are, what they stand for, and
/// which ranks are in them. Shows without MPI which communicators a program would have on another machine,
/// and shows a running hierarchy.
///
/// ```
///   ranks            0 1 2 3 4 5 6 7
///   depth 0 Machine  [0 1 2 3][4 5 6 7]      index 0 and 1 of count 2, roots {0, 4}
///   depth 1 Package  [0 1][2 3][4 5][6 7]    index 0 and 1 of count 2 twice, roots {0, 2} and {4, 6}
/// ```
struct outline {
    /// One communicator.
    struct communicator {
        int depth = 0;             ///< 0: the outermost strict subsets; -1: the whole
        kind type = kind::cluster; ///< as `level_info::type`
        std::vector<kind> also;    ///< of the other objects with the same processing units
        std::string name;          ///< of the object that gives the type
        int index =
            0; ///< among the siblings, in the order of their roots: the root's rank in the roots communicator
        int count = 1; ///< of siblings, itself included: communicators of this depth with the same parent
        std::vector<int> ranks;           ///< of the whole communicator, ascending; the first is the root
        std::vector<int> children;        ///< positions in `communicators`, in the order of their index
        std::vector<kind> ranks_within{}; ///< of the other objects that contain all its ranks

        /// The lowest of its ranks.
        int root() const { return ranks.front(); }

        friend bool operator==(const communicator& a, const communicator& b);
    };

    /// The whole first, then its children by index, each followed by everything inside it.
    std::vector<communicator> communicators;

    /// The number of ranks of the whole.
    int size() const { return static_cast<int>(whole().ranks.size()); }
    /// @throws usage_error if there are no communicators: it was moved from, or gathered on
    /// another rank
    const communicator& whole() const;

    /// The greatest number of levels that any rank has; 0 if there is nothing below the whole.
    int max_depth() const;

    /// The roots of all communicators with the same parent, ascending: the roots communicator of that step.
    std::vector<int> roots_below(const communicator& parent) const;

    /// Computes the hierarchy of ranks 0 to `places.size()` - 1.
    ///
    /// It is the tree of the places' paths with every chain of objects that contain the same ranks merged
    /// into one communicator. @cost linear in the total length of the paths
    /// @see paper 1, sections 3.2.2 and 3.2.3
    static outline of(std::span<const place> places, const hierarchy_options& options = {});

    /// Computes the hierarchy of ranks that a rule places on a machine, in less memory than their places
    /// take.
    /// @throws as `placement::seats` and `machine::place_of`
    static outline of(const machine& on, const placement& rule, int ranks,
                      const hierarchy_options& options = {});
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/outline.ipp>
#endif
