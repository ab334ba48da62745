// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/records.hpp>
#include <topomp/neighbour/detail/sparse_bytes.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

inline constexpr auto sparse_name = "topo::sparse_exchange";

inline constexpr std::size_t longest_sparse = std::numeric_limits<int>::max(); ///< that MPI can express

/// Whether all ranks' messages have been received. SimGrid's non-blocking barrier (3.32) ends before all
/// ranks have called: there each rank is told how many messages will come.
class sparse_end {
public:
    /// @param requests of the calling rank's messages: complete when these have been received. Then it has
    /// that of the barrier
    sparse_end(MPI_Comm comm, [[maybe_unused]] std::span<const sparse_block> sent,
               std::vector<MPI_Request>& requests)
        : comm_(comm), requests_(requests) {
#ifdef SMPI_H
        std::vector<int> sends(static_cast<std::size_t>(mpi::comm_size(comm))), ones(sends.size(), 1);
        for (const sparse_block& each : sent)
            ++sends[static_cast<std::size_t>(each.rank)];
        mpi::check(MPI_Reduce_scatter(sends.data(), &coming_, ones.data(), MPI_INT, MPI_SUM, comm),
                   "MPI_Reduce_scatter", "numbers of messages");
#endif
    }

    void note_arrival() { --coming_; }

    bool is_reached() {
        int done = 0;
        if (!own_have_arrived_) {
            mpi::check(
                MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
                "MPI_Testall", "sparse messages");
            own_have_arrived_ = done != 0;
            if (!own_have_arrived_) return false;
#ifndef SMPI_H
            requests_.assign(1, MPI_REQUEST_NULL);
            mpi::check(MPI_Ibarrier(comm_, requests_.data()), "MPI_Ibarrier", "sparse messages");
#endif
        }
#ifdef SMPI_H
        return coming_ == 0;
#else
        mpi::check(MPI_Test(requests_.data(), &done, MPI_STATUS_IGNORE), "MPI_Test", "sparse messages");
        return done != 0;
#endif
    }

private:
    [[maybe_unused]] MPI_Comm comm_;
    std::vector<MPI_Request>& requests_;
    int coming_ = 0;
    bool own_have_arrived_ = false;
};

/// Calls `use(requests)`. If that throws, messages may be under way to what `memory` has, or out of it: it
/// lasts, and these ranks make no other sparse exchange, which could take what comes of this one.
template <class Memory, class Use>
void in_sparse_exchange(node_groups& groups, Memory& memory, Use use) {
    std::vector<MPI_Request> requests;
    try {
        use(requests);
    } catch (...) {
        groups.sparse_has_failed = true;
        groups.running.left.add(requests);
        keep_for_messages(std::make_shared<Memory>(std::move(memory)));
        throw;
    }
}

/// Each rank sends some messages, and receives until nobody sends any more.
///
/// A rank that has left may be a call ahead of another one, at most: two tags in turn tell their messages
/// apart.
TOPOMP_INLINE void send_to_some(node_groups& groups, std::span<const sparse_block> sent,
                                std::vector<MPI_Request>& requests, std::vector<sparse_block>& result) {
    const int tag = neighbour_tag::sparse + static_cast<int>(groups.calls++ % 2);
    for (const sparse_block& each : sent)
        mpi::check(MPI_Issend(each.bytes.data(), static_cast<int>(each.bytes.size()), MPI_BYTE, each.rank,
                              tag, groups.comm, &requests.emplace_back(MPI_REQUEST_NULL)),
                   "MPI_Issend", "sparse message");
    sparse_end end{groups.comm, sent, requests};
    while (true) {
        int is_there = 0;
        MPI_Status status;
        mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, tag, groups.comm, &is_there, &status), "MPI_Iprobe",
                   "sparse messages");
        if (is_there == 0) {
            if (end.is_reached()) return;
            groups.running.go_on();
            yield_core();
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

TOPOMP_INLINE std::vector<sparse_block> send_to_some(node_groups& groups, std::vector<sparse_block>& sent) {
    std::vector<sparse_block> result;
    in_sparse_exchange(groups, sent, [&](std::vector<MPI_Request>& requests) {
        send_to_some(groups, sent, requests, result);
    });
    return result;
}

struct messages_inside {
    std::map<int, record_buffer> sent; ///< by rank
    std::vector<std::vector<std::byte>> arrived;
};

/// A message from each rank of a node to each other, of lengths that only the sender knows; the empty ones
/// are not sent. Calls `f(record)` for each block. @collective over `inside`
template <class F>
void exchange_inside(node_groups& groups, std::map<int, record_buffer>& sent, F f) {
    const auto& ranks = groups.who.of_node(groups.node());
    const std::size_t size = ranks.size();
    std::vector<int> out(size), in(size);
    for (std::size_t i = 0; i < size; ++i)
        if (const auto found = sent.find(ranks[i]); found != sent.end())
            out[i] = static_cast<int>(found->second.bytes().size());
    mpi::check(MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, groups.inside), "MPI_Alltoall",
               "lengths in a node");
    messages_inside all{std::move(sent), std::vector<std::vector<std::byte>>(size)};
    in_sparse_exchange(groups, all, [&](std::vector<MPI_Request>& requests) {
        for (std::size_t i = 0; i < size; ++i) {
            all.arrived[i].resize(static_cast<std::size_t>(in[i]));
            if (in[i] > 0)
                mpi::check(MPI_Irecv(all.arrived[i].data(), in[i], MPI_BYTE, static_cast<int>(i),
                                     neighbour_tag::inside, groups.inside,
                                     &requests.emplace_back(MPI_REQUEST_NULL)),
                           "MPI_Irecv", "blocks in a node");
        }
        for (std::size_t i = 0; i < size; ++i)
            if (out[i] > 0)
                mpi::check(mpi::isend(all.sent[ranks[i]].bytes().data(), out[i], MPI_BYTE,
                                      static_cast<int>(i), neighbour_tag::inside, groups.inside,
                                      &requests.emplace_back(MPI_REQUEST_NULL)),
                           "MPI_Isend", "blocks in a node");
        if (requests.empty()) return;
        const in_flight::turn alone{groups.running};
        groups.running.wait_for_all(requests, "blocks in a node");
    });
    for (const auto& message : all.arrived)
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

/// What all ranks know of an exchange.
struct sparse_shape {
    std::int64_t direct = 0, by_node = 0; ///< the most messages of a rank
    std::int64_t between = 0;             ///< no message by node to a carrier or another node has more bytes
    std::int64_t to_rank = 0;             ///< nor has one to a rank, but perhaps much less
    bool can_go_by_node() const {
        return std::max(between, to_rank) <= static_cast<std::int64_t>(longest_sparse);
    }
    bool is_better_by_node() const { return by_node + 2 < direct && can_go_by_node(); }
};

/// With all that a record has beside its data.
TOPOMP_INLINE std::int64_t record_bytes(const sparse_block& block) {
    constexpr std::int64_t most_of_head = 64;
    return static_cast<std::int64_t>(block.bytes.size()) + most_of_head;
}

/// @collective over all ranks
TOPOMP_INLINE sparse_shape shape_of(const node_groups& groups, std::span<const sparse_block> sent) {
    std::set<int> carriers;
    std::map<int, std::int64_t> to_node, to_rank;
    sparse_shape mine;
    for (const sparse_block& each : sent) {
        const int other = groups.who.node(each.rank);
        to_rank[each.rank] += record_bytes(each);
        if (other == groups.node()) continue;
        ++mine.direct;
        mine.between += record_bytes(each);
        to_node[other] += record_bytes(each);
        carriers.insert(groups.who.carrier(groups.node(), other));
    }
    const auto nodes = static_cast<std::int64_t>(groups.who.members.size());
    const std::int64_t ranks = groups.inside.size();
    // A carrier sends to as many nodes as it is the carrier for, and to the ranks of its node.
    mine.by_node = static_cast<std::int64_t>(carriers.size()) + (nodes + ranks - 1) / ranks + ranks;
    for (const auto& [node, bytes] : to_node)
        mine.between = std::max(mine.between, bytes * ranks);
    for (const auto& [rank, bytes] : to_rank)
        mine.to_rank = std::max(mine.to_rank, bytes * groups.comm.size());
    const std::array own{mine.direct, mine.by_node, mine.between, mine.to_rank};
    std::array<std::int64_t, 4> most{};
    mpi::allreduce(own.data(), most.data(), 4, MPI_INT64_T, MPI_MAX, groups.comm, "numbers of messages");
    return {most[0], most[1], most[2], most[3]};
}

/// The most bytes that a rank gets. @collective over all ranks
TOPOMP_INLINE std::int64_t most_to_rank(const node_groups& groups, std::span<const sparse_block> sent) {
    std::vector<std::int64_t> mine(static_cast<std::size_t>(groups.comm.size())), all(mine.size());
    for (const sparse_block& each : sent)
        mine[static_cast<std::size_t>(each.rank)] += record_bytes(each);
    mpi::allreduce(mine.data(), all.data(), groups.comm.size(), MPI_INT64_T, MPI_SUM, groups.comm,
                   "bytes for each rank");
    return *std::ranges::max_element(all);
}

TOPOMP_INLINE std::vector<sparse_block>
sparse_exchange(const hierarchy& levels, std::vector<sparse_block> sent, neighbour_route route) {
    node_groups& groups = node_groups::of(levels);
    if (groups.sparse_has_failed)
        refuse_after_failure(sparse_name, "hierarchy", "a sparse exchange of the same ranks");
    all_or_none(groups.comm, [&] {
        for (const sparse_block& each : sent) {
            if (each.rank < 0 || each.rank >= groups.comm.size())
                throw argument_error(sparse_name, "destination " + std::to_string(each.rank),
                                     "there are " + std::to_string(groups.comm.size()) + " ranks");
            if (each.bytes.size() > longest_sparse)
                throw argument_error(sparse_name, "destination " + std::to_string(each.rank),
                                     std::to_string(each.bytes.size()) + " bytes are more than INT_MAX");
        }
        return true;
    });
    bool by_node = route == neighbour_route::by_node;
    if (route != neighbour_route::direct) {
        sparse_shape all = shape_of(groups, sent);
        if (by_node && !all.can_go_by_node()) all.to_rank = most_to_rank(groups, sent);
        if (by_node && !all.can_go_by_node())
            throw argument_error(sparse_name, "route by_node",
                                 "blocks that travel together have up to " +
                                     std::to_string(std::max(all.between, all.to_rank)) +
                                     " bytes, which are more than INT_MAX");
        by_node = by_node || all.is_better_by_node();
    }
    auto result = by_node ? sparse_by_node(groups, sent) : send_to_some(groups, sent);
    std::ranges::sort(result, {}, &sparse_block::rank);
    return result;
}

TOPOMP_INLINE void require_sent_length(int source, std::size_t bytes, std::size_t each, bool fits) {
    if (!fits)
        throw argument_error(sparse_name, "data from rank " + std::to_string(source),
                             "it has " + number_of(bytes, "byte") + ", but values here have " +
                                 std::to_string(each) + " each: all ranks must have one type");
}

} // namespace topo::detail
