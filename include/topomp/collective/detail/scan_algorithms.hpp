// SPDX-License-Identifier: BSL-1.0
/// @file
/// What scan and exclusive_scan share.
#pragma once

#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

class in_flight;

/// Whether the MPI's own scans combine in the order of ranks. SimGrid's (3.32) combine in the order in which
/// operands arrive.
bool scans_in_order([[maybe_unused]] MPI_Op op);

/// A rank's result of a scan depends on the ranks before it, even if the operation commutes.
template <class Policy>
constexpr void assert_scans() {
    if constexpr (algorithm_of<Policy> == algorithm::tree)
        static_assert(
            tree_plan_of<Policy>.keeps_order(),
            "topo: a scan gives each rank what the ranks before it have, also with an operation that is "
            "commutative, so below each rank of the tree there must be an interval of ranks, which "
            "this policy's shape does not promise: use linear, chain, k_nomial<K> or in_order_binary, or "
            "automatic");
}

void flat_scan(in_flight& others, const boost::mpi::communicator& comm, const void* input,
               const message& result, MPI_Op op, scan_kind kind);

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void scan(const hierarchy& levels, const void* input, const message& result, MPI_Op op, scan_kind kind,
          const plan& chosen);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/scan_algorithms.ipp>
#endif
