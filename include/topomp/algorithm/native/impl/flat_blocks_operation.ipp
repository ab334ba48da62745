// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/native/flat_blocks_operation.hpp>
#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <cstddef>
#include <functional>

namespace topo::detail {

TOPOMP_INLINE void flat_blocks_operation::begin(ending what) {
    slots_.clear();
    in_.clear();
    out_.clear();
    ending_ = what;
    is_finished_ = false;
}

TOPOMP_INLINE void flat_blocks_operation::start_gather(const boost::mpi::communicator& comm,
                                                       const message& mine, const blocks& result, int root) {
    begin(ending::nothing);
    if (bytes_of(mine) == 0) return;
    const bool is_root = comm.rank() == root;
    size_ = comm.size();
    const std::size_t bytes = bytes_of(mine), all_bytes = bytes * static_cast<std::size_t>(size_);
    const type_layout layout{is_root ? result.type : MPI_BYTE};
    message to = received_in({result.data, result.count, result.type}, layout);
    bool in_place = is_root && is_same(mine, result.block_of(root));
    if (is_root && !receives_from_bytes(layout, all_bytes)) {
        ending_ = ending::unpack_blocks;
        result_ = result;
        scratch_.reserve(all_bytes);
        pack(mine, scratch_.data() + static_cast<std::size_t>(root) * bytes);
        to = {scratch_.data(), bytes, MPI_BYTE};
        in_place = true;
    }
    mpi::check(MPI_Igather(in_place ? MPI_IN_PLACE : mine.data, static_cast<int>(mine.count), mine.type,
                           is_root ? to.data : nullptr, is_root ? static_cast<int>(to.count) : 0,
                           is_root ? to.type : mine.type, root, comm, next()),
               "MPI_Igather", "gather");
}

TOPOMP_INLINE void flat_blocks_operation::start_scatter(const boost::mpi::communicator& comm,
                                                        const blocks& source, const message& mine, int root) {
    begin(ending::nothing);
    if (bytes_of(mine) == 0) return;
    const bool is_root = comm.rank() == root;
    const type_layout layout{mine.type};
    message to = received_in(mine, layout);
    if (!is_root && !receives_from_bytes(layout, mine.count * layout.size)) {
        ending_ = ending::unpack_mine;
        mine_ = mine;
        scratch_.reserve(mine.count * layout.size);
        to = {scratch_.data(), mine.count * layout.size, MPI_BYTE};
    }
    const bool in_place = is_root && is_same(mine, source.block_of(root));
    mpi::check(MPI_Iscatter(is_root ? source.data : nullptr, is_root ? static_cast<int>(source.count) : 0,
                            is_root ? source.type : mine.type, in_place ? MPI_IN_PLACE : to.data,
                            static_cast<int>(to.count), to.type, root, comm, next()),
               "MPI_Iscatter", "scatter");
}

TOPOMP_INLINE void flat_blocks_operation::start_gatherv(const boost::mpi::communicator& comm, int tag,
                                                        const message& mine, const blocks& result, int root) {
    const flat_limits limits{comm};
    if (comm.rank() != root) {
        begin(ending::nothing);
        const bool is_long = bytes_of(mine) > limits.block_bytes;
        const int count = is_long || bytes_of(mine) == 0 ? 0 : static_cast<int>(mine.count);
        mpi::check(MPI_Igatherv(mine.data, count, mine.type, nullptr, nullptr, nullptr, mine.type, root, comm,
                                next()),
                   "MPI_Igatherv", "gatherv");
        if (is_long) out_.emplace_back().start(mine, type_layout{mine.type}, root, tag, comm, slots_);
        return;
    }
    begin(ending::spill);
    incoming_.set(result, comm.size(), root, limits);
    mpi::check(MPI_Igatherv(mine.data, 0, mine.type, incoming_.data(), incoming_.counts.data(),
                            incoming_.positions.data(), result.type, root, comm, next()),
               "MPI_Igatherv", "gatherv");
    receive_long(result, tag, comm);
    copy_block(mine, result.block_of(root), temporary_);
}

TOPOMP_INLINE void flat_blocks_operation::start_scatterv(const boost::mpi::communicator& comm, int tag,
                                                         const blocks& source, const message& mine,
                                                         int root) {
    begin(ending::nothing);
    const flat_limits limits{comm};
    if (comm.rank() != root) {
        const bool is_long = bytes_of(mine) > limits.block_bytes;
        const int count = is_long || bytes_of(mine) == 0 ? 0 : static_cast<int>(mine.count);
        mpi::check(MPI_Iscatterv(nullptr, nullptr, nullptr, mine.type, mine.data, count, mine.type, root,
                                 comm, next()),
                   "MPI_Iscatterv", "scatterv");
        if (is_long) in_.emplace_back().start(mine, type_layout{mine.type}, root, tag, comm, slots_);
        return;
    }
    outgoing_.set(source, comm.size(), root, limits);
    outgoing_.fill();
    mpi::check(MPI_Iscatterv(outgoing_.data(), outgoing_.counts.data(), outgoing_.positions.data(),
                             source.type, mine.data, 0, mine.type, root, comm, next()),
               "MPI_Iscatterv", "scatterv");
    send_long(source, tag, comm);
    copy_block(source.block_of(root), mine, temporary_);
}

TOPOMP_INLINE void flat_blocks_operation::start_all_gatherv(const boost::mpi::communicator& comm,
                                                            const blocks& result) {
    begin(ending::spill);
    incoming_.set(result, comm.size(), -1, flat_limits{INT_MAX, INT_MAX});
    incoming_.fill(comm.rank());
    mpi::check(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, incoming_.data(), incoming_.counts.data(),
                               incoming_.positions.data(), result.type, comm, next()),
               "MPI_Iallgatherv", "all_gatherv");
}

TOPOMP_INLINE void flat_blocks_operation::start_all_to_allv(const boost::mpi::communicator& comm, int tag,
                                                            const blocks& source, const blocks& result) {
    begin(ending::spill);
    const flat_limits limits{comm};
    outgoing_.set(source, comm.size(), -1, limits);
    incoming_.set(result, comm.size(), -1, limits);
    outgoing_.fill();
    mpi::check(MPI_Ialltoallv(outgoing_.data(), outgoing_.counts.data(), outgoing_.positions.data(),
                              source.type, incoming_.data(), incoming_.counts.data(),
                              incoming_.positions.data(), result.type, comm, next()),
               "MPI_Ialltoallv", "all_to_allv");
    receive_long(result, tag, comm);
    send_long(source, tag, comm);
}

TOPOMP_INLINE void flat_blocks_operation::start_reduce_scatter(const boost::mpi::communicator& comm,
                                                               const blocks& input, std::size_t elements,
                                                               const message& mine, MPI_Op op) {
    begin(ending::copy);
    const type_layout layout{mine.type};
    const auto* const from = static_cast<const std::byte*>(input.data);
    const auto* const to = static_cast<const std::byte*>(mine.data);
    const bool overlaps = std::greater_equal<>{}(to, from) &&
                          std::less<>{}(to, from + static_cast<MPI_Aint>(elements) * layout.extent);
    mine_ = from_ = mine;
    if (overlaps) { // MPI_IN_PLACE would let the MPI use the rest of the input
        scratch_.reserve(layout.span(mine.count));
        from_.data = scratch_.data() - layout.true_lower;
    }
    if (from_.data == nullptr) from_.data = &nothing_;
    if (input.counts.empty()) {
        mpi::check(MPI_Ireduce_scatter_block(input.data, from_.data, static_cast<int>(input.count), mine.type,
                                             op, comm, next()),
                   "MPI_Ireduce_scatter_block", "reduce_scatter");
        return;
    }
    counts_.clear();
    for (const std::size_t count : input.counts)
        counts_.push_back(static_cast<int>(count));
    mpi::check(MPI_Ireduce_scatter(input.data, from_.data, counts_.data(), mine.type, op, comm, next()),
               "MPI_Ireduce_scatter", "reduce_scatter");
}

TOPOMP_INLINE void flat_blocks_operation::start_scan(const boost::mpi::communicator& comm, const void* input,
                                                     const message& result, MPI_Op op, scan_kind kind) {
    begin(ending::nothing);
    const type_layout layout{result.type};
    in_countable_pieces(result, [&](std::size_t first, int count) {
        const void* const from = input == result.data ? MPI_IN_PLACE : layout.element(input, first);
        void* const to = scan_result(layout, result, first);
        if (kind == scan_kind::inclusive)
            mpi::check(MPI_Iscan(from, to, count, result.type, op, comm, next()), "MPI_Iscan", "scan");
        else
            mpi::check(MPI_Iexscan(from, to, count, result.type, op, comm, next()), "MPI_Iexscan",
                       "exclusive_scan");
    });
}

TOPOMP_INLINE void flat_blocks_operation::send_long(const blocks& source, int tag,
                                                    const boost::mpi::communicator& comm) {
    out_.resize(outgoing_.long_ranks.size());
    const type_layout layout{source.type};
    for (std::size_t i = 0; i < out_.size(); ++i)
        out_[i].start(source.block_of(outgoing_.long_ranks[i], layout), layout, outgoing_.long_ranks[i], tag,
                      comm, slots_);
}

TOPOMP_INLINE void flat_blocks_operation::receive_long(const blocks& result, int tag,
                                                       const boost::mpi::communicator& comm) {
    in_.resize(incoming_.long_ranks.size());
    const type_layout layout{result.type};
    for (std::size_t i = 0; i < in_.size(); ++i)
        in_[i].start(result.block_of(incoming_.long_ranks[i], layout), layout, incoming_.long_ranks[i], tag,
                     comm, slots_);
}

TOPOMP_INLINE bool flat_blocks_operation::advance() {
    if (!are_free(slots_, 0)) return false;
    if (!is_finished_) finish();
    is_finished_ = true;
    return true;
}

TOPOMP_INLINE void flat_blocks_operation::finish() {
    for (incoming_block& each : in_)
        each.finish();
    switch (ending_) {
    case ending::nothing:
        break;
    case ending::unpack_blocks: {
        const type_layout layout{result_.type};
        const std::size_t bytes = result_.count * layout.size;
        for (int rank = 0; rank < size_; ++rank)
            unpack(scratch_.data() + static_cast<std::size_t>(rank) * bytes, result_.block_of(rank, layout),
                   layout);
        break;
    }
    case ending::unpack_mine:
        unpack(scratch_.data(), mine_);
        break;
    case ending::spill:
        incoming_.spill();
        break;
    case ending::copy:
        copy_block(from_, mine_, temporary_);
        break;
    }
}

} // namespace topo::detail
