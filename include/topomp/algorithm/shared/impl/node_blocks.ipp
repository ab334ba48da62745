// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/rounds/group_exchange.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/algorithm/shared/node_messages.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/oversubscription.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace topo::detail {

TOPOMP_INLINE node_blocks::node_blocks(const hierarchy& levels, std::size_t bytes, window_sharers sharers)
    : levels_(levels), ranks_(context::of(levels)), sharers_(sharers),
      memory_(sharers == window_sharers::of_numa_node ? ranks_.attached<kept_of_numa_nodes>()
                                                      : ranks_.attached<kept>()),
      bytes_(bytes) {}

TOPOMP_INLINE bool node_blocks::all_gather(const blocks& result) {
    if (!works(static_cast<std::size_t>(ranks_.private_comm().size()))) return false;
    copy_groups& groups = copy_groups::of(levels_, memory_.block.comm());
    const grouped_ranks& all = groups.all_ranks();
    const hierarchy* const roots = groups.stratum(0);
    node_synchronisation node_sync = synchronisation();
    const type_layout layout{result.type};
    const auto own =
        static_cast<std::size_t>(all.first[static_cast<std::size_t>(groups.group())] + groups.number());
    node_sync.all(); // all have read what was there
    memory_.scattered = kept::all_scattered;
    pack(result.block_of(ranks_.rank(), layout), layout, at(own));
    charge_copy(bytes_);
    node_sync.before(0);
    if (roots != nullptr && groups.groups() > 1) exchange(context::of(*roots), all);
    node_sync.after(0);
    memory_.is_read = true;
    for (std::size_t i = 0; i < all.ranks.size(); ++i) // they lie group behind group
        if (i != own) {
            unpack(at(i), result.block_of(all.ranks[i], layout), layout);
            charge_copy(bytes_);
        }
    return true;
}

TOPOMP_INLINE bool node_blocks::all_to_all(const blocks& source, const blocks& result) {
    const std::size_t size = static_cast<std::size_t>(ranks_.private_comm().size());
    if (!works(2 * size)) return false;
    const int mine = memory_.block.comm().rank();
    memory_.results_begin = size * bytes_;
    node_synchronisation node_sync = synchronisation();
    take_over(node_sync);
    const type_layout from{source.type}, to{result.type};
    pack({source.data, size * source.count, source.type}, from, kept::sources(&memory_, mine));
    all_to_all_of_groups(copy_groups::of(levels_, memory_.block.comm()), {&memory_, &kept::sources, bytes_},
                         {&memory_, &kept::results, bytes_}, MPI_BYTE, 1, node_sync);
    memory_.reads_results = true;
    unpack(kept::results(&memory_, mine), {result.data, size * result.count, result.type}, to);
    return true;
}

TOPOMP_INLINE bool node_blocks::gather(const message& mine, const blocks& result, int root) {
    if (!has_memory()) return false;
    copy_groups& groups = copy_groups::of(levels_, arena::of(levels_, sharers_).comm());
    const grouped_ranks& all = groups.all_ranks();
    constexpr std::size_t most_bytes = std::size_t{1} << 20; // in the memory of a node
    const bool by_all = may_take_all_ranks(groups) && all.ranks.size() * bytes_ <= most_bytes;
    if (!works(by_all ? blocks_of_all(groups) : 1)) return false;
    const auto [group, number] = all.seat_of(root);
    const bool is_here = group == groups.group();
    const int holder = is_here ? number : 0; // reads the node's blocks
    const int tag = ranks_.next_tag();
    const std::size_t own = is_here && by_all ? begin_of(all, group) : 0; // the node's blocks begin
    node_synchronisation node_sync = synchronisation();
    memory_.requests.clear();
    if (!by_all && ranks_.rank() == root) receive_from_nodes(all, group, tag);
    if (memory_.reads_results) memory_.is_read = true; // blocks lie in the parts of other ranks
    take_over(node_sync);
    pack(mine, type_layout{mine.type}, at(own + static_cast<std::size_t>(groups.number())));
    charge_copy(bytes_);
    if (by_all && is_here) {
        for_groups_of(groups, [&](int other) {
            mpi::check(MPI_Irecv(at(begin_of(all, other)), bytes_of_node(all, other), MPI_BYTE,
                                 all.at(other, 0), tag, ranks_.private_comm(),
                                 &memory_.requests.emplace_back()),
                       "MPI_Irecv", "blocks of a node");
        });
        wait_for_all();
    }
    node_sync.before(holder);
    if (ranks_.rank() == root) {
        wait_for_all();
        unpack_from_nodes(all, group, result, by_all);
    } else if (groups.number() == holder) {
        const int to = by_all ? all.at(group, carrier(all, group, groups.group())) : root;
        ranks_.running().send(at(0), bytes_of_node(all, groups.group()), MPI_BYTE, to, tag,
                              ranks_.private_comm(), "blocks of a node");
    }
    node_sync.after(holder);
    return true;
}

TOPOMP_INLINE bool node_blocks::scatter(const blocks& source, const message& mine, int root) {
    if (!has_memory()) return false;
    copy_groups& groups = copy_groups::of(levels_, arena::of(levels_, sharers_).comm());
    const grouped_ranks& all = groups.all_ranks();
    // The root copies the blocks of a node in less time than it needs to start a message.
    constexpr std::size_t most_of_node = 1024;
    const bool by_all =
        may_take_all_ranks(groups) && static_cast<std::size_t>(groups.strata()) * bytes_ <= most_of_node;
    if (!works(by_all ? blocks_of_all(groups) : 1)) return false;
    const auto [group, number] = all.seat_of(root);
    const bool is_here = group == groups.group();
    const int holder = is_here ? number : 0; // writes into the node's memory
    const int tag = ranks_.next_tag();
    node_synchronisation node_sync = synchronisation();
    const std::size_t own = is_here && by_all ? begin_of(all, group) : 0;
    const std::size_t bytes = is_here && by_all
                                  ? all.ranks.size() * bytes_
                                  : static_cast<std::size_t>(bytes_of_node(all, groups.group()));
    const std::size_t room = memory_.bytes_of_each * static_cast<std::size_t>(groups.size());
    if (memory_.scattered > room || bytes > room - memory_.scattered) {
        node_sync.before(holder); // all have read what was there
        memory_.scattered = 0;
    }
    std::byte* const here = memory_.block.data() + memory_.scattered;
    memory_.scattered += bytes;
    memory_.requests.clear();
    if (ranks_.rank() == root && by_all) {
        const type_layout layout{source.type};
        for (int each = 0; each < all.groups(); ++each)
            pack_node(all, each, source, layout, here + begin_of(all, each) * bytes_);
    } else if (ranks_.rank() == root) {
        send_to_nodes(all, source, group, tag, here);
    } else if (groups.number() == holder) {
        const int from = by_all ? all.at(group, carrier(all, group, groups.group())) : root;
        ranks_.running().receive(here, static_cast<int>(bytes), MPI_BYTE, from, tag, ranks_.private_comm(),
                                 "blocks of a node");
    }
    node_sync.after(holder, bytes);
    if (by_all && is_here)
        for_groups_of(groups, [&](int other) {
            mpi::check(mpi::isend(here + begin_of(all, other) * bytes_, bytes_of_node(all, other), MPI_BYTE,
                                  all.at(other, 0), tag, ranks_.private_comm(),
                                  &memory_.requests.emplace_back()),
                       "MPI_Isend", "blocks of a node");
        });
    memory_.is_read = true;
    if (ranks_.rank() == root)
        copy_block(source.block_of(root), mine, memory_.spare);
    else
        unpack(here + (own + static_cast<std::size_t>(groups.number())) * bytes_, mine,
               type_layout{mine.type});
    charge_copy(bytes_);
    wait_for_all();
    return true;
}

TOPOMP_INLINE bool node_blocks::has_memory() const {
    return !memory_.has_failed && oversubscription::of(levels_).shares_memory;
}

TOPOMP_INLINE bool node_blocks::may_take_all_ranks(const copy_groups& groups) const {
    return groups.groups() > 2 && groups.strata() > 1 && !oversubscription::of(levels_).is_oversubscribed;
}

TOPOMP_INLINE std::size_t node_blocks::blocks_of_all(const copy_groups& groups) const {
    const auto ranks = static_cast<std::size_t>(ranks_.private_comm().size());
    return (ranks - 1) / static_cast<std::size_t>(groups.lanes()) + 1;
}

TOPOMP_INLINE int node_blocks::carrier(const grouped_ranks& all, int group, int other) {
    const int distance = (other - group + all.groups()) % all.groups();
    return (distance - 1) % all.size(group);
}

template <class Each>
void node_blocks::for_groups_of(const copy_groups& groups, Each each) {
    for (int distance = groups.number() + 1; distance < groups.groups(); distance += groups.size())
        each((groups.group() + distance) % groups.groups());
}

TOPOMP_INLINE std::size_t node_blocks::begin_of(const grouped_ranks& all, int group) {
    return static_cast<std::size_t>(all.first[static_cast<std::size_t>(group)]);
}

TOPOMP_INLINE bool node_blocks::works(std::size_t blocks) {
    constexpr std::size_t most_bytes = std::size_t{1} << 30; // of a node: MPI's int counts can express it
    const auto ranks_of_node = static_cast<std::size_t>(levels_.most_ranks_of_node());
    const std::size_t bytes = blocks * bytes_;
    if (bytes > most_bytes / ranks_of_node || !has_memory()) return false;
    if (memory_.block.is_open() && bytes <= memory_.bytes_of_each) return true;
    const std::size_t wanted = round_up(std::max({bytes, 2 * memory_.bytes_of_each, page_bytes}), page_bytes);
    const auto sharers = static_cast<std::size_t>(arena::of(levels_, sharers_).comm().size());
    memory_.has_failed =
        !take_on_all_nodes(levels_, memory_.block, wanted * sharers, "topo::shared", sharers_);
    if (memory_.has_failed) return false;
    memory_.bytes_of_each = wanted;
    memory_.scattered = kept::all_scattered;
    return true;
}

TOPOMP_INLINE std::byte* node_blocks::kept::sources(const void* self, int number) {
    const auto& memory = *static_cast<const kept*>(self);
    return memory.block.data() + static_cast<std::size_t>(number) * memory.bytes_of_each;
}

TOPOMP_INLINE std::byte* node_blocks::kept::results(const void* self, int number) {
    return sources(self, number) + static_cast<const kept*>(self)->results_begin;
}

TOPOMP_INLINE void node_blocks::take_over(node_synchronisation& node_sync) {
    if (memory_.is_read) node_sync.all();
    memory_.is_read = memory_.reads_results = false;
    memory_.scattered = kept::all_scattered;
}

TOPOMP_INLINE node_synchronisation node_blocks::synchronisation() {
    arena::block& block = memory_.block;
    return {block.comm(), block.steps(), block.waits()};
}

TOPOMP_INLINE void node_blocks::exchange(context& roots, const grouped_ranks& all) {
    constexpr int most_direct = 8;
    constexpr std::size_t longest_direct = std::size_t{64} << 10;
    const int groups = roots.private_comm().size();
    auto &counts = memory_.counts, &positions = memory_.positions;
    counts.clear();
    positions.clear();
    for (int group = 0; group < groups; ++group) {
        counts.push_back(bytes_of_node(all, group));
        positions.push_back(all.first[static_cast<std::size_t>(group)] * static_cast<int>(bytes_));
    }
    if (groups > most_direct || all.ranks.size() * bytes_ > longest_direct) {
        const in_flight::apart now{roots.running()};
        return mpi::check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, at(0), counts.data(),
                                         positions.data(), MPI_BYTE, roots.private_comm()),
                          "MPI_Allgatherv", "blocks of nodes");
    }
    const int mine = roots.rank(), tag = roots.next_tag();
    auto& requests = memory_.requests;
    requests.clear();
    const auto part = [&](int group) {
        return memory_.block.data() + positions[static_cast<std::size_t>(group)];
    };
    for (int step = 1; step < groups; ++step) {
        const int other = (mine + groups - step) % groups;
        mpi::check(MPI_Irecv(part(other), counts[static_cast<std::size_t>(other)], MPI_BYTE, other, tag,
                             roots.private_comm(), &requests.emplace_back()),
                   "MPI_Irecv", "blocks of a node");
    }
    for (int step = 1; step < groups; ++step)
        mpi::check(mpi::isend(part(mine), counts[static_cast<std::size_t>(mine)], MPI_BYTE,
                              (mine + step) % groups, tag, roots.private_comm(), &requests.emplace_back()),
                   "MPI_Isend", "blocks of a node");
    wait_for_all();
}

TOPOMP_INLINE void node_blocks::wait_for_all() {
    if (!memory_.requests.empty()) ranks_.running().wait_for_all(memory_.requests, "blocks of nodes");
}

TOPOMP_INLINE int node_blocks::bytes_of_node(const grouped_ranks& all, int group) const {
    return all.size(group) * static_cast<int>(bytes_);
}

TOPOMP_INLINE bool node_blocks::lie_together(const grouped_ranks& all, int group, const type_layout& layout) {
    const std::span<const int> ranks = all.of(group); // ascending
    return layout.is_dense && ranks.back() - ranks.front() + 1 == static_cast<int>(ranks.size());
}

TOPOMP_INLINE std::byte* node_blocks::packed(const grouped_ranks& all, int group, int own) {
    if (group == own) return at(0);
    memory_.of_others.reserve(all.ranks.size() * bytes_);
    return memory_.of_others.data() +
           static_cast<std::size_t>(all.first[static_cast<std::size_t>(group)]) * bytes_;
}

TOPOMP_INLINE void node_blocks::receive_from_nodes(const grouped_ranks& all, int own, int tag) {
    for (int group = 0; group < all.groups(); ++group)
        if (group != own)
            mpi::check(MPI_Irecv(packed(all, group, own), bytes_of_node(all, group), MPI_BYTE,
                                 all.at(group, 0), tag, ranks_.private_comm(),
                                 &memory_.requests.emplace_back()),
                       "MPI_Irecv", "blocks of a node");
}

TOPOMP_INLINE void node_blocks::unpack_from_nodes(const grouped_ranks& all, int own, const blocks& result,
                                                  bool by_all) {
    const type_layout layout{result.type};
    for (int group = 0; group < all.groups(); ++group) {
        std::byte* next = by_all ? at(begin_of(all, group)) : packed(all, group, own);
        for (const int rank : all.of(group)) {
            unpack(next, result.block_of(rank, layout), layout);
            next += bytes_;
        }
    }
    charge_copy(all.ranks.size() * bytes_);
}

TOPOMP_INLINE void node_blocks::pack_node(const grouped_ranks& all, int group, const blocks& source,
                                          const type_layout& layout, std::byte* to) {
    for (const int rank : all.of(group)) {
        pack(source.block_of(rank, layout), layout, to);
        to += bytes_;
    }
    charge_copy(static_cast<std::size_t>(bytes_of_node(all, group)));
}

TOPOMP_INLINE void node_blocks::send_to_nodes(const grouped_ranks& all, const blocks& source, int own,
                                              int tag, std::byte* here) {
    const type_layout layout{source.type};
    for (int group = 0; group < all.groups(); ++group) {
        if (group == own) continue;
        const void* from = source.block_of(all.at(group, 0), layout).data;
        if (!lie_together(all, group, layout)) {
            std::byte* const to = packed(all, group, own);
            pack_node(all, group, source, layout, to);
            from = to;
        }
        mpi::check(mpi::isend(from, bytes_of_node(all, group), MPI_BYTE, all.at(group, 0), tag,
                              ranks_.private_comm(), &memory_.requests.emplace_back()),
                   "MPI_Isend", "blocks of a node");
    }
    pack_node(all, own, source, layout, here); // while the messages are under way
}

} // namespace topo::detail
