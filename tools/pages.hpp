// SPDX-License-Identifier: BSL-1.0
/// @file
/// Man pages and completions, made from the same model as --help.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace topo::tool {

/// The man page of `topomp`, or of one of its subcommands, as roff.
std::string man_page(const CLI::App& command);

/// What bash has to read to complete topomp's words.
std::string bash_completion(const CLI::App& topomp);

/// The function `_topomp` of zsh.
std::string zsh_completion(const CLI::App& topomp);

} // namespace topo::tool
