// SPDX-License-Identifier: BSL-1.0
#include "show.hpp"

#include "output.hpp"
#include "render.hpp"
#include "tree.hpp"
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hardware/topology.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/gather_outline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>

#include <boost/mpi/communicator.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <unistd.h>
#include <utility>

namespace topo::tool {

namespace {

std::string host_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0)
        throw system_error("gethostname", "this machine", std::strerror(errno));
    return name.data();
}

} // namespace

machine this_node() {
    return machine{{{host_name(), {}, std::make_shared<const topology>(topology::this_machine())}}};
}

namespace {

machine bare_machine_of(const show_request& request) {
    if (request.description) return machine::parse(*request.description);
    if (request.xml) return machine::uniform(topology::from_xml(*request.xml), request.nodes);
    return this_node();
}

machine machine_of(const show_request& request) {
    const machine bare = bare_machine_of(request);
    return request.switches ? bare.under(*request.switches) : bare;
}

placement placement_of(const show_request& request, const machine& on) {
    if (request.place == "core") return placement::core_by_core();
    if (request.place == "round-robin") return placement::round_robin();
    return placement::read(request.place, on);
}

int core_count(const machine& on) {
    int count = 0;
    for (const auto& node : on.nodes())
        count += node.hardware->core_count();
    return count;
}

std::function<void(std::ostream&)> tree_renderer(const show_request& request, const outline& all) {
    if (request.format != "svg" && request.format != "text")
        throw argument_error("topomp show", "--format " + request.format, "trees are shown as text or svg");
    const auto render = request.format == "svg" ? &render_tree_svg : &render_tree_text;
    return [&all, render, tree = spanning_tree::of(all, *request.tree, request.root)](std::ostream& out) {
        render(out, all, tree);
    };
}

void print(const show_request& request, const outline& all) {
    static const std::map<std::string, void (*)(std::ostream&, const outline&)> renderers{
        {"json", &render_json}, {"dot", &render_dot}, {"svg", &render_svg}, {"text", &render_text}};
    const auto render = [&](std::ostream& out) { renderers.at(request.format)(out, all); };
    // A tree that cannot be made is known before anything is written.
    write_output("topomp show", request.output,
                 request.tree ? tree_renderer(request, all) : std::function<void(std::ostream&)>{render});
}

void refuse_separate_programs(const launch& started, int world) {
    if (const auto why = separate_programs(started, world); !why.empty())
        throw argument_error("topomp show", "this run", why);
}

/// Says on rank 0 which levels the run could have. @param all_kinds whether those inside nodes are asked for,
/// too
/// @collective over the whole
void note_missing_levels(const hierarchy& levels, const place& mine, const launch& started, bool all_kinds) {
    const boost::mpi::communicator& whole = levels.whole();
    const rank_census count = count_ranks(whole, mine);
    if (whole.rank() != 0) return;
    const std::string of_all = " of " + std::to_string(count.ranks) + " ranks ";
    if (all_kinds && count.unbound > 0 && levels.most_ranks_of_node() > 1) {
        const int cores = topology::this_machine().core_count();
        const std::string option{started.binding_option(levels.most_ranks_of_node() > cores)};
        std::cerr << "topomp: " << count.unbound << of_all
                  << "may run anywhere on their node, so that they are in no level inside it; "
                  << (option.empty() ? "tell the launcher to bind each rank to a core"
                                     : option + " of " + std::string{started.name()} + " binds them")
                  << std::endl;
    }
    if (count.only_some_know())
        std::cerr << "topomp: only " << count.knowing_switches << of_all
                  << "know the switches above their node; the nodes of the others "
                  << "are beside these switches" << std::endl;
}

} // namespace

void show_running(const show_request& request, const launch& started) {
    const boost::mpi::communicator world;
    const int size = world.size();
    if (!request.is_made_up()) refuse_separate_programs(started, size);
    refuse_other_size("topomp show", request.ranks, size);
    const auto build = [&] {
        if (!request.is_made_up()) {
            hierarchy_options options = request.options;
            options.network = request.switches.value_or(options.network);
            const place mine = discover_place(world, options);
            hierarchy levels{world, mine, options};
            note_missing_levels(levels, mine, started, options.only.empty());
            return levels;
        }
        // Files may be missing on some nodes only.
        const auto made_up =
            detail::all_or_none(world, [&]() -> std::optional<std::pair<machine, placement>> {
                machine on = machine_of(request);
                placement rule = placement_of(request, on);
                return std::pair{std::move(on), std::move(rule)};
            });
        return hierarchy{world, made_up->first, made_up->second, request.options};
    };
    const outline all = gather_outline(build());
    // A file that cannot be written is an error on every rank, as any other.
    detail::all_or_none(world, [&] {
        if (world.rank() == 0) print(request, all);
        return true;
    });
}

void show_planned(const show_request& request, const launch& started) {
    if (!request.is_made_up()) refuse_separate_programs(started, 1);
    const machine on = machine_of(request);
    const placement rule = placement_of(request, on);
    const auto fixed = rule.fixed_size();
    const int ranks = request.ranks.value_or(fixed ? *fixed : core_count(on));
    print(request, outline::of(on, rule, ranks, request.options));
}

} // namespace topo::tool
