// SPDX-License-Identifier: BSL-1.0
/// @file
/// What BPMF makes of its samples: predictions of the entries that were held out, their errors, and the
/// result.
#pragma once

#include "../solver_support/matrix_market.hpp"
#include "../solver_support/program.hpp"
#include "options.hpp"
#include "ratings.hpp"
#include "sampler.hpp"

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bpmf {

/// The precision of the standardised ratings.
inline double alpha_of(const options& given, const data_set& data) {
    const double of_data = given.matrix.empty() ? 1 / (given.noise * given.noise) : 2;
    return given.alpha.value_or(of_data) * data.deviation * data.deviation;
}

/// Predictions of the calling rank's held-out entries: of each the mean over the samples that count.
class prediction {
public:
    prediction(const options& given, const data_set& data)
        : given_(given), data_(data), sums_(data.to_predict.size()) {}

    /// Adds a sample. @return the squared error as `to_fixed`: of this sample while the first do not count,
    /// else of the mean
    std::int64_t add(const item_sampler& sampler, std::span<const double> rows,
                     std::span<const double> columns, int iteration) {
        if (iteration == 0 || iteration == given_.burn_in) {
            samples_ = 0;
            sums_.assign(sums_.size(), 0);
        }
        const bool counts = iteration >= given_.burn_in;
        samples_ = counts ? samples_ + 1 : 1;
        std::int64_t squared_error = 0;
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const apps::entry& each = data_.to_predict[i];
            const double rating =
                sampler.product(sampler.of(rows, each.row), sampler.of(columns, each.column));
            sums_[i] = counts ? sums_[i] + rating : rating;
            const double error = sums_[i] / samples_ - (each.value - data_.mean) / data_.deviation;
            squared_error += to_fixed(error * error, static_cast<double>(data_.held_out));
        }
        return squared_error;
    }

private:
    const options& given_;
    const data_set& data_;
    std::vector<double> sums_;
    int samples_ = 0;
};

/// The root of the mean squared error of so many ratings, in their own unit; 0 of none.
inline double root_mean_square(std::int64_t sum, std::size_t count, const data_set& data) {
    return count == 0 ? 0 : std::sqrt(from_fixed(sum) / static_cast<double>(count)) * data.deviation;
}

/// The errors in the course of a chain, by iterations.
struct errors {
    std::vector<double> learnt{}, held_out{};
};

inline std::string progress_text(const options& given, int iteration, const errors& found) {
    return "iteration " + std::to_string(iteration + 1) + " of " + std::to_string(given.iterations) +
           ", error of the held-out entries " + std::to_string(found.held_out.back());
}

/// What both programs print. @param variant `mpi` or `hybrid`
inline apps::json result_of(const std::string& variant, const options& given, const data_set& data,
                            const errors& found, const apps::times& took, MPI_Comm comm) {
    apps::json result{{"program", "bpmf"}, {"variant", variant}, {"ranks", apps::size_of(comm)}};
    if (!given.matrix.empty()) result.set("matrix", given.matrix);
    const std::size_t vector = static_cast<std::size_t>(given.latent) * sizeof(double);
    const std::size_t moments = moments_size(given.latent) * sizeof(std::int64_t);
    const auto bytes = [&](const ratings& of) {
        return std::array{static_cast<std::size_t>(of.own.length) * vector, moments, sizeof(std::int64_t)};
    };
    result.update({{"rows", data.rows},
                   {"columns", data.columns},
                   {"learnt_entries", data.learnt},
                   {"held_out_entries", data.held_out},
                   {"latent", given.latent},
                   {"iterations", given.iterations},
                   {"burn_in", given.burn_in},
                   {"seed", given.seed},
                   {"bytes_of_a_rank",
                    apps::json{{"rows", bytes(data.of_rows)}, {"columns", bytes(data.of_columns)}}}});
    if (given.matrix.empty()) result.set("noise", given.noise);
    result.update({{"rmse", found.held_out.back()},
                   {"rmse_of_first_sample", found.held_out.front()},
                   {"rmse_learnt", found.learnt.back()}});
    result.update(took.members());
    return result;
}

/// Writes the last samples, where that is asked for. @collective over `comm`
inline void write_samples(const options& given, const data_set& data, std::span<const double> rows,
                          std::span<const double> columns, MPI_Comm comm) {
    if (given.samples.empty()) return;
    const auto k = static_cast<std::size_t>(given.latent);
    apps::on_first(comm, [&] {
        apps::write_matrix(given.samples + ".rows", rows.first(static_cast<std::size_t>(data.rows) * k), k);
        apps::write_matrix(given.samples + ".columns",
                           columns.first(static_cast<std::size_t>(data.columns) * k), k);
    });
}

} // namespace bpmf
