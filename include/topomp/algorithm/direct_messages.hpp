// SPDX-License-Identifier: BSL-1.0
/// @file
/// Inside a level of few ranks: short messages between the root and each other rank, without any on the way.
#pragma once

#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/native.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/block_list.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>

namespace topo {

/// Short messages straight between the root and each other rank, for levels whose messages take as long as
/// sending several: few nodes on a network. Anything else as the MPI does it.
///
/// Among four nodes on one machine a broadcast of 8 bytes took 107 to 125 us, the MPI's binomial tree 144 to
/// 146; a reduction 142 to 148 and 172 to 193. In one step all nodes told all others in 190 to 221 us, the
/// MPI's all-reduce in 210 to 242 and, on hosts with one rank each, in 141 and 105: so all_reduce and barrier
/// are the MPI's.
struct direct_messages : mpi_calls {
    static constexpr int most_ranks = 8;
    static constexpr std::size_t most_bytes = 4096;

    static void broadcast(level_members& here, const message& what, int root) {
        if (!is_for(here, what)) return mpi_calls::broadcast(here, what, root);
        const int count = static_cast<int>(what.count);
        if (here.rank() != root) {
            mpi::check(MPI_Recv(what.data, count, what.type, root, tag, here.comm(), MPI_STATUS_IGNORE),
                       "MPI_Recv", "broadcast");
            return;
        }
        with_all_others(here, [&](int other, MPI_Request& request) {
            mpi::check(MPI_Isend(what.data, count, what.type, other, tag, here.comm(), &request), "MPI_Isend",
                       "broadcast");
        });
    }

    static void reduce(level_members& here, const message& sum, MPI_Op op, int root) {
        reduce(here, sum.data, sum, op, root);
    }
    static void reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root) {
        if (!is_for(here, result)) return mpi_calls::reduce(here, input, result, op, root);
        const int count = static_cast<int>(result.count);
        if (here.rank() != root) {
            mpi::check(MPI_Send(input, count, result.type, root, tag, here.comm()), "MPI_Send", "operands");
            return;
        }
        const operands all{here, result};
        with_all_others(here, [&](int other, MPI_Request& request) {
            mpi::check(MPI_Irecv(all.of(other), count, result.type, other, tag, here.comm(), &request),
                       "MPI_Irecv", "operands");
        });
        detail::copy_elements(input, all.of(root), count, result.type);
        // MPI's operations leave the result in the right operand.
        void* const last = all.of(here.size() - 1);
        for (int rank = here.size() - 1; rank-- > 0;)
            mpi::check(MPI_Reduce_local(all.of(rank), last, count, result.type, op), "MPI_Reduce_local",
                       "operands");
        detail::copy_elements(last, result.data, count, result.type);
    }

private:
    static constexpr int tag = 1;

    /// The same on all ranks, whose types may differ in their gaps.
    static bool is_for(const level_members& here, const message& what) {
        return what.count > 0 && here.size() <= most_ranks && what.count <= most_bytes &&
               detail::bytes_of(what) <= most_bytes;
    }

    template <class Start>
    static void with_all_others(const level_members& here, const Start& start) {
        std::array<MPI_Request, most_ranks> requests;
        requests.fill(MPI_REQUEST_NULL);
        for (int other = 0; other < here.size(); ++other)
            if (other != here.rank()) start(other, requests[static_cast<std::size_t>(other)]);
        mpi::check(MPI_Waitall(here.size(), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall",
                   "messages of a root");
    }

    /// A root's memory for each rank's operands, kept from call to call.
    class operands {
    public:
        operands(level_members& here, const message& one)
            : layout_(one.type), memory_(here.kept<detail::cell>()) {
            bytes_of_each_ = detail::round_up(layout_.span(one.count), 64); // for any type's alignment
            memory_.reserve(bytes_of_each_ * static_cast<std::size_t>(here.size()));
        }
        void* of(int rank) const {
            return memory_.data() + static_cast<std::size_t>(rank) * bytes_of_each_ - layout_.true_lower;
        }

    private:
        detail::type_layout layout_;
        detail::cell& memory_;
        std::size_t bytes_of_each_ = 0;
    };
};

} // namespace topo
