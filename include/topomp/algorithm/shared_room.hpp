// SPDX-License-Identifier: BSL-1.0
/// @file
/// Memory and signals by which the ranks of a node move messages.
#pragma once

#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/shared_reader.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/bell.hpp>
#include <topomp/memory/populate.hpp>
#include <topomp/memory/signal.hpp>
#include <topomp/memory/simulated.hpp>
#include <topomp/memory/waiting.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sched.h>
#include <utility>
#include <vector>

namespace topo::detail {

/// Bytes that a rank wants of what another shows.
struct wanted {
    int from = 0;
    std::size_t first = 0; ///< of the bytes that rank shows
    std::size_t bytes = 0;
    std::byte* to = nullptr;
};

/// What each rank has in the memory of its node: lines of 128 bytes with a signal each, and cells for data.
/// Only the rank itself writes to it. Made once for the ranks of a level.
///
/// All ranks count their calls. A signal's value is the call and, below that, how far the rank is in it, so
/// that it grows from call to call and nothing is ever set back.
class shared_room {
public:
    static constexpr std::size_t posts = 8; ///< calls that a rank can be ahead of the others
    static constexpr std::size_t cells = 8; ///< pieces of data that it can be ahead
    static constexpr std::size_t cell_bytes = std::size_t{32} << 10;
    static constexpr int most_known_homes = 64; ///< of more the pages of others are met when they are used
    static constexpr int step_bits = 24;        ///< of a signal's value that count steps inside a call

    /// Takes its memory from the hierarchy's, or makes an arena where there is none for these ranks.
    /// @collective over the members @cost two short collectives; without the hierarchy's memory four more and
    /// an MPI window
    explicit shared_room(const level_members& members) : rank_(members.rank()), size_(members.size()) {
        arena* from = members.node_memory();
        if (from == nullptr) from = own_arena(members.comm());
        if (from == nullptr) return;
        try {
            memory_ = from->take(static_cast<std::size_t>(size_) * sizeof(home), page_bytes, "topo::shared");
        } catch (const system_error&) {
            return; // on all members: they have messages. Elsewhere there may be memory.
        }
        homes_ = reinterpret_cast<home*>(memory_.data());
        is_crowded_ = memory_.is_crowded();
        // Each rank's home is on its own NUMA node. Without this the first calls, which use one cell after
        // the other, took 30 us each for 32 KiB instead of 1 to 5.
        auto* const mine = reinterpret_cast<std::byte*>(&homes_[rank_]);
        const int has_pages = is_simulated || populate(mine, sizeof(home)) ? 1 : 0;
        if (has_pages != 0)
            std::fill_n(mine, offsetof(home, data), std::byte{}); // signals at their beginning
        int have_pages = 0;
        mpi::allreduce(&has_pages, &have_pages, 1, MPI_INT, MPI_MIN, memory_.comm(), "memory of a node");
        if (have_pages == 0) {
            homes_ = nullptr;
            return;
        }
        if (!is_simulated && size_ <= most_known_homes)
            populate(memory_.data(), static_cast<std::size_t>(size_) * sizeof(home));
    }
    shared_room(const shared_room&) = delete;
    shared_room& operator=(const shared_room&) = delete;

    /// Not if the ranks run on several hosts, or have no memory left; then nothing else here may be used.
    bool works() const noexcept { return homes_ != nullptr; }
    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }
    /// Whether ranks have to take turns on cores.
    bool is_crowded() const noexcept { return is_crowded_; }
    /// Whether ranks can read each other's memory, all of each other.
    /// @collective over the members the first time
    bool reads_across() { return known_reader().works; }
    /// Whether that is about as fast as a rank's own copies, so that one is better than two.
    /// @collective over the members the first time
    bool reads_fast() { return known_reader().is_fast; }
    /// Memory of this rank alone, kept from call to call.
    cell& own_copy() noexcept { return own_copy_; }
    cell& shown_copy() noexcept { return shown_copy_; }
    cell& spare() noexcept { return spare_; }
    std::vector<wanted>& wishes() noexcept { return wishes_; }

    /// All ranks begin and end each call.
    void begin() noexcept {
        ++call_;
        const auto core = static_cast<std::uint64_t>(sched_getcpu());
        if (core == core_) return;
        core_ = core;
        std::atomic_ref<std::uint64_t>{homes_[rank_].core}.store(core, std::memory_order_relaxed);
    }
    /// The rank needs nothing more of what others have in their homes, or elsewhere, for this call.
    void end() noexcept { raise(taken(rank_), at(call_ + 1, 0)); }

    /// The rank's own signal, for all who wait for it.
    void raise(signal& own, signal::value_type value) noexcept {
        own.raise_to(value);
        if (is_crowded_) homes_[rank_].wakes.ring();
    }

    /// The value of signals that are so far in this call.
    signal::value_type now(std::size_t step) const noexcept { return at(call_, step); }

    /// A rank's line of this call, with room for a short message.
    const signal& post_of(int rank) const noexcept { return home_of(rank).posts[call_ % posts]; }
    /// The own one, when everybody has read what was in it.
    signal& own_post() {
        if (call_ > posts) wait_until_done(call_ - posts);
        return homes_[rank_].posts[call_ % posts];
    }
    const signal& wait_for_post(int rank) const {
        const signal& line = post_of(rank);
        wait_for(rank, line, now(1));
        return line;
    }

    signal& filled(int rank) const noexcept { return home_of(rank).filled; }
    signal& reduced(int rank) const noexcept { return home_of(rank).reduced; }
    signal& taken(int rank) const noexcept { return home_of(rank).taken; }

    /// Until a rank has raised a signal so far.
    void wait_for(int rank, const signal& line, signal::value_type value) const {
        look_for(rank, line, value);
        charge_signals(1);
    }
    /// @param which one of the functions above
    void wait_for_all(signal& (shared_room::*which)(int) const noexcept, signal::value_type value) const {
        for (int other = 0; other < size_; ++other)
            if (other != rank_) look_for(other, (this->*which)(other), value);
        charge_signals(static_cast<std::size_t>(size_) - 1);
    }
    /// Until all ranks have ended a call.
    void wait_until_done(std::uint64_t call) {
        if (least_done_ >= call) return;
        wait_for_all(&shared_room::taken, at(call + 1, 0));
        // They may be further, which is worth knowing: each look at a line that another rank writes takes as
        // long as a short message.
        least_done_ = call_;
        for (int other = 0; other < size_; ++other)
            if (other != rank_) least_done_ = std::min(least_done_, (taken(other).value() >> step_bits) - 1);
    }
    /// Until all have ended this one.
    void wait_until_done() { wait_until_done(call_); }

    /// The cell of a rank for a piece of this call's data.
    std::byte* cell_of(int rank, std::size_t piece) const noexcept {
        return home_of(rank).data + (call_ + piece) % cells * cell_bytes;
    }
    /// The own one, when everybody has read what was in it: in an earlier call, or in this one as a piece
    /// that they say they have taken.
    std::byte* own_cell(std::size_t piece) {
        const std::size_t index = (call_ + piece) % cells;
        if (used_in_[index] == call_)
            wait_for_all(&shared_room::taken, now(piece - cells + 1));
        else if (used_in_[index] > 0)
            wait_until_done(used_in_[index]);
        used_in_[index] = call_;
        return homes_[rank_].data + index * cell_bytes;
    }
    /// All own cells, when everybody has read what was in them.
    void own_all_cells() {
        wait_until_done(*std::ranges::max_element(used_in_));
        used_in_.fill(call_);
    }
    std::byte* data_of(int rank) const noexcept { return home_of(rank).data; }

    /// Copies out of the memory of another rank. @pre `reads_across()` @throws system_error
    void read(int rank, std::uint64_t address, std::byte* to, std::size_t bytes) const {
        read_across(reader_->everybody[static_cast<std::size_t>(rank)], address, to, bytes);
    }

private:
    struct alignas(page_bytes) home {
        signal posts[shared_room::posts];
        signal filled, reduced, taken;
        bell wakes;
        alignas(sizeof(signal)) std::uint64_t core; ///< that the rank ran on when it began its last call
        alignas(page_bytes) std::byte data[cells * cell_bytes];
    };

    static signal::value_type at(std::uint64_t call, std::size_t step) noexcept {
        return (call << step_bits) + step;
    }
    home& home_of(int rank) const noexcept { return homes_[rank]; }

    void look_for(int rank, const signal& line, signal::value_type value) const {
        if (line.value() >= value) return;
        // On one core with it, looking would only keep it from running.
        const bool is_here =
            std::atomic_ref<std::uint64_t>{homes_[rank].core}.load(std::memory_order_relaxed) == core_;
        const waiting how = is_here ? memory_.how().without_looking() : memory_.how();
        const auto is_there = [&] { return line.value() >= value; };
        if (!is_crowded_) return how.until_raised(is_there);
        // MPI may have to move messages; but who looks for them often keeps others from their cores.
        constexpr std::chrono::microseconds longest{8000};
        std::chrono::microseconds limit{500};
        how.until(is_there, [&] {
            homes_[rank].wakes.nap(is_there, limit);
            limit = std::min(2 * limit, longest);
        });
    }

    /// Null if not all of the members share memory.
    arena* own_arena(const boost::mpi::communicator& members) {
        auto together = own(mpi::comm_split_shared(members, members.rank()));
        const int mine = together.size();
        int least = 0;
        mpi::allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, members, "ranks that share memory");
        if (least < members.size()) return nullptr;
        return &arena_.emplace(std::move(together), "members of a level");
    }

    /// Not asked before there is a long message.
    const shared_reader& known_reader() {
        if (!reader_) reader_ = find_reader(memory_.comm(), sizeof homes_[rank_].data);
        return *reader_;
    }

    std::optional<arena> arena_; ///< if the hierarchy's is not for these ranks
    arena::block memory_;
    home* homes_ = nullptr;
    int rank_ = 0, size_ = 0;
    bool is_crowded_ = false;
    std::optional<shared_reader> reader_;
    std::uint64_t call_ = 0, core_ = ~std::uint64_t{0};
    std::uint64_t least_done_ = 0;               ///< all ranks are known to have ended this call
    std::array<std::uint64_t, cells> used_in_{}; ///< the call in which the own cell was last filled
    cell own_copy_, shown_copy_, spare_;
    std::vector<wanted> wishes_;
};

} // namespace topo::detail
