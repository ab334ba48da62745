// SPDX-License-Identifier: BSL-1.0
/// @file
/// A text file as lines that remember where they came from.
#pragma once

#include <topomp/core/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

/// The whole content of a file.
///
/// @throws system_error naming the path and the operating system's reason
std::string read_text_file(std::string_view call, const std::string& path);

/// One line without its comment, perhaps joined from several lines of the file.
class text_line {
public:
    const std::string& text() const noexcept { return text_; }

    /// `line 3, column 12`: where in the file the byte at @p offset stands.
    std::string place(std::size_t offset) const;

    void append(std::string_view more, std::size_t number);

    bool is_blank_line() const noexcept;

private:
    struct piece {
        std::size_t offset;
        std::size_t number;
    };

    std::string text_;
    std::vector<piece> pieces_;
};

/// What a backslash at the end of a line means.
enum class line_joining { never, at_backslash };

/// Cuts a trailing backslash (blanks may follow it) off a line and returns whether there was one.
bool cut_backslash(std::string_view& line) noexcept;

/// The lines of @p content that are not empty: `#` starts a comment, blank lines are left out.
///
/// As in Slurm, a comment goes first and a backslash in front of it still joins; joined lines get no blank
/// between.
std::vector<text_line> text_lines(std::string_view content, line_joining joining);

/// The exception for a problem in a line of a file: `call: path, line 3, column 12: problem`.
input_error file_error(std::string_view call, std::string_view path, std::string_view place,
                       std::string_view problem);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/text_file.ipp>
#endif
