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

TOPOMP_INLINE std::optional<std::uint64_t> number_in_file(const std::string& file) {
    std::uint64_t number = 0;
    std::ifstream in{file};
    return in >> number ? std::optional{number} : std::nullopt;
}

TOPOMP_INLINE std::optional<std::uint64_t> left_by_control_group(const std::string& root) {
    struct {
        const char *limit, *used, *statistics, *lists_of_files;
    } const versions[] = {
        {"/memory.max", "/memory.current", "/memory.stat", ""},
        {"/memory/memory.limit_in_bytes", "/memory/memory.usage_in_bytes", "/memory/memory.stat", "total_"}};
    for (const auto& version : versions) {
        const auto limit = number_in_file(root + version.limit), used = number_in_file(root + version.used);
        if (!limit || !used) continue;
        std::uint64_t cached = 0, value = 0;
        std::ifstream statistics{root + version.statistics};
        const std::string of_files = version.lists_of_files;
        for (std::string name; statistics >> name >> value;)
            if (name == of_files + "active_file" || name == of_files + "inactive_file") cached += value;
        const std::uint64_t needed = *used - std::min(*used, cached);
        return *limit - std::min(*limit, needed);
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
