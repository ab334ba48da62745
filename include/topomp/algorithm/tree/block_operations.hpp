// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that move every rank's block along a tree: gather and scatter.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/gather_up.hpp>
#include <topomp/algorithm/tree/scatter_down.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace topo::detail {

/// What the operations below have in common: the calling rank's part of a tree, and the lengths of the blocks
/// below it, which may have to go along the tree before the blocks do.
class block_operation : public operation {
protected:
    void begin(context& ranks, const tree_plan& plan, int root);
    bool is_root() const { return edges_->parent < 0; }

    /// Lengths to or from another rank of the tree: those of the ranks below a child, or below this one.
    void receive_lengths(std::size_t first, std::size_t number, int from);
    void send_lengths(std::size_t first, std::size_t number, int to);

    /// Whether those that are awaited have come: once.
    bool have_lengths_come();
    /// Whether nothing is under way any more. @throws argument_error then, about an argument, if there is a
    /// problem
    bool ends(const char* argument) const;

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    std::shared_ptr<const tree_edges> edges_;
    std::shared_ptr<const subtree> below_;
    std::vector<std::size_t> lengths_; ///< bytes of each rank's block, in the order of the subtree
    block_sizes sizes_;
    bool has_lengths_ = false;
    const char* call_ = nullptr; ///< as errors name it
    std::string problem_;        ///< with a length
    message mine_;
    blocks all_; ///< the root's
};

class gather_operation final : public block_operation {
public:
    /// Of the root: `result_for(ranks, bytes of each rank's block)`.
    using result_maker = function_ref<blocks(std::span<const int>, std::span<const std::size_t>)>;

    /// All blocks are as long as the caller's.
    void start(context& ranks, const tree_plan& plan, const message& mine, const blocks& result, int root);

    /// Every rank knows how long its own block is.
    /// @param result_for called on the root when it knows all lengths; must last until then
    void start_unequal(context& ranks, const tree_plan& plan, const message& mine, result_maker result_for,
                       int root);

    /// The same, and the root has said how long all are. If one is not, the operation throws an
    /// argument_error there at its end, which names `call`, and `result` is as before.
    void start_expected(const char* call, context& ranks, const tree_plan& plan, const message& mine,
                        const blocks& result, int root);

private:
    void look_for_other_lengths();

    TOPOMP_INLINE bool advance() override;

    std::optional<result_maker> result_for_; ///< none: `all_` is the result
    gather_up up_;
};

class scatter_operation final : public block_operation {
public:
    /// Of a rank: `mine_for(bytes of its block)`.
    using own_maker = function_ref<message(std::size_t)>;

    /// All blocks are as long as the caller's.
    void start(context& ranks, const tree_plan& plan, const blocks& source, const message& mine, int root);

    /// The lengths of the blocks are known on the root only.
    /// @param mine_for called on each rank when it knows its length; must last until then
    void start_unequal(context& ranks, const tree_plan& plan, const blocks& source, own_maker mine_for,
                       int root);

    /// The same, and each rank has said how long its own is. If it is not, the operation throws an
    /// argument_error there at its end, which names `call`, and `mine` is as before.
    void start_expected(const char* call, context& ranks, const tree_plan& plan, const blocks& source,
                        const message& mine, int root);

private:
    TOPOMP_INLINE bool advance() override;

    std::optional<own_maker> mine_for_; ///< none: `mine_` is the block
    scatter_down down_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/block_operations.ipp>
#endif
