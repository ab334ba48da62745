// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/node_routes.hpp>
#include <topomp/neighbour/detail/records.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE links links::of(const node_members& nodes, std::span<const int> sources,
                              std::span<const int> destinations, std::span<const int> source_keys,
                              std::span<const int> destination_keys) {
    const auto ends = [](std::span<const int> ranks, std::span<const int> keys) {
        std::vector<link_end> result;
        std::map<int, int> seen;
        for (std::size_t i = 0; i < ranks.size(); ++i)
            result.push_back({ranks[i], keys.empty() ? seen[ranks[i]]++ : keys[i]});
        return result;
    };
    links all{ends(destinations, destination_keys), ends(sources, source_keys), {}, {}};
    all.in_order.resize(all.in.size());
    std::iota(all.in_order.begin(), all.in_order.end(), std::size_t{0});
    std::ranges::sort(all.in_order, {}, [&](std::size_t i) { return all.in[i]; });
    for (std::size_t i = 0; i < all.out.size(); ++i)
        if (all.out[i].rank != MPI_PROC_NULL) all.out_nodes.push_back(i);
    std::ranges::stable_sort(all.out_nodes, {}, [&](std::size_t i) { return nodes.node(all.out[i].rank); });
    return all;
}

TOPOMP_INLINE bool node_exchange::goes_by_node(const link_end& link, const message& block,
                                               std::size_t direct_from) const {
    return link.rank != MPI_PROC_NULL && bytes_of(block) < direct_from &&
           groups_.nodes.node(link.rank) != groups_.node();
}

#if MPI_VERSION >= 4 // which has calls with large counts
using element_count = MPI_Count;
inline constexpr auto send_elements = MPI_Isend_c;
inline constexpr auto receive_elements = MPI_Irecv_c;
#else
using element_count = int;
inline constexpr auto send_elements = mpi::isend;
inline constexpr auto receive_elements = MPI_Irecv;
#endif

TOPOMP_INLINE void node_exchange::start_direct(std::size_t direct_from, std::size_t direct_from_inside,
                                               const exchange_tags& tags) {
    const auto for_each = [&](std::span<const link_end> ends, std::span<const message> blocks, auto start) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const message& block = blocks[i];
            if (block.count > static_cast<std::size_t>(std::numeric_limits<element_count>::max()))
                throw argument_error(call_, "block " + std::to_string(i),
                                     std::to_string(block.count) + " elements are more than this MPI takes");
            if (ends[i].rank == MPI_PROC_NULL || bytes_of(block) == 0 ||
                goes_by_node(ends[i], block, direct_from) ||
                (bytes_of(block) < direct_from_inside && groups_.nodes.node(ends[i].rank) == groups_.node()))
                continue;
            requests_.push_back(MPI_REQUEST_NULL);
            start(block, static_cast<element_count>(block.count), ends[i].rank, tags.of_link(ends[i].key));
        }
    };
    requests_.reserve(requests_.size() + links_.in.size() + links_.out.size());
    for_each(links_.in, in_, [&](const message& block, element_count count, int from, int tag) {
        mpi::check(
            receive_elements(block.data, count, block.type, from, tag, groups_.comm, &requests_.back()),
            "MPI_Irecv", "block of a neighbour");
    });
    for_each(links_.out, out_, [&](const message& block, element_count count, int to, int tag) {
        mpi::check(send_elements(block.data, count, block.type, to, tag, groups_.comm, &requests_.back()),
                   "MPI_Isend", "block for a neighbour");
    });
}

TOPOMP_INLINE record_buffer& node_exchange::opened(std::map<int, record_buffer>& messages, int key) {
    record_buffer& result = messages[key];
    if (result.bytes().empty()) result.begin_with_length();
    return result;
}

TOPOMP_INLINE void node_exchange::send(record_buffer& what, int to, int tag) {
    what.close();
    auto& bytes = what.bytes();
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw error(call_, "blocks for rank " + std::to_string(to),
                    std::to_string(bytes.size()) + " bytes together are more than INT_MAX");
    for (std::size_t first = 0; first < bytes.size();) { // at most two
        const std::size_t count = first == 0 ? std::min(bytes.size(), longest_part) : bytes.size() - first;
        mpi::check(mpi::isend(bytes.data() + first, static_cast<int>(count), MPI_BYTE, to, tag, groups_.comm,
                              &requests_.emplace_back(MPI_REQUEST_NULL)),
                   "MPI_Isend", "blocks of a node");
        first += count;
    }
}

TOPOMP_INLINE void node_exchange::await(awaited& what, std::span<const int> from, int tag) {
    what = {std::vector<MPI_Request>(from.size(), MPI_REQUEST_NULL),
            std::make_unique_for_overwrite<std::byte[]>(from.size() * longest_part)};
    for (std::size_t i = 0; i < from.size(); ++i)
        mpi::check(MPI_Irecv(what.parts.get() + i * longest_part, static_cast<int>(longest_part), MPI_BYTE,
                             from[i], tag, groups_.comm, &what.requests[i]),
                   "MPI_Irecv", "blocks of a node");
}

template <class F>
void node_exchange::receive(awaited& what, std::span<const int> from, int tag, F f) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        groups_.running.wait_for_all({&what.requests[i], 1}, "blocks of a node");
        const std::byte* const part = what.parts.get() + i * longest_part;
        const std::size_t length = record_buffer::length_of({part, longest_part});
        std::span<const std::byte> all{part, length};
        if (length > longest_part) {
            arrived_.resize(length);
            copy_bytes(arrived_.data(), part, longest_part);
            mpi::check(MPI_Recv(arrived_.data() + longest_part, static_cast<int>(length - longest_part),
                                MPI_BYTE, from[i], tag, groups_.comm, MPI_STATUS_IGNORE),
                       "MPI_Recv", "blocks of a node");
            all = arrived_;
        }
        record_buffer::for_each(record_buffer::without_length(all), f);
    }
}

/// Puts the calling rank's blocks into the message for their carrier, or where that is the calling rank into
/// the message for their node.
TOPOMP_INLINE void node_exchange::give(const node_routes& routes, std::size_t direct_from, bool is_same) {
    for (const int rank : routes.give_to)
        opened(given_, rank); // also without blocks: the receiver does not know that there are none
    for (const int node : routes.nodes_out)
        opened(across_, node);
    std::vector<link_end> targets;
    for (std::size_t i = 0; i < links_.out_nodes.size();) {
        const std::size_t first = links_.out_nodes[i];
        const int node = groups_.nodes.node(links_.out[first].rank);
        targets.clear();
        do {
            targets.push_back(links_.out[links_.out_nodes[i++]]);
        } while (is_same && i < links_.out_nodes.size() &&
                 groups_.nodes.node(links_.out[links_.out_nodes[i]].rank) == node);
        const message& block = out_[first];
        if (bytes_of(block) == 0 || !goes_by_node(links_.out[first], block, direct_from)) continue;
        std::ranges::stable_sort(targets);
        const int carrier = groups_.nodes.carrier(groups_.node(), node);
        auto& to = carrier == groups_.comm.rank() ? across_[node] : given_[carrier];
        pack(block, to.append(groups_.comm.rank(), targets, bytes_of(block)));
    }
}

TOPOMP_INLINE void node_exchange::by_node(const node_routes& routes, std::size_t direct_from, bool is_same) {
    using record = record_buffer::record;
    using namespace neighbour_tag;
    std::vector<int> carriers;
    for (const int node : routes.nodes_in)
        carriers.push_back(groups_.nodes.carrier(node, groups_.node()));
    await(from_node_, routes.gather_from, neighbour_tag::give);
    await(from_carriers_, carriers, across);
    await(from_own_carriers_, routes.receive_from, hand);
    give(routes, direct_from, is_same);
    for (const int rank : routes.give_to)
        send(given_[rank], rank, neighbour_tag::give);
    receive(from_node_, routes.gather_from, neighbour_tag::give, [&](const record& block) {
        across_[groups_.nodes.node(block.targets.front().rank)].append(block);
    });
    for (const int node : routes.nodes_out)
        send(across_[node], groups_.nodes.carrier(node, groups_.node()), across);
    for (const int rank : routes.hand_to)
        opened(handed_, rank);
    receive(from_carriers_, carriers, across, [&](const record& block) { hand_out(block); });
    for (const int rank : routes.hand_to)
        send(handed_[rank], rank, hand);
    receive(from_own_carriers_, routes.receive_from, hand, [&](const record& block) {
        for (const link_end& target : block.targets)
            deliver(block.source, target, block.data);
    });
}

/// One block for each rank, with all of the rank's links.
TOPOMP_INLINE void node_exchange::hand_out(const record_buffer::record& block) {
    record_buffer::record part{block.source, {}, block.data};
    for (std::size_t i = 0; i < block.targets.size();) {
        const int rank = block.targets[i].rank;
        part.targets.clear();
        for (; i < block.targets.size() && block.targets[i].rank == rank; ++i)
            part.targets.push_back(block.targets[i]);
        if (rank != groups_.comm.rank()) {
            handed_[rank].append(part);
            continue;
        }
        for (const link_end& target : part.targets)
            deliver(block.source, target, block.data);
    }
}

TOPOMP_INLINE void node_exchange::deliver(int source, const link_end& target,
                                          std::span<const std::byte> data) {
    const link_end wanted{source, target.key};
    const auto found =
        std::ranges::lower_bound(links_.in_order, wanted, {}, [&](std::size_t i) { return links_.in[i]; });
    const bool is_known = found != links_.in_order.end() && links_.in[*found] == wanted;
    const std::size_t expected = is_known ? bytes_of(in_[*found]) : 0;
    if (is_known && expected == data.size()) {
        unpack(data.data(), in_[*found]);
    } else if (problem_.empty()) {
        problem_ = "rank " + std::to_string(source) + " sends " + std::to_string(data.size()) +
                   " bytes to rank " + std::to_string(groups_.comm.rank()) +
                   (is_known ? ", whose block has " + std::to_string(expected)
                             : ", which does not list it as a source");
    }
}

} // namespace topo::detail
