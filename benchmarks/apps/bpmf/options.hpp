// SPDX-License-Identifier: BSL-1.0
/// @file
/// What BPMF is asked for.
#pragma once

#include "../solver_support/program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace bpmf {

inline constexpr const char* description =
    "Bayesian probabilistic matrix factorisation by Gibbs sampling: learns a sparse matrix of ratings as a "
    "product of two "
    "narrow matrices, and predicts ratings that were held out. Prints one line of JSON.";

struct options {
    std::string matrix; ///< a file; empty: generated data
    int rows = 8000, columns = 96, rank = 4;
    double density = 0.2, noise = 0.3;
    double held_out = 0.1;
    int latent = 10, iterations = 20, burn_in = 8;
    std::optional<double> alpha{};
    std::uint64_t seed = 1;
    std::string samples;
    apps::common_options common{};

    void declare(apps::command_line& line) {
        constexpr int most = 1 << 30;
        const auto file = line.add_unset("--matrix", matrix,
                                         "a MatrixMarket file with the ratings, instead of generated ones");
        const auto of_generated = [&](const char* name, auto& value, const char* what) {
            return line.add(name, value, what).excludes(file);
        };
        of_generated("--rows", rows, "of the generated matrix").range(1, most);
        of_generated("--columns", columns, "of the generated matrix").range(1, most);
        of_generated("--rank", rank, "of the generated matrix without its noise").range(1, 1000);
        of_generated("--density", density, "which part of the generated matrix has entries").range(1e-9, 1.0);
        of_generated("--noise", noise,
                     "standard deviation of what is added to the generated entries; without it theirs is 1")
            .range(1e-6, 1e6);
        line.add("--held-out", held_out, "which part of the entries is predicted, not learnt from")
            .range(0.0, 0.9);
        line.add("--latent", latent, "length of the vector that each row and column has").range(1, 1000);
        line.add("--iterations", iterations, "samples of the chain").range(1, 1 << 20);
        line.add("--burn-in", burn_in, "so many first samples do not count for the prediction")
            .non_negative();
        line.add_unset("--alpha", alpha,
                       "precision of the ratings: 1 / variance of their noise; if not given, that of the "
                       "generated data, and 2 for a file")
            .range(1e-12, 1e12);
        line.add("--seed", seed, "of all random numbers");
        line.add_unset("--samples", samples,
                       "write the last samples to the MatrixMarket files SAMPLES.rows and SAMPLES.columns");
        common.declare(line);
    }

    void check() const {
        if (burn_in >= iterations)
            throw apps::refused("--burn-in " + std::to_string(burn_in) + ": no sample is left of " +
                                std::to_string(iterations) + " iterations");
    }
};

} // namespace bpmf
