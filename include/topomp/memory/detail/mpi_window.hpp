// SPDX-License-Identifier: BSL-1.0
/// @file
/// Owners of MPI's windows, freed in an order that is the same on all ranks.
#pragma once

#include <boost/mpi/config.hpp>

#include <memory>

namespace topo::detail {

/// Sole owner of an MPI window: movable, not copyable.
class mpi_window {
public:
    /// Whether it is in a passive epoch (`MPI_Win_lock_all`) from its beginning to its end.
    enum class epoch { none, passive };

    mpi_window() = default;
    /// Takes over a window, which nothing else may free. @param in its epoch, which has begun
    mpi_window(MPI_Win raw, epoch in);
    mpi_window(mpi_window&&) noexcept = default;
    mpi_window& operator=(mpi_window&& other) noexcept;
    ~mpi_window();

    /// `MPI_WIN_NULL` if there is none, or not any more when MPI has ended, whose end closes all.
    MPI_Win raw() const noexcept { return made_ ? made_->raw : MPI_WIN_NULL; }

private:
    struct window {
        MPI_Win raw = MPI_WIN_NULL;
        epoch in = epoch::none;

        void close() noexcept;
    };

    /// All windows that are open. Freeing one waits for the other ranks, so it must happen in the same order
    /// on all ranks. The normal order is that of the program. During the handling of an exception the other
    /// ranks may never free theirs, and at the end of MPI ranks free what they still hold in different
    /// orders: these windows stay open until the end and are then freed in the opposite order of their
    /// making.
    class windows;

    static windows& all();

    std::shared_ptr<window> made_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/mpi_window.ipp>
#endif
