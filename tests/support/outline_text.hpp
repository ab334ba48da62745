// SPDX-License-Identifier: BSL-1.0
/// @file
/// Outlines as text that a test can spell out by hand.
#pragma once

#include <topomp/hierarchy/outline.hpp>

#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace topo_test {

/// Ascending numbers as a list of ranges: `0-3 8`.
inline std::string ranges(const std::vector<int>& numbers) {
    std::ostringstream text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        text << (i == 0 ? "" : " ") << numbers[i];
        if (last != i) text << '-' << numbers[last];
        i = last + 1;
    }
    return text.str();
}

/// One communicator: `0 L3Cache (Package NUMANode) {L2Cache} node0/L3Cache#1 1/2 [4-7]`, which is depth,
/// type, the kinds with the same processing units if any, others that contain its ranks if any, name,
/// index/count and ranks.
inline std::string line_of(const topo::outline::communicator& one) {
    std::ostringstream text;
    text << one.depth << ' ' << to_string(one.type) << ' ';
    const auto list = [&](const char* before, const std::vector<topo::kind>& kinds, const char* behind) {
        for (std::size_t i = 0; i < kinds.size(); ++i)
            text << (i == 0 ? before : " ") << to_string(kinds[i]);
        text << (kinds.empty() ? "" : behind);
    };
    list("(", one.also, ") ");
    list("{", one.ranks_within, "} ");
    text << one.name << ' ' << one.index << '/' << one.count << " [" << ranges(one.ranks) << ']';
    return text.str();
}

/// Lines that doctest can show.
struct lines : std::vector<std::string> {
    using std::vector<std::string>::vector;
    friend std::ostream& operator<<(std::ostream& out, const lines& all) {
        for (const auto& line : all)
            out << "\n    " << line;
        return out;
    }
};

/// All communicators in the outline's order: each followed by what is inside it.
inline lines lines_of(const topo::outline& what) {
    lines all;
    for (const auto& one : what.communicators)
        all.push_back(line_of(one));
    return all;
}

} // namespace topo_test
