// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/mapping/detail/node_table.hpp>
#include <topomp/mapping/grid_plan.hpp>
#include <topomp/mapping/node_cart.hpp>
#include <topomp/mapping/node_cart_plan.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE node_cart::node_cart(const hierarchy& levels, std::vector<int> dims,
                                   const node_cart_options& options)
    : state_(make(levels, std::move(dims), options)) {}

TOPOMP_INLINE int node_cart::rank(std::initializer_list<int> coordinates) const {
    return rank(std::span{coordinates.begin(), coordinates.size()});
}
TOPOMP_INLINE int node_cart::neighbour(std::initializer_list<int> steps) const {
    return neighbour(std::span{steps.begin(), steps.size()});
}

TOPOMP_INLINE node_cart::node_cart(const boost::mpi::communicator& comm, std::vector<int> dims,
                                   const node_cart_options& options)
    : node_cart(detail::hierarchy_for("topo::node_cart", comm), std::move(dims), options) {}

TOPOMP_INLINE node_cart::node_cart(MPI_Comm comm, std::vector<int> dims, const node_cart_options& options)
    : node_cart(detail::lent(comm), std::move(dims), options) {}

TOPOMP_INLINE int node_cart::old_rank(int rank) const {
    detail::require_rank("topo::node_cart", rank, comm());
    return plan().owner[static_cast<std::size_t>(rank)];
}

TOPOMP_INLINE std::vector<int> node_cart::coordinates(int rank) const {
    detail::require_rank("topo::node_cart", rank, comm());
    return cells().coordinates(rank);
}

TOPOMP_INLINE int node_cart::rank(std::span<const int> coordinates) const {
    require_dimensions(coordinates.size());
    return rank_or_null(cells().neighbour(0, coordinates));
}

TOPOMP_INLINE int node_cart::neighbour(std::span<const int> steps) const {
    require_dimensions(steps.size());
    return rank_or_null(cells().neighbour(rank(), steps));
}

TOPOMP_INLINE node_cart::shifted node_cart::shift(std::size_t dimension, int displacement) const {
    if (dimension >= cells().dimensions())
        throw argument_error("topo::node_cart", "dimension " + std::to_string(dimension),
                             "the grid has " + std::to_string(cells().dimensions()));
    std::vector<int> steps(cells().dimensions());
    steps[dimension] = displacement;
    const int destination = neighbour(steps);
    steps[dimension] = -displacement;
    return {neighbour(steps), destination};
}

TOPOMP_INLINE bool node_cart::is_on_node(int rank) const {
    detail::require_rank("topo::node_cart", rank, comm());
    return plan().node[static_cast<std::size_t>(rank)] == plan().node[static_cast<std::size_t>(this->rank())];
}

TOPOMP_INLINE int node_cart::partners_on_node() const {
    return static_cast<int>(std::ranges::count_if(
        destinations(), [&](int each) { return each != MPI_PROC_NULL && is_on_node(each); }));
}

TOPOMP_INLINE boost::mpi::communicator node_cart::sub(const std::vector<bool>& kept) const {
    const std::vector<int> flags(kept.begin(), kept.end());
    detail::check_on(
        comm(), "topo::node_cart::sub", [&] { require_dimensions(kept.size()); },
        [&](detail::comparison& all) { all.add("kept", extents_text(flags)); });
    MPI_Comm part = MPI_COMM_NULL;
    mpi::check(MPI_Cart_sub(comm(), flags.data(), &part), "MPI_Cart_sub", "grid");
    return detail::own(part);
}

namespace detail {

/// In a checked build: what each rank sends along an offset is as long as what its neighbour expects.
/// @collective over `comm`
TOPOMP_INLINE void compare_halos([[maybe_unused]] const char* call, [[maybe_unused]] MPI_Comm comm,
                                 [[maybe_unused]] const std::vector<int>& sources,
                                 [[maybe_unused]] const std::vector<int>& destinations,
                                 [[maybe_unused]] std::span<const halo> halos) {
    if constexpr (is_checked) {
        const std::size_t count = halos.size();
        const auto bytes = [](int elements, MPI_Datatype type) {
            return bytes_of(message{nullptr, static_cast<std::size_t>(elements), type});
        };
        std::vector<std::size_t> sent(count), coming(count);
        std::vector<MPI_Request> requests(2 * count, MPI_REQUEST_NULL);
        for (std::size_t i = 0; i < count; ++i)
            if (sources[i] != MPI_PROC_NULL)
                mpi::check(MPI_Irecv(&coming[i], 1, mpi::size_type(), sources[i], static_cast<int>(i), comm,
                                     &requests[i]),
                           "MPI_Irecv", "length of a halo");
        for (std::size_t i = 0; i < count; ++i) {
            if (destinations[i] == MPI_PROC_NULL) continue;
            sent[i] = bytes(halos[i].out_count, halos[i].out_type);
            mpi::check(mpi::isend(&sent[i], 1, mpi::size_type(), destinations[i], static_cast<int>(i), comm,
                                  &requests[count + i]),
                       "MPI_Isend", "length of a halo");
        }
        mpi::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                   "MPI_Waitall", "lengths of halos");
        check_on(comm, call, [&] {
            for (std::size_t i = 0; i < count; ++i) {
                if (sources[i] == MPI_PROC_NULL) continue;
                if (const std::size_t room = bytes(halos[i].in_count, halos[i].in_type); coming[i] != room)
                    throw argument_error(call, "halo " + std::to_string(i),
                                         "rank " + std::to_string(sources[i]) + " sends " +
                                             std::to_string(coming[i]) + " bytes, rank " +
                                             std::to_string(mpi::comm_rank(comm)) + " expects " +
                                             std::to_string(room));
            }
        });
    }
}

} // namespace detail

TOPOMP_INLINE void node_cart::exchange(std::span<const halo> halos) const {
    const state& grid = open("exchange");
    constexpr auto call = "topo::node_cart::exchange";
    detail::check_on(grid.private_comm, call, [&] { require_halos(call, halos); });
    if (may_share_messages()) {
        const halo_messages all = messages_of(halos);
        return neighbours().exchange(call, all.out, all.in);
    }
    detail::compare_halos(call, grid.private_comm, grid.sources, grid.destinations, halos);
    auto& requests = grid.requests;
    const std::size_t count = halos.size();
    std::ranges::fill(requests, MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < count; ++i)
        if (grid.sources[i] != MPI_PROC_NULL) // else the type may be none, which MPIs refuse
            mpi::check(MPI_Irecv(halos[i].in, halos[i].in_count, halos[i].in_type, grid.sources[i],
                                 static_cast<int>(i), grid.private_comm, &requests[i]),
                       "MPI_Irecv", "halo");
    for (std::size_t i = 0; i < count; ++i)
        if (grid.destinations[i] != MPI_PROC_NULL)
            mpi::check(mpi::isend(halos[i].out, halos[i].out_count, halos[i].out_type, grid.destinations[i],
                                  static_cast<int>(i), grid.private_comm, &requests[count + i]),
                       "MPI_Isend", "halo");
    mpi::check(MPI_Waitall(static_cast<int>(2 * count), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall",
               "halos");
}

TOPOMP_INLINE bool node_cart::may_share_messages() const {
    constexpr std::size_t few = 4; // the three steps take as many messages
    return destinations().size() > few &&
           std::ranges::any_of(plan().node, [](int node) { return node != 0; }) &&
           neighbours().direct_from() > 0;
}

TOPOMP_INLINE node_cart::halo_messages node_cart::messages_of(std::span<const halo> halos) const {
    halo_messages all{std::vector<message>(halos.size()), std::vector<message>(halos.size())};
    for (std::size_t i = 0; i < halos.size(); ++i) { // beyond an edge types may be none
        const halo& each = halos[i];
        if (destinations()[i] != MPI_PROC_NULL)
            all.out[i] = {const_cast<void*>(each.out), static_cast<std::size_t>(each.out_count),
                          each.out_type};
        if (sources()[i] != MPI_PROC_NULL)
            all.in[i] = {each.in, static_cast<std::size_t>(each.in_count), each.in_type};
    }
    return all;
}

TOPOMP_INLINE neighbourhood node_cart::neighbours() const {
    const state& here = open("neighbours");
    if (!here.neighbours) {
        std::vector<int> keys(here.sources.size()); // a link is that of its offset
        std::iota(keys.begin(), keys.end(), 0);
        here.neighbours.emplace(std::make_shared<detail::node_groups>(here.comm, here.plan.node),
                                here.sources, here.destinations, neighbour_route::best, keys, keys);
    }
    return *here.neighbours;
}

TOPOMP_INLINE const node_cart::state& node_cart::open(const char* member) const {
    detail::require_usable(state_ != nullptr, "topo::node_cart", member);
    return *state_;
}

TOPOMP_INLINE void node_cart::require_halos(const char* call, std::span<const halo> halos) const {
    if (halos.size() != destinations().size())
        throw argument_error(call, std::to_string(halos.size()) + " halos",
                             "the stencil has " + std::to_string(destinations().size()) + " offsets");
    const auto require = [&](std::size_t offset, int partner, const void* data, int count,
                             MPI_Datatype type) {
        if (partner == MPI_PROC_NULL) return;
        if (count < 0)
            throw argument_error(call, "halo " + std::to_string(offset),
                                 "a count of " + std::to_string(count) + " elements is negative");
        detail::require_type(call, type);
        if (data == nullptr && count > 0)
            detail::refuse_null(call, "halo " + std::to_string(offset), static_cast<std::size_t>(count),
                                type);
    };
    for (std::size_t i = 0; i < halos.size(); ++i) {
        require(i, destinations()[i], halos[i].out, halos[i].out_count, halos[i].out_type);
        require(i, sources()[i], halos[i].in, halos[i].in_count, halos[i].in_type);
    }
}

TOPOMP_INLINE void node_cart::require_dimensions(std::size_t count) const {
    if (count != cells().dimensions())
        throw argument_error("topo::node_cart", std::to_string(count) + " values",
                             "the grid has " + std::to_string(cells().dimensions()) + " dimensions");
}

TOPOMP_INLINE std::shared_ptr<const node_cart::state>
node_cart::make(const hierarchy& levels, std::vector<int> dims, const node_cart_options& options) {
    detail::require_open("topo::node_cart", levels);
    const auto& whole = levels.whole();
    detail::check_on(
        whole, "topo::node_cart", [] {},
        [&](detail::comparison& all) { detail::add_request(all, dims, options); });
    grid_plan plan =
        detail::shared_grid_plan(detail::node_table::of(levels), std::move(dims), options, whole);
    const grid& cells = plan.cells;
    const int rank = plan.cells_of_ranks()[static_cast<std::size_t>(whole.rank())];
    const auto ordered = std::ranges::is_sorted(plan.owner)
                             ? detail::own(mpi::comm_dup(whole, "ranks of a grid"))
                             : detail::in_order(whole, plan.owner, "order of a grid");
    const std::vector<int> periods(cells.periods().begin(), cells.periods().end());
    MPI_Comm cart = MPI_COMM_NULL;
    mpi::meet_before_creation(ordered);
    mpi::check(MPI_Cart_create(ordered, static_cast<int>(cells.dimensions()), cells.extents().data(),
                               periods.data(), 0, &cart),
               "MPI_Cart_create", "grid");
    auto built =
        std::make_shared<state>(state{std::move(plan), detail::own(cart), ordered, rank, {}, {}, {}, {}});
    for (const auto& each : built->plan.pattern.offsets()) {
        std::vector<int> opposite = each.steps;
        for (int& step : opposite)
            step = -step;
        built->destinations.push_back(rank_or_null(built->plan.cells.neighbour(rank, each.steps)));
        built->sources.push_back(rank_or_null(built->plan.cells.neighbour(rank, opposite)));
    }
    built->requests.resize(2 * built->destinations.size());
    return built;
}

} // namespace topo
