// SPDX-License-Identifier: BSL-1.0
// Policies beside each other, each named by a line of text: what `automatic` should choose.
#include "support/benchmark_main.hpp"
#include "support/described_nodes.hpp"
#include "support/every_verb.hpp"
#include "support/record.hpp"
#include <topomp/decide/detail/candidates.hpp>
#include <topomp/plan/plan_text.hpp>
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace topo_bench;

/// What a line of text asks for. `automatic`, `mpi` and routes have no plan.
struct candidate {
    std::string verb, name;
    std::optional<topo::plan> chosen{};
    topo::neighbour_route route = topo::neighbour_route::best; ///< of a neighbour verb
    std::vector<std::size_t> bytes{};                          ///< none: what --bytes says
};

const verb& verb_of(const std::string& name) {
    const auto found = std::ranges::find(verbs, name, &verb::name);
    if (found == verbs.end()) throw std::runtime_error("no such verb: " + name);
    return *found;
}

/// Reads `VERB POLICY [N,M]`, with sizes of its own if they are there. POLICY is `automatic`, `mpi`, or one
/// that `topo::read_plan` reads, without blanks; of neighbour verbs `direct` or `by_node`.
candidate read(const std::string& line) {
    candidate made;
    std::istringstream words{line};
    words >> made.verb >> made.name;
    if (std::string bytes; words >> bytes) made.bytes = byte_counts(bytes);
    if (made.name == "automatic" || made.name == "mpi") return made;
    if (verb_of(made.verb).neighbours == nullptr) {
        made.chosen = topo::read_plan(made.verb, "policy", made.name);
        const auto known = std::ranges::find(topo::detail::verb_names, made.verb);
        const auto what = static_cast<topo::detail::verb>(known - topo::detail::verb_names.begin());
        if (known != topo::detail::verb_names.end() && !topo::detail::serves(made.chosen->uses, what))
            throw std::runtime_error(line + ": this algorithm does not serve " + made.verb);
    } else if (made.name == "direct" || made.name == "by_node")
        made.route = made.name == "direct" ? topo::neighbour_route::direct : topo::neighbour_route::by_node;
    else
        throw std::runtime_error("no such route: " + made.name);
    return made;
}

/// Whether a plan combines operands in the order of ranks.
bool keeps_order(const topo::plan& what) {
    return what.uses == topo::detail::algorithm::tree && what.tree.keeps_order();
}

/// Prints what scripts/tune tries, a line `VERB POLICY LEAST MOST ORDER` each: from the least to the most
/// bytes, and `ordered` where operands are combined in the order of ranks, else `any`.
/// @param is_tried otherwise the line only keeps the place of its like
void print_candidate(topo::detail::verb what, const topo::plan& chosen, std::size_t least, std::size_t most,
                     bool is_tried = true) {
    std::string text = is_tried ? to_string(chosen) : "none";
    std::erase(text, ' ');
    std::cout << topo::detail::verb_names[static_cast<std::size_t>(what)] << ' ' << text << ' ' << least
              << ' ' << most << (keeps_order(chosen) ? " ordered" : " any") << '\n';
}

/// @param where `between_nodes` or `inside_machine`; line i of one is the like of line i of the other; or
/// `memory_of_nodes` or `memory_of_numa_nodes`, of which the same is true and which scripts/tune does not try
void print_candidates(std::string_view where) {
    using topo::detail::verb;
    if (where == "memory_of_nodes" || where == "memory_of_numa_nodes") {
        for (const auto& each : topo::detail::composed_candidates)
            for (const verb what : {verb::barrier, verb::broadcast, verb::reduce, verb::all_reduce})
                if (is_tried(each, what))
                    print_candidate(what, *each.what(where == "memory_of_nodes"), 0, std::size_t{1} << 30U);
        for (const auto& each : topo::detail::candidates_in_memory)
            for (const auto& tried : each.tried)
                for (const verb what : {verb::all_to_all, verb::gather, verb::scatter, verb::all_gather})
                    if (tried.what.contains(what)) // as topo::detail::candidates_for
                        print_candidate(
                            what, where == "memory_of_nodes" ? *each.between_nodes : *each.inside_machine,
                            tried.least, tried.most,
                            where == "memory_of_nodes" || *each.inside_machine != *each.between_nodes);
        return;
    }
    if (where != "between_nodes" && where != "inside_machine")
        throw std::runtime_error("--candidates wants between_nodes, inside_machine, memory_of_nodes or "
                                 "memory_of_numa_nodes");
    for (const auto& each : topo::detail::candidates)
        for (const auto& tried : each.tried)
            for (std::size_t what = 0; what < topo::detail::verb_names.size(); ++what)
                if (tried.what.contains(static_cast<verb>(what)))
                    print_candidate(static_cast<verb>(what),
                                    where == "between_nodes" ? *each.between_nodes : *each.inside_machine,
                                    tried.least, tried.most);
}

struct request {
    described_nodes nodes{};
    std::string where; ///< if set, candidates are printed and nothing is measured
    std::vector<candidate> candidates;
    std::vector<std::size_t> bytes{8, 32768};
    std::size_t most_bytes = std::size_t{1} << 31; ///< of all ranks' buffers together
    arguments common{};
};

/// Takes --policies FILE with such a line each, --bytes N,M, and --candidates WHERE, which prints what there
/// is to try, beside the options of `described_nodes` and of all benchmarks.
request read_request(int argc, char** argv) {
    request given;
    std::vector<std::string> lines{"broadcast segmented<1024,binomial>", "all_reduce lanes<binomial,linear>",
                                   "neighbour_all_gather_9 by_node"};
    given.common =
        topo_bench::read_arguments(argc, argv, 5, [&](std::string_view option, const std::string& value) {
            if (option == "--policies") {
                lines.clear();
                std::ifstream file{value};
                for (std::string line; std::getline(file, line);)
                    lines.push_back(line);
            } else if (option == "--bytes") {
                given.bytes = byte_counts(value);
            } else if (option == "--candidates") {
                given.where = value;
            } else {
                return given.nodes.take(option, value);
            }
            return true;
        });
    for (const auto& line : lines)
        given.candidates.push_back(read(line));
    return given;
}

void measure(const topo::hierarchy& levels, MPI_Comm comm, const candidate& policy, const request& given,
             MPI_Op add) {
    const verb& what = verb_of(policy.verb);
    std::optional<neighbour_links> links;
    if (what.neighbours != nullptr) links.emplace(levels, comm, what.neighbours, policy.route);
    const auto& sizes = policy.bytes.empty() ? given.bytes : policy.bytes;
    for (const std::size_t bytes : sizes) {
        if (what.name == "barrier" && bytes != sizes.front()) continue;
        point p{levels, comm, std::max<std::size_t>(1, bytes / sizeof(number))};
        p.add = add;
        const std::size_t elements =
            (what.sends_to_all ? p.all() : p.count) + (what.gets_from_all ? p.all() : p.count);
        p.links = links ? &*links : nullptr;
        if (!links && elements * sizeof(number) > given.most_bytes / static_cast<std::size_t>(p.size))
            continue;
        make_buffers(p, what);
        std::vector<double> seconds;
        for (int repetition = -1; repetition < given.common.repetitions; ++repetition) {
            p.fill(repetition);
            const double slowest = timed(p, [&](point& here) {
                if (policy.chosen) return what.by(here, *policy.chosen);
                return policy.name == "mpi" ? what.theirs(here) : what.ours(here);
            });
            check(p, what, repetition, policy.name);
            if (repetition >= 0) seconds.push_back(slowest);
        }
        if (p.rank != 0) continue;
        std::cout << policy.verb << ' ' << policy.name << ' ' << bytes << ' ' << std::setprecision(9)
                  << median(seconds) << std::endl;
        sample_file{given.common}.add({{"benchmark", "policies"},
                                       {"verb", policy.verb},
                                       {"policy", policy.name},
                                       {"ranks", p.size},
                                       {"bytes", bytes},
                                       {"seconds", nine_digits(median(seconds))}});
    }
}

void run(const boost::mpi::communicator& world, const request& given) {
    if (!given.where.empty()) {
        if (world.rank() == 0) print_candidates(given.where);
        return;
    }
    const topo::hierarchy levels = given.nodes.levels(world);
    const boost::mpi::communicator duplicate{world, boost::mpi::comm_duplicate};
    const MPI_Op add = given.nodes.sum<number>(world);
    for (const candidate& policy : given.candidates)
        measure(levels, duplicate, policy, given, add);
}

} // namespace

int main(int argc, char** argv) { return topo_bench::benchmark_main(argc, argv, read_request, run); }
