// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/group_exchange.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void group_exchange::start(copy_groups& groups, const exchanged_blocks& source,
                                         const exchanged_blocks& result, MPI_Datatype type,
                                         std::size_t element_bytes) {
    groups_ = &groups;
    all_ = &groups.all_ranks();
    source_ = source;
    result_ = result;
    type_ = type;
    element_ = element_bytes;
    tag_ = groups.ranks().next_tag();
    piece_ = std::max<std::size_t>(1, piece_bytes / element_);
    round_ = -1;
    begin_ = end_ = 0;
    slots_.assign(2 * under_way, MPI_REQUEST_NULL);
    make_room();
}

TOPOMP_INLINE std::size_t group_exchange::stream_with(int group) const {
    if (group == groups_->group() || group % groups_->size() != groups_->number()) return 0;
    return static_cast<std::size_t>(groups_->size()) * static_cast<std::size_t>(all_->size(group)) *
           source_.count;
}

TOPOMP_INLINE void group_exchange::make_room() {
    std::size_t longest = 0, number = 0;
    for (int group = 0; group < groups_->groups(); ++group) {
        const std::size_t stream = stream_with(group);
        longest = std::max(longest, std::min(stream, piece_));
        number += (stream + piece_ - 1) / piece_;
    }
    for (std::size_t i = 0; i < under_way; ++i) {
        pieces_[i].is_open = false;
        if (i >= number) continue;
        pieces_[i].sent.reserve(longest * element_);
        pieces_[i].received.reserve(longest * element_);
    }
}

TOPOMP_INLINE bool group_exchange::advance() {
    bool is_done = true;
    for (std::size_t i = 0; i < under_way; ++i) {
        piece& now = pieces_[i];
        if (slots_[2 * i] != MPI_REQUEST_NULL || slots_[2 * i + 1] != MPI_REQUEST_NULL) {
            is_done = false;
            continue;
        }
        if (now.is_open) {
            take_apart(now);
            now.is_open = false;
        }
        if (post_next(now, i)) is_done = false;
    }
    return is_done;
}

TOPOMP_INLINE bool group_exchange::post_next(piece& now, std::size_t i) {
    while (begin_ == end_) {
        if (++round_ >= groups_->groups()) {
            round_ = groups_->groups();
            return false;
        }
        other_ = (round_ - groups_->group() + groups_->groups()) % groups_->groups();
        begin_ = 0;
        end_ = stream_with(other_);
    }
    now.group = other_;
    now.begin = begin_;
    now.count = std::min(piece_, end_ - begin_);
    begin_ += now.count;
    if (begin_ == end_) begin_ = end_ = 0;
    now.is_open = true;
    put_together(now);
    const int partner = all_->at(now.group, groups_->group() % all_->size(now.group));
    const auto& private_comm = groups_->ranks().private_comm();
    const int count = static_cast<int>(now.count);
    mpi::check(MPI_Irecv(now.received.data(), count, type_, partner, tag_, private_comm, &slots_[2 * i]),
               "MPI_Irecv", "blocks of a node");
    mpi::check(mpi::isend(now.sent.data(), count, type_, partner, tag_, private_comm, &slots_[2 * i + 1]),
               "MPI_Isend", "blocks of a node");
    return true;
}

TOPOMP_INLINE void group_exchange::put_together(piece& now) const {
    for_blocks(now, all_->size(now.group),
               [&](int from, int to, std::size_t offset, std::size_t position, std::size_t bytes) {
                   copy_shared(now.sent.data() + position,
                               source_.at(from, all_->at(now.group, to), element_) + offset, bytes);
               });
}

TOPOMP_INLINE void group_exchange::take_apart(const piece& now) const {
    for_blocks(now, groups_->size(),
               [&](int from, int to, std::size_t offset, std::size_t position, std::size_t bytes) {
                   copy_shared(result_.at(to, all_->at(now.group, from), element_) + offset,
                               now.received.data() + position, bytes);
               });
}

TOPOMP_INLINE void all_to_all_of_groups(copy_groups& groups, const exchanged_blocks& source,
                                        const exchanged_blocks& result, MPI_Datatype type,
                                        std::size_t element, node_synchronisation& node_sync) {
    const grouped_ranks& all = groups.all_ranks();
    node_sync.all(); // all have written their data, and read what was there
    const std::size_t bytes = source.count * element;
    const int mine = groups.ranks().rank();
    for (int i = 0; bytes > 0 && i < groups.size(); ++i) {
        const int from = (groups.number() + i) % groups.size();
        copy_shared(result.at(groups.number(), all.at(groups.group(), from), element),
                    source.at(from, mine, element), bytes);
    }
    if (bytes > 0 && groups.groups() > 1)
        run(groups.ranks().pool<group_exchange>(),
            [&](group_exchange& op) { op.start(groups, source, result, type, element); });
    node_sync.all();
}

} // namespace topo::detail
