// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own gathers and scatters on the whole communicator.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>
#include <climits>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Whether the blocks of all ranks can be counted in an `int`, as MPI's collectives and what is below them
/// do. The same on all ranks if their blocks are equally long.
bool is_countable(std::size_t block_bytes, const boost::mpi::communicator& comm);

/// @param others as in native.hpp @pre `is_countable`; this thread has its turn
void flat_gather(in_flight& others, const boost::mpi::communicator& comm, const message& mine,
                 const blocks& result, int root);

/// The same on a root that receives bytes and puts the elements into their places itself.
void flat_gather_packed(in_flight& others, const boost::mpi::communicator& comm, const message& mine,
                        const blocks& result, int root);

/// @pre `is_countable`
void flat_scatter(in_flight& others, const boost::mpi::communicator& comm, const blocks& source,
                  const message& mine, int root);

/// The blocks that go through a single call of the MPI. With blocks of up to INT_MAX / p bytes the total can
/// be counted whatever the ranks have, so a rank decides without communication how each block is sent.
struct flat_limits {
    std::size_t block_bytes = 0;
    std::size_t position = INT_MAX; ///< where the last block that goes through it may begin

    explicit flat_limits(const boost::mpi::communicator& comm);
    flat_limits(std::size_t longest_block, std::size_t last_position)
        : block_bytes(longest_block), position(last_position) {}
};

/// Blocks as arguments of an MPI call with a count for each rank. Blocks too long for its counts are left
/// out.
class flat_blocks {
public:
    /// @param left_out a rank whose block is left out, too; -1: none
    void set(const blocks& all, int ranks, int left_out, const flat_limits& limits);

    std::vector<int> counts, positions;
    std::vector<int> long_ranks; ///< whose blocks are sent as single messages
    void* data() const { return data_; }

    void fill();
    /// One block only.
    void fill(int rank);
    void spill();

private:
    /// Where positions cannot be counted, the blocks are copied one behind the other.
    void place(std::size_t elements);

    bool is_copied(int rank) const { return !is_direct_ && counts[static_cast<std::size_t>(rank)] > 0; }

    message copy_of(int rank) const;

    blocks all_;
    type_layout layout_{MPI_BYTE};
    scratch_buffer copies_, temporary_;
    void* data_ = nullptr;
    bool is_direct_ = true;
};

/// One block by itself.
void send_block(const message& what, int to, int tag, MPI_Comm private_comm);

void receive_block(const message& what, int from, int tag, MPI_Comm private_comm);

void flat_gatherv(context& ranks, const message& mine, const blocks& result, int root,
                  const flat_limits& limits);

void flat_scatterv(context& ranks, const blocks& source, const message& mine, int root,
                   const flat_limits& limits);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/native/impl/native_blocks.ipp>
#endif
