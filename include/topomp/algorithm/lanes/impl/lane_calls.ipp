// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_calls.hpp>
#include <topomp/algorithm/lanes/stripes.hpp>
#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void lane_calls::broadcast(const message& whole, int root) {
    const auto seat = layout_.seat_of(root);
    in_pieces(whole, [&](const message& what, const void*) {
        void* const mine = part_in(what);
        if (layout_.node_number() == seat.node) scatter(what, mine, seat.number);
        if (layout_.lane_comm() && count() > 0)
            flat_broadcast(others_, layout_.lane_comm(), part_at(mine, what), seat.node);
        gather_to_all(MPI_IN_PLACE, what);
    });
}

TOPOMP_INLINE void lane_calls::reduce(const void* input, const message& whole, MPI_Op op, int root) {
    const auto seat = layout_.seat_of(root);
    in_pieces(whole, input, [&](const message& what, const void* from) {
        void* const mine = combine_inside(from, what, op);
        if (layout_.lane_comm() && count() > 0)
            flat_reduce(others_, spare_, layout_.lane_comm(), mine, part_at(mine, what), op, seat.node);
        if (layout_.node_number() == seat.node) gather(mine, what, seat.number);
    });
}

TOPOMP_INLINE void lane_calls::all_reduce(const void* input, const message& whole, MPI_Op op) {
    in_pieces(whole, input, [&](const message& what, const void* from) {
        void* const mine = combine_inside(from, what, op);
        if (layout_.lane_comm() && count() > 0)
            flat_all_reduce(others_, layout_.lane_comm(), mine, part_at(mine, what), op);
        gather_to_all(mine, what);
    });
}

TOPOMP_INLINE void lane_calls::measure(std::size_t elements) {
    const auto lanes = static_cast<std::size_t>(layout_.lanes());
    counts_.assign(layout_.node().size(), 0);
    positions_.assign(layout_.node().size(), 0);
    int next = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (i < lanes)
            counts_[i] = static_cast<int>(stripe_of({nullptr, elements, MPI_BYTE}, i, lanes).count);
        positions_[i] = next;
        next += counts_[i];
    }
}

TOPOMP_INLINE void* lane_calls::part_in(const message& what) const {
    const auto begin = static_cast<std::size_t>(positions_[static_cast<std::size_t>(number())]);
    return type_layout{what.type}.element(what.data, begin);
}

TOPOMP_INLINE message lane_calls::part_at(void* data, const message& whole) const {
    return {data, static_cast<std::size_t>(count()), whole.type};
}

TOPOMP_INLINE void lane_calls::scatter(const message& what, void* mine, int from) {
    const bool is_root = number() == from;
    const in_flight::apart now{others_};
    mpi::check(MPI_Scatterv(is_root ? what.data : nullptr, counts_.data(), positions_.data(), what.type,
                            is_root ? MPI_IN_PLACE : mine, count(), what.type, from, layout_.node_comm()),
               "MPI_Scatterv", "parts for the lanes");
}

TOPOMP_INLINE void* lane_calls::combine_inside(const void* input, const message& what, MPI_Op op) {
    const type_layout layout{what.type};
    part_.reserve(std::max<std::size_t>(1, layout.span(static_cast<std::size_t>(count()))));
    void* const mine = part_.data() - layout.true_lower;
    const in_flight::apart now{others_};
    if (!reduces_and_scatters(layout, mpi::op_is_commutative(op))) {
        scratch_buffer whole;
        whole.reserve(std::max<std::size_t>(1, layout.span(what.count)));
        const message sum{whole.data() - layout.true_lower, what.count, what.type};
        mpi::check(
            MPI_Reduce(input, sum.data, static_cast<int>(sum.count), sum.type, op, 0, layout_.node_comm()),
            "MPI_Reduce", "parts for the lanes");
        mpi::check(MPI_Scatterv(sum.data, counts_.data(), positions_.data(), sum.type, mine, count(),
                                sum.type, 0, layout_.node_comm()),
                   "MPI_Scatterv", "parts for the lanes");
        return mine;
    }
    mpi::check(MPI_Reduce_scatter(input, mine, counts_.data(), what.type, op, layout_.node_comm()),
               "MPI_Reduce_scatter", "parts for the lanes");
    return mine;
}

TOPOMP_INLINE void lane_calls::gather(const void* mine, const message& what, int to) {
    const bool is_root = number() == to;
    const in_flight::apart now{others_};
    mpi::check(MPI_Gatherv(mine, count(), what.type, is_root ? what.data : nullptr, counts_.data(),
                           positions_.data(), what.type, to, layout_.node_comm()),
               "MPI_Gatherv", "parts of the lanes");
}

TOPOMP_INLINE void lane_calls::gather_to_all(const void* mine, const message& what) {
    const in_flight::apart now{others_};
    mpi::check(MPI_Allgatherv(mine, count(), what.type, what.data, counts_.data(), positions_.data(),
                              what.type, layout_.node_comm()),
               "MPI_Allgatherv", "parts of the lanes");
}

TOPOMP_INLINE void native_lane_broadcast(context& ranks, const message& what, int root) {
    ranks.attached<lane_calls>().broadcast(what, root);
}

TOPOMP_INLINE void native_lane_reduce(context& all_ranks, const void* input, const message& result,
                                      combination combiner, int root) {
    context& ranks = combiner.is_commutative ? all_ranks : all_ranks.in_rank_order();
    const bool is_root = ranks.rank() == root;
    ranks.attached<lane_calls>().reduce(input, {is_root ? result.data : nullptr, result.count, result.type},
                                        combiner.op, root);
}

TOPOMP_INLINE void native_lane_all_reduce(context& all_ranks, const void* input, const message& result,
                                          combination combiner) {
    context& ranks = combiner.is_commutative ? all_ranks : all_ranks.in_rank_order();
    ranks.attached<lane_calls>().all_reduce(input, result, combiner.op);
}

} // namespace topo::detail
