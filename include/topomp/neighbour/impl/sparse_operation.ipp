// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/records.hpp>
#include <topomp/neighbour/detail/sparse_operation.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void sparse_operation::agreement::take(const agreement& other) {
    for (auto each : {&agreement::failure, &agreement::direct, &agreement::by_node, &agreement::between,
                      &agreement::to_rank})
        this->*each = std::max(this->*each, other.*each);
}

TOPOMP_INLINE bool sparse_operation::agreement::can_go_by_node() const {
    return std::max(between, to_rank) <= static_cast<std::int64_t>(longest_sparse);
}

TOPOMP_INLINE sparse_operation::sparse_operation(const char* call, node_groups& groups, sparse_sends sent,
                                                 neighbour_route route, sparse_result result)
    : call_(call), groups_(groups), sent_(std::move(sent)), route_(route), result_(result) {}

TOPOMP_INLINE void sparse_operation::start() {
    groups_.require_sparse_sound(call_);
    place_ = groups_.sparse_started++;
    begin(step::queued);
}

TOPOMP_INLINE void sparse_operation::note_failure() noexcept {
    if (step_ != step::end) groups_.sparse_has_failed = true;
    step_ = step::end;
}

TOPOMP_INLINE void sparse_operation::let_go() noexcept {
    note_failure();
    release_kept();
}

/// Most steps end when messages of other ranks arrive. That all messages have been received shows only in a
/// test, and SimGrid's tests for one of several messages do not cover its collectives.
TOPOMP_INLINE void sparse_operation::begin(step next) {
    step_ = next;
    looks_at_memory_ = is_simulated || next == step::queued || next == step::send;
}

TOPOMP_INLINE bool sparse_operation::advance() {
    while (step_ != step::end) {
        if (!has_ended_step()) return false;
        take_step();
    }
    return true;
}

TOPOMP_INLINE void sparse_operation::await() {
    if (looks_at_memory_) {
        yield_core();
    } else {
        operation::await();
    }
}

TOPOMP_INLINE bool sparse_operation::has_ended_step() {
    if (step_ == step::queued) {
        groups_.require_sparse_sound(call_);
        return groups_.sparse_ended == place_;
    }
    if (step_ == step::send) return has_all_of_some();
    int done = 0;
    mpi::check(MPI_Testall(static_cast<int>(slots_.size()), slots_.data(), &done, MPI_STATUSES_IGNORE),
               "MPI_Testall", "messages of a sparse exchange");
    return done != 0;
}

TOPOMP_INLINE void sparse_operation::take_step() {
    slots_.clear();
    switch (step_) {
    case step::queued:
        all_ = heard_ = own_part();
        begin(step::agree);
        [[fallthrough]];
    case step::agree:
        all_.take(heard_);
        if (!disseminate()) choose_route();
        return;
    case step::get_problem:
        refuse();
    case step::count:
        all_.to_rank = *std::ranges::max_element(to_all_ranks_);
        if (!all_.can_go_by_node()) refuse_by_node();
        return give();
    case step::give_lengths:
        exchange_inside(given_);
        return begin(step::give);
    case step::give: {
        std::map<int, record_buffer> across; // by node
        for_each_inside([&](const record_buffer::record& block) {
            across[groups_.nodes.node(block.targets.front().rank)].append(block);
        });
        for (auto& [other, blocks] : across)
            between_.push_back({groups_.nodes.carrier(other, groups_.node()), std::move(blocks.bytes())});
        return send_to_some(between_);
    }
    case step::send:
        if (!by_node_) return finish();
        for (const sparse_block& message : std::exchange(came_, {}))
            record_buffer::for_each(message.bytes, [&](const record_buffer::record& block) {
                handed_[block.targets.front().rank].append(block);
            });
        tell_lengths(handed_);
        return begin(step::hand_lengths);
    case step::hand_lengths:
        exchange_inside(handed_);
        return begin(step::hand);
    case step::hand:
        for_each_inside([&](const record_buffer::record& block) {
            came_.push_back({block.source, {block.data.begin(), block.data.end()}});
        });
        return finish();
    case step::end:
        return;
    }
}

/// With all that a record has beside its data.
TOPOMP_INLINE std::int64_t record_bytes(const sparse_block& block) {
    constexpr std::int64_t most_of_head = 64;
    return static_cast<std::int64_t>(block.bytes.size()) + most_of_head;
}

TOPOMP_INLINE sparse_operation::agreement sparse_operation::own_part() {
    agreement mine;
    const int size = groups_.comm.size();
    own_ = sparse_problem::of(sent_, size);
    if (own_.is_any != 0) {
        mine.failure = size - groups_.comm.rank();
        return mine;
    }
    std::set<int> carriers;
    std::map<int, std::int64_t> to_node, to_rank;
    for (const sparse_block& each : sent_.blocks) {
        const int other = groups_.nodes.node(each.rank);
        to_rank[each.rank] += record_bytes(each);
        if (other == groups_.node()) continue;
        ++mine.direct;
        mine.between += record_bytes(each);
        to_node[other] += record_bytes(each);
        carriers.insert(groups_.nodes.carrier(groups_.node(), other));
    }
    const auto nodes = static_cast<std::int64_t>(groups_.nodes.members.size());
    const std::int64_t ranks = groups_.inside.size();
    // A carrier sends to as many nodes as it is the carrier for, and to the ranks of its node.
    mine.by_node = static_cast<std::int64_t>(carriers.size()) + (nodes + ranks - 1) / ranks + ranks;
    for (const auto& [node, bytes] : to_node)
        mine.between = std::max(mine.between, bytes * ranks);
    for (const auto& [rank, bytes] : to_rank)
        mine.to_rank = std::max(mine.to_rank, bytes * size);
    return mine;
}

TOPOMP_INLINE void sparse_operation::choose_route() {
    if (all_.failure > 0) {
        common_problem_ = own_;
        mpi::check(MPI_Ibcast(&common_problem_, 3, MPI_INT64_T,
                              groups_.comm.size() - static_cast<int>(all_.failure), groups_.comm, &slot()),
                   "MPI_Ibcast", "agreement on an error");
        return begin(step::get_problem);
    }
    by_node_ =
        route_ == neighbour_route::by_node || (route_ == neighbour_route::best && all_.is_better_by_node());
    if (!by_node_) return send_to_some(sent_.blocks);
    if (all_.can_go_by_node()) return give();
    to_ranks_.resize(static_cast<std::size_t>(groups_.comm.size()));
    to_all_ranks_.resize(to_ranks_.size());
    for (const sparse_block& each : sent_.blocks)
        to_ranks_[static_cast<std::size_t>(each.rank)] += record_bytes(each);
    mpi::check(MPI_Iallreduce(to_ranks_.data(), to_all_ranks_.data(), groups_.comm.size(), MPI_INT64_T,
                              MPI_SUM, groups_.comm, &slot()),
               "MPI_Iallreduce", "bytes for each rank");
    begin(step::count);
}

TOPOMP_INLINE void sparse_operation::end() {
    begin(step::end);
    ++groups_.sparse_ended;
}

TOPOMP_INLINE void sparse_operation::refuse() {
    end();
    const int size = groups_.comm.size();
    refuse_sparse(call_, size, sent_, own_, common_problem_, size - static_cast<int>(all_.failure));
}

TOPOMP_INLINE void sparse_operation::refuse_by_node() {
    end();
    throw argument_error(call_, "route by_node",
                         "blocks that travel together have up to " +
                             std::to_string(std::max(all_.between, all_.to_rank)) +
                             " bytes, which are more than INT_MAX");
}

/// Each rank sends some messages, and receives until no rank sends any more.
///
/// A rank that has left may be a call ahead of another one, at most: two tags in turn keep their messages
/// apart.
TOPOMP_INLINE void sparse_operation::send_to_some(std::vector<sparse_block>& sent) {
    begin(step::send);
    distance_ = 0;
    sends_ = sent.size();
    slots_.assign(sends_, MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < sends_; ++i)
        mpi::check(MPI_Issend(sent[i].bytes.data(), static_cast<int>(sent[i].bytes.size()), MPI_BYTE,
                              sent[i].rank, neighbour_tag::sparse_of(place_), groups_.comm, &slots_[i]),
                   "MPI_Issend", "sparse message");
}

TOPOMP_INLINE void sparse_operation::take_message(const MPI_Status& found) {
    int bytes = 0;
    mpi::check(MPI_Get_count(&found, MPI_BYTE, &bytes), "MPI_Get_count", "sparse message");
    came_.push_back({found.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(bytes))});
    mpi::check(MPI_Irecv(came_.back().bytes.data(), bytes, MPI_BYTE, found.MPI_SOURCE, found.MPI_TAG,
                         groups_.comm, &slot()),
               "MPI_Irecv", "sparse message");
}

TOPOMP_INLINE bool sparse_operation::has_all_of_some() {
    const auto are_complete = [&](std::size_t from, std::size_t to) {
        int done = 0;
        mpi::check(MPI_Testall(static_cast<int>(to - from), slots_.data() + from, &done, MPI_STATUSES_IGNORE),
                   "MPI_Testall", "sparse messages");
        return done != 0;
    };
    while (true) {
        int is_there = 0;
        MPI_Status status;
        mpi::check(
            MPI_Iprobe(MPI_ANY_SOURCE, neighbour_tag::sparse_of(place_), groups_.comm, &is_there, &status),
            "MPI_Iprobe", "sparse messages");
        if (is_there != 0) {
            take_message(status);
        } else if (!are_complete(distance_ == 0 ? 0 : sends_, distance_ == 0 ? sends_ : slots_.size())) {
            return false;
        } else if (distance_ >= groups_.comm.size() || !disseminate()) {
            return true; // no rank returns before all messages have been received
        }
    }
}

/// A round of a dissemination among all ranks. After the last one each rank has the largest numbers, or all
/// ranks have called. Ranks can receive other messages meanwhile. (SimGrid's non-blocking barrier, 3.32, ends
/// before all ranks have called.) @return whether there is one more
TOPOMP_INLINE bool sparse_operation::disseminate() {
    const int rank = groups_.comm.rank(), size = groups_.comm.size();
    distance_ = distance_ == 0 ? 1 : 2 * distance_;
    if (distance_ >= size) return false;
    constexpr int numbers = sizeof(agreement) / sizeof(std::int64_t);
    mpi::check(MPI_Irecv(&heard_, numbers, MPI_INT64_T, (rank + size - distance_) % size,
                         neighbour_tag::dissemination, groups_.comm, &slot()),
               "MPI_Irecv", "numbers of messages");
    mpi::check(mpi::isend(&all_, numbers, MPI_INT64_T, (rank + distance_) % size,
                          neighbour_tag::dissemination, groups_.comm, &slot()),
               "MPI_Isend", "numbers of messages");
    return true;
}

/// Sends the lengths of messages inside the node, which only their senders know.
TOPOMP_INLINE void sparse_operation::tell_lengths(std::map<int, record_buffer>& sent) {
    const auto& ranks = of_own_node();
    out_.assign(ranks.size(), 0);
    in_.assign(ranks.size(), 0);
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (const auto found = sent.find(ranks[i]); found != sent.end())
            out_[i] = static_cast<int>(found->second.bytes().size());
    mpi::check(MPI_Ialltoall(out_.data(), 1, MPI_INT, in_.data(), 1, MPI_INT, groups_.inside, &slot()),
               "MPI_Ialltoall", "lengths in a node");
}

/// A message from each rank of a node to each other; the empty ones are not sent.
TOPOMP_INLINE void sparse_operation::exchange_inside(std::map<int, record_buffer>& sent) {
    const auto& ranks = of_own_node();
    inside_.assign(ranks.size(), {});
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        inside_[i].resize(static_cast<std::size_t>(in_[i]));
        if (in_[i] > 0)
            mpi::check(MPI_Irecv(inside_[i].data(), in_[i], MPI_BYTE, static_cast<int>(i),
                                 neighbour_tag::inside, groups_.inside, &slot()),
                       "MPI_Irecv", "blocks in a node");
    }
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (out_[i] > 0)
            mpi::check(mpi::isend(sent[ranks[i]].bytes().data(), out_[i], MPI_BYTE, static_cast<int>(i),
                                  neighbour_tag::inside, groups_.inside, &slot()),
                       "MPI_Isend", "blocks in a node");
}

template <class F>
void sparse_operation::for_each_inside(F f) const {
    for (const auto& message : inside_)
        record_buffer::for_each(message, f);
}

/// Gives what is for another node to its carrier.
TOPOMP_INLINE void sparse_operation::give() {
    const int rank = groups_.comm.rank(), node = groups_.node();
    for (const sparse_block& each : sent_.blocks) {
        const int other = groups_.nodes.node(each.rank);
        record_buffer& to = other == node ? handed_[each.rank] : given_[groups_.nodes.carrier(node, other)];
        to.append({rank, {link_end{each.rank, 0}}, each.bytes});
    }
    tell_lengths(given_);
    begin(step::give_lengths);
}

TOPOMP_INLINE void sparse_operation::finish() {
    end();
    std::ranges::sort(came_, {}, &sparse_block::rank);
    std::vector<sparse_view> views;
    for (const auto& [rank, bytes] : came_)
        views.push_back({rank, bytes});
    result_.unpack(call_, groups_.comm, views, result_.into);
}

} // namespace topo::detail
