// SPDX-License-Identifier: BSL-1.0
/// @file
/// Functions that run at the beginning of `MPI_Finalize`, while MPI still works.
#pragma once

#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <functional>

namespace topo::detail {

/// Runs functions when `MPI_Finalize` begins, the last registered first. It first deletes the attributes of
/// MPI_COMM_SELF, which is the standard's hook for libraries (MPI standard, section on allowing user
/// functions at process termination).
class finalize_hook {
public:
    /// The function must not throw.
    static void add(std::function<void()> function);

    /// Whether these functions are running: what ranks do in different order must not wait for others then.
    static bool is_finishing();

    /// Whether they have run, so that nothing of topomp's can be used any more. Known if `add` or `watch` was
    /// called while MPI ran. @cost a load
    static bool has_ended() noexcept { return mpi::end_was_seen.load_relaxed(); }
    /// Ensures that `has_ended` is known. @pre MPI runs
    static void watch();

private:
    struct registered;

    finalize_hook();

    static finalize_hook& self();

    static int finish(MPI_Comm, int, void* value, void*);

    int key_ = MPI_KEYVAL_INVALID;
    bool is_finishing_ = false;
    registered* registered_; ///< never destroyed
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/finalize.ipp>
#endif
