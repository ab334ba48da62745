// SPDX-License-Identifier: BSL-1.0
#include "render.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topo::tool {

namespace {

constexpr double padding = 8, title_height = 18, cell_width = 34, cell_height = 24, character_width = 6.7;

/// A rectangle with a size, and a place inside its parent.
struct box {
    const outline::communicator* comm = nullptr; ///< null: the cell of one rank
    int rank = 0;
    double x = 0, y = 0, width = 0, height = 0;
    std::vector<box> inside;
};

std::string escape(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '&')
            safe += "&amp;";
        else if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '"')
            safe += "&quot;";
        else
            safe += c;
    }
    return safe;
}

/// lstopo's colours, or near: hardware that people know by sight.
std::string_view colour(kind which) {
    switch (which) {
    case kind::cluster:
        return "#ffffff";
    case kind::network_switch:
        return "#e3eefc";
    case kind::machine:
        return "#ffffff";
    case kind::package:
        return "#dedede";
    case kind::die:
        return "#d2e7d8";
    case kind::group:
        return "#f2f2d8";
    case kind::numa_node:
        return "#efdfde";
    case kind::core:
        return "#bebebe";
    case kind::pu:
        return "#d0d0d0";
    default:
        return "#fafafa";
    }
}

std::string heading(const outline::communicator& comm) {
    return title(comm) + (comm.depth < 0 ? ", " + std::to_string(comm.ranks.size()) + " ranks" : "");
}

/// Puts the boxes inside in rows, about twice as wide as high in all, and sizes the outer box to them.
void arrange(box& outer, double least_width) {
    double area = 0, widest = least_width;
    for (const box& each : outer.inside) {
        area += (each.width + padding) * (each.height + padding);
        widest = std::max(widest, each.width);
    }
    const double row_width = std::max(widest, std::sqrt(2.0 * area));
    double x = padding, y = padding + title_height, row_height = 0;
    outer.width = least_width + 2 * padding;
    for (box& each : outer.inside) {
        if (x > padding && x + each.width > padding + row_width) {
            x = padding;
            y += row_height + padding;
            row_height = 0;
        }
        each.x = x;
        each.y = y;
        x += each.width + padding;
        row_height = std::max(row_height, each.height);
        outer.width = std::max(outer.width, x);
    }
    outer.height = y + row_height + padding;
}

box layout(const outline& all, const outline::communicator& comm) {
    box result;
    result.comm = &comm;
    std::vector<bool> is_below(static_cast<std::size_t>(all.size()));
    for (const int position : comm.children) {
        const auto& child = all.communicators[static_cast<std::size_t>(position)];
        result.inside.push_back(layout(all, child));
        for (const int rank : child.ranks)
            is_below[static_cast<std::size_t>(rank)] = true;
    }
    for (const int rank : comm.ranks)
        if (!is_below[static_cast<std::size_t>(rank)])
            result.inside.push_back({nullptr, rank, 0, 0, cell_width, cell_height, {}});
    arrange(result, character_width * static_cast<double>(heading(comm).size()));
    return result;
}

void draw(std::ostream& out, const box& what, double x, double y) {
    const auto rectangle = [&](std::string_view fill, double radius) {
        out << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << what.width << "\" height=\""
            << what.height << "\" rx=\"" << radius << "\" fill=\"" << fill << "\" stroke=\"#404040\"/>";
    };
    if (what.comm == nullptr) {
        rectangle("#8fbf6f", cell_height / 2);
        out << "<text x=\"" << x + what.width / 2 << "\" y=\"" << y + 16 << "\" text-anchor=\"middle\">"
            << what.rank << "</text>\n";
        return;
    }
    rectangle(colour(what.comm->type), 2);
    out << "<text x=\"" << x + padding << "\" y=\"" << y + 16 << "\">" << escape(heading(*what.comm))
        << "</text>\n";
    for (const box& each : what.inside)
        draw(out, each, x + each.x, y + each.y);
}

} // namespace

void render_svg(std::ostream& out, const outline& all) {
    const box whole = layout(all, all.whole());
    const double margin = 4;
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << whole.width + 2 * margin << "\" height=\""
        << whole.height + 2 * margin << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    draw(out, whole, margin, margin);
    out << "</svg>\n";
}

} // namespace topo::tool
