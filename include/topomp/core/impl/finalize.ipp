// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace topo::detail {

struct finalize_hook::registered {
    std::mutex mutex; ///< of the list below
    std::vector<std::function<void()>> functions;
};

[[gnu::cold]] TOPOMP_INLINE void finalize_hook::add(std::function<void()> function) {
    auto& all = *self().registered_;
    const std::lock_guard lock{all.mutex};
    all.functions.push_back(std::move(function));
}

TOPOMP_INLINE bool finalize_hook::is_finishing() { return self().is_finishing_; }

[[gnu::cold]] TOPOMP_INLINE void finalize_hook::watch() { self(); }

[[gnu::cold]] TOPOMP_INLINE finalize_hook::finalize_hook() : registered_(new registered) {
    mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &finish, &key_, nullptr),
               "MPI_Comm_create_keyval", "finalize hook");
    mpi::check(MPI_Comm_set_attr(MPI_COMM_SELF, key_, this), "MPI_Comm_set_attr", "MPI_COMM_SELF");
}

[[gnu::cold]] TOPOMP_INLINE finalize_hook& finalize_hook::self() {
    // Never destroyed: MPI may be finalized by the destructor of a static object that is older.
    static finalize_hook& only = *new finalize_hook;
    return only;
}

[[gnu::cold]] TOPOMP_INLINE int finalize_hook::finish(MPI_Comm, int, void* value, void*) {
    // SimGrid's MPI calls this too late.
    if (!mpi::is_running()) {
        mpi::end_was_seen.store_relaxed(true);
        return MPI_SUCCESS;
    }
    auto& me = *static_cast<finalize_hook*>(value);
    me.is_finishing_ = true;
    auto& functions = me.registered_->functions;
    while (!functions.empty()) {
        const auto last = std::move(functions.back());
        functions.pop_back();
        last();
    }
    MPI_Comm_free_keyval(&me.key_);
    mpi::end_was_seen.store_relaxed(true);
    return MPI_SUCCESS;
}

} // namespace topo::detail
