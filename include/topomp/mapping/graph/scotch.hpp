// SPDX-License-Identifier: BSL-1.0
/// @file
/// Scotch's mapping of a graph, where Scotch is installed.
#pragma once

#include <topomp/mapping/graph_links.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#ifdef TOPOMP_SCOTCH
#include <cstdio> // which scotch.h takes for granted
#include <scotch.h>
#endif

namespace topo::detail {

/// Whether the program was built with Scotch: CMake defines `TOPOMP_SCOTCH` where it finds it.
#ifdef TOPOMP_SCOTCH
inline constexpr bool has_scotch = true;
#else
inline constexpr bool has_scotch = false;
#endif

/// Makes nodes as large as they are: from those with too many vertices each time the one goes over whose move
/// costs least. Fixed vertices stay.
class node_repair {
public:
    node_repair(const graph_links& links, const node_list& nodes, const std::vector<bool>& fixed,
                node_map& map);

    void run();

private:
    std::size_t at(int vertex) const;

    void move_one(std::size_t node);

    struct move {
        std::size_t there;
        std::int64_t gain;
    };
    /// The node where a vertex costs least, of those with free ranks that it is linked with; else the first
    /// with free ranks.
    move best_move(int vertex, std::size_t node);

    const graph_links& links_;
    node_map& map_;
    std::vector<int> room_; ///< of each node; negative: it has too many
    std::vector<std::vector<int>> members_;
    std::vector<move> loads_;
    std::size_t first_ = 0; ///< no node before it has free ranks
};

#ifdef TOPOMP_SCOTCH

/// A graph in Scotch's form: both directions of a link are one number, scaled down so that all of them
/// together fit.
struct scotch_arrays {
    std::vector<SCOTCH_Num> first, ends, loads;

    explicit scotch_arrays(const graph_links& links) {
        std::int64_t sum = 0;
        const auto each_link = [&](auto visit) {
            for (int vertex = 0; vertex < links.size(); ++vertex)
                links.visit(vertex, [&](int other, std::int64_t out, std::int64_t in) {
                    visit(vertex, other, out + in);
                });
        };
        each_link([&](int, int, std::int64_t load) { sum += load / 2; });
        int shift = 0;
        while (sum >> shift > std::numeric_limits<SCOTCH_Num>::max() / 8)
            ++shift;
        first.assign(1, 0);
        for (int vertex = 0; vertex < links.size(); ++vertex) {
            links.visit(vertex, [&](int other, std::int64_t out, std::int64_t in) {
                ends.push_back(static_cast<SCOTCH_Num>(other));
                loads.push_back(static_cast<SCOTCH_Num>(std::max<std::int64_t>(1, (out + in) >> shift)));
            });
            first.push_back(static_cast<SCOTCH_Num>(ends.size()));
        }
    }
};

/// What has to be freed whatever happens.
struct scotch_objects {
    SCOTCH_Graph graph;
    SCOTCH_Arch nodes;
    SCOTCH_Strat strategy;

    scotch_objects() {
        SCOTCH_graphInit(&graph);
        SCOTCH_archInit(&nodes);
        SCOTCH_stratInit(&strategy);
    }
    scotch_objects(const scotch_objects&) = delete;
    scotch_objects& operator=(const scotch_objects&) = delete;
    ~scotch_objects() {
        SCOTCH_stratExit(&strategy);
        SCOTCH_archExit(&nodes);
        SCOTCH_graphExit(&graph);
    }
};

/// Nothing if Scotch cannot.
inline std::optional<node_map> scotch_map(const graph_links& links, const node_list& nodes,
                                          const std::vector<bool>& fixed, const node_map& blocked) {
    const scotch_arrays arrays{links};
    if (arrays.ends.empty() || nodes.count() == 1) return std::nullopt;
    scotch_objects all;
    const std::vector<SCOTCH_Num> sizes(nodes.sizes().begin(), nodes.sizes().end());
    std::vector<SCOTCH_Num> where(static_cast<std::size_t>(links.size()), -1);
    for (std::size_t vertex = 0; vertex < where.size(); ++vertex)
        if (fixed[vertex]) where[vertex] = blocked[vertex];
    SCOTCH_randomReset(); // so that equal requests give equal plans
    const bool is_done =
        SCOTCH_graphBuild(&all.graph, 0, static_cast<SCOTCH_Num>(links.size()), arrays.first.data(), nullptr,
                          nullptr, nullptr, static_cast<SCOTCH_Num>(arrays.ends.size()), arrays.ends.data(),
                          arrays.loads.data()) == 0 &&
        SCOTCH_archCmpltw(&all.nodes, static_cast<SCOTCH_Num>(sizes.size()), sizes.data()) == 0 &&
        SCOTCH_stratGraphMapBuild(&all.strategy, SCOTCH_STRATQUALITY, static_cast<SCOTCH_Num>(sizes.size()),
                                  0) == 0 &&
        SCOTCH_graphMapFixed(&all.graph, &all.nodes, &all.strategy, where.data()) == 0;
    if (!is_done) return std::nullopt;
    node_map map(where.begin(), where.end());
    node_repair{links, nodes, fixed, map}.run();
    return map;
}

#else

inline std::optional<node_map> scotch_map(const graph_links&, const node_list&, const std::vector<bool>&,
                                          const node_map&) {
    return std::nullopt;
}

#endif

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/graph/impl/scotch.ipp>
#endif
