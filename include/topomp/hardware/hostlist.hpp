// SPDX-License-Identifier: BSL-1.0
/// @file
/// Slurm's short notation for many host names: `tux[0-3,5,07-09]`.
#pragma once

#include <topomp/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace topo {

namespace detail {

inline constexpr std::size_t hostlist_names_limit = std::size_t{1} << 20;
inline constexpr std::size_t hostlist_name_length_limit = 255; // DNS allows 253
inline constexpr std::size_t hostlist_digits_limit = 18;       // the longest run that always fits 64 bits

/// Reads one hostlist expression; throws `text_problem`.
class hostlist_reader {
public:
    explicit hostlist_reader(std::string_view text) : text_(text) {}

    std::vector<std::string> names();

private:
    struct range {
        std::uint64_t first;
        std::uint64_t last;
        std::size_t width;
    };

    [[noreturn]] static void fail(std::size_t offset, std::string problem);

    char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool accept(char wanted) noexcept;

    /// One name of the comma list, with all its brackets.
    void append_term();

    void append_literal(std::vector<std::string>& partial, std::size_t start);

    void check_name_byte() const;

    /// Appends every number of the bracket to every name so far; the last bracket of a name runs fastest.
    void append_bracket(std::vector<std::string>& partial, std::size_t start);

    std::vector<range> read_bracket();

    range read_range(std::size_t open);

    std::string_view read_digits(std::size_t open);

    [[noreturn]] void fail_in_bracket(std::size_t open, const char* expected) const;

    static std::uint64_t to_number(std::string_view digits) noexcept;

    static std::string padded(std::uint64_t number, std::size_t width);

    void check_count(std::uint64_t more, std::size_t start) const;

    [[noreturn]] static void fail_count(std::size_t start);

    static void check_length(std::size_t length, std::size_t start);

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::string> names_;
};

/// `expand_hostlist` for a part of a larger text that starts there at @p offset; throws `text_problem`.
std::vector<std::string> read_hostlist(std::string_view text, std::size_t offset);

/// Names in Slurm's short notation: those that follow each other and differ in the number at their end only
/// become one with brackets. @return `spine[0-1,3],core`, of `spine0`, `spine1`, `spine3`, `core`
std::string compress_hostlist(const std::vector<std::string>& names);

} // namespace detail

/// The names that a Slurm hostlist expression stands for.
///
/// Names are separated by commas; a name has any number of brackets, each a list of numbers and ranges, with
/// anything before, between and behind them: `rack[0-1]n[0-3].site`. The last bracket runs fastest, and a
/// name that is written twice comes out twice. Numbers are padded with zeros to the width of the first number
/// of their range.
///
/// @param text the expression; at most 2^20 names of at most 255 bytes
/// @return the names in the order in which they are written
/// @throws input_error if the text is no such expression or too large; names the column
/// @see https://slurm.schedmd.com/topology.conf.html
std::vector<std::string> expand_hostlist(std::string_view text);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/hostlist.ipp>
#endif
