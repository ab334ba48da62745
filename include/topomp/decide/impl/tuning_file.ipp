// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/decide/detail/flat_json.hpp>
#include <topomp/decide/detail/tuning_file.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan_text.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE bool tuning_file::is_for(const call_key& now) const {
    // What a non-blocking call does not know of its nodes is not compared.
    const bool is_one = !now.crosses_nodes();
    const bool has_number = is_one || now.node_count > 0, has_least = is_one || now.least_of_node > 0;
    const int least = now.least_of_node > 0 ? now.least_of_node : now.ranks_of_node;
    return from.ranks == now.ranks && from.most_ranks_of_node == now.ranks_of_node &&
           (!has_number || from.nodes == (is_one ? 1 : now.nodes())) &&
           (!has_least || from.least_ranks_of_node == least);
}

TOPOMP_INLINE std::vector<tuning_file::time> tuning_file::times_of(const call_key& now) const {
    std::vector<time> times;
    if (!is_for(now)) return times;
    const auto is_alike = [&](const row& each) {
        // Of an all_gatherv it says that no block is much longer than others.
        const bool matters = combines(now.what) || now.what == verb::all_gatherv;
        return each.what == now.what && (each.is_commutative == now.is_commutative || !matters);
    };
    const auto bytes = static_cast<double>(now.bytes);
    const row* below = nullptr; // of any plan: the nearest lengths that were measured
    const row* above = nullptr;
    for (const row& each : rows) {
        if (!is_alike(each)) continue;
        if (each.bytes <= now.bytes && (below == nullptr || each.bytes > below->bytes)) below = &each;
        if (each.bytes >= now.bytes && (above == nullptr || each.bytes < above->bytes)) above = &each;
    }
    if (below == nullptr && above == nullptr) return times;
    if (below == nullptr) {
        if (2 * now.bytes < above->bytes) return times;
        below = above;
    }
    if (above == nullptr) {
        if (now.bytes > 2 * below->bytes) return times;
        above = below;
    }
    const std::size_t least = below->bytes, most = above->bytes;
    const auto at = [&](const plan& what, std::size_t length) {
        const auto found = std::ranges::find_if(rows, [&](const row& each) {
            return is_alike(each) && each.bytes == length && each.chosen == what;
        });
        return found == rows.end() ? nullptr : &*found;
    };
    for (const row& each : rows) {
        if (!is_alike(each) || each.bytes != least) continue;
        const row* const other = at(each.chosen, most);
        if (other == nullptr) continue;
        double seconds = each.seconds;
        if (most > least && least > 0) {
            const double part = std::log(bytes / static_cast<double>(least)) /
                                std::log(static_cast<double>(most) / static_cast<double>(least));
            seconds *= std::pow(other->seconds / each.seconds, part);
        }
        times.push_back({&each.chosen, seconds});
    }
    return times;
}

/// A whole number of a line, if it is one. @param least what it must be at least
TOPOMP_INLINE std::optional<long long> whole_number(const flat_json& line, std::string_view name,
                                                    double least) {
    constexpr double most = 9e15;
    const auto value = line.number(name);
    if (!value || *value < least || *value > most || *value != std::floor(*value)) return std::nullopt;
    return static_cast<long long>(*value);
}

TOPOMP_INLINE tuning_file::origin origin_in(const flat_json& line, const std::string& where) {
    constexpr auto call = "tuning file";
    const auto version = line.number("topomp_tuning");
    if (!version)
        throw input_error(call, where, "it is no tuning file: its first line has no 'topomp_tuning'");
    if (*version != tuning_file::version)
        throw input_error(call, where, "its version is unknown; this build reads version 1");
    tuning_file::origin made;
    for (const auto& [name, to] :
         {std::pair{"machine", &made.machine}, {"mpi", &made.mpi}, {"date", &made.date}})
        if (const std::string* const text = line.text(name); text != nullptr)
            *to = *text;
        else
            throw input_error(call, where, std::string{"its first line has no text '"} + name + '\'');
    for (const auto& [name, to] : {std::pair{"nodes", &made.nodes},
                                   {"ranks", &made.ranks},
                                   {"least_ranks_of_node", &made.least_ranks_of_node},
                                   {"most_ranks_of_node", &made.most_ranks_of_node}})
        if (const auto value = whole_number(line, name, 1);
            value && *value <= std::numeric_limits<int>::max())
            *to = static_cast<int>(*value);
        else
            throw input_error(call, where,
                              std::string{"its first line has no number '"} + name + "' from 1 on");
    return made;
}

/// A row, or what is wrong with it.
TOPOMP_INLINE std::optional<tuning_file::row> row_in(const flat_json& line, std::string& problem) {
    tuning_file::row made;
    const auto lacks = [&](std::string what) {
        problem = std::move(what);
        return std::nullopt;
    };
    const std::string* const verb_name = line.text("verb");
    const std::string* const policy = line.text("policy");
    if (verb_name == nullptr || policy == nullptr) return lacks("it has no text 'verb' or none 'policy'");
    const auto found = std::ranges::find(verb_names, *verb_name);
    if (found == verb_names.end()) return lacks("there is no verb '" + *verb_name + '\'');
    made.what = static_cast<verb>(found - verb_names.begin());
    const auto bytes = whole_number(line, "bytes", 0);
    if (!bytes) return lacks("it has no whole number 'bytes'");
    made.bytes = static_cast<std::size_t>(*bytes);
    const auto seconds = line.number("seconds");
    if (!seconds || *seconds <= 0) return lacks("'seconds' is no number above 0");
    made.seconds = *seconds;
    made.is_commutative = line.truth("commutative").value_or(true);
    made.spread = std::max(0.0, line.number("spread").value_or(0));
    made.calls = static_cast<int>(std::min(1e9, std::max(1.0, line.number("calls").value_or(1))));
    made.is_built_in = line.truth("built_in").value_or(false);
    try {
        made.chosen = read_plan("policy", '\'' + *policy + '\'', *policy);
    } catch (const std::exception& unknown) {
        return lacks(unknown.what());
    }
    if (!serves(made.chosen.uses, made.what))
        return lacks("the policy '" + *policy + "' has no algorithm for " + *verb_name);
    return made;
}

TOPOMP_INLINE tuning_file tuning_file::read(const std::string& name, std::string_view text,
                                            std::string& skipped) {
    constexpr auto call = "tuning file";
    tuning_file made;
    std::size_t number = 0, unused = 0, first_unused = 0;
    std::string why;
    bool has_origin = false;
    const auto skip = [&](const std::string& problem) {
        if (unused++ > 0) return;
        first_unused = number;
        why = problem;
    };
    while (!text.empty()) {
        ++number;
        const std::size_t end = text.find('\n');
        const std::string_view content = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        if (content.find_first_not_of(" \t\r") == content.npos) continue;
        std::string problem;
        const auto line = flat_json::read(content, problem);
        if (!has_origin) {
            const std::string where = name + ", line " + std::to_string(number);
            if (!line) throw input_error(call, where, problem);
            made.from = origin_in(*line, where);
            has_origin = true;
            continue;
        }
        if (line && line->truth("complete").value_or(false)) {
            made.is_complete = true;
        } else if (const auto row = line ? row_in(*line, problem) : std::nullopt) {
            // What was measured once more counts.
            std::erase_if(made.rows, [&](const auto& each) {
                return each.what == row->what && each.bytes == row->bytes &&
                       each.is_commutative == row->is_commutative && each.chosen == row->chosen;
            });
            made.rows.push_back(*row);
        } else {
            skip(problem);
        }
    }
    if (!has_origin) throw input_error(call, name, "it is empty");
    skipped.clear();
    if (unused > 0)
        skipped = std::to_string(unused) + (unused == 1 ? " line is" : " lines are") + " not used, line " +
                  std::to_string(first_unused) + ": " + why;
    return made;
}

TOPOMP_INLINE std::string tuning_file::header_line() const {
    return flat_json{}
        .add("topomp_tuning", version)
        .add("machine", from.machine)
        .add("mpi", from.mpi)
        .add("date", from.date)
        .add("nodes", from.nodes)
        .add("ranks", from.ranks)
        .add("least_ranks_of_node", from.least_ranks_of_node)
        .add("most_ranks_of_node", from.most_ranks_of_node)
        .line();
}

TOPOMP_INLINE std::string tuning_file::line_of(const row& each) {
    flat_json line;
    line.add("verb", to_string(each.what))
        .add("bytes", static_cast<double>(each.bytes))
        .add("commutative", each.is_commutative)
        .add("policy", to_string(each.chosen))
        .add("seconds", each.seconds)
        .add("spread", each.spread)
        .add("calls", each.calls);
    if (each.is_built_in) line.add("built_in", true);
    return line.line();
}

TOPOMP_INLINE std::string tuning_file::last_line() { return flat_json{}.add("complete", true).line(); }

TOPOMP_INLINE std::string this_machine() {
    std::ifstream info{"/proc/cpuinfo"};
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            if (const auto colon = line.find(": "); colon != line.npos) return line.substr(colon + 2);
    return "unknown processor";
}

TOPOMP_INLINE std::string this_mpi() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return "unknown MPI";
    std::string version{text.data(), static_cast<std::size_t>(length)};
    // "Open MPI v4.1.4, package: ..." and "MPICH Version:      4.0.2\nMPICH Release date: ..."
    version.erase(std::min(version.find_first_of(",\n"), version.size()));
    std::ranges::replace(version, '\t', ' '); // as it is read back from a file
    version.erase(
        std::unique(version.begin(), version.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
        version.end());
    return version;
}

} // namespace topo::detail
