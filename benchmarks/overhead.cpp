// SPDX-License-Identifier: BSL-1.0
// overhead [--repetitions N] [--output FILE] [--note KEY=VALUE]...
//
// What a call through topomp costs beside the MPI call that it makes in the end: barrier, broadcast, reduce
// and all_reduce by `flat` and by `native`, each rank on a node of its own, beside the bare call on a
// communicator of its own. Many calls a sample, a short and a long one in turn; the samples of all variants
// in random order; time of the slowest rank. Prints medians, ratios and differences; appends raw samples, one
// JSON object a line, to FILE. docs/benchmarks_method.md says what the figures mean, scripts/bench-overhead
// runs it.
#include "support/agreed_start.hpp"
#include "support/benchmark_main.hpp"
#include "support/record.hpp"
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace topo_bench;

/// What calls work with. The data differ from call to call, so that nothing can be kept of the last one.
struct stage {
    const topo::hierarchy& levels;
    MPI_Comm bare;  ///< a duplicate, as the library's own communicators are
    MPI_Comm again; ///< another one: what its calls differ by is the error of the measurement
    std::vector<double> input, output;

    double* data() { return input.data(); }
    double* result() { return output.data(); }
};

/// One call of one verb. `count` doubles; the root is 0.
using call = void (*)(stage&, int count);

template <class Policy>
void barrier_by(stage& on, int) {
    topo::barrier(on.levels, Policy{});
}
template <class Policy>
void broadcast_by(stage& on, int count) {
    topo::broadcast(on.levels, topo::message{on.data(), static_cast<std::size_t>(count), MPI_DOUBLE}, 0,
                    Policy{});
}
template <class Policy>
void reduce_by(stage& on, int count) {
    topo::reduce(on.levels, on.data(),
                 topo::message{on.result(), static_cast<std::size_t>(count), MPI_DOUBLE}, MPI_SUM, 0,
                 Policy{});
}
template <class Policy>
void all_reduce_by(stage& on, int count) {
    topo::all_reduce(on.levels, on.data(),
                     topo::message{on.result(), static_cast<std::size_t>(count), MPI_DOUBLE}, MPI_SUM,
                     Policy{});
}

struct implementation {
    const char* name;
    call run;
};
struct verb {
    const char* name;
    bool has_data;
    std::array<implementation, 4> implementations; ///< the bare call first, and on another communicator
};

const std::array<verb, 4> verbs{{
    {"barrier",
     false,
     {{{"bare", [](stage& on, int) { MPI_Barrier(on.bare); }},
       {"bare again", [](stage& on, int) { MPI_Barrier(on.again); }},
       {"flat", barrier_by<topo::flat>},
       {"native", barrier_by<topo::native>}}}},
    {"broadcast",
     true,
     {{{"bare", [](stage& on, int count) { MPI_Bcast(on.data(), count, MPI_DOUBLE, 0, on.bare); }},
       {"bare again", [](stage& on, int count) { MPI_Bcast(on.data(), count, MPI_DOUBLE, 0, on.again); }},
       {"flat", broadcast_by<topo::flat>},
       {"native", broadcast_by<topo::native>}}}},
    {"reduce",
     true,
     {{{"bare",
        [](stage& on, int count) {
            MPI_Reduce(on.data(), on.result(), count, MPI_DOUBLE, MPI_SUM, 0, on.bare);
        }},
       {"bare again",
        [](stage& on, int count) {
            MPI_Reduce(on.data(), on.result(), count, MPI_DOUBLE, MPI_SUM, 0, on.again);
        }},
       {"flat", reduce_by<topo::flat>},
       {"native", reduce_by<topo::native>}}}},
    {"all_reduce",
     true,
     {{{"bare",
        [](stage& on, int count) {
            MPI_Allreduce(on.data(), on.result(), count, MPI_DOUBLE, MPI_SUM, on.bare);
        }},
       {"bare again",
        [](stage& on, int count) {
            MPI_Allreduce(on.data(), on.result(), count, MPI_DOUBLE, MPI_SUM, on.again);
        }},
       {"flat", all_reduce_by<topo::flat>},
       {"native", all_reduce_by<topo::native>}}}},
}};

struct variant {
    const verb* what;
    const implementation* by;
    int count;                     ///< doubles
    std::vector<double> seconds{}; ///< a call, of the slowest rank, a sample each

    double median() const {
        auto sorted = seconds;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::ranges::nth_element(sorted, middle);
        return *middle;
    }
};

/// So many calls a sample that the clock's own steps do not matter.
int calls_per_sample(int ranks, int count) {
    if (is_simulated) return 4;
    const int calls = ranks == 1 ? 2000 : 200;
    return std::max(20, calls / (1 + count / 1024));
}

double measure(stage& on, const variant& what) {
    const int calls = calls_per_sample(on.levels.whole().size(), what.count);
    start_together(on.bare);
    const double start = PMPI_Wtime();
    for (int i = 0; i < calls; ++i) {
        on.input[static_cast<std::size_t>(i % what.count)] += 1.0;
        what.by->run(on, what.count);
    }
    const double mine = (PMPI_Wtime() - start) / calls;
    double slowest = 0;
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, on.bare);
    return slowest;
}

/// Every variant does the same, else its figures are none of this benchmark.
void check(stage& on) {
    const int size = on.levels.whole().size(), rank = on.levels.whole().rank();
    for (const verb& what : verbs)
        for (const implementation& by : what.implementations) {
            on.input.assign(on.input.size(), rank + 1.0);
            on.output.assign(on.output.size(), -1.0);
            by.run(on, 3);
            const std::string name = what.name;
            const double all = size * (size + 1) / 2.0;
            const double expected = name == "broadcast" ? 1.0 : name == "barrier" ? rank + 1.0 : all;
            const auto& where = name == "broadcast" || name == "barrier" ? on.input : on.output;
            if ((name != "reduce" || rank == 0) && where[2] != expected)
                throw std::runtime_error(name + " by " + by.name + " is wrong");
        }
}

std::vector<variant> all_variants() {
    std::vector<variant> list;
    for (const verb& what : verbs)
        for (const int bytes : {8, 64, 512, 4096, 65536}) {
            if (!what.has_data && bytes > 8) continue;
            for (const implementation& by : what.implementations)
                list.push_back({&what, &by, bytes / 8});
        }
    return list;
}

void write_samples(const arguments& given, const std::vector<variant>& variants, int ranks) {
    sample_file out{given};
    for (const variant& each : variants)
        for (std::size_t repetition = 0; repetition < each.seconds.size(); ++repetition)
            out.add({{"benchmark", "overhead"},
                     {"ranks", ranks},
                     {"verb", each.what->name},
                     {"bytes", each.what->has_data ? 8 * each.count : 0},
                     {"variant", each.by->name},
                     {"repetition", repetition},
                     {"seconds", nine_digits(each.seconds[repetition])}});
}

void print_table(const std::vector<variant>& variants, int ranks) {
    std::cout << ranks << (ranks == 1 ? " rank" : " ranks")
              << ", each on a node of its own, median time of a call on the slowest rank\n"
              << std::left << std::setw(12) << "verb" << std::right << std::setw(8) << "bytes"
              << std::setw(12) << "bare, us" << std::setw(12) << "again" << std::setw(8) << "+ns"
              << std::setw(12) << "flat" << std::setw(8) << "+ns" << std::setw(12) << "native" << std::setw(8)
              << "+ns" << '\n'
              << std::fixed;
    for (std::size_t i = 0; i < variants.size(); i += 4) {
        const double bare = variants[i].median();
        std::cout << std::left << std::setw(12) << variants[i].what->name << std::right << std::setw(8)
                  << (variants[i].what->has_data ? 8 * variants[i].count : 0) << std::setprecision(3)
                  << std::setw(12) << bare * 1e6;
        for (const std::size_t other : {i + 1, i + 2, i + 3}) {
            const double ours = variants[other].median();
            std::cout << std::setprecision(3) << std::setw(11) << (bare > 0 ? ours / bare : 1.0) << 'x'
                      << std::setprecision(0) << std::setw(8) << (ours - bare) * 1e9;
        }
        std::cout << '\n';
    }
}

void run(const boost::mpi::communicator& world, const arguments& given) {
    const topo::hierarchy levels{world,
                                 topo::machine::parse("node:" + std::to_string(world.size()) + " core:1"),
                                 topo::placement::core_by_core()};
    const boost::mpi::communicator own{world, boost::mpi::comm_duplicate};
    const boost::mpi::communicator other{world, boost::mpi::comm_duplicate};
    stage on{levels, own, other, std::vector<double>(8192), std::vector<double>(8192)};
    check(on);
    auto variants = all_variants();
    for (const variant& each : variants) // warm up
        static_cast<void>(measure(on, each));
    std::vector<std::size_t> order(variants.size());
    std::iota(order.begin(), order.end(), 0U);
    std::mt19937 shuffler; // the same on all ranks
    for (int repetition = 0; repetition < given.repetitions; ++repetition) {
        std::ranges::shuffle(order, shuffler);
        for (const std::size_t i : order)
            variants[i].seconds.push_back(measure(on, variants[i]));
    }
    if (world.rank() != 0) return;
    print_table(variants, world.size());
    write_samples(given, variants, world.size());
}

} // namespace

int main(int argc, char** argv) {
    return topo_bench::benchmark_main(
        argc, argv, [](int count, char** words) { return read_arguments(count, words, 201); }, run);
}
