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
                node_map& map)
        : links_(links), map_(map), room_(nodes.sizes()), members_(static_cast<std::size_t>(nodes.count())) {
        for (int vertex = 0; vertex < links.size(); ++vertex) {
            --room_[at(vertex)];
            if (!fixed[static_cast<std::size_t>(vertex)]) members_[at(vertex)].push_back(vertex);
        }
    }

    void run() {
        for (std::size_t node = 0; node < room_.size(); ++node)
            while (room_[node] < 0)
                move_one(node);
    }

private:
    std::size_t at(int vertex) const {
        return static_cast<std::size_t>(map_[static_cast<std::size_t>(vertex)]);
    }

    void move_one(std::size_t node) {
        std::int64_t most = std::numeric_limits<std::int64_t>::min();
        std::size_t which = 0, target = 0;
        for (std::size_t i = 0; i < members_[node].size(); ++i) {
            const auto [there, gain] = best_move(members_[node][i], node);
            if (gain <= most) continue;
            most = gain;
            which = i;
            target = there;
        }
        const int vertex = members_[node][which];
        members_[node].erase(members_[node].begin() + static_cast<std::ptrdiff_t>(which));
        members_[target].push_back(vertex);
        map_[static_cast<std::size_t>(vertex)] = static_cast<int>(target);
        ++room_[node];
        --room_[target];
    }

    struct move {
        std::size_t there;
        std::int64_t gain;
    };
    /// Where a vertex costs least, of the nodes with room that it is linked with; else the first with room.
    move best_move(int vertex, std::size_t node) {
        while (room_[first_] <= 0)
            ++first_; // what is full stays full
        std::int64_t here = 0;
        loads_.clear();
        links_.visit(vertex, [&](int other, std::int64_t out, std::int64_t in) {
            if (at(other) == node)
                here += out + in;
            else if (room_[at(other)] > 0)
                loads_.push_back({at(other), out + in});
        });
        std::ranges::sort(loads_, {}, &move::there);
        move best{first_, -here};
        for (std::size_t i = 0; i < loads_.size();) {
            move next{loads_[i].there, -here};
            for (; i < loads_.size() && loads_[i].there == next.there; ++i)
                next.gain += loads_[i].gain;
            if (next.gain > best.gain) best = next;
        }
        return best;
    }

    const graph_links& links_;
    node_map& map_;
    std::vector<int> room_; ///< of each node; negative: it has too many
    std::vector<std::vector<int>> members_;
    std::vector<move> loads_;
    std::size_t first_ = 0; ///< no node before it has room
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
    SCOTCH_Strat way;

    scotch_objects() {
        SCOTCH_graphInit(&graph);
        SCOTCH_archInit(&nodes);
        SCOTCH_stratInit(&way);
    }
    scotch_objects(const scotch_objects&) = delete;
    scotch_objects& operator=(const scotch_objects&) = delete;
    ~scotch_objects() {
        SCOTCH_stratExit(&way);
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
        SCOTCH_stratGraphMapBuild(&all.way, SCOTCH_STRATQUALITY, static_cast<SCOTCH_Num>(sizes.size()), 0) ==
            0 &&
        SCOTCH_graphMapFixed(&all.graph, &all.nodes, &all.way, where.data()) == 0;
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
