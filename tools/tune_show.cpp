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
    const tuning_file::row* built_in = nullptr;
};

/// A geometric mean.
struct mean_gain {
    double logarithms = 0;
    int number = 0;

    void add(double gain) {
        logarithms += std::log(gain);
        ++number;
    }
    double value() const { return std::exp(logarithms / number); }
};

std::vector<point> points_of(const tuning_file& file) {
    std::vector<point> points;
    for (const tuning_file::row& each : file.rows) {
        const auto found = std::ranges::find_if(points, [&](const point& one) {
            return one.best->what == each.what && one.best->bytes == each.bytes &&
                   one.best->is_commutative == each.is_commutative;
        });
        point& at = found == points.end() ? points.emplace_back(point{&each, nullptr, nullptr}) : *found;
        if (each.seconds < at.best->seconds) at.best = &each;
        if (each.chosen.uses == detail::algorithm::flat) at.flat = &each;
        if (each.is_built_in) at.built_in = &each;
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
    mean_gain over_mpi, over_built_in;
    const auto points = points_of(file);
    const tuning_file::row* before = nullptr;
    for (const point& each : points) {
        const auto& best = *each.best;
        if (before == nullptr || before->what != best.what || before->is_commutative != best.is_commutative) {
            const bool says_order = !best.is_commutative && best.what < detail::verb::scan;
            const std::string name = std::string{to_string(best.what)} + (says_order ? ", in order" : "");
            text += formatted("\n%-24s %8s %10s %10s %10s %6s %6s %5s  %s\n", name.c_str(), "bytes", "us",
                              "MPI us", "usual us", "gain", "spread", "calls", "best plan");
        }
        before = &best;
        text += formatted("%-24s %8zu %10.1f", "", best.bytes, best.seconds * 1e6);
        for (const auto* const other : {each.flat, each.built_in})
            text += other == nullptr ? formatted(" %10s", "-") : formatted(" %10.1f", other->seconds * 1e6);
        const double gain = each.flat == nullptr ? 1 : each.flat->seconds / best.seconds;
        if (each.flat != nullptr) over_mpi.add(gain);
        if (each.built_in != nullptr) over_built_in.add(each.built_in->seconds / best.seconds);
        text += formatted(" %6.2f %5.0f%% %5d  ", gain, best.spread * 100, best.calls) +
                to_string(best.chosen) + '\n';
        if (const auto bar = bar_of(gain); !bar.empty()) text += formatted("%-24s %8s ", "", "") + bar + '\n';
    }
    if (over_mpi.number > 0)
        text += formatted("\ngain over the MPI's own, geometric mean of %d: %.2f\n", over_mpi.number,
                          over_mpi.value());
    if (over_built_in.number > 0)
        text += formatted("gain over what is decided without a file, of %d: %.2f\n", over_built_in.number,
                          over_built_in.value());
    return text;
}

} // namespace topo::tool
