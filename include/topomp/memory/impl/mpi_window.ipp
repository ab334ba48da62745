// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/mpi_window.hpp>

#include <boost/mpi/config.hpp>

#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace topo::detail {

class mpi_window::windows {
public:
    void add(std::shared_ptr<window> one);
    void free(const std::shared_ptr<window>& one) noexcept;
    windows();

private:
    std::mutex mutex_; ///< of the list below
    std::vector<std::shared_ptr<window>> open_;
};

TOPOMP_INLINE mpi_window::mpi_window(MPI_Win raw, epoch in)
    : made_(std::make_shared<window>(window{raw, in})) {
    all().add(made_);
}

TOPOMP_INLINE mpi_window& mpi_window::operator=(mpi_window&& other) noexcept {
    const mpi_window old{std::move(*this)}; // freed now
    made_ = std::move(other.made_);
    return *this;
}

TOPOMP_INLINE mpi_window::~mpi_window() {
    if (made_) all().free(made_);
}

TOPOMP_INLINE void mpi_window::window::close() noexcept {
    if (raw == MPI_WIN_NULL) return;
    if (in == epoch::passive) MPI_Win_unlock_all(raw);
    MPI_Win_free(&raw);
    raw = MPI_WIN_NULL;
}

TOPOMP_INLINE void mpi_window::windows::add(std::shared_ptr<window> one) {
    const std::lock_guard lock{mutex_};
    open_.push_back(std::move(one));
}

TOPOMP_INLINE void mpi_window::windows::free(const std::shared_ptr<window>& one) noexcept {
    if (one->raw == MPI_WIN_NULL || !mpi::is_running()) return;
    if (std::uncaught_exceptions() > 0 || finalize_hook::is_finishing()) return;
    one->close();
    const std::lock_guard lock{mutex_};
    std::erase(open_, one);
}

TOPOMP_INLINE mpi_window::windows::windows() {
    finalize_hook::add([this] {
        for (; !open_.empty(); open_.pop_back())
            open_.back()->close();
    });
}

TOPOMP_INLINE mpi_window::windows& mpi_window::all() {
    // Never destroyed: MPI may be finalized by the destructor of a static object that is older.
    static windows& only = *new windows;
    return only;
}

} // namespace topo::detail
