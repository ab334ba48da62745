// SPDX-License-Identifier: BSL-1.0
/// @file
/// All_gather of equal or unequal blocks on a circulant graph.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/schedule/circulant_schedule.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// A broadcast from each rank, all at the same time: each block is cut into the same number n of pieces, and
/// a message has those of all blocks that take the same way in a round. After n - 1 + ceil(log2 p) rounds all
/// ranks have all blocks; each has received every byte once. So a block that is much longer than the others
/// takes the time of its bytes, and not one such time for each round or rank.
/// @see J. L. Träff: Optimal broadcast schedules in logarithmic time with applications to broadcast,
/// all-broadcast, reduction and all-reduction (2024)
class circulant_all_gather final : public operation {
public:
    /// @param piece_bytes of the longest block's pieces @cost p log p for the first of several calls with as
    /// many pieces, and p for each round
    void start(context& ranks, const blocks& result, std::size_t piece_bytes);
    /// The same among some ranks of a communicator. @param members them @param own which one of them the
    /// calling rank is @param result by place in `members`
    void start(MPI_Comm private_comm, int tag, std::vector<int> members, int own, const blocks& result,
               std::size_t piece_bytes);

private:
    struct piece {
        std::byte* data = nullptr;
        std::size_t bytes = 0;
    };

    void start(int size, const blocks& result, std::size_t piece_bytes);
    int rank_of(int member) const {
        return members_.empty() ? member : members_[static_cast<std::size_t>(member)];
    }

    TOPOMP_INLINE bool advance() override;

    void begin_round();
    void finish_round();
    /// Blocks of a type with gaps to their places.
    void unpack_all();

    /// The pieces that a member receives in a round, in the order in which they are in its message.
    void find_pieces(int receiver, std::size_t round, std::vector<piece>& found) const;
    static std::size_t bytes_of_all(const std::vector<piece>& pieces);

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0, own_ = 0;
    std::vector<int> members_; ///< empty: all ranks
    blocks result_;
    type_layout layout_{MPI_BYTE};
    /// The bytes of each block, of which ranks that have another type for it have as many: in its place, or,
    /// if the type has gaps, in `packed_`.
    std::vector<piece> blocks_;
    scratch_buffer packed_;
    bool is_unpacked_ = true;
    circulant_rounds rounds_;
    std::vector<circulant_rounds::arrivals> arrivals_; ///< of the ranks 1, 2, ... positions behind a root
    std::size_t round_ = 0;                            ///< so many have begun
    std::vector<piece> received_, sent_;
    scratch_buffer landing_, departing_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/circulant_all_gather.ipp>
#endif
