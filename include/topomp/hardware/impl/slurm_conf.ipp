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
#include <string>
#include <string_view>
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
    check_no_cycle();
    switch_table result;
    for (const network_switch& leaf : switches_)
        add_nodes(result, leaf);
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
        network_switch& child = switches_[found->second];
        if (child.parent != nobody && child.parent != parent)
            fail(above.place, "switch " + in_quotes(name) + " has two parents: " + in_quotes(above.name) +
                                  ", and " + in_quotes(switches_[child.parent].name) + " at " +
                                  switches_[child.parent].place);
        child.parent = parent;
    }
}

[[gnu::cold]] TOPOMP_INLINE void slurm_conf_reader::check_no_cycle() const {
    std::vector<std::size_t> walk_of(switches_.size(), nobody);
    for (std::size_t start = 0; start < switches_.size(); ++start) {
        std::size_t at = start;
        for (; at != nobody && walk_of[at] == nobody; at = switches_[at].parent)
            walk_of[at] = start;
        if (at != nobody && walk_of[at] == start) fail_cycle(at);
    }
}

[[gnu::cold]] TOPOMP_INLINE void slurm_conf_reader::fail_cycle(std::size_t member) const {
    std::string names = in_quotes(switches_[member].name);
    for (std::size_t at = switches_[member].parent; at != member; at = switches_[at].parent)
        names += " under " + in_quotes(switches_[at].name);
    fail(switches_[member].place,
         "the switches form a cycle: " + names + " under " + in_quotes(switches_[member].name));
}

[[gnu::cold]] TOPOMP_INLINE void slurm_conf_reader::add_nodes(switch_table& result,
                                                              const network_switch& leaf) const {
    if (leaf.nodes.empty()) return;
    std::vector<std::string> above{leaf.name};
    for (std::size_t at = leaf.parent; at != nobody; at = switches_[at].parent)
        above.push_back(switches_[at].name);
    std::reverse(above.begin(), above.end());
    const std::size_t path = result.add_path(std::move(above), in_quotes(leaf.name) + " at " + leaf.place);
    for (const std::string& node : leaf.nodes)
        if (const std::string before = result.add_host(node, path); !before.empty())
            fail(leaf.place, "node " + in_quotes(node) +
                                 " is under two leaf switches: " + in_quotes(leaf.name) + ", and " + before);
}

[[gnu::cold]] TOPOMP_INLINE switch_table read_slurm_conf(const std::string& path) {
    return slurm_conf_reader{path}.table();
}

} // namespace topo::detail
