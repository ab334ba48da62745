// SPDX-License-Identifier: BSL-1.0
/// @file
/// What shared memory costs in a simulation: copies and signals take simulated time. Elsewhere nothing of
/// this is left.
#pragma once

#include <topomp/core/detail/copy_bytes.hpp>

#include <cstddef>
#include <sched.h>
#include <string_view>

// SimGrid's compiler includes this file before all others; SMPI_H is known only after <mpi.h>.
#ifdef SMPI_HELPERS_H
#include <topomp/core/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <simgrid/actor.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>

// What SMPI itself calls where a rank stops computing and starts again. Its library has them, its headers do
// not.
extern "C" void smpi_bench_end(void);
extern "C" void smpi_bench_begin(void);
#endif

namespace topo::detail {

#ifdef SMPI_HELPERS_H

inline constexpr bool is_simulated = true;

/// What is charged. By default what the simulated platforms have for a message inside a node, on its way:
/// 0.25 us and 10 GB/s. `scripts/calibrate` measures the same: on a virtual machine of 2 cores (AMD EPYC,
/// 2026-11-22) a signal took 0.24 us; a copy of what another rank had just written went at 9 GB/s in 4 KiB,
/// 25 to 30 in 64 KiB and 1 MiB, and 14 in 16 MiB while both cores copied (11, 30, 32 and 16 while one did).
struct memory_rates {
    double flag = 250e-9;    ///< seconds until a rank can read what another one has raised
    double copy = 10e9;      ///< bytes per second
    double long_copy = 10e9; ///< the same, of more bytes than caches hold
    static constexpr std::size_t long_from = std::size_t{1} << 20;
    /// Whether the ranks of a simulated host share its memory: all their copies together go at the host's
    /// speed, whose operations a second are bytes a second here.
    bool is_shared = false;
    static constexpr std::size_t shared_from = std::size_t{4} << 10; ///< shorter copies stay in caches

    /// What the environment variable TOPOMP_SIMULATED_MEMORY says, as nanoseconds of a flag, GB/s of copies
    /// and of long ones: `250:10:5`; with `:shared` behind it the ranks of a host share its memory. Read
    /// once. @throws input_error if it says something else
    static const memory_rates& now() {
        static const memory_rates rates = read();
        return rates;
    }

private:
    static memory_rates read() {
        memory_rates rates;
        const char* const text = std::getenv("TOPOMP_SIMULATED_MEMORY");
        if (text == nullptr) return rates;
        double flag = 0, copy = 0, long_copy = 0;
        int end = 0;
        const int found = std::sscanf(text, "%lf:%lf:%lf%n", &flag, &copy, &long_copy, &end);
        const std::string_view rest = found == 3 ? text + end : "none";
        rates.is_shared = rest == ":shared";
        if (!(rest.empty() || rates.is_shared) || !(flag >= 0 && copy > 0 && long_copy > 0))
            throw input_error("TOPOMP_SIMULATED_MEMORY", text,
                              "it must be nanoseconds of a flag, GB/s of a copy and of a long copy, as in "
                              "250:10:5 or 250:10:5:shared");
        rates.flag = flag * 1e-9;
        rates.copy = copy * 1e9;
        rates.long_copy = long_copy * 1e9;
        return rates;
    }
};

/// Lets simulated time pass for the calling rank.
inline void pass_simulated_time(double seconds) {
    smpi_bench_end();
    sg_actor_sleep_for(seconds);
    smpi_bench_begin();
}

/// Lets the calling rank move so many bytes, at no more than so many bytes a second, through the memory that
/// it shares with the other ranks of its host. @pre it is not in the program's own code, but in MPI's
inline void move_in_host(double bytes, double rate) {
    const sg_exec_t copy = sg_actor_exec_init(bytes);
    sg_exec_set_bound(copy, rate);
    sg_exec_start(copy);
    sg_exec_wait(copy);
}

/// So many bytes have been copied into shared memory or out of it, or read there by an operation.
inline void charge_copy(std::size_t bytes) {
    const memory_rates& rates = memory_rates::now();
    if (bytes == 0) return;
    const double rate = bytes < rates.long_from ? rates.copy : rates.long_copy;
    if (!rates.is_shared || bytes < rates.shared_from)
        return pass_simulated_time(static_cast<double>(bytes) / rate);
    smpi_bench_end();
    move_in_host(static_cast<double>(bytes), rate);
    smpi_bench_begin();
}

/// Whether ranks of a node move data through its memory: in simulations, whether this is charged.
inline bool moves_in_memory() { return memory_rates::now().is_shared; }

/// The calling rank has seen so many signals of others. The processor fetches them at the same time, so that
/// each but the first costs what a copy of its 128 bytes does (16 signals took 0.03 us longer than one).
inline void charge_signals(std::size_t number) {
    const memory_rates& rates = memory_rates::now();
    if (number > 0) pass_simulated_time(rates.flag + static_cast<double>((number - 1) * 128) / rates.copy);
}

/// The calling rank has looked for signals that are not there, and will look again.
inline void charge_look() { pass_simulated_time(memory_rates{}.flag); }

/// The ranks of a simulated host that wait for signals: a list through their stacks, which the host holds.
struct simulated_waiter {
    sg_sem_t wakes_up;
    simulated_waiter* next;
};

/// Returns when `ready()`, which depends on signals only, is true: at the simulated moment at which it
/// becomes true.
template <class Ready>
void wait_in_simulation(Ready ready) {
    while (!ready()) {
        const sg_host_t host = sg_host_self();
        simulated_waiter mine{sg_sem_init(0), static_cast<simulated_waiter*>(sg_host_get_data(host))};
        sg_host_set_data(host, &mine);
        smpi_bench_end();
        sg_sem_acquire(mine.wakes_up);
        smpi_bench_begin();
        sg_sem_destroy(mine.wakes_up);
    }
}

/// After a signal was raised: the ranks of this host that wait read their signals again.
inline void wake_in_simulation() noexcept {
    const sg_host_t host = sg_host_self();
    auto* next = static_cast<simulated_waiter*>(sg_host_get_data(host));
    if (next == nullptr) return;
    sg_host_set_data(host, nullptr);
    smpi_bench_end();
    while (next != nullptr) {
        const simulated_waiter now = *next; // which is on the stack of the rank that goes on
        next = now.next;
        sg_sem_release(now.wakes_up);
    }
    smpi_bench_begin();
}

#else

inline constexpr bool is_simulated = false;
constexpr void charge_copy(std::size_t) noexcept {}
constexpr bool moves_in_memory() noexcept { return true; }
constexpr void charge_signals(std::size_t) noexcept {}
constexpr void charge_look() noexcept {}
constexpr void wake_in_simulation() noexcept {}
template <class Ready>
constexpr void wait_in_simulation(Ready) noexcept {}

#endif

/// The calling rank looks again and again, and another rank may have this core. In a simulation none has:
/// there other programs would get it, for milliseconds at each look where the machine is busy.
inline void yield_core() noexcept {
    if constexpr (!is_simulated) sched_yield();
}

/// Copies into shared memory or out of it. @param bytes if there are none, there may be no memory either
inline void copy_shared(void* to, const void* from, std::size_t bytes) {
    copy_bytes(to, from, bytes);
    charge_copy(bytes);
}

} // namespace topo::detail
