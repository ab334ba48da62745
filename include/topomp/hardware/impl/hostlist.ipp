// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/text_problem.hpp>
#include <topomp/hardware/hostlist.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::vector<std::string> hostlist_reader::names() {
    do {
        append_term();
    } while (accept(','));
    if (at_ < text_.size()) fail(at_, "']' without '['"); // the only byte that ends a term before its comma
    return std::move(names_);
}

TOPOMP_INLINE void hostlist_reader::fail(std::size_t offset, std::string problem) {
    throw text_problem{offset, std::move(problem)};
}

TOPOMP_INLINE bool hostlist_reader::accept(char wanted) noexcept {
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
}

TOPOMP_INLINE void hostlist_reader::append_term() {
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

TOPOMP_INLINE void hostlist_reader::append_literal(std::vector<std::string>& partial, std::size_t start) {
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

TOPOMP_INLINE void hostlist_reader::check_name_byte() const {
    const char byte = text_[at_];
    if (is_blank(byte)) fail(at_, "a blank inside a list of names");
    if (static_cast<unsigned char>(byte) < 0x20 || byte == '\x7f') fail(at_, "a control character");
    if (std::string_view{"=\"'#{}"}.find(byte) != std::string_view::npos)
        fail(at_, "unexpected " + in_quotes(std::string_view{&byte, 1}));
}

TOPOMP_INLINE void hostlist_reader::append_bracket(std::vector<std::string>& partial, std::size_t start) {
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

TOPOMP_INLINE std::vector<hostlist_reader::range> hostlist_reader::read_bracket() {
    const std::size_t open = at_++;
    std::vector<range> ranges;
    do {
        ranges.push_back(read_range(open));
    } while (accept(','));
    if (!accept(']')) fail_in_bracket(open, "',', '-' or ']'");
    return ranges;
}

TOPOMP_INLINE hostlist_reader::range hostlist_reader::read_range(std::size_t open) {
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

TOPOMP_INLINE std::string_view hostlist_reader::read_digits(std::size_t open) {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9')
        ++at_;
    if (at_ == start) fail_in_bracket(open, "a number");
    if (at_ - start > hostlist_digits_limit)
        fail(start, "a number of more than " + std::to_string(hostlist_digits_limit) + " digits");
    return text_.substr(start, at_ - start);
}

TOPOMP_INLINE void hostlist_reader::fail_in_bracket(std::size_t open, const char* expected) const {
    if (at_ == text_.size()) fail(open, "'[' is never closed");
    fail(at_, std::string{"expected "} + expected);
}

TOPOMP_INLINE std::uint64_t hostlist_reader::to_number(std::string_view digits) noexcept {
    std::uint64_t number = 0;
    for (const char digit : digits)
        number = number * 10 + static_cast<std::uint64_t>(digit - '0');
    return number;
}

TOPOMP_INLINE std::string hostlist_reader::padded(std::uint64_t number, std::size_t width) {
    std::string digits = std::to_string(number);
    if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
    return digits;
}

TOPOMP_INLINE void hostlist_reader::check_count(std::uint64_t more, std::size_t start) const {
    if (more > hostlist_names_limit - names_.size()) fail_count(start);
}

TOPOMP_INLINE void hostlist_reader::fail_count(std::size_t start) {
    fail(start, "more than " + std::to_string(hostlist_names_limit) + " names");
}

TOPOMP_INLINE void hostlist_reader::check_length(std::size_t length, std::size_t start) {
    if (length > hostlist_name_length_limit)
        fail(start, "a name of more than " + std::to_string(hostlist_name_length_limit) + " bytes");
}

TOPOMP_INLINE std::vector<std::string> read_hostlist(std::string_view text, std::size_t offset) {
    try {
        return hostlist_reader{text}.names();
    } catch (text_problem& found) {
        found.offset += offset;
        throw;
    }
}

TOPOMP_INLINE std::string compress_hostlist(const std::vector<std::string>& names) {
    struct numbered {
        std::string front, digits;
    };
    const auto parts_of = [](const std::string& name) {
        const std::size_t end = name.find_last_not_of("0123456789") + 1; // 0 if there is nothing else
        const std::size_t start = std::max(end, name.size() - std::min(name.size(), hostlist_digits_limit));
        return numbered{name.substr(0, start), name.substr(start)};
    };
    std::string text;
    for (std::size_t i = 0; i < names.size();) {
        const numbered first = parts_of(names[i]);
        std::size_t end = i + 1; // of those with the same front
        while (end < names.size() && !first.digits.empty()) {
            const numbered next = parts_of(names[end]);
            if (next.front != first.front || next.digits.size() != first.digits.size()) break;
            ++end;
        }
        text += text.empty() ? "" : ",";
        if (end == i + 1) {
            text += names[i++];
            continue;
        }
        text += first.front + '[';
        for (std::size_t begin = i; i < end; begin = i) {
            const auto number = [&](std::size_t at) { return std::stoull(parts_of(names[at]).digits); };
            for (++i; i < end && number(i) == number(i - 1) + 1;)
                ++i;
            text += (text.back() == '[' ? "" : ",") + parts_of(names[begin]).digits;
            if (i - begin > 1) text += '-' + parts_of(names[i - 1]).digits;
        }
        text += ']';
    }
    return text;
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE std::vector<std::string> expand_hostlist(std::string_view text) {
    try {
        return detail::read_hostlist(text, 0);
    } catch (const detail::text_problem& found) {
        const std::string object = '"' + std::string{text} + "\", " + detail::column_of(found.offset);
        throw input_error("topo::expand_hostlist", object, found.problem);
    }
}

} // namespace topo
