// SPDX-License-Identifier: BSL-1.0
/// @file
/// From level to level, with an algorithm in each.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/level.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace topo::detail {

/// The communicators of algorithms in a context's levels: of a level's members, and of all its ranks.
class level_rooms {
public:
    explicit level_rooms(context& ranks);

    /// Null on ranks that are not among the members, and where there is only one.
    level_members* of_members(int depth) { return rooms_[static_cast<std::size_t>(depth)].get(); }

    struct wide_room {
        std::unique_ptr<level_members> room; ///< null: only one rank
        std::vector<int> ranks;              ///< of the whole, ascending
    };
    /// @collective over the level the first time
    wide_room& of_all(int depth);

    /// One rank of each group of ranks.
    struct first_ranks {
        std::unique_ptr<level_members> room; ///< null on the other ranks, and if there is one group
        std::optional<ranks_by_node> groups; ///< each rank's
    };
    /// Of the levels of which a plan's rules say `within`.
    /// @param depth of the calling rank's level @collective over the context the first time for each set of
    /// kinds
    first_ranks& of_firsts(const loop_plan& plan, int depth);

private:
    context& ranks_;
    std::vector<std::unique_ptr<level_members>> rooms_; ///< by depth
    std::vector<wide_room> wide_;
    std::map<unsigned, first_ranks> firsts_; ///< by the kinds of the levels, a bit each
};

/// The calling rank's sequence of levels under one plan. The levels around a `within` are one, among the
/// first ranks of its levels, if `otherwise` alone has an answer for them.
class level_loop {
public:
    /// A level of the sequence in which the rank takes part.
    struct stop {
        level_members* here = nullptr; ///< null: nothing to do for this rank
        const any_level_algorithm* algorithm = nullptr;
        std::span<const int> all_ranks; ///< if these take part and not only members
    };

    /// The loop of a plan. @collective over the context the first time for each plan
    static const level_loop& of(context& ranks, const loop_plan& plan);

    int depth() const { return static_cast<int>(stops_.size()) - 1; }
    const stop& at(int depth) const { return stops_[static_cast<std::size_t>(depth)]; }

    /// The levels around a root, outermost first: so many. None for rank 0, which is everywhere the first.
    int around(const std::vector<int>& path) const;
    /// The root's number, or that of its group's member, in a level around it.
    int root_at(int depth, const std::vector<int>& path, int root) const;

private:
    struct loops {
        explicit loops(context&) {}
        std::map<const void*, level_loop> by_rules;
        const void* last_rules = nullptr; ///< of the last call, and their loop
        const level_loop* last = nullptr;
    };

    level_loop(context& ranks, const loop_plan& plan);

    /// The depth down to which the first stop reaches: where levels end whose ranks are all together, if no
    /// rule names one of those around them; else 0. @collective over the context
    static int joined_depth(const context& ranks, const loop_plan& plan);

    std::vector<stop> stops_;               ///< by depth, the joined ones as one
    int joined_ = 0;                        ///< levels that the first stop stands for besides its own
    const ranks_by_node* groups_ = nullptr; ///< of the first stop's members, if it stands for several levels
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/levels/impl/level_loop.ipp>
#endif
