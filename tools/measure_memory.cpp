// SPDX-License-Identifier: BSL-1.0
#include "measure_memory.hpp"

#include "measure_messages.hpp"
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sched.h>

namespace topo::tool {

namespace {

/// Bytes of both flags, each far enough from the other that they share no cache line.
constexpr MPI_Aint flag_bytes = 4096;
constexpr std::size_t second_flag = 2048 / sizeof(std::uint64_t);

/// Waits until a flag has a value. Other ranks may need the core.
void await(std::uint64_t& flag, std::uint64_t value) {
    for (int spins = 0; std::atomic_ref{flag}.load(std::memory_order_acquire) != value; ++spins)
        if (spins > 1000) sched_yield();
}

double trips_by_flags(const boost::mpi::communicator& two, std::uint64_t* flags, double seconds) {
    std::uint64_t& mine = flags[two.rank() == 0 ? 0 : second_flag];
    std::uint64_t& others = flags[two.rank() == 0 ? second_flag : 0];
    std::uint64_t value = 0;
    const auto trips = [&](int count) {
        const double start = MPI_Wtime();
        for (int i = 0; i < count; ++i) {
            ++value;
            if (two.rank() == 0) std::atomic_ref{mine}.store(value, std::memory_order_release);
            await(others, value);
            if (two.rank() != 0) std::atomic_ref{mine}.store(value, std::memory_order_release);
        }
        return (MPI_Wtime() - start) / (2 * count);
    };
    std::vector<double> samples{trips(10)}; // few, so that most are without a pause of the system's
    int more = static_cast<int>(std::clamp(seconds / (20 * samples[0]), 3.0, 1001.0));
    MPI_Bcast(&more, 1, MPI_INT, 0, two);
    for (; more > 0; --more)
        samples.push_back(trips(10));
    std::ranges::sort(samples);
    return samples[samples.size() / 2];
}

} // namespace

std::vector<model::machine_parameters::copy> measure_copies(double seconds) {
    constexpr std::array<std::size_t, 5> lengths{4096, 65536, 1048576, 4194304, 16777216};
    std::vector<unsigned char> from(lengths.back(), 1), to(lengths.back());
    std::vector<model::machine_parameters::copy> result;
    for (const std::size_t bytes : lengths) {
        const auto calls = std::max<std::size_t>(1, (std::size_t{1} << 22) / bytes);
        std::vector<double> samples;
        const double begin = MPI_Wtime();
        while (samples.size() < 3 || (samples.size() < 101 &&
                                      MPI_Wtime() - begin < seconds / static_cast<double>(lengths.size()))) {
            const double start = MPI_Wtime();
            for (std::size_t i = 0; i < calls; ++i) {
                from[i % bytes] = static_cast<unsigned char>(samples.size());
                std::memcpy(to.data(), from.data(), bytes);
                asm volatile("" ::"r"(to.data()) : "memory"); // somebody might read it
            }
            samples.push_back((MPI_Wtime() - start) / static_cast<double>(calls));
        }
        std::ranges::sort(samples);
        result.push_back({static_cast<double>(bytes),
                          static_cast<double>(bytes) / std::max(1e-10, samples[samples.size() / 2])});
    }
    return result;
}

double measure_flag(const boost::mpi::communicator& two, double seconds) {
    if constexpr (is_simulated) return 0; // a simulated rank that polls lets no time pass
    const boost::mpi::communicator node{
        [&] {
            MPI_Comm shared = MPI_COMM_NULL;
            mpi::check(MPI_Comm_split_type(two, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared),
                       "MPI_Comm_split_type", "two ranks");
            return shared;
        }(),
        boost::mpi::comm_take_ownership};
    if (node.size() != 2) return 0;
    void* own = nullptr;
    MPI_Win window = MPI_WIN_NULL;
    mpi::check(MPI_Win_allocate_shared(node.rank() == 0 ? flag_bytes : 0, 1, MPI_INFO_NULL, node,
                                       static_cast<void*>(&own), &window),
               "MPI_Win_allocate_shared", "two ranks");
    MPI_Aint bytes = 0;
    int unit = 0;
    void* flags = nullptr;
    MPI_Win_shared_query(window, 0, &bytes, &unit, static_cast<void*>(&flags));
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    if (node.rank() == 0) std::memset(flags, 0, flag_bytes);
    MPI_Win_sync(window);
    MPI_Barrier(node);
    MPI_Win_sync(window);
    const double latency = trips_by_flags(node, static_cast<std::uint64_t*>(flags), seconds);
    MPI_Barrier(node);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return std::max(1e-10, latency);
}

} // namespace topo::tool
