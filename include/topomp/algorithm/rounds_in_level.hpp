// SPDX-License-Identifier: BSL-1.0
/// @file
/// Inside a level: exchanges in rounds of several ranks.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/core/detail/fixed_text.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <string_view>

namespace topo {

namespace detail {

void rounds_in_level_broadcast(level_members& here, const message& what, int root, int radix);
void rounds_in_level_reduce(level_members& here, const void* input, const message& result, MPI_Op op,
                            int root, int radix);
void rounds_in_level_all_reduce(level_members& here, const void* input, const message& result, MPI_Op op,
                                int radix);
void rounds_in_level_barrier(level_members& here, int radix);

} // namespace detail

/// Among the members of a level in rounds of up to `Radix` ranks, as the policies of the same algorithms do
/// among all ranks: `all_reduce` by `k_ary_rabenseifner`, from 4 KiB on by `circulant` if the number of
/// members is no product of factors up to `Radix`, and by `k_ary_recursive_doubling` if the operation does
/// not commute; `barrier` and `broadcast` by `k_ary_recursive_doubling`; `reduce` by `k_ary_rabenseifner`,
/// and by the MPI's own collective if the operation does not commute. For one rank of each node:
/// `hierarchical<within<kind::machine, shared>, otherwise<rounds_in_level<4>>>`.
/// @cost at the first call in a level a duplicate of its communicator
/// @see Ruefenacht, Bull, Booth 2017; Rabenseifner 2004
template <int Radix>
struct rounds_in_level {
    static_assert(Radix >= 2, "topo::rounds_in_level<Radix>: at least two ranks meet in a round");

    /// From `root`, a number among the members.
    static void broadcast(level_members& here, const message& what, int root) {
        detail::rounds_in_level_broadcast(here, what, root, Radix);
    }
    /// Combines all operands at `root`, whose own is in `sum`.
    static void reduce(level_members& here, const message& sum, MPI_Op op, int root) {
        detail::rounds_in_level_reduce(here, sum.data, sum, op, root, Radix);
    }
    /// The same with the operand elsewhere.
    static void reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root) {
        detail::rounds_in_level_reduce(here, input, result, op, root, Radix);
    }
    /// Combines all operands on all members; a member's own is in `sum`.
    static void all_reduce(level_members& here, const message& sum, MPI_Op op) {
        detail::rounds_in_level_all_reduce(here, sum.data, sum, op, Radix);
    }
    /// The same with the operand elsewhere.
    static void all_reduce(level_members& here, const void* input, const message& result, MPI_Op op) {
        detail::rounds_in_level_all_reduce(here, input, result, op, Radix);
    }
    /// Returns when all members have called it.
    static void barrier(level_members& here) { detail::rounds_in_level_barrier(here, Radix); }
};

namespace detail {

template <int Radix>
inline constexpr auto text_of_rounds_in_level = fixed_text{"rounds_in_level<"}.with(Radix).with(">");
template <int Radix>
inline constexpr std::string_view
    level_algorithm_name<rounds_in_level<Radix>> = text_of_rounds_in_level<Radix>.view();

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/rounds_in_level.ipp>
#endif
