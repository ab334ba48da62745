// SPDX-License-Identifier: BSL-1.0
/// @file
/// All communicators of a hierarchy as plain data, computed from places without MPI.
#pragma once

#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/detail/key_numbers.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace topo {

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

        friend bool operator==(const communicator&, const communicator&) = default;
    };

    /// The whole first, then its children by index, each followed by everything inside it.
    std::vector<communicator> communicators;

    /// The number of ranks of the whole.
    int size() const { return static_cast<int>(whole().ranks.size()); }
    /// @throws usage_error if there are no communicators: it was moved from, or gathered on
    /// another rank
    const communicator& whole() const;

    /// The greatest number of levels that any rank has; 0 if there is nothing below the whole.
    int max_depth() const {
        static_cast<void>(whole()); // there is one
        return std::ranges::max(communicators, {}, &communicator::depth).depth + 1;
    }

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

namespace detail {

/// The tree of the paths of all ranks. An outline is the part of it that divides them.
class outline_builder {
public:
    outline_builder(const hierarchy_options& options, std::size_t ranks);

    /// The path of the next rank's place.
    void add(std::span<const hardware_object> path);

    outline build();

private:
    using id = std::uint32_t;
    static constexpr id root = 0; ///< around everything; as a link to an object inside: there is none

    struct object {
        kind type = kind::cluster;
        bool fills_outer = false;
        int index = 0;
        std::uint32_t name = 0, node = 0; ///< numbers of its own name and of its node's
        int ranks = 0;                    ///< how many are in it
        int communicator = -1;            ///< that begins with it
        id outer = root;
        id first_inside = root, last_inside = root,
           next_beside = root; ///< in the order of their lowest ranks
    };

    id inside(id outer, const hardware_object& what, object_key key, bool fills_outer,
              const hardware_object* node);

    std::uint32_t name_number(const std::string& name);

    std::string name_of(const object& what) const;

    void count_ranks();

    /// Adds the communicator that begins with an object, and all below it, without their ranks.
    std::size_t add(id begin, int depth);

    void add_ranks();

    const hierarchy_options& options_;
    std::deque<object> objects_{object{}};
    std::optional<key_numbers> known_; ///< all but the root; until all are
    std::vector<id> innermost_;        ///< of each rank
    std::unordered_map<std::string, std::uint32_t> name_numbers_;
    const std::string no_name_;
    std::vector<const std::string*> names_{&no_name_};
    outline result_;
};

/// The paths of many seats, one after the other: the path inside a node is computed once for each binding.
class seat_paths {
public:
    explicit seat_paths(const machine& on) : on_(on) {}

    /// @return the path of the seat's place; valid until the next call @throws as `machine::place_of`
    std::span<const hardware_object> of(const seat& where);

private:
    struct binding {
        cpu_set cpus;
        std::vector<hardware_object> inside;
    };

    const machine& on_;
    int node_ = -1;
    std::ptrdiff_t outer_ = 0; ///< how many objects of the path are not inside the node
    std::vector<hardware_object> path_;
    std::map<std::pair<const topology*, int>, std::optional<binding>> known_; ///< by hardware and first CPU
};

} // namespace detail

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/outline.ipp>
#endif
