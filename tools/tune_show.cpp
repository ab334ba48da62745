// SPDX-License-Identifier: BSL-1.0
#include "tune.hpp"
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan_text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>
#include <utility>
#include <vector>

namespace topo::tool {

namespace {

using detail::tuning_file;

template <class... Values>
std::string formatted(const char* format, Values... values) {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

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
    std::string text() const {
        return number == 0 ? formatted(" %10s", "-") : formatted(" %10.2f", std::exp(logarithms / number));
    }
};
struct mean_gains {
    mean_gain over_mpi, over_usual;

    void add(const point& each) {
        if (each.flat != nullptr) over_mpi.add(each.flat->seconds / each.best->seconds);
        if (each.built_in != nullptr) over_usual.add(each.built_in->seconds / each.best->seconds);
    }
    std::string line(const std::string& name) const {
        return formatted("%-24s %8s", name.c_str(), "") + over_mpi.text() + over_usual.text() + '\n';
    }
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
    std::vector<std::pair<std::string, mean_gains>> verbs;
    mean_gains all;
    const auto points = points_of(file);
    for (const point& each : points) {
        const auto& best = *each.best;
        const bool says_order = !best.is_commutative && best.what < detail::verb::scan;
        const std::string name = std::string{to_string(best.what)} + (says_order ? ", in order" : "");
        if (verbs.empty() || verbs.back().first != name) {
            verbs.emplace_back(name, mean_gains{});
            text += formatted("\n%-24s %8s %10s %10s %10s %6s %6s %5s  %s\n", name.c_str(), "bytes", "us",
                              "MPI us", "usual us", "gain", "spread", "calls", "best plan");
        }
        verbs.back().second.add(each);
        all.add(each);
        text += formatted("%-24s %8zu %10.1f", "", best.bytes, best.seconds * 1e6);
        for (const auto* const other : {each.flat, each.built_in})
            text += other == nullptr ? formatted(" %10s", "-") : formatted(" %10.1f", other->seconds * 1e6);
        const double gain = each.flat == nullptr ? 1 : each.flat->seconds / best.seconds;
        text += formatted(" %6.2f %5.0f%% %5d  ", gain, best.spread * 100, best.calls) +
                to_string(best.chosen) + '\n';
        if (const auto bar = bar_of(gain); !bar.empty()) text += formatted("%-24s %8s ", "", "") + bar + '\n';
    }
    text += formatted("\n%-24s %8s %10s %10s\n", "gain, geometric means", "", "over MPI", "over usual");
    for (const auto& [name, gains] : verbs)
        text += gains.line(name);
    return text + all.line("all");
}

} // namespace topo::tool
