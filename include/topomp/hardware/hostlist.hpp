// SPDX-License-Identifier: BSL-1.0
/// @file
/// Slurm's short way of writing many host names: `tux[0-3,5,07-09]`.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/text_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
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

    std::vector<std::string> names() {
        do {
            append_term();
        } while (accept(','));
        if (at_ < text_.size())
            fail(at_, "']' without '['"); // the only byte that ends a term before its comma
        return std::move(names_);
    }

private:
    struct range {
        std::uint64_t first;
        std::uint64_t last;
        std::size_t width;
    };

    [[noreturn]] static void fail(std::size_t offset, std::string problem) {
        throw text_problem{offset, std::move(problem)};
    }

    char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool accept(char wanted) noexcept {
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    /// One name of the comma list, with all its brackets.
    void append_term() {
        const std::size_t start = at_;
        std::vector<std::string> partial{std::string{}};
        while (at_ < text_.size() && peek() != ',' && peek() != ']') {
            if (peek() == '[')
                append_bracket(partial, start);
            else
                append_literal(partial, start);
        }
        if (at_ == start && peek() != ']') fail(start, "a name is missing");
        check_count(partial.size(), start);
        std::move(partial.begin(), partial.end(), std::back_inserter(names_));
    }

    void append_literal(std::vector<std::string>& partial, std::size_t start) {
        const std::size_t first = at_;
        while (at_ < text_.size() && std::string_view{",[]"}.find(text_[at_]) == std::string_view::npos) {
            check_name_byte();
            ++at_;
        }
        const std::string_view literal = text_.substr(first, at_ - first);
        check_length(partial.back().size() + literal.size(), start);
        for (std::string& name : partial)
            name += literal;
    }

    void check_name_byte() const {
        const char byte = text_[at_];
        if (is_blank(byte)) fail(at_, "a blank inside a list of names");
        if (static_cast<unsigned char>(byte) < 0x20 || byte == '\x7f') fail(at_, "a control character");
        if (std::string_view{"=\"'#{}"}.find(byte) != std::string_view::npos)
            fail(at_, "unexpected " + in_quotes(std::string_view{&byte, 1}));
    }

    /// Appends every number of the bracket to every name so far; the last bracket of a name runs fastest.
    void append_bracket(std::vector<std::string>& partial, std::size_t start) {
        const std::vector<range> ranges = read_bracket();
        std::uint64_t count = 0;
        std::size_t width = 0;
        for (const range& part : ranges) {
            if (part.last - part.first >= hostlist_names_limit) fail_count(start);
            count += part.last - part.first + 1;
            width = std::max({width, part.width, std::to_string(part.last).size()});
            check_count(count * partial.size(), start);
        }
        check_length(partial.back().size() + width, start);
        std::vector<std::string> longer;
        longer.reserve(count * partial.size());
        for (const std::string& name : partial)
            for (const range& part : ranges)
                for (std::uint64_t number = part.first; number <= part.last; ++number)
                    longer.push_back(name + padded(number, part.width));
        partial = std::move(longer);
    }

    std::vector<range> read_bracket() {
        const std::size_t open = at_++;
        std::vector<range> ranges;
        do {
            ranges.push_back(read_range(open));
        } while (accept(','));
        if (!accept(']')) fail_in_bracket(open, "',', '-' or ']'");
        return ranges;
    }

    range read_range(std::size_t open) {
        const std::size_t start = at_;
        const std::string_view first = read_digits(open);
        const std::string_view last = accept('-') ? read_digits(open) : first;
        const range read{to_number(first), to_number(last), first.size()};
        const std::string text{text_.substr(start, at_ - start)};
        if (read.last < read.first) fail(start, "the range " + text + " runs backwards");
        if (last.front() == '0' && last.size() > 1 && last.size() != first.size())
            fail(start, "the ends of the range " + text + " are padded to different widths");
        return read;
    }

    std::string_view read_digits(std::size_t open) {
        const std::size_t start = at_;
        while (peek() >= '0' && peek() <= '9')
            ++at_;
        if (at_ == start) fail_in_bracket(open, "a number");
        if (at_ - start > hostlist_digits_limit)
            fail(start, "a number of more than " + std::to_string(hostlist_digits_limit) + " digits");
        return text_.substr(start, at_ - start);
    }

    [[noreturn]] void fail_in_bracket(std::size_t open, const char* expected) const {
        if (at_ == text_.size()) fail(open, "'[' is never closed");
        fail(at_, std::string{"expected "} + expected);
    }

    static std::uint64_t to_number(std::string_view digits) noexcept {
        std::uint64_t number = 0;
        for (const char digit : digits)
            number = number * 10 + static_cast<std::uint64_t>(digit - '0');
        return number;
    }

    static std::string padded(std::uint64_t number, std::size_t width) {
        std::string digits = std::to_string(number);
        if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
        return digits;
    }

    void check_count(std::uint64_t more, std::size_t start) const {
        if (more > hostlist_names_limit - names_.size()) fail_count(start);
    }

    [[noreturn]] static void fail_count(std::size_t start) {
        fail(start, "more than " + std::to_string(hostlist_names_limit) + " names");
    }

    static void check_length(std::size_t length, std::size_t start) {
        if (length > hostlist_name_length_limit)
            fail(start, "a name of more than " + std::to_string(hostlist_name_length_limit) + " bytes");
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::string> names_;
};

/// `expand_hostlist` for a part of a larger text that starts there at @p offset; throws `text_problem`.
inline std::vector<std::string> read_hostlist(std::string_view text, std::size_t offset) {
    try {
        return hostlist_reader{text}.names();
    } catch (text_problem& found) {
        found.offset += offset;
        throw;
    }
}

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
/// @throws input_error if the text is no such expression or too large; says the column
/// @see https://slurm.schedmd.com/topology.conf.html
inline std::vector<std::string> expand_hostlist(std::string_view text) {
    try {
        return detail::read_hostlist(text, 0);
    } catch (const detail::text_problem& found) {
        const std::string object = '"' + std::string{text} + "\", " + detail::column_of(found.offset);
        throw input_error("topo::expand_hostlist", object, found.problem);
    }
}

} // namespace topo
