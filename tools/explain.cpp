// SPDX-License-Identifier: BSL-1.0
#include "explain.hpp"

#include "launch.hpp"
#include "output.hpp"
#include "show.hpp"
#include <topomp/core/error.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/explanation.hpp>
#include <topomp/decide/detail/read_sources.hpp>
#include <topomp/decide/detail/sharing.hpp>
#include <topomp/decide/explain.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/plan/detail/verb.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace topo::tool {

namespace {

constexpr const char* explain_command = "topomp explain";

/// A line for each source that cannot be used. @throws argument_error on all ranks if none can be
void say_or_refuse(const detail::cost_sources& found,
                   const std::vector<detail::source_complaint>& complaints) {
    if (found.is_empty())
        throw argument_error(explain_command, "--tuning",
                             complaints.empty() ? "it names nothing" : complaints.front().text);
    for (const auto& each : complaints)
        detail::say_once(each.text + (each.is_used ? "" : "; the file is not used"));
}

placement placement_of(const std::string& text) {
    if (text == "core") return placement::core_by_core();
    if (text == "round-robin") return placement::round_robin();
    throw argument_error(explain_command, "--place '" + text + '\'', "it must be core or round-robin");
}

/// Nodes as `decide` sees them: of each path from the whole the first communicator that is inside one node.
/// @return how many ranks these have
int count_nodes(const outline& all, const outline::communicator& part, int depth, detail::call_key& now) {
    if (!detail::joins_nodes(part.type)) {
        const auto count = static_cast<int>(part.ranks.size());
        ++now.node_count;
        now.ranks_of_node = std::max(now.ranks_of_node, count);
        now.least_of_node = now.least_of_node == 0 ? count : std::min(now.least_of_node, count);
        now.is_interleaved = now.is_interleaved || part.ranks.back() - part.ranks.front() != count - 1;
        now.levels_above = std::max(now.levels_above, depth - 1);
        const auto* inside = &part;
        for (std::size_t i = 0; i < now.parts.size() && !inside->children.empty(); ++i) {
            now.parts[i] = std::max(now.parts[i], static_cast<int>(inside->children.size()));
            inside = &all.communicators[static_cast<std::size_t>(inside->children.front())];
            const bool is_numa_node = inside->type == kind::numa_node ||
                                      std::ranges::find(inside->also, kind::numa_node) != inside->also.end();
            if (depth == 0 && is_numa_node) now.numa_levels = static_cast<int>(i) + 1;
        }
        return count;
    }
    int counted = 0;
    for (const int child : part.children)
        counted += count_nodes(all, all.communicators[static_cast<std::size_t>(child)], depth + 1, now);
    return counted;
}

detail::call_key key_of(const outline& all) {
    detail::call_key now;
    now.joins_all = all.whole().type;
    now.max_depth = all.max_depth();
    now.ranks = all.size();
    // Ranks alone on their nodes may be in no communicator.
    const int counted = count_nodes(all, all.whole(), 0, now);
    if (counted < now.ranks) {
        now.node_count += now.ranks - counted;
        now.least_of_node = 1;
    }
    return now;
}

/// The texts for all lengths, one after the other.
template <class Explain>
std::string explanations(const explain_request& request, Explain explain) {
    std::string text;
    for (const std::string& each : request.bytes) {
        text += (text.empty() ? "" : "\n") + explain(byte_count(explain_command, each));
        if (!detail::has_length(detail::verb_of(explain_command, request.verb))) break;
    }
    return text;
}

} // namespace

std::size_t byte_count(const std::string& caller, const std::string& text) {
    std::size_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [behind, problem] = std::from_chars(text.data(), end, count);
    const std::string unit{behind, end};
    const unsigned shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 64;
    if (problem != std::errc{} || shift == 64 || count > (std::numeric_limits<std::size_t>::max() >> shift))
        throw argument_error(caller, "--bytes '" + text + '\'', "it must be a number, such as 64, 16K or 1M");
    return count << shift;
}

void explain_running(const explain_request& request) {
    const boost::mpi::communicator world;
    refuse_other_size(explain_command, request.ranks, world.size());
    const hierarchy levels =
        request.machine ? hierarchy{world, machine::parse(*request.machine), placement_of(request.place)}
                        : hierarchy{world};
    if (request.tuning) {
        std::vector<detail::source_complaint> complaints;
        const auto found = detail::read_sources(detail::sharing_over(world), *request.tuning, complaints);
        say_or_refuse(found, complaints);
        detail::loaded_sources::now().add(found);
    }
    const std::string text = explanations(request, [&](std::size_t bytes) {
        return topo::explain(levels, request.verb, bytes, !request.is_ordered);
    });
    if (world.rank() == 0) write_output(explain_command, std::nullopt, text);
}

void explain_planned(const explain_request& request) {
    const machine on = request.machine ? machine::parse(*request.machine) : this_node();
    int cores = 0;
    for (const auto& node : on.nodes())
        cores += node.hardware->core_count();
    const auto all = outline::of(on, placement_of(request.place), request.ranks.value_or(cores));
    detail::call_key now = key_of(all);
    now.is_oversubscribed = now.crosses_nodes() && now.has_levels() && request.ranks.value_or(cores) > cores;
    now.uses_memory = !request.has_no_memory && now.ranks_of_node > 1;
    now.what = detail::verb_of(explain_command, request.verb);
    now.is_commutative = !request.is_ordered;
    detail::cost_sources known;
    if (request.tuning) {
        std::vector<detail::source_complaint> complaints;
        known = detail::read_sources_here(*request.tuning, complaints);
        say_or_refuse(known, complaints);
    }
    write_output(explain_command, std::nullopt, explanations(request, [&](std::size_t bytes) {
                     now.bytes = bytes;
                     return detail::explain(now, known);
                 }));
}

} // namespace topo::tool
