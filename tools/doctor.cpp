// SPDX-License-Identifier: BSL-1.0
#include "doctor.hpp"

#include "output.hpp"
#include "terminal.hpp"
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/network.hpp>
#include <topomp/hardware/topology.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/version.hpp>

#include <boost/mpi/collectives/gather.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <unistd.h>

namespace topo::tool {

namespace {

using grade = finding::grade;

/// @param why of `separate_programs`: what is wrong; what to do
finding wrongly_started(const std::string& why) {
    const auto end = why.find(';');
    return {grade::wrong, "ranks", why.substr(0, end), why.substr(end + 2)};
}

findings checks_of_node() {
    findings all;
    for (const auto check : {check_hardware, check_shared_memory, check_left_overs, check_cma})
        for (auto& each : check())
            all.push_back(std::move(each));
    return all;
}

/// Each finding once, with the nodes that it is not the same on.
findings merged(const std::vector<findings>& of_nodes, const std::vector<std::string>& names) {
    findings all;
    std::vector<std::string> where;
    for (std::size_t node = 0; node < of_nodes.size(); ++node)
        for (const finding& each : of_nodes[node]) {
            const auto known = std::ranges::find(all, each) - all.begin();
            if (known == static_cast<std::ptrdiff_t>(all.size())) {
                all.push_back(each);
                where.emplace_back();
            }
            auto& list = where[static_cast<std::size_t>(known)];
            list += (list.empty() ? "" : ", ") + names[node];
        }
    for (std::size_t i = 0; i < all.size(); ++i)
        if (std::ranges::count(where[i], ',') + 1 < static_cast<std::ptrdiff_t>(of_nodes.size()))
            all[i].part += " of " + where[i];
    return all;
}

findings nodes_of_run(const boost::mpi::communicator& world) {
    const auto node = detail::own(mpi::comm_split_shared(world, world.rank()));
    findings mine;
    if (node.rank() == 0) mine = checks_of_node();
    std::vector<findings> all;
    std::vector<std::string> names;
    if (world.rank() != 0) {
        boost::mpi::gather(world, mine, 0);
        boost::mpi::gather(world, mpi::processor_name(), 0);
        return {};
    }
    boost::mpi::gather(world, mine, all, 0);
    boost::mpi::gather(world, mpi::processor_name(), names, 0);
    std::vector<findings> with_node;
    std::vector<std::string> node_names;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        if (!all[rank].empty()) {
            with_node.push_back(all[rank]);
            node_names.push_back(names[rank]);
        }
    return merged(with_node, node_names);
}

void print_findings(std::ostream& out, const findings& all) {
    const colours look = colours_of(STDOUT_FILENO);
    std::size_t wide = 0;
    for (const finding& each : all)
        wide = std::max(wide, each.part.size());
    const std::size_t room = terminal_width() - std::min<std::size_t>(terminal_width() - 20, wide + 12);
    const auto indented = [&](const std::string& text, const std::string& front) {
        std::string lines = wrapped(text, room);
        for (std::size_t at = 0; (at = lines.find('\n', at)) != lines.npos; at += wide + 12)
            lines.insert(at + 1, std::string(wide + 11, ' '));
        out << front << lines << '\n';
    };
    std::array<int, 3> count{};
    for (const finding& each : all) {
        const auto [word, colour] = each.is == grade::fine     ? std::pair{"fine  ", look.good}
                                    : each.is == grade::advice ? std::pair{"advice", look.warning}
                                                               : std::pair{"wrong ", look.bad};
        ++count[static_cast<std::size_t>(each.is)];
        indented(each.what,
                 look.in(colour, word) + "  " + each.part + std::string(wide + 3 - each.part.size(), ' '));
        if (!each.remedy.empty()) indented(each.remedy, std::string(wide + 8, ' ') + "-> ");
    }
    const int wrong = count[static_cast<std::size_t>(grade::wrong)],
              advice = count[static_cast<std::size_t>(grade::advice)];
    if (wrong + advice == 0)
        out << "Nothing is wrong.\n";
    else
        out << wrong << (wrong == 1 ? " thing is" : " things are") << " wrong, " << advice
            << " could be better; the arrows say what to do.\n";
}

} // namespace

findings check_ranks(const launch& started) {
    const boost::mpi::communicator world;
    if (const auto why = separate_programs(started, world.size()); !why.empty())
        return {wrongly_started(why)};
    const hierarchy_options options;
    const place mine = discover_place(world, options);
    const auto node = detail::own(mpi::comm_split_shared(world, world.rank()));
    const int cores = topology::this_machine().core_count();
    const rank_census count = count_ranks(world, mine);
    const std::array<int, 2> own{node.size() > cores ? 1 : 0, node.rank() == 0 ? 1 : 0};
    std::array<int, 2> all{};
    mpi::allreduce(own.data(), all.data(), 2, MPI_INT, MPI_SUM, world, "ranks that share cores, and nodes");
    const auto [sharing, nodes] = all;
    const std::string of_all = " of " + std::to_string(world.size()) + " ranks";
    const std::string option{started.binding_option(sharing > 0)};
    findings result{{grade::fine, "ranks",
                     std::to_string(world.size()) + " on " + std::to_string(nodes) + " nodes, started by " +
                         std::string{started.name()},
                     ""}};
    if (count.unbound > 0 && world.size() > nodes)
        result.push_back({grade::advice, "binding",
                          std::to_string(count.unbound) + of_all +
                              " may run anywhere on their node: they are in no level inside it, and may move",
                          option.empty() ? "tell the launcher to bind each rank to a core"
                                         : "give " + std::string{started.name()} + " " + option});
    else
        result.push_back({grade::fine, "binding", "each rank is bound to a part of its node", ""});
    if (sharing > 0)
        result.push_back({grade::advice, "cores",
                          std::to_string(sharing) + of_all + " share cores with others",
                          "start at most a rank for each core: ranks that wait keep others from working"});
    if (count.only_some_know())
        result.push_back(
            {grade::wrong, "switches",
             "only " + std::to_string(count.knowing_switches) + of_all + " know theirs",
             "see that SLURM_TOPOLOGY_ADDR reaches all ranks, or give topo::network a topology.conf"});
    return result;
}

int doctor(const launch& started, bool is_in_mpi) {
    int worst = 0;
    findings all;
    const auto add = [&](findings more) {
        for (auto& each : more)
            all.push_back(std::move(each));
    };
    const bool is_first = is_in_mpi ? mpi::comm_rank(MPI_COMM_WORLD) == 0 : started.is_first;
    if (is_first) {
        add({{grade::fine, "topomp", std::string{version}, ""}});
        for (const auto check : {check_mpi, check_launchers, check_preload})
            add(check());
        add(check_slurm(started));
    }
    if (is_in_mpi) {
        add(check_ranks(started));
        add(nodes_of_run(boost::mpi::communicator{}));
    } else {
        if (const auto why = separate_programs(started, 1); !why.empty())
            add({wrongly_started(why)});
        else
            add({{grade::fine, "ranks",
                  "none: started by itself; under a launcher, this looks at binding and all nodes", ""}});
        add(checks_of_node());
    }
    if (is_first) {
        write_output("topomp doctor", std::nullopt, [&](std::ostream& out) { print_findings(out, all); });
        worst = std::ranges::count(all, grade::wrong, &finding::is) > 0 ? 1 : 0;
    }
    if (is_in_mpi) mpi::bcast(&worst, 1, MPI_INT, 0, MPI_COMM_WORLD, "what the doctor found");
    return worst;
}

} // namespace topo::tool
