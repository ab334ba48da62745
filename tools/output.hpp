// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where the command's output goes.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace topo::tool {

/// Writes to a file, or to standard output if none is named, as it comes: nothing holds all of it.
/// @throws system_error if not everything could be written
void write_output(std::string_view call, const std::optional<std::string>& file,
                  const std::function<void(std::ostream&)>& write);

/// The same for a text that is there already.
void write_output(std::string_view call, const std::optional<std::string>& file, const std::string& text);

} // namespace topo::tool
