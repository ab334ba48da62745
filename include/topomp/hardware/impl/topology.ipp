// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/cpu_set.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/topology.hpp>

#include <hwloc.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE std::optional<kind> kind_of(hwloc_obj_type_t type) {
    return kind_from_string(hwloc_obj_type_string(type));
}

} // namespace topo::detail

namespace topo {

[[gnu::cold]] TOPOMP_INLINE topology topology::this_machine() {
    return load("this machine", [](hwloc_topology_t) { return 0; });
}

[[gnu::cold]] TOPOMP_INLINE topology topology::from_xml(const std::string& file) {
    errno = 0;
    if (std::ifstream in{file}; !in || in.peek() == std::ifstream::traits_type::eof()) {
        if (errno == 0) throw input_error("topo::topology::from_xml", file, "the file is empty");
        throw system_error("topo::topology::from_xml", file, std::strerror(errno));
    }
    return load(file, [&](hwloc_topology_t raw) { return hwloc_topology_set_xml(raw, file.c_str()); });
}

[[gnu::cold]] TOPOMP_INLINE topology topology::from_synthetic(const std::string& description) {
    return load('"' + description + '"',
                [&](hwloc_topology_t raw) { return hwloc_topology_set_synthetic(raw, description.c_str()); });
}

[[gnu::cold]] TOPOMP_INLINE cpu_set topology::core(int index) const {
    return cpu_set{hwloc_get_obj_by_type(native_handle(), core_type(), static_cast<unsigned>(index))->cpuset};
}

[[gnu::cold]] TOPOMP_INLINE cpu_set topology::binding() const {
    cpu_set bound;
    const int outcome = hwloc_get_cpubind(native_handle(), bound.native_handle(), HWLOC_CPUBIND_PROCESS);
    return outcome == 0 && !bound.empty() ? bound : cpus();
}

[[gnu::cold]] TOPOMP_INLINE cpu_set topology::last_cpu() const {
    cpu_set last;
    const int outcome =
        hwloc_get_last_cpu_location(native_handle(), last.native_handle(), HWLOC_CPUBIND_THREAD);
    return outcome == 0 && !last.empty() ? last : cpus();
}

[[gnu::cold]] TOPOMP_INLINE hwloc_topology_t topology::native_handle() const {
    if (!owner_)
        throw usage_error("topo::topology", "topology", "it was moved from: assign another one to it first");
    return owner_.native_handle();
}

[[gnu::cold]] TOPOMP_INLINE hwloc_obj_type_t topology::core_type() const {
    return hwloc_get_nbobjs_by_type(native_handle(), HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

/// The index of the NUMA node that hangs on an object, if it divides the machine's CPUs.
[[gnu::cold]] TOPOMP_INLINE std::optional<int> topology::numa_node_on(hwloc_obj_t object) const {
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

[[gnu::cold]] TOPOMP_INLINE std::vector<hardware_object> topology::path_of(const cpu_set& binding) const {
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
            // Groups nest in groups, and hwloc numbers each depth from 0: the name distinguishes them.
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
