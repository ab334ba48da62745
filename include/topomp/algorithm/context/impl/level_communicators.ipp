// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/level_communicators.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/detail/split_memory.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE level_communicators::level_communicators(const hierarchy& levels)
    : private_comm_(own(mpi::comm_dup(levels.whole(), "ranks of a hierarchy"))), rank_(private_comm_.rank()) {
    for (int depth = 0; depth <= levels.depth(); ++depth) {
        const bool takes_part = depth == levels.depth() || levels[depth].is_root();
        const auto& level = levels.node(depth);
        level_step step;
        step.level = level;
        step.info = depth == 0 ? levels.whole_info() : levels[depth - 1].info();
        step.comm =
            own(mpi::comm_split(level, takes_part ? 0 : MPI_UNDEFINED, level.rank(), "members of a level"));
        if (takes_part) {
            step.members.resize(static_cast<std::size_t>(step.comm.size()));
            mpi::check(MPI_Allgather(&rank_, 1, MPI_INT, step.members.data(), 1, MPI_INT, step.comm),
                       "MPI_Allgather", "members of a level");
        }
        steps_.push_back(std::move(step));
    }
}

TOPOMP_INLINE int level_communicators::part_root(machine_part stands_in) const {
    auto part =
        std::ranges::find_if_not(steps_, [](const level_step& step) { return may_cross_nodes(step.info); });
    if (part == steps_.begin()) {
        part = std::ranges::find_if(++part, steps_.end(), [stands_in](const level_step& step) {
            return stands_in == machine_part::widest || step.info.is(kind::numa_node);
        });
        if (part == steps_.end() && steps_.size() > 1) part = std::next(steps_.begin());
    }
    return part == steps_.end() ? rank_ : part->info.root;
}

TOPOMP_INLINE bool level_communicators::are_intervals() const {
    return std::ranges::all_of(steps_, [&](const level_step& step) { return is_interval(step.level); });
}

TOPOMP_INLINE std::vector<int> level_communicators::equal_sizes() const {
    constexpr int most_levels = 16;
    std::array<int, most_levels> sizes{}, negative{}, least{}, most{};
    for (int depth = 1; depth <= std::min(this->depth(), most_levels); ++depth)
        sizes[static_cast<std::size_t>(depth) - 1] = at(depth).level.size();
    std::ranges::transform(sizes, negative.begin(), std::negate<>{});
    mpi::allreduce(sizes.data(), least.data(), most_levels, MPI_INT, MPI_MIN, private_comm_,
                   "sizes of levels");
    mpi::allreduce(negative.data(), most.data(), most_levels, MPI_INT, MPI_MIN, private_comm_,
                   "sizes of levels");
    std::vector<int> equal;
    for (std::size_t i = most_levels; i-- > 0;)
        if (least[i] > 1 && least[i] == -most[i]) equal.push_back(least[i]);
    return equal;
}

TOPOMP_INLINE place level_communicators::interval_place() const {
    std::vector<hardware_object> path;
    for (const level_step& step : steps_) {
        if (!is_interval(step.level) || step.info.type == kind::cluster) continue;
        append_objects(path, step.info);
    }
    return place{std::move(path)};
}

TOPOMP_INLINE step_view level_communicators::view_of(const level_step& step, int root_index,
                                                     int root_rank) const {
    return {step.members, step.comm.rank(), root_index, root_rank};
}

TOPOMP_INLINE role level_communicators::natural_role() const {
    role result;
    int depth = 0;
    for (const auto& step : steps_) {
        if (!step.comm)
            result.first_depth = depth + 1;
        else
            result.steps.push_back(view_of(step, 0, step.members.front()));
        ++depth;
    }
    return result;
}

TOPOMP_INLINE bool level_communicators::is_interval(const boost::mpi::communicator& level) const {
    const std::array ends{0, level.size() - 1};
    const auto whole = translate(ends, level, private_comm_);
    return whole[1] - whole[0] == ends[1];
}

TOPOMP_INLINE bool level_communicators::is_in(int whole_rank, int depth) const {
    return translate(std::array{whole_rank}, private_comm_, at(depth).level).front() != MPI_UNDEFINED;
}

TOPOMP_INLINE role level_communicators::make_role(int root) const {
    role result;
    for (int depth = 0; depth <= this->depth(); ++depth) {
        const auto& step = at(depth);
        const bool is_here = depth == 0 || is_in(root, depth);
        if (is_here) result.path.push_back(-1);
        if (!is_here && step.comm) result.steps.push_back(view_of(step, 0, step.members.front()));
        if (is_here) add_step_with_root(result, step, root, depth);
        if (result.steps.empty()) result.first_depth = depth + 1;
    }
    return result;
}

TOPOMP_INLINE void level_communicators::add_step_with_root(role& result, const level_step& step, int root,
                                                           int depth) const {
    const bool is_innermost = depth == this->depth();
    if (!step.comm) { // not a member: the root, or no rank of this group
        if (root == rank_) {
            result.borrowed.push_back(receive_members(at(depth + 1).info.root));
            const auto& members = result.borrowed.back();
            const int own_group = members.back(); // sent after the members
            result.steps.push_back(
                {std::span{members}.first(members.size() - 1), own_group, own_group, root});
        }
        return;
    }
    const bool has_root = is_innermost ? root == rank_ : is_in(root, depth + 1);
    const int mine = has_root ? step.comm.rank() : -1;
    int root_index = -1;
    mpi::allreduce(&mine, &root_index, 1, MPI_INT, MPI_MAX, step.comm, "group of the root");
    result.path.back() = root_index;
    if (has_root && root != rank_) {
        send_members(step, root);
        return;
    }
    result.steps.push_back(view_of(step, root_index, root));
}

TOPOMP_INLINE void level_communicators::send_members(const level_step& step, int to) const {
    std::vector<int> text = step.members;
    text.push_back(step.comm.rank());
    mpi::check(MPI_Send(text.data(), static_cast<int>(text.size()), MPI_INT, to, role_tag, private_comm_),
               "MPI_Send", "members of a level");
}

TOPOMP_INLINE std::vector<int> level_communicators::receive_members(int from) const {
    MPI_Status status{};
    mpi::check(MPI_Probe(from, role_tag, private_comm_, &status), "MPI_Probe", "members of a level");
    int count = 0;
    mpi::check(MPI_Get_count(&status, MPI_INT, &count), "MPI_Get_count", "members of a level");
    std::vector<int> text(static_cast<std::size_t>(count));
    mpi::check(MPI_Recv(text.data(), count, MPI_INT, from, role_tag, private_comm_, MPI_STATUS_IGNORE),
               "MPI_Recv", "members of a level");
    return text;
}

} // namespace topo::detail
