// SPDX-License-Identifier: BSL-1.0
// levels [--machine DESCRIPTION] [--place core|PARTS|NODES:PARTS] [--bytes N,M] [--parameters FILE]
//        [--charged RATES] [--repetitions N] [--output FILE] [--note KEY=VALUE]...
//
// Paper 1's figures 5 to 10: six algorithms of broadcast and six of reduce, each as one tree over the ranks'
// numbers (flat), hierarchical over the levels (hierarchical), and as the one tree that it makes of all
// levels (composed). Time of the slowest rank, results checked. Appends raw samples, one JSON object a line,
// to FILE; with the parameters of `topomp measure` also what PLogP's model predicts. --charged is what a
// simulation charges nodes. scripts/reproduce runs it.
//
// --place core: neighbouring ranks on neighbouring cores. PARTS: the cores of each node in so many equal
// parts, ranks in turn over these, node after node. NODES:PARTS: ranks in turn over all nodes, too.
#include "support/agreed_start.hpp"
#include "support/benchmark_main.hpp"
#include "support/record.hpp"
#include "support/simulated_nodes.hpp"
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/split_binary.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/flat_time.hpp>
#include <topomp/model/machine_parameters.hpp>
#include <topomp/plan/hierarchical.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using number = std::uint64_t;
constexpr std::size_t segment_bytes = 8192; // of the pipeline

/// A hierarchy without levels: its trees are over the ranks' numbers.
struct one_level {
    explicit one_level(const boost::mpi::communicator& ranks)
        : levels(ranks, topo::place{}, {.max_depth = 0}) {}
    topo::hierarchy levels;
};

/// An algorithm inside a level: the library's own by `Policy`, as if there were no levels.
template <class Policy>
struct broadcast_inside {
    static void broadcast(topo::level_members& here, const topo::message& what, int root) {
        topo::broadcast(here.attached<one_level>().levels, what, root, Policy{});
    }
};
template <class Policy>
struct reduce_inside {
    static void reduce(topo::level_members& here, const topo::message& sum, MPI_Op op, int root) {
        topo::reduce(here.attached<one_level>().levels, MPI_IN_PLACE, sum, op, root, Policy{});
    }
    static void reduce(topo::level_members& here, const void* input, const topo::message& result, MPI_Op op,
                       int root) {
        topo::reduce(here.attached<one_level>().levels, input, result, op, root, Policy{});
    }
};

struct stage {
    const topo::hierarchy& flat; ///< without levels
    const topo::hierarchy& levels;
    MPI_Op add;
    std::vector<number> input, result;

    topo::message sum() { return {result.data(), result.size(), MPI_UINT64_T}; }
};

using call = void (*)(stage&);
enum variant : std::size_t { flat, hierarchical, composed };
constexpr std::array<std::string_view, 3> variant_names{"flat", "hierarchical", "composed"};

struct algorithm {
    std::string_view verb, name;
    std::array<call, 3> calls;
    topo::any_shape first, second; ///< the second is for the other half of the message
    bool is_in_halves = false, is_in_segments = false;
};

template <class Shape, int Half = 0>
constexpr topo::any_shape shape_of() {
    return topo::any_shape::of<topo::detail::for_half_t<Shape, Half>>();
}

template <class Shape, class Policy = Shape>
constexpr algorithm broadcast_by(std::string_view name) {
    return {"broadcast",
            name,
            {[](stage& on) { topo::broadcast(on.flat, on.sum(), 0, Policy{}); },
             [](stage& on) {
                 topo::broadcast(on.levels, on.sum(), 0,
                                 topo::hierarchical<topo::otherwise<broadcast_inside<Policy>>>{});
             },
             [](stage& on) { topo::broadcast(on.levels, on.sum(), 0, Policy{}); }},
            shape_of<Shape>(),
            shape_of<Shape, 1>(),
            std::is_same_v<Shape, topo::split_binary>,
            !std::is_same_v<Shape, Policy>};
}
template <class Shape, class Policy = Shape>
constexpr algorithm reduce_by(std::string_view name) {
    return {"reduce",
            name,
            {[](stage& on) { topo::reduce(on.flat, on.input.data(), on.sum(), on.add, 0, Policy{}); },
             [](stage& on) {
                 topo::reduce(on.levels, on.input.data(), on.sum(), on.add, 0,
                              topo::hierarchical<topo::otherwise<reduce_inside<Policy>>>{});
             },
             [](stage& on) { topo::reduce(on.levels, on.input.data(), on.sum(), on.add, 0, Policy{}); }},
            shape_of<Shape>(),
            shape_of<Shape>(),
            false,
            !std::is_same_v<Shape, Policy>};
}

using pipeline = topo::segmented<segment_bytes, topo::chain>;
const std::array algorithms{
    broadcast_by<topo::linear>("linear"),
    broadcast_by<topo::chain>("chain"),
    broadcast_by<topo::chain, pipeline>("pipeline"),
    broadcast_by<topo::split_binary>("split_binary"),
    broadcast_by<topo::binary>("binary"),
    broadcast_by<topo::binomial>("binomial"),
    reduce_by<topo::linear>("linear"),
    reduce_by<topo::chain>("chain"),
    reduce_by<topo::chain, pipeline>("pipeline"),
    reduce_by<topo::binary>("binary"),
    reduce_by<topo::binomial>("binomial"),
    reduce_by<topo::in_order_binary>("in_order_binary"),
};

struct request {
    topo_bench::arguments common{};
    std::string machine = "node:2 package:2 core:2", place = "core", parameters{};
    std::vector<std::size_t> bytes{8, 40000};
    std::optional<topo_bench::node_charges> charges{};
};

request read_request(int argc, char** argv) {
    request given;
    given.common =
        topo_bench::read_arguments(argc, argv, 11, [&](std::string_view option, const std::string& value) {
            if (option == "--machine")
                given.machine = topo_bench::machine_text(value);
            else if (option == "--place")
                given.place = value;
            else if (option == "--parameters")
                given.parameters = value;
            else if (option == "--bytes")
                given.bytes = topo_bench::byte_counts(value);
            else if (option == "--charged")
                given.charges = topo_bench::node_charges::read(value);
            else
                return false;
            return true;
        });
    return given;
}

/// The core of each rank, counted over the machine: see the top of the file.
std::vector<int> seats_of(const std::string& place, int nodes, int cores, int ranks) {
    std::vector<int> seats;
    if (place == "core") {
        for (int rank = 0; rank < ranks; ++rank)
            seats.push_back(rank % (nodes * cores));
        return seats;
    }
    const auto colon = place.find(':');
    const int in_turn = colon == place.npos ? 1 : std::stoi(place.substr(0, colon));
    const int parts = std::stoi(colon == place.npos ? place : place.substr(colon + 1));
    if (in_turn < 1 || parts < 1 || nodes % in_turn != 0 || cores % parts != 0)
        throw std::runtime_error("--place " + place + " does not divide " + std::to_string(nodes) +
                                 " nodes of " + std::to_string(cores) + " cores");
    for (int rank = 0; rank < ranks; ++rank) {
        const int turn = rank / in_turn; // on the node, if nodes are in turn
        const int node = rank / (in_turn * cores) * in_turn + rank % in_turn, at = turn % cores;
        seats.push_back((node % nodes) * cores + at % parts * (cores / parts) + at / parts);
    }
    return seats;
}

/// What PLogP's model says, with the parameters of each level.
class oracle {
public:
    oracle(const topo::model::machine_parameters& parameters, std::vector<int> seats)
        : levels_(parameters.models()), seats_(std::move(seats)) {}

    double predict(const algorithm& what, variant by, std::size_t bytes) const {
        const std::size_t piece = what.is_in_segments ? std::min(bytes, segment_bytes) : bytes;
        const auto segments = static_cast<double>((bytes + piece - 1) / piece);
        const auto length = static_cast<double>(what.is_in_halves ? piece / 2 : piece);
        const auto costs = topo::model::costs_of(std::span<const level>{levels_}, length);
        const topo::model::flat_tree<topo::model::measured_messages> whole{levels_, seats_};
        const std::span<const topo::any_shape> first{&what.first, 1}, second{&what.second, 1};
        if (what.is_in_halves)
            return by == flat           ? whole.split_time(what.first, what.second, length)
                   : by == hierarchical ? topo::model::split_hierarchical_time(what.first, what.second, costs)
                                        : topo::model::split_broadcast_time(first, second, costs);
        return by == flat           ? whole.time(what.first, length, segments)
               : by == hierarchical ? topo::model::hierarchical_time(first, costs, segments)
                                    : topo::model::broadcast_time(first, costs, segments);
    }

private:
    using level = topo::model::level_model<topo::model::measured_messages>;
    std::vector<level> levels_;
    std::vector<int> seats_;
};

number value(int rank, std::size_t i, int repetition) {
    return static_cast<number>(rank + 1) * 1000003U + i * 17U + static_cast<number>(repetition) * 7919U;
}

void fill(stage& on, const algorithm& what, int rank, int repetition) {
    const bool has_data = what.verb == "broadcast" && rank == 0;
    for (std::size_t i = 0; i < on.input.size(); ++i) {
        on.input[i] = value(rank, i, repetition);
        on.result[i] = has_data ? on.input[i] : 0;
    }
}

bool is_right(const stage& on, const algorithm& what, int rank, int ranks, int repetition) {
    if (what.verb == "reduce" && rank != 0) return true;
    for (std::size_t i = 0; i < on.result.size(); i += 1 + on.result.size() / 32) {
        number expected = value(0, i, repetition);
        for (int each = 1; what.verb == "reduce" && each < ranks; ++each)
            expected += value(each, i, repetition);
        if (on.result[i] != expected) return false;
    }
    return true;
}

double median(std::vector<double> samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle);
    return *middle;
}

class bench {
public:
    bench(const boost::mpi::communicator& world, const request& given)
        : world_(world), given_(given), on_(topo::machine::parse(given.machine)),
          seats_(seats_of(given.place, static_cast<int>(on_.nodes().size()),
                          on_.nodes().front().hardware->core_count(), world.size())),
          flat_(world, topo::place{}, {.max_depth = 0}), hierarchy_(world, on_, placement(), {}),
          add_(given.charges ? topo_bench::charge_nodes<number>(*given.charges, world) : MPI_SUM) {
        if (!given.parameters.empty())
            oracle_.emplace(topo::model::machine_parameters::read(given.parameters), seats_);
        if (world.rank() == 0 && !given.common.output.empty()) out_.emplace(given.common);
    }

    void run() {
        for (const std::size_t bytes : given_.bytes)
            for (const algorithm& what : algorithms)
                run(what, bytes);
    }

private:
    topo::placement placement() const {
        const int cores = on_.nodes().front().hardware->core_count();
        std::vector<topo::seat> seats;
        for (const int each : seats_)
            seats.push_back({each / cores, on_.nodes().front().hardware->core(each % cores)});
        return topo::placement::list(std::move(seats));
    }

    void run(const algorithm& what, std::size_t bytes) {
        const std::size_t count = std::max<std::size_t>(1, bytes / sizeof(number));
        stage on{flat_, hierarchy_, add_, std::vector<number>(count), std::vector<number>(count)};
        std::array<double, 3> medians{};
        for (const variant by : {flat, hierarchical, composed}) {
            std::vector<double> seconds;
            for (int repetition = -1; repetition < given_.common.repetitions;
                 ++repetition) { // the first warms up
                fill(on, what, world_.rank(), repetition);
                const double slowest = timed(on, what.calls[by]);
                check(on, what, by, repetition);
                if (repetition >= 0) seconds.push_back(slowest);
            }
            medians[by] = median(seconds);
            if (out_) write(what, by, bytes, seconds);
        }
        if (world_.rank() == 0)
            std::cout << std::left << std::setw(10) << what.verb << std::setw(16) << what.name << std::right
                      << std::setw(9) << bytes << std::fixed << std::setprecision(1) << std::setw(12)
                      << medians[flat] * 1e6 << std::setw(12) << medians[hierarchical] * 1e6
                      << std::setprecision(2) << std::setw(8) << medians[flat] / medians[hierarchical]
                      << std::setw(8) << medians[flat] / medians[composed] << std::endl;
    }

    double timed(stage& on, call each) {
        topo_bench::start_together(world_);
        const double start = PMPI_Wtime();
        each(on);
        const double mine = PMPI_Wtime() - start;
        double slowest = 0;
        PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, world_);
        return slowest;
    }

    void check(const stage& on, const algorithm& what, variant by, int repetition) {
        const int right = is_right(on, what, world_.rank(), world_.size(), repetition) ? 1 : 0;
        int all = 1;
        PMPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, world_);
        if (all == 0)
            throw std::runtime_error("wrong result of " + std::string{what.verb} + " by " +
                                     std::string{what.name} + ", " + std::string{variant_names[by]});
    }

    void write(const algorithm& what, variant by, std::size_t bytes, const std::vector<double>& seconds) {
        using topo_bench::nine_digits;
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            topo_bench::json sample{{"benchmark", "levels"},
                                    {"verb", what.verb},
                                    {"algorithm", what.name},
                                    {"variant", variant_names[by]},
                                    {"ranks", world_.size()},
                                    {"bytes", bytes},
                                    {"place", given_.place},
                                    {"repetition", i},
                                    {"seconds", nine_digits(seconds[i])}};
            if (oracle_) sample.set("predicted", nine_digits(oracle_->predict(what, by, bytes)));
            out_->add(std::move(sample));
        }
    }

    boost::mpi::communicator world_;
    request given_;
    topo::machine on_;
    std::vector<int> seats_;
    topo::hierarchy flat_, hierarchy_;
    MPI_Op add_;
    std::optional<oracle> oracle_;
    std::optional<topo_bench::sample_file> out_;
};

} // namespace

int main(int argc, char** argv) {
    return topo_bench::benchmark_main(argc, argv, read_request,
                                      [](const boost::mpi::communicator& world, const request& given) {
                                          bench{world, given}.run();
                                      });
}
