// SPDX-License-Identifier: BSL-1.0
// Every collective through topomp's default policy beside the MPI's own, in one run: the slowest rank's time.
#include "support/record.hpp"
#include "support/together.hpp"
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using topo_bench::is_simulated;
using number = std::uint64_t;

/// The buffers of one point, sized for every verb: `count` numbers for each rank and of each rank.
struct point {
    const topo::hierarchy& tree;
    MPI_Comm comm; ///< a duplicate, on which the MPI's own collectives are warmed up alike
    std::size_t count;
    int size = tree.whole().size(), rank = tree.whole().rank();
    std::vector<number> input{}, result{};

    int elements() const { return static_cast<int>(count); }
    std::size_t all() const { return count * static_cast<std::size_t>(size); }

    /// An element of a rank's data, other in each repetition.
    static number value(int rank, std::size_t i, int repetition) {
        return static_cast<number>(rank + 1) * 1000003U + i * 17U + static_cast<number>(repetition) * 7919U;
    }
    void fill(int repetition) {
        for (std::size_t i = 0; i < input.size(); ++i)
            input[i] = value(rank, i, repetition);
        std::ranges::fill(result, number{0});
        if (result.size() == input.size() && rank == 0) result = input; // for a broadcast from rank 0
    }
    /// Elements that are checked: some of many, the first and the last among them.
    std::size_t stride() const { return count < 64 ? 1 : (count - 1) / 31; }
    number sum(std::size_t i, int repetition) const {
        number total = 0;
        for (int each = 0; each < size; ++each)
            total += value(each, i, repetition);
        return total;
    }
};

/// One verb: how large its buffers are, its two ways, and what must come out of both.
struct verb {
    std::string_view name;
    bool sends_to_all, gets_from_all; ///< whether the input and the result have a block for each rank
    void (*ours)(point&);
    void (*theirs)(point&);
    bool (*is_right)(const point&, int repetition);
};

bool is_root(const point& p) { return p.rank == 0; }

bool has_sums(const point& p, int repetition) {
    for (std::size_t i = 0; i < p.count; i += p.stride())
        if (p.result[i] != p.sum(i, repetition)) return false;
    return true;
}

bool has_blocks(const point& p, int repetition) {
    for (int each = 0; each < p.size; ++each)
        for (std::size_t i = 0; i < p.count; i += p.stride())
            if (p.result[static_cast<std::size_t>(each) * p.count + i] != p.value(each, i, repetition))
                return false;
    return true;
}

const std::array verbs{
    verb{"barrier", false, false, [](point& p) { topo::barrier(p.tree); },
         [](point& p) { MPI_Barrier(p.comm); }, [](const point&, int) { return true; }},
    verb{"broadcast", false, false, [](point& p) { topo::broadcast(p.tree, p.result, 0); },
         [](point& p) { MPI_Bcast(p.result.data(), p.elements(), MPI_UINT64_T, 0, p.comm); },
         [](const point& p, int repetition) {
             for (std::size_t i = 0; i < p.count; i += p.stride())
                 if (p.result[i] != p.value(0, i, repetition)) return false;
             return true;
         }},
    verb{"reduce", false, false, [](point& p) { topo::reduce(p.tree, p.input, p.result, std::plus<>{}, 0); },
         [](point& p) {
             MPI_Reduce(p.input.data(), p.result.data(), p.elements(), MPI_UINT64_T, MPI_SUM, 0, p.comm);
         },
         [](const point& p, int repetition) { return !is_root(p) || has_sums(p, repetition); }},
    verb{"all_reduce", false, false,
         [](point& p) { topo::all_reduce(p.tree, p.input, p.result, std::plus<>{}); },
         [](point& p) {
             MPI_Allreduce(p.input.data(), p.result.data(), p.elements(), MPI_UINT64_T, MPI_SUM, p.comm);
         },
         has_sums},
    verb{"gather", false, true, [](point& p) { topo::gather(p.tree, p.input, p.result, 0); },
         [](point& p) {
             MPI_Gather(p.input.data(), p.elements(), MPI_UINT64_T, p.result.data(), p.elements(),
                        MPI_UINT64_T, 0, p.comm);
         },
         [](const point& p, int repetition) { return !is_root(p) || has_blocks(p, repetition); }},
    verb{"scatter", true, false, [](point& p) { topo::scatter(p.tree, p.input, p.result, 0); },
         [](point& p) {
             MPI_Scatter(p.input.data(), p.elements(), MPI_UINT64_T, p.result.data(), p.elements(),
                         MPI_UINT64_T, 0, p.comm);
         },
         [](const point& p, int repetition) {
             for (std::size_t i = 0; i < p.count; i += p.stride())
                 if (p.result[i] != p.value(0, static_cast<std::size_t>(p.rank) * p.count + i, repetition))
                     return false;
             return true;
         }},
    verb{"all_gather", false, true, [](point& p) { topo::all_gather(p.tree, p.input, p.result); },
         [](point& p) {
             MPI_Allgather(p.input.data(), p.elements(), MPI_UINT64_T, p.result.data(), p.elements(),
                           MPI_UINT64_T, p.comm);
         },
         has_blocks},
    verb{"reduce_scatter", true, false,
         [](point& p) { topo::reduce_scatter(p.tree, p.input, p.result, std::plus<>{}); },
         [](point& p) {
             MPI_Reduce_scatter_block(p.input.data(), p.result.data(), p.elements(), MPI_UINT64_T, MPI_SUM,
                                      p.comm);
         },
         [](const point& p, int repetition) {
             for (std::size_t i = 0; i < p.count; i += p.stride())
                 if (p.result[i] != p.sum(static_cast<std::size_t>(p.rank) * p.count + i, repetition))
                     return false;
             return true;
         }},
    verb{"all_to_all", true, true, [](point& p) { topo::all_to_all(p.tree, p.input, p.result); },
         [](point& p) {
             MPI_Alltoall(p.input.data(), p.elements(), MPI_UINT64_T, p.result.data(), p.elements(),
                          MPI_UINT64_T, p.comm);
         },
         [](const point& p, int repetition) {
             for (int each = 0; each < p.size; ++each)
                 for (std::size_t i = 0; i < p.count; i += p.stride())
                     if (p.result[static_cast<std::size_t>(each) * p.count + i] !=
                         p.value(each, static_cast<std::size_t>(p.rank) * p.count + i, repetition))
                         return false;
             return true;
         }},
};

struct request {
    std::optional<std::string> machine;
    std::vector<std::string> verbs;
    std::vector<std::size_t> bytes{8, 512, 32768};
    topo_bench::arguments common{};
};

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream parts{text};
    for (std::string part; std::getline(parts, part, ',');)
        result.push_back(part);
    return result;
}

/// Takes --machine DESCRIPTION, --verbs A,B and --bytes N,M, and leaves the rest to all benchmarks' options.
request read_arguments(int argc, char** argv) {
    request given;
    std::vector<char*> rest{argv[0]};
    for (int i = 1; i < argc; i += 2) {
        const std::string_view option = argv[i];
        const std::string value = i + 1 < argc ? argv[i + 1] : "";
        if (option == "--machine") {
            given.machine = value;
            std::ranges::replace(*given.machine, '_', ' '); // smpirun cuts at spaces
        } else if (option == "--verbs") {
            given.verbs = words(value);
        } else if (option == "--bytes") {
            given.bytes.clear();
            for (const auto& word : words(value))
                given.bytes.push_back(std::stoull(word));
        } else {
            rest.insert(rest.end(), argv + i, argv + std::min(i + 2, argc));
        }
    }
    given.common = topo_bench::read_arguments(static_cast<int>(rest.size()), rest.data(), 21);
    return given;
}

/// The slowest rank's seconds in one call, which all ranks start together. @collective over `p.comm`
double timed(point& p, void (*call)(point&)) {
    topo_bench::start_together(p.comm);
    const double start = PMPI_Wtime();
    call(p);
    const double mine = PMPI_Wtime() - start;
    double slowest = 0;
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, p.comm);
    return slowest;
}

void check(const point& p, const verb& what, int repetition, std::string_view by) {
    int is_right = what.is_right(p, repetition) ? 1 : 0, all = 1;
    PMPI_Allreduce(&is_right, &all, 1, MPI_INT, MPI_MIN, p.comm);
    if (all == 0)
        throw std::runtime_error("verbs: wrong result of " + std::string{what.name} + " by " +
                                 std::string{by});
}

double median(std::vector<double> samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle);
    return *middle;
}

void measure(const topo::hierarchy& tree, MPI_Comm comm, const verb& what, std::size_t bytes,
             const request& given) {
    const std::size_t count = std::max<std::size_t>(1, bytes / sizeof(number));
    point p{tree, comm, count};
    p.input.resize(what.sends_to_all ? p.all() : count);
    p.result.resize(what.gets_from_all ? p.all() : count);
    const std::array<std::pair<std::string_view, void (*)(point&)>, 2> ways{
        {{"topomp", what.ours}, {"mpi", what.theirs}}};
    std::array<std::vector<double>, 2> seconds;
    std::mt19937 order{static_cast<unsigned>(bytes) + 1};                            // the same on all ranks
    for (int repetition = -1; repetition < given.common.repetitions; ++repetition) { // the first warms up
        const std::size_t first = order() % 2;
        for (const std::size_t way : {first, 1 - first}) {
            p.fill(repetition);
            const double slowest = timed(p, ways[way].second);
            check(p, what, repetition, ways[way].first);
            if (repetition >= 0) seconds[way].push_back(slowest);
        }
    }
    if (p.rank != 0) return;
    if (!given.common.output.empty()) {
        std::ofstream out{given.common.output, std::ios::app};
        out << std::setprecision(9);
        for (const std::size_t way : {0U, 1U})
            for (std::size_t i = 0; i < seconds[way].size(); ++i)
                out << R"({"benchmark":"verbs","verb":)" << topo_bench::json_text(what.name) << R"(,"by":)"
                    << topo_bench::json_text(ways[way].first) << R"(,"ranks":)" << p.size << R"(,"bytes":)"
                    << bytes << R"(,"repetition":)" << i << R"(,"seconds":)" << seconds[way][i] << ','
                    << topo_bench::provenance() << given.common.notes << "}\n";
    }
    const double ours = median(seconds[0]), theirs = median(seconds[1]);
    std::cout << std::left << std::setw(12) << what.name << std::right << std::setw(10) << bytes << std::fixed
              << std::setprecision(1) << std::setw(12) << ours * 1e6 << std::setw(12) << theirs * 1e6
              << std::setprecision(2) << std::setw(8) << theirs / ours << std::endl;
}

void run(const boost::mpi::communicator& world, const request& given) {
    const auto build = [&] {
        if (!given.machine) return topo::hierarchy{world};
        return topo::hierarchy{world, topo::machine::parse(*given.machine), topo::placement::core_by_core()};
    };
    const topo::hierarchy tree = build();
    const boost::mpi::communicator duplicate{world, boost::mpi::comm_duplicate};
    if (world.rank() == 0)
        std::cout << std::left << std::setw(12) << "verb" << std::right << std::setw(10) << "bytes"
                  << std::setw(12) << "topomp us" << std::setw(12) << "MPI us" << std::setw(8) << "ratio"
                  << '\n';
    for (const verb& what : verbs) {
        if (!given.verbs.empty() && std::ranges::find(given.verbs, what.name) == given.verbs.end()) continue;
        for (const std::size_t bytes : given.bytes)
            if (what.name != "barrier" || bytes == given.bytes.front())
                measure(tree, duplicate, what, bytes, given);
    }
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
