// SPDX-License-Identifier: BSL-1.0
/// @file
/// Inside a level: in the least number of rounds.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/core/detail/fixed_text.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string_view>

namespace topo {

namespace detail {

void circulant_in_level_broadcast(level_members& here, const message& what, int root, std::size_t piece_bytes,
                                  std::size_t under_way);
void circulant_in_level_reduce(level_members& here, const void* input, const message& result, MPI_Op op,
                               int root, std::size_t piece_bytes, std::size_t under_way);
void circulant_in_level_all_reduce(level_members& here, const void* input, const message& result, MPI_Op op,
                                   std::size_t piece_bytes);

} // namespace detail

/// Among the members of a level, `broadcast`, `reduce` and `all_reduce`, this one in rounds of five parts, as
/// the policy `circulant` among all ranks; `barrier`, and operations that do not commute, by the MPI's own.
/// For long messages among one rank of each node: `hierarchical<within<kind::machine, shared>,
/// otherwise<circulant_in_level<8192>>>`.
/// @tparam Rounds of a broadcast and a reduce that are under way at a time; several where ranks are
/// oversubscribed
/// @cost at the first call in a level a duplicate of its communicator @see Träff 2024
template <std::size_t PieceBytes, std::size_t Rounds = 1>
struct circulant_in_level {
    static_assert(PieceBytes > 0 && Rounds > 0,
                  "topo::circulant_in_level<PieceBytes, Rounds>: a piece needs at least one byte, and a rank "
                  "one round");

    /// From `root`, a number among the members.
    static void broadcast(level_members& here, const message& what, int root) {
        detail::circulant_in_level_broadcast(here, what, root, PieceBytes, Rounds);
    }
    /// Combines all operands at `root`, whose own is in `sum`.
    static void reduce(level_members& here, const message& sum, MPI_Op op, int root) {
        detail::circulant_in_level_reduce(here, sum.data, sum, op, root, PieceBytes, Rounds);
    }
    /// The same with the operand elsewhere.
    static void reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root) {
        detail::circulant_in_level_reduce(here, input, result, op, root, PieceBytes, Rounds);
    }
    /// Combines all operands on all members; a member's own is in `sum`.
    static void all_reduce(level_members& here, const message& sum, MPI_Op op) {
        detail::circulant_in_level_all_reduce(here, sum.data, sum, op, PieceBytes);
    }
    /// The same with the operand elsewhere.
    static void all_reduce(level_members& here, const void* input, const message& result, MPI_Op op) {
        detail::circulant_in_level_all_reduce(here, input, result, op, PieceBytes);
    }
    /// Returns when all members have called it.
    static void barrier(level_members& here) { mpi_calls::barrier(here); }
};

namespace detail {

constexpr fixed_text text_of_circulant_in_level(std::size_t piece_bytes, std::size_t rounds) {
    const fixed_text text = fixed_text{"circulant_in_level<"}.with(piece_bytes);
    return (rounds == 1 ? text : text.with(", ").with(rounds)).with(">");
}
template <std::size_t PieceBytes, std::size_t Rounds>
inline constexpr fixed_text name_of_circulant_in_level = text_of_circulant_in_level(PieceBytes, Rounds);
template <std::size_t PieceBytes, std::size_t Rounds>
inline constexpr std::string_view level_algorithm_name<circulant_in_level<PieceBytes, Rounds>> =
    name_of_circulant_in_level<PieceBytes, Rounds>.view();

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/circulant_in_level.ipp>
#endif
