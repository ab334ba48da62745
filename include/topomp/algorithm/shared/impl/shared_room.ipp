// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/shared/shared_reader.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/populate.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sched.h>
#include <span>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE shared_room::shared_room(const level_members& members)
    : rank_(members.rank()), size_(members.size()) {
    arena* from = members.node_memory();
    if (from == nullptr) from = own_arena(members);
    if (from == nullptr) return;
    try {
        memory_ = from->take(static_cast<std::size_t>(size_) * sizeof(home), page_bytes, "topo::shared");
    } catch (const system_error&) {
        return; // on all members: they have messages. Elsewhere there may be memory.
    }
    homes_ = reinterpret_cast<home*>(memory_.data());
    is_oversubscribed_ = memory_.is_oversubscribed();
    // Each rank's memory is on its own NUMA node. Without this the first calls, which use one chunk after the
    // other, took 30 us each for 32 KiB instead of 1 to 5.
    auto* const mine = reinterpret_cast<std::byte*>(&homes_[rank_]);
    const int has_pages = is_simulated || populate(mine, sizeof(home)) ? 1 : 0;
    if (has_pages != 0) std::fill_n(mine, offsetof(home, data), std::byte{}); // signals at their beginning
    int have_pages = 0;
    mpi::allreduce(&has_pages, &have_pages, 1, MPI_INT, MPI_MIN, memory_.comm(), "memory of a node");
    if (have_pages == 0) {
        homes_ = nullptr;
        return;
    }
    if (!is_simulated && size_ <= most_known_homes)
        populate(memory_.data(), static_cast<std::size_t>(size_) * sizeof(home));
}

TOPOMP_INLINE shared_room::~shared_room() {
    if (is_given_up_) keep_for_messages(std::make_shared<arena::block>(std::move(memory_)));
}

TOPOMP_INLINE void shared_room::begin() {
    if (is_given_up_) [[unlikely]]
        refuse_after_failure("topo::shared", "memory of a node", "a collective through it");
    ++call_;
    const auto core = static_cast<std::uint64_t>(sched_getcpu());
    if (core == core_) return;
    core_ = core;
    std::atomic_ref<std::uint64_t>{homes_[rank_].core}.store(core, std::memory_order_relaxed);
}

TOPOMP_INLINE void shared_room::raise(signal& own, signal::value_type value) noexcept {
    own.raise_to(value);
    if (is_oversubscribed_) homes_[rank_].wakes.ring();
}

TOPOMP_INLINE std::byte* shared_room::own_post() {
    if (call_ > posts) wait_until_done(call_ - posts);
    return post_of(rank_);
}

TOPOMP_INLINE std::byte* shared_room::wait_for_post(int rank) const {
    std::byte* const message = look_for_post(rank);
    charge_signals(1);
    return message;
}

TOPOMP_INLINE void shared_room::wait_for(int rank, const signal& line, signal::value_type value) const {
    look_for(rank, line, value);
    charge_signals(1);
}

TOPOMP_INLINE void shared_room::wait_for_first(int number, signal& (shared_room::*which)(int) const noexcept,
                                               signal::value_type value) {
    for (int other = 0; other < number; ++other)
        if (other != rank_) look_for(other, (this->*which)(other), value);
    if (number == size_) note_all_at(value);
    charge_signals(static_cast<std::size_t>(rank_ < number ? number - 1 : number));
}

TOPOMP_INLINE void shared_room::wait_for_all_posts() {
    for (int other = 0; other < size_; ++other)
        if (other != rank_) look_for(other, line_of(other), now(1));
    note_all_at(now(1));
    charge_signals(static_cast<std::size_t>(size_) - 1);
}

TOPOMP_INLINE void shared_room::wait_until_done(std::uint64_t call) {
    if (least_done_ >= call) return;
    wait_for_all(&shared_room::taken, at(call + 1, 0));
    // The signals may have advanced further, which is stored: each read of a line that another rank writes
    // takes as long as a short message.
    least_done_ = call_;
    for (int other = 0; other < size_; ++other)
        if (other != rank_) least_done_ = std::min(least_done_, (taken(other).value() >> step_bits) - 1);
}

TOPOMP_INLINE std::byte* shared_room::chunk_of(int rank, std::size_t piece) const noexcept {
    return home_of(rank).data + (call_ + piece) % chunks * chunk_bytes;
}

TOPOMP_INLINE std::byte* shared_room::own_chunk(std::size_t piece) {
    const std::size_t index = (call_ + piece) % chunks;
    if (used_in_[index] == call_)
        wait_for_all(&shared_room::taken, now(piece - chunks + 1));
    else if (used_in_[index] > 0)
        wait_until_done(used_in_[index]);
    used_in_[index] = call_;
    return homes_[rank_].data + index * chunk_bytes;
}

TOPOMP_INLINE void shared_room::own_all_chunks() {
    wait_until_done(*std::ranges::max_element(used_in_));
    used_in_.fill(call_);
}

TOPOMP_INLINE std::byte* shared_room::own_half() {
    const auto half = std::span{used_in_}.subspan(call_ % 2 * (chunks / 2), chunks / 2);
    wait_until_done(*std::ranges::max_element(half));
    std::ranges::fill(half, call_);
    return half_of(rank_);
}

TOPOMP_INLINE void shared_room::read(int rank, std::uint64_t address, std::byte* to,
                                     std::size_t bytes) const {
    read_across(reader_->processes[static_cast<std::size_t>(rank)], address, to, bytes);
}

TOPOMP_INLINE void shared_room::write(int rank, std::uint64_t address, const std::byte* from,
                                      std::size_t bytes) const {
    write_across(reader_->processes[static_cast<std::size_t>(rank)], address, from, bytes);
}

TOPOMP_INLINE signal::value_type shared_room::at(std::uint64_t call, std::size_t step) noexcept {
    return (call << step_bits) + step;
}

TOPOMP_INLINE void shared_room::wait_long(int rank, const signal& line, signal::value_type value) const {
    // If both ranks share a core, polling would only delay the other rank.
    const bool is_here =
        std::atomic_ref<std::uint64_t>{homes_[rank].core}.load(std::memory_order_relaxed) == core_;
    const waiting usual = memory_.waits().for_one(awaited_);
    const waiting waits = is_here ? usual.without_looking() : usual;
    wait_asleep(waits, homes_[rank].wakes, [&] { return line.value() >= value; });
}

TOPOMP_INLINE arena* shared_room::own_arena(const level_members& members) {
    auto together = own(mpi::comm_split_shared(members.comm(), members.rank()));
    const int mine = together.size();
    int least = 0;
    mpi::allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, members.comm(), "ranks that share memory");
    if (least < members.size()) return nullptr;
    return &arena_.emplace(std::move(together), "members of a level", members.background());
}

TOPOMP_INLINE const shared_reader& shared_room::known_reader() {
    if (!reader_) reader_ = find_reader(memory_.comm(), sizeof homes_[rank_].data);
    return *reader_;
}

} // namespace topo::detail
