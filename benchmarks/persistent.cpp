// SPDX-License-Identifier: BSL-1.0
// persistent [--bytes N,M] [--repetitions N] [--machine DESCRIPTION] [--nodes N,M] [--charged RATES]
//            [--output FILE] [--note KEY=VALUE]...
//
// all_reduce of doubles once as a blocking call, once as a persistent one that is started and waited for, and
// the MPI's own of both kinds, in turn in one run on this machine. The data differ from call to call. Prints
// for each length the median time of the slowest rank, and what `start` alone takes, beside the two messages
// that begin an exchange (MPI_Irecv and MPI_Isend). --machine, --nodes and --charged as in `reproducible`.
#include "support/agreed_start.hpp"
#include "support/benchmark_main.hpp"
#include "support/described_nodes.hpp"
#include "support/record.hpp"
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>
#ifdef OMPI_MPI_H
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace topo_bench;

constexpr bool has_persistent = // of the MPI
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) || (MPI_VERSION >= 4 && !defined(SMPI_H))
    true;
#else
    false;
#endif

MPI_Request persistent_of_mpi([[maybe_unused]] const std::vector<double>& from,
                              [[maybe_unused]] std::vector<double>& to, [[maybe_unused]] MPI_Op add,
                              [[maybe_unused]] MPI_Comm comm) {
    MPI_Request made = MPI_REQUEST_NULL;
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
    MPIX_Allreduce_init(from.data(), to.data(), static_cast<int>(from.size()), MPI_DOUBLE, add, comm,
                        MPI_INFO_NULL, &made);
#elif MPI_VERSION >= 4 && !defined(SMPI_H)
    MPI_Allreduce_init(from.data(), to.data(), static_cast<int>(from.size()), MPI_DOUBLE, add, comm,
                       MPI_INFO_NULL, &made);
#endif
    return made;
}

/// What is timed: all of `run`, or its first part alone.
struct variant {
    std::string name;
    std::function<void()> run;
    std::function<void()> rest{}; ///< not timed
    bool has_sums = true;
    std::vector<double> seconds{};
};

double median(std::vector<double> times) {
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
}

/// Seconds of a call on the slowest rank, without what is not timed.
double measure(const variant& what, std::vector<double>& input, MPI_Comm comm) {
    const int calls = is_simulated ? 2 : 200;
    double taken = 0;
    start_together(comm);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) {
        input[static_cast<std::size_t>(i) % input.size()] += 1;
        if (!what.rest) {
            what.run();
            continue;
        }
        const double start = MPI_Wtime();
        what.run();
        taken += MPI_Wtime() - start;
        what.rest();
    }
    return greatest(comm, std::array{what.rest ? taken : MPI_Wtime() - begin})[0] / calls;
}

struct request {
    std::vector<std::size_t> lengths{8, 64, 512, 4096, 65536};
    described_nodes nodes{};
    arguments common{};
};

void run(const boost::mpi::communicator& world, const request& wanted) {
    const arguments& given = wanted.common;
    const topo::hierarchy levels = wanted.nodes.levels(world);
    const MPI_Op add = wanted.nodes.sum<double>(world);
    const std::vector<std::size_t>& lengths = wanted.lengths;
    const boost::mpi::communicator own{world, boost::mpi::comm_duplicate};
    const int to = (world.rank() + 1) % world.size(), from = (world.rank() + world.size() - 1) % world.size();
    sample_file out{given};
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        const std::size_t count = std::max<std::size_t>(lengths[row] / sizeof(double), 1);
        const int number = static_cast<int>(count);
        std::vector<double> input(count), result(count), sent(count), received(count);
        const topo::message sums{result.data(), count, MPI_DOUBLE};
        topo::persistent prepared = topo::all_reduce_init(levels, input.data(), sums, add);
        MPI_Request of_mpi = persistent_of_mpi(input, result, add, own);
        std::array<MPI_Request, 2> two{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        std::vector<variant> variants{
            {"blocking", [&] { topo::all_reduce(levels, input.data(), sums, add); }},
            {"persistent",
             [&] {
                 prepared.start();
                 prepared.wait();
             }},
            {"MPI blocking",
             [&] { MPI_Allreduce(input.data(), result.data(), number, MPI_DOUBLE, add, own); }},
            {"MPI persistent",
             [&] {
                 MPI_Start(&of_mpi);
                 MPI_Wait(&of_mpi, MPI_STATUS_IGNORE);
             }},
            {"start", [&] { prepared.start(); }, [&] { prepared.wait(); }},
            {"two messages",
             [&] {
                 MPI_Irecv(received.data(), number, MPI_DOUBLE, from, 0, own, &two[0]);
                 MPI_Isend(sent.data(), number, MPI_DOUBLE, to, 0, own, &two[1]);
             },
             [&] { MPI_Waitall(2, two.data(), MPI_STATUSES_IGNORE); }, false}};
        if (!has_persistent)
            std::erase_if(variants, [](const variant& each) { return each.name == "MPI persistent"; });
        for (int repetition = -1; repetition < given.repetitions; ++repetition) // the first is not counted
            for (variant& each : variants) {
                std::ranges::fill(input, world.rank());
                std::ranges::fill(result, -1);
                const double seconds = measure(each, input, own);
                if (repetition >= 0) each.seconds.push_back(seconds);
                double sum = 0;
                MPI_Allreduce(&input[0], &sum, 1, MPI_DOUBLE, MPI_SUM, own);
                if (each.has_sums && result[0] != sum) throw std::runtime_error(each.name + " is wrong");
            }
        if (world.rank() == 0) {
            if (row == 0) {
                std::cout << world.size() << " ranks, us\n" << std::setw(8) << "bytes";
                for (const variant& each : variants)
                    std::cout << std::setw(16) << each.name;
                std::cout << '\n';
            }
            std::cout << std::setw(8) << count * sizeof(double) << std::fixed << std::setprecision(3);
            for (const variant& each : variants) {
                std::cout << std::setw(16) << median(each.seconds) * 1e6;
                for (std::size_t i = 0; i < each.seconds.size(); ++i)
                    out.add({{"benchmark", "persistent"},
                             {"ranks", world.size()},
                             {"bytes", count * sizeof(double)},
                             {"variant", each.name},
                             {"repetition", i},
                             {"seconds", nine_digits(each.seconds[i])}});
            }
            std::cout << std::endl;
        }
        if (of_mpi != MPI_REQUEST_NULL) MPI_Request_free(&of_mpi);
    }
}

request read_request(int argc, char** argv) {
    request wanted;
    wanted.common = read_arguments(argc, argv, 51, [&](std::string_view option, const std::string& value) {
        if (option != "--bytes") return wanted.nodes.take(option, value);
        wanted.lengths = byte_counts(value);
        return true;
    });
    return wanted;
}

} // namespace

int main(int argc, char** argv) { return topo_bench::benchmark_main(argc, argv, read_request, run); }
