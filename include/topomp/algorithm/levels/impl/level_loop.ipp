// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/levels/level_loop.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE level_rooms::level_rooms(context& ranks) : ranks_(ranks) {
    for (int depth = 0; depth <= ranks.depth(); ++depth) {
        const auto& members = ranks.members(depth);
        if (members && members.size() > 1)
            rooms_.push_back(std::make_unique<level_members>(members, ranks.info(depth),
                                                             ranks.known_node_memory(), ranks.running()));
        else
            rooms_.emplace_back();
    }
    wide_.resize(rooms_.size());
}

TOPOMP_INLINE level_rooms::wide_room& level_rooms::of_all(int depth) {
    wide_room& wide = wide_[static_cast<std::size_t>(depth)];
    if (!wide.ranks.empty()) return wide;
    const auto& level = ranks_.level(depth);
    wide.ranks.resize(static_cast<std::size_t>(level.size()));
    const int mine = ranks_.rank();
    mpi::check(MPI_Allgather(&mine, 1, MPI_INT, wide.ranks.data(), 1, MPI_INT, level), "MPI_Allgather",
               "ranks of a level");
    if (level.size() > 1)
        wide.room =
            std::make_unique<level_members>(own(mpi::comm_dup(level, "ranks of a level")), ranks_.info(depth),
                                            ranks_.known_node_memory(), ranks_.running());
    return wide;
}

TOPOMP_INLINE level_rooms::first_ranks& level_rooms::of_firsts(const loop_plan& plan, int depth) {
    unsigned kinds = 0;
    for (const loop_rule& rule : plan.rules)
        if (rule.is_within) kinds |= 1U << static_cast<unsigned>(rule.which);
    first_ranks& firsts = firsts_[kinds];
    if (firsts.groups) return firsts;
    const int mine = of_all(depth).ranks.front();
    std::vector<int> first_of(static_cast<std::size_t>(ranks_.private_comm().size()));
    mpi::check(MPI_Allgather(&mine, 1, MPI_INT, first_of.data(), 1, MPI_INT, ranks_.private_comm()),
               "MPI_Allgather", "first ranks of levels");
    firsts.groups.emplace(first_of);
    const bool is_first = mine == ranks_.rank();
    boost::mpi::communicator members{mpi::comm_split(ranks_.private_comm(), is_first ? 0 : MPI_UNDEFINED,
                                                     ranks_.rank(), "first ranks of levels"),
                                     boost::mpi::comm_take_ownership};
    if (is_first && members.size() > 1)
        firsts.room = std::make_unique<level_members>(members, ranks_.info(0), ranks_.known_node_memory(),
                                                      ranks_.running());
    return firsts;
}

TOPOMP_INLINE const level_loop& level_loop::of(context& ranks, const loop_plan& plan) {
    loops& known = ranks.attached<loops>();
    const void* const rules = plan.rules.data();
    if (known.last_rules == rules) return *known.last;
    auto found = known.by_rules.find(rules);
    if (found == known.by_rules.end()) found = known.by_rules.emplace(rules, level_loop{ranks, plan}).first;
    known.last_rules = rules;
    known.last = &found->second;
    return found->second;
}

TOPOMP_INLINE int level_loop::around(const std::vector<int>& path) const {
    if (path.empty()) return 0;
    const int beyond = static_cast<int>(path.size()) - joined_;
    return std::clamp(beyond, 1, static_cast<int>(stops_.size()));
}

TOPOMP_INLINE int level_loop::root_at(int depth, const std::vector<int>& path, int root) const {
    const auto& all_ranks = at(depth).all_ranks;
    if (depth == 0 && groups_ != nullptr) return groups_->node_of(root);
    if (all_ranks.empty()) return path[static_cast<std::size_t>(depth)];
    return static_cast<int>(std::ranges::lower_bound(all_ranks, root) - all_ranks.begin());
}

TOPOMP_INLINE int level_loop::joined_depth(const context& ranks, const loop_plan& plan) {
    if (std::ranges::none_of(plan.rules, &loop_rule::is_within)) return 0;
    int depth = 0;
    while (depth <= ranks.depth() && plan.rule_for(ranks.info(depth)).is_default)
        ++depth;
    const bool ends_within = depth <= ranks.depth() && plan.rule_for(ranks.info(depth)).is_within;
    const std::array mine{ends_within ? depth : 0, -depth};
    std::array<int, 2> least{};
    mpi::allreduce(mine.data(), least.data(), 2, MPI_INT, MPI_MIN, ranks.private_comm(),
                   "levels around nodes");
    return least[0] > 0 && -least[1] > 1 ? depth : 0;
}

TOPOMP_INLINE level_loop::level_loop(context& ranks, const loop_plan& plan) {
    level_rooms& rooms = ranks.attached<level_rooms>();
    if (std::ranges::any_of(plan.rules,
                            [](const loop_rule& rule) { return rule.algorithm.uses_node_memory; }))
        ranks.node_memory(); // here, where all ranks come by
    const int joined = joined_depth(ranks, plan);
    if (joined > 0) {
        auto& [room, groups] = rooms.of_firsts(plan, joined);
        stops_.push_back({room.get(), &plan.rules.back().algorithm, {}});
        groups_ = &*groups;
        joined_ = joined - 1;
    }
    for (int depth = joined; depth <= ranks.depth(); ++depth) {
        const loop_rule& rule = plan.rule_for(ranks.info(depth));
        if (rule.is_within) {
            level_rooms::wide_room& wide = rooms.of_all(depth);
            stops_.push_back({wide.room.get(), &rule.algorithm, wide.ranks});
            return;
        }
        stops_.push_back({rooms.of_members(depth), &rule.algorithm, {}});
    }
}

} // namespace topo::detail
