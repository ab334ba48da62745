// SPDX-License-Identifier: BSL-1.0
// hierarchy_build [--repetitions N] [--output FILE] [--note KEY=VALUE]...
//
// What building a hierarchy costs, beside a bare chain of MPI_Comm_split calls that makes the same
// communicators by colours known beforehand: time of the slowest rank, collective calls, bytes that C++ code
// allocates per rank. Prints a table; appends raw samples, one JSON object a line, to FILE.
// docs/benchmarks_method.md says what the figures mean, scripts/bench-hierarchy runs it at all sizes.
#include "support/agreed_start.hpp"
#include "support/allocation_meter.hpp"
#include "support/benchmark_main.hpp"
#include "support/call_meter.hpp"
#include "support/record.hpp"
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace topo_bench;

// ---- The made-up machine: nodes of 2 packages x 2 NUMA nodes x 4 cores, four nodes a switch, filled rank by
// rank.

struct object_size {
    topo::kind type;
    int ranks;
};
constexpr std::array<object_size, 5> machine{{{topo::kind::network_switch, 64},
                                              {topo::kind::machine, 16},
                                              {topo::kind::package, 8},
                                              {topo::kind::numa_node, 4},
                                              {topo::kind::core, 1}}};

topo::place place_of(int rank) {
    std::vector<topo::hardware_object> path;
    for (const auto [type, ranks] : machine) {
        const int number = rank / ranks;
        if (type == topo::kind::network_switch)
            path.push_back({type, 0, "switch" + std::to_string(number)});
        else if (type == topo::kind::machine)
            path.push_back({type, number, "node" + std::to_string(number)});
        else // hwloc counts objects within their node
            path.push_back({type, number % (16 / ranks), {}});
    }
    return topo::place{std::move(path)};
}

/// Ranks in each level's communicators, outermost first: every object that is smaller than the one around it.
std::vector<int> level_sizes(int all) {
    std::vector<int> sizes;
    for (const auto [type, ranks] : machine)
        if (ranks < (sizes.empty() ? all : sizes.back())) sizes.push_back(ranks);
    return sizes;
}

// ---- The bare chain.

/// Communicators that are freed with it.
class communicators {
public:
    communicators() = default;
    communicators(communicators&& other) noexcept : all_(std::move(other.all_)) { other.all_.clear(); }
    ~communicators() {
        for (MPI_Comm& each : all_)
            if (each != MPI_COMM_NULL) MPI_Comm_free(&each);
    }
    MPI_Comm split(MPI_Comm parent, int color, int key) {
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_split(parent, color, key, &made);
        all_.push_back(made);
        return made;
    }
    void duplicate(MPI_Comm comm) {
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_dup(comm, &made);
        all_.push_back(made);
    }

private:
    std::vector<MPI_Comm> all_;
};

enum class extras { none, roots, roots_and_duplicate };

/// The communicators of the levels, outermost first, for comparison in `levels` if that is given.
communicators chain_of_splits(MPI_Comm whole, extras wanted, std::vector<MPI_Comm>* levels = nullptr) {
    communicators made;
    int rank = 0, size = 0;
    MPI_Comm_rank(whole, &rank);
    MPI_Comm_size(whole, &size);
    if (wanted == extras::roots_and_duplicate) made.duplicate(whole);
    MPI_Comm parent = whole;
    for (const int ranks : level_sizes(size)) {
        MPI_Comm level = made.split(parent, rank / ranks, rank);
        if (wanted != extras::none) made.split(parent, rank % ranks == 0 ? 0 : MPI_UNDEFINED, rank);
        if (levels != nullptr) levels->push_back(level);
        parent = level;
    }
    return made;
}

// ---- Measuring.

struct sample {
    double seconds = 0;               ///< of the slowest rank
    std::array<long long, 4> bytes{}; ///< of the rank with most: kept, peak, total; and the number of blocks
    long long left = 0;               ///< bytes of the calling rank that were not freed with the result
    int slowest = 0;                  ///< this rank
    std::array<part_figures, part_count> parts{}; ///< of the slowest rank
    int collectives() const {
        return std::transform_reduce(parts.begin(), parts.end(), 0, std::plus{},
                                     [](const part_figures& each) { return each.calls; });
    }
    double inside_mpi() const {
        return std::transform_reduce(parts.begin(), parts.end(), 0.0, std::plus{},
                                     [](const part_figures& each) { return each.seconds; });
    }
};

/// Times `build`, on all ranks at once; what it returns is freed after the clock has stopped.
template <class Build>
sample measure(MPI_Comm comm, Build build) {
    start_together(comm);
    restart_peak();
    const allocations before = allocations_now();
    allocations after;
    double seconds = 0;
    {
        calls = {};
        calls_are_metered = true;
        const double start = PMPI_Wtime();
        [[maybe_unused]] const auto result = build();
        seconds = PMPI_Wtime() - start;
        calls_are_metered = false;
        after = allocations_now();
    }
    sample found;
    found.left = allocations_now().live - before.live;
    found.parts = calls;
    found.bytes = {after.live - before.live, after.peak - before.live, after.total - before.total,
                   after.count - before.count};

    struct {
        double seconds;
        int rank;
    } mine{seconds, 0}, slowest{};
    PMPI_Comm_rank(comm, &mine.rank);
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    found.seconds = slowest.seconds;
    found.slowest = slowest.rank;
    PMPI_Allreduce(MPI_IN_PLACE, found.bytes.data(), 4, MPI_LONG_LONG, MPI_MAX, comm);
    PMPI_Bcast(found.parts.data(), static_cast<int>(sizeof found.parts), MPI_BYTE, slowest.rank, comm);
    return found;
}

/// Position among the variants of what it is all about.
constexpr std::size_t the_hierarchy = 3;

struct variant {
    std::string name;
    std::function<sample()> run;
    std::vector<sample> samples{};
};

// ---- Checks: figures of something else than intended are no figures.

void require(bool holds, std::string_view what) {
    if (!holds) throw std::runtime_error(std::string{what});
}

/// Each rank allocates another amount while all others do so too, and sees its own only.
void check_meter_is_own(const boost::mpi::communicator& comm) {
    const auto bytes = 64U * static_cast<unsigned>(comm.rank() + 1);
    comm.barrier();
    const long long before = allocations_now().live;
    {
        const std::vector<char> block(bytes);
        PMPI_Barrier(comm);
        const long long seen = allocations_now().live - before;
        require(seen >= bytes && seen < bytes + 64, "the allocations of another rank are counted");
        PMPI_Barrier(comm);
    }
    require(allocations_now().live == before, "freed memory is still counted");
    const std::string text(static_cast<std::size_t>(bytes), 'x');
    require(allocations_now().live - before >= bytes, "the allocations of std::string are not counted");
}

/// The chain makes the hierarchy's communicators.
void check_same_levels(const boost::mpi::communicator& comm, const topo::hierarchy& levels) {
    std::vector<MPI_Comm> splits;
    const communicators chain = chain_of_splits(comm, extras::none, &splits);
    require(static_cast<int>(splits.size()) == levels.depth(), "the chain and the hierarchy differ in depth");
    for (std::size_t depth = 0; depth < splits.size(); ++depth) {
        int equality = MPI_UNEQUAL;
        MPI_Comm_compare(splits[depth], levels[static_cast<int>(depth)].comm(), &equality);
        require(equality == MPI_CONGRUENT,
                "the chain and the hierarchy differ at depth " + std::to_string(depth));
    }
}

// ---- Output.

void write_samples(const arguments& given, const std::vector<variant>& variants, int ranks) {
    sample_file out{given};
    for (const variant& each : variants)
        for (std::size_t repetition = 0; repetition < each.samples.size(); ++repetition) {
            const sample& s = each.samples[repetition];
            json parts;
            for (std::size_t i = 0; i < part_count; ++i)
                if (s.parts[i].calls > 0)
                    parts.set(part_names[i], {{"calls", s.parts[i].calls},
                                              {"seconds", nine_digits(s.parts[i].seconds)},
                                              {"payload", s.parts[i].payload}});
            out.add({{"benchmark", "hierarchy_build"},
                     {"ranks", ranks},
                     {"levels", level_sizes(ranks).size()},
                     {"variant", each.name},
                     {"repetition", repetition},
                     {"seconds", nine_digits(s.seconds)},
                     {"slowest_rank", s.slowest},
                     {"bytes_kept", s.bytes[0]},
                     {"bytes_peak", s.bytes[1]},
                     {"bytes_total", s.bytes[2]},
                     {"blocks", s.bytes[3]},
                     {"collectives", s.collectives()},
                     {"parts", parts}});
        }
}

sample median(std::vector<sample> samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle, {}, &sample::seconds);
    return *middle;
}

void print_table(const std::vector<variant>& variants, int ranks) {
    std::cout << ranks << " ranks, " << level_sizes(ranks).size() << " levels, "
              << (is_simulated ? "simulated time" : "median time") << " of the slowest rank\n"
              << std::left << std::setw(34) << "variant" << std::right << std::setw(12) << "us"
              << std::setw(13) << "collectives" << std::setw(12) << "bytes kept" << std::setw(10) << "peak"
              << std::setw(10) << "total" << '\n'
              << std::fixed << std::setprecision(1);
    for (const variant& each : variants) {
        const sample s = median(each.samples);
        std::cout << std::left << std::setw(34) << each.name << std::right << std::setw(12) << s.seconds * 1e6
                  << std::setw(13) << s.collectives() << std::setw(12) << s.bytes[0] << std::setw(10)
                  << s.bytes[1] << std::setw(10) << s.bytes[2] << '\n';
    }
    const sample whole = median(variants[the_hierarchy].samples);
    std::cout << "of " << variants[the_hierarchy].name << ", on its slowest rank:\n";
    for (std::size_t i = 0; i < part_count; ++i)
        if (whole.parts[i].calls > 0)
            std::cout << "  " << std::left << std::setw(20) << part_names[i] << std::right << std::setw(4)
                      << whole.parts[i].calls << " calls" << std::setw(12) << whole.parts[i].seconds * 1e6
                      << " us" << std::setw(8) << whole.parts[i].payload << " bytes\n";
    std::cout << "  " << std::left << std::setw(30) << "outside collectives" << std::right << std::setw(12)
              << (whole.seconds - whole.inside_mpi()) * 1e6 << " us\n";
}

// ---- The variants, and the run.

std::vector<variant> all_variants(const boost::mpi::communicator& comm, const topo::place& mine) {
    const auto with = [&comm](auto build) { return [&comm, build] { return measure(comm, build); }; };
    std::vector<variant> list;
    list.push_back({"split chain, levels", with([&comm] { return chain_of_splits(comm, extras::none); })});
    list.push_back(
        {"split chain, levels and roots", with([&comm] { return chain_of_splits(comm, extras::roots); })});
    list.push_back({"the same and a duplicate of all",
                    with([&comm] { return chain_of_splits(comm, extras::roots_and_duplicate); })});
    list.push_back({"hierarchy of given places", with([&comm, &mine] {
                        return topo::hierarchy{comm, mine};
                    })});
    if constexpr (!is_simulated) { // hwloc would ask the machine that simulates
        list.push_back({"hierarchy of real places", with([&comm] { return topo::hierarchy{comm}; })});
        list.push_back({"  its place: discovery", with([&comm] { return topo::discover_place(comm); })});
        list.push_back({"  its place: hwloc alone", with([] { return topo::topology::this_machine(); })});
        list.push_back({"  its place: node split alone", with([&comm] {
                            communicators node;
                            MPI_Comm made = MPI_COMM_NULL;
                            MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
                            return boost::mpi::communicator{made, boost::mpi::comm_take_ownership};
                        })});
    }
    return list;
}

void run(const boost::mpi::communicator& comm, const arguments& given) {
    const topo::place mine = place_of(comm.rank());
    check_meter_is_own(comm);
    check_same_levels(comm, topo::hierarchy{comm, mine});

    auto variants = all_variants(comm, mine);
    for (variant& each : variants) // warm up: keyvals, and what an MPI makes in a first collective
        each.run();

    std::vector<std::size_t> order(variants.size());
    std::iota(order.begin(), order.end(), 0U);
    std::mt19937 shuffler; // the same on all ranks
    for (int repetition = 0; repetition < given.repetitions; ++repetition) {
        std::ranges::shuffle(order, shuffler);
        for (const std::size_t i : order) {
            variants[i].samples.push_back(variants[i].run());
            require(variants[i].samples.back().left == 0, variants[i].name + " leaves memory behind");
        }
    }
    if (comm.rank() != 0) return;
    print_table(variants, comm.size());
    write_samples(given, variants, comm.size());
}

} // namespace

int main(int argc, char** argv) {
    return topo_bench::benchmark_main(
        argc, argv, [](int count, char** words) { return read_arguments(count, words, 21); }, run);
}
