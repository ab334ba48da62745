// SPDX-License-Identifier: BSL-1.0
/// @file
/// Inside a level of few ranks: short messages directly between the root and each other rank.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string_view>

namespace topo {

/// Short messages directly between the root and each other rank, for levels in which the latency of a message
/// is as long as sending several: few nodes on a network. Everything else by the MPI's collectives.
///
/// Among four nodes on one machine a broadcast of 8 bytes took 107 to 125 us, the MPI's binomial tree 144 to
/// 146; a reduction 142 to 148 and 172 to 193. An all-to-all exchange in one step took 190 to 221 us, the
/// MPI's all-reduce in 210 to 242 and, on hosts with one rank each, in 141 and 105: so all_reduce and barrier
/// are the MPI's.
struct direct_messages : mpi_calls {
    static constexpr int most_ranks = 8;            ///< larger levels use the MPI's collectives
    static constexpr std::size_t most_bytes = 4096; ///< longer messages use the MPI's collectives

    /// From the root to each other member, one message after the other.
    static void broadcast(level_members& here, const message& what, int root);

    /// From each other member to the root, which combines them.
    static void reduce(level_members& here, const message& sum, MPI_Op op, int root);
    /// The same with the operand in another buffer.
    static void reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root);

private:
    static constexpr int tag = 1;

    /// The same on all ranks, whose types may differ in their gaps.
    static bool is_for(const level_members& here, const message& what);

    /// @param start starts the message to or from a rank
    static void with_all_others(const level_members& here,
                                detail::function_ref<void(int other, MPI_Request&)> start);

    /// A root's memory for each rank's operands, reused by later calls.
    class operands {
    public:
        operands(level_members& here, const message& one);
        void* of(int rank) const;

    private:
        detail::type_layout layout_;
        detail::scratch_buffer& memory_;
        std::size_t bytes_of_each_ = 0;
    };
};

template <>
inline constexpr std::string_view detail::level_algorithm_name<direct_messages> = "direct_messages";

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/direct_messages.ipp>
#endif
