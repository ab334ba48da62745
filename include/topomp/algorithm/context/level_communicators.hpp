// SPDX-License-Identifier: BSL-1.0
/// @file
/// The members of each level, and the role of a rank in it.
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <cstddef>
#include <iterator>
#include <vector>

namespace topo::detail {

/// The role of a rank if data enters or leaves through one given rank.
struct role {
    std::vector<step_view> steps; ///< the levels in which the rank moves data, outermost first
    int first_depth = 0;          ///< of the first of them: step k is the level `node(first_depth + k)`
    std::vector<int>
        path; ///< of the levels that contain the rank, outermost first, its group's number among the
              ///< members; only members know theirs; empty for rank 0, which is everywhere the first
    std::vector<std::vector<int>> borrowed; ///< members of steps in which the rank replaces another
};

/// The members of each level: of every group below it the lowest rank, and the ranks that are in no group
/// below.
///
/// ```
///   node(0)   0 1 2 3 4 5 6       members 0, 3, 6: the roots of two groups, and 6, which is in neither
///   node(1)  [0 1 2][3 4 5]       members 0, 1, 2 and 3, 4, 5
/// ```
class level_communicators {
public:
    explicit level_communicators(const hierarchy& levels);

    level_communicators(const level_communicators&) = delete;
    level_communicators& operator=(const level_communicators&) = delete;

    /// The private communicator, with the whole's ranks.
    const boost::mpi::communicator& private_comm() const noexcept { return private_comm_; }
    int rank() const noexcept { return rank_; }
    /// The depth of the calling rank's innermost level.
    int depth() const { return static_cast<int>(steps_.size()) - 1; }
    /// The members' communicator of the level `node(depth)`; null on ranks that are not among them.
    const boost::mpi::communicator& members(int depth) const { return at(depth).comm; }
    /// All ranks of the level `node(depth)`, on the hierarchy's communicator.
    const boost::mpi::communicator& level(int depth) const { return at(depth).level; }
    /// The object of the level `node(depth)`.
    const level_info& info(int depth) const { return at(depth).info; }

    /// The calling rank's role if data enters or leaves through a root. @collective over the whole unless the
    /// root is 0 @cost then an all-reduce of an integer in each level that contains the root
    role role_for(int root) const { return root == 0 ? natural_role() : make_role(root); }

    /// Whether the ranks are in several machines.
    bool join_nodes() const { return may_cross_nodes(steps_.front().info); }

    /// The lowest rank of the calling rank's node; where all ranks are in one machine, of its part there, the
    /// widest one if there is none of that kind.
    int part_root(machine_part stands_in) const;

    /// Whether all levels that contain the calling rank are intervals of ranks.
    bool are_intervals() const;

    /// The sizes of those levels inside the whole that have one size everywhere, ascending.
    /// @collective over the whole
    std::vector<int> equal_sizes() const;

    /// The rank's levels that are intervals of ranks, as a place: known by their kinds and roots.
    place interval_place() const;

    /// Tags up to this one are for making roles.
    static constexpr int role_tag = 0;

private:
    struct level_step {
        boost::mpi::communicator level = null_communicator(); ///< all ranks of `node(depth)`
        level_info info;                                      ///< what it stands for
        boost::mpi::communicator comm = null_communicator();
        std::vector<int> members;
    };

    const level_step& at(int depth) const { return steps_[static_cast<std::size_t>(depth)]; }

    step_view view_of(const level_step& step, int root_index, int root_rank) const;

    role natural_role() const;

    bool is_interval(const boost::mpi::communicator& level) const;

    bool is_in(int whole_rank, int depth) const;

    role make_role(int root) const;

    /// In a level that contains the root, the root replaces the member of its group.
    void add_step_with_root(role& result, const level_step& step, int root, int depth) const;

    void send_members(const level_step& step, int to) const;

    std::vector<int> receive_members(int from) const;

    boost::mpi::communicator private_comm_;
    int rank_;
    std::vector<level_step> steps_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/context/impl/level_communicators.ipp>
#endif
