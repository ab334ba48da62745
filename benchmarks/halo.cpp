// SPDX-License-Identifier: BSL-1.0
// halo [--machine DESCRIPTION] [--verbs halo_2d,halo_3d,stencil] [--doubles N,M] [--mesh N,M] [--sweeps N]
//      [--gflops RATE] [--charged RATES] [--first total|greatest] [--repetitions N] [--output FILE]
//      [--note KEY=VALUE]...
//
// Paper 3's ncartperf and stencil: the same code on MPI_Cart_create's communicator and on node_cart's, with
// the dims of MPI_Dims_create, in one run. Prints bandwidths per process and GFLOP/s; appends raw samples,
// one JSON object a line, to FILE. docs/benchmarks_method.md says what the figures mean, `scripts/bench halo`
// runs it.
#include "support/agreed_start.hpp"
#include "support/benchmark_main.hpp"
#include "support/described_nodes.hpp"
#include "support/record.hpp"
#include <topomp/mapping/node_cart.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace topo_bench;

struct request {
    described_nodes nodes{};
    std::vector<std::string> verbs{"halo_2d", "halo_3d", "stencil"};
    std::vector<std::size_t> doubles{128, 8192}, meshes{64};
    int sweeps = 32;
    double gflops = 1.5; ///< of one rank, in a simulation: what computing is charged
    topo::mapping_goal first = topo::mapping_goal::total;
    arguments common{};
};

request read_request(int argc, char** argv) {
    request given;
    given.common = read_arguments(argc, argv, 20, [&](std::string_view option, const std::string& value) {
        if (option == "--verbs")
            given.verbs = words(value);
        else if (option == "--doubles")
            given.doubles = byte_counts(value);
        else if (option == "--mesh")
            given.meshes = byte_counts(value);
        else if (option == "--sweeps" && std::atoi(value.c_str()) > 0)
            given.sweeps = std::atoi(value.c_str());
        else if (option == "--gflops" && std::atof(value.c_str()) > 0)
            given.gflops = std::atof(value.c_str());
        else if (option == "--first" && (value == "total" || value == "greatest"))
            given.first = value == "total" ? topo::mapping_goal::total : topo::mapping_goal::greatest;
        else
            return given.nodes.take(option, value);
        return true;
    });
    for (const std::string& verb : given.verbs)
        if (verb != "halo_2d" && verb != "halo_3d" && verb != "stencil")
            throw std::runtime_error("no such verb: " + verb);
    return given;
}

void require(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
}

// ---- The grids of MPI_Cart_create and of topo::node_cart; all that follows is the same for both.

/// A Cartesian communicator and the ranks at both ends of a shift along each dimension.
struct cartesian {
    boost::mpi::communicator comm;
    std::vector<int> neighbours; ///< of each dimension the lower one and the higher one
    std::vector<int> coordinates;

    explicit cartesian(boost::mpi::communicator from, int dimensions)
        : comm(std::move(from)), coordinates(static_cast<std::size_t>(dimensions)) {
        MPI_Cart_coords(comm, comm.rank(), dimensions, coordinates.data());
        for (int i = 0; i < dimensions; ++i) {
            int low = MPI_PROC_NULL, high = MPI_PROC_NULL;
            MPI_Cart_shift(comm, i, 1, &low, &high);
            neighbours.push_back(low);
            neighbours.push_back(high);
        }
    }

    /// As paper 3's figure 3: receives from all neighbours, sends to all, waits.
    void exchange(std::vector<std::vector<double>>& in, const std::vector<std::vector<double>>& out) const {
        std::array<MPI_Request, 12> requests{};
        const std::size_t count = neighbours.size();
        for (std::size_t i = 0; i < count; ++i)
            MPI_Irecv(in[i].data(), static_cast<int>(in[i].size()), MPI_DOUBLE, neighbours[i], 0, comm,
                      &requests[i]);
        for (std::size_t i = 0; i < count; ++i)
            MPI_Isend(out[i].data(), static_cast<int>(out[i].size()), MPI_DOUBLE, neighbours[i], 0, comm,
                      &requests[count + i]);
        MPI_Waitall(static_cast<int>(2 * count), requests.data(), MPI_STATUSES_IGNORE);
    }
};

struct both_grids {
    std::vector<int> dims;
    topo::node_cart ours;
    std::array<cartesian, 2> cartesians; ///< MPI's, ours

    both_grids(const topo::hierarchy& levels, int dimensions, topo::mapping_goal first)
        : dims(dims_of(levels.whole().size(), dimensions)),
          ours(made(levels, dims, first)), cartesians{cartesian{theirs(levels.whole(), dims), dimensions},
                                                      cartesian{ours.comm(), dimensions}} {}

private:
    static std::vector<int> dims_of(int ranks, int dimensions) {
        std::vector<int> dims(static_cast<std::size_t>(dimensions));
        MPI_Dims_create(ranks, dimensions, dims.data());
        return dims;
    }
    static topo::node_cart made(const topo::hierarchy& levels, const std::vector<int>& dims,
                                topo::mapping_goal first) {
        topo::node_cart_options options;
        options.first = first;
        return {levels, dims, options};
    }
    static boost::mpi::communicator theirs(MPI_Comm whole, const std::vector<int>& dims) {
        const std::vector<int> periods(dims.size());
        MPI_Comm cart = MPI_COMM_NULL;
        MPI_Cart_create(whole, static_cast<int>(dims.size()), dims.data(), periods.data(), 1, &cart);
        return {cart, boost::mpi::comm_take_ownership};
    }
};

// ---- What is timed.

/// Seconds of the slowest rank for one sweep.
template <class Sweep>
double timed(const cartesian& grid, int sweeps, Sweep sweep) {
    start_together(grid.comm);
    const double start = PMPI_Wtime();
    for (int i = 0; i < sweeps; ++i)
        sweep(i);
    return greatest(grid.comm, std::array{PMPI_Wtime() - start})[0] / sweeps;
}

/// Halos of so many doubles; other ones in each repetition.
double exchange_halos(const cartesian& grid, std::size_t doubles, int sweeps, int repetition) {
    const std::size_t count = grid.neighbours.size();
    const auto value = [&](int rank, std::size_t direction) {
        return rank * 64.0 + static_cast<double>(direction) + 1e6 * repetition;
    };
    std::vector<std::vector<double>> in(count, std::vector<double>(doubles, -1)), out;
    for (std::size_t i = 0; i < count; ++i)
        out.emplace_back(doubles, value(grid.comm.rank(), i));
    const double seconds = timed(grid, sweeps, [&](int) { grid.exchange(in, out); });
    for (std::size_t i = 0; i < count; ++i) {
        const double expected = grid.neighbours[i] == MPI_PROC_NULL ? -1 : value(grid.neighbours[i], i ^ 1U);
        require(std::ranges::all_of(in[i], [&](double each) { return each == expected; }),
                "a halo holds something else than was sent");
    }
    return seconds;
}

/// A rank's part of a mesh, with a rim of one cell. Each sweep makes every cell the mean of its four
/// neighbours plus one, which takes a mesh of x + 2y + t to t + 1: all values are known beforehand.
class block {
public:
    block(const cartesian& grid, const std::vector<int>& dims, std::size_t mesh)
        : grid_(grid), height_(mesh / static_cast<std::size_t>(dims[0])),
          width_(mesh / static_cast<std::size_t>(dims[1])), first_{static_cast<double>(height_) *
                                                                       grid.coordinates[0],
                                                                   static_cast<double>(width_) *
                                                                       grid.coordinates[1]},
          now_((height_ + 2) * (width_ + 2)),
          next_(now_.size()), in_{std::vector<double>(width_), std::vector<double>(width_),
                                  std::vector<double>(height_), std::vector<double>(height_)},
          out_(in_) {
        require(height_ > 0 && width_ > 0 && height_ * static_cast<std::size_t>(dims[0]) == mesh &&
                    width_ * static_cast<std::size_t>(dims[1]) == mesh,
                "a mesh of " + std::to_string(mesh) + " cannot be divided among the ranks");
        for (std::size_t x = 1; x <= height_; ++x)
            for (std::size_t y = 1; y <= width_; ++y)
                now_[at(x, y)] = value(x, y, 0);
    }

    std::size_t cells() const { return height_ * width_; }

    void sweep(int time, double gflops) {
        for (std::size_t y = 0; y < width_; ++y) {
            out_[0][y] = now_[at(1, y + 1)];
            out_[1][y] = now_[at(height_, y + 1)];
        }
        for (std::size_t x = 0; x < height_; ++x) {
            out_[2][x] = now_[at(x + 1, 1)];
            out_[3][x] = now_[at(x + 1, width_)];
        }
        grid_.exchange(in_, out_);
        for (std::size_t y = 0; y < width_; ++y) {
            now_[at(0, y + 1)] = rim(0, y, 0, y + 1, time);
            now_[at(height_ + 1, y + 1)] = rim(1, y, height_ + 1, y + 1, time);
        }
        for (std::size_t x = 0; x < height_; ++x) {
            now_[at(x + 1, 0)] = rim(2, x, x + 1, 0, time);
            now_[at(x + 1, width_ + 1)] = rim(3, x, x + 1, width_ + 1, time);
        }
        for (std::size_t x = 1; x <= height_; ++x)
            for (std::size_t y = 1; y <= width_; ++y)
                next_[at(x, y)] = 1 + 0.25 * (now_[at(x - 1, y)] + now_[at(x + 1, y)] + now_[at(x, y - 1)] +
                                              now_[at(x, y + 1)]);
        std::swap(now_, next_);
        if constexpr (is_simulated) charge(gflops);
    }

    void check(int time) const {
        for (std::size_t x = 1; x <= height_; ++x)
            for (std::size_t y = 1; y <= width_; ++y)
                require(now_[at(x, y)] == value(x, y, time), "the stencil's result is wrong");
    }

    static constexpr double flops_of_cell = 5;

private:
    std::size_t at(std::size_t x, std::size_t y) const { return x * (width_ + 2) + y; }
    double value(std::size_t x, std::size_t y, int time) const {
        return first_[0] + static_cast<double>(x) + 2 * (first_[1] + static_cast<double>(y)) + time;
    }
    /// What has come from a neighbour; beyond the edge of the mesh, what is known.
    double rim(std::size_t side, std::size_t i, std::size_t x, std::size_t y, int time) const {
        return grid_.neighbours[side] == MPI_PROC_NULL ? value(x, y, time) : in_[side][i];
    }
    /// In a simulation computing takes no time of itself.
    void charge(double gflops) const {
        const double seconds = flops_of_cell * static_cast<double>(cells()) / (gflops * 1e9);
        const timespec pause{0, static_cast<long>(seconds * 1e9)};
        nanosleep(&pause, nullptr);
    }

    const cartesian& grid_;
    std::size_t height_, width_;
    std::array<double, 2> first_; ///< the mesh's coordinates before this block
    std::vector<double> now_, next_;
    std::vector<std::vector<double>> in_, out_;
};

double run_stencil(const cartesian& grid, const std::vector<int>& dims, std::size_t mesh,
                   const request& given) {
    block mine{grid, dims, mesh};
    const double seconds = timed(grid, given.sweeps, [&](int time) { mine.sweep(time, given.gflops); });
    mine.check(given.sweeps);
    return seconds;
}

// ---- Output.

constexpr std::array<std::string_view, 2> names{"mpi", "topomp"};

struct point {
    std::string verb;
    std::size_t bytes; ///< of a halo; of the stencil, of a rank's part of the mesh
    std::size_t size;  ///< doubles of a halo; of the stencil, the extent of the mesh
    double per_sweep;  ///< bytes that a rank sends in the mean; of the stencil, operations of all ranks
};

double least(const std::vector<double>& samples) { return *std::ranges::min_element(samples); }

void write(const point& what, const std::array<std::vector<double>, 2>& seconds, const both_grids& grids,
           const request& given) {
    sample_file out{given.common};
    const auto& plan = grids.ours.plan();
    const bool is_halo = what.verb != "stencil";
    for (std::size_t algorithm = 0; algorithm < 2; ++algorithm) {
        const auto& quality = algorithm == 0 ? plan.blocked : plan.now;
        for (std::size_t i = 0; i < seconds[algorithm].size(); ++i)
            out.add({{"benchmark", "halo"},
                     {"verb", what.verb},
                     {"by", names[algorithm]},
                     {"ranks", grids.ours.size()},
                     {"grid", topo::extents_text(grids.dims)},
                     {"bytes", what.bytes},
                     {"size", what.size},
                     {"sweeps", given.sweeps},
                     {"repetition", i},
                     {"seconds", nine_digits(seconds[algorithm][i])},
                     {is_halo ? "sent" : "operations", nine_digits(what.per_sweep)},
                     {"jsum", quality.cost.jsum},
                     {"jmax", quality.cost.jmax},
                     {"on_node", nine_digits(quality.on_node.mean)}});
    }
}

void print(const point& what, const std::array<std::vector<double>, 2>& seconds) {
    const double scale = what.verb == "stencil" ? 1e9 : 1e6;
    std::cout << std::left << std::setw(10) << what.verb << std::right << std::setw(9) << what.size
              << std::fixed << std::setprecision(scale == 1e9 ? 2 : 1) << std::setw(12)
              << what.per_sweep / least(seconds[0]) / scale << std::setw(12)
              << what.per_sweep / least(seconds[1]) / scale << std::setprecision(2) << std::setw(8)
              << least(seconds[0]) / least(seconds[1]) << std::endl;
}

void print_partners(const std::string& verb, const both_grids& grids) {
    const auto& plan = grids.ours.plan();
    std::cout << verb << ", " << topo::extents_text(grids.dims) << ": partners on the node "
              << std::defaultfloat << std::setprecision(3) << plan.blocked.on_node.mean
              << " in the mean by MPI_Cart_create, " << plan.now.on_node.mean << " by node_cart ("
              << to_string(plan.algorithm) << "), greatest load of a node " << plan.blocked.cost.jmax
              << " and " << plan.now.cost.jmax << std::endl;
}

/// Both grids in turn, in random order; the first repetition warms up.
template <class Run>
void measure(const point& what, const both_grids& grids, const request& given, Run run) {
    std::array<std::vector<double>, 2> seconds;
    std::mt19937 order{static_cast<unsigned>(what.bytes) + 1}; // the same on all ranks
    for (int repetition = -1; repetition < given.common.repetitions; ++repetition) {
        const std::size_t first = order() % 2;
        for (const std::size_t algorithm : {first, 1 - first}) {
            const double slowest = run(grids.cartesians[algorithm], repetition);
            if (repetition >= 0) seconds[algorithm].push_back(slowest);
        }
    }
    if (grids.ours.comm().rank() != 0) return;
    print(what, seconds);
    if (!given.common.output.empty()) write(what, seconds, grids, given);
}

void run(const boost::mpi::communicator& world, const request& given) {
    given.nodes.sum<double>(world);
    const topo::hierarchy levels = given.nodes.levels(world);
    for (const std::string& verb : given.verbs) {
        const both_grids grids{levels, verb == "halo_3d" ? 3 : 2, given.first};
        if (grids.ours.comm().rank() == 0) {
            print_partners(verb, grids);
            std::cout << "verb           size"
                      << (verb == "stencil" ? " Cart GFLOP/s  ours" : "   Cart MB/s   ours MB/s")
                      << "   ratio\n";
        }
        if (verb == "stencil") {
            for (const std::size_t mesh : given.meshes) {
                const auto cells = static_cast<double>(mesh) * static_cast<double>(mesh);
                const auto bytes = static_cast<std::size_t>(8 * cells / world.size());
                measure(
                    {verb, bytes, mesh, block::flops_of_cell * cells}, grids, given,
                    [&](const cartesian& grid, int) { return run_stencil(grid, grids.dims, mesh, given); });
            }
            continue;
        }
        double links = 0;
        MPI_Allreduce(
            std::array{static_cast<double>(std::ranges::count_if(
                           grids.cartesians[1].neighbours, [](int each) { return each != MPI_PROC_NULL; }))}
                .data(),
            &links, 1, MPI_DOUBLE, MPI_SUM, world);
        for (const std::size_t doubles : given.doubles)
            measure({verb, 8 * doubles, doubles, 8 * static_cast<double>(doubles) * links / world.size()},
                    grids, given, [&](const cartesian& grid, int repetition) {
                        return exchange_halos(grid, doubles, given.sweeps, repetition);
                    });
    }
}

} // namespace

int main(int argc, char** argv) { return topo_bench::benchmark_main(argc, argv, read_request, run); }
