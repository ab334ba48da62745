// SPDX-License-Identifier: BSL-1.0
/// @file
/// One block of any length from one rank to another.
#pragma once

#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <vector>

namespace topo::detail {

/// A block that is being sent. Short blocks are sent without packing. Long ones are sent as bytes, in pieces
/// that both ends derive from the number of bytes. An empty block is not sent.
class outgoing_block {
public:
    void start(const message& what, const type_layout& layout, int to, int tag, MPI_Comm private_comm,
               std::vector<MPI_Request>& slots);

private:
    scratch_buffer scratch_; ///< for long ones with gaps
};

/// A block that is being received.
class incoming_block {
public:
    void start(const message& what, const type_layout& layout, int from, int tag, MPI_Comm private_comm,
               std::vector<MPI_Request>& slots);

    /// Unpacks the elements into their places. @pre everything has arrived
    void finish();

private:
    message what_;
    type_layout layout_{MPI_BYTE};
    scratch_buffer scratch_; ///< for packed ones with gaps
    bool is_packed_ = false;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/block_transfer.ipp>
#endif
