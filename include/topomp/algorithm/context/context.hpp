// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collective context of a hierarchy: what is cached between collectives.
#pragma once

#include <topomp/algorithm/context/level_communicators.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/attachments.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace topo {
class arena;
}

namespace topo::detail {

/// The tags of one operation, in the order in which it takes them at each start.
struct fixed_tags {
    int first = 0, number = 0, taken = 0;
};

/// The same of one operation alone, until this ends.
struct reserved_tags : fixed_tags {
    std::shared_ptr<const void>
        held; ///< gives them back; owns nothing: they are given out again at some time
};

/// What a cached tree is found by.
using tree_key = std::tuple<tree_identity, int, operand_order>;

struct lane_trees;

/// Trees that one operation needs at each start. It keeps them even after the context has forgotten trees of
/// many roots. A key is enough, although there are several contexts: the order of operands distinguishes a
/// context from its `in_rank_order`.
struct kept_trees {
    std::map<tree_key, std::shared_ptr<const tree_edges>> edges;
    std::map<tree_key, std::shared_ptr<const subtree>> subtrees;
    std::shared_ptr<const lane_trees> lanes;
};

/// Everything that is cached between the collectives of a hierarchy.
class context {
public:
    /// The context of a hierarchy, made at its first collective. @collective over the whole the first time
    static context& of(const hierarchy& levels);

    explicit context(const hierarchy& levels)
        : hierarchy_(levels), levels_(levels), running_(in_flight::of(levels)) {}
    context(const context&) = delete;
    context& operator=(const context&) = delete;
    ~context() { running_.left.keep_if_used(private_comm()); }

    const boost::mpi::communicator& private_comm() const noexcept { return levels_.private_comm(); }
    int rank() const noexcept { return levels_.rank(); }
    const boost::mpi::communicator& members(int depth) const { return levels_.members(depth); }
    const boost::mpi::communicator& level(int depth) const { return levels_.level(depth); }
    int depth() const { return levels_.depth(); }
    const level_info& info(int depth) const { return levels_.info(depth); }

    /// The calling rank's edges in the tree that a plan makes for a root.
    /// @collective over the whole the first time for each root but 0
    /// @cost then an all-reduce of an integer in each level that contains the root; for `node_aware_postal`
    /// and `two_levels` nothing for a root, and the first time that of `by_node`; afterwards a look-up
    ///
    /// An operation that goes on after its start keeps them: those of many roots are forgotten at some time,
    /// but never those of rank 0.
    const std::shared_ptr<const tree_edges>& edges_for(const tree_plan& plan, int root, operand_order order);

    /// Whether `edges_for` has these edges without communication: the same on all ranks.
    bool knows(const tree_plan& plan, int root, operand_order order) const;

    /// Whether `subtree_for` has this tree without communication: the same on all ranks.
    bool knows_subtree(const tree_plan& plan, int root) const;

    /// The ranks below the calling rank in that tree. @collective as `edges_for` the first time for each plan
    /// and root
    const std::shared_ptr<const subtree>& subtree_for(const tree_plan& plan, int root);

    /// All ranks in hierarchy order, in which neighbours are near.
    /// @collective over the whole the first time @cost then a gather and a broadcast of 4 bytes per rank,
    /// and an all-reduce of a few integers
    const exchange_order& order();

    /// Whether the tree of a plan needs no node of other ranks, or these are known: the same on all ranks.
    bool knows_nodes_of(const tree_plan& plan) const;

    /// Whether `order` is known: the same on all ranks.
    bool knows_order() const noexcept { return !order_.ranks.empty(); }

    /// The ranks of each node.
    /// @collective over the whole the first time @cost then an all-gather of 4 bytes per rank
    const ranks_by_node& by_node(machine_part stands_in);

    /// The group of a root, in each of the calling rank's levels that contain it. @collective as `edges_for`
    const std::vector<int>& path_of(int root);

    /// The arena of the calling rank's node, from which the hierarchy's windows are allocated, too.
    /// A file that calls it includes memory/arena.hpp.
    /// @collective over the whole the first time @cost then that of `arena::of`
    template <std::same_as<arena> Arena = arena>
    Arena& node_memory() {
        if (memory_ == nullptr) memory_ = &Arena::of(hierarchy_.lock());
        return *memory_;
    }
    /// The same, or null before it was made.
    arena* const& known_node_memory() const noexcept { return memory_; }

    /// Scratch memory for one call, reused by later calls.
    std::byte* scratch(std::size_t bytes) { return aligned(scratch_, bytes); }
    /// A second one, for a call that uses the first.
    std::byte* second_scratch(std::size_t bytes) { return aligned(second_scratch_, bytes); }

    /// Idle operations of one type, for the next call.
    template <class Operation>
    operation_pool<Operation>& pool() {
        return kept_.get<operation_pool<Operation>>(
            [this] { return std::make_shared<operation_pool<Operation>>(running_); });
    }

    /// An attachment of an algorithm: one object of its type, made from the context at the first call.
    template <class T>
    T& attached() {
        return kept_.get<T>([this] { return std::make_shared<T>(*this); });
    }

    /// The collectives in progress.
    in_flight& running() noexcept { return running_; }

    /// A tag for the next collective, the same on every rank, because all ranks call collectives in the same
    /// order.
    int next_tag();

    /// `tags_of_one` consecutive tags for an operation that takes the same ones at each start, or that takes
    /// some of them later than at its start. The same on every rank, because all ranks reserve in the same
    /// order.
    /// @collective over the whole at times, once 1536 operations have had some: then the ranks agree on those
    /// that no operation has any more
    /// @throws usage_error if 1536 operations have some, on all ranks
    reserved_tags reserve_tags();
    static constexpr int tags_of_one = 8;

    /// While it lives, what this thread reserves, of any hierarchy, is for one collective that does not wait:
    /// local, and given out again after some 250 others.
    class for_one_collective {
    public:
        for_one_collective() : before_(std::exchange(is_passing_, true)) {}
        ~for_one_collective() { is_passing_ = before_; }
        for_one_collective(const for_one_collective&) = delete;
        for_one_collective& operator=(const for_one_collective&) = delete;

    private:
        bool before_;
    };

    /// While it lives, the tags of one operation, and its trees before those of all.
    class start_of_one {
    public:
        /// @param tags null: each collective has the next one @param trees null: there are none
        explicit start_of_one(context& ranks, fixed_tags* tags, const kept_trees* trees = nullptr) noexcept
            : ranks_(ranks) {
            ranks.take_from(tags, trees);
        }
        ~start_of_one() { ranks_.take_from(nullptr, nullptr); }
        start_of_one(const start_of_one&) = delete;
        start_of_one& operator=(const start_of_one&) = delete;

    private:
        context& ranks_;
    };
    const kept_trees* own_trees() const noexcept { return own_trees_; }

    /// The hierarchy in which every group is an interval of ranks, so that a reduction can preserve their
    /// order: this one if all are intervals, else one without the levels that are not. @collective over the
    /// whole the first time
    context& in_rank_order();

    /// The hierarchy in which a plan's tree combines operands.
    context& for_operands(const tree_plan& plan, operand_order order);

private:
    /// The tree in which each level's members are children of its first. Children of inner levels come first,
    /// so that a rank with the subtrees of its first few children is a group of some level.
    tree_edges groups();

    /// All ranks, ascending.
    std::span<const int> all_ranks();

    static std::byte* aligned(std::vector<std::byte>& memory, std::size_t bytes);

    /// Every rank uses the same roots in the same order, so all evict at the same time.
    void forget_if_many(int root);

    /// @collective over the whole @throws usage_error if there are none
    void agree_on_free_tags();

    /// The calling rank's role if data enters or leaves through `root`.
    const role& role_for(int root);

    void take_from(fixed_tags* tags, const kept_trees* trees) noexcept {
        fixed_ = tags;
        own_trees_ = trees;
        if (in_order_ != nullptr) in_order_->take_from(tags, trees);
    }

    weak_hierarchy hierarchy_; ///< which owns this context
    arena* memory_ = nullptr;
    level_communicators levels_;
    std::map<int, role> roles_;
    std::map<tree_key, std::shared_ptr<const tree_edges>> edges_;
    std::map<tree_key, std::shared_ptr<const subtree>> subtrees_;
    int tag_ = level_communicators::role_tag;
    std::shared_ptr<std::vector<std::atomic<unsigned char>>> has_tags_; ///< of operations, by number
    std::vector<int> free_tags_; ///< numbers that all ranks know to be free, the next one last
    int passing_ = 0;            ///< the next number of a collective that does not wait
    static inline thread_local bool is_passing_ = false;
    fixed_tags* fixed_ = nullptr;
    const kept_trees* own_trees_ = nullptr;
    std::vector<std::byte> scratch_, second_scratch_;
    exchange_order order_;
    in_flight& running_;
    bool order_known_ = false;
    std::optional<hierarchy> ordered_; ///< nothing: this hierarchy's groups are intervals
    context* in_order_ = nullptr;      ///< of that one, once it was asked for
    std::vector<int> everybody_;
    std::optional<ranks_by_node> by_node_, by_numa_node_;
    attachments kept_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/context/impl/context.ipp>
#endif
