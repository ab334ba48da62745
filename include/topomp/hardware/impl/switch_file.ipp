// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/detail/switch_file.hpp>
#include <topomp/hardware/detail/switch_table.hpp>
#include <topomp/hardware/detail/text_file.hpp>
#include <topomp/hardware/detail/text_problem.hpp>
#include <topomp/hardware/hostlist.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE std::vector<std::string> read_switch_path(std::string_view text,
                                                                      std::size_t offset) {
    std::vector<std::string> switches;
    while (true) {
        while (offset < text.size() && is_blank(text[offset]))
            ++offset;
        if (offset == text.size()) return switches;
        const std::size_t start = offset;
        while (offset < text.size() && !is_blank(text[offset]))
            ++offset;
        const std::string_view name = text.substr(start, offset - start);
        const std::size_t odd = name.find_first_of(",:[]");
        if (odd != std::string_view::npos)
            throw text_problem{start + odd,
                               "unexpected " + in_quotes(name.substr(odd, 1)) +
                                   ": the names of switches stand apart with blanks between them"};
        switches.emplace_back(name);
    }
}

[[gnu::cold]] TOPOMP_INLINE void read_switch_line(switch_table& table, const text_line& line) {
    const std::string_view text = line.text();
    const std::size_t colon = text.find(':');
    std::size_t start = 0;
    while (is_blank(text[start]))
        ++start; // a blank line is no line
    if (colon == std::string_view::npos)
        throw text_problem{start, "expected 'host: switches', outermost first"};
    std::size_t end = colon;
    while (end > start && is_blank(text[end - 1]))
        --end;
    const std::vector<std::string> hosts = read_hostlist(text.substr(start, end - start), start);
    const std::string origin = line.place(start);
    const std::size_t path = table.add_path(read_switch_path(text, colon + 1), origin);
    for (const std::string& host : hosts)
        if (const std::string before = table.add_host(host, path); !before.empty())
            throw text_problem{start, "host " + in_quotes(host) + " stands at " + before + " already"};
}

[[gnu::cold]] TOPOMP_INLINE switch_table read_switch_file(const std::string& path) {
    static constexpr std::string_view call = "topo::network::file";
    const std::string content = read_text_file(call, path);
    switch_table table;
    for (const text_line& line : text_lines(content, line_joining::never)) {
        try {
            read_switch_line(table, line);
        } catch (const text_problem& found) {
            throw file_error(call, path, line.place(found.offset), found.problem);
        }
    }
    return table;
}

} // namespace topo::detail
