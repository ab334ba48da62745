// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/circulant_all_gather.hpp>
#include <topomp/algorithm/shared/aggregated_blocks.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_messages.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

/// The widths of the ends of blocks in a part: the binary logarithm of their bytes.
enum class end_width : std::uint32_t { one, two, four };
constexpr std::size_t bytes_of(end_width width) {
    return std::size_t{1} << static_cast<std::uint32_t>(width);
}

/// Bytes of the head that announces a part: its own bytes, a multiple of this, and in the lowest bits the
/// width of its ends.
inline constexpr std::size_t head_bytes = sizeof(std::uint32_t);
constexpr std::size_t bytes_of_part(std::size_t head) { return head / head_bytes * head_bytes; }
constexpr end_width width_of_ends(std::size_t head) { return static_cast<end_width>(head % head_bytes); }

/// The least one for so many bytes of blocks: four bytes would be half as long as a block of eight.
constexpr end_width width_for(std::size_t bytes) {
    return bytes <= 0xff ? end_width::one : bytes <= 0xffff ? end_width::two : end_width::four;
}
/// The ends in a part, with what fills them up.
constexpr std::size_t bytes_of_ends(end_width width, std::size_t targets) {
    return round_up(targets * bytes_of(width), head_bytes);
}

template <class Number>
std::size_t read_number(const std::byte* numbers, std::size_t which) {
    Number value = 0;
    std::memcpy(&value, numbers + which * sizeof value, sizeof value);
    return value;
}
template <class Number>
void write_number(std::byte* numbers, std::size_t which, std::size_t value) {
    const auto narrow = static_cast<Number>(value);
    std::memcpy(numbers + which * sizeof narrow, &narrow, sizeof narrow);
}

inline std::size_t read_end(end_width width, const std::byte* ends, std::size_t which) {
    if (width == end_width::one) return read_number<std::uint8_t>(ends, which);
    if (width == end_width::two) return read_number<std::uint16_t>(ends, which);
    return read_number<std::uint32_t>(ends, which);
}
inline void write_end(end_width width, std::byte* ends, std::size_t which, std::size_t value) {
    if (width == end_width::one) return write_number<std::uint8_t>(ends, which, value);
    if (width == end_width::two) return write_number<std::uint16_t>(ends, which, value);
    write_number<std::uint32_t>(ends, which, value);
}

TOPOMP_INLINE aggregated_blocks::aggregated_blocks(const hierarchy& levels)
    : levels_(levels), ranks_(context::of(levels)), memory_(ranks_.attached<kept>()) {
    memory_.messages.require_none_left();
    if (!memory_.has_failed) groups_ = nodes_with_memory(levels);
    if (groups_ != nullptr) all_ = &groups_->all_ranks();
}

TOPOMP_INLINE bool aggregated_blocks::takes(arena::block& memory, std::size_t bytes) {
    memory_.has_failed = !take_on_all_nodes(levels_, memory, bytes, "topo::node_aggregated");
    return !memory_.has_failed;
}

TOPOMP_INLINE std::size_t aggregated_blocks::shorter_than(std::size_t bytes) {
    constexpr std::size_t most_bytes = std::size_t{64} << 20; // of all messages that a node sends
    constexpr std::size_t shortest = 8;
    if (groups_ == nullptr) return 0;
    const std::size_t ranks = all_->ranks.size(), size = static_cast<std::size_t>(groups_->size());
    const std::size_t pairs = ranks * static_cast<std::size_t>(groups_->strata());
    const std::size_t most = most_bytes / pairs;
    if (most < 2 * shortest) return 0;
    const std::size_t limit = std::min(bytes, most - shortest);
    if (memory_.block.is_open() && limit <= memory_.shorter_than) return limit;
    const auto nodes = static_cast<std::size_t>(groups_->groups());
    const std::size_t of_messages = size * ranks * (limit + shortest) + ranks * 8 + nodes * (4 * size + 16);
    if (!takes(memory_.block, size * nodes * sizeof(announced) + 2 * of_messages)) return 0;
    memory_.shorter_than = limit;
    return limit;
}

TOPOMP_INLINE node_synchronisation aggregated_blocks::synchronisation(arena::block& memory) {
    return {memory.comm(), memory.steps(), memory.waits()};
}

TOPOMP_INLINE void aggregated_blocks::all_to_allv(const blocks& source, const blocks& result,
                                                  std::size_t shorter_than) {
    shorter_than_ = shorter_than;
    node_messages& messages = memory_.messages;
    messages.begin(ranks_);
    const int own = groups_->group();
    node_synchronisation node_sync = synchronisation(memory_.block);
    std::byte* const data = memory_.block.data();
    announce(source, result);
    node_sync.all(); // all have also read what was there
    find_boxes();
    for_carried([&](int node, int carrier) {
        const box& arrives = memory_.in[static_cast<std::size_t>(node)];
        messages.receive(data + arrives.begin, arrives.bytes, carrier);
    });
    pack_parts(source);
    node_sync.all();
    for_carried([&](int node, int carrier) {
        const box& leaves = memory_.out[static_cast<std::size_t>(node)];
        messages.send(data + leaves.begin, leaves.bytes, carrier);
    });
    if (const int rank = ranks_.rank(); source.count_of(rank) * size_of(source.type) < shorter_than)
        copy_block(source.block_of(rank), result.block_of(rank), memory_.spare);
    unpack_box(own, data + memory_.out[static_cast<std::size_t>(own)].begin, result);
    if (groups_->groups() > 1) {
        messages.wait_for_all();
        node_sync.all();
        for (int node = 0; node < groups_->groups(); ++node)
            if (node != own)
                unpack_box(node, data + memory_.in[static_cast<std::size_t>(node)].begin, result);
    }
    if (!problem_.empty()) throw argument_error("topo::all_to_allv", "result", problem_);
}

TOPOMP_INLINE aggregated_blocks::announced* aggregated_blocks::row(int number) const {
    auto* const rows = reinterpret_cast<announced*>(memory_.block.data());
    return rows + static_cast<std::ptrdiff_t>(number) * groups_->groups();
}

TOPOMP_INLINE void aggregated_blocks::announce(const blocks& source, const blocks& result) {
    const std::size_t from = size_of(source.type), to = size_of(result.type);
    announced* const mine = row(groups_->number());
    const auto taken = [&](std::size_t bytes) { return bytes < shorter_than_ ? bytes : 0; };
    for (int node = 0; node < groups_->groups(); ++node) {
        announced sums;
        for (const int rank : all_->of(node)) {
            if (rank == ranks_.rank()) continue;
            sums.out += taken(source.count_of(rank) * from);
            sums.in += taken(result.count_of(rank) * to);
        }
        if (sums.out > 0) {
            const end_width width = width_for(sums.out);
            sums.out = (round_up(sums.out, head_bytes) +
                        bytes_of_ends(width, static_cast<std::size_t>(all_->size(node)))) |
                       static_cast<std::size_t>(width);
        }
        mine[node] = sums;
    }
}

TOPOMP_INLINE void aggregated_blocks::find_boxes() {
    const auto size = static_cast<std::size_t>(groups_->size());
    const int nodes = groups_->groups();
    memory_.out.assign(static_cast<std::size_t>(nodes), {});
    memory_.in.assign(static_cast<std::size_t>(nodes), {});
    for (int number = 0; number < groups_->size(); ++number) {
        const announced* const each = row(number);
        for (int node = 0; node < nodes; ++node) {
            box& leaves = memory_.out[static_cast<std::size_t>(node)];
            if (number == groups_->number()) leaves.mine = leaves.bytes;
            leaves.bytes += bytes_of_part(each[node].out);
            memory_.in[static_cast<std::size_t>(node)].bytes += each[node].in;
        }
    }
    std::size_t next = round_up(size * static_cast<std::size_t>(nodes) * sizeof(announced), 8);
    const auto place = [&](box& one) {
        one.begin = next;
        next += round_up(one.bytes, 8);
    };
    for (int node = 0; node < nodes; ++node) {
        box &leaves = memory_.out[static_cast<std::size_t>(node)],
            &arrives = memory_.in[static_cast<std::size_t>(node)];
        const auto there = static_cast<std::size_t>(all_->size(node));
        if (leaves.bytes > 0) leaves.bytes += size * head_bytes;
        place(leaves);
        leaves.mine += leaves.begin + size * head_bytes;
        if (node == groups_->group()) arrives.bytes = 0;
        // At most, for not every rank there may have a part.
        if (arrives.bytes > 0)
            arrives.bytes += there * (2 * head_bytes + bytes_of_ends(end_width::four, size));
        place(arrives);
    }
}

TOPOMP_INLINE void aggregated_blocks::pack_parts(const blocks& source) {
    const type_layout layout{source.type};
    const announced* const mine = row(groups_->number());
    std::size_t copied = 0;
    for (int node = 0; node < groups_->groups(); ++node) {
        const box& leaves = memory_.out[static_cast<std::size_t>(node)];
        if (leaves.bytes == 0) continue;
        const std::size_t head = mine[node].out;
        write_number<std::uint32_t>(memory_.block.data() + leaves.begin,
                                    static_cast<std::size_t>(groups_->number()), head);
        if (head == 0) continue;
        const end_width width = width_of_ends(head);
        std::byte* const ends = memory_.block.data() + leaves.mine;
        std::byte* const data = ends + bytes_of_ends(width, static_cast<std::size_t>(all_->size(node)));
        std::size_t end = 0, number = 0;
        for (const int rank : all_->of(node)) {
            const message block = source.block_of(rank, layout);
            const std::size_t bytes = block.count * layout.size;
            if (rank != ranks_.rank() && bytes < shorter_than_) {
                pack(block, layout, data + end);
                end += bytes;
            }
            write_end(width, ends, number++, end);
        }
        copied += bytes_of_part(head);
    }
    charge_copy(copied);
}

TOPOMP_INLINE void aggregated_blocks::unpack_box(int node, const std::byte* data, const blocks& result) {
    const type_layout layout{result.type};
    const bool is_own = node == groups_->group();
    const auto& boxes = is_own ? memory_.out : memory_.in;
    if (boxes[static_cast<std::size_t>(node)].bytes == 0) return;
    const auto here = static_cast<std::size_t>(groups_->size()),
               mine = static_cast<std::size_t>(groups_->number());
    const std::byte* part = data + static_cast<std::size_t>(all_->size(node)) * head_bytes;
    std::size_t number = 0, copied = 0;
    for (const int rank : all_->of(node)) {
        const std::size_t head = read_number<std::uint32_t>(data, number++);
        const end_width width = width_of_ends(head);
        const std::byte* const ends = part;
        part += bytes_of_part(head);
        if (rank == ranks_.rank()) continue;
        const message block = result.block_of(rank, layout);
        const std::size_t expected = block.count * layout.size;
        const std::size_t begin = head == 0 || mine == 0 ? 0 : read_end(width, ends, mine - 1);
        const std::size_t bytes = head == 0 ? 0 : read_end(width, ends, mine) - begin;
        if (bytes == 0 && expected >= shorter_than_) continue; // it goes directly
        if (bytes != expected) {
            if (problem_.empty())
                problem_ = "rank " + std::to_string(rank) + " sends " + std::to_string(bytes) +
                           " bytes to rank " + std::to_string(ranks_.rank()) + ", whose count stands for " +
                           std::to_string(expected);
            continue;
        }
        unpack(const_cast<std::byte*>(ends) + bytes_of_ends(width, here) + begin, block, layout);
        copied += bytes;
    }
    charge_copy(copied);
}

TOPOMP_INLINE bool aggregated_blocks::all_gatherv(const blocks& result, int many) {
    constexpr std::size_t most_bytes = std::size_t{1} << 30; // MPI's int counts can express it
    if (groups_ == nullptr) return false;
    const type_layout layout{result.type};
    auto& first = memory_.first_byte;
    first.assign(1, 0);
    for (const int rank : all_->ranks)
        first.push_back(first.back() + result.count_of(rank) * layout.size);
    if (first.back() > most_bytes) return false;
    if (const std::size_t wanted = std::max<std::size_t>(first.back(), 1);
        !memory_.gathered.is_open() || memory_.gathered.bytes() < wanted)
        if (!takes(memory_.gathered, std::max(wanted, 2 * memory_.gathered.bytes()))) return false;
    node_messages& messages = memory_.messages;
    messages.begin(ranks_);
    const int own = groups_->group();
    node_synchronisation node_sync = synchronisation(memory_.gathered);
    std::byte* const data = memory_.gathered.data();
    const auto mine =
        static_cast<std::size_t>(all_->first[static_cast<std::size_t>(own)] + groups_->number());
    std::size_t longest = 0; // of what nodes send
    for (int node = 0; node < groups_->groups(); ++node)
        longest = std::max(longest, bytes_of(node));
    const bool in_turn = go_in_turn(longest, first.back(), many);
    const bool in_pieces = !in_turn && has_long_block(longest, first.back(), groups_->groups());
    const int tag_of_pieces = ranks_.next_tag();
    node_sync.all(); // all have read what was there
    if (!in_pieces)
        for_steps([&](int step) {
            const int from = before(step);
            messages.receive(data + begin_of(from), bytes_of(from), carrier(from, step));
        });
    pack(result.block_of(ranks_.rank(), layout), layout, data + first[mine]);
    charge_copy(first[mine + 1] - first[mine]);
    node_sync.all();
    const auto unpack_node = [&](int node) {
        const auto begin = static_cast<std::size_t>(all_->first[static_cast<std::size_t>(node)]);
        const auto ranks = all_->of(node);
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (ranks[i] != ranks_.rank())
                unpack(data + first[begin + i], result.block_of(ranks[i], layout), layout);
        charge_copy(bytes_of(node));
    };
    if (in_turn) {
        take_nodes_in_turn(node_sync, unpack_node);
        return true;
    }
    if (in_pieces)
        exchange_in_pieces(tag_of_pieces); // in which carriers have no time for their own copies
    else
        for_steps([&](int step) { send_own(step); });
    unpack_node(own);
    if (groups_->groups() == 1) return true;
    messages.wait_for_all();
    node_sync.all();
    for (int node = 0; node < groups_->groups(); ++node)
        if (node != own) unpack_node(node);
    return true;
}

/// Simulated microseconds, all messages under way at a time and in turn (2026-11-27):
///
/// ```
///   bytes of a block      8 KiB            32 KiB
///   ntw10e5               509.5  399.7     2022.0  1584.2
///   uneven6, in pieces    178.0  136.8     675.8   534.6
/// ```
TOPOMP_INLINE bool aggregated_blocks::go_in_turn(std::size_t longest, std::size_t total, int many) const {
    constexpr std::size_t long_message = 65536;
    const auto nodes = static_cast<std::size_t>(groups_->groups());
    // A node that has much more than others would send it to all of them by itself.
    return nodes > 2 && groups_->strata() >= many && longest >= long_message && longest * nodes <= 2 * total;
}

TOPOMP_INLINE void aggregated_blocks::take_nodes_in_turn(node_synchronisation& node_sync,
                                                         function_ref<void(int node)> unpack_node) {
    constexpr int under_way = 2; // one arrives while the next one starts
    node_messages& messages = memory_.messages;
    const int own = groups_->group(), nodes = groups_->groups();
    const auto send = [&](int step) {
        if (step < nodes && carrier_here(step) == groups_->number()) send_own(step);
    };
    for (int step = 1; step <= under_way; ++step)
        send(step);
    unpack_node(own);
    for (int step = 1; step < nodes; ++step) {
        const int from = before(step), here = carrier_here(step);
        // Messages that are to be received are before those that are sent.
        if (here == groups_->number() && bytes_of(from) > 0) messages.wait_for(1);
        node_sync.after(here);
        send(step + under_way);
        unpack_node(from);
    }
    messages.wait_for_all();
}

TOPOMP_INLINE std::size_t aggregated_blocks::begin_of(int node) const {
    return memory_.first_byte[static_cast<std::size_t>(all_->first[static_cast<std::size_t>(node)])];
}

TOPOMP_INLINE void aggregated_blocks::exchange_in_pieces(int tag) {
    constexpr std::size_t piece_bytes = 32768;
    constexpr int most_carriers = 4; // of a node, so that one waits while others copy
    const int carriers = std::min(groups_->lanes(), most_carriers), number = groups_->number();
    if (number >= carriers) return;
    std::vector<int> members;
    std::vector<std::size_t> counts, positions; // of the slices that this carrier and those beside it have
    for (int node = 0; node < groups_->groups(); ++node) {
        members.push_back(all_->at(node, number));
        const std::size_t begin = begin_of(node), bytes = begin_of(node + 1) - begin;
        const std::size_t from =
            bytes * static_cast<std::size_t>(number) / static_cast<std::size_t>(carriers);
        const std::size_t to =
            bytes * static_cast<std::size_t>(number + 1) / static_cast<std::size_t>(carriers);
        positions.push_back(begin + from);
        counts.push_back(to - from);
    }
    const blocks slices{memory_.gathered.data(), MPI_BYTE, 0, counts, positions};
    run(ranks_.pool<circulant_all_gather>(), [&](circulant_all_gather& op) {
        op.start(ranks_.private_comm(), tag, std::move(members), groups_->group(), slices, piece_bytes);
    });
}

TOPOMP_INLINE void aggregated_blocks::send_own(int step) {
    const int own = groups_->group(), to = (own + step) % groups_->groups();
    memory_.messages.send(memory_.gathered.data() + begin_of(own), bytes_of(own), carrier(to, step));
}

TOPOMP_INLINE int aggregated_blocks::before(int step) const {
    return (groups_->group() - step + groups_->groups()) % groups_->groups();
}

template <class F>
void aggregated_blocks::for_steps(F f) const {
    for (int step = groups_->number() + 1; step < groups_->groups(); step += groups_->size())
        f(step);
}

template <class F>
void aggregated_blocks::for_carried(F f) const {
    const int own = groups_->group();
    for (int node = groups_->number(); node < groups_->groups(); node += groups_->size())
        if (node != own) f(node, all_->at(node, own % all_->size(node)));
}

} // namespace topo::detail
