// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the ranks of a hierarchy keep between collectives: who moves data at which level, over which
/// communicator.
#pragma once

#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/exchange_order.hpp>
#include <topomp/algorithm/in_flight.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/subtree.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/core/kept_objects.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace topo::detail {

/// The part that a rank plays when data enters or leaves through one given rank.
struct role {
    std::vector<step_view> steps; ///< the levels in which the rank moves data, outermost first
    int first_depth = 0;          ///< of the first of them: step k is the level `node(first_depth + k)`
    std::vector<int>
        path; ///< of the levels that contain the rank, outermost first, its group's number among the
              ///< members; only members know theirs; empty for rank 0, which is everywhere the first
    std::vector<std::vector<int>> borrowed; ///< members of steps in which the rank stands in for another
};

/// The members of each level: of every group below it the lowest rank, and the ranks that are in no group
/// below.
///
/// ```
///   node(0)   0 1 2 3 4 5 6       members 0, 3, 6: the roots of two groups, and 6, which is in neither
///   node(1)  [0 1 2][3 4 5]       members 0, 1, 2 and 3, 4, 5
/// ```
class team {
public:
    /// The team of a hierarchy, made at its first collective. @collective over the whole the first time
    static team& of(const hierarchy& tree) {
        return tree.attachment<team>([&] { return std::make_shared<team>(tree); });
    }

    explicit team(const hierarchy& tree)
        : wire_(tree.whole(), boost::mpi::comm_duplicate), rank_(wire_.rank()) {
        for (int depth = 0; depth <= tree.depth(); ++depth) {
            const bool takes_part = depth == tree.depth() || tree[depth].is_root();
            const auto& level = tree.node(depth);
            level_step step;
            step.level = level;
            step.info = depth == 0 ? tree.whole_info() : tree[depth - 1].info();
            step.comm = own(
                mpi::comm_split(level, takes_part ? 0 : MPI_UNDEFINED, level.rank(), "members of a level"));
            if (takes_part) {
                step.members.resize(static_cast<std::size_t>(step.comm.size()));
                mpi::check(MPI_Allgather(&rank_, 1, MPI_INT, step.members.data(), 1, MPI_INT, step.comm),
                           "MPI_Allgather", "members of a level");
            }
            steps_.push_back(std::move(step));
        }
    }

    /// The communicator on which only topomp sends, with the whole's ranks.
    const boost::mpi::communicator& wire() const noexcept { return wire_; }
    int rank() const noexcept { return rank_; }

    /// The members' communicator of the level `node(depth)`; null on ranks that are not among them.
    const boost::mpi::communicator& members(int depth) const { return at(depth).comm; }
    /// All ranks of the level `node(depth)`, on the hierarchy's communicator.
    const boost::mpi::communicator& level(int depth) const { return at(depth).level; }
    /// The depth of the calling rank's innermost level.
    int depth() const { return static_cast<int>(steps_.size()) - 1; }
    /// What the level `node(depth)` stands for.
    const level_info& info(int depth) const { return at(depth).info; }

    /// The calling rank's edges in the tree that a plan makes for a root.
    /// @collective over the whole the first time for each root but 0 @cost then an all-reduce of an integer
    /// in each
    ///             level that contains the root; afterwards a look-up
    const tree_edges& edges_for(const tree_plan& plan, int root, operand_order order) {
        const edges_key key{plan.rules.data(), root, order};
        if (const auto known = edges_.find(key); known != edges_.end()) return known->second;
        forget_if_many(root);
        const role& part = role_for(root);
        std::vector<any_shape> shapes;
        for (std::size_t k = 0; k < part.steps.size(); ++k)
            shapes.push_back(plan.shape_for(info(part.first_depth + static_cast<int>(k))));
        return edges_.emplace(key, compose(part.steps, shapes, order)).first->second;
    }

    /// Whether `edges_for` finds this root's without asking anybody: the same on all ranks.
    bool knows(int root) const { return root == 0 || roles_.contains(root); }

    /// Who hangs below the calling rank in that tree. @collective as `edges_for` the first time for each plan
    /// and root
    const subtree& subtree_for(const tree_plan& plan, int root) {
        const tree_edges& edges = edges_for(plan, root, operand_order::any);
        const edges_key key{plan.rules.data(), root, operand_order::any};
        if (const auto known = subtrees_.find(key); known != subtrees_.end()) return known->second;
        return subtrees_.emplace(key, find_subtree(wire_, next_tag(), edges, rank_)).first->second;
    }

    /// All ranks in a row in which neighbours are near.
    /// @collective over the whole the first time @cost then a gather and a broadcast of 4 bytes per rank
    const exchange_order& order() {
        if (!order_.ranks.empty()) return order_;
        // In a tree in which each level's members hang on its first, what is below a child is a group.
        static constexpr std::array star{level_rule{kind::cluster, true, any_shape::of<linear>()}};
        std::vector<int> row = subtree_for({star, 0}, 0).ranks;
        row.resize(static_cast<std::size_t>(wire_.size()));
        mpi::bcast(row.data(), wire_.size(), MPI_INT, 0, wire_, "order of ranks");
        order_ = exchange_order{std::move(row), rank_};
        return order_;
    }

    /// In which group a root is, in each of the calling rank's levels that contain it. @collective as
    /// `edges_for`
    const std::vector<int>& path_of(int root) {
        forget_if_many(root);
        return role_for(root).path;
    }

    /// Memory for one call, kept from call to call.
    std::byte* scratch(std::size_t bytes) { return aligned(scratch_, bytes); }
    /// More of it, for a call that has taken the first.
    std::byte* second_scratch(std::size_t bytes) { return aligned(second_scratch_, bytes); }

    /// Operations of one type that wait for their next call.
    template <class Operation>
    operation_pool<Operation>& pool() {
        return kept_.get<operation_pool<Operation>>(
            [this] { return std::make_shared<operation_pool<Operation>>(running_); });
    }

    /// What an algorithm knows about this team: one object of its type, made of the team at the first call.
    template <class T>
    T& kept() {
        return kept_.get<T>([this] { return std::make_shared<T>(*this); });
    }

    /// The collectives that are on their way.
    in_flight& running() noexcept { return running_; }

    /// A tag for the next collective, the same on every rank, for all call them in the same order.
    int next_tag() {
        constexpr int last = 32767; // what the standard guarantees
        tag_ = tag_ == last ? role_tag + 1 : tag_ + 1;
        return tag_;
    }

    /// The hierarchy in which every group is an interval of ranks, so that a reduction can keep their order:
    /// this one if it is so, else one without the levels that are not. @collective over the whole the first
    /// time
    team& in_rank_order() {
        if (!order_known_) {
            int mine = 1, all = 1;
            for (const auto& step : steps_)
                mine = mine != 0 && is_interval(step.level) ? 1 : 0;
            mpi::allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, wire_, "order of ranks");
            if (all == 0) ordered_.emplace(wire_, interval_place());
            order_known_ = true;
        }
        return ordered_ ? of(*ordered_) : *this;
    }

private:
    struct level_step {
        boost::mpi::communicator level = null_communicator(); ///< all ranks of `node(depth)`
        level_info info;                                      ///< what it stands for
        boost::mpi::communicator comm = null_communicator();
        std::vector<int> members;
    };

    static std::byte* aligned(std::vector<std::byte>& memory, std::size_t bytes) {
        constexpr std::size_t alignment = 64;
        if (memory.size() < bytes + alignment) memory.resize(bytes + alignment);
        const auto raw = reinterpret_cast<std::uintptr_t>(memory.data());
        return memory.data() + (alignment - raw % alignment) % alignment;
    }

    const level_step& at(int depth) const { return steps_[static_cast<std::size_t>(depth)]; }

    step_view view_of(const level_step& step, int root_index, int root_rank) const {
        return {step.members, step.comm.rank(), root_index, root_rank};
    }

    role natural_role() const {
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

    bool is_interval(const boost::mpi::communicator& level) const {
        const std::array ends{0, level.size() - 1};
        const auto whole = translate(ends, level, wire_);
        return whole[1] - whole[0] == ends[1];
    }

    /// The rank's levels that are intervals of ranks, as a place: known by their kinds and roots.
    place interval_place() const {
        std::vector<hardware_object> path;
        for (const level_step& step : steps_) {
            if (!is_interval(step.level) || step.info.type == kind::cluster) continue;
            for (const kind also : step.info.also)
                path.push_back({also, step.info.root, step.info.name});
            path.push_back({step.info.type, step.info.root, step.info.name});
        }
        return place{std::move(path)};
    }

    bool is_in(int whole_rank, int depth) const {
        return translate(std::array{whole_rank}, wire_, at(depth).level).front() != MPI_UNDEFINED;
    }

    role make_role(int root) const {
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

    /// In a level that contains the root, the root stands in for the member of its group.
    void add_step_with_root(role& result, const level_step& step, int root, int depth) const {
        const bool is_innermost = depth == this->depth();
        if (!step.comm) { // not a member: the root, or nobody here
            if (root == rank_) {
                result.borrowed.push_back(receive_members(at(depth + 1).info.root));
                const auto& members = result.borrowed.back();
                const int own_group = members.back(); // sent behind the members
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

    void send_members(const level_step& step, int to) const {
        std::vector<int> text = step.members;
        text.push_back(step.comm.rank());
        mpi::check(MPI_Send(text.data(), static_cast<int>(text.size()), MPI_INT, to, role_tag, wire_),
                   "MPI_Send", "members of a level");
    }

    std::vector<int> receive_members(int from) const {
        MPI_Status status{};
        mpi::check(MPI_Probe(from, role_tag, wire_, &status), "MPI_Probe", "members of a level");
        int count = 0;
        mpi::check(MPI_Get_count(&status, MPI_INT, &count), "MPI_Get_count", "members of a level");
        std::vector<int> text(static_cast<std::size_t>(count));
        mpi::check(MPI_Recv(text.data(), count, MPI_INT, from, role_tag, wire_, MPI_STATUS_IGNORE),
                   "MPI_Recv", "members of a level");
        return text;
    }

    /// Every rank sees the same roots in the same order, so all forget at the same time. Not rank 0's, whose
    /// edges running operations may use.
    void forget_if_many(int root) {
        constexpr std::size_t most_roots = 256;
        if (roles_.size() < most_roots || roles_.contains(root)) return;
        const auto is_of_another = [](const auto& known) { return std::get<1>(known.first) != 0; };
        std::erase_if(roles_, [](const auto& known) { return known.first != 0; });
        std::erase_if(edges_, is_of_another);
        std::erase_if(subtrees_, is_of_another);
    }

    /// The calling rank's part if data enters or leaves through `root`.
    const role& role_for(int root) {
        if (const auto known = roles_.find(root); known != roles_.end()) return known->second;
        return roles_.emplace(root, root == 0 ? natural_role() : make_role(root)).first->second;
    }

    static constexpr int role_tag = 0;
    using edges_key = std::tuple<const void*, int, operand_order>;

    boost::mpi::communicator wire_;
    int rank_;
    std::vector<level_step> steps_;
    std::map<int, role> roles_;
    std::map<edges_key, tree_edges> edges_;
    std::map<edges_key, subtree> subtrees_;
    int tag_ = role_tag;
    std::vector<std::byte> scratch_, second_scratch_;
    exchange_order order_;
    in_flight running_;
    bool order_known_ = false;
    std::optional<hierarchy> ordered_; ///< nothing: this hierarchy's groups are intervals
    kept_objects kept_;
};

} // namespace topo::detail
