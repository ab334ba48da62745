// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/attribute.hpp>
#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <mutex>
#include <vector>

namespace topo::detail {

struct attribute_key::holders {
    std::mutex mutex; ///< of the list below: threads may have a communicator each
    std::vector<MPI_Comm> list;
};

TOPOMP_INLINE attribute_key::attribute_key(void* (*copy)(const void*), void (*destroy)(void*))
    : copy_(copy), destroy_(destroy), holders_(new holders) {
    mpi::check(MPI_Comm_create_keyval(&on_duplicate_made, &on_removal, &key_, this), "MPI_Comm_create_keyval",
               "attribute");
    finalize_hook::add([this] { finish(); });
}

TOPOMP_INLINE void* attribute_key::find(MPI_Comm comm) const {
    void* found = nullptr;
    int exists = 0;
    mpi::check(MPI_Comm_get_attr(comm, key_, static_cast<void*>(&found), &exists), "MPI_Comm_get_attr",
               "communicator");
    return exists != 0 ? found : nullptr;
}

TOPOMP_INLINE void attribute_key::set(MPI_Comm comm, void* value) {
    if (const int code = MPI_Comm_set_attr(comm, key_, value); code != MPI_SUCCESS) {
        destroy_(value);
        mpi::check(code, "MPI_Comm_set_attr", "communicator");
    }
    const std::lock_guard lock{holders_->mutex};
    holders_->list.push_back(comm);
}

TOPOMP_INLINE int attribute_key::on_duplicate_made(MPI_Comm, int, void* state, void* from, void* to,
                                                   int* copied) {
    *copied = 0;
    const auto& me = *static_cast<attribute_key*>(state);
    if (me.copy_ == nullptr) return MPI_SUCCESS;
    try {
        *static_cast<void**>(to) = me.copy_(from);
        *copied = 1;
    } catch (...) {
        return MPI_ERR_NO_MEM; // an exception must not pass through MPI
    }
    return MPI_SUCCESS;
}

TOPOMP_INLINE int attribute_key::on_removal(MPI_Comm comm, int, void* value, void* state) {
    const auto& me = *static_cast<attribute_key*>(state);
    {
        const std::lock_guard lock{me.holders_->mutex};
        std::erase(me.holders_->list, comm);
    }
    me.destroy_(value);
    return MPI_SUCCESS;
}

TOPOMP_INLINE void attribute_key::finish() {
    // A deletion takes its own entry off the list, and more where a value owned communicators with values.
    auto& list = holders_->list;
    while (!list.empty())
        if (MPI_Comm_delete_attr(list.back(), key_) != MPI_SUCCESS) list.pop_back();
    MPI_Comm_free_keyval(&key_);
}

} // namespace topo::detail
