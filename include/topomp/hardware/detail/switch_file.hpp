// SPDX-License-Identifier: BSL-1.0
/// @file
/// topomp's own plain file of switches: `host: path of switches`.
#pragma once

#include <topomp/hardware/detail/switch_table.hpp>
#include <topomp/hardware/detail/text_file.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

/// The words of @p text from @p offset on, which are names of switches; throws `text_problem`.
std::vector<std::string> read_switch_path(std::string_view text, std::size_t offset);

/// Reads one line into the table; throws `text_problem`.
void read_switch_line(switch_table& table, const text_line& line);

/// Reads a plain file of switches.
///
/// @throws system_error if it cannot be read, input_error if a line is malformed or a host stands on two
/// lines
/// @see docs/network.md for the format
switch_table read_switch_file(const std::string& path);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/switch_file.ipp>
#endif
