// SPDX-License-Identifier: BSL-1.0
/// @file
/// Scans through the memory of nodes.
#pragma once

#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/shared/shared_operands.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Each rank's operands combined with those of the ranks before it, in rank order.
///
/// Of a short message, and of two ranks, a rank combines the operands of all ranks before it; among several
/// nodes the first rank of each combines those of its node, exchanges what is before the node, and shows it.
/// A long one is divided into pieces. Each rank, of a shorter one only the first few, combines a slice of a
/// piece in the places of the operands, one rank after the other, and each rank takes a whole place. Among
/// several nodes it first combines the slice of all ranks for the exchange along lanes.
/// @cost inside nodes two copies, and two reads of all operands by all ranks of a node together (one inside
/// one node); between nodes that of `prefix_exchange`
class shared_scan : shared_operands {
public:
    /// Whether this algorithm accepts the elements.
    static bool takes(const type_layout& layout) { return shared_combine::takes(layout); }

    /// @param nodes of which the memory is one; null: all ranks are in it @pre the ranks of each node follow
    /// each other, and `takes` @param input may be where the result goes
    shared_scan(shared_room& room, lanes_of_slices* nodes, const void* input, const message& result,
                MPI_Op op, scan_kind kind);

    /// @collective over the ranks of all nodes
    void run();

private:
    using range = block_range; ///< of elements
    /// Of a rank's memory: behind a piece are what is combined of a slice, and of a lane's part, which have
    /// at most half of the elements each.
    static constexpr std::size_t sums_bytes = shared_room::chunks * shared_room::chunk_bytes / 4;
    static constexpr std::size_t piece_bytes = 2 * (sums_bytes - shared_combine::whole_bytes);

    void run_whole();
    void run_by_second();
    void run_in_pieces();

    bool is_inclusive() const { return kind_ == scan_kind::inclusive; }
    /// Whether there are nodes before the rank's.
    bool has_before() const { return nodes_ != nullptr && nodes_->node() > 0; }
    std::size_t span(std::size_t count) const { return layout_.span(count); }
    message elements(std::byte* bytes, std::size_t count) const {
        return {elements_at(bytes), count, result_.type};
    }
    void combine(const void* left, const void* right, const message& to) const;

    /// Of a piece, in its elements.
    range slice(const range& piece, int rank) const { return piece.part(rank, slices_); }
    range part_of_lane(const range& piece, int lane) const { return piece.part(lane, parts_); }
    std::byte* place(int rank, std::size_t element = 0) const;
    std::byte* sums_of_slice(int rank) const { return room_.data_of(rank) + 2 * sums_bytes; }
    std::byte* sums_of_lane(int rank) const { return sums_of_slice(rank) + sums_bytes; }

    /// What all ranks of the node have for a slice becomes what the ranks before the node have.
    void combine_before(std::size_t step, const range& piece);
    void exchange(const message& data) const;
    /// Parts of a range that several ranks have, one behind the other.
    template <class RangeOf, class SumsOf>
    void collect(int parts, RangeOf of, SumsOf sums, const range& mine, std::byte* to) const;
    void combine_places(const range& mine) const;
    void take(const range& piece, std::size_t first);

    lanes_of_slices* nodes_;
    scan_kind kind_;
    int slices_ = 1, parts_ = 1; ///< of as many first ranks
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_scan.ipp>
#endif
