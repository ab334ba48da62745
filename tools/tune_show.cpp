// SPDX-License-Identifier: BSL-1.0
#include "tune.hpp"
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan_text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>
#include <vector>

namespace topo::tool {

namespace {

using detail::tuning_file;

/// A verb and a length.
struct point {
    const tuning_file::row* best = nullptr;
    const tuning_file::row* flat = nullptr;
};

std::vector<point> points_of(const tuning_file& file) {
    std::vector<point> points;
    for (const tuning_file::row& each : file.rows) {
        const auto found = std::ranges::find_if(points, [&](const point& one) {
            return one.best->what == each.what && one.best->bytes == each.bytes &&
                   one.best->is_commutative == each.is_commutative;
        });
        point& at = found == points.end() ? points.emplace_back(point{&each, nullptr}) : *found;
        if (each.seconds < at.best->seconds) at.best = &each;
        if (each.chosen.uses == detail::algorithm::flat) at.flat = &each;
    }
    std::ranges::sort(points, {}, [](const point& each) {
        return std::tuple{each.best->what, !each.best->is_commutative, each.best->bytes};
    });
    return points;
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

/// A character for each eighth of a power of two.
std::string bar_of(double gain) {
    constexpr double eighths = 8, longest = 40;
    const double length = std::clamp(std::round(eighths * std::log2(gain)), 0.0, longest);
    return std::string(static_cast<std::size_t>(length), '#');
}

} // namespace

std::string tuning_table(const tuning_file& file) {
    const auto& from = file.from;
    std::string text = from.machine + ", " + from.mpi + ", " + from.date + ": " + std::to_string(from.ranks) +
                       " ranks on " + std::to_string(from.nodes) + (from.nodes == 1 ? " node" : " nodes") +
                       (file.is_complete ? "" : "; not all is measured") + '\n';
    double logarithms = 0;
    int compared = 0;
    const auto points = points_of(file);
    for (const point& each : points) {
        const auto& best = *each.best;
        if (&each == &points.front() || (&each - 1)->best->what != best.what ||
            (&each - 1)->best->is_commutative != best.is_commutative)
            text += formatted("\n%-20s %9s %10s %10s %6s %7s %5s  %s\n",
                              (std::string{to_string(best.what)} +
                               (best.is_commutative || best.what >= detail::verb::scan ? "" : ", in order"))
                                  .c_str(),
                              "bytes", "us", "MPI us", "gain", "spread", "calls", "best plan");
        text += formatted("%-20s %9zu %10.1f ", "", best.bytes, best.seconds * 1e6);
        double gain = 1;
        if (each.flat == nullptr) {
            text += formatted("%10s %6s ", "-", "-");
        } else {
            gain = each.flat->seconds / best.seconds;
            logarithms += std::log(gain);
            ++compared;
            text += formatted("%10.1f %6.2f ", each.flat->seconds * 1e6, gain);
        }
        text += formatted("%6.0f%% %5d  ", best.spread * 100, best.calls) + to_string(best.chosen) + '\n';
        if (const auto bar = bar_of(gain); !bar.empty()) text += formatted("%-20s %9s ", "", "") + bar + '\n';
    }
    if (compared > 0)
        text += formatted("\ngain over the MPI's own, geometric mean of %d: %.2f\n", compared,
                          std::exp(logarithms / compared));
    return text;
}

} // namespace topo::tool
