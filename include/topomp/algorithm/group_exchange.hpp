// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the ranks of each two groups have for each other, by one rank of each.
#pragma once

#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/copy_groups.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/rendezvous.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/simulated.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace topo::detail {

/// Where each rank of a group has a block for, or from, every rank of the whole.
struct exchanged_blocks {
    const void* window = nullptr;
    std::byte* (*of)(const void* window, int number) = nullptr; ///< finds those of a rank of the group
    std::size_t count = 0;                                      ///< elements of a block

    std::byte* at(int number, int rank, std::size_t element_bytes) const {
        return of(window, number) + static_cast<std::size_t>(rank) * count * element_bytes;
    }
};

/// All blocks between two groups go as one stream in each direction, put together out of everybody's memory
/// and taken apart into it. Streams are cut into pieces; a few are under way at a time.
///
/// In round r, group g is with group r - g (modulo their number), so each with one at a time. Of a group of n
/// ranks, number h modulo n is with group h: all ranks take part.
class group_exchange final : public operation {
public:
    void start(copy_groups& groups, const exchanged_blocks& source, const exchanged_blocks& result,
               MPI_Datatype type, std::size_t element_bytes) {
        groups_ = &groups;
        all_ = &groups.everybody();
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

private:
    static constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    static constexpr std::size_t under_way = 4;

    struct piece {
        bool is_open = false;
        int group = 0;
        std::size_t begin = 0, count = 0; ///< of the stream, in elements
        cell sent, received;
    };

    /// Elements that this rank sends to a group, and receives from it.
    std::size_t stream_with(int group) const {
        if (group == groups_->group() || group % groups_->size() != groups_->number()) return 0;
        return static_cast<std::size_t>(groups_->size()) * static_cast<std::size_t>(all_->size(group)) *
               source_.count;
    }
    /// For the longest piece in each place: which comes where depends on what arrives first.
    void make_room() {
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

    bool advance() override {
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

    /// @return whether there was one
    bool post_next(piece& now, std::size_t i) {
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
        const auto& wire = groups_->ranks().wire();
        const int count = static_cast<int>(now.count);
        mpi::check(MPI_Irecv(now.received.data(), count, type_, partner, tag_, wire, &slots_[2 * i]),
                   "MPI_Irecv", "blocks of a node");
        mpi::check(MPI_Isend(now.sent.data(), count, type_, partner, tag_, wire, &slots_[2 * i + 1]),
                   "MPI_Isend", "blocks of a node");
        return true;
    }

    /// Calls `f(sender's place among the senders, receiver's, first element of the block, position in the
    /// piece, elements)` for the parts of blocks in a piece. Streams go by sender, then by receiver.
    template <class F>
    void for_blocks(const piece& now, int receivers, F f) const {
        const std::size_t block = source_.count, end = now.begin + now.count;
        for (std::size_t at = now.begin; at < end;) {
            const std::size_t which = at / block, offset = at % block;
            const std::size_t count = std::min(block - offset, end - at);
            const auto number = static_cast<std::size_t>(receivers);
            f(static_cast<int>(which / number), static_cast<int>(which % number), offset * element_,
              (at - now.begin) * element_, count * element_);
            at += count;
        }
    }

    void put_together(piece& now) const {
        for_blocks(now, all_->size(now.group),
                   [&](int from, int to, std::size_t offset, std::size_t position, std::size_t bytes) {
                       copy_shared(now.sent.data() + position,
                                   source_.at(from, all_->at(now.group, to), element_) + offset, bytes);
                   });
    }
    void take_apart(const piece& now) const {
        for_blocks(now, groups_->size(),
                   [&](int from, int to, std::size_t offset, std::size_t position, std::size_t bytes) {
                       copy_shared(result_.at(to, all_->at(now.group, from), element_) + offset,
                                   now.received.data() + position, bytes);
                   });
    }

    copy_groups* groups_ = nullptr;
    const grouped_ranks* all_ = nullptr;
    exchanged_blocks source_, result_;
    MPI_Datatype type_ = MPI_BYTE;
    std::size_t element_ = 1, piece_ = 1;
    int tag_ = 0, round_ = 0, other_ = 0;
    std::size_t begin_ = 0, end_ = 0; ///< of the current stream, what is not posted yet
    std::array<piece, under_way> pieces_;
};

/// All blocks, between the groups and inside each. @collective over the whole
inline void all_to_all_of_groups(const hierarchy& tree, const exchanged_blocks& source,
                                 const exchanged_blocks& result, const boost::mpi::communicator& sharers,
                                 MPI_Datatype type, std::size_t element, rendezvous& meet) {
    auto& groups = copy_groups::of(tree, sharers);
    const grouped_ranks& all = groups.everybody();
    meet.all(); // all have written what they have, and read what was there
    const std::size_t bytes = source.count * element;
    const int mine = tree.whole().rank();
    for (int i = 0; bytes > 0 && i < groups.size(); ++i) {
        const int from = (groups.number() + i) % groups.size();
        copy_shared(result.at(groups.number(), all.at(groups.group(), from), element),
                    source.at(from, mine, element), bytes);
    }
    if (bytes > 0 && groups.groups() > 1)
        run(groups.ranks().pool<group_exchange>(),
            [&](group_exchange& op) { op.start(groups, source, result, type, element); });
    meet.all();
}

} // namespace topo::detail
