// SPDX-License-Identifier: BSL-1.0
/// @file
/// The place of the calling process in the network, from Slurm's variable: `SLURM_TOPOLOGY_ADDR`.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/text_problem.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

inline constexpr const char* slurm_address_variable = "SLURM_TOPOLOGY_ADDR";
inline constexpr const char* slurm_pattern_variable = "SLURM_TOPOLOGY_ADDR_PATTERN";

/// The value of an environment variable, empty if it is not set.
std::string environment_value(const char* name);

/// The exception for a problem in a variable: `call: NAME="value", component 2, column 4: problem`.
input_error variable_error(std::string_view name, std::string_view value, std::string_view place,
                           std::string_view problem);

struct address_component {
    std::string text;
    std::size_t offset;
    std::size_t number;

    std::string place() const { return "component " + std::to_string(number) + ", " + column_of(offset); }
};

/// The components of a dotted text; of more than @p most the last takes the rest, dots and all.
std::vector<address_component> address_components(const std::string& text, std::size_t most);

/// The types of the components, of which only the last is 'node': `switch.switch.node`.
std::vector<address_component> pattern_components(const std::string& pattern);

void check_node_name(const std::string& address, const address_component& node);

/// The name in a component of a type such as `torus:x:y:z`: coordinates do not nest, so they are no switches.
std::string component_name(const std::string& address, const address_component& component,
                           const address_component& type);

/// The components of an address that fit its pattern; without a pattern all but the last are switches.
std::vector<address_component> matched_components(const std::string& address,
                                                  const std::vector<address_component>& types);

/// The switches above the calling process, outermost first; none if Slurm names none.
///
/// Slurm leaves a component empty where a node has no switch of that height; such components are left out.
///
/// The node that the address names need not be called as the host is: Slurm's names and the hosts' may
/// differ. Where a launcher copied the variables of one node to all others, all hosts name the same switches,
/// which then divide nothing and give no level.
///
/// @throws input_error if the variables contradict themselves or each other
/// @see https://slurm.schedmd.com/topology.html
std::vector<std::string> read_slurm_address();

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/slurm_address.ipp>
#endif
