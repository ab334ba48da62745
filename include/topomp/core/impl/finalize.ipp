// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <functional>
#include <mutex>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void finalize_hook::add(std::function<void()> function) {
    const std::lock_guard lock{self().mutex_};
    self().functions_.push_back(std::move(function));
}

TOPOMP_INLINE finalize_hook::finalize_hook() {
    mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &finish, &key_, nullptr),
               "MPI_Comm_create_keyval", "finalize hook");
    mpi::check(MPI_Comm_set_attr(MPI_COMM_SELF, key_, this), "MPI_Comm_set_attr", "MPI_COMM_SELF");
}

TOPOMP_INLINE finalize_hook& finalize_hook::self() {
    // Never destroyed: MPI may be finalized by the destructor of a static object that is older.
    static finalize_hook& only = *new finalize_hook;
    return only;
}

TOPOMP_INLINE int finalize_hook::finish(MPI_Comm, int, void* value, void*) {
    // SimGrid's MPI calls this too late.
    if (!mpi::is_running()) {
        mpi::end_was_seen.store(true, std::memory_order_relaxed);
        return MPI_SUCCESS;
    }
    auto& me = *static_cast<finalize_hook*>(value);
    me.is_finishing_ = true;
    while (!me.functions_.empty()) {
        const auto last = std::move(me.functions_.back());
        me.functions_.pop_back();
        last();
    }
    MPI_Comm_free_keyval(&me.key_);
    mpi::end_was_seen.store(true, std::memory_order_relaxed);
    return MPI_SUCCESS;
}

} // namespace topo::detail
