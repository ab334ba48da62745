// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/collective/progress_thread.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

namespace topo {

struct progress_thread::worker final : detail::in_flight::exclusion {
    explicit worker(const hierarchy& on) : levels(on), all(detail::context::of(levels).running()) {
        all.share_by(this);
        try {
            thread = std::thread{[this] { work(); }};
        } catch (const std::system_error& problem) { // the process may have no more threads
            all.share_by(nullptr);
            throw system_error("topo::progress_thread", "thread", problem.what());
        }
    }
    ~worker() override {
        {
            const std::scoped_lock lock{mutex};
            is_over = true;
        }
        has_work.notify_one();
        thread.join();
        all.share_by(nullptr);
    }
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;

    // The program's thread comes first: otherwise the helper would have the mutex nearly all the time.
    void enter() override {
        ++wanted;
        mutex.lock();
        --wanted;
        ++depth;
    }
    void leave() noexcept override {
        --depth;
        mutex.unlock();
    }
    int leave_wholly() noexcept override {
        const int before = depth;
        for (int i = 0; i < before; ++i)
            leave();
        return before;
    }
    void note_start() noexcept override { has_work.notify_one(); }

    void work() {
        using namespace std::chrono_literals;
        constexpr auto longest = std::chrono::microseconds{200};
        auto pause = std::chrono::microseconds{0};
        std::unique_lock lock{mutex};
        while (!is_over) {
            has_work.wait(lock, [this] { return is_over || !all.empty(); });
            if (is_over) return;
            bool has_moved = false;
            try {
                has_moved = all.advance_all();
            } catch (...) { // the program's own test or wait meets the same failure
            }
            lock.unlock();
            pause = has_moved ? std::chrono::microseconds{0} : std::min(longest, 2 * pause + 1us);
            if (pause < 10us || wanted > 0)
                std::this_thread::yield();
            else
                std::this_thread::sleep_for(pause);
            lock.lock();
        }
    }

    hierarchy levels; ///< which keeps what the thread works for
    detail::in_flight& all;
    std::recursive_mutex mutex;
    int depth = 0; ///< how often the thread that has the mutex has entered
    std::condition_variable_any has_work;
    std::atomic<int> wanted{0};
    bool is_over = false;
    std::thread thread;
};

TOPOMP_INLINE progress_thread::progress_thread(const hierarchy& levels) {
    constexpr auto call = "topo::progress_thread";
    mpi::require_running(call);
    int level = MPI_THREAD_SINGLE;
    mpi::check(MPI_Query_thread(&level), "MPI_Query_thread", "thread level");
    if (level < MPI_THREAD_MULTIPLE) {
        const std::array<const char*, 3> names{"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                               "MPI_THREAD_SERIALIZED"};
        const std::array<int, 3> levels_below{MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED};
        const auto at = std::find(levels_below.begin(), levels_below.end(), level) - levels_below.begin();
        throw usage_error(call, "MPI",
                          std::string{"it was initialised with "} + names.at(static_cast<std::size_t>(at)) +
                              ", and a thread of its own needs MPI_THREAD_MULTIPLE");
    }
    if (detail::context::of(levels).running().is_shared())
        throw usage_error(call, "hierarchy", "it has a progress thread already");
    worker_ = detail::owned<worker>::of(std::make_unique<worker>(levels));
}

TOPOMP_INLINE progress_thread::~progress_thread() = default;

} // namespace topo
