// SPDX-License-Identifier: BSL-1.0
// Mappings of grids against numbers from papers and from other programs.
#include "support/mapping.hpp"
#include "support/repetitions.hpp"
#include <topomp/mapping/cost/line_sums.hpp>
#include <topomp/mapping/grid/choose_dims.hpp>
#include <topomp/mapping/grid/equal_boxes.hpp>
#include <topomp/mapping/grid_plan.hpp>
#include <topomp/mapping/stencil.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace mapping_numbers_tests {

using topo::grid_plan;
using topo::grid_request;
using topo::mapping_algorithm;
using topo::mapping_goal;
using topo_test::nodes_of;

namespace {

constexpr std::int64_t none = -1;

struct known_cost {
    std::int64_t jsum, jmax;
};

/// A line of the table: what others reached.
struct known_row {
    std::vector<int> dims;
    std::vector<int> nodes;
    std::vector<bool> periods;
    std::vector<std::int64_t> weights;
    std::int64_t bound;
    known_cost blocked, gropp, box, guillotine, kd_tree, hyperplane, strips, bisection;
};

/// Equal to or better than what is known of algorithms that are only named; `blocked` and `gropp` are exactly
/// so.
const std::vector<known_row>& known_rows() {
    constexpr known_cost nothing{none, none};
    static const std::vector<known_row> rows{{{128, 128},
                                              nodes_of(1024, 16),
                                              {},
                                              {},
                                              15872,
                                              {34304, 34},
                                              {15872, 16},
                                              {15872, 16},
                                              {15872, 16},
                                              {15872, 16},
                                              {15872, 16},
                                              {15872, 16},
                                              {15872, 16}},
                                             {{50, 48},
                                              nodes_of(50, 48),
                                              {},
                                              {},
                                              1204,
                                              {4704, 96},
                                              {2404, 50},
                                              {2404, none},
                                              {1204, 28},
                                              {1732, 46},
                                              {1328, 38},
                                              {1244, 28},
                                              {1328, 34}},
                                             {{50, 48},
                                              nodes_of(50, 48),
                                              {true, true},
                                              {},
                                              1400,
                                              {4800, 96},
                                              {2600, 52},
                                              {2600, none},
                                              {1400, 28},
                                              {1928, 46},
                                              {1524, 38},
                                              {1440, 36},
                                              {1504, 34}},
                                             {{9, 8, 8},
                                              nodes_of(16, 36),
                                              {},
                                              {},
                                              640,
                                              {1264, 89},
                                              {864, 72},
                                              {864, none},
                                              {664, 57},
                                              {928, 72},
                                              {736, 56},
                                              {736, 56},
                                              {720, 57}},
                                             {{104, 65},
                                              nodes_of(65, 104),
                                              {},
                                              {},
                                              2392,
                                              {8424, 132},
                                              {13312, 208},
                                              {2392, 42},
                                              {2392, 42},
                                              {3124, 66},
                                              {2428, 56},
                                              {2436, 44},
                                              {2468, 46}},
                                             {{40, 40, 41},
                                              nodes_of(656, 100),
                                              {},
                                              {},
                                              75520,
                                              {181632, 284},
                                              {147680, 240},
                                              {147680, 240},
                                              {75520, 130},
                                              {97888, 182},
                                              {79840, 160},
                                              {98512, 168},
                                              {79840, 140}},
                                             {{48, 47},
                                              nodes_of(48, 47),
                                              {},
                                              {},
                                              1154,
                                              {4418, 94},
                                              {4418, 94},
                                              {4418, 94},
                                              {1394, 34},
                                              {1686, 44},
                                              {3010, 94},
                                              {1266, 30},
                                              {1282, 34}},
                                             {{40, 25},
                                              nodes_of(20, 48, 40),
                                              {},
                                              {},
                                              456,
                                              {1040, 52},
                                              nothing,
                                              {512, 40},
                                              {464, 28},
                                              {660, 40},
                                              {570, 41},
                                              {518, 30},
                                              {504, 34}},
                                             {{16, 16, 16},
                                              nodes_of(64, 64),
                                              {},
                                              {16, 4, 1},
                                              none,
                                              {129024, 2176},
                                              {32256, 672},
                                              {13824, 256},
                                              {13824, 256},
                                              {32256, 672},
                                              {32256, 672},
                                              {20000, 418},
                                              {13824, 256}}};
    // Under sanitizers without the largest two.
    static const std::vector<known_row> smaller = [] {
        std::vector<known_row> result;
        std::ranges::copy_if(rows, std::back_inserter(result),
                             [](const known_row& row) { return row.bound < 10000; });
        return result;
    }();
    return topo_test::is_sanitized ? smaller : rows;
}

grid_request request_of(const known_row& row, mapping_algorithm algorithm,
                        mapping_goal first = mapping_goal::total) {
    grid_request request{row.dims, row.periods, {}, row.nodes, {}, first, algorithm};
    if (!row.weights.empty()) request.pattern = topo::stencil::star(row.dims.size()).weighted(row.weights);
    return request;
}

topo::mapping_cost cost_of(const known_row& row, mapping_algorithm algorithm,
                           mapping_goal first = mapping_goal::total) {
    return grid_plan::of(request_of(row, algorithm, first)).now.cost;
}

struct named_column {
    mapping_algorithm which;
    known_cost known_row::*column;
};

constexpr named_column columns[] = {{mapping_algorithm::box, &known_row::box},
                                    {mapping_algorithm::guillotine, &known_row::guillotine},
                                    {mapping_algorithm::kd_tree, &known_row::kd_tree},
                                    {mapping_algorithm::hyperplane, &known_row::hyperplane},
                                    {mapping_algorithm::strips, &known_row::strips},
                                    {mapping_algorithm::bisection, &known_row::bisection}};

bool is_round(double value, double expected) { return std::abs(value - expected) < 0.005; }

} // namespace

TEST_CASE("paper 3, table 3: partners on and off the node") {
    grid_request request{{128, 128}, {}, {}, nodes_of(1024, 16), {}, {}, mapping_algorithm::gropp};
    const auto check = [](const topo::mapping_quality& found, int on_min, int on_max, double on_mean,
                          int off_min, int off_max, double off_mean) {
        CHECK(found.on_node.min == on_min);
        CHECK(found.on_node.max == on_max);
        CHECK(is_round(found.on_node.mean, on_mean));
        CHECK(found.off_node.min == off_min);
        CHECK(found.off_node.max == off_max);
        CHECK(is_round(found.off_node.mean, off_mean));
    };
    auto plan = grid_plan::of(request);
    check(plan.blocked, 1, 2, 1.88, 2, 3, 2.12);
    check(plan.now, 2, 4, 3.00, 0, 2, 1.00);
    request.algorithm =
        topo_test::is_sanitized ? mapping_algorithm::guillotine : mapping_algorithm::automatic;
    CHECK(grid_plan::of(request).now.off_node.mean <= plan.now.off_node.mean);

    request.dims = {32, 32, 16};
    request.algorithm = mapping_algorithm::gropp;
    plan = grid_plan::of(request);
    check(plan.blocked, 1, 2, 1.88, 4, 5, 4.12);
    check(plan.now, 3, 4, 3.50, 2, 3, 2.50);
    request.algorithm =
        topo_test::is_sanitized ? mapping_algorithm::guillotine : mapping_algorithm::automatic;
    CHECK(grid_plan::of(request).now.off_node.mean <= plan.now.off_node.mean);
}

TEST_CASE("paper 3, figure 1: four processes a node become squares") {
    const auto plan = grid_plan::of({{4, 4}, {}, {}, nodes_of(4, 4), {}, {}, mapping_algorithm::gropp});
    CHECK(plan.owner == std::vector{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
    CHECK(plan.cells_of_ranks() == std::vector{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
    CHECK(plan.node == std::vector{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3});
}

TEST_CASE("costs of blocked and gropp are the known ones") {
    for (const auto& row : known_rows()) {
        INFO(topo::extents_text(row.dims));
        CHECK(cost_of(row, mapping_algorithm::blocked) ==
              topo::mapping_cost{row.blocked.jsum, row.blocked.jmax});
        if (row.gropp.jsum != none)
            CHECK(cost_of(row, mapping_algorithm::gropp) ==
                  topo::mapping_cost{row.gropp.jsum, row.gropp.jmax});
    }
}

TEST_CASE("every named algorithm reaches or beats the cost that is known of it") {
    for (const auto& row : known_rows())
        for (const auto& [algorithm, column] : columns) {
            const mapping_algorithm which = algorithm; // a lambda takes no name of a binding before clang 16
            const known_cost known = row.*column;
            if (known.jsum == none) continue;
            INFO(topo::extents_text(row.dims) << " " << topo::to_string(which));
            CHECK(cost_of(row, which).jsum <= known.jsum);
            if (known.jmax != none) CHECK(cost_of(row, which, mapping_goal::greatest).jmax <= known.jmax);
        }
}

TEST_CASE("automatic reaches the best number of each row, whichever comes first") {
    for (const auto& row : known_rows()) {
        INFO(topo::extents_text(row.dims));
        std::int64_t jsum = row.blocked.jsum, jmax = row.blocked.jmax;
        for (const auto& [which, column] : columns) {
            const known_cost known = row.*column;
            if (known.jsum != none) jsum = std::min(jsum, known.jsum);
            if (known.jmax != none) jmax = std::min(jmax, known.jmax);
        }
        CHECK(cost_of(row, mapping_algorithm::automatic).jsum <= jsum);
        CHECK(cost_of(row, mapping_algorithm::automatic, mapping_goal::greatest).jmax <= jmax);
    }
}

TEST_CASE("the lower bound is the known one") {
    for (const auto& row : known_rows()) {
        if (row.bound == none) continue;
        INFO(topo::extents_text(row.dims));
        CHECK(grid_plan::of(request_of(row, mapping_algorithm::blocked)).lower_bound == row.bound);
    }
}

TEST_CASE("the bound of a stencil without steps along a dimension is reached") {
    const auto check = [](std::vector<int> dims, std::size_t along, const std::vector<int>& nodes) {
        INFO(topo::extents_text(dims));
        std::vector<int> there(dims.size()), back(dims.size());
        there[along] = 1;
        back[along] = -1;
        const auto plan =
            grid_plan::of({std::move(dims), {}, topo::stencil{{{there, 1}, {back, 1}}}, nodes, {}, {}, {}});
        CHECK(plan.lower_bound == 0); // each node has whole lines
        CHECK(plan.now.cost.jsum == 0);
    };
    for (const std::size_t along : {0U, 1U}) {
        check({36, 36}, along, nodes_of(36, 36));
        check({100, 100}, along, nodes_of(100, 100));
        check({4, 36}, along, nodes_of(2, 72));
    }
    for (const std::size_t along : {0U, 1U, 2U})
        check({24, 24, 24}, along, nodes_of(24 * 24, 24));
}

TEST_CASE("in more than three dimensions boxes reach the bound") {
    const auto check = [](std::vector<int> dims, std::vector<bool> periods, const std::vector<int>& nodes,
                          std::int64_t bound) {
        INFO(topo::extents_text(dims));
        const auto plan = grid_plan::of({std::move(dims), std::move(periods), {}, nodes, {}, {}, {}});
        CHECK(plan.lower_bound == bound);
        CHECK(plan.now.cost.jsum == bound);
    };
    // A box of 2^d cells lies on 2^(d-1) lines along each dimension, and sends out of both ends of each but
    // at the border of the grid.
    check({8, 8, 8, 8}, {}, nodes_of(256, 16), 256 * 4 * 2 * 8 - 8 * 512);
    check({2, 2, 2, 2}, {}, nodes_of(4, 4), 32);
    check({20, 20, 2, 2}, {true, true, false, false}, nodes_of(100, 16), 100 * 4 * 2 * 8 - 4 * 800);
    check({4, 4, 4, 4, 4}, {}, nodes_of(32, 32), 32 * 5 * 2 * 16 - 10 * 256);
    check({1, 16, 1, 1, 16}, {}, nodes_of(16, 16), 16 * 2 * 2 * 4 - 4 * 16); // two dimensions
}

TEST_CASE("the lowest sum of lines is that of all numbers there are") {
    std::mt19937 numbers{1949};
    const auto below = [&](int end) { return static_cast<int>(numbers() % static_cast<std::uint32_t>(end)); };
    for (int i = 0; i < 300; ++i) {
        std::array<topo::detail::line_range, 4> lines;
        for (auto& each : lines) {
            const int least = 1 + below(4);
            each = {below(6), least, least + below(9)};
        }
        const int cells = 1 + below(9);
        const std::int64_t needed = std::int64_t{cells} * cells * cells;
        std::optional<std::int64_t> lowest;
        for (std::int64_t a = lines[0].least; a <= lines[0].most; ++a)
            for (std::int64_t b = lines[1].least; b <= lines[1].most; ++b)
                for (std::int64_t c = lines[2].least; c <= lines[2].most; ++c)
                    for (std::int64_t d = lines[3].least; d <= lines[3].most; ++d) {
                        if (a * b * c * d < needed) continue;
                        const auto sum = a * lines[0].weight + b * lines[1].weight + c * lines[2].weight +
                                         d * lines[3].weight;
                        lowest = std::min(lowest.value_or(sum), sum);
                    }
        INFO("case " << i);
        CHECK(topo::detail::least_lines_sum{lines, 20000}(cells) == lowest);
    }
}

TEST_CASE("paper 3, 2.1: nodes of 36 in a grid of 9 x 8 x 8 have 9 x 2 x 2") {
    const auto box =
        topo::detail::gropp_box(topo::grid{{9, 8, 8}}, topo::detail::node_list{nodes_of(16, 36)});
    CHECK(box == std::vector{9, 2, 2});
}

TEST_CASE("extents are chosen together with the mapping") {
    const auto chosen = [](std::vector<int> dims, const std::vector<int>& nodes) {
        return grid_plan::of({std::move(dims), {}, {}, nodes, {}, {}, {}}).cells.extents();
    };
    CHECK(chosen({0, 0}, nodes_of(4, 4)) == std::vector{4, 4});
    CHECK(chosen({0, 0}, nodes_of(50, 48)) == std::vector{50, 48});
    CHECK(chosen({0, 0, 0}, nodes_of(8, 8)) == std::vector{4, 4, 4});
    CHECK(chosen({0, 0}, nodes_of(6, 4)) == std::vector{6, 4});
    CHECK(chosen({0}, nodes_of(3, 5)) == std::vector{15});
    CHECK(chosen({0, 3}, nodes_of(6, 4)) == std::vector{8, 3}); // what is fixed stays
    CHECK(chosen({2, 0, 0}, nodes_of(4, 8)) == std::vector{2, 4, 4});
    // A dimension with little to say gets few cuts of the data.
    const auto heavy = topo::stencil::star(2).weighted(std::vector<std::int64_t>{1, 16});
    CHECK(grid_plan::of({{0, 0}, {}, heavy, nodes_of(16, 4), {}, {}, {}}).cells.extents() ==
          std::vector{32, 2});
}

TEST_CASE("what the page shows") {
    //! [plan]
    topo::grid_request request;
    request.dims = {50, 48};
    request.node_sizes = std::vector<int>(50, 48); // ranks of each node, in rank order
    const auto plan = topo::grid_plan::of(request);
    const int rank = plan.owner[7 * 48 + 3]; // of the cell with coordinates 7, 3
    //! [plan]
    CHECK(plan.now.cost == topo::mapping_cost{1204, 28});
    CHECK(rank / 48 == plan.node[7 * 48 + 3]);
}

} // namespace mapping_numbers_tests
