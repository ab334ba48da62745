// SPDX-License-Identifier: BSL-1.0
/// @file
/// The internal exception of the readers of hardware/, until a caller that has the source's name turns it
/// into an exception for the user.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace topo::detail {

/// An error at one offset of a text whose origin is unknown to the reader.
///
/// Never leaves the library: the caller that has the name of the file or the variable throws an `input_error`
/// instead.
struct text_problem {
    std::size_t offset;
    std::string problem;
};

/// `'text'`, for messages.
inline std::string in_quotes(std::string_view text) { return std::string{'\''}.append(text) += '\''; }

/// `column 4` for offset 3: columns count bytes from 1.
inline std::string column_of(std::size_t offset) { return "column " + std::to_string(offset + 1); }

/// Whether a byte separates words on a line; unlike `std::isspace` it does not depend on the locale.
inline constexpr bool is_blank(char byte) noexcept {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == '\v' || byte == '\f';
}

} // namespace topo::detail
