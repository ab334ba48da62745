// SPDX-License-Identifier: BSL-1.0
/// @file
/// A C++ value cached on a communicator.
#pragma once

#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace topo::detail {

/// What happens to a cached value when its communicator is duplicated.
enum class on_duplicate { copy, forget };

/// Caches one `Value` on a communicator (MPI standard, chapter on caching). Freed with the communicator; what
/// is still cached when `MPI_Finalize` begins is freed then, while MPI still works, and so is the key.
///
/// There is one key per `Value` type, made at first use.
template <class Value, on_duplicate Policy>
class attribute {
public:
    /// The value cached on `comm`, or null. Valid until the communicator is freed or the value replaced.
    static Value* find(MPI_Comm comm) {
        void* found = nullptr;
        int exists = 0;
        mpi::check(MPI_Comm_get_attr(comm, self().key_, static_cast<void*>(&found), &exists),
                   "MPI_Comm_get_attr", "communicator");
        return exists != 0 ? static_cast<Value*>(found) : nullptr;
    }

    /// Caches a value; an older one is destroyed.
    static void set(MPI_Comm comm, Value value) {
        auto owned = std::make_unique<Value>(std::move(value));
        mpi::check(MPI_Comm_set_attr(comm, self().key_, owned.get()), "MPI_Comm_set_attr", "communicator");
        static_cast<void>(owned.release()); // the delete callback owns it now
        const std::lock_guard lock{self().mutex_};
        self().holders_.push_back(comm);
    }

private:
    attribute() {
        mpi::check(MPI_Comm_create_keyval(&copy, &destroy, &key_, this), "MPI_Comm_create_keyval",
                   "attribute");
        finalize_hook::add([this] { finish(); });
    }

    static attribute& self() {
        // Never destroyed: MPI may be finalized by the destructor of a static object that is older.
        static attribute& only = *new attribute;
        return only;
    }

    static int copy(MPI_Comm, int, void*, void* from, void* to, int* copied) {
        *copied = 0;
        if constexpr (Policy == on_duplicate::copy) {
            try {
                *static_cast<void**>(to) = new Value(*static_cast<const Value*>(from));
                *copied = 1;
            } catch (...) {
                return MPI_ERR_NO_MEM; // an exception must not pass through MPI
            }
        }
        return MPI_SUCCESS;
    }

    static int destroy(MPI_Comm comm, int, void* value, void* state) {
        {
            auto& me = *static_cast<attribute*>(state);
            const std::lock_guard lock{me.mutex_};
            std::erase(me.holders_, comm);
        }
        delete static_cast<Value*>(value);
        return MPI_SUCCESS;
    }

    void finish() {
        // A deletion takes its own entry off the list, and more where a value owned communicators with
        // values.
        while (!holders_.empty())
            if (MPI_Comm_delete_attr(holders_.back(), key_) != MPI_SUCCESS) holders_.pop_back();
        MPI_Comm_free_keyval(&key_);
    }

    int key_ = MPI_KEYVAL_INVALID;
    std::mutex mutex_;              ///< of the list below: threads may have a communicator each
    std::vector<MPI_Comm> holders_; ///< communicators that were given a value and have not been freed
};

} // namespace topo::detail
