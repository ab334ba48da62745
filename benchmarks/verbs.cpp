// SPDX-License-Identifier: BSL-1.0
// Every collective through topomp's default policy beside the MPI's own, in one run: the slowest rank's time.
#include "support/benchmark_main.hpp"
#include "support/described_nodes.hpp"
#include "support/every_verb.hpp"
#include "support/least_copies.hpp"
#include "support/record.hpp"
#include "support/simulated_rules.hpp"
#include "support/two_levels.hpp"
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/decide/detail/model_table.hpp>
#include <topomp/decide/detail/predicted.hpp>
#include <topomp/decide/detail/read_sources.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/model/least_time.hpp>
#include <topomp/model/machine_parameters.hpp>
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <utility>
#include <vector>

namespace {

using namespace topo_bench;

struct request {
    described_nodes nodes{};
    std::string by = "both"; ///< or "topomp", "mpi" or "two_levels": who is measured
    std::string rules;       ///< of SimGrid, if communicators are made by others
    std::vector<std::string> verbs;
    std::vector<std::size_t> bytes{8, 512, 32768};
    std::optional<rlim_t> limit{};                               ///< seconds of a processor for each point
    std::optional<topo::model::machine_parameters> parameters{}; ///< of the machine
    std::optional<topo::model::least_times> least{};             ///< of the machine with these parameters
    arguments common{};
};

/// Takes --by topomp|mpi|both|two_levels, --verbs A,B, --bytes N,M, --rules NAME (of SimGrid's, to measure
/// by), --parameters FILE (what `topomp measure` wrote: samples of ours then say what no algorithm can beat,
/// and what the models say of what was chosen) and --limit SECONDS (at a point that takes more of a
/// processor, in a simulation by all ranks, the program ends by SIGXCPU), beside those of `described_nodes`
/// and of all benchmarks.
request read_request(int argc, char** argv) {
    request given;
    given.common =
        topo_bench::read_arguments(argc, argv, 21, [&](std::string_view option, const std::string& value) {
            if (option == "--by" &&
                (value == "topomp" || value == "mpi" || value == "both" || value == "two_levels"))
                given.by = value;
            else if (option == "--rules")
                given.rules = value;
            else if (option == "--limit")
                given.limit = std::stoul(value);
            else if (option == "--parameters")
                given.least.emplace(given.parameters.emplace(topo::model::machine_parameters::read(value)));
            else if (option == "--verbs")
                given.verbs = words(value);
            else if (option == "--bytes")
                given.bytes = byte_counts(value);
            else
                return given.nodes.take(option, value);
            return true;
        });
    return given;
}

/// What the models say of what `automatic` chooses for a verb.
std::optional<double> predicted_seconds(const point& p, const verb& what, const request& given) {
    using topo::detail::verb;
    constexpr std::array<std::pair<std::string_view, verb>, 9> known{
        {{"barrier", verb::barrier},
         {"broadcast", verb::broadcast},
         {"reduce", verb::reduce},
         {"all_reduce", verb::all_reduce},
         {"gather", verb::gather},
         {"scatter", verb::scatter},
         {"all_gather", verb::all_gather},
         {"all_to_all", verb::all_to_all},
         {"reduce_scatter", verb::reduce_scatter}}};
    const auto found = std::ranges::find(known, what.name, [](const auto& each) { return each.first; });
    if (!given.parameters || found == known.end()) return std::nullopt;
    std::size_t bytes = p.count * sizeof(number);
    if (found->second == verb::barrier) bytes = 0;
    if (found->second == verb::reduce_scatter) bytes *= static_cast<std::size_t>(p.size);
    auto& decisions = topo::detail::decisions::of(p.levels); // made by the calls that were measured
    const auto now = decisions.key_of(found->second, bytes, true);
    const topo::plan& chosen = decisions.of(found->second, bytes, true);
    topo::detail::modelled_machine<topo::model::measured_messages> machine{{}, given.parameters->models()};
    for (const auto& level : given.parameters->levels)
        machine.inside.push_back(level.inside);
    if (const auto seconds = predicted(machine, chosen, now)) return seconds;
    const auto costs = topo::detail::costs_by(*given.parameters);
    return costs.were_measured(now.crosses_nodes()) ? seconds_of(chosen, now, costs) : std::nullopt;
}

/// From now on this process, in a simulation all ranks', may take so many seconds of a processor.
void limit_processor_time(rlim_t seconds) {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    rlimit limit{};
    getrlimit(RLIMIT_CPU, &limit);
    const auto so_far = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1;
    limit.rlim_cur = std::min(limit.rlim_max, so_far + seconds);
    setrlimit(RLIMIT_CPU, &limit);
}

void measure(point p, const verb& what, std::size_t bytes, const request& given, two_levels* leaders) {
    if (given.limit && p.rank == 0) limit_processor_time(*given.limit);
    make_buffers(p, what);
    const std::array<std::string_view, 2> names{"topomp", leaders != nullptr ? "two_levels" : "mpi"};
    const std::array<std::function<void(point&)>, 2> calls{
        what.ours, leaders == nullptr ? std::function<void(point&)>{what.theirs}
                                      : [&](point& here) { (*leaders)(here, what.name); }};
    std::array<std::vector<double>, 2> seconds;
    std::mt19937 order{static_cast<unsigned>(bytes) + 1};                            // the same on all ranks
    for (int repetition = -1; repetition < given.common.repetitions; ++repetition) { // the first warms up
        const std::size_t first = order() % 2;
        for (const std::size_t algorithm : {first, 1 - first}) {
            if (given.by != "both" && given.by != names[algorithm]) continue;
            p.fill(repetition);
            const double slowest = timed(p, calls[algorithm]);
            check(p, what, repetition, names[algorithm]);
            if (repetition >= 0) seconds[algorithm].push_back(slowest);
        }
    }
    if (p.rank != 0) return;
    if (!given.common.output.empty()) {
        const auto least =
            given.least ? given.least->seconds(what.name, static_cast<double>(bytes)) : std::nullopt;
        const double copies = is_simulated ? 0 : least_copy_seconds(what.name, p.size, bytes);
        const auto model = predicted_seconds(p, what, given);
        sample_file out{given.common};
        for (const std::size_t algorithm : {0U, 1U})
            for (std::size_t i = 0; i < seconds[algorithm].size(); ++i) {
                json sample{{"benchmark", "verbs"},
                            {"verb", what.name},
                            {"by", names[algorithm]},
                            {"ranks", p.size},
                            {"bytes", bytes},
                            {"repetition", i},
                            {"seconds", nine_digits(seconds[algorithm][i])}};
                if (algorithm == 0 && least) sample.set("bound", nine_digits(*least));
                if (algorithm == 0 && copies > 0) sample.set("copies", nine_digits(copies));
                if (algorithm == 0 && model) sample.set("predicted", nine_digits(*model));
                out.add(std::move(sample));
            }
    }
    const auto microseconds = [&](std::size_t algorithm) {
        return seconds[algorithm].empty() ? 0 : median(seconds[algorithm]) * 1e6;
    };
    std::cout << std::left << std::setw(26) << what.name << std::right << std::setw(10) << bytes << std::fixed
              << std::setprecision(1) << std::setw(12) << microseconds(0) << std::setw(12) << microseconds(1);
    if (given.by == "both")
        std::cout << std::setprecision(2) << std::setw(8) << microseconds(1) / microseconds(0);
    std::cout << std::endl;
}

void run(const boost::mpi::communicator& world, const request& given) {
    // The MPI's own collectives need none, and in a simulation a large one takes a while to build.
    const topo::hierarchy levels =
        given.by == "mpi" || given.by == "two_levels"
            ? topo::hierarchy{boost::mpi::communicator{MPI_COMM_SELF, boost::mpi::comm_attach}}
            : given.nodes.levels(world);
    std::optional<two_levels> leaders;
    if (given.by == "two_levels") {
        if (!given.nodes.nodes) throw std::runtime_error("--by two_levels wants --nodes");
        leaders.emplace(world, *given.nodes.nodes);
    }
    const MPI_Op add = given.nodes.sum<number>(world);
    if (world.rank() == 0)
        std::cout << std::left << std::setw(26) << "verb" << std::right << std::setw(10) << "bytes"
                  << std::setw(12) << "topomp us" << std::setw(12) << "MPI us" << std::setw(8) << "ratio"
                  << '\n';
    for (const verb& what : verbs) {
        if (!given.verbs.empty() && std::ranges::find(given.verbs, what.name) == given.verbs.end()) continue;
        if (leaders && !two_levels::has(what.name)) continue;
        // NBX does not end there: SimGrid's non-blocking barrier (3.32) does before all ranks have called.
        if (is_simulated && what.name.starts_with("sparse_exchange_nbx")) continue;
        std::optional<neighbour_links> links;
        if (what.neighbours != nullptr)
            links.emplace(levels, world, what.neighbours, topo::neighbour_route::best);
        use_rules_of(given.rules, what.name, world);
        for (const std::size_t bytes : given.bytes) {
            if (what.name == "barrier" && bytes != given.bytes.front()) continue;
            point p{levels, world, std::max<std::size_t>(1, bytes / sizeof(number)), world.size(),
                    world.rank()};
            p.add = add;
            p.links = links ? &*links : nullptr;
            measure(std::move(p), what, bytes, given, leaders ? &*leaders : nullptr);
        }
    }
}

} // namespace

int main(int argc, char** argv) { return topo_bench::benchmark_main(argc, argv, read_request, run); }
