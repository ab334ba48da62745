// SPDX-License-Identifier: BSL-1.0
/// @file
/// Memory of accelerators, which the processor cannot read.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <string_view>
#include <vector>

namespace topo::detail {

/// The runtimes of accelerators that are loaded into the process, of CUDA, HIP and Level Zero, and their
/// classification of addresses. topomp is not linked with them, and loads none.
class device_runtimes {
public:
    /// Whether any was loaded at the last call of `look`. @cost one relaxed load
    static bool are_loaded() noexcept { return loaded_.load(std::memory_order_relaxed); }

    /// Searches for loaded ones; those found stay loaded. @return `are_loaded()` @cost microseconds
    static bool look();

    /// The name of the runtime that reports an address as device memory; null: none does.
    ///
    /// The result is not cached: after an address was freed it can be in the other kind of memory. @cost of
    /// the runtime's own answer, some 100 ns
    static const char* owner_of(const void* address);

private:
    template <class Function>
    static bool find(Function*& found, std::string_view library, const char* name) {
        if (found == nullptr) found = reinterpret_cast<Function*>(find_symbol(library, name));
        return found != nullptr;
    }
    /// Of a loaded library whose file is called so, whatever its version, or of any that all can see; null:
    /// of none.
    static void* find_symbol(std::string_view library, const char* name);

    /// @see CUDA Driver API, cuPointerGetAttribute: an address that it does not know is an error
    static bool is_of_cuda(const void* address);

    /// @see HIP Runtime API, hipPointerGetAttributes. Its numbers of memory types differ between versions;
    /// the missing host address is reported alike.
    static bool is_of_hip(const void* address);

    /// @see Level Zero API, zeMemGetAllocProperties. Drivers accept an address of any of their contexts.
    static bool is_of_level_zero(const void* address);

    /// One of each driver, made when the program has initialized it: before that it owns no memory.
    static const std::vector<void*>& contexts();

    struct hip_functions {
        int (*attributes)(void*, const void*);
        int (*peek)();
        int (*forget)();
    };
    struct zero_functions {
        int (*properties)(void*, const void*, void*, void**);
        int (*drivers)(std::uint32_t*, void**);
        int (*make_context)(void*, const void*, void**);
    };

    inline static std::atomic<bool> loaded_{false};
    inline static std::mutex mutex_;
    inline static int (*cuda_)(void*, int, unsigned long long) = nullptr;
    inline static hip_functions hip_{};
    inline static zero_functions zero_{};
    inline static std::vector<void*> zero_contexts_;
};

/// Refuses buffers that the processor cannot read. @cost one relaxed load where no runtime is loaded
/// @throws argument_error naming the buffer's runtime
void require_host_memory(std::string_view call, std::initializer_list<const void*> buffers);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/device_memory.ipp>
#endif
