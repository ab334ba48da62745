// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own non-blocking collectives on the whole communicator.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

namespace topo::detail {

/// One or more of the MPI's own collectives in progress.
class flat_operation final : public operation {
public:
    void start_barrier(MPI_Comm comm);

    void start_broadcast(MPI_Comm comm, const message& what, int root);

    void start_reduce(const boost::mpi::communicator& comm, const void* input, const message& result,
                      MPI_Op op, int root);

    void start_all_reduce(MPI_Comm comm, const void* input, const message& result, MPI_Op op);

    /// @pre `is_countable`, and the calling rank's block is in its place
    void start_all_gather(MPI_Comm comm, const blocks& result);

    /// @pre `is_countable`
    void start_all_to_all(MPI_Comm comm, const blocks& source, const blocks& result);

private:
    MPI_Request* next() { return &slots_.emplace_back(MPI_REQUEST_NULL); }

    /// A copy of the operands, for an MPI that cannot reduce them in place.
    const void* copy(const void* input, const message& like, const type_layout& layout);

    bool advance() override { return are_free(slots_, 0); }

    scratch_buffer copy_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/native/impl/flat_operation.ipp>
#endif
