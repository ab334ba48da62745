// SPDX-License-Identifier: BSL-1.0
/// @file
/// real_machines POINTS: fits the parameters of one machine to the points that are marked for it, and prints
/// them and the predicted time of each point. scripts/bench-models calls it.
///
/// A line of POINTS: `nodes ranks_per_node verb bytes algorithm seconds fit`, fit being 1 or 0. Printed are
/// `parameter NAME VALUE` lines, then a line for each point: its seconds, or `-` where there is no model.
#include "fit.hpp"

#include <cstddef>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    std::ifstream in{argc > 1 ? argv[1] : ""};
    if (!in) {
        std::cerr << "real_machines: wants a file of points\n";
        return 2;
    }
    std::vector<recipes::point> points;
    recipes::point one;
    while (in >> one.nodes >> one.ranks_per_node >> one.verb >> one.bytes >> one.algorithm >> one.seconds >>
           one.is_for_fit)
        points.push_back(one);
    if (!in.eof()) {
        std::cerr << "real_machines: " << argv[1] << ", line " << points.size() + 1 << ": malformed\n";
        return 2;
    }
    const recipes::fit found = recipes::fitted(points);
    std::cout << std::setprecision(9);
    for (std::size_t i = 0; i < found.values.size(); ++i)
        std::cout << "parameter " << recipes::parameters()[i].name << ' ' << found.values[i] << '\n';
    for (const auto& [what, factor] : found.factors)
        std::cout << "factor " << what.first << ' ' << what.second << ' ' << factor << '\n';
    const recipes::machine on = recipes::machine_of(found.values);
    for (const auto& each : points) {
        const auto seconds = recipes::libraries{on, each.nodes, each.ranks_per_node}.seconds(
            each.verb, each.algorithm, each.bytes);
        const auto factor = found.factors.find({each.verb, each.algorithm});
        if (seconds)
            std::cout << *seconds * (factor == found.factors.end() ? 1 : factor->second) << '\n';
        else
            std::cout << "-\n";
    }
}
