// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/neighbour/detail/block_bytes.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/shared_links.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace topo::detail {

/// Bytes of a slot before its block: the block's length.
inline constexpr std::size_t slot_head = sizeof(std::uint64_t);
inline constexpr std::size_t slot_bytes = slot_head + shared_links::longest;
inline constexpr std::uint64_t no_block = ~std::uint64_t{0};

TOPOMP_INLINE std::shared_ptr<shared_links> shared_links::of(const node_groups& groups, const links& all) {
    int has_memory = groups.memory != nullptr && groups.memory->comm().size() == groups.inside.size() ? 1 : 0,
        agreed = 0;
    mpi::allreduce(&has_memory, &agreed, 1, MPI_INT, MPI_MIN, groups.comm, "memory of nodes");
    if (agreed == 0) return nullptr;
    auto made = std::make_shared<shared_links>(groups, all);
    has_memory = made->take_memory() ? 1 : 0;
    mpi::allreduce(&has_memory, &agreed, 1, MPI_INT, MPI_MIN, groups.comm, "memory of nodes");
    return agreed == 0 ? nullptr : made;
}

TOPOMP_INLINE shared_links::shared_links(const node_groups& groups, const links& all)
    : groups_(groups), links_(all), node_(groups.node()), mine_(groups.inside.rank()) {
    const auto of_node = all_links();
    find_bundles(of_node);
    find_incoming(of_node);
    find_load();
}

TOPOMP_INLINE int shared_links::number_of(int rank) const {
    const auto& ranks = groups_.who.of_node(node_);
    return static_cast<int>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

TOPOMP_INLINE std::vector<shared_links::listed> shared_links::all_links() const {
    std::vector<int> mine{static_cast<int>(links_.out.size()), static_cast<int>(links_.in.size())};
    for (const auto* const list : {&links_.out, &links_.in})
        for (const link_end& each : *list) {
            mine.push_back(each.rank);
            mine.push_back(each.key);
        }
    const auto ranks = static_cast<std::size_t>(groups_.inside.size());
    std::vector<int> counts(ranks), begins(ranks);
    const auto count = static_cast<int>(mine.size());
    mpi::check(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, groups_.inside), "MPI_Allgather",
               "numbers of links");
    for (std::size_t i = 1; i < ranks; ++i)
        begins[i] = begins[i - 1] + counts[i - 1];
    std::vector<int> all(static_cast<std::size_t>(begins.back() + counts.back()));
    mpi::check(MPI_Allgatherv(mine.data(), count, MPI_INT, all.data(), counts.data(), begins.data(), MPI_INT,
                              groups_.inside),
               "MPI_Allgatherv", "links of a node");
    std::vector<listed> result(ranks);
    for (std::size_t i = 0; i < ranks; ++i) {
        const int* next = all.data() + begins[i];
        const int out = *next++, in = *next++;
        for (int link = 0; link < out; ++link, next += 2)
            result[i].out.push_back({next[0], next[1]});
        for (int link = 0; link < in; ++link, next += 2)
            result[i].in.push_back({next[0], next[1]});
    }
    return result;
}

TOPOMP_INLINE void shared_links::find_bundles(const std::vector<listed>& all) {
    const auto bundle_of = [&](std::vector<bundle>& list, int node) -> bundle& {
        const auto found = std::ranges::find(list, node, &bundle::node);
        if (found != list.end()) return *found;
        bundle& made = list.emplace_back();
        made.node = node;
        made.carrier_here = number_of(groups_.who.carrier(node_, node));
        made.carrier_there = groups_.who.carrier(node, node_);
        return made;
    };
    const auto& ranks = groups_.who.of_node(node_);
    first_slot_.assign(1, 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const int number = static_cast<int>(i), rank = ranks[i];
        for (std::size_t link = 0; link < all[i].out.size(); ++link)
            if (const link_end& end = all[i].out[link]; end.rank != MPI_PROC_NULL && !is_here(end.rank))
                bundle_of(out_, groups_.who.node(end.rank))
                    .links.push_back({rank, end.rank, end.key, number, static_cast<int>(link)});
        for (const link_end& end : all[i].in)
            if (end.rank != MPI_PROC_NULL && !is_here(end.rank))
                bundle_of(in_, groups_.who.node(end.rank))
                    .links.push_back({end.rank, rank, end.key, number, 0});
        first_slot_.push_back(first_slot_.back() + all[i].out.size());
    }
    for (auto* const list : {&out_, &in_})
        for (bundle& each : *list) {
            std::ranges::sort(each.links, [](const carried& a, const carried& b) { return a < b; });
            std::set<int> numbers;
            for (const carried& link : each.links)
                numbers.insert(link.number);
            each.numbers.assign(numbers.begin(), numbers.end());
            numbers.erase(mine_);
            each.others.assign(numbers.begin(), numbers.end());
        }
    std::size_t next = 0;
    for (bundle& each : in_) {
        each.box = next;
        next += (each.box_bytes() + 63) / 64 * 64;
    }
    slots_begin_ = 2 * all.size() * sizeof(signal);
    boxes_begin_ = first_slot_.back() * slot_bytes;
    half_bytes_ = (boxes_begin_ + next + 63) / 64 * 64;
}

TOPOMP_INLINE void shared_links::find_incoming(const std::vector<listed>& all) {
    const int rank = groups_.comm.rank();
    std::set<int> sources, carriers, before;
    for (const link_end& end : links_.in) {
        incoming made;
        if (is_here(end.rank)) {
            made.number = number_of(end.rank);
            const auto& out = all[static_cast<std::size_t>(made.number)].out;
            made.slot = static_cast<int>(std::ranges::find(out, link_end{rank, end.key}) - out.begin());
            sources.insert(made.number);
        } else if (end.rank != MPI_PROC_NULL) {
            const auto from = std::ranges::find(in_, groups_.who.node(end.rank), &bundle::node);
            made.bundle = static_cast<int>(from - in_.begin());
            int before_it = 0, last = -1, distinct = -1;
            for (const carried& link : from->links) {
                if (link.source != last) ++distinct;
                last = link.source;
                if (link.source == end.rank && link.target == rank && link.key == end.key) break;
                ++before_it;
            }
            made.slot = before_it;
            made.place = distinct;
            carriers.insert(from->carrier_here);
        }
        incoming_.push_back(made);
    }
    for (const link_end& end : links_.out)
        if (is_here(end.rank)) before.insert(number_of(end.rank));
    for (const bundle& each : out_)
        if (std::ranges::find(each.numbers, mine_) != each.numbers.end()) before.insert(each.carrier_here);
    for (const bundle& each : in_)
        if (each.carrier_here == mine_) before.insert(each.numbers.begin(), each.numbers.end());
    load_.inside = sources.empty() ? 0 : 1;
    for (auto* const list : {&sources, &carriers, &before})
        list->erase(mine_);
    sources_here_.assign(sources.begin(), sources.end());
    carriers_.assign(carriers.begin(), carriers.end());
    before_.assign(before.begin(), before.end());
    std::ranges::set_difference(before_, sources_here_, std::back_inserter(before_unseen_));
}

TOPOMP_INLINE void shared_links::find_load() {
    const auto crossing = [&](const std::vector<link_end>& ends) {
        return static_cast<int>(std::ranges::count_if(
            ends, [&](const link_end& end) { return end.rank != MPI_PROC_NULL && !is_here(end.rank); }));
    };
    const auto sources_of = [](const bundle& what) {
        std::set<int> sources;
        for (const carried& link : what.links)
            sources.insert(link.source);
        return static_cast<int>(sources.size());
    };
    const int received = crossing(links_.in);
    load_.direct = std::max(crossing(links_.out), received);
    for (const auto* const list : {&out_, &in_}) {
        int messages = 0, links = 0, blocks = 0;
        for (const bundle& each : *list) {
            const auto number = static_cast<int>(each.links.size());
            links += number;
            blocks += sources_of(each);
            if (each.carrier_here != mine_) continue;
            ++messages;
            if (list != &out_) continue;
            load_.copied += number;
            load_.copied_of_blocks += sources_of(each);
        }
        load_.messages = std::max(load_.messages, messages);
        load_.links = std::max(load_.links, links);
        load_.blocks = std::max(load_.blocks, blocks);
    }
    load_.copied += received;
    load_.copied_of_blocks += received;
}

TOPOMP_INLINE shared_links::load shared_links::busiest() const {
    const std::array mine{load_.direct, load_.messages,         load_.links, load_.copied,
                          load_.blocks, load_.copied_of_blocks, load_.inside};
    auto most = mine;
    mpi::allreduce(mine.data(), most.data(), static_cast<int>(mine.size()), MPI_INT, MPI_MAX, groups_.comm,
                   "loads of ranks");
    return {most[0], most[1], most[2], most[3], most[4], most[5], most[6]};
}

TOPOMP_INLINE std::size_t shared_links::load::limit(bool is_same) const {
    constexpr long long start = 4096;
    const long long gain = start * (direct - messages - 2LL);
    const long long loss = is_same ? static_cast<long long>(blocks) + copied_of_blocks - links : copied;
    if (direct == 0 || gain <= 0) return 0;
    return loss <= 0 ? longest + 1 : std::min(longest + 1, static_cast<std::size_t>(gain / loss));
}

TOPOMP_INLINE bool shared_links::take_memory() {
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    const std::size_t bytes = slots_begin_ + 2 * half_bytes_;
    if (bytes > most_bytes) return false; // of the whole node, on which its ranks agree
    try {
        block_ = groups_.memory->take(round_up(bytes, page_bytes), page_bytes, "topo::neighbourhood");
    } catch (const system_error&) {
        return false;
    }
    std::memset(static_cast<void*>(&written(mine_)), 0, sizeof(signal));
    std::memset(static_cast<void*>(&arrived(mine_)), 0, sizeof(signal));
    block_.steps().barrier(block_.waits());
    return true;
}

TOPOMP_INLINE std::byte* shared_links::slot(int number, int which) const {
    const std::size_t at = first_slot_[static_cast<std::size_t>(number)] + static_cast<std::size_t>(which);
    return block_.data() + slots_begin_ + round_ % 2 * half_bytes_ + at * slot_bytes;
}

TOPOMP_INLINE std::byte* shared_links::box(const bundle& from) const {
    return block_.data() + slots_begin_ + round_ % 2 * half_bytes_ + boxes_begin_ + from.box;
}

TOPOMP_INLINE void shared_links::wait_for(std::span<const int> numbers, bool carriers,
                                          signal::value_type round, bool is_charged) {
    if (numbers.empty()) return;
    block_.waits().until_raised([&] {
        return std::ranges::all_of(numbers, [&](int number) {
            return (carriers ? arrived(number) : written(number)).value() >= round;
        });
    });
    if (is_charged) charge_signals(numbers.size());
}

TOPOMP_INLINE std::string shared_links::exchange(std::span<const message> out, std::span<const message> in,
                                                 std::size_t direct_from, bool is_same) {
    problem_.clear();
    ++round_;
    if (round_ > 1) {
        wait_for(before_, false, round_ - 1, false);
        charge_signals(before_unseen_.size());
    }
    if (direct_from > 0) receive_boxes();
    write(out, direct_from, is_same);
    written(mine_).raise_to(round_);
    wake_in_simulation();
    if (direct_from > 0) send_bundles(direct_from, is_same);
    wait_for(sources_here_, false, round_, true);
    read(in, direct_from, is_same, false);
    if (direct_from == 0) return problem_;
    wait_for_messages(receives_);
    arrived(mine_).raise_to(round_);
    wake_in_simulation();
    wait_for(carriers_, true, round_, true);
    read(in, direct_from, is_same, true);
    wait_for_messages(sends_);
    return problem_;
}

TOPOMP_INLINE void shared_links::write(std::span<const message> out, std::size_t direct_from, bool is_same) {
    copied_ = 0;
    if (is_same && !out.empty()) std::memcpy(slot(mine_, 0), &no_block, slot_head); // unless one is short
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int rank = links_.out[i].rank;
        if (rank == MPI_PROC_NULL) continue;
        const std::size_t bytes = bytes_of(out[i]);
        const bool is_short = is_here(rank) ? bytes <= longest_inside : bytes < direct_from;
        std::byte* const to = slot(mine_, is_same ? 0 : static_cast<int>(i));
        const std::uint64_t length = is_short ? bytes : no_block;
        if (is_same && !is_short) continue; // another link may need it
        std::memcpy(to, &length, slot_head);
        if (!is_short) continue;
        pack_block(out[i], to + slot_head);
        copied_ += bytes;
        if (is_same) break;
    }
    charge_copy(copied_);
}

TOPOMP_INLINE void shared_links::receive_boxes() {
    receives_.clear();
    for (const bundle& each : in_)
        if (each.carrier_here == mine_)
            mpi::check(MPI_Irecv(box(each), static_cast<int>(each.box_bytes()), MPI_BYTE, each.carrier_there,
                                 neighbour_tag::across, groups_.comm,
                                 &receives_.emplace_back(MPI_REQUEST_NULL)),
                       "MPI_Irecv", "blocks of a node");
}

TOPOMP_INLINE void shared_links::send_bundles(std::size_t direct_from, bool is_same) {
    sends_.clear();
    for (bundle& each : out_) {
        if (each.carrier_here != mine_) continue;
        wait_for(each.others, false, round_, true);
        each.packed.resize(each.box_bytes());
        std::byte* const ends = each.packed.data();
        std::size_t count = 0;
        int last = -1;
        for (const carried& link : each.links) {
            if (!is_same || link.source != last) ++count;
            last = link.source;
        }
        std::byte* const data = ends + count * sizeof(std::uint32_t);
        std::uint32_t end = 0;
        std::size_t which = 0;
        last = -1;
        for (const carried& link : each.links) {
            if (is_same && link.source == last) continue;
            last = link.source;
            const std::byte* const from = slot(link.number, is_same ? 0 : link.slot);
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, from, slot_head);
            if (bytes < direct_from && bytes <= longest) {
                std::memcpy(data + end, from + slot_head, bytes);
                end += static_cast<std::uint32_t>(bytes);
            }
            std::memcpy(ends + which++ * sizeof end, &end, sizeof end);
        }
        charge_copy(end);
        const std::size_t total = count * sizeof end + end;
        mpi::check(MPI_Isend(each.packed.data(), static_cast<int>(total), MPI_BYTE, each.carrier_there,
                             neighbour_tag::across, groups_.comm, &sends_.emplace_back(MPI_REQUEST_NULL)),
                   "MPI_Isend", "blocks of a node");
    }
}

TOPOMP_INLINE void shared_links::read(std::span<const message> in, std::size_t direct_from, bool is_same,
                                      bool from_boxes) {
    copied_ = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const incoming& from = incoming_[i];
        const std::size_t expected = bytes_of(in[i]);
        if (!from_boxes && from.number >= 0 && expected <= longest_inside) {
            const std::byte* const at = slot(from.number, is_same ? 0 : from.slot);
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, at, slot_head);
            read_block(at + slot_head, bytes, in[i], i);
        } else if (from_boxes && from.bundle >= 0 && expected < direct_from) {
            const bundle& where = in_[static_cast<std::size_t>(from.bundle)];
            const std::byte* const ends = box(where);
            std::size_t count = where.links.size();
            if (is_same) {
                count = 0;
                int last = -1;
                for (const carried& link : where.links) {
                    if (link.source != last) ++count;
                    last = link.source;
                }
            }
            const auto place = static_cast<std::size_t>(is_same ? from.place : from.slot);
            std::uint32_t begin = 0, end = 0;
            if (place > 0) std::memcpy(&begin, ends + (place - 1) * sizeof begin, sizeof begin);
            std::memcpy(&end, ends + place * sizeof end, sizeof end);
            read_block(ends + count * sizeof end + begin, end - begin, in[i], i);
        }
    }
    charge_copy(copied_);
}

TOPOMP_INLINE void shared_links::read_block(const std::byte* data, std::size_t bytes, const message& to,
                                            std::size_t which) {
    const std::size_t expected = bytes_of(to);
    if (bytes == expected) {
        unpack_block(data, to);
        copied_ += bytes;
    } else if (problem_.empty()) {
        problem_ =
            "rank " + std::to_string(links_.in[which].rank) + " sends " +
            (bytes == no_block ? "more than " + std::to_string(longest_inside) : std::to_string(bytes)) +
            " bytes to rank " + std::to_string(groups_.comm.rank()) + ", whose block has " +
            std::to_string(expected);
    }
}

TOPOMP_INLINE void shared_links::wait_for_messages(std::vector<MPI_Request>& requests) {
    mpi::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
               "MPI_Waitall", "blocks of nodes");
    requests.clear();
}

} // namespace topo::detail
