// SPDX-License-Identifier: BSL-1.0
// Plans for machines whose nodes have a few different sizes: against what was the best before boxes and cuts
// were to be had for them, against all mappings where these are few, and against the bound.
#include "support/mapping.hpp"
#include "support/repetitions.hpp"
#include <topomp/core/error.hpp>
#include <topomp/mapping/grid_plan.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace mapping_mixed_tests {

using topo::grid_plan;
using topo::grid_request;
using topo::mapping_algorithm;
using topo::mapping_cost;
using topo::mapping_goal;

namespace {

/// A machine, and jsum: at most so much by an algorithm. `before` is what `automatic` gave without boxes and
/// cuts.
struct mixed_machine {
    std::vector<int> dims;
    std::vector<std::pair<int, int>> nodes; ///< how many, and how large
    std::int64_t guillotine, box, before, bound;
    std::vector<bool> periods{};
};
constexpr std::int64_t none = -1;

const std::vector<mixed_machine>& machines() {
    static const std::vector<mixed_machine> all{
        {{40, 25}, {{20, 48}, {1, 40}}, 464, 512, 464, 456},
        {{40, 38}, {{16, 48}, {16, 47}}, 768, none, 784, 740},
        {{48, 40}, {{8, 128}, {14, 64}}, 648, none, 656, 640},
        {{64, 45}, {{10, 192}, {15, 64}}, 832, 2492, 892, 822},
        {{50, 48}, {{40, 48}, {20, 24}}, 1324, 1484, 1364, 1324},
        {{50, 48}, {{40, 48}, {20, 24}}, 1520, 1680, 1560, 1520, {true, true}},
        {{30, 30}, {{12, 64}, {11, 12}}, 436, none, 466, 418},
        {{40, 30}, {{4, 128}, {8, 64}, {11, 16}}, 488, none, 524, 476},
        {{36, 30}, {{10, 72}, {15, 24}}, 508, 528, 528, 508},
        {{12, 10, 8}, {{16, 48}, {12, 16}}, 1168, 1168, 1264, 1168},
        {{16, 16, 15}, {{50, 64}, {20, 32}}, 4672, none, 4696, 4568},
        {{20, 15, 12}, {{36, 96}, {3, 48}}, 3456, none, 3464, 3336},
    };
    return all;
}

grid_request request_for(const mixed_machine& on,
                         mapping_algorithm algorithm = mapping_algorithm::automatic) {
    grid_request request;
    request.dims = on.dims;
    request.periods = on.periods;
    request.algorithm = algorithm;
    for (const auto& [count, size] : on.nodes)
        request.node_sizes.insert(request.node_sizes.end(), static_cast<std::size_t>(count), size);
    return request;
}

/// The best of those candidates that always took nodes of any sizes.
mapping_cost best_of_any(grid_request request) {
    mapping_cost best;
    bool is_first = true;
    for (const auto which :
         {mapping_algorithm::blocked, mapping_algorithm::kd_tree, mapping_algorithm::hyperplane,
          mapping_algorithm::strips, mapping_algorithm::bisection, mapping_algorithm::refine}) {
        request.algorithm = which;
        const mapping_cost cost = grid_plan::of(request).now.cost;
        if (is_first || topo::detail::is_lower(cost, best, request.first)) best = cost;
        is_first = false;
    }
    return best;
}

bool is_refused(const grid_request& request) {
    try {
        static_cast<void>(grid_plan::of(request));
    } catch (const topo::argument_error&) {
        return true;
    }
    return false;
}

/// What is on each node, and what it costs, from the map alone.
void check(const grid_request& request, const grid_plan& plan) {
    std::vector<int> sizes(request.node_sizes.size());
    for (const int node : plan.node)
        ++sizes[static_cast<std::size_t>(node)];
    CHECK(sizes == request.node_sizes);
    CHECK(plan.now.cost ==
          topo_test::counted_cost(plan.cells, plan.pattern, plan.node, request.node_sizes.size()));
}

} // namespace

TEST_CASE("boxes and cuts for nodes of a few sizes cost what is known of them, and less than without") {
    for (const auto& each : machines()) {
        if (topo_test::is_sanitized && each.bound > 700) continue;
        INFO(topo::extents_text(each.dims));
        const auto by_cuts = request_for(each, mapping_algorithm::guillotine);
        const auto plan = grid_plan::of(by_cuts);
        check(by_cuts, plan);
        CHECK(plan.now.cost.jsum <= each.guillotine);
        CHECK(plan.lower_bound == each.bound);
        const auto by_boxes = request_for(each, mapping_algorithm::box);
        CHECK(is_refused(by_boxes) == (each.box == none));
        if (each.box != none) {
            const auto boxes = grid_plan::of(by_boxes);
            check(by_boxes, boxes);
            CHECK(boxes.now.cost.jsum <= each.box);
        }
        const auto best = grid_plan::of(request_for(each));
        CHECK(best.now.cost.jsum <= each.before);
        CHECK(best.now.cost.jsum <= each.guillotine);
    }
}

TEST_CASE("on random machines with nodes of up to four sizes no plan is worse than without boxes and cuts") {
    std::mt19937 numbers{1204};
    const auto below = [&](int end) { return static_cast<int>(numbers() % static_cast<unsigned>(end)); };
    const int count = topo_test::repetitions(100);
    int served = 0;
    for (int i = 0; i < count; ++i) {
        grid_request request;
        std::string text;
        // A grid out of a few sizes: one dimension is what the nodes leave.
        std::vector<int> sizes;
        for (int which = 0; which <= 1 + below(3); ++which)
            sizes.push_back(1 + below(12));
        const int nodes = 2 + below(12);
        for (int node = 0; node < nodes; ++node)
            request.node_sizes.push_back(
                sizes[static_cast<std::size_t>(below(static_cast<int>(sizes.size())))]);
        const int cells = std::accumulate(request.node_sizes.begin(), request.node_sizes.end(), 0);
        int rest = cells;
        for (int dimension = 1 + below(2); dimension > 0; --dimension) {
            int extent = 1 + below(12);
            while (rest % extent != 0)
                --extent;
            request.dims.push_back(extent);
            rest /= extent;
        }
        request.dims.push_back(rest);
        for (std::size_t dimension = 0; dimension < request.dims.size(); ++dimension)
            request.periods.push_back(below(4) == 0);
        if (below(2) == 0) request.pattern = topo::stencil::moore(request.dims.size());
        if (below(4) == 0) request.first = mapping_goal::greatest;
        for (const int each : request.node_sizes)
            text += ' ' + std::to_string(each);
        INFO(topo::extents_text(request.dims) << ", nodes" << text);
        const auto plan = grid_plan::of(request);
        check(request, plan);
        CHECK(!topo::detail::is_lower(best_of_any(request), plan.now.cost, request.first));
        if (plan.lower_bound) CHECK(*plan.lower_bound <= plan.now.cost.jsum);
        for (const auto which : {mapping_algorithm::guillotine, mapping_algorithm::box}) {
            request.algorithm = which;
            if (is_refused(request)) {
                CHECK(which == mapping_algorithm::box); // there need not be boxes
                continue;
            }
            ++served;
            const auto one = grid_plan::of(request), again = grid_plan::of(request);
            check(request, one);
            CHECK(one.owner == again.owner);
        }
    }
    CHECK(served >= count);
}

TEST_CASE("nodes of more sizes, or of too many mixes, are refused with a reason") {
    grid_request request{{28}, {}, {}, {1, 2, 3, 4, 5, 6, 7}, {}, {}, mapping_algorithm::guillotine};
    CHECK_THROWS_WITH_AS(grid_plan::of(request),
                         "topo::grid_plan: algorithm guillotine: nodes have too many different sizes; "
                         "bisection, hyperplane, kd_tree and strips take any",
                         topo::argument_error);
    request.algorithm = mapping_algorithm::automatic;
    CHECK(grid_plan::of(request).now.cost.jsum == 12);

    // (8000 + 1)^5 is more than 2^64.
    std::vector<int> sizes(8192, 6);
    for (int size = 1; size < 6; ++size)
        sizes.insert(sizes.end(), 8000, size);
    const grid_request many{{std::accumulate(sizes.begin(), sizes.end(), 0)},
                            {},
                            {},
                            sizes,
                            {},
                            {},
                            mapping_algorithm::guillotine};
    CHECK_THROWS_AS(grid_plan::of(many), topo::argument_error);
}

} // namespace mapping_mixed_tests
