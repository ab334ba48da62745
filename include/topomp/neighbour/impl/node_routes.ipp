// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/node_routes.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE node_routes node_routes::of(const node_members& nodes, int rank,
                                          std::span<const node_wishes> wishes) {
    std::set<int> give_to, gather_from, nodes_out, nodes_in, hand_to, receive_from;
    node_routes result;
    const int node = nodes.node(rank);
    int sent = 0, received = 0;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        const int other = nodes.of_node(node)[i];
        for (const auto& [to, links] : wishes[i].out) {
            const int carrier = nodes.carrier(node, to);
            if (other == rank) sent += links;
            if (other == rank && carrier != rank) give_to.insert(carrier);
            if (carrier != rank) continue;
            if (other != rank) gather_from.insert(other);
            nodes_out.insert(to);
            result.mine.links += links;
            ++result.mine.blocks;
        }
        for (const auto& [from, links] : wishes[i].in) {
            const int carrier = nodes.carrier(node, from);
            if (other == rank) received += links;
            if (other == rank && carrier != rank) receive_from.insert(carrier);
            if (carrier != rank) continue;
            if (other != rank) hand_to.insert(other);
            nodes_in.insert(from);
            result.mine.links += links;
            result.mine.blocks += links;
        }
    }
    const auto list = [](const std::set<int>& from) { return std::vector<int>(from.begin(), from.end()); };
    result.give_to = list(give_to);
    result.gather_from = list(gather_from);
    result.nodes_out = list(nodes_out);
    result.nodes_in = list(nodes_in);
    result.hand_to = list(hand_to);
    result.receive_from = list(receive_from);
    result.mine.direct = std::max(sent, received);
    result.mine.messages =
        static_cast<int>(std::max(give_to.size() + nodes_out.size() + hand_to.size(),
                                  gather_from.size() + nodes_in.size() + receive_from.size()));
    return result;
}

TOPOMP_INLINE std::size_t direct_from(const node_routes::load& most, int most_links) {
    constexpr long long start = 4096, head = 24;
    constexpr std::size_t longest = std::size_t{1} << 16;
    const long long gain = start * (most.direct - most.messages - 2LL) - head * most_links;
    if (gain <= 0) return 0;
    const long long loss = static_cast<long long>(most_links) - most.direct;
    return loss <= 0 ? longest : std::min(longest, static_cast<std::size_t>(gain / loss));
}

} // namespace topo::detail
