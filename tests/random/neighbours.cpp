// SPDX-License-Identifier: BSL-1.0
// Exchanges with neighbours in a random graph, and sparse exchanges.
#include "drawn_call.hpp"
#include <topomp/neighbour/ineighbour_all_gather.hpp>
#include <topomp/neighbour/ineighbour_all_to_all.hpp>
#include <topomp/neighbour/isparse_exchange.hpp>
#include <topomp/neighbour/neighbour_all_gather.hpp>
#include <topomp/neighbour/neighbour_all_gather_init.hpp>
#include <topomp/neighbour/neighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_to_all_init.hpp>
#include <topomp/neighbour/neighbourhood.hpp>
#include <topomp/neighbour/sparse_exchange.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace topo_random {

namespace {

using numbers = std::vector<std::uint64_t>;
using topo::neighbour_route;

constexpr std::array routes{neighbour_route::best, neighbour_route::direct, neighbour_route::by_node};
constexpr std::array route_names{" by the best route", " directly", " by node"};

/// A link of the graph: which block of the sender's becomes the receiver's next one.
struct link {
    int from = 0, to = 0;
    std::size_t length = 0;
};

/// Links of all ranks, in the order of senders, so that of several links between two ranks the first is the
/// first at both. Some ranks have none, some one to themselves.
std::vector<link> draw_links(const drawing& from, std::size_t most) {
    std::vector<link> made;
    const int one_in = 1 + from.roll.up_to(3);
    const bool has_equal = from.roll.one_in(2);
    const std::size_t scale = from.draw_count(most);
    for (int source = 0; source < from.size(); ++source)
        for (int target = 0; target < from.size(); ++target)
            for (int i = from.roll.one_in(one_in) ? 1 + (from.roll.one_in(6) ? 1 : 0) : 0; i > 0; --i)
                made.push_back(
                    {source, target,
                     has_equal ? scale : static_cast<std::size_t>(from.below(static_cast<int>(scale) + 1))});
    return made;
}

/// One exchange as a rank sees it.
struct exchange {
    std::vector<int> sources, destinations;
    std::vector<std::size_t> counts, result_counts;
    numbers out, result, expected;
    std::string problem;

    /// @param make a `topo::persistent` of the exchange @param begin a `topo::request` of it @param wait
    /// waits
    template <class Make, class Begin, class Wait>
    void run(form call_form, Make make, Begin begin, Wait wait) {
        const auto look = [&] {
            if (result != expected) problem = "other results";
            std::fill(result.begin(), result.end(), 1);
        };
        if (call_form == form::in_background) begin().wait();
        if (call_form == form::waits) wait();
        if (call_form != form::prepared) return look();
        topo::persistent step = make();
        for (int i = 0; i < 2; ++i) {
            step.start();
            step.wait();
            look();
        }
    }
};

} // namespace

drawn_call draw_neighbours(const drawing& from) {
    drawn_call made;
    const bool is_gather = from.roll.one_in(2);
    const auto call_form = static_cast<form>(from.roll.up_to(2));
    const auto route = static_cast<std::size_t>(from.roll.up_to(2));
    std::vector<link> links = draw_links(from, 700);
    std::vector<std::size_t> own_length(static_cast<std::size_t>(from.size())); // of an all-gather
    const bool has_one_length = from.roll.one_in(2);
    for (std::size_t& each : own_length)
        each = has_one_length && &each != &own_length.front() ? own_length.front() : from.draw_count(700);

    auto mine = std::make_shared<exchange>();
    const auto value = [&](int rank, std::size_t number, std::size_t i) {
        return from.call * 1000003 + static_cast<std::uint64_t>(rank) * 65537 + number * 1009 + i;
    };
    std::vector<std::size_t> sent(own_length.size(), 0); // so many blocks of each rank
    for (link& each : links) {
        std::size_t& number = sent[static_cast<std::size_t>(each.from)];
        if (is_gather) each.length = own_length[static_cast<std::size_t>(each.from)];
        const std::size_t data = is_gather ? 0 : number++;
        if (each.from == from.rank()) {
            mine->destinations.push_back(each.to);
            mine->counts.push_back(each.length);
            for (std::size_t i = 0; !is_gather && i < each.length; ++i)
                mine->out.push_back(value(each.from, data, i));
        }
        if (each.to != from.rank()) continue;
        mine->sources.push_back(each.from);
        mine->result_counts.push_back(each.length);
        for (std::size_t i = 0; i < each.length; ++i)
            mine->expected.push_back(value(each.from, data, i));
    }
    for (std::size_t i = 0; is_gather && i < own_length[static_cast<std::size_t>(from.rank())]; ++i)
        mine->out.push_back(value(from.rank(), 0, i));
    mine->result.assign(mine->expected.size(), 1);

    made.text = name_of(is_gather ? "neighbour_all_gatherv" : "neighbour_all_to_allv", call_form) +
                " along " + std::to_string(links.size()) + " links" + route_names[route];
    made.start = [&levels = from.levels, mine, is_gather, call_form, route]() -> topo::request {
        exchange& e = *mine;
        const topo::neighbourhood where{levels, e.sources, e.destinations, routes[route]};
        if (is_gather)
            e.run(
                call_form,
                [&] { return topo::neighbour_all_gatherv_init(where, e.out, e.result, e.result_counts); },
                [&] { return topo::ineighbour_all_gatherv(where, e.out, e.result, e.result_counts); },
                [&] { topo::neighbour_all_gatherv(where, e.out, e.result, e.result_counts); });
        else
            e.run(
                call_form,
                [&] {
                    return topo::neighbour_all_to_allv_init(where, e.out, e.counts, e.result,
                                                            e.result_counts);
                },
                [&] {
                    return topo::ineighbour_all_to_allv(where, e.out, e.counts, e.result, e.result_counts);
                },
                [&] { topo::neighbour_all_to_allv(where, e.out, e.counts, e.result, e.result_counts); });
        return {};
    };
    made.look = [mine] { return mine->problem; };
    return made;
}

drawn_call draw_sparse_exchange(const drawing& from, bool in_background) {
    drawn_call made;
    const auto route = static_cast<std::size_t>(from.roll.up_to(2));
    std::map<int, numbers> sent, expected;
    std::size_t messages = 0;
    for (const link& each : draw_links(from, 700)) {
        numbers data(each.length);
        std::iota(data.begin(), data.end(),
                  from.call * 4099 + static_cast<std::uint64_t>(each.from * from.size() + each.to));
        if (each.from == from.rank()) sent[each.to] = data;
        if (each.to == from.rank()) expected[each.from] = data;
        ++messages;
    }
    made.text = std::string{in_background ? "i" : ""} + "sparse_exchange of " + std::to_string(messages) +
                " blocks" + route_names[route];
    auto result = std::make_shared<std::map<int, numbers>>();
    made.start = [&levels = from.levels, sent, route, in_background, result]() -> topo::request {
        if (in_background) return topo::isparse_exchange(levels, sent, *result, routes[route]);
        *result = topo::sparse_exchange(levels, sent, routes[route]);
        return {};
    };
    made.look = [result, expected] { return *result == expected ? std::string{} : "other blocks"; };
    return made;
}

} // namespace topo_random
