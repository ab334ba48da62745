// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether what `topomp measure` found can be believed.
#pragma once

#include <topomp/model/machine_parameters.hpp>

#include <string>
#include <vector>

namespace topo::tool {

/// The note in a file of parameters with which `topomp measure` says why nothing can follow from them.
inline constexpr const char* unusable_note = "unusable";

/// Where the machine was too noisy: a line for each level whose times of messages spread widely.
std::vector<std::string> noise_in(const model::machine_parameters& found);

/// What cannot be so on any machine, or was marked as such by `topomp measure`; empty if there is nothing.
std::string nonsense_in(const model::machine_parameters& found);

} // namespace topo::tool
