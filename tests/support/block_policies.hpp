// SPDX-License-Identifier: BSL-1.0
/// @file
/// The policies that gathers and scatters are tested with, as plain functions.
#pragma once

#include "support/append_numbers.hpp"
#include "support/for_each_algorithm.hpp"
#include "support/made_up.hpp"
#include <topomp/algorithm/shared.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/collective/scatterv.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace topo_test {

/// One policy with its type forgotten, so that tests are compiled once.
struct block_policy {
    std::string name;
    void (*gather)(const topo::hierarchy&, topo::message, topo::blocks, int);
    void (*gatherv)(const topo::hierarchy&, topo::message, topo::blocks, int);
    void (*scatter)(const topo::hierarchy&, topo::blocks, topo::message, int);
    void (*scatterv)(const topo::hierarchy&, topo::blocks, topo::message, int);

    template <class Policy>
    static block_policy of(std::string name) {
        using topo::blocks, topo::hierarchy, topo::message;
        return {
            std::move(name),
            [](const hierarchy& t, message m, blocks b, int root) { topo::gather(t, m, b, root, Policy{}); },
            [](const hierarchy& t, message m, blocks b, int root) { topo::gatherv(t, m, b, root, Policy{}); },
            [](const hierarchy& t, blocks b, message m, int root) { topo::scatter(t, b, m, root, Policy{}); },
            [](const hierarchy& t, blocks b, message m, int root) {
                topo::scatterv(t, b, m, root, Policy{});
            }};
    }
    /// With `automatic` for the verbs whose blocks differ in length.
    template <class Policy>
    static block_policy of_gather_and_scatter(std::string name) {
        using topo::blocks, topo::hierarchy, topo::message;
        block_policy made = of<topo::automatic>(std::move(name));
        made.gather = [](const hierarchy& t, message m, blocks b, int root) {
            topo::gather(t, m, b, root, Policy{});
        };
        made.scatter = [](const hierarchy& t, blocks b, message m, int root) {
            topo::scatter(t, b, m, root, Policy{});
        };
        return made;
    }
};

inline const std::vector<block_policy>& block_policies() {
    using namespace topo;
    static const std::vector<block_policy> policies = [] {
        std::vector<block_policy> all{
            block_policy::of<automatic>("automatic"),
            block_policy::of<linear>("linear"),
            block_policy::of<chain>("chain"),
            block_policy::of<k_ary<3>>("3-ary"),
            block_policy::of<binomial>("binomial"),
            block_policy::of<in_order_binary>("in-order binary"),
            block_policy::of<node_aware_postal<3, 1>>("node_aware_postal"),
            block_policy::of<two_levels<k_nomial<3>, binary>>("two levels"),
            block_policy::of<
                per_level<on<kind::machine, linear>, on<kind::cluster, k_nomial<3>>, otherwise<chain>>>(
                "per level"),
            block_policy::of<segmented<64, binary>>("segmented binary"),
        };
        for_each_algorithm<detail::verb::gather>([&]<class Policy>(const std::string& name) {
            if constexpr (serves(detail::algorithm_of<Policy>, detail::verb::gatherv))
                all.push_back(block_policy::of<Policy>(name));
            else
                all.push_back(block_policy::of_gather_and_scatter<Policy>(name));
        });
        return all;
    }();
    return policies;
}

/// Whether a combination of policy and machine is left out: of many ranks, which are simulated, three of four
/// are.
inline bool is_left_out(int ranks, int combination) { return ranks > 16 && combination % 4 != 0; }

/// All roots; of more than four every second, which of them depends on `turn`; of many some, the ends and
/// what is between. A test that counts its turns on has each policy meet each root on several machines.
inline std::vector<int> roots_to_try(int ranks, int turn = 0) {
    const int step = ranks <= 4 ? 1 : ranks <= 9 ? 2 : ranks / 3;
    std::vector<int> roots;
    for (int root = step == 2 ? turn % 2 : 0; root < ranks; root += step)
        roots.push_back(root);
    if (ranks > 9 && roots.back() != ranks - 1) roots.push_back(ranks - 1);
    return roots;
}

/// Element `i` of rank `rank`'s block in call number `call`: no two are the same.
inline int element_of(int call, int rank, std::size_t i) {
    return call * 7'000'003 + rank * 65'537 + static_cast<int>(i) + 1;
}

/// The value of elements that no block covers.
inline constexpr int untouched = -1;

/// A rank's block, computed.
inline std::vector<int> block_of(int call, int rank, std::size_t count) {
    std::vector<int> block;
    append_numbers(block, count, element_of(call, rank, 0));
    return block;
}

/// All blocks one behind the other in the order of ranks, computed.
inline std::vector<int> all_blocks(int call, int ranks, std::size_t count) {
    std::vector<int> all;
    for (int rank = 0; rank < ranks; ++rank)
        append_numbers(all, count, element_of(call, rank, 0));
    return all;
}

} // namespace topo_test
