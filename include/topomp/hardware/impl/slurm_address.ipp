// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/slurm_address.hpp>
#include <topomp/hardware/detail/text_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE std::string environment_value(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

[[gnu::cold]] TOPOMP_INLINE input_error variable_error(std::string_view name, std::string_view value,
                                                       std::string_view place, std::string_view problem) {
    const std::string object = std::string{name}.append("=\"").append(value).append("\", ").append(place);
    return input_error("topo::network::slurm_environment", object, problem);
}

[[gnu::cold]] TOPOMP_INLINE std::vector<address_component> address_components(const std::string& text,
                                                                              std::size_t most) {
    std::vector<address_component> components;
    std::size_t start = 0;
    while (components.size() + 1 < most) {
        const std::size_t dot = text.find('.', start);
        if (dot == std::string::npos) break;
        components.push_back({text.substr(start, dot - start), start, components.size() + 1});
        start = dot + 1;
    }
    components.push_back({text.substr(start), start, components.size() + 1});
    return components;
}

[[gnu::cold]] TOPOMP_INLINE std::vector<address_component> pattern_components(const std::string& pattern) {
    std::vector<address_component> types = address_components(pattern, pattern.size() + 1);
    for (const address_component& type : types) {
        if (type.text.empty())
            throw variable_error(slurm_pattern_variable, pattern, type.place(),
                                 "a type of component is missing");
        if ((type.text == "node") != (&type == &types.back()))
            throw variable_error(slurm_pattern_variable, pattern, type.place(),
                                 "'node' must be the last component");
    }
    return types;
}

[[gnu::cold]] TOPOMP_INLINE void check_node_name(const std::string& address, const address_component& node) {
    const std::string dotted = '.' + node.text + '.';
    if (dotted.find("..") == std::string::npos) return;
    throw variable_error(slurm_address_variable, address, node.place(),
                         node.text.empty() ? "the name of the node is missing"
                                           : in_quotes(node.text) + " is no name of a node");
}

[[gnu::cold]] TOPOMP_INLINE std::string component_name(const std::string& address,
                                                       const address_component& component,
                                                       const address_component& type) {
    const auto colons = std::count(type.text.begin(), type.text.end(), ':');
    if (colons == 0) return component.text;
    if (!component.text.empty() && std::count(component.text.begin(), component.text.end(), ':') != colons)
        throw variable_error(slurm_address_variable, address, component.place(),
                             in_quotes(component.text) + " is not of the form " + in_quotes(type.text));
    return component.text.substr(0, component.text.find(':'));
}

[[gnu::cold]] TOPOMP_INLINE std::vector<address_component>
matched_components(const std::string& address, const std::vector<address_component>& types) {
    const std::size_t most = types.empty() ? address.size() + 1 : types.size();
    std::vector<address_component> components = address_components(address, most);
    if (components.size() < types.size())
        throw variable_error(slurm_address_variable, address, components.back().place(),
                             "ends after " + std::to_string(components.size()) + " of the " +
                                 std::to_string(types.size()) + " components of " + slurm_pattern_variable);
    check_node_name(address, components.back());
    return components;
}

[[gnu::cold]] TOPOMP_INLINE std::vector<std::string> read_slurm_address() {
    const std::string address = environment_value(slurm_address_variable);
    if (address.empty()) return {};
    const std::string pattern = environment_value(slurm_pattern_variable);
    const auto types = pattern.empty() ? std::vector<address_component>{} : pattern_components(pattern);
    std::vector<address_component> components = matched_components(address, types);
    components.pop_back();
    std::vector<std::string> switches;
    for (const address_component& component : components) {
        std::string name =
            types.empty() ? component.text : component_name(address, component, types[component.number - 1]);
        if (!name.empty()) switches.push_back(std::move(name));
    }
    return switches;
}

} // namespace topo::detail
