// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own collectives on blocks, nonblocking.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// One of the MPI's own collectives on blocks in progress. Where the MPI cannot put blocks into their places,
/// they come into a copy.
class flat_blocks_operation final : public operation {
public:
    /// @pre `is_countable`, as for all that follow
    void start_gather(const boost::mpi::communicator& comm, const message& mine, const blocks& result,
                      int root);
    void start_scatter(const boost::mpi::communicator& comm, const blocks& source, const message& mine,
                       int root);

    /// @param tag of the messages for blocks that are too long for the MPI's call
    void start_gatherv(const boost::mpi::communicator& comm, int tag, const message& mine,
                       const blocks& result, int root);
    void start_scatterv(const boost::mpi::communicator& comm, int tag, const blocks& source,
                        const message& mine, int root);
    void start_all_gatherv(const boost::mpi::communicator& comm, const blocks& result);
    void start_all_to_allv(const boost::mpi::communicator& comm, int tag, const blocks& source,
                           const blocks& result);
    void start_reduce_scatter(const boost::mpi::communicator& comm, const blocks& input, std::size_t elements,
                              const message& mine, MPI_Op op);
    void start_scan(const boost::mpi::communicator& comm, const void* input, const message& result, MPI_Op op,
                    scan_kind kind);

private:
    enum class ending { nothing, unpack_blocks, unpack_mine, spill, copy };

    void begin(ending what);
    MPI_Request* next() { return &slots_.emplace_back(MPI_REQUEST_NULL); }
    void send_long(const blocks& source, int tag, const boost::mpi::communicator& comm);
    void receive_long(const blocks& result, int tag, const boost::mpi::communicator& comm);

    TOPOMP_INLINE bool advance() override;
    void finish();

    ending ending_ = ending::nothing;
    bool is_finished_ = true;
    int size_ = 0;
    message mine_, from_; ///< where the result goes, and what is copied there
    blocks result_;
    flat_blocks outgoing_, incoming_;
    std::vector<int> counts_;
    scratch_buffer scratch_, temporary_;
    std::vector<outgoing_block> out_;
    std::vector<incoming_block> in_;
    double nothing_ = 0; ///< has an address, which MPIs require even for no elements
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/native/impl/flat_blocks_operation.ipp>
#endif
