// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/attribute.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/node_routes.hpp>
#include <topomp/neighbour/detail/shared_links.hpp>
#include <topomp/neighbour/detail/topology_lists.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

struct neighbourhood::state {
    std::shared_ptr<detail::node_groups> groups;
    std::vector<int> sources, destinations;
    neighbour_route route = neighbour_route::best;
    detail::links links;
    detail::node_routes routes;
    std::size_t direct_from = 0, direct_from_in_gather = 0; ///< in messages
    std::shared_ptr<detail::shared_links> memory{};         ///< null: all goes in messages
};

namespace detail {

/// Refuses neighbours that are no ranks; in a checked build also lists that do not fit each other.
TOPOMP_INLINE void require_neighbours(const node_groups& groups, std::span<const int> sources,
                                      std::span<const int> destinations) {
    const int size = groups.comm.size();
    std::vector<int> sent(static_cast<std::size_t>(size)), listed = sent, coming = sent;
    const auto count = [&](std::span<const int> ranks, const char* list, std::vector<int>& counts) {
        for (const int rank : ranks) {
            if (rank == MPI_PROC_NULL) continue;
            if (rank < 0 || rank >= size)
                throw argument_error(neighbourhood_name, std::string{list} + ' ' + std::to_string(rank),
                                     "there are " + std::to_string(size) + " ranks");
            ++counts[static_cast<std::size_t>(rank)];
        }
        return true;
    };
    all_or_none(groups.comm,
                [&] { return count(destinations, "destination", sent) && count(sources, "source", listed); });
    if constexpr (is_checked) {
        mpi::check(MPI_Alltoall(sent.data(), 1, MPI_INT, coming.data(), 1, MPI_INT, groups.comm),
                   "MPI_Alltoall", "numbers of links");
        all_or_none(groups.comm, [&] {
            for (std::size_t rank = 0; rank < coming.size(); ++rank)
                if (coming[rank] != listed[rank])
                    throw argument_error(neighbourhood_name, "sources",
                                         "rank " + std::to_string(groups.comm.rank()) + " lists rank " +
                                             std::to_string(rank) + ' ' + std::to_string(listed[rank]) +
                                             " times, which lists it as a destination " +
                                             std::to_string(coming[rank]) + " times");
            return true;
        });
    }
}

/// The other nodes of a rank's links.
TOPOMP_INLINE std::vector<node_links> links_by_node(const node_groups& groups, std::span<const int> ranks) {
    std::map<int, int> links;
    for (const int rank : ranks)
        if (rank != MPI_PROC_NULL && groups.nodes.node(rank) != groups.node())
            ++links[groups.nodes.node(rank)];
    std::vector<node_links> result;
    for (const auto& [node, count] : links)
        result.push_back({node, count});
    return result;
}

/// Those of all ranks of the node. @collective over `inside`
TOPOMP_INLINE std::vector<node_wishes> wishes_of_node(const node_groups& groups, const node_wishes& mine) {
    static_assert(sizeof(node_links) == 2 * sizeof(int));
    const auto ranks = static_cast<std::size_t>(groups.inside.size());
    const std::array<int, 2> numbers{static_cast<int>(mine.out.size()), static_cast<int>(mine.in.size())};
    std::vector<int> all_numbers(2 * ranks), counts, begins;
    mpi::check(MPI_Allgather(numbers.data(), 2, MPI_INT, all_numbers.data(), 2, MPI_INT, groups.inside),
               "MPI_Allgather", "numbers of nodes");
    int end = 0;
    for (std::size_t i = 0; i < ranks; ++i) {
        begins.push_back(end);
        counts.push_back(2 * (all_numbers[2 * i] + all_numbers[2 * i + 1]));
        end += counts.back();
    }
    std::vector<node_links> sent = mine.out, all(static_cast<std::size_t>(end) / 2);
    sent.insert(sent.end(), mine.in.begin(), mine.in.end());
    mpi::check(MPI_Allgatherv(sent.data(), 2 * static_cast<int>(sent.size()), MPI_INT, all.data(),
                              counts.data(), begins.data(), MPI_INT, groups.inside),
               "MPI_Allgatherv", "nodes of neighbours");
    std::vector<node_wishes> result(ranks);
    auto next = all.begin();
    for (std::size_t i = 0; i < ranks; ++i) {
        for (auto* const list : {&result[i].out, &result[i].in}) {
            const auto last = next + all_numbers[2 * i + (list == &result[i].out ? 0U : 1U)];
            list->assign(next, last);
            next = last;
        }
    }
    return result;
}

/// In a checked build: each link's two ends have blocks of one length. @collective over the communicator
TOPOMP_INLINE void compare_lengths([[maybe_unused]] const char* call,
                                   [[maybe_unused]] const node_groups& groups,
                                   [[maybe_unused]] const links& all,
                                   [[maybe_unused]] std::span<const message> out,
                                   [[maybe_unused]] std::span<const message> in) {
    if constexpr (is_checked) {
        const auto sent = std::make_shared<std::vector<std::size_t>>(out.size() + in.size());
        const auto coming = std::span{*sent}.subspan(out.size());
        std::vector<message> out_lengths, in_lengths;
        for (std::size_t i = 0; i < out.size(); ++i) {
            (*sent)[i] = bytes_of(out[i]);
            out_lengths.push_back({&(*sent)[i], 1, mpi::size_type()});
        }
        for (std::size_t& each : coming)
            in_lengths.push_back({&each, 1, mpi::size_type()});
        std::vector<MPI_Request> requests;
        node_exchange lengths{call, groups, all, out_lengths, in_lengths, requests};
        const auto move = [&] {
            lengths.start_direct(0);
            lengths.finish();
        };
        lengths.keep_if_failed(move, sent);
        const auto compare = [&] {
            for (std::size_t i = 0; i < in.size(); ++i)
                if (all.in[i].rank != MPI_PROC_NULL && coming[i] != bytes_of(in[i]))
                    throw argument_error(call, "block " + std::to_string(i),
                                         "rank " + std::to_string(all.in[i].rank) + " sends " +
                                             std::to_string(coming[i]) + " bytes, rank " +
                                             std::to_string(groups.comm.rank()) + " expects " +
                                             std::to_string(bytes_of(in[i])));
            return true;
        };
        all_or_none(groups.comm, compare,
                    [&](std::int64_t* values, std::size_t count) { groups.lowest_of_all(values, count); });
    }
}

/// In a checked build: the blocks of all ranks that have any are equally long.
/// @collective over the communicator
TOPOMP_INLINE void require_equal_lengths([[maybe_unused]] const char* call,
                                         [[maybe_unused]] const node_groups& groups,
                                         [[maybe_unused]] const links& all,
                                         [[maybe_unused]] std::span<const message> out,
                                         [[maybe_unused]] std::span<const message> in) {
    if constexpr (is_checked) {
        constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
        const auto length = static_cast<std::int64_t>(length_of(out, in));
        const auto is_link = [](const link_end& end) { return end.rank != MPI_PROC_NULL; };
        const bool has_blocks = std::ranges::any_of(all.out, is_link) || std::ranges::any_of(all.in, is_link);
        std::array<std::int64_t, 2> ends{has_blocks ? length : none, has_blocks ? -length : none};
        groups.lowest_of_all(ends.data(), ends.size());
        const auto [least, most] = std::pair{ends[0], -ends[1]};
        if (least != none && least != most)
            throw argument_error(call, "elements",
                                 "ranks have blocks of " + std::to_string(least) + " to " +
                                     std::to_string(most) + " bytes, which must all be equally long");
    }
}

/// The groups of a hierarchy. The pointer keeps the hierarchy, which owns them.
TOPOMP_INLINE std::shared_ptr<node_groups> groups_with_hierarchy(const hierarchy& levels) {
    require_open("topo::neighbourhood", levels);
    return {std::make_shared<hierarchy>(levels), &node_groups::of(levels)};
}

} // namespace detail

TOPOMP_INLINE neighbourhood::neighbourhood(const hierarchy& levels, std::vector<int> sources,
                                           std::vector<int> destinations, neighbour_route route)
    : neighbourhood(detail::groups_with_hierarchy(levels), std::move(sources), std::move(destinations),
                    route) {}

TOPOMP_INLINE neighbourhood::neighbourhood(std::shared_ptr<detail::node_groups> groups,
                                           std::vector<int> sources, std::vector<int> destinations,
                                           neighbour_route route, std::vector<int> source_keys,
                                           std::vector<int> destination_keys) {
    detail::require_neighbours(*groups, sources, destinations);
    const auto wishes = detail::wishes_of_node(
        *groups, {detail::links_by_node(*groups, destinations), detail::links_by_node(*groups, sources)});
    auto links = detail::links::of(groups->nodes, sources, destinations, source_keys, destination_keys);
    auto routes = detail::node_routes::of(groups->nodes, groups->comm.rank(), wishes);
    const std::array mine{routes.mine.direct, routes.mine.messages, routes.mine.links, routes.mine.blocks,
                          groups->has_failed ? 1 : 0};
    std::array<int, 5> most{};
    mpi::allreduce(mine.data(), most.data(), 5, MPI_INT, MPI_MAX, groups->comm, "loads of ranks");
    if (most[4] != 0) groups = detail::node_groups::renewed(std::move(groups));
    const detail::node_routes::load busiest{most[0], most[1], most[2], most[3]};
    const auto limit = [&](int links_of_busiest) {
        if (route == neighbour_route::direct || busiest.direct == 0) return std::size_t{0};
        if (route == neighbour_route::by_node) return std::numeric_limits<std::size_t>::max();
        return detail::direct_from(busiest, links_of_busiest);
    };
    const auto made = std::make_shared<state>(
        state{std::move(groups), std::move(sources), std::move(destinations), route, std::move(links),
              std::move(routes), limit(busiest.links), limit(busiest.blocks)});
    state_ = made;
    if (route == neighbour_route::direct) return;
    made->memory = detail::shared_links::of(*made->groups, made->links, route == neighbour_route::by_node);
}

TOPOMP_INLINE neighbourhood neighbourhood::of(MPI_Comm comm) {
    using cache = detail::attribute<neighbourhood, detail::on_duplicate::forget>;
    mpi::require_intracommunicator(detail::neighbourhood_name, comm);
    if (const neighbourhood* const known = cache::find(comm)) return *known;
    auto lists = detail::topology_of(comm);
    neighbourhood made{detail::groups_with_hierarchy(hierarchy::of(comm)),
                       std::move(lists.sources),
                       std::move(lists.destinations),
                       neighbour_route::best,
                       std::move(lists.source_keys),
                       std::move(lists.destination_keys)};
    cache::set(comm, made);
    return made;
}

TOPOMP_INLINE const neighbourhood::state& neighbourhood::open(const char* member) const {
    // Without a length of `member` where nothing is wrong: each call asks several times.
    const bool is_usable = state_ != nullptr && !mpi::end_was_seen.load_relaxed();
    if (!is_usable) [[unlikely]]
        detail::require_usable(state_ != nullptr, detail::neighbourhood_name, member);
    return *state_;
}

TOPOMP_INLINE void detail::lowest_of_neighbours(const neighbourhood& links, std::int64_t* values,
                                                std::size_t count) {
    links.open("exchange").groups->lowest_of_all(values, count);
}

TOPOMP_INLINE const boost::mpi::communicator& neighbourhood::comm() const {
    return open("comm").groups->comm;
}

TOPOMP_INLINE const std::vector<int>& neighbourhood::sources() const { return open("sources").sources; }

TOPOMP_INLINE const std::vector<int>& neighbourhood::destinations() const {
    return open("destinations").destinations;
}

TOPOMP_INLINE std::size_t neighbourhood::direct_from() const {
    const state& known = open("direct_from");
    return known.memory != nullptr ? known.memory->direct_from(false) : known.direct_from;
}

TOPOMP_INLINE std::size_t neighbourhood::direct_from_in_gather() const {
    const state& known = open("direct_from_in_gather");
    return known.memory != nullptr ? known.memory->direct_from(true) : known.direct_from_in_gather;
}

TOPOMP_INLINE void neighbourhood::exchange(const char* call, std::span<const message> out,
                                           std::span<const message> in, bool is_same, bool is_equal) const {
    const state& known = open("exchange");
    const detail::in_flight::turn alone{known.groups->running};
    known.groups->require_sound(call);
    detail::compare_lengths(call, *known.groups, known.links, out, in);
    if (is_equal) detail::require_equal_lengths(call, *known.groups, known.links, out, in);
    std::vector<MPI_Request> requests;
    detail::node_exchange running{call, *known.groups, known.links, out, in, requests};
    if (known.memory != nullptr) {
        const auto from = known.memory->direct_from(is_same, is_equal, out, in);
        using parts = detail::shared_links::parts;
        const auto where = is_equal ? known.memory->parts_of(from, is_same, out, in) : parts::both;
        const auto move_in_memory = [&] {
            const auto place = known.memory->queue();
            while (!known.memory->is_next(call, place)) { // those before it were started
                known.groups->running.go_on();
                detail::yield_core();
            }
            try {
                known.memory->begin(out, in, from, is_same, detail::neighbour_tag::across);
                known.memory->go_on(true);
            } catch (...) {
                known.memory->note_failure();
                throw;
            }
            known.memory->leave();
        };
        const auto move = [&] {
            if (where != parts::memory)
                running.start_direct(from, known.memory->messages_inside_from(is_same));
            if (where != parts::messages) move_in_memory();
            if (where != parts::memory) running.finish();
        };
        running.keep_if_failed(move, known.memory);
        if (where != parts::messages && !known.memory->problem().empty())
            throw argument_error(call, "block", known.memory->problem());
        return;
    }
    const std::size_t limit = is_same ? known.direct_from_in_gather : known.direct_from;
    running.keep_if_failed([&] {
        running.start_direct(limit);
        if (limit > 0) running.by_node(known.routes, limit, is_same);
        running.finish();
    });
    running.require_lengths();
}

} // namespace topo
