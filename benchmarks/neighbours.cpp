// SPDX-License-Identifier: BSL-1.0
// neighbours [--bytes N,M] [--repetitions N]
//
// neighbour_all_to_all and neighbour_all_gather on stencils of 2 and 3 dimensions and on a power-law graph,
// by each route, beside MPI's own neighbour collective (SimGrid's MPI has none). Prints the median time of
// the slowest rank in us, and how many times as long the MPI's own, or else the direct route, takes as
// `best`.
#include "support/agreed_start.hpp"
#include "support/record.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/neighbour_all_gather.hpp>
#include <topomp/neighbour/neighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace topo_bench;

struct lists {
    std::string name;
    std::vector<int> sources, destinations;
};

/// All cells at most one step away along each dimension of a periodic grid, or along one dimension only.
lists stencil(const std::string& name, int ranks, int rank, int dimensions, bool corners) {
    std::vector<int> extents(static_cast<std::size_t>(dimensions));
    MPI_Dims_create(ranks, dimensions, extents.data());
    std::set<int> found;
    const int steps = static_cast<int>(std::lround(std::pow(3, dimensions)));
    for (int step = 0; step < steps; ++step) {
        int rest = step, cell = rank, scale = 1, neighbour = 0, moved = 0;
        for (std::size_t i = extents.size(); i-- > 0; rest /= 3) {
            const int by = rest % 3 - 1, at = cell % extents[i];
            moved += by != 0 ? 1 : 0;
            neighbour += (at + by + extents[i]) % extents[i] * scale;
            cell /= extents[i];
            scale *= extents[i];
        }
        if (moved == 1 || (corners && moved > 0)) found.insert(neighbour);
    }
    found.erase(rank);
    const std::vector<int> all(found.begin(), found.end());
    return {name, all, all};
}

/// Links from every rank to others that are drawn with a probability that falls with their number: few ranks
/// have very many.
lists power_law(int ranks, int rank) {
    std::mt19937 random{1};
    std::set<std::pair<int, int>> links;
    for (int i = 0; i < 8 * ranks; ++i) {
        const auto drawn = [&] { return (static_cast<double>(random()) + 1) / 4294967297.0; };
        const int from = static_cast<int>(drawn() * ranks);
        const int to = static_cast<int>(std::pow(ranks, drawn())) - 1;
        // numbers far from each other are on other nodes
        const int spread = static_cast<int>((static_cast<long long>(to) * 7919) % ranks);
        if (from != spread) {
            links.emplace(from, spread);
            links.emplace(spread, from);
        }
    }
    lists result{"power law", {}, {}};
    for (const auto& [from, to] : links)
        if (from == rank) result.destinations.push_back(to);
    result.sources = result.destinations; // every link has its opposite
    return result;
}

double median(std::vector<double> times) {
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
}

template <class Call>
double time_of(MPI_Comm world, int repetitions, Call call) {
    std::vector<double> times;
    for (int i = -1; i < repetitions; ++i) { // the first is not counted
        start_together(world);
        const double begin = MPI_Wtime();
        call();
        const double took = greatest(world, std::array{MPI_Wtime() - begin})[0];
        if (i >= 0) times.push_back(took);
    }
    return median(times);
}

void run_pattern(const topo::hierarchy& levels, const lists& mine, const std::vector<std::size_t>& lengths,
                 int repetitions) {
    const MPI_Comm world = levels.whole();
    using enum topo::neighbour_route;
    std::vector<topo::neighbourhood> routes;
    for (const auto route : {best, direct, by_node})
        routes.emplace_back(levels, mine.sources, mine.destinations, route);
    MPI_Comm graph = MPI_COMM_NULL;
#ifndef SMPI_H
    MPI_Dist_graph_create_adjacent(world, static_cast<int>(mine.sources.size()), mine.sources.data(),
                                   MPI_UNWEIGHTED, static_cast<int>(mine.destinations.size()),
                                   mine.destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
#endif
    for (const bool gathers : {false, true}) {
        for (const std::size_t bytes : lengths) {
            std::vector<char> out(gathers ? bytes : bytes * mine.destinations.size()),
                in(bytes * mine.sources.size());
            std::vector<double> times;
            for (const auto& route : routes)
                times.push_back(time_of(world, repetitions, [&] {
                    if (gathers)
                        topo::neighbour_all_gather(route, out, in);
                    else
                        topo::neighbour_all_to_all(route, out, in);
                }));
#ifndef SMPI_H
            times.push_back(time_of(world, repetitions, [&] {
                const auto count = static_cast<int>(bytes);
                if (gathers)
                    MPI_Neighbor_allgather(out.data(), count, MPI_CHAR, in.data(), count, MPI_CHAR, graph);
                else
                    MPI_Neighbor_alltoall(out.data(), count, MPI_CHAR, in.data(), count, MPI_CHAR, graph);
            }));
#endif
            if (levels.whole().rank() != 0) continue;
            std::cout << std::left << std::setw(14) << mine.name << std::setw(11)
                      << (gathers ? "all_gather" : "all_to_all") << std::right << std::setw(7) << bytes
                      << std::fixed << std::setprecision(2);
            for (const double each : times)
                std::cout << std::setw(11) << each * 1e6;
            if (graph == MPI_COMM_NULL) std::cout << "          -";
            std::cout << std::setw(8) << (graph == MPI_COMM_NULL ? times[1] : times[3]) / times[0]
                      << std::endl;
        }
    }
    if (graph != MPI_COMM_NULL) MPI_Comm_free(&graph);
}

void run(const boost::mpi::communicator& world, const std::vector<std::size_t>& lengths, int repetitions) {
    const topo::hierarchy levels{world};
    const int ranks = world.size(), rank = world.rank();
    if (rank == 0)
        std::cout << ranks
                  << " ranks\npattern       verb         bytes       best     direct    by node    "
                     "   MPI   ratio\n";
    for (const lists& mine :
         {stencil("2D, 5 points", ranks, rank, 2, false), stencil("3D, 7 points", ranks, rank, 3, false),
          stencil("3D, 27 points", ranks, rank, 3, true), power_law(ranks, rank)})
        run_pattern(levels, mine, lengths, repetitions);
}

} // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    try {
        std::vector<std::size_t> lengths{8, 128, 1024, 8192};
        const auto given =
            read_arguments(argc, argv, 21, [&](std::string_view option, const std::string& value) {
                if (option == "--bytes") lengths = byte_counts(value);
                return option == "--bytes";
            });
        run(world, lengths, given.repetitions);
    } catch (const std::exception& problem) {
        std::cerr << "neighbours: " << problem.what() << '\n';
        mpi.abort(EXIT_FAILURE);
    }
}
