// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>
#include <climits>

#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE bool is_countable(std::size_t block_bytes, const boost::mpi::communicator& comm) {
    return block_bytes <= static_cast<std::size_t>(INT_MAX / comm.size());
}

TOPOMP_INLINE void flat_gather_packed(in_flight& others, const boost::mpi::communicator& comm,
                                      const message& mine, const blocks& result, int root) {
    const in_flight::apart now{others};
    const std::size_t bytes = bytes_of(mine);
    std::vector<std::byte> all(bytes * static_cast<std::size_t>(comm.size()));
    const auto block = [&](int rank) { return all.data() + static_cast<std::size_t>(rank) * bytes; };
    pack(mine, block(root));
    mpi::check(MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), static_cast<int>(bytes), MPI_BYTE,
                          root, comm),
               "MPI_Gather", "gather");
    const type_layout layout{result.type};
    for (int rank = 0; rank < comm.size(); ++rank)
        unpack(block(rank), result.block_of(rank, layout), layout);
}

TOPOMP_INLINE void flat_gather(in_flight& others, const boost::mpi::communicator& comm, const message& mine,
                               const blocks& result, int root) {
    if (bytes_of(mine) == 0) return;
    const bool is_root = comm.rank() == root;
    const std::size_t all_bytes = bytes_of(mine) * static_cast<std::size_t>(comm.size());
    const type_layout layout{is_root ? result.type : MPI_BYTE};
    if (is_root && !receives_from_bytes(layout, all_bytes))
        return flat_gather_packed(others, comm, mine, result, root);
    const in_flight::apart now{others};
    const message to = received_in({result.data, result.count, result.type}, layout);
    const bool in_place = is_root && is_same(mine, result.block_of(root));
    mpi::check(MPI_Gather(in_place ? MPI_IN_PLACE : mine.data, static_cast<int>(mine.count), mine.type,
                          is_root ? to.data : nullptr, static_cast<int>(is_root ? to.count : mine.count),
                          is_root ? to.type : mine.type, root, comm),
               "MPI_Gather", "gather");
}

/// The standard says that the count of what is sent matters at the root only. HAN (Open MPI 4.1) reads it on
/// the first rank of each other node: with 0 there, results are wrong or the call does not end.
TOPOMP_INLINE void flat_scatter(in_flight& others, const boost::mpi::communicator& comm, const blocks& source,
                                const message& mine, int root) {
    if (bytes_of(mine) == 0) return;
    const in_flight::apart now{others};
    const bool is_root = comm.rank() == root;
    const type_layout layout{mine.type};
    if (!is_root && !receives_from_bytes(layout, mine.count * layout.size)) {
        std::vector<std::byte> packed(mine.count * layout.size);
        const auto bytes = static_cast<int>(packed.size());
        mpi::check(MPI_Scatter(nullptr, bytes, MPI_BYTE, packed.data(), bytes, MPI_BYTE, root, comm),
                   "MPI_Scatter", "scatter");
        return unpack(packed.data(), mine, layout);
    }
    const message to = received_in(mine, layout);
    const bool in_place = is_root && is_same(mine, source.block_of(root));
    mpi::check(MPI_Scatter(is_root ? source.data : nullptr,
                           static_cast<int>(is_root ? source.count : to.count),
                           is_root ? source.type : to.type, in_place ? MPI_IN_PLACE : to.data,
                           static_cast<int>(to.count), to.type, root, comm),
               "MPI_Scatter", "scatter");
}

TOPOMP_INLINE flat_limits::flat_limits(const boost::mpi::communicator& comm)
    : block_bytes(static_cast<std::size_t>(INT_MAX / comm.size())) {}

TOPOMP_INLINE void flat_blocks::set(const blocks& all, int ranks, int left_out, const flat_limits& limits) {
    all_ = all;
    layout_ = type_layout{all.type};
    counts.assign(static_cast<std::size_t>(ranks), 0);
    positions.assign(static_cast<std::size_t>(ranks), 0);
    long_ranks.clear();
    is_direct_ = true;
    std::size_t elements = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::size_t bytes = all.count_of(rank) * layout_.size;
        if (bytes == 0 || rank == left_out) continue;
        if (bytes > limits.block_bytes) {
            long_ranks.push_back(rank);
            continue;
        }
        const auto r = static_cast<std::size_t>(rank);
        counts[r] = static_cast<int>(all.count_of(rank));
        is_direct_ = is_direct_ && all.position_of(rank) <= limits.position;
        elements += all.count_of(rank);
    }
    place(elements);
}

TOPOMP_INLINE void flat_blocks::fill() {
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        fill(static_cast<int>(rank));
}

TOPOMP_INLINE void flat_blocks::fill(int rank) {
    if (is_copied(rank)) copy_block(all_.block_of(rank, layout_), copy_of(rank), temporary_);
}

TOPOMP_INLINE void flat_blocks::spill() {
    for (int rank = 0; static_cast<std::size_t>(rank) < counts.size(); ++rank)
        if (is_copied(rank)) copy_block(copy_of(rank), all_.block_of(rank, layout_), temporary_);
}

TOPOMP_INLINE void flat_blocks::place(std::size_t elements) {
    data_ = all_.data;
    if (!is_direct_) {
        copies_.reserve(layout_.span(elements));
        data_ = copies_.data() - layout_.true_lower;
    }
    int next = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        if (counts[rank] == 0) continue;
        positions[rank] = is_direct_ ? static_cast<int>(all_.position_of(static_cast<int>(rank))) : next;
        next += counts[rank];
    }
}

TOPOMP_INLINE message flat_blocks::copy_of(int rank) const {
    const auto first = static_cast<std::size_t>(positions[static_cast<std::size_t>(rank)]);
    return {layout_.element(data_, first), all_.count_of(rank), all_.type};
}

TOPOMP_INLINE void send_block(const message& what, int to, int tag, MPI_Comm private_comm) {
    std::vector<MPI_Request> slots;
    outgoing_block block;
    block.start(what, type_layout{what.type}, to, tag, private_comm, slots);
    mpi::check(MPI_Waitall(static_cast<int>(slots.size()), slots.data(), MPI_STATUSES_IGNORE), "MPI_Waitall",
               "long block");
}

TOPOMP_INLINE void receive_block(const message& what, int from, int tag, MPI_Comm private_comm) {
    std::vector<MPI_Request> slots;
    incoming_block block;
    block.start(what, type_layout{what.type}, from, tag, private_comm, slots);
    mpi::check(MPI_Waitall(static_cast<int>(slots.size()), slots.data(), MPI_STATUSES_IGNORE), "MPI_Waitall",
               "long block");
    block.finish();
}

TOPOMP_INLINE void flat_gatherv(context& ranks, const message& mine, const blocks& result, int root,
                                const flat_limits& limits) {
    const auto& comm = ranks.private_comm();
    const in_flight::turn alone{ranks.running()}; // which not all callers have
    const int tag = ranks.next_tag();
    const in_flight::apart now{ranks.running()};
    if (ranks.rank() != root) {
        const bool is_long = bytes_of(mine) > limits.block_bytes;
        const int count = is_long || bytes_of(mine) == 0 ? 0 : static_cast<int>(mine.count);
        mpi::check(MPI_Gatherv(mine.data, count, mine.type, nullptr, nullptr, nullptr, mine.type, root, comm),
                   "MPI_Gatherv", "gatherv");
        if (is_long) send_block(mine, root, tag, comm);
        return;
    }
    flat_blocks parts;
    parts.set(result, comm.size(), root, limits);
    mpi::check(MPI_Gatherv(mine.data, 0, mine.type, parts.data(), parts.counts.data(), parts.positions.data(),
                           result.type, root, comm),
               "MPI_Gatherv", "gatherv");
    parts.spill();
    for (const int rank : parts.long_ranks)
        receive_block(result.block_of(rank), rank, tag, comm);
    scratch_buffer temporary;
    copy_block(mine, result.block_of(root), temporary);
}

TOPOMP_INLINE void flat_scatterv(context& ranks, const blocks& source, const message& mine, int root,
                                 const flat_limits& limits) {
    const auto& comm = ranks.private_comm();
    const in_flight::turn alone{ranks.running()}; // which not all callers have
    const int tag = ranks.next_tag();
    const in_flight::apart now{ranks.running()};
    if (ranks.rank() != root) {
        const bool is_long = bytes_of(mine) > limits.block_bytes;
        const int count = is_long || bytes_of(mine) == 0 ? 0 : static_cast<int>(mine.count);
        mpi::check(
            MPI_Scatterv(nullptr, nullptr, nullptr, mine.type, mine.data, count, mine.type, root, comm),
            "MPI_Scatterv", "scatterv");
        if (is_long) receive_block(mine, root, tag, comm);
        return;
    }
    flat_blocks parts;
    parts.set(source, comm.size(), root, limits);
    parts.fill();
    mpi::check(MPI_Scatterv(parts.data(), parts.counts.data(), parts.positions.data(), source.type, mine.data,
                            0, mine.type, root, comm),
               "MPI_Scatterv", "scatterv");
    for (const int rank : parts.long_ranks)
        send_block(source.block_of(rank), rank, tag, comm);
    scratch_buffer temporary;
    copy_block(source.block_of(root), mine, temporary);
}

} // namespace topo::detail
