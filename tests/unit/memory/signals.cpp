// SPDX-License-Identifier: BSL-1.0
// Signals between threads that play ranks: what one wrote before a step, others read after it, whatever the
// order of the steps and whichever rank is late. The data between them are plain variables, so that a step
// that holds no rank back is also a race, which ThreadSanitizer reports (the test signals.threads).
//
// TOPOMP_STRESS_SECONDS says how long random steps are tried; 60 for a long run.
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace signals_tests {

using topo::barrier_form, topo::signal, topo::signals, topo::waiting;

namespace {

/// A number of each rank, far enough from the others', and their signals.
struct memory {
    explicit memory(int ranks)
        : row(static_cast<std::size_t>(ranks)), numbers(static_cast<std::size_t>(ranks)) {}

    std::vector<topo::signal> row; // zeros
    std::vector<std::uint64_t> numbers;
};

/// Runs a function in so many threads, with the number of each.
void in_threads(int number, const std::function<void(int)>& play) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < number; ++rank)
        threads.emplace_back(play, rank);
    for (auto& thread : threads)
        thread.join();
}

/// More threads than cores in a test that is to end soon.
const waiting patient{waiting::few_looks};
/// Those that sleep when they have waited for long.
const waiting sleeping{waiting::few_looks, nullptr, nullptr, true};

void check_barrier(int ranks, barrier_form by, const waiting& waits) {
    constexpr std::uint64_t rounds = 200;
    memory shared{ranks};
    std::atomic<int> wrong = 0;
    in_threads(ranks, [&](int rank) {
        signals mine{shared.row, rank};
        for (std::uint64_t round = 1; round <= rounds; ++round) {
            shared.numbers[static_cast<std::size_t>(rank)] = round;
            mine.barrier(waits, by);
            for (const std::uint64_t number : shared.numbers)
                if (number != round) ++wrong;
            mine.barrier(waits, by); // the next round writes
        }
    });
    INFO(ranks << " ranks");
    CHECK(wrong == 0);
}

enum class step { flat, tree, from, to };

/// Steps of all kinds in one order, each rank late at random. A rank that may not read another one's number
/// yet does not.
void check_mixture(int ranks, std::uint32_t seed, int length, const waiting& waits) {
    memory shared{ranks};
    std::atomic<int> wrong = 0;
    in_threads(ranks, [&](int rank) {
        signals mine{shared.row, rank};
        std::mt19937 common{seed}; // the same on all ranks
        std::mt19937 own{seed * 31 + static_cast<std::uint32_t>(rank)};
        std::uint64_t& number = shared.numbers[static_cast<std::size_t>(rank)];
        for (std::uint64_t round = 1; round <= static_cast<std::uint64_t>(length); ++round) {
            const auto kind = static_cast<step>(common() % 4);
            const int other = static_cast<int>(common() % static_cast<unsigned>(ranks));
            for (auto late = own() % 8; late-- > 6;)
                std::this_thread::yield();
            if (waits.sleeps() && own() % 16 == 0)
                std::this_thread::sleep_for(std::chrono::duration<double>{4 * waiting::seconds_awake});
            const bool speaks = kind != step::from || rank == other;
            const bool listens = kind != step::to || rank == other;
            if (speaks) number = round;
            if (kind == step::flat) mine.barrier(waits, barrier_form::flat);
            if (kind == step::tree) mine.barrier(waits, barrier_form::tree);
            if (kind == step::from) mine.one_to_many(other, waits);
            if (kind == step::to) mine.many_to_one(other, waits);
            for (int i = 0; i < ranks && listens; ++i)
                if (kind != step::from || i == other)
                    if (shared.numbers[static_cast<std::size_t>(i)] != round) ++wrong;
            mine.barrier(waits, round % 2 == 0 ? barrier_form::flat : barrier_form::tree);
        }
    });
    INFO(ranks << " ranks, seed " << seed);
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("a barrier holds back who is early") {
    for (const int ranks : {1, 2, 3, 5, 8})
        for (const auto by : {barrier_form::flat, barrier_form::tree})
            check_barrier(ranks, by, patient);
    check_barrier(2, barrier_form::flat, waiting{});
    check_barrier(22, barrier_form::tree, patient); // three levels of four
    check_barrier(8, barrier_form::tree, sleeping);
}

TEST_CASE("data beside a signal comes with it") {
    memory shared{2};
    std::uint64_t seen = 0;
    in_threads(2, [&](int rank) {
        signal& line = shared.row[0];
        for (std::uint64_t round = 1; round <= 100; ++round) {
            if (rank == 0) {
                line.payload[0] = static_cast<std::byte>(round);
                line.payload[signal::payload_bytes - 1] = static_cast<std::byte>(round);
                line.raise_to(round);
                patient.until([&] { return shared.row[1].value() == round; });
            } else {
                patient.until([&] { return line.value() == round; });
                if (line.payload[0] == static_cast<std::byte>(round) &&
                    line.payload[signal::payload_bytes - 1] == static_cast<std::byte>(round))
                    ++seen;
                shared.row[1].raise_to(round);
            }
        }
    });
    CHECK(seen == 100);
}

TEST_CASE("a stream from one to many, with room for some") {
    // The writer is at most `room` steps ahead, as in cells of a pipeline.
    constexpr std::size_t room = 3;
    constexpr std::uint64_t items = 500;
    constexpr int readers = 3;
    std::vector<topo::signal> row(readers + 1);
    std::vector<std::uint64_t> cells(room);
    std::atomic<int> wrong = 0;
    in_threads(readers + 1, [&](int rank) {
        const auto mine = static_cast<std::size_t>(rank);
        for (std::uint64_t item = 1; item <= items; ++item) {
            if (rank == readers) {
                patient.until([&] {
                    return std::all_of(row.begin(), row.end() - 1,
                                       [&](const topo::signal& each) { return each.value() + room >= item; });
                });
                cells[item % room] = item;
            } else {
                patient.until([&] { return row.back().value() >= item; });
                if (cells[item % room] != item) ++wrong;
            }
            row[mine].raise_to(item);
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("a wait with a limit ends") {
    memory shared{2};
    signals mine{shared.row, 0};
    CHECK_FALSE(mine.barrier(patient, std::chrono::milliseconds{2}));
    memory alone{1};
    CHECK(signals{alone.row, 0}.barrier(patient, std::chrono::milliseconds{2}));
}

TEST_CASE("who waits lets messages move, but not before it has looked") {
    int asked = 0, looked = 0;
    const waiting waits{5, [](const void* state) { ++*static_cast<int*>(const_cast<void*>(state)); }, &asked};
    waits.until([&] { return ++looked == 3; });
    CHECK(asked == 0);
    looked = 0;
    waits.until([&] { return ++looked == 20; });
    CHECK(asked > 0);
}

TEST_CASE("who sleeps is woken, and sees what was written before") {
    constexpr std::uint64_t rounds = 3000;
    struct side {
        topo::signal line{};
        topo::futex_event wakes{};
        std::uint64_t number = 0;
    };
    std::vector<side> sides(2);
    std::atomic<int> late = 0, wrong = 0;
    in_threads(2, [&](int rank) {
        side &mine = sides[static_cast<std::size_t>(rank)],
             &other = sides[static_cast<std::size_t>(1 - rank)];
        for (std::uint64_t round = 1; round <= rounds; ++round) {
            if (rank == 0) {
                mine.number = round;
                mine.line.raise_to(round);
                mine.wakes.ring();
            }
            const auto is_there = [&] { return other.line.value() >= round; };
            const auto nap = [&] {
                if (!other.wakes.nap(is_there, std::chrono::seconds{20})) ++late;
            };
            // Awake for a while in some rounds, so that it falls asleep at different moments.
            if (round % 2 == 0)
                patient.until(is_there, nap);
            else
                while (!is_there())
                    nap();
            if (other.number != round) ++wrong;
            if (rank == 1) {
                mine.number = round;
                mine.line.raise_to(round);
                mine.wakes.ring();
            }
        }
    });
    CHECK(late == 0);
    CHECK(wrong == 0);
}

TEST_CASE("a sleep ends when its time is over, and does not begin when there is nothing to wait for") {
    topo::futex_event wakes{};
    CHECK_FALSE(wakes.nap([] { return false; }, std::chrono::milliseconds{1}));
    CHECK(wakes.nap([] { return true; }, std::chrono::hours{1}));
    CHECK(wakes.sleepers == 0);
}

TEST_CASE("who leaves is waited for no more, and all can be seen to have left") {
    memory shared{2};
    signals first{shared.row, 0}, second{shared.row, 1};
    second.leave();
    first.barrier(patient);
    CHECK_FALSE(first.have_left());
    first.leave();
    CHECK(first.have_left());
}

TEST_CASE("steps of all kinds in any order") {
    const char* const asked = std::getenv("TOPOMP_STRESS_SECONDS");
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds{asked != nullptr ? std::stoi(asked) : 1};
    std::uint32_t seed = 0;
    do {
        check_mixture(2 + static_cast<int>(seed % 5), seed, 100, seed % 2 == 0 ? patient : sleeping);
        ++seed;
    } while (std::chrono::steady_clock::now() < end);
    check_mixture(17, seed, 20, patient);
    check_mixture(17, seed, 20, sleeping);
    MESSAGE(seed << " mixtures");
}

} // namespace signals_tests
