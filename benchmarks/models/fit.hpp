// SPDX-License-Identifier: BSL-1.0
/// @file
/// Parameters of a machine from measured collectives.
#pragma once

#include "recipes.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace recipes {

/// A median of real_machines.csv.
struct point {
    int nodes = 1, ranks_per_node = 1;
    std::string verb, algorithm;
    double bytes = 0, seconds = 0;
    bool is_for_fit = false;
};

/// A parameter on a logarithmic scale: its name, what it is on a usual machine, and by which factor it
/// usually differs from that.
struct parameter {
    std::string name;
    double usual, factor;
};

const std::vector<parameter>& parameters();

/// @param values in the order of `parameters()`
machine machine_of(const std::vector<double>& values);

/// What was found.
struct fit {
    std::vector<double> values; ///< in the order of `parameters()`
    std::map<std::pair<std::string, std::string>, double>
        factors; ///< of a verb's algorithm: how much longer its program takes than the model says
};

/// The parameters that explain the points of the fit best: least squares of the logarithms' differences, with
/// Huber's weights, and the usual machine as prior knowledge. All points of one number of nodes have a common
/// factor, which is not kept: jobs get better and worse nodes.
/// @cost a few hundred predictions of each point
fit fitted(const std::vector<point>& points);

} // namespace recipes
