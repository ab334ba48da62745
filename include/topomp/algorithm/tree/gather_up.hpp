// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every rank's block up a tree to its root.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Moves every rank's block to the root of a tree. Blocks are sent as bytes, in the order of the subtree.
/// Blocks whose layout in the root's result equals that of the message are received in place, and a leaf
/// sends its caller's elements without packing. Long data is forwarded in pieces of whole blocks, while other
/// blocks are still arriving. The last pieces go first, because they are of the nearest ranks.
///
/// ```
///   0 - 4 - 6      6 sends its block;  4 sends 4 5 6 -> 4 6 5, packed;  1 sends its block
///     |   ` 5      0 unpacks 4 6 5 into places 4, 6 and 5, and receives 1 there
///     ` 1
/// ```
class gather_up {
public:
    /// @param sizes of the blocks below, in the subtree's order
    /// @param result the root's; its own block may be its `mine` already. Blocks of another size than the
    /// arriving ones are not written
    /// @param slots this engine is the last to use
    void start(MPI_Comm private_comm, int tag, const tree_edges& edges, const subtree& below,
               const block_sizes& sizes, const message& mine, const blocks& result,
               std::vector<MPI_Request>& slots);

    /// @return whether the caller's work is complete
    bool advance();

private:
    /// Blocks from `first` to before `end`, in the order of the subtree, and the slots in which they come.
    struct piece {
        std::size_t first, end, first_slot, end_slot;
    };
    static constexpr std::size_t piece_bytes = 65536; ///< at least, but for the last one

    /// Calls `f(first, end)` for the pieces of a range of the subtree, from its end: the same on both ends of
    /// an edge.
    template <class F>
    void for_pieces(std::size_t begin, std::size_t end, F f) const {
        for (std::size_t first = end; first-- > begin;) {
            const std::size_t bytes = sizes_->begin(end) - sizes_->begin(first);
            if (bytes < piece_bytes && first > begin) continue;
            if (bytes > 0) f(first, end);
            end = first;
        }
    }

    /// Whether all blocks from `first` on have arrived.
    bool has_come_behind(std::size_t first);

    void send(const piece& what);

    bool is_root() const { return edges_->parent < 0; }

    bool needs_scratch() const;

    /// The message of a child, if it can be received in the result; no elements if not.
    message direct(std::size_t child) const;

    void receive_from(std::size_t child);

    void place_own();

    void place_results();

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const tree_edges* edges_ = nullptr;
    const subtree* below_ = nullptr;
    const block_sizes* sizes_ = nullptr;
    message mine_;
    blocks result_;
    type_layout layout_{MPI_BYTE}; ///< the root's: of the result; else of the rank's own block
    std::vector<MPI_Request>* slots_ = nullptr;
    std::size_t first_slot_ = 0;
    scratch_buffer scratch_;   ///< the blocks below, the own one first
    scratch_buffer temporary_; ///< for the root's own block
    bool is_direct_leaf_ = false;
    std::vector<piece> coming_, going_; ///< the last ones first
    std::size_t come_ = 0, gone_ = 0;   ///< so many of them
    bool is_placed_ = false;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/gather_up.ipp>
#endif
