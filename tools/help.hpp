// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the options say of themselves, read from CLI11's model: the source of --help, man pages and
/// completions.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace topo::tool {

/// One option.
struct option_text {
    std::vector<std::string> names;   ///< as typed: `-h`, `--help`
    std::string value;                ///< what has to follow: FILE, NUMBER, TEXT, `text|json`; empty: nothing
    std::vector<std::string> choices; ///< the only values, where there are such
    bool takes_file = false;
    std::string about; ///< with its default and which options it needs
};

/// The options of a command or subcommand, --help among them, in the order in which they were declared.
std::vector<option_text> options_of(const CLI::App& command);
option_text text_of(const CLI::Option& option);

/// The subcommands that users see.
std::vector<const CLI::App*> visible_subcommands(const CLI::App& command);

/// The examples of a subcommand: a line for the command and one before it that says what it does.
struct example {
    std::string about, command;
};
std::vector<example> examples_of(const CLI::App& command);

/// The name that is nearest to a misspelt one; empty if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

/// What a command line was meant to be, as `; did you mean '--format'?`; empty if nothing is near.
/// @param unexpected the words that were not expected
std::string suggestion(const CLI::App& topomp, const std::vector<std::string>& unexpected);

} // namespace topo::tool
