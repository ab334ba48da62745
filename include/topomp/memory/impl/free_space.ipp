// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/free_space.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <sys/statvfs.h>

namespace topo {

TOPOMP_INLINE bool free_space::holds(std::uint64_t bytes) const {
    return bytes <= shared.value_or(bytes) && bytes <= memory.value_or(bytes);
}

TOPOMP_INLINE std::string bytes_text(std::uint64_t bytes) {
    constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    auto value = static_cast<double>(bytes);
    for (; value >= 1024 && unit + 1 < units.size(); ++unit)
        value /= 1024;
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, units.at(unit));
    return text.data();
}

} // namespace topo

namespace topo::detail {

TOPOMP_INLINE std::optional<std::uint64_t> number_in(const char* file) {
    std::uint64_t number = 0;
    std::ifstream in{file};
    return in >> number ? std::optional{number} : std::nullopt;
}

TOPOMP_INLINE std::optional<std::uint64_t> left_by_control_group() {
    struct {
        const char *limit, *used;
    } const versions[] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
    for (const auto& [limit_file, used_file] : versions) {
        const auto limit = number_in(limit_file), used = number_in(used_file);
        if (limit && used) return *limit - std::min(*limit, *used);
    }
    return std::nullopt;
}

TOPOMP_INLINE std::optional<std::uint64_t> available_memory() {
    std::ifstream in{"/proc/meminfo"};
    for (std::string name; in >> name; in.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
        if (name != "MemAvailable:") continue;
        std::uint64_t kib = 0;
        if (in >> kib) return kib * 1024;
    }
    return std::nullopt;
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE free_space free_space_now(const char* directory) {
    free_space found;
    struct statvfs about {};
    if (statvfs(directory, &about) == 0)
        found.shared = static_cast<std::uint64_t>(about.f_bavail) * about.f_frsize;
    found.memory = detail::available_memory();
    if (const auto group = detail::left_by_control_group())
        found.memory = std::min(*group, found.memory.value_or(*group));
    return found;
}

} // namespace topo
