// SPDX-License-Identifier: BSL-1.0
/// @file
/// From level to level, with an algorithm in each.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace topo::detail {

/// An algorithm for the levels of one kind, or for all that no rule before it names.
struct loop_rule {
    kind which{};
    bool is_default = false;
    bool is_within = false; ///< among all ranks of the level at once; the levels inside it are passed over
    any_level_algorithm how;
};

/// Which algorithm at which level. A policy with its types forgotten.
struct loop_plan {
    std::span<const loop_rule> rules; ///< the last one is the default; they live as long as the program

    const loop_rule& rule_for(const level_info& level) const {
        for (const loop_rule& rule : rules)
            if (rule.is_default || level.is(rule.which)) return rule;
        return rules.back();
    }
};

/// What algorithms have in a team's levels: among the members of a level, and among all its ranks.
class level_rooms {
public:
    explicit level_rooms(team& ranks) : ranks_(ranks) {
        for (int depth = 0; depth <= ranks.depth(); ++depth) {
            const auto& members = ranks.members(depth);
            if (members && members.size() > 1)
                rooms_.push_back(
                    std::make_unique<level_members>(members, ranks.info(depth), ranks.known_node_memory()));
            else
                rooms_.emplace_back();
        }
        wide_.resize(rooms_.size());
    }

    /// Null on ranks that are not among the members, and where there is only one.
    level_members* of_members(int depth) { return rooms_[static_cast<std::size_t>(depth)].get(); }

    struct wide_room {
        std::unique_ptr<level_members> room; ///< null: only one rank
        std::vector<int> ranks;              ///< of the whole, ascending
    };
    /// @collective over the level the first time
    wide_room& of_all(int depth) {
        wide_room& wide = wide_[static_cast<std::size_t>(depth)];
        if (!wide.ranks.empty()) return wide;
        const auto& level = ranks_.level(depth);
        wide.ranks.resize(static_cast<std::size_t>(level.size()));
        const int mine = ranks_.rank();
        mpi::check(MPI_Allgather(&mine, 1, MPI_INT, wide.ranks.data(), 1, MPI_INT, level), "MPI_Allgather",
                   "ranks of a level");
        if (level.size() > 1)
            wide.room =
                std::make_unique<level_members>(boost::mpi::communicator{level, boost::mpi::comm_duplicate},
                                                ranks_.info(depth), ranks_.known_node_memory());
        return wide;
    }

private:
    team& ranks_;
    std::vector<std::unique_ptr<level_members>> rooms_; ///< by depth
    std::vector<wide_room> wide_;
};

/// The calling rank's way through its levels by one plan.
class level_loop {
public:
    /// Where the rank stops on its way.
    struct stop {
        level_members* here = nullptr; ///< null: nothing to do for this rank
        const any_level_algorithm* how = nullptr;
        std::span<const int> all_ranks; ///< if these take part and not only members
    };

    /// The loop of a plan. @collective over the team the first time for each plan
    static const level_loop& of(team& ranks, const loop_plan& plan) {
        loops& known = ranks.kept<loops>();
        const void* const rules = plan.rules.data();
        if (known.last_rules == rules) return *known.last;
        auto found = known.by_rules.find(rules);
        if (found == known.by_rules.end())
            found = known.by_rules.emplace(rules, level_loop{ranks, plan}).first;
        known.last_rules = rules;
        known.last = &found->second;
        return found->second;
    }

    int depth() const { return static_cast<int>(stops_.size()) - 1; }
    const stop& at(int depth) const { return stops_[static_cast<std::size_t>(depth)]; }

    /// The levels around a root, outermost first: so many. None for rank 0, which is everywhere the first.
    int around(const std::vector<int>& path) const {
        return static_cast<int>(std::min(path.size(), stops_.size()));
    }
    /// The root's number, or that of its group's member, in a level around it.
    int root_at(int depth, const std::vector<int>& path, int root) const {
        const auto& everybody = at(depth).all_ranks;
        if (everybody.empty()) return path[static_cast<std::size_t>(depth)];
        return static_cast<int>(std::ranges::lower_bound(everybody, root) - everybody.begin());
    }

private:
    struct loops {
        explicit loops(team&) {}
        std::map<const void*, level_loop> by_rules;
        const void* last_rules = nullptr; ///< of the last call, and their loop
        const level_loop* last = nullptr;
    };

    level_loop(team& ranks, const loop_plan& plan) {
        level_rooms& rooms = ranks.kept<level_rooms>();
        if (std::ranges::any_of(plan.rules, [](const loop_rule& rule) { return rule.how.uses_node_memory; }))
            ranks.node_memory(); // here, where all ranks come by
        for (int depth = 0; depth <= ranks.depth(); ++depth) {
            const loop_rule& rule = plan.rule_for(ranks.info(depth));
            if (rule.is_within) {
                level_rooms::wide_room& wide = rooms.of_all(depth);
                stops_.push_back({wide.room.get(), &rule.how, wide.ranks});
                return;
            }
            stops_.push_back({rooms.of_members(depth), &rule.how, {}});
        }
    }

    std::vector<stop> stops_; ///< by depth
};

} // namespace topo::detail
