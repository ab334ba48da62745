// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/shared/aggregated_exchange.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_messages.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE aggregated_exchange::aggregated_exchange(const hierarchy& levels, std::size_t bytes)
    : levels_(levels), ranks_(context::of(levels)), memory_(ranks_.attached<kept>()), bytes_(bytes) {
    memory_.messages.require_none_left();
    if (!memory_.has_failed) groups_ = nodes_with_memory(levels);
    if (groups_ != nullptr) all_ = &groups_->all_ranks();
}

TOPOMP_INLINE bool aggregated_exchange::works() {
    if (groups_ == nullptr || !fits(all_->ranks.size(), static_cast<std::size_t>(groups_->strata()), bytes_))
        return false;
    if (memory_.block.is_open() && bytes_ <= memory_.block_bytes) return true;
    constexpr std::size_t shortest = 8;
    return takes(std::bit_ceil(std::max(bytes_, shortest)));
}

TOPOMP_INLINE bool aggregated_exchange::takes(std::size_t bytes) {
    memory_.block_bytes = bytes;
    memory_.has_failed =
        !take_on_all_nodes(levels_, memory_.block, 2 * half_bytes(), "topo::node_aggregated");
    return !memory_.has_failed;
}

TOPOMP_INLINE std::size_t aggregated_exchange::half_bytes() const {
    return 2 * static_cast<std::size_t>(groups_->size()) * all_->ranks.size() * memory_.block_bytes;
}

TOPOMP_INLINE std::byte* aggregated_exchange::half() const {
    return memory_.block.data() + (memory_.is_second ? half_bytes() : 0);
}

TOPOMP_INLINE void aggregated_exchange::begin() {
    memory_.is_second = !memory_.is_second;
    memory_.messages.begin(ranks_);
}

TOPOMP_INLINE std::byte* aggregated_exchange::leaving(int node, std::size_t number) const {
    const auto here = static_cast<std::size_t>(groups_->size());
    return half() + (before(node) * here + number * size_of_node(node)) * bytes_;
}

TOPOMP_INLINE std::byte* aggregated_exchange::arriving(int node, std::size_t number) const {
    const auto here = static_cast<std::size_t>(groups_->size());
    return half() + half_bytes() / 2 + (before(node) + number) * here * bytes_; // behind what leaves
}

TOPOMP_INLINE void aggregated_exchange::by_carriers(const blocks& source, const blocks& result) {
    if (bytes_ == 0) return;
    begin();
    const int own = groups_->group(), nodes = groups_->groups();
    const auto here = static_cast<std::size_t>(groups_->size());
    node_synchronisation node_sync{memory_.block.comm(), memory_.block.steps(), memory_.block.waits()};
    for (int step = 1; step < nodes; ++step) {
        const int node = (own + nodes - step) % nodes;
        for_carried(node, own, [&](std::size_t first, std::size_t end, int other) {
            memory_.messages.receive(arriving(node, first), (end - first) * here * bytes_, other);
        });
    }
    const type_layout from{source.type}, to{result.type};
    for (int node = 0; node < nodes; ++node)
        write(source, from, node);
    charge_copy(all_->ranks.size() * bytes_);
    node_sync.all();
    for (int step = 1; step < nodes; ++step) {
        const int node = (own + step) % nodes;
        for_carried(own, node, [&](std::size_t first, std::size_t end, int other) {
            memory_.messages.send(leaving(node, first), (end - first) * size_of_node(node) * bytes_, other);
        });
    }
    copy_own(source, result);
    read(result, to, own);
    charge_copy(here * bytes_);
    if (nodes == 1) return;
    memory_.messages.wait_for_all();
    node_sync.all();
    for (int node = 0; node < nodes; ++node)
        if (node != own) read(result, to, node);
    charge_copy((all_->ranks.size() - here) * bytes_);
}

TOPOMP_INLINE void aggregated_exchange::by_partners(const blocks& source, const blocks& result) {
    if (bytes_ == 0) return;
    begin();
    const int own = groups_->group(), nodes = groups_->groups();
    node_synchronisation node_sync{memory_.block.comm(), memory_.block.steps(), memory_.block.waits()};
    const type_layout from{source.type}, to{result.type};
    memory_.packed.resize(static_cast<std::size_t>(nodes));
    const int parts = parts_of(all_->ranks.size() * bytes_, nodes);
    const auto first_step = [&](int part) { return 1 + part * (nodes - 1) / parts; };
    node_messages& messages = memory_.messages;
    std::array<std::size_t, most_parts> slots{}; // of each part
    const auto start_part = [&](int part) {
        if (part >= parts) return;
        const std::size_t started = messages.number();
        for (int step = first_step(part); step < first_step(part + 1); ++step)
            receive_rows((own + nodes - step) % nodes);
        for (int step = first_step(part); step < first_step(part + 1); ++step)
            send_row(source, from, (own + step) % nodes);
        slots[static_cast<std::size_t>(part)] = messages.number() - started;
    };
    start_part(0);
    start_part(1);
    write(source, from, own);
    charge_copy(size_of_node(own) * bytes_);
    copy_own(source, result);
    for (int part = 0; part < parts; ++part) {
        messages.wait_for(slots[static_cast<std::size_t>(part)]);
        node_sync.all();
        start_part(part + 2);
        std::size_t copied = 0;
        const auto read_one = [&](int node) {
            read(result, to, node);
            copied += size_of_node(node) * bytes_;
        };
        if (part == 0) read_one(own);
        for (int step = first_step(part); step < first_step(part + 1); ++step)
            read_one((own + nodes - step) % nodes);
        charge_copy(copied);
    }
}

TOPOMP_INLINE void aggregated_exchange::receive_rows(int node) {
    const auto here = static_cast<std::size_t>(groups_->size());
    for (auto there = static_cast<std::size_t>(groups_->number()); there < size_of_node(node); there += here)
        memory_.messages.receive(arriving(node, there), here * bytes_,
                                 all_->at(node, static_cast<int>(there)));
}

TOPOMP_INLINE void aggregated_exchange::send_row(const blocks& source, const type_layout& layout, int node) {
    const auto ranks = all_->of(node);
    const message run = layout.is_dense ? source.run_of(ranks, layout) : message{};
    auto* data = static_cast<std::byte*>(run.data);
    if (data == nullptr) {
        scratch_buffer& packed = memory_.packed[static_cast<std::size_t>(node)];
        packed.reserve(ranks.size() * bytes_);
        data = packed.data();
        for (std::size_t i = 0; i < ranks.size(); ++i)
            pack(source.block_of(ranks[i], layout), layout, data + i * bytes_);
    }
    memory_.messages.send(data, ranks.size() * bytes_,
                          all_->at(node, groups_->number() % static_cast<int>(ranks.size())));
}

TOPOMP_INLINE void aggregated_exchange::write(const blocks& source, const type_layout& layout, int node) {
    std::byte* next = leaving(node, static_cast<std::size_t>(groups_->number()));
    const auto ranks = all_->of(node);
    if (const message run = source.run_of(ranks, layout); run.data != nullptr) return pack(run, layout, next);
    for (const int rank : ranks) {
        pack(source.block_of(rank, layout), layout, next);
        next += bytes_;
    }
}

TOPOMP_INLINE void aggregated_exchange::read(const blocks& result, const type_layout& layout, int node) {
    const bool is_own = node == groups_->group();
    const auto mine = static_cast<std::size_t>(groups_->number());
    const auto ranks = all_->of(node);
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (!(is_own && i == mine))
            unpack((is_own ? leaving(node, i) : arriving(node, i)) + mine * bytes_,
                   result.block_of(ranks[i], layout), layout);
}

TOPOMP_INLINE void aggregated_exchange::copy_own(const blocks& source, const blocks& result) {
    copy_block(source.block_of(ranks_.rank()), result.block_of(ranks_.rank()), memory_.spare);
}

TOPOMP_INLINE int aggregated_exchange::carrier(int here, int there, int piece) const {
    const int nodes = groups_->groups(), size = all_->size(here);
    const int stride = std::max(1, size / (nodes - 1));
    return ((there - here + nodes) % nodes - 1) * stride % size + piece;
}

template <class F>
void aggregated_exchange::for_carried(int from, int to, F f) const {
    const int own = groups_->group(), other = from == own ? to : from;
    const std::size_t sources = size_of_node(from);
    const int number = pieces(groups_->groups(), std::min(all_->size(from), all_->size(to)),
                              sources * size_of_node(to) * bytes_);
    for (int piece = 0; piece < number; ++piece) {
        if (carrier(own, other, piece) != groups_->number()) continue;
        const auto at = static_cast<std::size_t>(piece), all = static_cast<std::size_t>(number);
        f(at * sources / all, (at + 1) * sources / all, all_->at(other, carrier(other, own, piece)));
    }
}

} // namespace topo::detail
