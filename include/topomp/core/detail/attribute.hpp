// SPDX-License-Identifier: BSL-1.0
/// @file
/// A C++ value cached on a communicator.
#pragma once

#include <boost/mpi/config.hpp>

#include <memory>
#include <utility>

namespace topo::detail {

/// What happens to a cached value when its communicator is duplicated.
enum class on_duplicate { copy, forget };

/// The key of an attribute, without the type of its values. Never destroyed before MPI ends.
class attribute_key {
public:
    /// @param copy makes a duplicate's value; null: duplicates have none @param destroy frees a value
    attribute_key(void* (*copy)(const void*), void (*destroy)(void*));
    attribute_key(const attribute_key&) = delete;
    attribute_key& operator=(const attribute_key&) = delete;

    void* find(MPI_Comm comm) const;
    /// Takes over the value, and destroys an older one.
    void set(MPI_Comm comm, void* value);

private:
    struct holders;

    static int on_duplicate_made(MPI_Comm, int, void* state, void* from, void* to, int* copied);
    static int on_removal(MPI_Comm comm, int, void* value, void* state);
    void finish();

    int key_ = MPI_KEYVAL_INVALID;
    void* (*copy_)(const void*);
    void (*destroy_)(void*);
    holders* holders_; ///< communicators that were given a value and have not been freed; never destroyed
};

/// Caches one `Value` on a communicator (MPI standard, chapter on caching). Freed with the communicator; what
/// is still cached when `MPI_Finalize` begins is freed then, while MPI still works, and so is the key.
///
/// There is one key per `Value` type, made at first use.
template <class Value, on_duplicate Policy>
class attribute {
public:
    /// The value cached on `comm`, or null. Valid until the communicator is freed or the value replaced.
    static Value* find(MPI_Comm comm) { return static_cast<Value*>(key().find(comm)); }

    /// Caches a value; an older one is destroyed.
    static void set(MPI_Comm comm, Value value) {
        key().set(comm, std::make_unique<Value>(std::move(value)).release());
    }

private:
    static attribute_key& key() {
        // Never destroyed: MPI may be finalized by the destructor of a static object that is older.
        static attribute_key& only =
            *new attribute_key{copier(), [](void* value) { delete static_cast<Value*>(value); }};
        return only;
    }

    static auto copier() -> void* (*)(const void*) {
        if constexpr (Policy == on_duplicate::copy)
            return [](const void* from) -> void* { return new Value(*static_cast<const Value*>(from)); };
        else
            return nullptr;
    }
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/attribute.ipp>
#endif
