// SPDX-License-Identifier: BSL-1.0
// bpmf_mpi --help
//
// Bayesian probabilistic matrix factorisation (paper 2, section 5.3.3) as an ordinary MPI program: each rank
// has a copy of all vectors. bpmf_hybrid.cpp beside it is the same with one copy in each node.
#include "../solver_support/program.hpp"
#include "options.hpp"
#include "prediction.hpp"
#include "random_streams.hpp"
#include "ratings.hpp"
#include "sampler.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace {

using namespace bpmf;

/// The items of one side: those of all ranks, and what they have sent of theirs.
struct items {
    const ratings& mine;
    side which;
    std::size_t length; ///< of a rank's block, in numbers
    std::vector<double> vectors;
    std::vector<std::int64_t> moments, squared_errors;

    items(const ratings& of, side name, int latent, MPI_Comm comm)
        : mine(of), which(name),
          length(static_cast<std::size_t>(of.own.length) * static_cast<std::size_t>(latent)),
          vectors(length * static_cast<std::size_t>(apps::size_of(comm))),
          moments(moments_size(latent) * static_cast<std::size_t>(apps::size_of(comm))),
          squared_errors(static_cast<std::size_t>(apps::size_of(comm))) {}

    std::span<double> block(int rank) {
        return std::span{vectors}.subspan(static_cast<std::size_t>(rank) * length, length);
    }
};

class chain {
public:
    chain(const options& given, const data_set& data, MPI_Comm comm)
        : given_(given), data_(data), comm_(comm), sampler_(given.latent, alpha_of(given, data)) {}

    errors run() {
        errors found;
        apps::progress progress{"bpmf_mpi", comm_};
        prediction predicted{given_, data_};
        for (items* each : {&rows_, &columns_}) {
            start_items(each->mine, given_.latent, given_.seed, each->which, each->block(rank_));
            exchange(*each, 0);
        }
        for (int iteration = 0; iteration < given_.iterations; ++iteration) {
            sample(rows_, columns_, iteration);
            sample(columns_, rows_, iteration);
            const std::int64_t mine = predicted.add(sampler_, rows_.vectors, columns_.vectors, iteration);
            std::int64_t all = 0;
            apps::timed(communication, [&] { MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, comm_); });
            found.held_out.push_back(root_mean_square(all, data_.held_out, data_));
            const auto& learnt = columns_.squared_errors;
            found.learnt.push_back(root_mean_square(
                std::accumulate(learnt.begin(), learnt.end(), std::int64_t{0}), data_.learnt, data_));
            progress.say([&] { return progress_text(given_, iteration, found); });
        }
        return found;
    }

    void write() const { write_samples(given_, data_, rows_.vectors, columns_.vectors, comm_); }

    double communication = 0; ///< seconds of this rank

private:
    void sample(items& of, const items& others, int iteration) {
        const prior from =
            sample_prior(of.moments, given_.latent, of.mine.items,
                         stream_of(given_.seed, purpose::prior, of.which, to_counter(iteration), 0));
        const std::int64_t squared_error =
            sampler_.sample(of.mine, from, others.vectors, given_.seed, of.which, iteration,
                            static_cast<double>(data_.learnt), of.block(rank_));
        apps::charge(operations_of(of.mine, given_.latent), given_.common.gflops);
        exchange(of, squared_error);
    }

    /// The three all-gathers: vectors, moments, error.
    void exchange(items& of, std::int64_t squared_error) {
        std::vector<std::int64_t> moments(moments_size(given_.latent));
        sum_moments(of.block(rank_), given_.latent, of.mine.items, moments);
        apps::timed(communication, [&] {
            MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, of.vectors.data(), static_cast<int>(of.length),
                          MPI_DOUBLE, comm_);
            const auto count = static_cast<int>(moments.size());
            MPI_Allgather(moments.data(), count, MPI_INT64_T, of.moments.data(), count, MPI_INT64_T, comm_);
            MPI_Allgather(&squared_error, 1, MPI_INT64_T, of.squared_errors.data(), 1, MPI_INT64_T, comm_);
        });
    }

    const options& given_;
    const data_set& data_;
    MPI_Comm comm_;
    int rank_ = apps::rank_in(comm_);
    item_sampler sampler_;
    items rows_{data_.of_rows, side::rows, given_.latent, comm_};
    items columns_{data_.of_columns, side::columns, given_.latent, comm_};
};

int solve(const options& given) {
    given.check();
    const MPI_Comm comm = MPI_COMM_WORLD;
    const data_set data = data_of(given, comm);
    apps::times took;
    errors found;
    for (int repetition = 0; repetition < given.common.repetitions; ++repetition) {
        chain samples{given, data, comm};
        took.measure(comm, [&] {
            found = samples.run();
            return samples.communication;
        });
        if (repetition + 1 == given.common.repetitions) samples.write();
    }
    apps::print_result(result_of("mpi", given, data, found, took, comm), given.common.output, comm);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    options given;
    return apps::run(
        argc, argv, "bpmf_mpi", description, [&](apps::command_line& line) { given.declare(line); },
        [&] { return solve(given); });
}
