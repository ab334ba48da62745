// SPDX-License-Identifier: BSL-1.0
// adaptive [--bytes N,M] [--calls N] [--repetitions N] [--output FILE] [--note KEY=VALUE]...
//
// Verbs by topo::adaptive on a hierarchy that is new for each row, beside the MPI's own and automatic, in
// turns of 500 calls (--calls), --repetitions turns each. All data are written anew before each call, which
// is not timed. Prints for each verb and length the mean time of a call on the slowest rank: of adaptive in
// its first turn, in which it learns, and in the others; and the MPI's time over adaptive's, in all turns and
// after the first.
#include "support/agreed_start.hpp"
#include "support/benchmark_main.hpp"
#include "support/record.hpp"
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/decide/adaptive.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace topo_bench;

struct request {
    std::vector<std::size_t> lengths{8, 512, 4096, 32768, 262144};
    std::vector<std::size_t> calls{500}; ///< of a turn, a single number
    arguments common{};
};

/// The buffers of one row: a block of numbers, or one for each rank.
struct buffers {
    const boost::mpi::communicator& world;
    int count;
    std::vector<double> input, result;

    buffers(const boost::mpi::communicator& all, std::size_t bytes)
        : world(all), count(static_cast<int>(std::max<std::size_t>(bytes / sizeof(double), 1))),
          input(static_cast<std::size_t>(count) * static_cast<std::size_t>(all.size())), result(input) {}

    /// Numbers whose sums are exact.
    void fill(double number) {
        std::iota(input.begin(), input.end(), number + 100.0 * world.rank());
        std::ranges::fill(result, number + world.rank());
    }
    std::size_t length() const { return static_cast<std::size_t>(count); }
    topo::message got() { return {result.data(), length(), MPI_DOUBLE}; }
};

struct verb {
    std::string_view name;
    void (*by_mpi)(buffers&);
    void (*by_adaptive)(const topo::hierarchy&, buffers&);
    void (*by_automatic)(const topo::hierarchy&, buffers&);
};

template <class Policy>
struct calls {
    static void barrier(const topo::hierarchy& levels, buffers&) { topo::barrier(levels, Policy{}); }
    static void broadcast(const topo::hierarchy& levels, buffers& own) {
        topo::broadcast(levels, own.got(), 0, Policy{});
    }
    static void reduce(const topo::hierarchy& levels, buffers& own) {
        topo::reduce(levels, own.input.data(), own.got(), MPI_SUM, 0, Policy{});
    }
    static void all_reduce(const topo::hierarchy& levels, buffers& own) {
        topo::all_reduce(levels, own.input.data(), own.got(), MPI_SUM, Policy{});
    }
    static void all_gather(const topo::hierarchy& levels, buffers& own) {
        topo::all_gather(levels, std::span{own.input}.first(own.length()), own.result, Policy{});
    }
    static void all_to_all(const topo::hierarchy& levels, buffers& own) {
        topo::all_to_all(levels, own.input, own.result, Policy{});
    }
};
using adaptive = calls<topo::adaptive>;
using automatic = calls<topo::automatic>;

constexpr std::array verbs{
    verb{"barrier", [](buffers& own) { MPI_Barrier(own.world); }, &adaptive::barrier, &automatic::barrier},
    verb{"broadcast", [](buffers& own) { MPI_Bcast(own.result.data(), own.count, MPI_DOUBLE, 0, own.world); },
         &adaptive::broadcast, &automatic::broadcast},
    verb{"reduce",
         [](buffers& own) {
             MPI_Reduce(own.input.data(), own.result.data(), own.count, MPI_DOUBLE, MPI_SUM, 0, own.world);
         },
         &adaptive::reduce, &automatic::reduce},
    verb{"all_reduce",
         [](buffers& own) {
             MPI_Allreduce(own.input.data(), own.result.data(), own.count, MPI_DOUBLE, MPI_SUM, own.world);
         },
         &adaptive::all_reduce, &automatic::all_reduce},
    verb{"all_gather",
         [](buffers& own) {
             MPI_Allgather(own.input.data(), own.count, MPI_DOUBLE, own.result.data(), own.count, MPI_DOUBLE,
                           own.world);
         },
         &adaptive::all_gather, &automatic::all_gather},
    verb{"all_to_all",
         [](buffers& own) {
             MPI_Alltoall(own.input.data(), own.count, MPI_DOUBLE, own.result.data(), own.count, MPI_DOUBLE,
                          own.world);
         },
         &adaptive::all_to_all, &automatic::all_to_all}};

/// Seconds of a call, in the mean of a turn on the slowest rank. @param expected what the first call leaves
/// on rank 0, which is the root
template <class Call>
double measure(buffers& own, std::size_t calls, const std::vector<double>& expected, Call call) {
    double seconds = 0;
    start_together(own.world);
    for (std::size_t i = 0; i < calls; ++i) {
        own.fill(static_cast<double>(i)); // all of it: what another core has read and finds unchanged is near
        const double begin = MPI_Wtime();
        call(own);
        seconds += MPI_Wtime() - begin;
        if (i == 0 && own.world.rank() == 0 && own.result != expected)
            throw std::runtime_error("a result is wrong");
    }
    return greatest(own.world, std::array{seconds})[0] / static_cast<double>(calls);
}

double mean(const std::vector<double>& times, std::size_t from) {
    return std::accumulate(times.begin() + static_cast<std::ptrdiff_t>(from), times.end(), 0.0) /
           static_cast<double>(times.size() - from);
}

void run(const boost::mpi::communicator& world, const request& wanted) {
    const boost::mpi::communicator own{world, boost::mpi::comm_duplicate};
    sample_file out{wanted.common};
    const bool prints = world.rank() == 0;
    if (prints)
        std::cout << world.size() << " ranks, us\n"
                  << std::setw(12) << std::left << "verb" << std::right << std::setw(8) << "bytes"
                  << std::setw(10) << "learning" << std::setw(10) << "adaptive" << std::setw(10)
                  << "automatic" << std::setw(10) << "MPI" << std::setw(8) << "all" << std::setw(8) << "after"
                  << '\n';
    double logarithms = 0, of_all = 0, least = 0;
    int rows = 0;
    for (const verb& each : verbs)
        for (const std::size_t bytes : wanted.lengths) {
            if (each.name == "barrier" && bytes != wanted.lengths.front()) continue;
            const topo::hierarchy levels{own}, others{own};
            buffers data{own, bytes};
            data.fill(0);
            each.by_mpi(data);
            const std::vector<double> expected = data.result;
            const std::array<std::string, 3> names{"adaptive", "automatic", "MPI"};
            std::array<std::vector<double>, 3> seconds;
            for (int turn = -1; turn < wanted.common.repetitions;
                 ++turn) { // the first turn of the others is not counted
                if (turn >= 0)
                    seconds[0].push_back(measure(data, wanted.calls.front(), expected,
                                                 [&](buffers& on) { each.by_adaptive(levels, on); }));
                const double ours = measure(data, wanted.calls.front(), expected,
                                            [&](buffers& on) { each.by_automatic(others, on); });
                const double theirs = measure(data, wanted.calls.front(), expected, each.by_mpi);
                if (turn < 0) continue;
                seconds[1].push_back(ours);
                seconds[2].push_back(theirs);
            }
            if (!prints) continue;
            const std::size_t learnt = seconds[0].size() > 1 ? 1 : 0;
            const double whole = mean(seconds[2], 0) / mean(seconds[0], 0),
                         after = mean(seconds[2], learnt) / mean(seconds[0], learnt);
            std::cout << std::setw(12) << std::left << each.name << std::right << std::setw(8)
                      << data.length() * sizeof(double) << std::fixed << std::setprecision(2) << std::setw(10)
                      << seconds[0].front() * 1e6 << std::setw(10) << mean(seconds[0], learnt) * 1e6
                      << std::setw(10) << mean(seconds[1], 0) * 1e6 << std::setw(10)
                      << mean(seconds[2], 0) * 1e6 << std::setw(8) << whole << std::setw(8) << after
                      << std::endl;
            for (std::size_t i = 0; i < names.size(); ++i)
                for (std::size_t turn = 0; turn < seconds[i].size(); ++turn)
                    out.add({{"benchmark", "adaptive"},
                             {"ranks", world.size()},
                             {"verb", std::string{each.name}},
                             {"bytes", data.length() * sizeof(double)},
                             {"by", names[i]},
                             {"turn", turn},
                             {"seconds", nine_digits(seconds[i][turn])}});
            logarithms += std::log(after);
            of_all += std::log(whole);
            least = rows == 0 ? after : std::min(least, after);
            ++rows;
        }
    if (prints)
        std::cout << "the MPI's time over adaptive's: " << std::exp(of_all / rows)
                  << " in the mean of all calls, " << std::exp(logarithms / rows)
                  << " after the first turn, there " << least << " at the least\n";
}

request read_request(int argc, char** argv) {
    request wanted;
    wanted.common = read_arguments(argc, argv, 8, [&](std::string_view option, const std::string& value) {
        if (option == "--bytes")
            wanted.lengths = byte_counts(value);
        else if (option == "--calls")
            wanted.calls = byte_counts(value);
        else
            return false;
        return true;
    });
    if (wanted.calls.size() != 1 || wanted.calls.front() == 0)
        throw std::runtime_error("--calls wants a number from 1 on");
    return wanted;
}

} // namespace

int main(int argc, char** argv) { return topo_bench::benchmark_main(argc, argv, read_request, run); }
