// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/scan_algorithms.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/of_scan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

TOPOMP_INLINE bool scans_in_order([[maybe_unused]] MPI_Op op) {
#ifdef SMPI_H
    return mpi::op_is_commutative(op);
#else
    return true;
#endif
}

TOPOMP_INLINE void flat_scan(in_flight& others, const boost::mpi::communicator& comm, const void* input,
                             const message& result, MPI_Op op, scan_kind kind) {
    const in_flight::apart now{others};
    const type_layout layout{result.type};
    in_countable_pieces(result, [&](std::size_t first, int count) {
        const void* const from = input == result.data ? MPI_IN_PLACE : layout.element(input, first);
        void* const to = scan_result(layout, result, first);
        if (kind == scan_kind::inclusive)
            mpi::check(MPI_Scan(from, to, count, result.type, op, comm), "MPI_Scan", "scan");
        else
            mpi::check(MPI_Exscan(from, to, count, result.type, op, comm), "MPI_Exscan", "exclusive_scan");
    });
}

template <algorithm Only>
void scan(const hierarchy& levels, const void* input, const message& result, MPI_Op op, scan_kind kind,
          const plan& chosen) {
    if (chosen.uses != algorithm::flat)
        check_host_memory(levels, kind == scan_kind::inclusive ? "topo::scan" : "topo::exclusive_scan",
                          {input, result.data});
    start_by_plan<Only>(scan_call{context::of(levels), input, result, op, kind}, chosen, to_the_end{});
}

} // namespace topo::detail
