// SPDX-License-Identifier: BSL-1.0
/// @file
/// MPI's shared windows, each owned.
#pragma once

#include <topomp/core/finalize.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/block_list.hpp>
#include <topomp/memory/simulated.hpp>
#include <topomp/memory/window_layout.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

/// One MPI shared window over ranks that share memory, in a passive epoch from its beginning to its end: who
/// wants to order its memory (MPI_Win_sync) must be in one, and MPICH insists.
///
/// All of it is allocated at the communicator's first rank, so that the MPI adds no gaps and no touches;
/// whose a page becomes is decided by who writes to it first.
class shared_memory {
public:
    /// @collective over `comm` @throws mpi_error
    shared_memory(const boost::mpi::communicator& comm, std::size_t bytes) : bytes_(bytes) {
        // Room to begin at a page.
        const std::size_t asked = comm.rank() == 0 ? bytes + page_bytes : 0;
        void* own = nullptr;
        auto made = std::make_shared<window>();
        mpi::check(
            MPI_Win_allocate_shared(static_cast<MPI_Aint>(asked), 1, MPI_INFO_NULL, comm, &own, &made->raw),
            "MPI_Win_allocate_shared", std::to_string(bytes) + " bytes");
        windows::all().add(made);
        window_ = std::move(made);
        MPI_Aint size = 0;
        int unit = 0;
        void* begin = nullptr;
        mpi::check(MPI_Win_shared_query(window_->raw, 0, &size, &unit, static_cast<void*>(&begin)),
                   "MPI_Win_shared_query", "memory of rank 0");
        mpi::check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_->raw), "MPI_Win_lock_all", "shared memory");
        // All map the same pages, so this is the same byte on all ranks.
        const auto address = reinterpret_cast<std::uintptr_t>(begin);
        data_ = static_cast<std::byte*>(begin) + (round_up(address, page_bytes) - address);
    }
    shared_memory(shared_memory&&) noexcept = default;
    shared_memory& operator=(shared_memory&&) = delete;
    ~shared_memory() {
        if (window_) windows::all().free(window_);
    }

    /// Begins at a page; only while `is_open()`.
    std::byte* data() const noexcept { return data_; }
    std::size_t bytes() const noexcept { return bytes_; }
    /// Not any more when MPI has ended, whose end closes the windows; only SimGrid's comes too late to do so.
    bool is_open() const noexcept {
        return window_ && window_->raw != MPI_WIN_NULL && (!is_simulated || mpi::is_running());
    }

    /// Orders what this rank writes and reads before with what it does after, as the standard wants it.
    void sync() const { mpi::check(MPI_Win_sync(window_->raw), "MPI_Win_sync", "shared memory"); }

private:
    struct window {
        MPI_Win raw = MPI_WIN_NULL;

        void close() noexcept {
            if (raw == MPI_WIN_NULL) return;
            MPI_Win_unlock_all(raw);
            MPI_Win_free(&raw);
            raw = MPI_WIN_NULL;
        }
    };

    /// All windows that are open. Freeing one waits for the other ranks, so it must happen in an order in
    /// which they can meet. The normal order is that of the program. Where an exception passes by, the others
    /// may never come, and at the end of MPI ranks free what they kept in different orders: these windows
    /// stay open until the end and are then freed in the opposite order of their making.
    class windows {
    public:
        static windows& all() {
            // Never destroyed: MPI may be finalized by the destructor of a static object that is older.
            static windows& only = *new windows;
            return only;
        }
        void add(std::shared_ptr<window> one) {
            const std::lock_guard lock{mutex_};
            open_.push_back(std::move(one));
        }
        void free(const std::shared_ptr<window>& one) noexcept {
            if (one->raw == MPI_WIN_NULL || !mpi::is_running()) return;
            if (std::uncaught_exceptions() > 0 || finalize_hook::is_finishing()) return;
            one->close();
            const std::lock_guard lock{mutex_};
            std::erase(open_, one);
        }

    private:
        windows() {
            finalize_hook::add([this] {
                for (; !open_.empty(); open_.pop_back())
                    open_.back()->close();
            });
        }
        std::mutex mutex_; ///< of the list below
        std::vector<std::shared_ptr<window>> open_;
    };

    std::shared_ptr<window> window_;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace topo::detail
