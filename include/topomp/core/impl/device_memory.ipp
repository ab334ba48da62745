// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/device_memory.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <initializer_list>
#include <link.h>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void* device_runtimes::find_symbol(std::string_view library, const char* name) {
    if (void* const symbol = dlsym(RTLD_DEFAULT, name)) return symbol;
    // dlopen by the name alone would search all folders of libraries for one that is not loaded, which takes
    // 100 us.
    struct {
        std::string_view name;
        std::vector<std::string> paths;
    } wanted{library, {}};
    dl_iterate_phdr(
        [](dl_phdr_info* loaded, std::size_t, void* data) {
            auto& here = *static_cast<decltype(wanted)*>(data);
            const std::string_view path{loaded->dlpi_name};
            if (path.substr(path.rfind('/') + 1).starts_with(here.name)) here.paths.emplace_back(path);
            return 0;
        },
        &wanted);
    for (const std::string& path : wanted.paths) // kept open, so that it stays
        if (void* const opened = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD))
            if (void* const symbol = dlsym(opened, name)) return symbol;
    return nullptr;
}

TOPOMP_INLINE bool device_runtimes::look() {
    const std::lock_guard lock{mutex_};
    constexpr std::string_view of_cuda = "libcuda.so", of_hip = "libamdhip64.so", of_zero = "libze_loader.so";
    find(cuda_, of_cuda, "cuPointerGetAttribute");
    if (find(hip_.attributes, of_hip, "hipPointerGetAttributes")) {
        find(hip_.peek, of_hip, "hipPeekAtLastError");
        find(hip_.forget, of_hip, "hipGetLastError");
    }
    if (find(zero_.properties, of_zero, "zeMemGetAllocProperties")) {
        find(zero_.drivers, of_zero, "zeDriverGet");
        find(zero_.make_context, of_zero, "zeContextCreate");
    }
    const bool are = cuda_ != nullptr || hip_.attributes != nullptr || zero_.properties != nullptr;
    loaded_.store(are, std::memory_order_relaxed);
    return are;
}

TOPOMP_INLINE const char* device_runtimes::owner_of(const void* address) {
    if (address == nullptr || !are_loaded()) return nullptr;
    if (is_of_cuda(address)) return "CUDA";
    if (is_of_hip(address)) return "HIP";
    return is_of_level_zero(address) ? "Level Zero" : nullptr;
}

TOPOMP_INLINE bool device_runtimes::is_of_cuda(const void* address) {
    constexpr int memory_type = 2, host = 1;
    unsigned type = 0;
    return cuda_ != nullptr &&
           cuda_(&type, memory_type,
                 static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(address))) == 0 &&
           type != host && type != 0;
}

TOPOMP_INLINE bool device_runtimes::is_of_hip(const void* address) {
    if (hip_.attributes == nullptr) return false;
    struct {
        int type = 0, device = 0;
        void *on_device = nullptr, *on_host = nullptr;
        std::array<unsigned char, 112> rest{}; // later versions have more
    } reported;
    // This error must not be mixed up with the program's own.
    const bool was_clean = hip_.peek == nullptr || hip_.peek() == 0;
    if (hip_.attributes(&reported, address) == 0)
        return reported.on_device != nullptr && reported.on_host == nullptr;
    if (was_clean && hip_.forget != nullptr) static_cast<void>(hip_.forget());
    return false;
}

TOPOMP_INLINE bool device_runtimes::is_of_level_zero(const void* address) {
    if (zero_.properties == nullptr || zero_.drivers == nullptr || zero_.make_context == nullptr)
        return false;
    constexpr int properties_structure = 0x17, host = 1;
    for (void* const context : contexts()) {
        struct {
            int structure = properties_structure;
            void* next = nullptr;
            int type = 0;
            std::uint64_t id = 0, page_size = 0;
        } reported;
        void* device = nullptr;
        if (zero_.properties(context, address, &reported, &device) == 0 && reported.type != 0 &&
            reported.type != host)
            return true;
    }
    return false;
}

TOPOMP_INLINE const std::vector<void*>& device_runtimes::contexts() {
    const std::lock_guard lock{mutex_};
    if (!zero_contexts_.empty()) return zero_contexts_;
    std::uint32_t count = 0;
    if (zero_.drivers(&count, nullptr) != 0 || count == 0) return zero_contexts_;
    std::vector<void*> drivers(count), made;
    if (zero_.drivers(&count, drivers.data()) != 0) return zero_contexts_;
    struct {
        int structure = 0xd;
        const void* next = nullptr;
        std::uint32_t flags = 0;
    } const wanted;
    for (void* const each : drivers)
        if (void* context = nullptr; zero_.make_context(each, &wanted, &context) == 0)
            made.push_back(context);
    zero_contexts_ = std::move(made);
    return zero_contexts_;
}

TOPOMP_INLINE void require_host_memory(std::string_view call, std::initializer_list<const void*> buffers) {
    if (!device_runtimes::are_loaded()) [[likely]]
        return;
    for (const void* const each : buffers)
        if (const char* const owner = device_runtimes::owner_of(each))
            throw argument_error(
                call, std::string{"buffer in memory of "} + owner,
                "the processor cannot read it: copy it to the processor's memory, or call the MPI");
}

} // namespace topo::detail
