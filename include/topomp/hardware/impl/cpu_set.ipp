// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/cpu_set.hpp>

#include <hwloc.h>

#include <charconv>
#include <new>
#include <string>
#include <string_view>

namespace topo {

TOPOMP_INLINE cpu_set& cpu_set::operator=(cpu_set other) noexcept {
    swap(other);
    return *this;
}

TOPOMP_INLINE bool cpu_set::is_subset_of(const cpu_set& other) const {
    return hwloc_bitmap_isincluded(native_handle(), other.native_handle()) != 0;
}

TOPOMP_INLINE cpu_set& cpu_set::insert(int first, int last) {
    if (hwloc_bitmap_set_range(native_handle(), static_cast<unsigned>(first), last) != 0)
        throw std::bad_alloc{};
    return *this;
}

TOPOMP_INLINE cpu_set cpu_set::without(const cpu_set& other) const {
    cpu_set rest;
    if (hwloc_bitmap_andnot(rest.native_handle(), native_handle(), other.native_handle()) != 0)
        throw std::bad_alloc{};
    return rest;
}

TOPOMP_INLINE hwloc_bitmap_t cpu_set::checked(hwloc_bitmap_t bits) {
    if (bits == nullptr) throw std::bad_alloc{};
    return bits;
}

TOPOMP_INLINE void cpu_set::refuse_use() {
    throw usage_error("topo::cpu_set", "set of CPUs", "it was moved from: assign another one to it first");
}

TOPOMP_INLINE std::string to_string(const cpu_set& set) {
    std::string text(static_cast<std::size_t>(hwloc_bitmap_list_snprintf(nullptr, 0, set.native_handle())),
                     '\0');
    hwloc_bitmap_list_snprintf(text.data(), text.size() + 1, set.native_handle());
    return text;
}

TOPOMP_INLINE cpu_set cpu_set::parse(std::string_view list) {
    // hwloc's own reader takes anything up to the first odd character, so the grammar is checked here.
    constexpr int most_cpus = 1 << 20;
    const char* const begin = list.data();
    const char* const end = begin + list.size();
    const char* at = begin;
    const auto fail = [&](std::string_view problem) {
        throw input_error("topo::cpu_set", '"' + std::string{list} + '"',
                          "column " + std::to_string(at - begin + 1) + ": " + std::string{problem});
    };
    const auto number = [&] {
        int value = 0;
        const auto [next, failure] = std::from_chars(at, end, value);
        if (failure != std::errc{} || value < 0 || value >= most_cpus) fail("expected the number of a CPU");
        at = next;
        return value;
    };
    cpu_set set;
    while (true) {
        const int first = number();
        int last = first;
        if (at != end && *at == '-') {
            ++at;
            last = number();
            if (last < first) fail("the range runs backwards");
        }
        set.insert(first, last);
        if (at == end) return set;
        if (*at != ',') fail("expected ',' or '-'");
        ++at;
    }
}

} // namespace topo
