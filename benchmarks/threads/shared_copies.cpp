// SPDX-License-Identifier: BSL-1.0
// shared_copies [SECONDS]
//
// What simulations charge for shared memory (include/topomp/memory/detail/simulated.hpp) and for combining,
// measured on this machine: how long it takes until a rank sees a signal, how fast it copies what another
// rank has just written, alone and while all do the same, and how fast it adds numbers. Threads play ranks,
// each on a core of its own, so it needs no MPI. scripts/calibrate runs it.
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

double since(clock_type::time_point begin) {
    return std::chrono::duration<double>(clock_type::now() - begin).count();
}

double median(std::vector<double> of) {
    std::ranges::nth_element(of, of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2));
    return of[of.size() / 2];
}

std::vector<int> own_cores() {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &mine)) cores.push_back(core);
    return cores;
}

struct crew {
    explicit crew(std::size_t size) : row(size), memory(size) {}
    std::vector<topo::signal> row;
    std::vector<std::unique_ptr<std::byte[]>> memory; ///< of each rank, the others read it
    /// Looks for long: the ranks have their cores for themselves.
    topo::waiting patient{1000};
};

/// Calls `rank(signals, number)` in a thread for each rank, on a core of its own.
template <class Rank>
void play(crew& all, const std::vector<int>& cores, std::size_t number, Rank rank) {
    all.row.assign(number, topo::signal{});
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < number; ++i)
        threads.emplace_back([&, i] {
            cpu_set_t only;
            CPU_ZERO(&only);
            CPU_SET(cores[i], &only);
            sched_setaffinity(0, sizeof only, &only);
            topo::signals steps{all.row, static_cast<int>(i)};
            steps.barrier(all.patient);
            rank(steps, i);
        });
}

/// Microseconds of a step that all ranks take, by its number of times in so many seconds.
template <class Step>
double microseconds(crew& all, const std::vector<int>& cores, std::size_t ranks, double seconds, Step step) {
    double result = 0;
    play(all, cores, ranks, [&](topo::signals& steps, std::size_t rank) {
        constexpr int rounds = 100;
        std::vector<double> samples;
        // As often on all ranks: the first says when it is enough, beside its signal.
        for (bool goes_on = true; goes_on;) {
            const auto begin = clock_type::now();
            for (int i = 0; i < rounds; ++i)
                step(steps);
            samples.push_back(since(begin) / rounds * 1e6);
            static_assert(sizeof(bool) <= topo::signal::payload_bytes);
            steps.barrier(all.patient);
            if (rank == 0) {
                goes_on = static_cast<double>(samples.size()) * rounds * samples.back() < seconds * 1e6;
                std::memcpy(all.row[0].payload, &goes_on, sizeof goes_on);
            }
            steps.barrier(all.patient);
            std::memcpy(&goes_on, all.row[0].payload, sizeof goes_on);
        }
        if (rank == 0) result = median(samples);
    });
    return result;
}

/// Bytes per second of the slowest rank that copies what its neighbour has just written.
double copy_rate(crew& all, const std::vector<int>& cores, std::size_t ranks, bool is_alone,
                 std::size_t bytes, int most_rounds) {
    const int rounds = std::min(
        most_rounds, static_cast<int>(std::clamp<std::size_t>((std::size_t{1} << 28) / bytes, 9, 301)));
    std::vector<std::vector<double>> seconds(ranks, std::vector<double>(static_cast<std::size_t>(rounds)));
    play(all, cores, ranks, [&](topo::signals& steps, std::size_t rank) {
        all.memory[rank] = std::make_unique<std::byte[]>(bytes);
        const auto own = std::make_unique<std::byte[]>(bytes);
        for (int round = 0; round < rounds; ++round) {
            std::memset(all.memory[rank].get(), round, bytes);
            steps.barrier(all.patient);
            const std::byte* const others = all.memory[(rank + 1) % ranks].get();
            const auto begin = clock_type::now();
            if (!is_alone || rank == 0) std::memcpy(own.get(), others, bytes);
            seconds[rank][static_cast<std::size_t>(round)] = since(begin);
            if (own[bytes - 1] != std::byte(round) && (!is_alone || rank == 0)) std::abort();
            steps.barrier(all.patient);
        }
    });
    std::vector<double> slowest(static_cast<std::size_t>(rounds));
    for (std::size_t round = 0; round < slowest.size(); ++round)
        for (const auto& each : seconds)
            slowest[round] = std::max(slowest[round], each[round]);
    return static_cast<double>(bytes) / median(slowest);
}

/// Bytes of one operand per second of the slowest rank that adds numbers to its own, all at once.
double add_rate(crew& all, const std::vector<int>& cores, std::size_t bytes, int most_rounds) {
    const int rounds = std::min(
        most_rounds, static_cast<int>(std::clamp<std::size_t>((std::size_t{1} << 28) / bytes, 9, 301)));
    std::vector<double> rates(cores.size());
    play(all, cores, cores.size(), [&](topo::signals& steps, std::size_t rank) {
        std::vector<std::uint64_t> left(bytes / sizeof(std::uint64_t), 1), right(left.size());
        std::vector<double> seconds;
        for (int round = 0; round < rounds; ++round) {
            steps.barrier(all.patient);
            const auto begin = clock_type::now();
            std::ranges::transform(left, right, right.begin(), std::plus<>{});
            seconds.push_back(since(begin));
            if (right.back() != static_cast<std::uint64_t>(round) + 1) std::abort();
        }
        rates[rank] = static_cast<double>(bytes) / median(seconds);
    });
    return std::ranges::min(rates);
}

/// Microseconds to look at so many signals, far from each other, that another rank has raised meanwhile.
double look_at_many(crew& all, const std::vector<int>& cores, std::size_t signals, int rounds) {
    constexpr std::size_t stride = 33; // so that no two are in a page
    std::vector<topo::signal> far(signals * stride);
    std::vector<double> samples;
    play(all, cores, 2, [&](topo::signals& steps, std::size_t rank) {
        for (int round = 1; round <= rounds; ++round) {
            const auto value = static_cast<topo::signal::value_type>(round);
            for (std::size_t i = 0; rank == 1 && i < signals; ++i)
                far[i * stride].raise_to(value);
            steps.barrier(all.patient);
            const auto begin = clock_type::now();
            for (std::size_t i = 0; rank == 0 && i < signals; ++i)
                if (far[i * stride].value() != value) std::abort();
            if (rank == 0) samples.push_back(since(begin) * 1e6);
            steps.barrier(all.patient);
        }
    });
    return median(samples);
}

} // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
    const auto cores = own_cores();
    if (cores.size() < 2 || seconds <= 0) {
        std::fprintf(stderr, "shared_copies: it takes two cores, and a number of seconds above 0\n");
        return 2;
    }
    crew all{cores.size()};
    const int rounds = static_cast<int>(std::clamp(3000 * seconds, 9.0, 3000.0));
    std::printf("cores %zu\n", cores.size());
    for (std::size_t ranks = 2; ranks <= cores.size(); ranks *= 2) {
        const double round_trip = microseconds(all, cores, ranks, seconds, [&](topo::signals& steps) {
            steps.one_to_many(0, all.patient);
            steps.many_to_one(0, all.patient);
        });
        const double barrier = microseconds(all, cores, ranks, seconds,
                                            [&](topo::signals& steps) { steps.barrier(all.patient); });
        std::printf("ranks %zu: one to many and back %.3f us, barrier %.3f us\n", ranks, round_trip, barrier);
    }
    const double clock = look_at_many(all, cores, 0, rounds); // what the clock takes
    for (const std::size_t signals : {std::size_t{1}, std::size_t{4}, std::size_t{16}})
        std::printf("look at %zu signals %.3f us\n", signals,
                    look_at_many(all, cores, signals, rounds) - clock);
    for (const std::size_t bytes :
         {std::size_t{4} << 10, std::size_t{64} << 10, std::size_t{1} << 20, std::size_t{16} << 20})
        std::printf("copy of %zu bytes: alone %.1f GB/s, each of all %.1f GB/s\n", bytes,
                    copy_rate(all, cores, cores.size(), true, bytes, rounds) / 1e9,
                    copy_rate(all, cores, cores.size(), false, bytes, rounds) / 1e9);
    for (const std::size_t bytes :
         {std::size_t{4} << 10, std::size_t{64} << 10, std::size_t{1} << 20, std::size_t{16} << 20})
        std::printf("add %zu bytes: each of all %.1f GB/s\n", bytes,
                    add_rate(all, cores, bytes, rounds) / 1e9);
}
