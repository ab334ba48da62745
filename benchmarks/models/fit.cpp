// SPDX-License-Identifier: BSL-1.0
#include "fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>
#include <utility>

namespace recipes {

const std::vector<parameter>& parameters() {
    static const std::vector<parameter> all{
        {"seconds_64", 2e-6, 2},          {"to_512", 2e-7, 2.5},
        {"to_4096", 1.5e-6, 2},           {"to_32768", 6e-6, 2},
        {"to_262144", 3e-5, 2},           {"to_2097152", 1.8e-4, 2},
        {"to_16777216", 1.4e-3, 2},       {"to_134217728", 1.1e-2, 2},
        {"overhead", 7e-7, 2.5},          {"stream_rate", 1.2e10, 2},
        {"node_rate", 2e10, 2},           {"node_overhead", 5e-8, 2.5},
        {"far_latency", 0.5, 2},          {"far_exponent", 0.05, 2.5},
        {"copy_per_byte", 1e-10, 2},      {"combine_per_byte", 2e-10, 2},
        {"fresh_per_byte", 2.5e-10, 2.5}, {"inside_latency", 7e-7, 2},
        {"inside_per_byte", 1.2e-10, 2},  {"memory_rate", 8e10, 2},
    };
    return all;
}

// The times of the table ascend: each row is the one before and what the parameter adds.
machine machine_of(const std::vector<double>& values) {
    machine on;
    std::partial_sum(values.begin(), values.begin() + 8, on.between.seconds.begin());
    on.between.overhead = values[8];
    on.between.stream_rate = values[9];
    on.between.node_rate = values[10];
    on.between.node_overhead = values[11];
    on.between.far_latency = values[12];
    on.between.far_exponent = values[13];
    on.memory.copy_per_byte = values[14];
    on.memory.combine_per_byte = values[15];
    on.memory.fresh_per_byte = values[16];
    for (std::size_t i = 0; i < on.inside.seconds.size(); ++i)
        on.inside.seconds[i] = values[17] + values[18] * topo::model::network_messages::lengths[i];
    on.inside.overhead = values[17] / 2;
    on.inside.stream_rate = 1 / values[18];
    on.memory.node_rate = values[19];
    return on;
}

namespace {

/// What is to be small: of each point the logarithm of predicted to measured, in units of its usual error.
struct differences {
    using Scalar = double;
    using InputType = Eigen::VectorXd;
    using ValueType = Eigen::VectorXd;
    using JacobianType = Eigen::MatrixXd;
    enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

    static constexpr double usual_error = 0.2, usual_factor_of_a_job = 0.7, usual_tilt_of_a_job = 0.4,
                            usual_factor_of_a_recipe = 0.25;

    std::vector<point> points;
    std::vector<std::size_t> job, recipe; ///< of each point
    std::vector<double> weights;
    std::size_t jobs = 0, recipes = 0;

    int inputs() const { return static_cast<int>(parameters().size() + 2 * jobs + recipes); }
    int values() const { return static_cast<int>(points.size()) + inputs(); }

    /// From -1 for the shortest to 1 for the longest messages.
    static double tilt(const point& at) { return std::tanh(std::log(at.bytes / 1e6) / 5); }

    int operator()(const InputType& at, ValueType& found) const {
        const auto known = static_cast<Eigen::Index>(parameters().size());
        std::vector<double> value(parameters().size());
        for (std::size_t i = 0; i < value.size(); ++i)
            value[i] = std::exp(at[static_cast<Eigen::Index>(i)]);
        const machine on = machine_of(value);
        Eigen::Index row = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const point& each = points[i];
            const double predicted = *libraries{on, each.nodes, each.ranks_per_node}.seconds(
                each.verb, each.algorithm, each.bytes);
            found[row++] =
                weights[i] / usual_error *
                (std::log(predicted / each.seconds) + at[known + static_cast<Eigen::Index>(job[i])] +
                 tilt(each) * at[known + static_cast<Eigen::Index>(jobs + job[i])] +
                 at[known + static_cast<Eigen::Index>(2 * jobs + recipe[i])]);
        }
        for (Eigen::Index i = 0; i < known; ++i) {
            const parameter& usual = parameters()[static_cast<std::size_t>(i)];
            found[row++] = (at[i] - std::log(usual.usual)) / std::log(usual.factor);
        }
        for (std::size_t i = 0; i < jobs; ++i)
            found[row++] = at[known + static_cast<Eigen::Index>(i)] / usual_factor_of_a_job;
        for (std::size_t i = 0; i < jobs; ++i)
            found[row++] = at[known + static_cast<Eigen::Index>(jobs + i)] / usual_tilt_of_a_job;
        for (std::size_t i = 0; i < recipes; ++i)
            found[row++] = at[known + static_cast<Eigen::Index>(2 * jobs + i)] / usual_factor_of_a_recipe;
        return 0;
    }
};

} // namespace

fit fitted(const std::vector<point>& points) {
    differences all;
    std::map<std::pair<std::string, std::string>, std::size_t> recipes;
    std::map<std::pair<int, int>, std::size_t> jobs;
    for (const point& each : points) {
        if (!each.is_for_fit || !libraries{machine_of(std::vector<double>(parameters().size(), 1)),
                                           each.nodes, each.ranks_per_node}
                                     .seconds(each.verb, each.algorithm, each.bytes))
            continue;
        all.points.push_back(each);
        all.job.push_back(jobs.try_emplace({each.nodes, each.ranks_per_node}, jobs.size()).first->second);
        all.recipe.push_back(recipes.try_emplace({each.verb, each.algorithm}, recipes.size()).first->second);
    }
    all.jobs = jobs.size();
    all.recipes = recipes.size();
    all.weights.assign(all.points.size(), 1);
    Eigen::VectorXd at = Eigen::VectorXd::Zero(all.inputs());
    for (std::size_t i = 0; i < parameters().size(); ++i)
        at[static_cast<Eigen::Index>(i)] = std::log(parameters()[i].usual);
    for (int round = 0; round < 4; ++round) {
        Eigen::NumericalDiff<differences> with_slopes{all};
        Eigen::LevenbergMarquardt<Eigen::NumericalDiff<differences>> search{with_slopes};
        search.parameters.maxfev = 60 * all.inputs();
        search.parameters.ftol = search.parameters.xtol = 1e-5;
        search.minimize(at);
        Eigen::VectorXd found(all.values());
        all(at, found);
        for (std::size_t i = 0; i < all.points.size(); ++i) { // Huber: beyond 1.5 errors a point weighs less
            const double error = std::abs(found[static_cast<Eigen::Index>(i)]) / all.weights[i];
            all.weights[i] = std::sqrt(std::min(1.0, 1.5 / std::max(error, 1e-9)));
        }
    }
    fit result;
    for (std::size_t i = 0; i < parameters().size(); ++i)
        result.values.push_back(std::exp(at[static_cast<Eigen::Index>(i)]));
    for (const auto& [what, place] : recipes)
        result.factors[what] =
            std::exp(at[static_cast<Eigen::Index>(parameters().size() + 2 * jobs.size() + place)]);
    return result;
}

} // namespace recipes
