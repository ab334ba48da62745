// SPDX-License-Identifier: BSL-1.0
// Samples of BPMF have the means and covariances that theory gives them; the generated data is as its options
// say.
#include "../sampler.hpp"

#include "../../solver_support/matrix_market.hpp"
#include "../options.hpp"
#include "../random_streams.hpp"
#include "../ratings.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace bpmf;

namespace {

stream numbers(std::uint32_t which) { return stream_of(7, purpose::item, side::rows, 99, which); }

/// Mean and covariance of vectors.
struct estimate {
    Eigen::VectorXd sum;
    Eigen::MatrixXd products;
    int count = 0;

    explicit estimate(int size)
        : sum(Eigen::VectorXd::Zero(size)), products(Eigen::MatrixXd::Zero(size, size)) {}
    void add(const Eigen::VectorXd& each) {
        sum += each;
        products += each * each.transpose();
        ++count;
    }
    Eigen::VectorXd mean() const { return sum / count; }
    Eigen::MatrixXd covariance() const { return products / count - mean() * mean().transpose(); }
};

} // namespace

TEST_CASE("Wishart matrices have the mean degrees * scale") {
    Eigen::MatrixXd inverse_scale(3, 3);
    inverse_scale << 4, 1, 0, 1, 3, 0.5, 0, 0.5, 2;
    constexpr int draws = 20000;
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(3, 3);
    stream random = numbers(0);
    for (int i = 0; i < draws; ++i)
        sum += wishart(inverse_scale, 8, random);
    const Eigen::MatrixXd expected = 8 * inverse_scale.inverse();
    // An element's variance is degrees * (s_ij^2 + s_ii s_jj): a mean of so many is within 5 standard
    // deviations.
    CHECK((sum / draws - expected).cwiseAbs().maxCoeff() < 5 * std::sqrt(2 * 8.0 / draws) * 0.6);
}

TEST_CASE("items come from the normal distribution that their ratings leave") {
    constexpr int latent = 3, others = 400, draws = 20000;
    constexpr double alpha = 2.5;
    std::vector<double> vectors(latent * others);
    stream random = numbers(1);
    std::normal_distribution<double> normal;
    for (double& each : vectors)
        each = normal(random);
    prior from{Eigen::MatrixXd::Identity(latent, latent) * 2, Eigen::VectorXd::LinSpaced(latent, -1, 1)};
    from.precision(0, 1) = from.precision(1, 0) = 0.5;
    for (const int known : {0, 2, 300}) { // more than are multiplied at a time
        CAPTURE(known);
        ratings mine{block{0, 1, 1}, 1, {0, static_cast<std::size_t>(known)}};
        Eigen::MatrixXd precision = from.precision;
        Eigen::VectorXd right = from.precision * from.mean;
        for (int i = 0; i < known; ++i) {
            mine.other.push_back((i * 7) % others);
            mine.value.push_back(std::sin(i));
            const Eigen::Map<const Eigen::Vector3d> other(
                &vectors[static_cast<std::size_t>(mine.other.back()) * latent]);
            precision += alpha * other * other.transpose();
            right += alpha * mine.value.back() * other;
        }
        const Eigen::MatrixXd covariance = precision.inverse();
        item_sampler sampler{latent, alpha};
        estimate found{latent};
        double error = 0, expected_error = 0;
        for (int i = 0; i < draws; ++i) {
            std::vector<double> out(latent);
            const std::int64_t squared = sampler.sample(mine, from, vectors, 5, side::rows, i, 1000, out);
            const Eigen::Map<const Eigen::Vector3d> item(out.data());
            found.add(item);
            error += from_fixed(squared);
            for (int j = 0; j < known; ++j) {
                const auto at = static_cast<std::size_t>(j);
                const Eigen::Map<const Eigen::Vector3d> other(
                    &vectors[static_cast<std::size_t>(mine.other[at]) * latent]);
                expected_error += std::pow(item.dot(other) - mine.value[at], 2);
            }
        }
        const double deviation = std::sqrt(covariance.cwiseAbs().maxCoeff() / draws);
        CHECK((found.mean() - covariance * right).cwiseAbs().maxCoeff() < 5 * deviation);
        CHECK((found.covariance() - covariance).cwiseAbs().maxCoeff() <
              5 * covariance.cwiseAbs().maxCoeff() * std::sqrt(2.0 / draws));
        CHECK(error == doctest::Approx(expected_error).epsilon(1e-4));
    }
}

TEST_CASE("the prior of many items has their mean and covariance") {
    constexpr int latent = 3, items = 50000;
    Eigen::Matrix3d root;
    root << 1, 0, 0, 0.5, 0.8, 0, -0.3, 0.2, 0.5;
    const Eigen::Vector3d mean{0.5, -1, 2};
    std::vector<double> vectors;
    stream random = numbers(2);
    for (int i = 0; i < items; ++i) {
        const Eigen::Vector3d each = mean + root * normal_vector(latent, random);
        vectors.insert(vectors.end(), each.begin(), each.end());
    }
    // As four ranks would have them.
    const std::size_t size = moments_size(latent), quarter = vectors.size() / 4;
    std::vector<std::int64_t> moments(4 * size);
    for (std::size_t i = 0; i < 4; ++i)
        sum_moments(std::span{vectors}.subspan(i * quarter, quarter), latent, items,
                    std::span{moments}.subspan(i * size, size));
    const prior found = sample_prior(moments, latent, items, numbers(3));
    CHECK((found.mean - mean).cwiseAbs().maxCoeff() < 0.03);
    CHECK((found.precision.inverse() - root * root.transpose()).cwiseAbs().maxCoeff() < 0.04);
    CHECK(found.precision == found.precision.transpose());

    // As one rank has them: the same bits.
    std::vector<std::int64_t> of_one(size);
    sum_moments(vectors, latent, items, of_one);
    const prior same = sample_prior(of_one, latent, items, numbers(3));
    CHECK(same.mean == found.mean);
    CHECK(same.precision == found.precision);
}

TEST_CASE("sums that might have no room are refused") {
    CHECK(from_fixed(to_fixed(-1.25, 1e6)) == -1.25);
    CHECK_THROWS_AS(to_fixed(1e6, 1e6), std::overflow_error);
    CHECK_THROWS_AS(to_fixed(std::nan(""), 1), std::overflow_error);
}

TEST_CASE("blocks of ranks cover all items once") {
    for (const int items : {1, 5, 9, 10, 301})
        for (const int ranks : {1, 4, 6, 9}) {
            int next = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                const block each = block::of(items, rank, ranks);
                CHECK(each.first == next);
                CHECK(each.count <= each.length);
                CHECK(each.length == block::of(items, 0, ranks).length);
                next += each.count;
            }
            CHECK(next == items);
        }
}

TEST_CASE("generated data has the density, the variance and the rank that were asked for") {
    options given;
    given.rows = 2000;
    given.columns = 50;
    given.density = 0.3;
    given.noise = 1e-6;
    given.rank = 2;
    const apps::sparse_matrix sparse = generated_matrix(given);
    const double places = 2000 * 50, expected = 0.3 * places;
    CHECK(std::abs(static_cast<double>(sparse.entries.size()) - expected) < 5 * std::sqrt(expected * 0.7));
    double squares = 0;
    for (const auto& each : sparse.entries)
        squares += each.value * each.value;
    CHECK(squares / static_cast<double>(sparse.entries.size()) ==
          doctest::Approx(1).epsilon(0.3)); // of 50 columns

    given.density = 1;
    const apps::sparse_matrix full = generated_matrix(given);
    REQUIRE(full.entries.size() == 2000 * 50);
    Eigen::MatrixXd dense(2000, 50);
    for (const auto& each : full.entries)
        dense(each.row, each.column) = each.value;
    const Eigen::MatrixXd few = dense.topRows(40);
    Eigen::FullPivLU<Eigen::MatrixXd> decomposed(few);
    decomposed.setThreshold(1e-4);
    CHECK(decomposed.rank() == 2);

    given.noise = 0.5; // of the same seed: the rest is the same
    const apps::sparse_matrix noisy = generated_matrix(given);
    double noise = 0;
    for (std::size_t i = 0; i < noisy.entries.size(); ++i)
        noise += std::pow(noisy.entries[i].value - full.entries[i].value, 2);
    CHECK(std::sqrt(noise / places) == doctest::Approx(0.5).epsilon(0.02));
}
