// SPDX-License-Identifier: BSL-1.0
/// @file
/// All communicators of a hierarchy as plain data, computed from places without MPI.
#pragma once

#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/options.hpp>
#include <topomp/hierarchy/trail.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

/// The whole hierarchy of a program as plain data: which communicators there are, what they stand for, who is
/// in them. Answers 'what would my communicators be over there?' without MPI, and shows a running hierarchy.
///
/// ```
///   ranks            0 1 2 3 4 5 6 7
///   depth 0 Machine  [0 1 2 3][4 5 6 7]      index 0 and 1 of count 2, roots {0, 4}
///   depth 1 Package  [0 1][2 3][4 5][6 7]    index 0 and 1 of count 2 twice, roots {0, 2} and {4, 6}
/// ```
struct outline {
    /// One communicator.
    struct communicator {
        int depth = 0; ///< 0: the outermost strict subsets; -1: the whole
        kind type = kind::cluster;
        std::vector<kind> also; ///< kinds of the objects that contain the same ranks, outermost first
        std::string name;
        int index =
            0; ///< among the siblings, in the order of their roots: the root's rank in the roots communicator
        int count = 1; ///< of siblings, itself included: communicators of this depth with the same parent
        std::vector<int> ranks;    ///< of the whole communicator, ascending; the first is the root
        std::vector<int> children; ///< positions in `communicators`, in the order of their index

        int root() const { return ranks.front(); }

        friend bool operator==(const communicator&, const communicator&) = default;
    };

    /// The whole first, then its children by index, each followed by everything inside it.
    std::vector<communicator> communicators;

    int size() const { return static_cast<int>(whole().ranks.size()); }
    const communicator& whole() const { return communicators.front(); }

    /// The greatest number of levels that any rank has; 0 if there is nothing below the whole.
    int max_depth() const { return std::ranges::max(communicators, {}, &communicator::depth).depth + 1; }

    /// The roots of all communicators with the same parent, ascending: the roots communicator of that step.
    std::vector<int> roots_below(const communicator& parent) const {
        std::vector<int> roots;
        for (const int child : parent.children)
            roots.push_back(communicators[static_cast<std::size_t>(child)].root());
        return roots;
    }

    /// Computes the hierarchy of ranks 0 to `places.size()` - 1.
    ///
    /// It is the tree of the places' paths with every chain of objects that contain the same ranks merged
    /// into one communicator. @cost linear in the total length of the paths, times their depth
    /// @see paper 1, sections 3.2.2 and 3.2.3
    static outline of(std::span<const place> places, const hierarchy_options& options = {});
};

namespace detail {

class outline_builder {
public:
    outline_builder(std::span<const place> places, const hierarchy_options& options)
        : max_depth_(options.max_depth) {
        for (const auto& each : places)
            trails_.push_back(make_trail(each, options));
    }

    outline build() {
        if (trails_.empty()) throw argument_error("topo::outline", "list of places", "it is empty");
        std::vector<int> all(trails_.size());
        std::iota(all.begin(), all.end(), 0);
        add(std::move(all), 0, -1);
        return std::move(result_);
    }

private:
    const trail& trail_of(int rank) const { return trails_[static_cast<std::size_t>(rank)]; }

    /// Adds the communicator of `ranks`, whose first `known` steps are those of its parent, and all below it.
    std::size_t add(std::vector<int> ranks, std::size_t known, int depth) {
        const trail& first = trail_of(ranks.front());
        std::size_t common = first.size();
        for (const int rank : ranks)
            common = std::min(common, common_length(first, trail_of(rank)));

        const std::size_t position = result_.communicators.size();
        auto merged = merge(std::span{first}.subspan(known, common - known));
        result_.communicators.push_back(
            {depth, merged.type, std::move(merged.also), std::move(merged.name), 0, 1, ranks, {}});
        if (depth + 1 >= max_depth_) return position;

        std::vector<std::vector<int>> groups; // in the order of their first ranks
        std::map<object_key, std::size_t> group_of;
        for (const int rank : ranks) {
            if (trail_of(rank).size() == common) continue; // spans the objects below: in none of them
            const auto [at, is_new] = group_of.try_emplace(trail_of(rank)[common].key, groups.size());
            if (is_new) groups.emplace_back();
            groups[at->second].push_back(rank);
        }
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const std::size_t child = add(std::move(groups[i]), common, depth + 1);
            result_.communicators[child].index = static_cast<int>(i);
            result_.communicators[child].count = static_cast<int>(groups.size());
            result_.communicators[position].children.push_back(static_cast<int>(child));
        }
        return position;
    }

    static std::size_t common_length(const trail& a, const trail& b) {
        const auto differ = std::ranges::mismatch(a, b, {}, &trail_step::key, &trail_step::key);
        return static_cast<std::size_t>(differ.in1 - a.begin());
    }

    std::vector<trail> trails_;
    int max_depth_;
    outline result_;
};

} // namespace detail

inline outline outline::of(std::span<const place> places, const hierarchy_options& options) {
    return detail::outline_builder{places, options}.build();
}

} // namespace topo
