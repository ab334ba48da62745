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
#include <filesystem>
#include <fstream>
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
inline std::optional<kind> kind_of(hwloc_obj_type_t type) {
    return kind_from_string(hwloc_obj_type_string(type));
}

} // namespace detail

/// The hardware of one node, held through hwloc. Movable, not copyable; freed with the object.
///
/// Objects are taken as partitions of the CPUs: a NUMA node, which hwloc hangs aside on a package, a cache or
/// a group, is placed right below the object it hangs on. It counts only if it divides the machine: a NUMA
/// node that spans all CPUs, or that has others inside it (far memory), tells no two ranks apart. Several on
/// one object (HBM beside DRAM) count as one, the first.
class topology {
public:
    /// What hwloc finds on this machine, parts that this process may not use included, so that all processes
    /// of a node number objects alike. Costs some ten milliseconds. @throws system_error
    static topology this_machine() {
        return load("this machine", [](hwloc_topology_t) { return 0; });
    }

    /// From a file written by `lstopo file.xml`. @throws system_error if it cannot be read, input_error if it
    /// is no such file.
    static topology from_xml(const std::filesystem::path& file) {
        const std::string name = file.string();
        errno = 0;
        if (std::ifstream in{file}; !in || in.peek() == std::ifstream::traits_type::eof()) {
            if (errno == 0) throw input_error("topo::topology::from_xml", name, "the file is empty");
            throw system_error("topo::topology::from_xml", name, std::strerror(errno));
        }
        return load(name, [&](hwloc_topology_t raw) { return hwloc_topology_set_xml(raw, name.c_str()); });
    }

    /// From an hwloc synthetic description: `package:2 l3:1 core:4 pu:1`. @throws input_error
    static topology from_synthetic(const std::string& description) {
        return load('"' + description + '"', [&](hwloc_topology_t raw) {
            return hwloc_topology_set_synthetic(raw, description.c_str());
        });
    }

    /// All CPUs of the node.
    cpu_set cpus() const { return cpu_set{hwloc_get_root_obj(native_handle())->cpuset}; }

    /// How many cores there are; PUs where the machine has no cores.
    int core_count() const { return hwloc_get_nbobjs_by_type(native_handle(), core_type()); }

    /// The CPUs of core number `index` (hwloc's logical number); of that PU where the machine has no cores.
    /// @pre `0 <= index < core_count()`
    cpu_set core(int index) const {
        return cpu_set{
            hwloc_get_obj_by_type(native_handle(), core_type(), static_cast<unsigned>(index))->cpuset};
    }

    /// The objects that contain all of `binding`, outermost (the machine itself) first.
    ///
    /// CPUs that the node does not have are ignored; an empty binding means unbound.
    /// @see paper 1, section 3.2.4
    std::vector<hardware_object> path_of(const cpu_set& binding) const;

    /// The CPUs that this process may run on now, all its threads together; all CPUs where the system cannot
    /// tell. Only for `this_machine()`.
    cpu_set binding() const {
        cpu_set bound;
        const int outcome = hwloc_get_cpubind(native_handle(), bound.native_handle(), HWLOC_CPUBIND_PROCESS);
        return outcome == 0 && !bound.empty() ? bound : cpus();
    }

    /// The CPU that the calling thread last ran on; all CPUs where the system cannot tell. Only for
    /// `this_machine()`.
    cpu_set last_cpu() const {
        cpu_set last;
        const int outcome =
            hwloc_get_last_cpu_location(native_handle(), last.native_handle(), HWLOC_CPUBIND_THREAD);
        return outcome == 0 && !last.empty() ? last : cpus();
    }

    hwloc_topology_t native_handle() const {
        if (!owner_)
            throw usage_error("topo::topology", "topology",
                              "it was moved from: assign another one to it first");
        return owner_.native_handle();
    }

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

    hwloc_obj_type_t core_type() const {
        return hwloc_get_nbobjs_by_type(native_handle(), HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    }
    std::optional<int> numa_node_on(hwloc_obj_t object) const;

    handle<detail::topology_traits> owner_;
};

/// The index of the NUMA node that hangs on an object, if it divides the machine's CPUs.
inline std::optional<int> topology::numa_node_on(hwloc_obj_t object) const {
    if (hwloc_bitmap_isequal(object->cpuset, hwloc_get_root_obj(native_handle())->cpuset))
        return std::nullopt;
    std::optional<int> first;
    for (hwloc_obj_t node = nullptr;
         (node = hwloc_get_next_obj_by_type(native_handle(), HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
        if (hwloc_bitmap_iszero(node->cpuset)) continue;
        hwloc_obj_t host = node->parent; // beyond memory-side caches
        while (host != nullptr && hwloc_obj_type_is_memory(host->type))
            host = host->parent;
        if (host == object && !first) first = static_cast<int>(node->logical_index);
        const bool inside = hwloc_bitmap_isincluded(node->cpuset, object->cpuset) &&
                            !hwloc_bitmap_isequal(node->cpuset, object->cpuset);
        if (inside) return std::nullopt;
    }
    return first;
}

inline std::vector<hardware_object> topology::path_of(const cpu_set& binding) const {
    hwloc_obj_t at = hwloc_get_root_obj(native_handle());
    cpu_set wanted{at->cpuset};
    hwloc_bitmap_and(wanted.native_handle(), wanted.native_handle(), binding.native_handle());
    if (wanted.empty()) wanted = cpu_set{at->cpuset};

    std::vector<hardware_object> path;
    hwloc_const_cpuset_t outer = nullptr; // of the last object in the path
    const auto add = [&](hardware_object object, hwloc_const_cpuset_t cpus) {
        object.fills_outer = outer != nullptr && hwloc_bitmap_isequal(outer, cpus) != 0;
        outer = cpus;
        path.push_back(std::move(object));
    };
    const auto holds_binding = [&](hwloc_obj_t child) {
        return hwloc_bitmap_isincluded(wanted.native_handle(), child->cpuset) != 0;
    };
    while (at != nullptr) {
        if (const auto which = detail::kind_of(at->type)) {
            hardware_object object{*which, static_cast<int>(at->logical_index), {}};
            // Groups nest in groups, and hwloc numbers each depth from 0: the name keeps them apart.
            if (*which == kind::group)
                object.name =
                    "Group" + std::to_string(at->attr->group.depth) + '#' + std::to_string(object.index);
            add(std::move(object), at->cpuset);
        }
        if (const auto numa = numa_node_on(at)) add({kind::numa_node, *numa, {}}, at->cpuset);
        hwloc_obj_t child = at->first_child;
        while (child != nullptr && !holds_binding(child))
            child = child->next_sibling;
        at = child;
    }
    return path;
}

} // namespace topo
