// SPDX-License-Identifier: BSL-1.0
// mapping_build [--machine DESCRIPTION] [--repetitions N] [--output FILE] [--note KEY=VALUE]...
//
// What making a node_cart and a graph costs beside MPI_Cart_create and MPI_Dist_graph_create_adjacent: time
// of the slowest rank, and the processor time of the plan alone, which a simulation leaves out. Prints a
// table; appends raw samples, one JSON object a line, to FILE. docs/benchmarks_method.md says what the
// figures mean, `scripts/bench-mapping` runs it at all sizes.
#include "support/agreed_start.hpp"
#include "support/benchmark_main.hpp"
#include "support/record.hpp"
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/mapping/graph.hpp>
#include <topomp/mapping/node_cart.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <functional>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace topo_bench;

struct request {
    std::string machine = "node:4 core:2";
    arguments common{};
};

request read_request(int argc, char** argv) {
    request given;
    given.common = read_arguments(argc, argv, 21, [&](std::string_view option, const std::string& value) {
        if (option != "--machine") return false;
        given.machine = machine_text(value);
        return true;
    });
    return given;
}

struct variant {
    std::string name;
    std::function<double()> run; ///< seconds of the slowest rank
    std::vector<double> seconds{};
};

/// Times `build` on all ranks at once; what it returns is freed after the clock has stopped.
template <class Build>
double timed(MPI_Comm comm, Build build) {
    start_together(comm);
    const double start = PMPI_Wtime();
    [[maybe_unused]] const auto made = build();
    return greatest(comm, std::array{PMPI_Wtime() - start})[0];
}

boost::mpi::communicator own(MPI_Comm comm) { return {comm, boost::mpi::comm_take_ownership}; }

/// Grids of dims as MPI chooses them, and graphs with the same neighbours.
class makers {
public:
    makers(const boost::mpi::communicator& world, const request& given, int dimensions)
        : world_(world), machine_(topo::machine::parse(given.machine)), known_(made_hierarchy()),
          dims_(static_cast<std::size_t>(dimensions)), pattern_(topo::stencil::star(dims_.size())) {
        MPI_Dims_create(world.size(), dimensions, dims_.data());
        const topo::grid cells{dims_};
        for (const auto& each : pattern_.offsets())
            if (const int other = cells.neighbour(world.rank(), each.steps); other != topo::grid::outside)
                neighbours_.push_back(other);
        if (grid().plan().blocked.cost != graph().plan().blocked.cost)
            throw std::runtime_error("the graph is not the grid");
    }

    const std::vector<int>& dims() const { return dims_; }

    std::vector<variant> variants() const {
        std::vector<variant> list;
        list.push_back({"MPI_Cart_create", [this] { return timed(world_, [this] { return mpi_cart(); }); }});
        list.push_back({"node_cart, first on its hierarchy", [this] {
                            const topo::hierarchy fresh = made_hierarchy();
                            return timed(world_, [&] { return topo::node_cart{fresh, dims_}; });
                        }});
        list.push_back({"node_cart, again", [this] { return timed(world_, [this] { return grid(); }); }});
        if constexpr (!is_simulated) // which has no distributed graphs
            list.push_back({"MPI_Dist_graph_create_adjacent",
                            [this] { return timed(world_, [this] { return mpi_graph(); }); }});
        list.push_back({"graph, first on its hierarchy", [this] {
                            const topo::hierarchy fresh = made_hierarchy();
                            return timed(world_, [&] { return topo::graph{fresh, neighbours_}; });
                        }});
        list.push_back({"graph, again", [this] { return timed(world_, [this] { return graph(); }); }});
        list.push_back({"  plan of the grid, processor time", [this] { return of_plan(); }});
        list.push_back({"  plan of the graph, processor time", [this] { return of_graph_plan(); }});
        return list;
    }

private:
    topo::hierarchy made_hierarchy() const { return {world_, machine_, topo::placement::core_by_core()}; }
    topo::node_cart grid() const { return {known_, dims_}; }
    topo::graph graph() const { return {known_, neighbours_}; }

    boost::mpi::communicator mpi_cart() const {
        const std::vector<int> periods(dims_.size());
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Cart_create(world_, static_cast<int>(dims_.size()), dims_.data(), periods.data(), 1, &made);
        return own(made);
    }
#ifndef SMPI_H
    boost::mpi::communicator mpi_graph() const {
        MPI_Comm made = MPI_COMM_NULL;
        const int degree = static_cast<int>(neighbours_.size());
        MPI_Dist_graph_create_adjacent(world_, degree, neighbours_.data(), MPI_UNWEIGHTED, degree,
                                       neighbours_.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &made);
        return own(made);
    }
#else
    boost::mpi::communicator mpi_graph() const { return world_; }
#endif

    std::vector<int> node_sizes() const {
        const auto seats = topo::placement::core_by_core().seats(machine_, world_.size());
        std::vector<int> sizes;
        for (std::size_t i = 0; i < seats.size(); ++i) {
            if (i == 0 || seats[i].node != seats[i - 1].node) sizes.push_back(0);
            ++sizes.back();
        }
        return sizes;
    }
    /// Rank 0 alone: by the processor's clock, which the simulator does not replace.
    template <class Plan>
    double processor_time(Plan plan) const {
        double seconds = 0;
        if (world_.rank() == 0) {
            const std::clock_t start = std::clock();
            plan();
            seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        }
        return greatest(world_, std::array{seconds})[0];
    }
    double of_plan() const {
        return processor_time([this] { topo::grid_plan::of({dims_, {}, {}, node_sizes(), {}, {}, {}}); });
    }
    double of_graph_plan() const {
        return processor_time([this] {
            topo::graph_request wanted;
            wanted.node_sizes = node_sizes();
            const topo::grid cells{dims_};
            for (int cell = 0; cell < cells.size(); ++cell)
                for (const auto& each : pattern_.offsets())
                    if (const int other = cells.neighbour(cell, each.steps); other != topo::grid::outside)
                        wanted.edges.push_back({cell, other});
            topo::graph_plan::of(wanted);
        });
    }

    boost::mpi::communicator world_;
    topo::machine machine_;
    topo::hierarchy known_;
    std::vector<int> dims_, neighbours_;
    topo::stencil pattern_;
};

double median(std::vector<double> seconds) {
    const auto middle = seconds.begin() + std::ssize(seconds) / 2;
    std::ranges::nth_element(seconds, middle);
    return *middle;
}

void run(const boost::mpi::communicator& world, const request& given) {
    for (const int dimensions : {2, 3}) {
        const makers all{world, given, dimensions};
        auto variants = all.variants();
        for (variant& each : variants) // warm up
            each.run();
        std::vector<std::size_t> order(variants.size());
        std::iota(order.begin(), order.end(), 0U);
        std::mt19937 shuffler; // the same on all ranks
        for (int repetition = 0; repetition < given.common.repetitions; ++repetition) {
            std::ranges::shuffle(order, shuffler);
            for (const std::size_t i : order)
                variants[i].seconds.push_back(variants[i].run());
        }
        if (world.rank() != 0) continue;
        const std::string grid = topo::extents_text(all.dims());
        std::cout << world.size() << " ranks, " << grid << ", "
                  << (is_simulated ? "simulated time" : "median time") << " of the slowest rank, us\n";
        sample_file out{given.common};
        for (const variant& each : variants) {
            std::cout << std::left << std::setw(36) << each.name << std::right << std::setw(12) << std::fixed
                      << std::setprecision(1) << median(each.seconds) * 1e6 << '\n';
            for (std::size_t i = 0; i < each.seconds.size(); ++i)
                out.add({{"benchmark", "mapping_build"},
                         {"ranks", world.size()},
                         {"grid", grid},
                         {"variant", each.name},
                         {"repetition", i},
                         {"seconds", nine_digits(each.seconds[i])}});
        }
    }
}

} // namespace

int main(int argc, char** argv) { return topo_bench::benchmark_main(argc, argv, read_request, run); }
