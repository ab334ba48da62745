// SPDX-License-Identifier: BSL-1.0
#include "show.hpp"

#include "output.hpp"
#include "render.hpp"
#include "tree.hpp"
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <sstream>
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

machine bare_machine_of(const show_request& request) {
    if (request.description) return machine::parse(*request.description);
    if (request.xml) return machine::uniform(topology::from_xml(*request.xml), request.nodes);
    return machine{{{host_name(), {}, std::make_shared<const topology>(topology::this_machine())}}};
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

void render_tree(std::ostream& out, const show_request& request, const outline& all) {
    const auto tree = spanning_tree::of(all, *request.tree, request.root);
    if (request.format == "svg") return render_tree_svg(out, all, tree);
    if (request.format == "text") return render_tree_text(out, all, tree);
    throw argument_error("topomp show", "--format " + request.format, "trees are shown as text or svg");
}

void print(const show_request& request, const outline& all) {
    std::ostringstream text;
    if (request.tree)
        render_tree(text, request, all);
    else if (request.format == "json")
        render_json(text, all);
    else if (request.format == "dot")
        render_dot(text, all);
    else if (request.format == "svg")
        render_svg(text, all);
    else
        render_text(text, all);
    write_output("topomp show", request.output, text.str());
}

} // namespace

void show_running(const show_request& request) {
    const boost::mpi::communicator world;
    const int size = world.size();
    const int asked = request.ranks.value_or(size);
    if (asked != size)
        throw argument_error("topomp show", "--ranks " + std::to_string(asked),
                             "this run has " + std::to_string(size) + " ranks");
    const auto build = [&] {
        if (!request.is_made_up()) {
            hierarchy_options options = request.options;
            options.network = request.switches.value_or(options.network);
            return hierarchy{world, options};
        }
        const machine on = machine_of(request);
        return hierarchy{world, on, placement_of(request, on), request.options};
    };
    const outline all = gather_outline(build());
    // A file that cannot be written is an error on every rank, as any other.
    detail::all_or_none(world, [&] {
        if (world.rank() == 0) print(request, all);
        return true;
    });
}

void show_planned(const show_request& request) {
    const machine on = machine_of(request);
    const placement rule = placement_of(request, on);
    const auto fixed = rule.fixed_size();
    const int ranks = request.ranks.value_or(fixed ? *fixed : core_count(on));
    print(request, outline::of(places_of(on, rule, ranks), request.options));
}

} // namespace topo::tool
