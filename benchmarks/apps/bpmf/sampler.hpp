// SPDX-License-Identifier: BSL-1.0
/// @file
/// What BPMF computes between two exchanges: plain computation, without MPI.
#pragma once

#include "random_streams.hpp"
#include "ratings.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

namespace bpmf {

/// A number as a whole multiple of 2^-24. Sums of these are exact, so they have the same bits whichever ranks
/// add which numbers in which order: the chain does not depend on the number of ranks.
/// @param terms in the sum @throws std::overflow_error if so many of these might not have room
/// @see Demmel and Nguyen, Fast reproducible floating-point summation, ARITH 2013 (pre-rounding)
inline std::int64_t to_fixed(double value, double terms) {
    constexpr double one = 1 << 24, room = 9e18;
    if (!(std::abs(value) * one * terms < room))
        throw std::overflow_error("a sum is too large: the chain does not converge");
    return std::llrint(value * one);
}
inline double from_fixed(std::int64_t value) { return static_cast<double>(value) / (1 << 24); }

/// How many numbers the moments of items are: their sum, and the sum of their products with themselves.
inline std::size_t moments_size(int latent) {
    return static_cast<std::size_t>(latent) * (static_cast<std::size_t>(latent) + 1);
}

/// Adds a block's moments up: `latent` sums, then the products, column by column, of which the upper half is
/// not used.
/// @param items of all ranks
inline void sum_moments(std::span<const double> block, int latent, int items,
                        std::span<std::int64_t> moments) {
    const auto k = static_cast<std::size_t>(latent);
    const double terms = items;
    std::ranges::fill(moments, 0);
    for (std::size_t at = 0; at < block.size(); at += k)
        for (std::size_t i = 0; i < k; ++i) {
            moments[i] += to_fixed(block[at + i], terms);
            for (std::size_t j = 0; j <= i; ++j)
                moments[k + j * k + i] += to_fixed(block[at + i] * block[at + j], terms);
        }
}

/// The normal distribution that the items of a side come from.
struct prior {
    Eigen::MatrixXd precision;
    Eigen::VectorXd mean;
};

/// A standard normal vector.
inline Eigen::VectorXd normal_vector(int length, stream& random) {
    std::normal_distribution<double> normal;
    Eigen::VectorXd result(length);
    for (int i = 0; i < length; ++i)
        result[i] = normal(random);
    return result;
}

/// A precision matrix from the Wishart distribution of this inverse scale matrix, by Bartlett's
/// decomposition.
inline Eigen::MatrixXd wishart(const Eigen::MatrixXd& inverse_scale, double degrees, stream& random) {
    const auto size = static_cast<int>(inverse_scale.rows());
    std::normal_distribution<double> normal;
    Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(size, size);
    for (int j = 0; j < size; ++j) {
        std::chi_squared_distribution<double> chi_squared{degrees - j};
        factor(j, j) = std::sqrt(chi_squared(random));
        for (int i = j + 1; i < size; ++i)
            factor(i, j) = normal(random);
    }
    const Eigen::MatrixXd scale = inverse_scale.llt().solve(Eigen::MatrixXd::Identity(size, size));
    const Eigen::MatrixXd root = scale.llt().matrixL() * factor;
    return root * root.transpose();
}

/// Draws the prior of a side from its distribution given all its items: normal-Wishart with mu0 = 0, beta0 =
/// 2, W0 = 1 and nu0 = the latent length, as in the paper. Each rank that asks gets the same.
/// @param moments of all ranks, one rank's behind the other @param items of all ranks
/// @see Salakhutdinov and Mnih, Bayesian probabilistic matrix factorization using Markov chain Monte Carlo,
/// ICML 2008, eq. 14
inline prior sample_prior(std::span<const std::int64_t> moments, int latent, int items, stream random) {
    const std::size_t each = moments_size(latent);
    std::vector<std::int64_t> sum(each);
    for (std::size_t at = 0; at < moments.size(); ++at)
        sum[at % each] += moments[at];
    const double count = items, beta = 2 + count, degrees = latent + count;
    Eigen::VectorXd mean(latent);
    Eigen::MatrixXd inverse_scale = Eigen::MatrixXd::Identity(latent, latent);
    std::size_t at = 0;
    for (int i = 0; i < latent; ++i)
        mean[i] = from_fixed(sum[at++]) / count;
    for (int j = 0; j < latent; ++j)
        for (int i = 0; i < latent; ++i, ++at)
            if (i >= j) inverse_scale(i, j) += from_fixed(sum[at]);
    // The scatter about the mean, and the distance of the mean from mu0: N S + beta0 N / (beta0 + N) mean
    // mean^T.
    inverse_scale.triangularView<Eigen::Lower>() -= (count - 2 * count / beta) * mean * mean.transpose();
    inverse_scale.triangularView<Eigen::StrictlyUpper>() = inverse_scale.transpose();
    prior result{wishart(inverse_scale, degrees, random), count / beta * mean};
    const Eigen::LLT<Eigen::MatrixXd> root{beta * result.precision};
    result.mean += root.matrixU().solve(normal_vector(latent, random));
    return result;
}

/// Draws items of one side given all items of the other.
class item_sampler {
public:
    /// @param alpha precision of the standardised ratings
    item_sampler(int latent, double alpha)
        : latent_(latent), alpha_(alpha), partners_(latent, most_partners), values_(most_partners) {}

    /// The calling rank's items. @param others of the other side, all of them @param out the own items
    /// @return the squared error of the own ratings, as `to_fixed`
    std::int64_t sample(const ratings& mine, const prior& from, std::span<const double> others,
                        std::uint64_t seed, side which, int iteration, double terms, std::span<double> out) {
        const auto k = static_cast<std::size_t>(latent_);
        std::int64_t squared_error = 0;
        for (std::size_t i = 0; i + 1 < mine.begin.size(); ++i) {
            const std::size_t begin = mine.begin[i], end = mine.begin[i + 1];
            stream random = stream_of(seed, purpose::item, which, to_counter(iteration),
                                      to_counter(mine.own.first + static_cast<int>(i)));
            const Eigen::VectorXd item = sample_item(mine, begin, end, from, others, random);
            std::ranges::copy(item, out.begin() + static_cast<std::ptrdiff_t>(i * k));
            for (std::size_t at = begin; at < end; ++at) {
                const double error = product(item.data(), of(others, mine.other[at])) - mine.value[at];
                squared_error += to_fixed(error * error, terms);
            }
        }
        return squared_error;
    }

    /// The product of a row's and a column's vector: their standardised rating.
    double product(const double* one, const double* other) const {
        double sum = 0;
        for (int k = 0; k < latent_; ++k)
            sum += one[k] * other[k];
        return sum;
    }
    const double* of(std::span<const double> items, int which) const {
        return &items[static_cast<std::size_t>(which) * static_cast<std::size_t>(latent_)];
    }

private:
    static constexpr int most_partners = 256; ///< at a time: they stay in the cache

    /// From the normal distribution with the precision `prior + alpha V V^T` and the matching mean.
    Eigen::VectorXd sample_item(const ratings& mine, std::size_t begin, std::size_t end, const prior& from,
                                std::span<const double> others, stream& random) {
        precision_ = from.precision;
        Eigen::VectorXd result = from.precision * from.mean;
        while (begin < end) {
            const auto count = static_cast<int>(std::min<std::size_t>(end - begin, most_partners));
            for (int i = 0; i < count; ++i, ++begin) {
                std::copy_n(of(others, mine.other[begin]), latent_, partners_.col(i).data());
                values_[i] = mine.value[begin];
            }
            precision_.selfadjointView<Eigen::Lower>().rankUpdate(partners_.leftCols(count), alpha_);
            result += alpha_ * (partners_.leftCols(count) * values_.head(count));
        }
        root_.compute(precision_);
        root_.matrixL().solveInPlace(result);
        result += normal_vector(latent_, random);
        root_.matrixU().solveInPlace(result);
        return result;
    }

    int latent_;
    double alpha_;
    Eigen::MatrixXd partners_, precision_;
    Eigen::VectorXd values_;
    Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> root_;
};

/// About how many operations it takes to sample the own items of one side.
inline double operations_of(const ratings& mine, int latent) {
    const double k = latent, known = static_cast<double>(mine.value.size()), items = mine.own.count;
    return known * (k * k + 5 * k) + items * (k * k * k / 3 + 5 * k * k);
}

/// Standard normal items, with which the chain begins.
inline void start_items(const ratings& mine, int latent, std::uint64_t seed, side which,
                        std::span<double> out) {
    std::size_t at = 0;
    for (int i = 0; i < mine.own.count; ++i) {
        stream random = stream_of(seed, purpose::start, which, 0, to_counter(mine.own.first + i));
        for (const double each : normal_vector(latent, random))
            out[at++] = each;
    }
}

} // namespace bpmf
