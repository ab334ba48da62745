// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/detail/slurm_conf.hpp>
#include <topomp/hardware/detail/slurm_conf_line.hpp>
#include <topomp/hardware/detail/switch_table.hpp>
#include <topomp/hardware/detail/text_file.hpp>
#include <topomp/hardware/detail/text_problem.hpp>
#include <topomp/hardware/hostlist.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE slurm_conf_reader::slurm_conf_reader(const std::string& path) : path_(path) {
    const std::string content = read_text_file(call, path);
    for (const text_line& line : text_lines(content, line_joining::at_backslash)) {
        try {
            read_line(line);
        } catch (const text_problem& found) {
            fail(line.place(found.offset), found.problem);
        }
    }
}

[[gnu::cold]] TOPOMP_INLINE switch_table slurm_conf_reader::table() {
    for (std::size_t parent = 0; parent < switches_.size(); ++parent)
        link_children(parent);
    measure_heights();
    std::vector<std::string> hosts; // in the order of the file
    std::unordered_map<std::string, std::vector<std::size_t>> leaves_of;
    for (std::size_t leaf = 0; leaf < switches_.size(); ++leaf)
        for (const std::string& host : switches_[leaf].nodes) {
            auto& leaves = leaves_of[host];
            if (leaves.empty()) hosts.push_back(host);
            if (leaves.empty() || leaves.back() != leaf) leaves.push_back(leaf);
        }
    switch_table result;
    std::map<std::vector<std::size_t>, std::size_t> paths;
    for (const std::string& host : hosts) {
        const auto& leaves = leaves_of[host];
        auto found = paths.find(leaves);
        if (found == paths.end()) {
            const network_switch& first = switches_[leaves.front()];
            const auto path =
                result.add_path(switches_above(leaves), in_quotes(first.name) + " at " + first.place);
            found = paths.emplace(leaves, path).first;
        }
        result.add_host(host, found->second);
    }
    return result;
}

[[gnu::cold]] TOPOMP_INLINE void slurm_conf_reader::fail(std::string_view place,
                                                         std::string_view problem) const {
    throw file_error(call, path_, place, problem);
}

[[gnu::cold]] TOPOMP_INLINE void slurm_conf_reader::read_line(const text_line& line) {
    const slurm_conf_line read{line.text()};
    network_switch added{read.switch_name(), line.place(read.switch_name_offset()), read.nodes(),
                         read.switches()};
    const auto [found, is_new] = indices_.try_emplace(added.name, switches_.size());
    if (!is_new)
        throw text_problem{read.switch_name_offset(), "switch " + in_quotes(added.name) + " is defined at " +
                                                          switches_[found->second].place + " already"};
    switches_.push_back(std::move(added));
}

[[gnu::cold]] TOPOMP_INLINE void slurm_conf_reader::link_children(std::size_t parent) {
    const network_switch& above = switches_[parent];
    for (const std::string& name : above.children) {
        const auto found = indices_.find(name);
        if (found == indices_.end())
            fail(above.place,
                 "child switch " + in_quotes(name) + " of " + in_quotes(above.name) + " is never defined");
        auto& parents = switches_[found->second].parents;
        if (parents.empty() || parents.back() != parent) parents.push_back(parent);
    }
}

TOPOMP_INLINE void slurm_conf_reader::measure_heights() {
    // From the leaves up: a switch comes when all below it have come.
    std::vector<std::size_t> below(switches_.size()), ready;
    for (const network_switch& each : switches_)
        for (const std::size_t parent : each.parents)
            ++below[parent];
    for (std::size_t i = 0; i < switches_.size(); ++i)
        if (below[i] == 0) ready.push_back(i);
    for (std::size_t next = 0; next < ready.size(); ++next)
        for (const std::size_t parent : switches_[ready[next]].parents) {
            auto& height = switches_[parent].height;
            height = std::max(height, switches_[ready[next]].height + 1);
            if (--below[parent] == 0) ready.push_back(parent);
        }
    if (ready.size() == switches_.size()) return;
    // What is left is in a cycle or above one: its children that are left lead down into the cycle.
    std::size_t member = 0;
    while (below[member] == 0)
        ++member;
    for (std::size_t steps = 0; steps < switches_.size(); ++steps)
        for (const std::string& child : switches_[member].children)
            if (const std::size_t at = indices_.at(child); below[at] > 0) {
                member = at;
                break;
            }
    fail_cycle(member);
}

TOPOMP_INLINE void slurm_conf_reader::fail_cycle(std::size_t member) const {
    // Upwards from the member, along the first parents that lead back to it.
    std::vector<std::size_t> came_from(switches_.size(), switches_.size()), queue{member};
    for (std::size_t next = 0; next < queue.size() && came_from[member] == switches_.size(); ++next)
        for (const std::size_t parent : switches_[queue[next]].parents)
            if (came_from[parent] == switches_.size()) {
                came_from[parent] = queue[next];
                queue.push_back(parent);
            }
    std::vector<std::size_t> cycle{member}; // downwards
    for (std::size_t at = came_from[member]; at != member; at = came_from[at])
        cycle.push_back(at);
    // The message begins with the switch that the file names first.
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    std::string names = in_quotes(switches_[cycle.front()].name);
    for (auto at = cycle.rbegin(); at != cycle.rend(); ++at)
        names += " under " + in_quotes(switches_[*at].name);
    fail(switches_[cycle.front()].place, "the switches form a cycle: " + names);
}

TOPOMP_INLINE std::vector<std::string>
slurm_conf_reader::switches_above(const std::vector<std::size_t>& leaves) const {
    std::vector<std::size_t> above = leaves; // and all that is over them
    for (std::size_t i = 0; i < above.size(); ++i)
        for (const std::size_t parent : switches_[above[i]].parents)
            if (std::find(above.begin(), above.end(), parent) == above.end()) above.push_back(parent);
    std::map<std::size_t, std::vector<std::size_t>, std::greater<>> by_height;
    for (const std::size_t each : above)
        by_height[switches_[each].height].push_back(each);
    std::vector<std::string> path;
    for (auto& [height, all] : by_height) {
        std::sort(all.begin(), all.end());
        std::vector<std::string> names;
        for (const std::size_t each : all)
            names.push_back(switches_[each].name);
        path.push_back(compress_hostlist(names));
    }
    return path;
}

[[gnu::cold]] TOPOMP_INLINE switch_table read_slurm_conf(const std::string& path) {
    return slurm_conf_reader{path}.table();
}

} // namespace topo::detail
