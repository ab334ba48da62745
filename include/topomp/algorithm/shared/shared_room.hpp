// SPDX-License-Identifier: BSL-1.0
/// @file
/// The shared memory and signals of a level, by which the ranks of a node move messages.
#pragma once

#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/shared/shared_reader.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/fetch_for_writing.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace topo::detail {

/// A range of the bytes that another rank exposes.
struct wanted {
    int from = 0;
    std::size_t first = 0; ///< of the bytes that rank exposes
    std::size_t bytes = 0;
    std::byte* to = nullptr;
    std::size_t place = first; ///< the first, counted from the byte that the rank moves first
};

/// Operands of several ranks are under way at the same time, not each when it is combined, if all are fetched
/// before.
inline void fetch_if_short(const std::byte* data, std::size_t bytes) noexcept {
    constexpr std::size_t longest = 256, line = 64;
    if (bytes > longest) return;
    for (std::size_t at = 0; at < bytes; at += line)
        __builtin_prefetch(data + at);
}

/// The memory of each rank in the shared memory of its node: signals, posts, which are short messages behind
/// a signal of their own, and chunks for longer data. Only the rank itself writes to it. Made once for the
/// ranks of a level.
///
/// All ranks count their calls. A signal's value is the call's number and, in the low bits, the rank's step
/// in it, so that it only grows and is never reset.
class shared_room {
public:
    static constexpr std::size_t posts = 8; ///< calls that a rank can be ahead of the others
    /// Of a message in a post. Processors fetch the lines that follow a signal together with it: all_reduces
    /// of 512 bytes of two ranks took 0.8 to 1.6 us in chunks, behind another signal, and 0.7 to 0.9 in
    /// posts.
    static constexpr std::size_t post_bytes = 4096;
    static constexpr std::size_t chunks = 8; ///< pieces of data that it can be ahead
    static constexpr std::size_t chunk_bytes = std::size_t{32} << 10;
    /// All chunks of every other call.
    static constexpr std::size_t half_bytes = chunks / 2 * chunk_bytes;
    static constexpr int most_known_homes =
        64;                              ///< with more ranks the pages of others are mapped at first use
    static constexpr int step_bits = 24; ///< of a signal's value that count steps inside a call

    /// Allocates from the hierarchy's arena, or makes an arena if there is none for these ranks.
    /// @collective over the members @cost two short collectives; without the hierarchy's memory four more and
    /// an MPI window
    explicit shared_room(const level_members& members);
    shared_room(const shared_room&) = delete;
    shared_room& operator=(const shared_room&) = delete;
    TOPOMP_INLINE ~shared_room();

    /// False if the ranks run on several hosts, or have no memory left; then no other function may be called.
    bool works() const noexcept { return homes_ != nullptr; }
    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }
    /// Whether the ranks are oversubscribed.
    bool is_oversubscribed() const noexcept { return is_oversubscribed_; }
    /// How many times as long a copy out of another rank's memory, or into it, takes as an own one.
    /// @collective over the members the first time
    double slowness_across() { return known_reader().slowness; }
    /// Private memory of this rank, reused by later calls.
    scratch_buffer& own_copy() noexcept { return own_copy_; }
    scratch_buffer& shown_copy() noexcept { return shown_copy_; }
    scratch_buffer& spare() noexcept { return spare_; }
    std::vector<wanted>& wishes() noexcept { return wishes_; }

    /// All ranks begin and end each call. @throws usage_error if the room has been given up
    void begin();
    /// A call has failed on this rank, and messages of it may be under way in the own chunks: they are kept
    /// to the end of the program, and no other call uses them.
    void give_up() noexcept { is_given_up_ = true; }
    /// In the next call the rank only waits for a message that another one passes on.
    void waits_for_one(std::size_t bytes) noexcept {
        if (!has_given_) awaited_ = bytes;
    }
    /// The rank has given its operands to another one, which may exchange the sum with other nodes before it
    /// passes the result on.
    void has_given() noexcept { has_given_ = true; }
    /// The rank needs no more data of other ranks for this call.
    void end() noexcept {
        raise(taken(rank_), at(call_ + 1, 0));
        // Not the line of the signal, which others may be reading already.
        constexpr std::size_t line = 64, usual_bytes = 256;
        fetch_for_writing(reinterpret_cast<const std::byte*>(&line_at(rank_, call_ + 1)) + line, usual_bytes);
        awaited_ = waiting::long_message;
        has_given_ = false;
    }

    /// The rank's own signal, for all ranks that wait for it.
    void raise(signal& own, signal::value_type value) noexcept;

    /// The value of a signal at a step of this call.
    signal::value_type now(std::size_t step) const noexcept { return at(call_, step); }

    /// A rank's message of this call. @pre its post was seen
    std::byte* post_of(int rank) const noexcept {
        return reinterpret_cast<std::byte*>(&line_of(rank)) + offsetof(signal, payload);
    }
    /// Space for the own one, after all ranks have read its last contents.
    std::byte* own_post();
    /// It is written.
    void raise_post() noexcept { raise(line_of(rank_), now(1)); }
    std::byte* wait_for_post(int rank) const;
    /// The same, of which the time of the signal is charged elsewhere.
    std::byte* look_for_post(int rank) const {
        look_for(rank, line_of(rank), now(1));
        return post_of(rank);
    }
    /// All other ranks' posts, whose lines are under way at the same time.
    void wait_for_all_posts();

    signal& filled(int rank) const noexcept { return home_of(rank).filled; }
    signal& reduced(int rank) const noexcept { return home_of(rank).reduced; }
    signal& taken(int rank) const noexcept { return home_of(rank).taken; }

    /// Waits until a rank's signal has reached a step.
    void wait_for(int rank, const signal& line, signal::value_type value) const;
    /// @param which one of the functions above
    void wait_for_all(signal& (shared_room::*which)(int) const noexcept, signal::value_type value) {
        wait_for_first(size_, which, value);
    }
    /// The same of the ranks with the first numbers.
    void wait_for_first(int number, signal& (shared_room::*which)(int) const noexcept,
                        signal::value_type value);
    /// Waits until all ranks have ended a call.
    void wait_until_done(std::uint64_t call);
    /// Waits until all ranks have ended this call.
    void wait_until_done() { wait_until_done(call_); }

    /// The chunk of a rank for a piece of this call's data.
    std::byte* chunk_of(int rank, std::size_t piece) const noexcept;
    /// The own one, after all ranks have read its last contents: in an earlier call, or a piece of this one
    /// that they have signalled as read.
    std::byte* own_chunk(std::size_t piece);
    /// All own chunks, after all ranks have read their last contents.
    void own_all_chunks();
    std::byte* data_of(int rank) const noexcept { return home_of(rank).data; }
    /// The half of a rank's chunks for this call.
    std::byte* half_of(int rank) const noexcept { return data_of(rank) + call_ % 2 * half_bytes; }
    /// The own one, after all ranks have read its last contents.
    std::byte* own_half();

    /// Copies out of the memory of another rank. @pre `slowness_across()` is finite @throws system_error
    void read(int rank, std::uint64_t address, std::byte* to, std::size_t bytes) const;
    /// The same into it.
    void write(int rank, std::uint64_t address, const std::byte* from, std::size_t bytes) const;

private:
    struct post {
        signal line;
        alignas(sizeof(signal)) std::byte rest[post_bytes - signal::payload_bytes];
    };
    struct alignas(page_bytes) home {
        post posts[shared_room::posts];
        signal filled, reduced, taken;
        alignas(sizeof(signal)) futex_event wakes;
        alignas(sizeof(signal)) std::uint64_t core; ///< that the rank ran on when it began its last call
        alignas(page_bytes) std::byte data[chunks * chunk_bytes];
    };

    static signal::value_type at(std::uint64_t call, std::size_t step) noexcept;
    home& home_of(int rank) const noexcept { return homes_[rank]; }
    signal& line_at(int rank, std::uint64_t call) const noexcept {
        return home_of(rank).posts[call % posts].line;
    }
    signal& line_of(int rank) const noexcept { return line_at(rank, call_); }

    void look_for(int rank, const signal& line, signal::value_type value) const {
        if (line.value() < value) wait_long(rank, line, value);
    }
    void wait_long(int rank, const signal& line, signal::value_type value) const;
    /// A signal of all ranks was seen.
    void note_all_at(signal::value_type value) noexcept {
        least_done_ = std::max(least_done_, (value >> step_bits) - 1);
    }

    /// Null if not all of the members share memory.
    arena* own_arena(const level_members& members);

    /// Not determined before the first long message.
    const shared_reader& known_reader();

    std::optional<arena> arena_; ///< if the hierarchy's is not for these ranks
    arena::block memory_;
    home* homes_ = nullptr;
    int rank_ = 0, size_ = 0;
    bool is_oversubscribed_ = false, is_given_up_ = false;
    std::optional<shared_reader> reader_;
    std::size_t awaited_ = waiting::long_message; ///< bytes
    bool has_given_ = false;
    std::uint64_t call_ = 0, core_ = ~std::uint64_t{0};
    std::uint64_t least_done_ = 0;                ///< all ranks have ended this call
    std::array<std::uint64_t, chunks> used_in_{}; ///< the call in which the own chunk was last filled
    scratch_buffer own_copy_, shown_copy_, spare_;
    std::vector<wanted> wishes_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_room.ipp>
#endif
