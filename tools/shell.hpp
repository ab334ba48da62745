// SPDX-License-Identifier: BSL-1.0
/// @file
/// Words of a shell's command line.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace topo::tool {

/// In single quotes.
inline std::string shell_quoted(std::string_view text) {
    std::string result{'\''};
    for (const char c : text)
        result += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return result + '\'';
}

/// In single quotes only where the shell would read the text differently without them.
inline std::string shell_word(std::string_view text) {
    const auto is_plain = [](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view{"_./:=,@%+-"}.find(static_cast<char>(c)) != std::string_view::npos;
    };
    return !text.empty() && std::ranges::all_of(text, is_plain) ? std::string{text} : shell_quoted(text);
}

} // namespace topo::tool
