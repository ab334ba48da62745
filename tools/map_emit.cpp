// SPDX-License-Identifier: BSL-1.0
#include "map.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/hostlist.hpp>

#include <numeric>

namespace topo::tool {

namespace {

/// Open MPI: a line per rank. `+n3` is the fourth node of the job.
void emit_rankfile(std::ostream& out, const grid_plan& plan, const std::vector<int>& starts,
                   const std::vector<std::string>& names) {
    for (std::size_t cell = 0; cell < plan.owner.size(); ++cell) {
        const auto node = static_cast<std::size_t>(plan.node[cell]);
        out << "rank " << cell << '=' << (names.empty() ? "+n" + std::to_string(node) : names[node])
            << " slot=" << plan.owner[cell] - starts[node] << '\n';
    }
}

/// Cray MPICH: a line per node, with the ranks that fill its places in order.
void emit_mpich(std::ostream& out, const grid_plan& plan, const std::vector<int>& node_sizes) {
    const auto cells = plan.cells_of_ranks();
    std::size_t place = 0;
    for (const int size : node_sizes)
        for (int i = 0; i < size; ++i)
            out << cells[place++] << (i + 1 == size ? '\n' : ',');
}

/// Slurm: a line per rank, the name of its host.
void emit_slurm(std::ostream& out, const grid_plan& plan, const std::vector<std::string>& names) {
    for (const int node : plan.node)
        out << names[static_cast<std::size_t>(node)] << '\n';
}

} // namespace

std::vector<std::string> read_hosts(const map_arguments& arguments, std::size_t nodes) {
    if (!arguments.hosts) {
        if (arguments.emit == "slurm")
            throw argument_error("topomp map", "--emit slurm",
                                 "--hosts has to name the nodes, such as \"$SLURM_JOB_NODELIST\"");
        return {};
    }
    auto names = expand_hostlist(*arguments.hosts);
    if (names.size() != nodes)
        throw argument_error("topomp map", "--hosts " + *arguments.hosts,
                             std::to_string(names.size()) + " names for " + std::to_string(nodes) + " nodes");
    return names;
}

void emit_map(std::ostream& out, const grid_plan& plan, const std::vector<int>& node_sizes,
              const std::string& launcher, const std::vector<std::string>& names) {
    if (launcher == "mpich") return emit_mpich(out, plan, node_sizes);
    if (launcher == "slurm") return emit_slurm(out, plan, names);
    std::vector<int> starts(node_sizes.size());
    std::exclusive_scan(node_sizes.begin(), node_sizes.end(), starts.begin(), 0);
    emit_rankfile(out, plan, starts, names);
}

} // namespace topo::tool
