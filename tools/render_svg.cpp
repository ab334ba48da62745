// SPDX-License-Identifier: BSL-1.0
#include "render.hpp"
#include <topomp/hierarchy/detail/trail.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topo::tool {

namespace {

constexpr double padding = 8, cell_width = 34, cell_height = 24;

/// A line of text. Fonts differ: the width of a character is that of a wide one, so that no text leaves its
/// box.
struct line_style {
    double size, height, character_width;
};
constexpr line_style title_line{12, 18, 7.6}, also_line{9, 12, 5.7};

/// A rectangle with a size, and a place inside its parent.
struct box {
    const outline::communicator* comm = nullptr; ///< null: the cell of one rank
    std::string heading;                         ///< of the cell, the rank
    std::string also;                            ///< what else the ranks share
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

/// The node that an object is in: `node1` of `node1/L3Cache#0`.
std::string_view node_of(std::string_view name) { return name.substr(0, name.find('/')); }

/// `L3Cache#0` inside a box of the same node, `node1/L3Cache#0` elsewhere; `Machine node1`, `Switch leaf0`.
std::string heading(const outline::communicator& comm, std::string_view parent_name) {
    const std::string_view type = to_string(comm.type);
    if (comm.type == kind::cluster) return std::string{type};
    std::string_view name = comm.name;
    const std::string_view node = node_of(name);
    const std::string_view inside = name.substr(std::min(node.size() + 1, name.size()));
    if (inside.empty()) return std::string{type} + ' ' + comm.name;
    if (node_of(parent_name) == node) name = inside;
    return inside.starts_with(type) ? std::string{name} : std::string{type} + ' ' + std::string{name};
}

double width_of(std::string_view text, line_style style) {
    return style.character_width * static_cast<double>(text.size());
}

/// Puts the boxes inside in rows, about twice as wide as high in all, and sizes the outer box to them.
void arrange(box& outer) {
    const double text_width = std::max(width_of(outer.heading, title_line), width_of(outer.also, also_line));
    double area = 0, widest = text_width;
    for (const box& each : outer.inside) {
        area += (each.width + padding) * (each.height + padding);
        widest = std::max(widest, each.width);
    }
    const double row_width = std::max(widest, std::sqrt(2.0 * area));
    double x = padding, y = padding + title_line.height + (outer.also.empty() ? 0 : also_line.height);
    double row_height = 0;
    outer.width = text_width + 2 * padding;
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

box layout(const outline& all, const outline::communicator& comm, std::string_view parent_name) {
    box result;
    result.comm = &comm;
    result.heading = heading(comm, parent_name);
    result.also = detail::kinds_text(comm.also, comm.ranks_within);
    if (comm.depth < 0) result.heading += ", " + std::to_string(comm.ranks.size()) + " ranks";
    std::vector<bool> is_below(static_cast<std::size_t>(all.size()));
    for (const int position : comm.children) {
        const auto& child = all.communicators[static_cast<std::size_t>(position)];
        result.inside.push_back(layout(all, child, comm.name));
        for (const int rank : child.ranks)
            is_below[static_cast<std::size_t>(rank)] = true;
    }
    for (const int rank : comm.ranks)
        if (!is_below[static_cast<std::size_t>(rank)])
            result.inside.push_back({nullptr, std::to_string(rank), {}, 0, 0, cell_width, cell_height, {}});
    arrange(result);
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
            << what.heading << "</text>\n";
        return;
    }
    rectangle(colour(what.comm->type), 2);
    out << "<text x=\"" << x + padding << "\" y=\"" << y + 16 << "\">" << escape(what.heading) << "</text>\n";
    if (!what.also.empty())
        out << "<text x=\"" << x + padding << "\" y=\"" << y + 14 + also_line.height << "\" font-size=\""
            << also_line.size << "\" fill=\"#505050\">" << what.also << "</text>\n";
    for (const box& each : what.inside)
        draw(out, each, x + each.x, y + each.y);
}

} // namespace

void render_svg(std::ostream& out, const outline& all) {
    const box whole = layout(all, all.whole(), {});
    const double margin = 4;
    const double width = whole.width + 2 * margin, height = whole.height + 2 * margin;
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
        << "\" viewBox=\"0 0 " << width << ' ' << height << "\" font-family=\"sans-serif\" font-size=\""
        << title_line.size << "\">\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    draw(out, whole, margin, margin);
    out << "</svg>\n";
}

} // namespace topo::tool
