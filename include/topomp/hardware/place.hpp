// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where one rank may run, as a value.
#pragma once

#include <topomp/hardware/kind.hpp>

#include <compare>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace topo {

/// One hardware object on the path from the outermost switch to where a rank may run.
///
/// Two objects with the same parents are the same object if and only if kind, index and name are equal; only
/// these are compared.
struct hardware_object {
    topo::kind kind{}; ///< what sort of object it is
    int index = 0;     ///< hwloc's logical index inside the node, the node's number, or 0 for a switch
    std::string
        name; ///< a switch's or node's own name; empty inside a node, where kind and index identify it
    /// Whether it has the same processing units as the object before it in the path: a package that is all of
    /// its node, a switch with one node below it. False where that is not known.
    bool fills_outer = false;

    friend bool operator==(const hardware_object& a, const hardware_object& b) {
        return a.kind == b.kind && a.index == b.index && a.name == b.name;
    }
    friend std::strong_ordering operator<=>(const hardware_object& a, const hardware_object& b) {
        if (a.kind != b.kind) return a.kind <=> b.kind;
        if (a.index != b.index) return a.index <=> b.index;
        return a.name.compare(b.name) <=> 0;
    }
};

/// A readable name: the object's own if it has one, else kind and index: `L3Cache#1`.
std::string to_string(const hardware_object& object);

/// Where one rank may run: the path of hardware objects from the outermost switch down to the smallest object
/// that contains the rank's whole binding. A value; it needs neither MPI nor hwloc.
///
/// ```
///   rank bound to core 2:            Switch s0 > Machine node1 > Package#0 > L3Cache#0 > Core#2 > PU#2
///   rank bound to two packages:      Switch s0 > Machine node1
/// ```
///
/// @see paper 1, section 3.2.4: no level is given below the smallest object that contains the binding.
class place {
public:
    place() = default;
    /// A place from its objects, outermost first.
    explicit place(std::vector<hardware_object> path) : path_(std::move(path)) {}

    /// The objects, outermost first.
    const std::vector<hardware_object>& path() const noexcept { return path_; }

    friend bool operator==(const place& a, const place& b);
    /// Prints the objects, outermost first, with ` > ` in between.
    friend std::ostream& operator<<(std::ostream& out, const place& p);

private:
    std::vector<hardware_object> path_;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/place.ipp>
#endif
