// SPDX-License-Identifier: BSL-1.0
// bpmf_hybrid --help
//
// Bayesian probabilistic matrix factorisation (paper 2, section 5.3.3) with topomp: what the all-gathers
// bring is once in each node, in memory that its ranks share. bpmf_mpi.cpp beside it is the same as an
// ordinary MPI program.
#include "../solver_support/machine_options.hpp"
#include "../solver_support/program.hpp"
#include "options.hpp"
#include "prediction.hpp"
#include "random_streams.hpp"
#include "ratings.hpp"
#include "sampler.hpp"
#include <topomp/collective/all_reduce.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/memory/shared_window.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace {

using namespace bpmf;

/// The items of one side: those of all ranks, and what they have sent of theirs, once in each node.
struct items {
    const ratings& mine;
    side which;
    topo::shared_window<double> vectors;
    topo::shared_window<std::int64_t> moments, squared_errors;

    items(const ratings& of, side name, int latent, const topo::hierarchy& levels)
        : mine(of), which(name),
          vectors(levels, size_t_of(of.own.length) * size_t_of(latent) * ranks_of(levels),
                  topo::hybrid::one_copy),
          moments(levels, moments_size(latent) * ranks_of(levels), topo::hybrid::one_copy),
          squared_errors(levels, ranks_of(levels), topo::hybrid::one_copy) {}

    static std::size_t size_t_of(int value) { return static_cast<std::size_t>(value); }
    static std::size_t ranks_of(const topo::hierarchy& levels) { return size_t_of(levels.whole().size()); }
};

class chain {
public:
    chain(const options& given, const data_set& data, const topo::hierarchy& levels)
        : given_(given), data_(data), levels_(levels), sampler_(given.latent, alpha_of(given, data)) {}

    errors run() {
        errors found;
        apps::progress progress{"bpmf_hybrid", levels_.whole()};
        prediction predicted{given_, data_};
        for (items* each : {&rows_, &columns_}) {
            start_items(each->mine, given_.latent, given_.seed, each->which, block_of(*each));
            exchange(*each, 0);
        }
        for (int iteration = 0; iteration < given_.iterations; ++iteration) {
            sample(rows_, columns_, iteration);
            sample(columns_, rows_, iteration);
            const std::int64_t mine =
                predicted.add(sampler_, rows_.vectors.all(), columns_.vectors.all(), iteration);
            std::int64_t all = 0;
            apps::timed(communication, [&] { all = topo::all_reduce(levels_, mine, std::plus<>{}); });
            found.held_out.push_back(root_mean_square(all, data_.held_out, data_));
            const auto learnt = columns_.squared_errors.all();
            found.learnt.push_back(root_mean_square(
                std::accumulate(learnt.begin(), learnt.end(), std::int64_t{0}), data_.learnt, data_));
            progress.say([&] { return progress_text(given_, iteration, found); });
        }
        return found;
    }

    void write() const {
        write_samples(given_, data_, rows_.vectors.all(), columns_.vectors.all(), levels_.whole());
    }

    double communication = 0; ///< seconds of this rank

private:
    std::span<double> block_of(items& of) {
        return topo::hybrid::block_of(levels_, of.vectors, levels_.whole().rank());
    }

    void sample(items& of, const items& others, int iteration) {
        const prior from =
            sample_prior(of.moments.all(), given_.latent, of.mine.items,
                         stream_of(given_.seed, purpose::prior, of.which, to_counter(iteration), 0));
        // The other ranks of the node have read the vectors that are replaced now.
        apps::timed(communication, [&] { of.vectors.fence(); });
        const std::int64_t squared_error =
            sampler_.sample(of.mine, from, others.vectors.all(), given_.seed, of.which, iteration,
                            static_cast<double>(data_.learnt), block_of(of));
        apps::charge(operations_of(of.mine, given_.latent), given_.common.gflops);
        exchange(of, squared_error);
    }

    /// The three all-gathers: vectors, moments, error.
    void exchange(items& of, std::int64_t squared_error) {
        std::vector<std::int64_t> moments(moments_size(given_.latent));
        sum_moments(block_of(of), given_.latent, of.mine.items, moments);
        apps::timed(communication, [&] {
            topo::hybrid::all_gather(levels_, of.vectors);
            topo::hybrid::all_gather(levels_, moments, of.moments);
            topo::hybrid::all_gather(levels_, std::span{&squared_error, 1}, of.squared_errors);
        });
    }

    const options& given_;
    const data_set& data_;
    const topo::hierarchy& levels_;
    item_sampler sampler_;
    items rows_{data_.of_rows, side::rows, given_.latent, levels_};
    items columns_{data_.of_columns, side::columns, given_.latent, levels_};
};

int solve(const options& given, const apps::machine_options& machine) {
    given.check();
    const topo::hierarchy levels = machine.hierarchy();
    const data_set data = data_of(given, levels.whole());
    apps::times took;
    errors found;
    for (int repetition = 0; repetition < given.common.repetitions; ++repetition) {
        chain samples{given, data, levels};
        took.measure(levels.whole(), [&] {
            found = samples.run();
            return samples.communication;
        });
        if (repetition + 1 == given.common.repetitions) samples.write();
    }
    apps::print_result(result_of("hybrid", given, data, found, took, levels.whole()), given.common.output,
                       levels.whole());
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    options given;
    apps::machine_options machine;
    return apps::run(
        argc, argv, "bpmf_hybrid", description,
        [&](apps::command_line& line) {
            given.declare(line);
            machine.declare(line);
        },
        [&] { return solve(given, machine); });
}
