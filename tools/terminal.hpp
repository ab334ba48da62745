// SPDX-License-Identifier: BSL-1.0
/// @file
/// Colours for terminals.
#pragma once

#include <string>
#include <string_view>

namespace topo::tool {

/// What switches colours on and off; all empty where there shall be none.
struct colours {
    std::string_view strong, good, bad, warning, plain;

    std::string in(std::string_view colour, std::string_view text) const {
        return std::string{colour}.append(text).append(plain);
    }
};

/// Colours for a file descriptor: only for a terminal, not if NO_COLOR is set or TERM is dumb, and not under
/// a launcher, which shows its ranks a terminal although their output goes to a file.
/// @see https://no-color.org
colours colours_of(int descriptor);

/// Breaks a text at blanks so that no line is longer, if its words are not.
std::string wrapped(std::string_view text, std::size_t width);

/// How many columns the terminal has: COLUMNS, or 100.
std::size_t terminal_width();

} // namespace topo::tool
