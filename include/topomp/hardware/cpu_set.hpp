// SPDX-License-Identifier: BSL-1.0
/// @file
/// A set of processing units, as a value.
#pragma once

#include <topomp/core/error.hpp>

#include <hwloc.h>

#include <charconv>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace topo {

/// A set of processing units (PUs) of one node, by the operating system's numbers. Wraps `hwloc_bitmap_t`.
class cpu_set {
public:
    cpu_set() : bits_(checked(hwloc_bitmap_alloc())) {}
    explicit cpu_set(hwloc_const_bitmap_t other) : bits_(checked(hwloc_bitmap_dup(other))) {}
    cpu_set(const cpu_set& other) : cpu_set(other.bits_) {}
    cpu_set(cpu_set&& other) noexcept : bits_(std::exchange(other.bits_, nullptr)) {}
    cpu_set& operator=(cpu_set other) noexcept {
        swap(other);
        return *this;
    }
    ~cpu_set() { hwloc_bitmap_free(bits_); }

    /// Reads a list such as `0-3,8`.
    /// @throws input_error if the text is not such a list, naming it and the column.
    static cpu_set parse(std::string_view list);

    bool empty() const noexcept { return hwloc_bitmap_iszero(bits_) != 0; }
    bool contains(int pu) const noexcept { return hwloc_bitmap_isset(bits_, static_cast<unsigned>(pu)) != 0; }
    bool is_subset_of(const cpu_set& other) const noexcept {
        return hwloc_bitmap_isincluded(bits_, other.bits_) != 0;
    }
    cpu_set& insert(int first, int last) {
        if (hwloc_bitmap_set_range(bits_, static_cast<unsigned>(first), last) != 0) throw std::bad_alloc{};
        return *this;
    }
    /// The PUs of this set that are not in `other`.
    cpu_set without(const cpu_set& other) const {
        cpu_set rest;
        if (hwloc_bitmap_andnot(rest.bits_, bits_, other.bits_) != 0) throw std::bad_alloc{};
        return rest;
    }
    hwloc_bitmap_t native_handle() const noexcept { return bits_; }

    void swap(cpu_set& other) noexcept { std::swap(bits_, other.bits_); }
    friend bool operator==(const cpu_set& a, const cpu_set& b) noexcept {
        return hwloc_bitmap_isequal(a.bits_, b.bits_) != 0;
    }

private:
    static hwloc_bitmap_t checked(hwloc_bitmap_t bits) {
        if (bits == nullptr) throw std::bad_alloc{};
        return bits;
    }
    hwloc_bitmap_t bits_;
};

/// The set as a list: `0-3,8`.
inline std::string to_string(const cpu_set& set) {
    std::string text(static_cast<std::size_t>(hwloc_bitmap_list_snprintf(nullptr, 0, set.native_handle())),
                     '\0');
    hwloc_bitmap_list_snprintf(text.data(), text.size() + 1, set.native_handle());
    return text;
}

inline cpu_set cpu_set::parse(std::string_view list) {
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
