// SPDX-License-Identifier: BSL-1.0
// Policies beside each other, each named by a line of text: what `automatic` should choose.
#include "support/every_verb.hpp"
#include "support/record.hpp"
#include <topomp/policy/detail/policy_text.hpp>
#include <topomp/policy/detail/tuned_choice.hpp>
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <list>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace topo_bench;
using topo::detail::way;

/// What a line of text asks for. `automatic` and `mpi` have no selection, and one that `automatic` may make
/// has that of the machine.
struct candidate {
    std::string verb, name;
    std::vector<topo::detail::level_rule> rules{};
    std::optional<topo::detail::selection> chosen{};
    std::optional<topo::detail::tuned_choice> named{};
    std::vector<std::size_t> bytes{}; ///< none: what --bytes says
};

constexpr std::array<std::pair<std::string_view, way>, 8> engines{{
    {"flat", way::flat},
    {"ring", way::ring},
    {"bruck", way::bruck},
    {"pairwise", way::pairwise},
    {"dissemination", way::dissemination},
    {"recursive_doubling", way::recursive_doubling},
    {"recursive_halving", way::recursive_halving},
    {"rabenseifner", way::rabenseifner},
}};

/// Reads `VERB POLICY [N,M]`, with sizes of its own if they are there. POLICY is a name, as of a
/// `tuned_choice`, a tree (`RULES`) or lanes (`lanes:ALONG,INSIDE`), the last two with `@BYTES` behind them
/// for segments. The candidate must stay where it is.
void read(const std::string& line, candidate& made) {
    std::istringstream words{line};
    words >> made.verb >> made.name;
    if (std::string bytes; words >> bytes) made.bytes = byte_counts(bytes);
    if (made.name == "automatic" || made.name == "mpi") return;
    for (const auto& each : topo::detail::named_choices)
        if (made.name == each.name) {
            made.named = each.which;
            return;
        }
    const auto colon = made.name.find(':');
    for (const auto& [name, how] : engines) {
        if (made.name.substr(0, colon) != name) continue;
        made.chosen = topo::detail::selection{how};
        // With a radix behind a colon, and the longest part that stays whole behind another.
        std::istringstream numbers{colon == made.name.npos ? "" : made.name.substr(colon + 1)};
        if (!(numbers >> made.chosen->radix)) made.chosen->radix = 2;
        if (numbers.get() == ':') numbers >> made.chosen->whole_bytes;
        return;
    }
    std::string text = made.name;
    std::size_t segment = 0;
    if (const auto at = text.find('@'); at != text.npos) {
        segment = std::stoull(text.substr(at + 1));
        text.resize(at);
    }
    way how = way::tree;
    if (text.starts_with("lanes:")) {
        how = way::lanes;
        text.erase(0, 6);
        const auto comma = text.find(',');
        text = "Cluster=" + text.substr(0, comma) + text.substr(comma);
    }
    made.rules = topo::detail::read_rules("policies", line, text);
    made.chosen = topo::detail::selection{how, {made.rules, segment}};
}

struct request {
    std::optional<std::string> machine;
    std::list<candidate> candidates;
    std::vector<std::size_t> bytes{8, 32768};
    std::size_t most_bytes = std::size_t{1} << 31; ///< of all ranks' buffers together
    arguments common{};
};

/// Takes --machine DESCRIPTION, --policies FILE with such a line each and --bytes N,M, beside
/// all benchmarks' options.
request read_arguments(int argc, char** argv) {
    request given;
    std::vector<std::string> lines{"broadcast binomial@1024", "all_reduce lanes:binomial,linear"};
    given.common =
        topo_bench::read_arguments(argc, argv, 5, [&](std::string_view option, const std::string& value) {
            if (option == "--machine") {
                given.machine = machine_text(value);
            } else if (option == "--policies") {
                lines.clear();
                std::ifstream file{value};
                for (std::string line; std::getline(file, line);)
                    lines.push_back(line);
            } else if (option == "--bytes") {
                given.bytes = byte_counts(value);
            } else {
                return false;
            }
            return true;
        });
    for (const auto& line : lines)
        read(line, given.candidates.emplace_back());
    return given;
}

void measure(const topo::hierarchy& tree, MPI_Comm comm, const candidate& policy, const request& given) {
    const auto what = std::ranges::find(verbs, policy.verb, &verb::name);
    if (what == verbs.end()) throw std::runtime_error("policies: no such verb: " + policy.verb);
    auto chosen = policy.chosen;
    if (policy.named)
        chosen = selection_of(*policy.named, {.joins_all = topo::detail::innermost_kind(tree.whole_info())});
    const auto& sizes = policy.bytes.empty() ? given.bytes : policy.bytes;
    for (const std::size_t bytes : sizes) {
        if (what->name == "barrier" && bytes != sizes.front()) continue;
        point p{tree, comm, std::max<std::size_t>(1, bytes / sizeof(number))};
        const std::size_t elements =
            (what->sends_to_all ? p.all() : p.count) + (what->gets_from_all ? p.all() : p.count);
        if (elements * sizeof(number) > given.most_bytes / static_cast<std::size_t>(p.size)) continue;
        make_buffers(p, *what);
        std::vector<double> seconds;
        for (int repetition = -1; repetition < given.common.repetitions; ++repetition) {
            p.fill(repetition);
            const double slowest = timed(p, [&](point& here) {
                if (chosen) return what->by(here, *chosen);
                return policy.name == "mpi" ? what->theirs(here) : what->ours(here);
            });
            check(p, *what, repetition, policy.name);
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
    const auto build = [&] {
        if (!given.machine) return topo::hierarchy{world};
        return topo::hierarchy{world, topo::machine::parse(*given.machine), topo::placement::core_by_core()};
    };
    const topo::hierarchy tree = build();
    const boost::mpi::communicator duplicate{world, boost::mpi::comm_duplicate};
    for (const candidate& policy : given.candidates)
        measure(tree, duplicate, policy, given);
}

} // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    try {
        run(world, read_arguments(argc, argv));
    } catch (const std::exception& problem) {
        std::cerr << problem.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}
