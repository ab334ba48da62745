// SPDX-License-Identifier: BSL-1.0
#include "measure.hpp"

#include "measure_memory.hpp"
#include "measure_messages.hpp"
#include "measure_quality.hpp"
#include "output.hpp"
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/gather_outline.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/version.hpp>

#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/serialization/vector.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace topo::tool {

namespace {

using model::machine_parameters;
using model::plogp;

/// Who measures a level: the ranks of one member, each with one of another member, by turns from the last on,
/// for links of a network may join two members only; and with one of all outside it, evenly spread. As ranks
/// of the whole.
struct level_ends {
    std::vector<int> first, others, outside;
    int inside = 0, members = 1;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& first& others& outside& inside& members;
    }
};

/// Those of a communicator.
level_ends ends_of(const outline& all, const outline::communicator& comm) {
    std::vector<std::vector<int>> members;
    for (const int rank : comm.ranks) {
        const outline::communicator* part = nullptr;
        for (const int child : comm.children)
            if (const auto& each = all.communicators[static_cast<std::size_t>(child)];
                std::ranges::binary_search(each.ranks, rank))
                part = &each;
        if (part == nullptr)
            members.push_back({rank});
        else if (part->root() == rank)
            members.push_back(part->ranks);
    }
    level_ends result{std::move(members.front()),
                      {},
                      {},
                      static_cast<int>(detail::innermost_kind(comm)),
                      static_cast<int>(members.size())};
    for (std::size_t turn = 0; turn < comm.ranks.size() && result.others.size() < result.first.size(); ++turn)
        for (std::size_t i = members.size() - 1; i > 0; --i)
            if (turn < members[i].size()) result.others.push_back(members[i][turn]);
    std::vector<int> rest;
    for (const int rank : all.whole().ranks)
        if (!std::ranges::binary_search(result.first, rank)) rest.push_back(rank);
    const std::size_t flows = std::min(result.first.size(), rest.size());
    for (std::size_t i = 0; i < flows; ++i)
        result.outside.push_back(rest[i * rest.size() / flows]);
    return result;
}

/// Of the largest communicator of each depth.
std::vector<level_ends> ends_of_levels(const outline& all) {
    std::vector<level_ends> result;
    for (int depth = -1; depth < all.max_depth(); ++depth) {
        level_ends largest;
        for (const auto& comm : all.communicators)
            if (comm.depth == depth)
                if (level_ends found = ends_of(all, comm); found.members > largest.members)
                    largest = std::move(found);
        if (largest.members > 1) result.push_back(std::move(largest));
    }
    return result;
}

/// What `work` finds on the first `flows` ranks of both sides, who have a communicator for it: the first
/// one's result, on all ranks. @collective over the whole
template <class Work>
std::vector<double> among(const boost::mpi::communicator& whole, const std::vector<int>& ones,
                          const std::vector<int>& others, std::size_t flows, Work work) {
    const auto place_in = [&](const std::vector<int>& ranks) {
        const auto found = std::ranges::find(ranks, whole.rank()) - ranks.begin();
        return std::min(static_cast<std::size_t>(found), flows);
    };
    const std::size_t one = place_in(ones), other = place_in(others);
    const bool takes_part = one < flows || other < flows;
    const boost::mpi::communicator part =
        whole.split(takes_part ? 0 : 1, static_cast<int>(one < flows ? one : flows + other));
    std::vector<double> found;
    if (takes_part) found = work(part);
    wait_asleep(whole);
    boost::mpi::broadcast(whole, found, ones.front());
    return found;
}

machine_parameters::level measure_level(const boost::mpi::communicator& whole, const level_ends& level,
                                        double seconds) {
    machine_parameters::level result{static_cast<kind>(level.inside), level.members, 0, {}};
    const auto rows = among(whole, level.first, level.others, 1,
                            [&](const auto& two) { return measure_messages(two, seconds); });
    std::vector<plogp::row> table;
    for (std::size_t i = 0; i + 8 < rows.size(); i += 9) {
        table.push_back({rows[i], rows[i + 1], rows[i + 2], rows[i + 3]});
        result.messages.trips.push_back({rows[i], rows[i + 4]});
        result.spreads.push_back({rows[i], rows[i + 5], rows[i + 6], rows[i + 7], rows[i + 8]});
    }
    const double least = result.messages.trips.front().seconds;
    result.messages.single = plogp{std::max(least - table.front().gap, 0.0), table};

    const auto flag = among(whole, level.first, level.others, 1, [&](const auto& two) {
        return std::vector{measure_flag(two, std::min(1.0, seconds / 4))};
    });
    result.flag_latency = flag.front();

    const auto rates = [&](const std::vector<int>& others, std::size_t flows) {
        return among(whole, level.first, others, flows, measure_rates);
    };
    const std::size_t most = std::min(level.first.size(), level.others.size());
    for (std::size_t flows = 1; flows <= most; flows = flows < most ? std::min(2 * flows, most) : most + 1)
        result.messages.rates.push_back({static_cast<int>(flows), rates(level.others, flows).front()});
    if (level.outside.size() > 1) result.outside_rate = rates(level.outside, level.outside.size()).back();
    return result;
}

std::string processor() {
    std::ifstream in{"/proc/cpuinfo"};
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
    return "unknown";
}

std::vector<std::pair<std::string, std::string>> provenance(int ranks) {
    std::array<char, 64> date{};
    const std::time_t now = std::time(nullptr);
    std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
    int length = 0;
    MPI_Get_library_version(library.data(), &length);
    const std::string mpi{library.data()};
    return {{"date", date.data()},
            {"host", is_simulated ? "simulated" : host.data()},
            {"processor", is_simulated ? "simulated" : processor()},
            {"cpus", std::to_string(std::thread::hardware_concurrency())},
            {"ranks", std::to_string(ranks)},
            {"mpi", is_simulated ? "SimGrid SMPI" : mpi.substr(0, mpi.find_first_of("\n,"))},
            {"compiler", __VERSION__},
            {"topomp", std::string{version}}};
}

void print(const measure_request& request, machine_parameters found) {
    for (const auto& each : noise_in(found))
        std::cerr << "topomp measure: " << each << std::endl;
    if (const auto why = nonsense_in(found); !why.empty()) {
        std::cerr << "topomp measure: predict will refuse this: " << why << std::endl;
        found.notes.emplace_back(unusable_note, why);
    }
    std::ostringstream text;
    found.write(text);
    write_output("topomp measure", request.output, text.str());
}

} // namespace

machine_parameters measure(const hierarchy& levels, double seconds) {
    const boost::mpi::communicator& whole = levels.whole();
    std::vector<level_ends> ends;
    if (const outline all = gather_outline(levels); whole.rank() == 0) ends = ends_of_levels(all);
    boost::mpi::broadcast(whole, ends, 0);
    machine_parameters result;
    result.notes = provenance(whole.size());
    for (const level_ends& each : ends)
        result.levels.push_back(measure_level(whole, each, 0.8 * seconds / static_cast<double>(ends.size())));
    if (whole.rank() == 0 && !is_simulated) // where copies cost nothing
        result.copies = measure_copies(seconds / 10);
    wait_asleep(whole);
    return result;
}

void measure_running(const measure_request& request) {
    const boost::mpi::communicator world;
    if (world.size() < 2)
        throw argument_error("topomp measure", "one rank", "it takes two to send messages; start more");
    // A file that cannot be written is an error before the time is spent.
    detail::all_or_none(world, [&] {
        if (world.rank() == 0 && request.output && !std::ofstream{*request.output, std::ios::app})
            throw system_error("topomp measure", *request.output, std::strerror(errno));
        return true;
    });
    const hierarchy levels =
        request.machine ? hierarchy{world, machine::parse(*request.machine), placement::core_by_core()}
                        : hierarchy{world};
    const machine_parameters found = measure(levels, request.seconds);
    detail::all_or_none(world, [&] {
        if (world.rank() == 0) print(request, found);
        return true;
    });
}

} // namespace topo::tool
