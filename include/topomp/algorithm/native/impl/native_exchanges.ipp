// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/all_to_all_operations.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>
#include <climits>

#include <cstddef>
#include <functional>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void flat_all_gather(in_flight& others, const boost::mpi::communicator& comm,
                                   const blocks& result) {
    const in_flight::apart now{others};
    mpi::check(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, result.data, static_cast<int>(result.count),
                             result.type, comm),
               "MPI_Allgather", "all_gather");
}

TOPOMP_INLINE void flat_all_to_all(in_flight& others, const boost::mpi::communicator& comm,
                                   const blocks& source, const blocks& result) {
    const in_flight::apart now{others};
    mpi::check(MPI_Alltoall(source.data, static_cast<int>(source.count), source.type, result.data,
                            static_cast<int>(result.count), result.type, comm),
               "MPI_Alltoall", "all_to_all");
}

TOPOMP_INLINE void flat_all_gatherv(context& ranks, const blocks& result, const flat_limits& limits) {
    const auto& comm = ranks.private_comm();
    auto call = ranks.pool<flat_exchange>().take();
    flat_blocks& parts = call->result;
    {
        const in_flight::apart now{ranks.running()};
        parts.set(result, comm.size(), -1, limits);
        parts.fill(comm.rank());
        mpi::check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts.data(), parts.counts.data(),
                                  parts.positions.data(), result.type, comm),
                   "MPI_Allgatherv", "all_gatherv");
        parts.spill();
    }
    ranks.pool<flat_exchange>().give_back(std::move(call));
}

TOPOMP_INLINE void flat_all_to_allv(context& ranks, const blocks& source, const blocks& result,
                                    const flat_limits& limits) {
    const auto& comm = ranks.private_comm();
    const exchange_order& order = ranks.order();
    const int tag = ranks.next_tag();
    auto call = ranks.pool<flat_exchange>().take();
    flat_blocks &from = call->source, &to = call->result;
    {
        const in_flight::apart now{ranks.running()};
        from.set(source, comm.size(), -1, limits);
        to.set(result, comm.size(), -1, limits);
        from.fill();
        mpi::check(MPI_Alltoallv(from.data(), from.counts.data(), from.positions.data(), source.type,
                                 to.data(), to.counts.data(), to.positions.data(), result.type, comm),
                   "MPI_Alltoallv", "all_to_allv");
        to.spill();
    }
    if (!from.long_ranks.empty() || !to.long_ranks.empty())
        run(ranks.pool<all_to_all_pairwise>(), [&](all_to_all_pairwise& op) {
            op.start_from(limits.block_bytes + 1, ranks, order, tag, source, result);
        });
    ranks.pool<flat_exchange>().give_back(std::move(call));
}

TOPOMP_INLINE void flat_reduce_scatter(context& ranks, const blocks& input, std::size_t elements,
                                       const message& mine, MPI_Op op) {
    const auto& comm = ranks.private_comm();
    const type_layout layout{mine.type};
    auto kept = ranks.pool<flat_reduce_scatter_memory>().take();
    const auto* const from = static_cast<const std::byte*>(input.data);
    const auto* const to = static_cast<const std::byte*>(mine.data);
    const bool overlaps = std::greater_equal<>{}(to, from) &&
                          std::less<>{}(to, from + static_cast<MPI_Aint>(elements) * layout.extent);
    message result = mine;
    if (overlaps) { // MPI_IN_PLACE would let the MPI use the rest of the input
        kept->result.reserve(layout.span(mine.count));
        result.data = kept->result.data() - layout.true_lower;
    }
    if (result.data == nullptr) result.data = &kept->nothing;
    if (input.counts.empty()) {
        const in_flight::apart now{ranks.running()};
        mpi::check(MPI_Reduce_scatter_block(input.data, result.data, static_cast<int>(input.count), mine.type,
                                            op, comm),
                   "MPI_Reduce_scatter_block", "reduce_scatter");
    } else {
        kept->counts.clear();
        for (const std::size_t count : input.counts)
            kept->counts.push_back(static_cast<int>(count));
        const in_flight::apart now{ranks.running()};
        mpi::check(MPI_Reduce_scatter(input.data, result.data, kept->counts.data(), mine.type, op, comm),
                   "MPI_Reduce_scatter", "reduce_scatter");
    }
    copy_block(result, mine, kept->temporary);
    ranks.pool<flat_reduce_scatter_memory>().give_back(std::move(kept));
}

} // namespace topo::detail
