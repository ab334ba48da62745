// SPDX-License-Identifier: BSL-1.0
#include "tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

namespace topo::tool {

namespace {

constexpr double spacing = 38, radius = 13, gap = 6, margin = 12;

/// Dark enough on white, and told apart without red and green.
constexpr std::array<std::string_view, 5> colours{"#b2182b", "#2166ac", "#1b1b1b", "#8c510a", "#762a83"};

std::string_view colour_of(int depth) {
    return colours[static_cast<std::size_t>(depth + 1) % colours.size()];
}

/// Ranks in one row, group by group, with more room where more levels part them.
class row {
public:
    explicit row(const outline& all) : all_(all), x_(static_cast<std::size_t>(all.size())) {
        place(all.whole());
        next_ -= spacing; // behind the last
    }

    double x(int rank) const { return x_[static_cast<std::size_t>(rank)]; }
    double end() const { return next_; }

private:
    void place(const outline::communicator& comm) {
        std::vector<bool> is_below(x_.size());
        for (const int position : comm.children) {
            const auto& child = all_.communicators[static_cast<std::size_t>(position)];
            next_ += gap;
            place(child);
            next_ += gap;
            for (const int rank : child.ranks)
                is_below[static_cast<std::size_t>(rank)] = true;
        }
        for (const int rank : comm.ranks) {
            if (is_below[static_cast<std::size_t>(rank)]) continue;
            x_[static_cast<std::size_t>(rank)] = next_;
            next_ += spacing;
        }
    }

    const outline& all_;
    std::vector<double> x_;
    double next_ = margin + radius + gap;
};

void draw_groups(std::ostream& out, const outline& all, const row& places, double y) {
    for (const auto& comm : all.communicators) {
        if (comm.depth < 0 || comm.ranks.size() == 1) continue;
        const auto by_place = [&](int rank) { return places.x(rank); };
        const double left = places.x(std::ranges::min(comm.ranks, {}, by_place));
        const double right = places.x(std::ranges::max(comm.ranks, {}, by_place));
        const double around = radius + gap * (all.max_depth() - comm.depth) - 1;
        out << "<rect x=\"" << left - around << "\" y=\"" << y - around << "\" width=\""
            << right - left + 2 * around << "\" height=\"" << 2 * around
            << "\" rx=\"4\" fill=\"#000000\" fill-opacity=\"0.05\" stroke=\"" << colour_of(comm.depth - 1)
            << "\" stroke-opacity=\"0.5\"/>\n";
    }
}

double height_of(double distance) { return 10 + 0.33 * distance; }

void draw_message(std::ostream& out, const tree_message& message, const row& places, double y) {
    const double from = places.x(message.from), to = places.x(message.to);
    const double high = height_of(std::abs(to - from)), top = y - radius;
    const auto colour = colour_of(message.depth);
    // A cubic curve stays below three quarters of its control points' height.
    out << "<path d=\"M" << from << ' ' << top << " C" << from << ' ' << top - high / 0.75 << ' ' << to << ' '
        << top - high / 0.75 << ' ' << to << ' ' << top - 3 << "\" fill=\"none\" stroke=\"" << colour
        << "\" stroke-width=\"1.5\" marker-end=\"url(#arrow" << message.depth + 1 << ")\"/>\n"
        << "<text x=\"" << (from + to) / 2 << "\" y=\"" << top - high - 3
        << "\" text-anchor=\"middle\" font-size=\"10\" fill=\"" << colour << "\">" << message.step
        << "</text>\n";
}

void draw_key(std::ostream& out, const outline& all, const spanning_tree& tree, double y) {
    std::map<int, std::string_view> kinds; // of the levels in which there is a message
    for (const auto& message : tree.messages)
        for (const auto& comm : all.communicators)
            if (comm.depth == message.depth) kinds.try_emplace(message.depth, to_string(comm.type));
    double x = margin;
    for (const auto& [depth, name] : kinds) {
        out << "<text x=\"" << x << "\" y=\"" << y << "\" fill=\"" << colour_of(depth) << "\">in a " << name
            << "</text>\n";
        x += 7.5 * static_cast<double>(name.size() + 5) + 12;
    }
}

} // namespace

void render_tree_svg(std::ostream& out, const outline& all, const spanning_tree& tree) {
    const row places{all};
    double highest = 0;
    for (const auto& message : tree.messages)
        highest = std::max(highest, height_of(std::abs(places.x(message.from) - places.x(message.to))));
    const double y = margin + 14 + highest + radius;
    const double below = radius + gap * all.max_depth();
    const double width = std::max(places.end() + radius + gap * all.max_depth() + margin, 330.0);
    const double height = y + below + 24 + margin;
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
        << "\" viewBox=\"0 0 " << width << ' ' << height
        << "\" font-family=\"sans-serif\" font-size=\"12\">\n<defs>\n";
    for (int depth = -1; depth < all.max_depth(); ++depth)
        out << "<marker id=\"arrow" << depth + 1
            << "\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" "
               "orient=\"auto\">"
            << "<path d=\"M0 0 L8 4 L0 8 z\" fill=\"" << colour_of(depth) << "\"/></marker>\n";
    out << "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    draw_groups(out, all, places, y);
    for (const auto& message : tree.messages)
        draw_message(out, message, places, y);
    for (int rank = 0; rank < all.size(); ++rank)
        out << "<circle cx=\"" << places.x(rank) << "\" cy=\"" << y << "\" r=\"" << radius << "\" fill=\""
            << (rank == tree.root ? "#8fbf6f" : "#ffffff") << "\" stroke=\"#404040\"/><text x=\""
            << places.x(rank) << "\" y=\"" << y + 4 << "\" text-anchor=\"middle\">" << rank << "</text>\n";
    draw_key(out, all, tree, y + below + 22);
    out << "</svg>\n";
}

} // namespace topo::tool
