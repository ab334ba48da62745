// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hardware of one node, owned: from hwloc, an hwloc XML file, or an hwloc synthetic description.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/core/handle.hpp>
#include <topomp/hardware/cpu_set.hpp>
#include <topomp/hardware/place.hpp>

#include <hwloc.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace topo {

namespace detail {

struct topology_traits {
    using type = hwloc_topology_t;
    static type null() noexcept { return nullptr; }
    static void destroy(type topology) noexcept { hwloc_topology_destroy(topology); }
};

/// The kind of an hwloc object that can be a level, or nothing (instruction caches, memory-side caches, I/O).
std::optional<kind> kind_of(hwloc_obj_type_t type);

} // namespace detail

/// The hardware of one node, held through hwloc. Movable, not copyable; freed with the object.
///
/// Objects are taken as partitions of the CPUs: a NUMA node, which hwloc hangs aside on a package, a cache or
/// a group, is placed right below the object it hangs on. It counts only if it divides the machine: a NUMA
/// node that spans all CPUs, or that has others inside it (far memory), does not divide the ranks. Several on
/// one object (HBM beside DRAM) count as one, the first.
class topology {
public:
    /// What hwloc finds on this machine, including objects that this process may not use, so that all
    /// processes of a node number objects alike. Costs some ten milliseconds. @throws system_error
    static topology this_machine();

    /// From a file written by `lstopo file.xml`. @throws system_error if it cannot be read, input_error if it
    /// is no such file.
    static topology from_xml(const std::string& file);

    /// From an hwloc synthetic description: `package:2 l3:1 core:4 pu:1`. @throws input_error
    static topology from_synthetic(const std::string& description);

    /// All CPUs of the node.
    cpu_set cpus() const { return cpu_set{hwloc_get_root_obj(native_handle())->cpuset}; }

    /// How many cores there are; PUs where the machine has no cores.
    int core_count() const { return hwloc_get_nbobjs_by_type(native_handle(), core_type()); }

    /// The CPUs of core number `index` (hwloc's logical number); of that PU where the machine has no cores.
    /// @pre `0 <= index < core_count()`
    cpu_set core(int index) const;

    /// The objects that contain all of `binding`, outermost (the machine itself) first.
    ///
    /// CPUs that the node does not have are ignored; an empty binding means unbound.
    /// @see paper 1, section 3.2.4
    std::vector<hardware_object> path_of(const cpu_set& binding) const;

    /// The CPUs that this process may run on now, all its threads together; all CPUs if the system does not
    /// report it. Only for `this_machine()`.
    cpu_set binding() const;

    /// The CPU that the calling thread last ran on; all CPUs if the system does not report it. Only for
    /// `this_machine()`.
    cpu_set last_cpu() const;

    /// hwloc's topology, lent.
    hwloc_topology_t native_handle() const;

private:
    explicit topology(handle<detail::topology_traits> owner) noexcept : owner_(std::move(owner)) {}

    template <class Source>
    static topology load(const std::string& object, Source source) {
        hwloc_topology_t raw = nullptr;
        if (hwloc_topology_init(&raw) != 0)
            throw system_error("hwloc_topology_init", object, std::strerror(errno));
        auto owner = handle<detail::topology_traits>::adopt(raw);
        if (source(raw) != 0)
            throw input_error("topo::topology", object,
                              "hwloc does not take this as the description of a machine");
        hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
        if (hwloc_topology_load(raw) != 0)
            throw input_error("topo::topology", object, "hwloc cannot load a machine from this");
        if (hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_PU) < 1)
            throw input_error("topo::topology", object, "it describes a machine without CPUs");
        return topology{std::move(owner)};
    }

    hwloc_obj_type_t core_type() const;
    std::optional<int> numa_node_on(hwloc_obj_t object) const;

    handle<detail::topology_traits> owner_;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/topology.ipp>
#endif
