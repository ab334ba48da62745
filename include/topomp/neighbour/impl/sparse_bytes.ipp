// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/records.hpp>
#include <topomp/neighbour/detail/sparse_bytes.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <sched.h>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

inline constexpr auto sparse_name = "topo::sparse_exchange";

/// The length of what is sent in one message. @throws error where MPI cannot express it
TOPOMP_INLINE int int_length(std::size_t bytes, int to) {
    if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw error(sparse_name, "data for rank " + std::to_string(to),
                    std::to_string(bytes) + " bytes together are more than INT_MAX");
    return static_cast<int>(bytes);
}

/// Whether all ranks' messages have been received. SimGrid's non-blocking barrier (3.32) ends before all
/// ranks have called: there each rank is told how many messages will come.
class sparse_end {
public:
    sparse_end(MPI_Comm comm, [[maybe_unused]] std::span<const sparse_block> sent) : comm_(comm) {
#ifdef SMPI_H
        std::vector<int> sends(static_cast<std::size_t>(mpi::comm_size(comm))), ones(sends.size(), 1);
        for (const sparse_block& each : sent)
            ++sends[static_cast<std::size_t>(each.rank)];
        mpi::check(MPI_Reduce_scatter(sends.data(), &coming_, ones.data(), MPI_INT, MPI_SUM, comm),
                   "MPI_Reduce_scatter", "numbers of messages");
#endif
    }

    void note_arrival() { --coming_; }

    /// @param requests of the calling rank's messages: complete when these have been received
    bool is_reached(std::vector<MPI_Request>& requests) {
        int done = 0;
        if (!own_have_arrived_) {
            mpi::check(
                MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
                "MPI_Testall", "sparse messages");
            own_have_arrived_ = done != 0;
            if (!own_have_arrived_) return false;
#ifndef SMPI_H
            mpi::check(MPI_Ibarrier(comm_, &barrier_), "MPI_Ibarrier", "sparse messages");
#endif
        }
#ifdef SMPI_H
        return coming_ == 0;
#else
        mpi::check(MPI_Test(&barrier_, &done, MPI_STATUS_IGNORE), "MPI_Test", "sparse messages");
        return done != 0;
#endif
    }

private:
    [[maybe_unused]] MPI_Comm comm_;
    int coming_ = 0;
    bool own_have_arrived_ = false;
    [[maybe_unused]] MPI_Request barrier_ = MPI_REQUEST_NULL;
};

/// Each rank sends some messages, and receives until nobody sends any more.
///
/// A rank that has left may be a call ahead of another one, at most: two tags in turn tell their messages
/// apart.
TOPOMP_INLINE std::vector<sparse_block> send_to_some(node_groups& groups, std::span<sparse_block> sent) {
    const int tag = neighbour_tag::sparse + groups.calls++ % 2;
    std::vector<MPI_Request> requests;
    std::vector<sparse_block> result;
    for (sparse_block& each : sent)
        mpi::check(MPI_Issend(each.bytes.data(), int_length(each.bytes.size(), each.rank), MPI_BYTE,
                              each.rank, tag, groups.comm, &requests.emplace_back(MPI_REQUEST_NULL)),
                   "MPI_Issend", "sparse message");
    sparse_end end{groups.comm, sent};
    while (true) {
        int is_there = 0;
        MPI_Status status;
        mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, tag, groups.comm, &is_there, &status), "MPI_Iprobe",
                   "sparse messages");
        if (is_there == 0) {
            if (end.is_reached(requests)) return result;
            sched_yield(); // another rank may have this core
            continue;
        }
        int bytes = 0;
        mpi::check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count", "sparse message");
        result.push_back({status.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(bytes))});
        mpi::check(MPI_Recv(result.back().bytes.data(), bytes, MPI_BYTE, status.MPI_SOURCE, tag, groups.comm,
                            MPI_STATUS_IGNORE),
                   "MPI_Recv", "sparse message");
        end.note_arrival();
    }
}

/// A message from each rank of a node to each other, of lengths that only the sender knows; the empty ones
/// are not sent. Calls `f(record)` for each block. @collective over `inside`
template <class F>
void exchange_inside(const node_groups& groups, std::map<int, record_buffer>& sent, F f) {
    const auto& ranks = groups.who.of_node(groups.node());
    const std::size_t size = ranks.size();
    std::vector<int> out(size), in(size);
    for (std::size_t i = 0; i < size; ++i)
        if (const auto found = sent.find(ranks[i]); found != sent.end())
            out[i] = int_length(found->second.bytes().size(), ranks[i]);
    mpi::check(MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, groups.inside), "MPI_Alltoall",
               "lengths in a node");
    std::vector<std::vector<std::byte>> arrived(size);
    std::vector<MPI_Request> requests;
    for (std::size_t i = 0; i < size; ++i) {
        arrived[i].resize(static_cast<std::size_t>(in[i]));
        if (in[i] > 0)
            mpi::check(MPI_Irecv(arrived[i].data(), in[i], MPI_BYTE, static_cast<int>(i),
                                 neighbour_tag::inside, groups.inside,
                                 &requests.emplace_back(MPI_REQUEST_NULL)),
                       "MPI_Irecv", "blocks in a node");
    }
    for (std::size_t i = 0; i < size; ++i)
        if (out[i] > 0)
            mpi::check(MPI_Isend(sent[ranks[i]].bytes().data(), out[i], MPI_BYTE, static_cast<int>(i),
                                 neighbour_tag::inside, groups.inside,
                                 &requests.emplace_back(MPI_REQUEST_NULL)),
                       "MPI_Isend", "blocks in a node");
    mpi::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
               "MPI_Waitall", "blocks in a node");
    for (const auto& message : arrived)
        record_buffer::for_each(message, f);
}

TOPOMP_INLINE void append_block(record_buffer& to, int source, int target, std::span<const std::byte> bytes) {
    to.append({source, {link_end{target, 0}}, bytes});
}

TOPOMP_INLINE std::vector<sparse_block> sparse_by_node(node_groups& groups,
                                                       std::span<const sparse_block> sent) {
    using record = record_buffer::record;
    std::map<int, record_buffer> given, across, handed;
    const int rank = groups.comm.rank(), node = groups.node();
    for (const sparse_block& each : sent) {
        const int other = groups.who.node(each.rank);
        append_block(other == node ? handed[each.rank] : given[groups.who.carrier(node, other)], rank,
                     each.rank, each.bytes);
    }
    exchange_inside(groups, given, [&](const record& block) {
        across[groups.who.node(block.targets.front().rank)].append(block);
    });
    std::vector<sparse_block> between;
    for (auto& [other, blocks] : across)
        between.push_back({groups.who.carrier(other, node), std::move(blocks.bytes())});
    for (const sparse_block& message : send_to_some(groups, between))
        record_buffer::for_each(
            message.bytes, [&](const record& block) { handed[block.targets.front().rank].append(block); });
    std::vector<sparse_block> result;
    exchange_inside(groups, handed, [&](const record& block) {
        result.push_back({block.source, {block.data.begin(), block.data.end()}});
    });
    return result;
}

/// The most messages of a rank, directly and by node, and whether a rank's arguments are invalid.
TOPOMP_INLINE bool is_better_by_node(const node_groups& groups, std::span<const sparse_block> sent) {
    std::set<int> carriers;
    int direct = 0;
    for (const sparse_block& each : sent) {
        const int other = groups.who.node(each.rank);
        if (other == groups.node()) continue;
        ++direct;
        carriers.insert(groups.who.carrier(groups.node(), other));
    }
    const auto nodes = static_cast<int>(groups.who.members.size());
    const int ranks = groups.inside.size();
    // A carrier sends to as many nodes as it is the carrier for, and to the ranks of its node.
    const std::array mine{direct, static_cast<int>(carriers.size()) + (nodes + ranks - 1) / ranks + ranks};
    std::array<int, 2> most{};
    mpi::allreduce(mine.data(), most.data(), 2, MPI_INT, MPI_MAX, groups.comm, "numbers of messages");
    return most[1] + 2 < most[0];
}

TOPOMP_INLINE std::vector<sparse_block>
sparse_exchange(const hierarchy& levels, std::vector<sparse_block> sent, neighbour_route route) {
    node_groups& groups = node_groups::of(levels);
    all_or_none(groups.comm, [&] {
        for (const sparse_block& each : sent) {
            if (each.rank < 0 || each.rank >= groups.comm.size())
                throw argument_error(sparse_name, "destination " + std::to_string(each.rank),
                                     "there are " + std::to_string(groups.comm.size()) + " ranks");
            if (each.bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
                throw argument_error(sparse_name, "destination " + std::to_string(each.rank),
                                     std::to_string(each.bytes.size()) + " bytes are more than INT_MAX");
        }
        return true;
    });
    const bool by_node =
        route == neighbour_route::best ? is_better_by_node(groups, sent) : route == neighbour_route::by_node;
    auto result = by_node ? sparse_by_node(groups, sent) : send_to_some(groups, sent);
    std::ranges::sort(result, {}, &sparse_block::rank);
    return result;
}

} // namespace topo::detail
