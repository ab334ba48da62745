// SPDX-License-Identifier: BSL-1.0
#include "map.hpp"

#include "output.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <sstream>

namespace topo::tool {

namespace {

std::string algorithm_text(const grid_plan& plan) {
    std::string text{to_string(plan.algorithm)};
    if (plan.is_refined && plan.algorithm != mapping_algorithm::refine) text += "+refine";
    return text;
}

nlohmann::ordered_json json_of(const mapping_cost& cost) {
    return {{"jsum", cost.jsum}, {"jmax", cost.jmax}};
}

nlohmann::ordered_json json_of(const partner_count& count) {
    return {{"min", count.min}, {"max", count.max}, {"mean", count.mean}};
}

void render_json(std::ostream& out, const grid_plan& plan, double seconds) {
    nlohmann::ordered_json document{{"dims", plan.cells.extents()},
                                    {"algorithm", algorithm_text(plan)},
                                    {"jsum", plan.now.cost.jsum},
                                    {"jmax", plan.now.cost.jmax},
                                    {"blocked", json_of(plan.blocked.cost)},
                                    {"lower_bound", nullptr},
                                    {"on_node", json_of(plan.now.on_node)},
                                    {"off_node", json_of(plan.now.off_node)}};
    if (plan.lower_bound) document["lower_bound"] = *plan.lower_bound;
    if (!plan.parts.empty()) {
        auto parts = nlohmann::ordered_json::array();
        for (const auto& each : plan.parts) {
            auto level = json_of(each.now);
            level["blocked"] = json_of(each.blocked);
            parts.push_back(std::move(level));
        }
        document["parts"] = std::move(parts);
    }
    document["seconds"] = seconds;
    out << document.dump() << '\n';
}

void print_cost(std::ostream& out, const std::string& name, const mapping_cost& cost) {
    out << std::left << std::setw(24) << name << std::right << std::setw(12) << cost.jsum << std::setw(12)
        << cost.jmax << '\n';
}

void print_partners(std::ostream& out, const std::string& name, const partner_count& now,
                    const partner_count& before) {
    const auto print = [&](const partner_count& each) {
        out << each.min << " to " << each.max << ", " << each.mean << " in the mean";
    };
    out << std::left << std::setw(24) << name << std::fixed << std::setprecision(2);
    print(now);
    out << " (blocked: ";
    print(before);
    out << ")\n";
}

void render_text(std::ostream& out, const grid_plan& plan, std::size_t nodes, const double* seconds) {
    out << extents_text(plan.cells.extents()) << ", " << plan.cells.size()
        << (plan.cells.size() == 1 ? " rank" : " ranks") << " on " << nodes
        << (nodes == 1 ? " node" : " nodes") << ", by " << algorithm_text(plan) << "\n\n";
    out << std::setw(36) << "jsum" << std::setw(12) << "jmax" << '\n';
    print_cost(out, "this plan", plan.now.cost);
    print_cost(out, "blocked", plan.blocked.cost);
    if (plan.lower_bound)
        out << std::left << std::setw(24) << "no plan is below" << std::right << std::setw(12)
            << *plan.lower_bound << '\n';
    for (std::size_t i = 0; i < plan.parts.size(); ++i) {
        const std::string level = "in nodes, level " + std::to_string(i + 1);
        print_cost(out, level, plan.parts[i].now);
        print_cost(out, "  blocked", plan.parts[i].blocked);
    }
    out << '\n';
    print_partners(out, "partners on the node", plan.now.on_node, plan.blocked.on_node);
    print_partners(out, "partners elsewhere", plan.now.off_node, plan.blocked.off_node);
    if (seconds != nullptr) out << std::setprecision(3) << "\nplanned in " << *seconds << " s\n";
}

std::string title_of(const grid_plan& plan, std::size_t nodes) {
    return extents_text(plan.cells.extents()) + " on " + std::to_string(nodes) + " nodes, " +
           algorithm_text(plan) + ": jsum " + std::to_string(plan.now.cost.jsum) + ", jmax " +
           std::to_string(plan.now.cost.jmax);
}

} // namespace

void map(const map_arguments& arguments) {
    if (!arguments.per_node && arguments.node_sizes.empty())
        throw argument_error("topomp map", "--per-node, --node-sizes",
                             "one of them has to say how many ranks a node has");
    const grid_request request = read_map_arguments(arguments);
    // Planning can take minutes: whatever can be refused is refused before.
    const auto hosts = read_hosts(arguments, request.node_sizes.size());
    const auto start = std::chrono::steady_clock::now();
    const grid_plan plan = grid_plan::of(request);
    double seconds = 0;
    if (arguments.with_seconds)
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::ostringstream text;
    if (arguments.emit)
        emit_map(text, plan, request.node_sizes, *arguments.emit, hosts);
    else if (arguments.format == "json")
        render_json(text, plan, seconds);
    else if (arguments.format == "svg")
        render_map_svg(text, plan, title_of(plan, request.node_sizes.size()));
    else
        render_text(text, plan, request.node_sizes.size(), arguments.with_seconds ? &seconds : nullptr);
    write_output("topomp map", arguments.output, text.str());
}

} // namespace topo::tool
