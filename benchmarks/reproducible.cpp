// SPDX-License-Identifier: BSL-1.0
// reproducible [--verb NAME] [--bytes N,M] [--exponents N,M] [--repetitions N] [--machine DESCRIPTION]
//              [--nodes N,M] [--charged RATES]
//
// A verb with std::plus<> beside topo::reproducible, in turn in one run, of doubles that nearly cancel in
// pairs of ranks: all_reduce, or what --verb names of reduce, reduce_scatter, scan and exclusive_scan. A rank
// has --bytes of operands, of which reduce_scatter leaves it a block. --exponents says how many different
// exponents these have: 1, 30 and 900 if it is not given. Two doubles do not hold sums of numbers of 900
// exponents. Prints the median time of the slowest rank, and the ratio to std::plus<>. The last three options
// are for simulations, as `policies` has them.
// --charged counts what messages cost their receivers, and of operations those of std::plus<> only: adding
// what two doubles hold takes some ten times as long, which docs/benchmarks_log.md says.
#include "support/agreed_start.hpp"
#include "support/benchmark_main.hpp"
#include "support/described_nodes.hpp"
#include "support/record.hpp"
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/reproducible.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace topo_bench;

std::vector<double> operands(int rank, std::size_t count, std::size_t spread) {
    std::mt19937 random{static_cast<unsigned>(rank / 2)}; // pairs of ranks nearly cancel
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = std::ldexp(1.0 + static_cast<double>(random()) / 4294967296.0,
                                        static_cast<int>(random() % spread));
        result.push_back(rank % 2 == 0 ? value : -value * (1 + 1e-12));
    }
    return result;
}

/// One verb on one rank.
struct sum_call {
    const topo::hierarchy& levels;
    std::vector<double>& result;     ///< as long as the operands
    std::vector<std::size_t> counts; ///< of reduce_scatter's blocks

    sum_call(const topo::hierarchy& on, std::vector<double>& to) : levels(on), result(to) {
        const auto ranks = static_cast<std::size_t>(on.whole_size());
        for (std::size_t rank = 0; rank < ranks; ++rank)
            counts.push_back(to.size() * (rank + 1) / ranks - to.size() * rank / ranks);
    }

    topo::message all() const { return {result.data(), result.size(), MPI_DOUBLE}; }
    std::span<double> block() const {
        return std::span{result}.first(counts[static_cast<std::size_t>(levels.whole_rank())]);
    }
};

using sum_operands = const std::vector<double>&;

struct verb {
    std::string_view name;
    void (*plus)(const sum_call&, sum_operands, MPI_Op);
    void (*reproducibly)(const sum_call&, sum_operands);
};

constexpr topo::reproducible exact;

constexpr std::array verbs{
    verb{"all_reduce",
         [](const sum_call& to, sum_operands from, MPI_Op add) {
             topo::all_reduce(to.levels, from.data(), to.all(), add);
         },
         [](const sum_call& to, sum_operands from) { topo::all_reduce(to.levels, from, to.result, exact); }},
    verb{"reduce",
         [](const sum_call& to, sum_operands from, MPI_Op add) {
             topo::reduce(to.levels, from.data(), to.all(), add, 0);
         },
         [](const sum_call& to, sum_operands from) { topo::reduce(to.levels, from, to.result, exact, 0); }},
    verb{"reduce_scatter",
         [](const sum_call& to, sum_operands from, MPI_Op add) {
             topo::reduce_scatter(to.levels,
                                  topo::blocks{const_cast<double*>(from.data()), MPI_DOUBLE, 0, to.counts},
                                  {to.result.data(), to.block().size(), MPI_DOUBLE}, add);
         },
         [](const sum_call& to, sum_operands from) {
             topo::reduce_scatter(to.levels, from, to.counts, to.block(), exact);
         }},
    verb{"scan",
         [](const sum_call& to, sum_operands from, MPI_Op add) {
             topo::scan(to.levels, from.data(), to.all(), add);
         },
         [](const sum_call& to, sum_operands from) { topo::scan(to.levels, from, to.result, exact); }},
    verb{"exclusive_scan",
         [](const sum_call& to, sum_operands from, MPI_Op add) {
             topo::exclusive_scan(to.levels, from.data(), to.all(), add);
         },
         [](const sum_call& to, sum_operands from) {
             topo::exclusive_scan(to.levels, from, to.result, exact);
         }}};

const verb& verb_named(std::string_view name) {
    const auto found = std::ranges::find(verbs, name, &verb::name);
    if (found != verbs.end()) return *found;
    std::string known;
    for (const verb& each : verbs)
        known += (known.empty() ? "" : ", ") + std::string{each.name};
    throw std::runtime_error("--verb: \"" + std::string{name} + "\" is none of " + known);
}

double median(std::vector<double> times) {
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
}

struct request {
    const verb* what = &verbs.front();
    std::vector<std::size_t> lengths{1U << 16U, 1U << 18U, 1U << 20U};
    std::vector<std::size_t> exponents{1, 30, 900};
    described_nodes nodes{};
    arguments common{};
};

void run(const boost::mpi::communicator& world, const request& given) {
    const int repetitions = given.common.repetitions;
    const topo::hierarchy levels = given.nodes.levels(world);
    const MPI_Op add = given.nodes.sum<double>(world);
    if (world.rank() == 0) {
        std::cout << world.size() << " ranks, " << given.what->name
                  << ", us and ratio to plus\n   bytes      plus";
        for (const std::size_t exponents : given.exponents)
            std::cout << std::setw(5) << exponents << " exponents";
        std::cout << '\n';
    }
    for (const std::size_t bytes : given.lengths) {
        std::vector<std::vector<double>> data;
        for (const std::size_t exponents : given.exponents)
            data.push_back(operands(world.rank(), bytes / 8, exponents));
        std::vector<double> result(bytes / 8);
        const sum_call call{levels, result};
        std::vector<std::vector<double>> times(data.size() + 1);
        for (int i = -1; i < repetitions; ++i) // the first is not counted
            for (std::size_t variant = 0; variant < times.size(); ++variant) {
                start_together(world);
                const double begin = MPI_Wtime();
                if (variant == 0)
                    given.what->plus(call, data[0], add);
                else
                    given.what->reproducibly(call, data[variant - 1]);
                const double took = greatest(world, std::array{MPI_Wtime() - begin})[0];
                if (i >= 0) times[variant].push_back(took);
            }
        if (world.rank() != 0) continue;
        const double plus = median(times[0]);
        std::cout << std::setw(8) << bytes << std::fixed << std::setprecision(1) << std::setw(10)
                  << plus * 1e6;
        for (std::size_t variant = 1; variant < times.size(); ++variant)
            std::cout << std::setw(9) << std::setprecision(1) << median(times[variant]) * 1e6 << std::setw(6)
                      << std::setprecision(2) << median(times[variant]) / plus;
        std::cout << std::endl;
    }
}

request read_request(int argc, char** argv) {
    request given;
    given.common = read_arguments(argc, argv, 51, [&](std::string_view option, const std::string& value) {
        if (option == "--verb")
            given.what = &verb_named(value);
        else if (option == "--bytes")
            given.lengths = byte_counts(value);
        else if (option == "--exponents")
            given.exponents = byte_counts(value);
        else
            return given.nodes.take(option, value);
        return true;
    });
    if (std::ranges::find(given.exponents, std::size_t{0}) != given.exponents.end())
        throw std::runtime_error("--exponents wants numbers from 1 on");
    return given;
}

} // namespace

int main(int argc, char** argv) { return topo_bench::benchmark_main(argc, argv, read_request, run); }
