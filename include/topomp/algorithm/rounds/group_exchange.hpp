// SPDX-License-Identifier: BSL-1.0
/// @file
/// The blocks between each two groups of ranks, exchanged by one rank of each.
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/exchanged_blocks.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace topo::detail {

/// All blocks between two groups go as one stream in each direction, gathered from and scattered to all
/// ranks' memory. Streams are cut into pieces; a few are under way at a time.
///
/// In round r, group g exchanges with group r - g (modulo their number), so each with one at a time. Of a
/// group of n ranks, number h modulo n exchanges with group h: all ranks take part.
class group_exchange final : public operation {
public:
    void start(copy_groups& groups, const exchanged_blocks& source, const exchanged_blocks& result,
               MPI_Datatype type, std::size_t element_bytes);

private:
    static constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    static constexpr std::size_t under_way = 4;

    struct piece {
        bool is_open = false;
        int group = 0;
        std::size_t begin = 0, count = 0; ///< of the stream, in elements
        scratch_buffer sent, received;
    };

    /// Elements that this rank sends to a group, and receives from it.
    std::size_t stream_with(int group) const;
    /// Each place holds the longest piece, because the place of a piece depends on the order of arrival.
    void make_room();

    TOPOMP_INLINE bool advance() override;

    /// @return whether there was one
    bool post_next(piece& now, std::size_t i);

    /// Calls `f(sender's place among the senders, receiver's, first element of the block, position in the
    /// piece, elements)` for the ranges of blocks in a piece. Streams go by sender, then by receiver.
    template <class F>
    void for_blocks(const piece& now, int receivers, F f) const {
        const std::size_t block = source_.count, end = now.begin + now.count;
        for (std::size_t at = now.begin; at < end;) {
            const std::size_t which = at / block, offset = at % block;
            const std::size_t count = std::min(block - offset, end - at);
            const auto number = static_cast<std::size_t>(receivers);
            f(static_cast<int>(which / number), static_cast<int>(which % number), offset * element_,
              (at - now.begin) * element_, count * element_);
            at += count;
        }
    }

    void put_together(piece& now) const;
    void take_apart(const piece& now) const;

    copy_groups* groups_ = nullptr;
    const grouped_ranks* all_ = nullptr;
    exchanged_blocks source_, result_;
    MPI_Datatype type_ = MPI_BYTE;
    std::size_t element_ = 1, piece_ = 1;
    int tag_ = 0, round_ = 0, other_ = 0;
    std::size_t begin_ = 0, end_ = 0; ///< of the current stream, what is not posted yet
    std::array<piece, under_way> pieces_;
};

/// All blocks, between the groups and inside each. @collective over the whole
void all_to_all_of_groups(copy_groups& groups, const exchanged_blocks& source, const exchanged_blocks& result,
                          MPI_Datatype type, std::size_t element, node_synchronisation& node_sync);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/group_exchange.ipp>
#endif
