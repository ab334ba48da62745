// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/text_file.hpp>
#include <topomp/hardware/detail/text_problem.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE std::string read_text_file(std::string_view call, const std::string& path) {
    struct close_file {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    const std::unique_ptr<std::FILE, close_file> file{std::fopen(path.c_str(), "rb")};
    if (!file) throw system_error(call, path, std::strerror(errno));
    std::string content;
    char block[4096];
    while (const std::size_t bytes = std::fread(block, 1, sizeof block, file.get()))
        content.append(block, bytes);
    if (std::ferror(file.get())) throw system_error(call, path, std::strerror(errno));
    return content;
}

[[gnu::cold]] TOPOMP_INLINE std::string text_line::place(std::size_t offset) const {
    const piece* found = &pieces_.front();
    for (const piece& next : pieces_)
        if (next.offset <= offset) found = &next;
    return "line " + std::to_string(found->number) + ", " + column_of(offset - found->offset);
}

[[gnu::cold]] TOPOMP_INLINE void text_line::append(std::string_view more, std::size_t number) {
    pieces_.push_back({text_.size(), number});
    text_ += more;
}

[[gnu::cold]] TOPOMP_INLINE bool text_line::is_blank_line() const noexcept {
    for (const char byte : text_)
        if (!is_blank(byte)) return false;
    return true;
}

[[gnu::cold]] TOPOMP_INLINE bool cut_backslash(std::string_view& line) noexcept {
    std::size_t end = line.size();
    while (end > 0 && is_blank(line[end - 1]))
        --end;
    if (end == 0 || line[end - 1] != '\\') return false;
    line = line.substr(0, end - 1);
    return true;
}

[[gnu::cold]] TOPOMP_INLINE std::vector<text_line> text_lines(std::string_view content,
                                                              line_joining joining) {
    std::vector<text_line> lines;
    text_line current;
    std::size_t number = 0;
    while (!content.empty()) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        std::string_view line = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        line = line.substr(0, line.find('#'));
        const bool goes_on = joining == line_joining::at_backslash && cut_backslash(line);
        current.append(line, ++number);
        if (goes_on && !content.empty()) continue;
        if (!current.is_blank_line()) lines.push_back(std::move(current));
        current = text_line{};
    }
    return lines;
}

[[gnu::cold]] TOPOMP_INLINE input_error file_error(std::string_view call, std::string_view path,
                                                   std::string_view place, std::string_view problem) {
    return input_error(call, std::string{path}.append(", ").append(place), problem);
}

} // namespace topo::detail
