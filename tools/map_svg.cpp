// SPDX-License-Identifier: BSL-1.0
#include "map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace topo::tool {

namespace {

constexpr int margin = 8, title_height = 20, gap = 12, widest = 720;

/// Light ones, so that black borders show; neighbours get different ones.
constexpr std::array<std::string_view, 12> colours{"#8dd3c7", "#ffffb3", "#bebada", "#fb8072",
                                                   "#80b1d3", "#fdb462", "#b3de69", "#fccde5",
                                                   "#d9d9d9", "#bc80bd", "#ccebc5", "#ffed6f"};

/// Of each node, the first colour that no neighbour with a lower number has.
std::vector<std::size_t> colours_of(const grid_plan& plan) {
    std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(*std::ranges::max_element(plan.node)) +
                                             1);
    const auto around = stencil::moore(std::min<std::size_t>(plan.cells.dimensions(), 3));
    for (int cell = 0; cell < plan.cells.size(); ++cell)
        for (const auto& each : around.offsets()) {
            std::vector<int> steps(plan.cells.dimensions()); // of many dimensions, the last ones
            std::ranges::copy_backward(each.steps, steps.end());
            const int other = plan.cells.neighbour(cell, steps);
            if (other == grid::outside) continue;
            const int here = plan.node[static_cast<std::size_t>(cell)];
            const int there = plan.node[static_cast<std::size_t>(other)];
            if (there < here) neighbours[static_cast<std::size_t>(here)].push_back(there);
        }
    std::vector<std::size_t> result;
    for (std::size_t node = 0; node < neighbours.size(); ++node) {
        std::array<bool, colours.size()> is_taken{};
        for (const int other : neighbours[node])
            is_taken[result[static_cast<std::size_t>(other)]] = true;
        const auto free = std::ranges::find(is_taken, false) - is_taken.begin();
        result.push_back(static_cast<std::size_t>(free) % colours.size());
    }
    return result;
}

/// One slice: rows and columns are the last two dimensions.
struct slice {
    const grid_plan& plan;
    int first, rows, columns; ///< its first cell
    int x, y, side;           ///< of the picture of a cell

    int node(int row, int column) const {
        return plan.node[static_cast<std::size_t>(first + row * columns + column)];
    }
};

/// A rectangle for each run of cells of a node.
void draw_cells(std::ostream& out, const slice& part, const std::vector<std::size_t>& colour) {
    for (int row = 0; row < part.rows; ++row)
        for (int column = 0, end = 0; column < part.columns; column = end) {
            const int node = part.node(row, column);
            while (end < part.columns && part.node(row, end) == node)
                ++end;
            out << "<rect x=\"" << part.x + column * part.side << "\" y=\"" << part.y + row * part.side
                << "\" width=\"" << (end - column) * part.side << "\" height=\"" << part.side << "\" fill=\""
                << colours[colour[static_cast<std::size_t>(node)]] << "\"/>\n";
        }
}

/// The lines between nodes, and around everything.
void draw_borders(std::ostream& out, const slice& part) {
    out << "<path d=\"M" << part.x << ' ' << part.y << 'h' << part.columns * part.side << 'v'
        << part.rows * part.side << "h-" << part.columns * part.side << 'z';
    for (int row = 1; row < part.rows; ++row)
        for (int column = 0; column < part.columns; ++column) {
            const int start = column;
            while (column < part.columns && part.node(row, column) != part.node(row - 1, column))
                ++column;
            if (column > start)
                out << 'M' << part.x + start * part.side << ' ' << part.y + row * part.side << 'h'
                    << (column - start) * part.side;
        }
    for (int column = 1; column < part.columns; ++column)
        for (int row = 0; row < part.rows; ++row) {
            const int start = row;
            while (row < part.rows && part.node(row, column) != part.node(row, column - 1))
                ++row;
            if (row > start)
                out << 'M' << part.x + column * part.side << ' ' << part.y + start * part.side << 'v'
                    << (row - start) * part.side;
        }
    out << "\" fill=\"none\" stroke=\"#202020\"/>\n";
}

} // namespace

void render_map_svg(std::ostream& out, const grid_plan& plan, const std::string& title) {
    const grid& cells = plan.cells;
    const std::size_t last = cells.dimensions() - 1;
    const int columns = cells.extent(last), rows = last == 0 ? 1 : cells.extent(last - 1);
    const int slices = cells.size() / (rows * columns);
    // About as many slices in a row as make a square.
    int abreast = 1;
    while (abreast < slices && abreast * abreast * columns < slices * rows)
        ++abreast;
    const int side = std::clamp(widest / (abreast * columns), 2, 14);
    const int step_x = columns * side + gap, step_y = rows * side + gap;
    const int width =
        std::max(2 * margin + abreast * step_x - gap, 2 * margin + 7 * static_cast<int>(title.size()));
    const int height = 2 * margin + title_height + (slices + abreast - 1) / abreast * step_y - gap;
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
        << "\" viewBox=\"0 0 " << width << ' ' << height
        << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"" << margin << "\" y=\""
        << margin + 12 << "\">" << title << "</text>\n";
    const auto colour = colours_of(plan);
    for (int i = 0; i < slices; ++i) {
        const slice part{plan,
                         i * rows * columns,
                         rows,
                         columns,
                         margin + i % abreast * step_x,
                         margin + title_height + i / abreast * step_y,
                         side};
        draw_cells(out, part, colour);
        draw_borders(out, part);
    }
    out << "</svg>\n";
}

} // namespace topo::tool
