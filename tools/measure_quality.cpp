// SPDX-License-Identifier: BSL-1.0
#include "measure_quality.hpp"

#include <topomp/hardware/kind.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>

namespace topo::tool {

namespace {

using parameters_level = model::machine_parameters::level;

std::string in_words(double bytes) {
    std::ostringstream out;
    out << bytes << " bytes";
    return out.str();
}

std::string inside_of(const parameters_level& level) {
    return "inside a " + std::string{to_string(level.inside)} + ", ";
}

/// Faster than any memory.
constexpr double impossible_rate = 1e14;

std::string nonsense_in_level(const parameters_level& level) {
    const auto& rows = level.messages.single.rows();
    for (const auto& row : rows) {
        const double time = level.messages.time(row.bytes);
        for (const double each : {row.send_overhead, row.receive_overhead, row.gap, time})
            if (!std::isfinite(each) || each < 0)
                return "a time of messages of " + in_words(row.bytes) + " is no time";
        if (row.bytes > 0 && (time <= 0 || row.bytes / time > impossible_rate))
            return "messages of " + in_words(row.bytes) + " take next to no time";
    }
    const auto& first = rows.front();
    const auto& last = rows.back();
    if (last.bytes >= 1000 * std::max(1.0, first.bytes) &&
        level.messages.time(last.bytes) < level.messages.time(first.bytes))
        return "messages of " + in_words(last.bytes) + " take less time than those of " +
               in_words(first.bytes);
    for (const auto& rate : level.messages.rates)
        if (!std::isfinite(rate.bytes_per_second) || rate.bytes_per_second <= 0 ||
            rate.bytes_per_second > impossible_rate)
            return std::to_string(rate.flows) + " ranks at a time reach a rate that cannot be";
    const auto is_wild = [](const parameters_level::spread& each) { return each.time > 1; };
    const auto wild = std::ranges::count_if(level.spreads, is_wild);
    if (2 * static_cast<std::size_t>(wild) > level.spreads.size())
        return "the times of messages spread by more than themselves; measure on a quiet machine, with a "
               "core per rank "
               "that measures, and longer (--seconds)";
    return {};
}

} // namespace

std::vector<std::string> noise_in(const model::machine_parameters& found) {
    constexpr double quiet = 0.25;
    std::vector<std::string> lines;
    for (const auto& level : found.levels) {
        const auto worst = std::ranges::max_element(level.spreads, {}, &parameters_level::spread::time);
        if (worst == level.spreads.end() || worst->time <= quiet) continue;
        lines.push_back("too noisy: " + inside_of(level) + "the middle half of the times of " +
                        in_words(worst->bytes) + " spreads over " +
                        std::to_string(std::lround(100 * worst->time)) + " % of their median");
    }
    return lines;
}

std::string nonsense_in(const model::machine_parameters& found) {
    for (const auto& [key, value] : found.notes)
        if (key == unusable_note) return value;
    for (const auto& level : found.levels)
        if (const auto why = nonsense_in_level(level); !why.empty()) return inside_of(level) + why;
    for (const auto& copy : found.copies)
        if (copy.bytes_per_second <= 0 || copy.bytes_per_second > impossible_rate)
            return "a copy of " + in_words(copy.bytes) + " reaches a rate that cannot be";
    return {};
}

} // namespace topo::tool
