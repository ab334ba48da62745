// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/levels/level_loop.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/algorithm/shared/shared_reduce_scatter.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared/shared_scan.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace topo::detail {

/// From so many bytes on the kernel copies blocks if all ranks copy to or from one, whose pages they then
/// lock in turn, and if each copies from each. Among 16 ranks on 16 cores blocks of 128 KiB from one took 212
/// us through chunks and 235 by the kernel, of 512 KiB 878 and 317; from each to each, of 32 KiB 87 and 132,
/// of 128 KiB 479 and 435.
inline constexpr std::size_t with_one_from = std::size_t{256} << 10,
                             between_all_from = std::size_t{128} << 10;
/// In copies of what is in the rank's own cache: through chunks a block is written where another rank has
/// read, and read where another one has written.
inline constexpr double written_and_read = 3;

TOPOMP_INLINE shared_blocks::node::node(context& ranks) {
    static_cast<void>(ranks.node_memory());
    if (level_members* const all = ranks.attached<level_rooms>().of_all(0).room.get(); all != nullptr)
        room = &all->attached<shared_room>();
}

TOPOMP_INLINE shared_blocks::shared_blocks(context& ranks) {
    node& here = ranks.attached<node>();
    room_ = here.room;
    alone_ = &here.spare;
}

TOPOMP_INLINE void shared_blocks::all_gather(const blocks& result) {
    if (room_ == nullptr) return;
    const type_layout layout{result.type};
    const auto bytes_of = [&](int rank) { return result.count_of(rank) * layout.size; };
    std::size_t most = 0, all = 0;
    for (int rank = 0; rank < room_->size(); ++rank) {
        most = std::max(most, bytes_of(rank));
        all += bytes_of(rank);
    }
    std::byte* next = layout.is_dense ? nullptr : packed_result(all);
    exposed mine;
    for (int rank = 0; rank < room_->size(); ++rank) {
        const std::size_t bytes = bytes_of(rank);
        const message block = result.block_of(rank, layout);
        std::byte* const place = layout.is_dense ? static_cast<std::byte*>(block.data) : next;
        if (next != nullptr) next += bytes;
        if (bytes == 0) continue;
        if (rank != room_->rank()) {
            wishes().push_back({rank, 0, bytes, place});
            continue;
        }
        if (!layout.is_dense) pack(block, layout, place);
        mine = {place, bytes};
    }
    // Each begins with the rank behind it, so that no two read from the same one.
    auto& all_wishes = wishes();
    std::rotate(all_wishes.begin(), std::ranges::lower_bound(all_wishes, room_->rank(), {}, &wanted::from),
                all_wishes.end());
    pulled call{most};
    if (room_->size() == 2) { // as an all_to_all. Of more ranks each writes its block once for all
        call.copies = written_and_read;
        call.by_kernel_from = between_all_from;
    }
    fetch(call, mine);
    if (!layout.is_dense) unpack_others(result, layout);
}

TOPOMP_INLINE void shared_blocks::gather(const message& mine, const blocks& result, int root) {
    if (room_ == nullptr) return copy_block(mine, result.block_of(0), *alone_);
    const bool is_root = room_->rank() == root;
    const type_layout layout{mine.type}, there{is_root ? result.type : mine.type};
    const std::size_t bytes = mine.count * layout.size;
    if (bytes == 0) return;
    std::byte* const all = is_root ? landing(result, there, bytes) : nullptr;
    // Through chunks the root copies all blocks, one after the other.
    const pulled call{
        .bytes = bytes, .copies = static_cast<double>(room_->size() - 1), .by_kernel_from = with_one_from};
    if (shared_pull::is_by_kernel(*room_, copies::fastest, call)) {
        shared_pull::push(*room_, root, all, bytes * static_cast<std::size_t>(room_->rank()),
                          is_root ? exposed{} : exposed{shown(mine, layout), bytes});
    } else if (is_root) {
        for (int rank = 0; rank < room_->size(); ++rank)
            if (rank != root) wishes().push_back({rank, 0, bytes, at(all, rank, bytes)});
        fetch(call, {});
    } else {
        fetch(call, {shown(mine, layout), bytes});
    }
    if (!is_root) return;
    if (!there.is_dense) unpack_others(result, there);
    copy_block(mine, result.block_of(root, there), room_->spare());
}

TOPOMP_INLINE std::size_t shared_blocks::place_behind(int owner, int rank) const {
    return static_cast<std::size_t>((rank - owner - 1 + room_->size()) % room_->size());
}

TOPOMP_INLINE pulled shared_blocks::of_blocks(std::size_t bytes) const {
    const auto size = static_cast<std::size_t>(room_->size());
    return {.bytes = size * bytes, .block = bytes, .moving = (size - 1) * bytes};
}

TOPOMP_INLINE exposed shared_blocks::behind_own(const blocks& source) {
    const message all{source.data, source.count * static_cast<std::size_t>(room_->size()), source.type};
    const type_layout layout{source.type};
    const std::size_t bytes = source.count * layout.size;
    return {shown(all, layout), bytes * static_cast<std::size_t>(room_->size()),
            bytes * static_cast<std::size_t>(room_->rank() + 1)};
}

TOPOMP_INLINE void shared_blocks::scatter(const blocks& source, const message& mine, int root) {
    if (room_ == nullptr) return copy_block(source.block_of(0), mine, *alone_);
    const type_layout layout{mine.type};
    const std::size_t bytes = mine.count * layout.size;
    if (bytes == 0) return;
    pulled call = of_blocks(bytes);
    call.copies = room_->size() - 1; // as for a gather
    call.by_kernel_from = with_one_from;
    if (room_->rank() == root) {
        fetch(call, behind_own(source));
        return copy_block(source.block_of(root), mine, room_->spare());
    }
    const bool is_direct = layout.is_dense;
    if (!is_direct) room_->own_copy().reserve(bytes);
    std::byte* const to = is_direct ? static_cast<std::byte*>(mine.data) : room_->own_copy().data();
    wishes().push_back({root, bytes * static_cast<std::size_t>(room_->rank()), bytes, to,
                        bytes * place_behind(root, room_->rank())});
    fetch(call, {});
    if (!is_direct) unpack(to, mine, layout);
}

TOPOMP_INLINE void shared_blocks::all_to_all(const blocks& source, const blocks& result) {
    if (room_ == nullptr) return copy_block(source.block_of(0), result.block_of(0), *alone_);
    const type_layout layout{result.type};
    const std::size_t bytes = result.count * layout.size;
    if (bytes == 0) return;
    std::byte* const all = landing(result, layout, bytes);
    const int mine = room_->rank(), size = room_->size();
    // At each moment no two ranks read from the same one: first from the one before, whose first block it is.
    for (int distance = 1; distance < size; ++distance) {
        const int rank = (mine - distance + size) % size;
        wishes().push_back({rank, static_cast<std::size_t>(mine) * bytes, bytes, at(all, rank, bytes),
                            place_behind(rank, mine) * bytes});
    }
    pulled call = of_blocks(bytes);
    call.copies = written_and_read;
    call.by_kernel_from = between_all_from;
    fetch(call, behind_own(source));
    if (!layout.is_dense) unpack_others(result, layout);
    copy_block(source.block_of(mine), result.block_of(mine, layout), room_->spare());
}

TOPOMP_INLINE std::size_t shared_blocks::shorter_than() const {
    if (room_ == nullptr) return read_across_from;
    const auto size = static_cast<std::size_t>(room_->size());
    constexpr std::size_t of_ends = 2 * sizeof(std::uint32_t);
    return std::min(read_across_from, shared_room::half_bytes / size - of_ends - sizeof(long_block));
}

TOPOMP_INLINE bool shared_blocks::copies_long_blocks() {
    return room_ == nullptr || room_->slowness_across() <= written_and_read;
}

template <class Number>
void shared_blocks::write_blocks(const blocks& source, const type_layout& layout, std::size_t shorter_than,
                                 std::byte* ends, std::byte* data) {
    Number end = 0;
    for (int rank = 0; rank < room_->size(); ++rank) {
        if (const std::size_t bytes = source.count_of(rank) * layout.size;
            rank != room_->rank() && bytes < shorter_than) {
            pack(source.block_of(rank, layout), layout, data + end);
            end = static_cast<Number>(end + bytes);
        }
        std::memcpy(ends + static_cast<std::size_t>(rank) * sizeof end, &end, sizeof end);
    }
    charge_copy(end);
}

template <class Number>
shared_blocks::found_block shared_blocks::find_own(const std::byte* ends, const std::byte* data) const {
    const auto mine = static_cast<std::size_t>(room_->rank());
    Number begin = 0, end = 0;
    if (mine > 0) std::memcpy(&begin, ends + (mine - 1) * sizeof begin, sizeof begin);
    std::memcpy(&end, ends + mine * sizeof end, sizeof end);
    return {data + begin, static_cast<std::size_t>(end - begin)};
}

TOPOMP_INLINE shared_blocks::found_block shared_blocks::find_own(int rank) const {
    const std::byte* const post = room_->look_for_post(rank);
    const auto size = static_cast<std::size_t>(room_->size());
    const std::byte* const ends = post + beside_signal;
    const std::byte kind = post[0] & ~has_long_blocks;
    if (kind == all_beside_signal) return find_own<std::uint16_t>(ends, ends + size * sizeof(std::uint16_t));
    const std::byte* const half = room_->half_of(rank);
    if (kind == ends_beside_signal) return find_own<std::uint32_t>(ends, half);
    return find_own<std::uint32_t>(half, half + size * sizeof(std::uint32_t));
}

TOPOMP_INLINE std::byte* shared_blocks::long_blocks_of(int rank) const {
    return room_->half_of(rank) + shared_room::half_bytes -
           static_cast<std::size_t>(room_->size()) * sizeof(long_block);
}

TOPOMP_INLINE void shared_blocks::show_long_blocks(const blocks& source, const type_layout& layout,
                                                   std::size_t from_bytes) {
    std::byte* packed = nullptr;
    if (!layout.is_dense) {
        room_->shown_copy().reserve(total_bytes(source, room_->size()));
        packed = room_->shown_copy().data();
    }
    std::byte* const table = long_blocks_of(room_->rank());
    for (int rank = 0; rank < room_->size(); ++rank) {
        const message block = source.block_of(rank, layout);
        long_block each{0, block.count * layout.size};
        if (rank == room_->rank() || each.bytes < from_bytes) {
            each = {};
        } else if (layout.is_dense) {
            each.address = address_for_others(block.data);
        } else {
            pack(block, layout, packed);
            each.address = address_for_others(packed);
            packed += each.bytes;
        }
        std::memcpy(table + static_cast<std::size_t>(rank) * sizeof each, &each, sizeof each);
    }
}

TOPOMP_INLINE shared_blocks::long_block shared_blocks::find_long(int rank) const {
    long_block found;
    if ((room_->post_of(rank)[0] & has_long_blocks) != std::byte{})
        std::memcpy(&found, long_blocks_of(rank) + static_cast<std::size_t>(room_->rank()) * sizeof found,
                    sizeof found);
    return found;
}

TOPOMP_INLINE void shared_blocks::read_long(int rank, const long_block& from, const message& to,
                                            const type_layout& layout) {
    auto* const there = layout.is_dense ? static_cast<std::byte*>(to.data) : packed_result(from.bytes);
    room_->read(rank, from.address, there, from.bytes);
    if (!layout.is_dense) unpack(there, to, layout);
}

TOPOMP_INLINE void shared_blocks::all_to_allv(const blocks& source, const blocks& result,
                                              std::size_t shorter_than, bool with_long) {
    const int mine = room_ == nullptr ? 0 : room_->rank();
    const type_layout from{source.type}, to{result.type};
    const auto copy_own = [&] {
        if (with_long || source.count_of(mine) * from.size < shorter_than)
            copy_block(source.block_of(mine, from), from, result.block_of(mine, to), to, *alone_);
    };
    if (room_ == nullptr) return copy_own();
    room_->begin();
    std::size_t bytes = 0;
    bool has_long = false;
    for (int rank = 0; rank < room_->size(); ++rank) {
        if (rank == mine) continue;
        const std::size_t each = source.count_of(rank) * from.size;
        if (each < shorter_than)
            bytes += each;
        else
            has_long = with_long;
    }
    std::byte* const post = room_->own_post();
    const auto size = static_cast<std::size_t>(room_->size());
    std::byte* const ends = post + beside_signal;
    const bool are_beside = beside_signal + size * sizeof(std::uint16_t) + bytes <= shared_room::post_bytes;
    std::byte* const half = are_beside && !has_long ? nullptr : room_->own_half();
    if (are_beside) {
        post[0] = all_beside_signal;
        write_blocks<std::uint16_t>(source, from, shorter_than, ends, ends + size * sizeof(std::uint16_t));
    } else if (beside_signal + size * sizeof(std::uint32_t) <= shared_room::post_bytes) {
        post[0] = ends_beside_signal;
        write_blocks<std::uint32_t>(source, from, shorter_than, ends, half);
    } else {
        post[0] = all_in_chunks;
        write_blocks<std::uint32_t>(source, from, shorter_than, half, half + size * sizeof(std::uint32_t));
    }
    if (has_long) {
        post[0] |= has_long_blocks;
        show_long_blocks(source, from, shorter_than);
    }
    room_->raise_post();
    copy_own(); // while the others' blocks are under way

    std::string problem;
    std::size_t copied = 0, signals = 0;
    for (int distance = 1; distance < room_->size(); ++distance) { // no two read from the same rank
        const int rank = (mine - distance + room_->size()) % room_->size();
        const message block = result.block_of(rank, to);
        const std::size_t expected = block.count * to.size;
        if (expected == 0 || (expected >= shorter_than && !with_long)) continue;
        found_block found = find_own(rank);
        ++signals;
        const long_block whole = find_long(rank);
        if (whole.bytes > 0) found.bytes = whole.bytes;
        if (found.bytes != expected) {
            if (problem.empty())
                problem = "rank " + std::to_string(rank) + " sends " + std::to_string(found.bytes) +
                          " bytes to this rank, whose count stands for " + std::to_string(expected);
        } else if (whole.bytes > 0) {
            read_long(rank, whole, block, to);
        } else {
            copied += found.bytes;
            unpack(const_cast<std::byte*>(found.data), block, to);
        }
    }
    charge_signals(signals);
    charge_copy(copied);
    room_->end();
    if (has_long) room_->wait_until_done(); // they have read what this rank shows
    if (!problem.empty()) throw argument_error("topo::all_to_allv", "result", problem);
}

TOPOMP_INLINE void shared_blocks::reduce_scatter(const blocks& input, const message& mine, MPI_Op op) {
    if (room_ == nullptr) return copy_block(input.block_of(0), mine, *alone_);
    shared_reduce_scatter{*room_, input, mine, op}.run();
}

TOPOMP_INLINE void shared_blocks::scan(const void* input, const message& result, MPI_Op op, scan_kind kind) {
    if (room_ != nullptr) return shared_scan{*room_, nullptr, input, result, op, kind}.run();
    if (kind == scan_kind::inclusive)
        copy_block({const_cast<void*>(input), result.count, result.type}, result, *alone_);
}

TOPOMP_INLINE std::byte* shared_blocks::at(std::byte* all, int rank, std::size_t bytes) {
    return all + static_cast<std::size_t>(rank) * bytes;
}

TOPOMP_INLINE void shared_blocks::fetch(const pulled& call, const exposed& shows) {
    shared_pull::run(*room_, copies::fastest, call, shows, wishes());
    wishes().clear();
}

TOPOMP_INLINE std::byte* shared_blocks::packed_result(std::size_t bytes) {
    room_->own_copy().reserve(bytes);
    return room_->own_copy().data();
}

TOPOMP_INLINE std::byte* shared_blocks::landing(const blocks& result, const type_layout& layout,
                                                std::size_t bytes) {
    if (layout.is_dense) return static_cast<std::byte*>(result.data);
    return packed_result(bytes * static_cast<std::size_t>(room_->size()));
}

TOPOMP_INLINE void shared_blocks::unpack_others(const blocks& result, const type_layout& layout) {
    std::byte* next = room_->own_copy().data();
    for (int rank = 0; rank < room_->size(); ++rank) {
        const message block = result.block_of(rank, layout);
        if (rank != room_->rank()) unpack(next, block, layout);
        next += block.count * layout.size;
    }
}

TOPOMP_INLINE const std::byte* shared_blocks::shown(const message& what, const type_layout& layout) {
    if (layout.is_dense) return static_cast<const std::byte*>(what.data);
    room_->shown_copy().reserve(what.count * layout.size);
    pack(what, layout, room_->shown_copy().data());
    return room_->shown_copy().data();
}

} // namespace topo::detail
