// SPDX-License-Identifier: BSL-1.0
/// @file
/// A set of processing units, as a value.
#pragma once

#include <topomp/core/error.hpp>

#include <hwloc.h>

#include <string>
#include <string_view>
#include <utility>

namespace topo {

/// A set of processing units (PUs) of one node, by the operating system's numbers. Wraps `hwloc_bitmap_t`.
/// One that was moved from may be destroyed and assigned to; every other use throws a usage_error.
class cpu_set {
public:
    cpu_set() : bits_(checked(hwloc_bitmap_alloc())) {}
    /// A copy of hwloc's set.
    explicit cpu_set(hwloc_const_bitmap_t other) : bits_(checked(hwloc_bitmap_dup(other))) {}
    cpu_set(const cpu_set& other) : cpu_set(other.native_handle()) {}
    cpu_set(cpu_set&& other) noexcept : bits_(std::exchange(other.bits_, nullptr)) {}
    cpu_set& operator=(cpu_set other) noexcept;
    ~cpu_set() { hwloc_bitmap_free(bits_); }

    /// Reads a list such as `0-3,8`.
    /// @throws input_error if the text is not such a list, naming it and the column.
    static cpu_set parse(std::string_view list);

    /// Whether no PU is in it.
    bool empty() const { return hwloc_bitmap_iszero(native_handle()) != 0; }
    /// Whether a PU is in it.
    bool contains(int pu) const {
        return hwloc_bitmap_isset(native_handle(), static_cast<unsigned>(pu)) != 0;
    }
    /// Whether all its PUs are in `other`.
    bool is_subset_of(const cpu_set& other) const;
    /// Adds the PUs from `first` to `last`, both included. @return itself
    cpu_set& insert(int first, int last);
    /// The PUs of this set that are not in `other`.
    cpu_set without(const cpu_set& other) const;
    /// hwloc's set, lent.
    hwloc_bitmap_t native_handle() const {
        if (bits_ == nullptr) [[unlikely]]
            refuse_use();
        return bits_;
    }

    void swap(cpu_set& other) noexcept { std::swap(bits_, other.bits_); }
    friend bool operator==(const cpu_set& a, const cpu_set& b) {
        return hwloc_bitmap_isequal(a.native_handle(), b.native_handle()) != 0;
    }

private:
    static hwloc_bitmap_t checked(hwloc_bitmap_t bits);
    [[noreturn]] static void refuse_use();
    hwloc_bitmap_t bits_; ///< null: it was moved from
};

/// The set as a list: `0-3,8`.
std::string to_string(const cpu_set& set);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/cpu_set.ipp>
#endif
