// SPDX-License-Identifier: BSL-1.0
// hybrid [--verbs A,B] [--bytes N,M] [--by windows|mpi|both] [--repetitions N] [--output FILE]
//        [--note KEY=VALUE]... [--machine DESCRIPTION] [--nodes N,M] [--show costs|memory]
//        [--rules NAME] [--charged RATES]
//
// Hybrid verbs beside the MPI's own collectives and beside paper 2's scheme as its pseudo-code has it, in one
// run: the slowest rank's time; a machine that is given is what topomp takes this one for. `--by windows` is
// all but the MPI's own, which alone is `--by mpi`. The verb all_reduce_methods is paper 2's figure 15. With
// `--show costs`, what is paid once (its table 2); with `--show memory`, how many copies of a result of 256
// MiB a node holds. In a simulation the rules of this name choose how MPI_Bcast and MPI_Allreduce go, from
// when communicators have been made, and --charged is what nodes are charged. docs/benchmarks_method.md says
// how to read it.
#include "support/agreed_start.hpp"
#include "support/benchmark_main.hpp"
#include "support/described_nodes.hpp"
#include "support/paper2.hpp"
#include "support/record.hpp"
#include "support/simulated_rules.hpp"
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace topo_bench;
namespace hybrid = topo::hybrid;

struct request {
    std::vector<std::string> verbs{"broadcast", "all_gather", "all_reduce", "reduce",
                                   "gather",    "scatter",    "all_to_all"};
    std::vector<std::size_t> bytes{8, 1024, 65536};
    std::string by = "both"; ///< or "windows" or "mpi": who is measured
    std::string show;
    std::string rules; ///< in a simulation: whose rules choose how what is measured goes
    described_nodes nodes{};
    arguments common{};
};

/// How long operands and results are, in blocks of one rank's bytes.
enum class shape {
    alike,     ///< both one block
    gathered,  ///< one block of each rank, the result is all blocks
    scattered, ///< the root's operand is all blocks, each rank's result one of them
    exchanged  ///< both are all blocks
};

/// All buffers and windows of one point, made once.
struct stage {
    const topo::hierarchy& levels;
    scheme& paper;
    std::size_t count;
    shape kind;
    MPI_Op add = paper.add();
    int rank = levels.whole().rank(), size = levels.whole().size();
    std::size_t all_elements = count * static_cast<std::size_t>(size);

    std::vector<double> mine = std::vector<double>(kind == shape::exchanged ? all_elements : count);
    std::vector<double> result = std::vector<double>(kind == shape::alike ? count : all_elements);
    topo::shared_window<double> operands{levels, elements_if({shape::alike, shape::exchanged}, mine.size())};
    topo::shared_window<double> exchanged{levels, elements_if({shape::exchanged}, all_elements)};
    topo::shared_window<double> all{levels, elements_if({shape::gathered, shape::scattered}, all_elements),
                                    hybrid::one_copy};
    topo::shared_window<double> one{levels, elements_if({shape::alike}, count), hybrid::one_copy};
    scheme::window paper_all = paper.allocate(elements_if({shape::gathered}, all_elements));
    scheme::window paper_one = paper.allocate(elements_if({shape::alike}, count));
    scheme::window paper_operands = paper.allocate(
        elements_if({shape::alike}, (static_cast<std::size_t>(paper.node_size()) + 1) * count));

    /// What a verb does not need is not made. @return `wanted` for these, else none
    std::size_t elements_if(std::initializer_list<shape> those, std::size_t wanted) const {
        return std::ranges::find(those, kind) == those.end() ? 0 : wanted;
    }
    static double value(int rank, std::size_t i, int repetition) {
        return static_cast<double>(rank + 1) +
               static_cast<double>((i + static_cast<std::size_t>(repetition)) % 97);
    }
    int elements() const { return static_cast<int>(count); }

    /// New operands, in every buffer that an algorithm reads.
    void fill(int repetition) {
        all.fence(); // the last results have been read
        exchanged.fence();
        std::ranges::fill(result, 0.0);
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = kind == shape::scattered ? 0 : value(rank, i, repetition);
        switch (kind) {
        case shape::gathered:
            std::ranges::copy(mine, hybrid::block_of(levels, all, rank).begin());
            std::ranges::copy(mine, paper_all.data + static_cast<std::size_t>(rank) * count);
            break;
        case shape::scattered:
            if (rank != 0) break;
            for (std::size_t i = 0; i < all_elements; ++i)
                result[i] = value(static_cast<int>(i / count), i % count, repetition);
            std::ranges::copy(result, all.begin());
            break;
        case shape::exchanged:
            std::ranges::copy(mine, operands.local().begin());
            break;
        case shape::alike:
            std::ranges::copy(mine, operands.local().begin());
            std::ranges::copy(mine,
                              paper_operands.data + static_cast<std::size_t>(paper.node_rank()) * count);
            if (rank != 0) break;
            std::ranges::copy(mine, one.begin());
            std::ranges::copy(mine, paper_one.data);
            std::ranges::copy(mine, result.begin());
        }
    }
};

struct algorithm {
    std::string_view name;
    void (*call)(stage&);
    const double* (*result)(stage&); ///< where it has left its result
};

const double* in_result(stage& s) { return s.result.data(); }
const double* in_one(stage& s) { return s.one.all().data(); }
const double* in_all(stage& s) { return s.all.all().data(); }
const double* in_mine(stage& s) { return s.mine.data(); }
const double* in_paper_sum(stage& s) {
    return s.paper_operands.data + static_cast<std::size_t>(s.paper.node_size()) * s.count;
}
void mpi_all_reduce(stage& s) {
    MPI_Allreduce(s.mine.data(), s.result.data(), s.elements(), MPI_DOUBLE, s.add, s.paper.whole());
}

struct verb {
    std::string_view name;
    std::vector<algorithm> algorithms;
    /// Element i of the calling rank's result.
    double (*expected)(const stage&, std::size_t i, int repetition);
    shape kind = shape::alike;
    bool is_for_root = false; ///< whether only rank 0 gets a result
};

double sum_of_all(const stage& s, std::size_t i, int repetition) {
    double sum = 0;
    for (int each = 0; each < s.size; ++each)
        sum += stage::value(each, i, repetition);
    return sum;
}
double block_of_each(const stage& s, std::size_t i, int repetition) {
    return stage::value(static_cast<int>(i / s.count), i % s.count, repetition);
}

const std::vector<verb> verbs{
    {"broadcast",
     {{"topomp", [](stage& s) { hybrid::broadcast(s.levels, s.one, 0); }, in_one},
      {"topomp, buffers", [](stage& s) { hybrid::broadcast(s.levels, s.mine, s.one, 0); }, in_one},
      {"paper 2", [](stage& s) { s.paper.broadcast(s.paper_one, s.elements()); },
       [](stage& s) -> const double* { return s.paper_one.data; }},
      {"mpi", [](stage& s) { MPI_Bcast(s.result.data(), s.elements(), MPI_DOUBLE, 0, s.paper.whole()); },
       in_result}},
     [](const stage&, std::size_t i, int repetition) { return stage::value(0, i, repetition); }},
    {"all_gather",
     {{"topomp", [](stage& s) { hybrid::all_gather(s.levels, s.all); }, in_all},
      {"topomp, buffers", [](stage& s) { hybrid::all_gather(s.levels, s.mine, s.all); }, in_all},
      {"paper 2", [](stage& s) { s.paper.all_gather(s.paper_all, s.elements()); },
       [](stage& s) -> const double* { return s.paper_all.data; }},
      {"mpi",
       [](stage& s) {
           MPI_Allgather(s.mine.data(), s.elements(), MPI_DOUBLE, s.result.data(), s.elements(), MPI_DOUBLE,
                         s.paper.whole());
       },
       in_result}},
     block_of_each,
     shape::gathered},
    {"all_reduce",
     {{"topomp", [](stage& s) { hybrid::all_reduce(s.levels, s.operands, s.one, s.add); }, in_one},
      {"topomp, buffers", [](stage& s) { hybrid::all_reduce(s.levels, s.mine, s.one, s.add); }, in_one},
      {"paper 2", [](stage& s) { s.paper.all_reduce(s.paper_operands, s.elements()); }, in_paper_sum},
      {"mpi", mpi_all_reduce, in_result}},
     sum_of_all},
    {"reduce",
     {{"topomp", [](stage& s) { hybrid::reduce(s.levels, s.operands, s.one, s.add, 0); }, in_one},
      {"topomp, buffers", [](stage& s) { hybrid::reduce(s.levels, s.mine, s.one, s.add, 0); }, in_one},
      {"mpi",
       [](stage& s) {
           MPI_Reduce(s.mine.data(), s.result.data(), s.elements(), MPI_DOUBLE, s.add, 0, s.paper.whole());
       },
       in_result}},
     sum_of_all,
     shape::alike,
     true},
    {"gather",
     {{"topomp", [](stage& s) { hybrid::gather(s.levels, s.mine, s.all, 0); }, in_all},
      {"mpi",
       [](stage& s) {
           MPI_Gather(s.mine.data(), s.elements(), MPI_DOUBLE, s.result.data(), s.elements(), MPI_DOUBLE, 0,
                      s.paper.whole());
       },
       in_result}},
     block_of_each,
     shape::gathered,
     true},
    {"scatter",
     {{"topomp", [](stage& s) { hybrid::scatter(s.levels, s.all, s.mine, 0); }, in_mine},
      {"mpi",
       [](stage& s) {
           MPI_Scatter(s.result.data(), s.elements(), MPI_DOUBLE, s.mine.data(), s.elements(), MPI_DOUBLE, 0,
                       s.paper.whole());
       },
       in_mine}},
     [](const stage& s, std::size_t i, int repetition) { return stage::value(s.rank, i, repetition); },
     shape::scattered},
    {"all_to_all",
     {{"topomp", [](stage& s) { hybrid::all_to_all(s.levels, s.operands, s.exchanged); },
       [](stage& s) -> const double* { return s.exchanged.local().data(); }},
      {"mpi",
       [](stage& s) {
           MPI_Alltoall(s.mine.data(), s.elements(), MPI_DOUBLE, s.result.data(), s.elements(), MPI_DOUBLE,
                        s.paper.whole());
       },
       in_result}},
     [](const stage& s, std::size_t i, int repetition) {
         return stage::value(static_cast<int>(i / s.count),
                             static_cast<std::size_t>(s.rank) * s.count + i % s.count, repetition);
     },
     shape::exchanged},
    {"all_reduce_methods",
     {{"topomp", [](stage& s) { hybrid::all_reduce(s.levels, s.operands, s.one, s.add); }, in_one},
      {"topomp, barrier",
       [](stage& s) {
           hybrid::all_reduce(s.levels, s.operands, s.one, s.add, {.sync = hybrid::meeting::barrier});
       },
       in_one},
      {"paper 2, method 1",
       [](stage& s) { s.paper.all_reduce(s.paper_operands, s.elements(), scheme::method::first); },
       in_paper_sum},
      {"paper 2, method 2",
       [](stage& s) { s.paper.all_reduce(s.paper_operands, s.elements(), scheme::method::second); },
       in_paper_sum},
      {"mpi", mpi_all_reduce, in_result}},
     sum_of_all}};

/// Throws on all ranks if the result is wrong on any: some elements of many, the first and last among them.
void check(stage& s, const verb& what, const algorithm& by, int repetition) {
    const std::size_t length =
        what.kind == shape::alike || what.kind == shape::scattered ? s.count : s.all_elements;
    const std::size_t stride = length < 64 ? 1 : (length - 1) / 31;
    const double* const result = by.result(s);
    double is_wrong = 0;
    for (std::size_t i = 0; (s.rank == 0 || !what.is_for_root) && i < length; i += stride)
        if (std::abs(result[i] - what.expected(s, i, repetition)) > 1e-6) is_wrong = 1;
    if (greatest(s.paper.whole(), std::array{is_wrong})[0] > 0)
        throw std::runtime_error("wrong result of " + std::string{what.name} + " by " + std::string{by.name});
}

void measure(const topo::hierarchy& levels, scheme& paper, const verb& what, std::size_t bytes,
             const request& given) {
    stage s{levels, paper, std::max<std::size_t>(1, bytes / sizeof(double)), what.kind};
    std::vector<std::vector<double>> seconds(what.algorithms.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < what.algorithms.size(); ++i)
        if (given.by == "both" || (given.by == "mpi") == (what.algorithms[i].name == "mpi"))
            order.push_back(i);
    std::mt19937 shuffle{static_cast<unsigned>(bytes) + 1};                          // the same on all ranks
    for (int repetition = -1; repetition < given.common.repetitions; ++repetition) { // the first warms up
        for (std::size_t i = order.size(); i-- > 1;)
            std::swap(order[i], order[shuffle() % (i + 1)]);
        for (const std::size_t which : order) {
            if constexpr (!is_simulated) { // the code of each is in the caches, not that of the last one
                s.fill(repetition + 1);
                what.algorithms[which].call(s);
            }
            s.fill(repetition);
            start_together(paper.whole());
            const double start = PMPI_Wtime();
            what.algorithms[which].call(s);
            const double mine = PMPI_Wtime() - start;
            const double slowest = greatest(paper.whole(), std::array{mine})[0];
            check(s, what, what.algorithms[which], repetition);
            if (repetition >= 0) seconds[which].push_back(slowest);
        }
    }
    if (s.rank != 0) return;
    const auto median = [](std::vector<double> of) {
        std::ranges::nth_element(of, of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2));
        return of[of.size() / 2];
    };
    if (!given.common.output.empty()) {
        sample_file out{given.common};
        for (std::size_t i = 0; i < what.algorithms.size(); ++i)
            for (std::size_t k = 0; k < seconds[i].size(); ++k)
                out.add({{"benchmark", "hybrid"},
                         {"verb", what.name},
                         {"by", what.algorithms[i].name},
                         {"ranks", s.size},
                         {"bytes", bytes},
                         {"repetition", k},
                         {"seconds", nine_digits(seconds[i][k])}});
    }
    std::ranges::sort(order);
    const double first = median(seconds[order.front()]);
    std::cout << what.name << ", " << bytes << " bytes of a rank, " << s.size
              << " ranks, us (over the first): ";
    for (const std::size_t i : order)
        std::cout << (i == order.front() ? "" : ", ") << what.algorithms[i].name << ' ' << std::fixed
                  << std::setprecision(1) << median(seconds[i]) * 1e6 << std::setprecision(2) << " ("
                  << median(seconds[i]) / first << ')';
    std::cout << std::endl;
}

void compare(const topo::hierarchy& levels, scheme& paper, const request& given) {
    for (const verb& what : verbs)
        if (std::ranges::find(given.verbs, what.name) != given.verbs.end()) {
            use_rules_of(given.rules, what.name, paper.whole());
            for (const std::size_t bytes : given.bytes)
                measure(levels, paper, what, bytes, given);
        }
}

/// How long something takes the slowest rank, once.
template <class Call>
double once(MPI_Comm comm, Call call) {
    start_together(comm);
    const double start = PMPI_Wtime();
    call();
    return greatest(comm, std::array{PMPI_Wtime() - start})[0] * 1e6;
}

/// What is paid once, by paper 2's scheme and by topomp.
void show_costs(const boost::mpi::communicator& world, const request& given) {
    std::vector<std::pair<std::string, double>> costs;
    const auto add = [&](const std::string& what, double microseconds) {
        costs.emplace_back(what, microseconds);
    };
    std::vector<scheme> paper;
    add("paper 2: communicators", once(world, [&] { paper.emplace_back(world); }));
    add("paper 2: window", once(world, [&] { static_cast<void>(paper.front().allocate(1024)); }));
    add("paper 2: tables", once(world, [&] { paper.front().make_tables(); }));
    std::vector<topo::hierarchy> levels;
    add("topomp: hierarchy", once(world, [&] { levels.push_back(given.nodes.levels(world)); }));
    add("topomp: first window",
        once(world, [&] { topo::shared_window<double>(levels.front(), 1024, hybrid::one_copy); }));
    topo::shared_window<double> one{levels.front(), 1024, hybrid::one_copy};
    add("topomp: another window",
        once(world, [&] { topo::shared_window<double>(levels.front(), 1024, hybrid::one_copy); }));
    add("topomp: first broadcast", once(world, [&] { hybrid::broadcast(levels.front(), one, 0); }));
    add("topomp: second broadcast", once(world, [&] { hybrid::broadcast(levels.front(), one, 0); }));
    topo::shared_window<double> all{levels.front(), world.size(), hybrid::one_copy};
    add("topomp: first all_gather", once(world, [&] { hybrid::all_gather(levels.front(), all); }));
    add("topomp: second all_gather", once(world, [&] { hybrid::all_gather(levels.front(), all); }));
    if (world.rank() != 0) return;
    if (!given.common.output.empty()) {
        sample_file out{given.common};
        for (const auto& [what, microseconds] : costs)
            out.add({{"benchmark", "hybrid_costs"},
                     {"what", what},
                     {"ranks", world.size()},
                     {"seconds", nine_digits(microseconds * 1e-6)}});
    }
    for (const auto& [what, microseconds] : costs)
        std::cout << std::left << std::setw(28) << what << std::right << std::fixed << std::setprecision(1)
                  << std::setw(12) << microseconds << " us\n";
}

/// The calling process's share of the memory that it uses: pages of several processes count in parts.
double share_in_mib() {
    std::ifstream in{"/proc/self/smaps_rollup"};
    for (std::string word; in >> word;) {
        double kib = 0;
        if (word == "Pss:" && in >> kib) return kib / 1024;
    }
    throw std::runtime_error("the system does not tell how much memory a process uses");
}

/// How many copies of a broadcast's result there are in a node.
void show_memory(const topo::hierarchy& levels, const boost::mpi::communicator& world) {
    constexpr std::size_t mib = 256, count = mib * 1024 * 1024 / sizeof(double);
    const auto of_node = [&] {
        double mine = share_in_mib(), sum = 0;
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, world);
        return sum;
    };
    double before = of_node();
    double with_window = 0, with_vectors = 0;
    {
        topo::shared_window<double> window{levels, count, hybrid::one_copy};
        if (world.rank() == 0) std::ranges::fill(window, 1.5);
        hybrid::broadcast(levels, window, 0);
        double sum = 0;
        for (const double each : window.all())
            sum += each;
        if (sum != 1.5 * static_cast<double>(count)) throw std::runtime_error("wrong broadcast");
        window.fence();
        with_window = of_node() - before;
        window.fence();
    }
    before = of_node(); // the arena keeps what all ranks have left until a rank makes a window
    {
        std::vector<double> result(count, world.rank() == 0 ? 1.5 : 0.0);
        MPI_Bcast(result.data(), static_cast<int>(count), MPI_DOUBLE, 0, world);
        with_vectors = of_node() - before;
        if (result.back() != 1.5) throw std::runtime_error("wrong MPI_Bcast");
        MPI_Barrier(world);
    }
    if (world.rank() == 0)
        std::cout << std::fixed << std::setprecision(3) << "a result of " << mib << " MiB on " << world.size()
                  << " ranks: " << with_window / static_cast<double>(mib) << " copies by topo::hybrid, "
                  << with_vectors / static_cast<double>(mib) << " copies by MPI_Bcast\n";
}

request read_request(int argc, char** argv) {
    request given;
    given.common = read_arguments(argc, argv, 21, [&](std::string_view option, const std::string& value) {
        if (option == "--verbs")
            given.verbs = words(value);
        else if (option == "--bytes")
            given.bytes = byte_counts(value);
        else if (option == "--rules")
            given.rules = value;
        else if (option == "--by" && (value == "windows" || value == "mpi" || value == "both"))
            given.by = value;
        else if (option == "--show" && (value == "costs" || value == "memory"))
            given.show = value;
        else
            return given.nodes.take(option, value);
        return true;
    });
    return given;
}

void run(const boost::mpi::communicator& world, const request& given) {
    const MPI_Op add = given.nodes.sum<double>(world);
    if (given.show == "costs") return show_costs(world, given);
    const topo::hierarchy levels = given.nodes.levels(world);
    if (given.show == "memory") return show_memory(levels, world);
    scheme paper{world, add};
    paper.make_tables();
    compare(levels, paper, given);
}

} // namespace

int main(int argc, char** argv) { return topo_bench::benchmark_main(argc, argv, read_request, run); }
