// SPDX-License-Identifier: BSL-1.0
/// @file
/// A Cartesian communicator whose neighbours share nodes.
#pragma once

#include <topomp/core/argument_checks.hpp>
#include <topomp/core/comparison.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/core/usable.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/mapping/grid_plan.hpp>
#include <topomp/mapping/node_cart_plan.hpp>
#include <topomp/mapping/node_table.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

/// What is sent along one offset of a stencil, and what arrives along it: from the cell on the opposite side.
struct halo {
    const void* out = nullptr;
    int out_count = 0;
    MPI_Datatype out_type = MPI_DATATYPE_NULL;
    void* in = nullptr;
    int in_count = 0;
    MPI_Datatype in_type = MPI_DATATYPE_NULL;
};

/// A Cartesian communicator: rank r has cell r of a grid, and ranks are numbered so that cells that exchange
/// data are on the same node as far as possible.
///
/// ```
///   old ranks on two nodes of 4    0 1 2 3 | 4 5 6 7
///   cells of a 2 x 4 grid          0 1 4 5     old rank of each cell
///                                  2 3 6 7
/// ```
///
/// Copies share the communicator; the last one frees it. One that was moved from, or is kept beyond
/// `MPI_Finalize`, may be destroyed, copied and assigned to; all else throws a usage_error.
/// @see paper 3, section 2; paper 4, section 3.1
class node_cart {
public:
    /// Maps a grid to the ranks of a hierarchy.
    ///
    /// @param dims cells along each dimension; 0: chosen together with the mapping
    /// @collective over the whole, with the same arguments
    /// @cost the first time an all-gather of three integers per rank; a plan, made by rank 0; two integers
    /// per rank to all; an `MPI_Cart_create`, and a communicator of the grid's own for `exchange`
    /// @throws argument_error as `grid_plan::of`, on every rank
    node_cart(const hierarchy& tree, std::vector<int> dims, const node_cart_options& options = {})
        : state_(make(tree, std::move(dims), options)) {}

    /// The same for the ranks of a communicator, with the hierarchy that is cached on it: what is known of
    /// its nodes is used again by the next grid. @collective over `comm`
    node_cart(const boost::mpi::communicator& comm, std::vector<int> dims,
              const node_cart_options& options = {})
        : node_cart(detail::hierarchy_for("topo::node_cart", comm), std::move(dims), options) {}
    node_cart(MPI_Comm comm, std::vector<int> dims, const node_cart_options& options = {})
        : node_cart(detail::lent(comm), std::move(dims), options) {}

    /// The communicator, with MPI's Cartesian topology: its neighbour collectives work on it.
    const boost::mpi::communicator& comm() const { return open("comm").comm; }
    operator MPI_Comm() const { return comm(); }
    int rank() const { return open("rank").rank; }
    int size() const { return cells().size(); }

    const grid& cells() const { return open("cells").plan.cells; }
    const std::vector<int>& dims() const { return cells().extents(); }
    const std::vector<bool>& periods() const { return cells().periods(); }

    /// Who has which cell: `plan().owner` counts as the communicator did from which this one was made, and
    /// `plan().blocked` is what that order would have cost. Never worse than that.
    const grid_plan& plan() const { return open("plan").plan; }

    /// The number that a rank had before. Local. @throws argument_error if there is no such rank
    int old_rank(int rank) const {
        detail::require_rank("topo::node_cart", rank, comm());
        return plan().owner[static_cast<std::size_t>(rank)];
    }

    /// The coordinates of a rank. Local. @throws argument_error if there is no such rank
    std::vector<int> coordinates(int rank) const {
        detail::require_rank("topo::node_cart", rank, comm());
        return cells().coordinates(rank);
    }
    std::vector<int> coordinates() const { return cells().coordinates(rank()); }

    /// The rank at coordinates, or `MPI_PROC_NULL` beyond an edge. Local. @throws argument_error if there are
    /// not as many as dimensions
    int rank(std::span<const int> coordinates) const {
        require_dimensions(coordinates.size());
        return rank_or_null(cells().neighbour(0, coordinates));
    }

    /// The rank so many steps away along each dimension, diagonals included; `MPI_PROC_NULL` beyond an edge.
    /// Local. @throws argument_error if there are not as many as dimensions
    int neighbour(std::span<const int> steps) const {
        require_dimensions(steps.size());
        return rank_or_null(cells().neighbour(rank(), steps));
    }

    /// The ranks at the other ends of a shift, as `MPI_Cart_shift` gives them.
    struct shifted {
        int source, destination;
    };
    /// Local. @throws argument_error if there is no such dimension
    shifted shift(std::size_t dimension, int displacement) const {
        if (dimension >= cells().dimensions())
            throw argument_error("topo::node_cart", "dimension " + std::to_string(dimension),
                                 "the grid has " + std::to_string(cells().dimensions()));
        std::vector<int> steps(cells().dimensions());
        steps[dimension] = displacement;
        const int destination = neighbour(steps);
        steps[dimension] = -displacement;
        return {neighbour(steps), destination};
    }

    /// The ranks at the stencil's offsets, in its order; `MPI_PROC_NULL` beyond an edge. Local.
    const std::vector<int>& destinations() const { return open("destinations").destinations; }
    /// The ranks that reach this one along the stencil's offsets, in its order. Local.
    const std::vector<int>& sources() const { return open("sources").sources; }

    /// Whether a rank is on the calling rank's node. Local. @throws argument_error if there is no such rank
    bool is_on_node(int rank) const {
        detail::require_rank("topo::node_cart", rank, comm());
        return plan().node[static_cast<std::size_t>(rank)] ==
               plan().node[static_cast<std::size_t>(this->rank())];
    }
    /// How many of the calling rank's destinations are on its node; the others are elsewhere or beyond an
    /// edge.
    int partners_on_node() const {
        return static_cast<int>(std::ranges::count_if(
            destinations(), [&](int each) { return each != MPI_PROC_NULL && is_on_node(each); }));
    }

    /// The part of the grid in which the coordinates of the dimensions that are not kept are the caller's.
    /// @collective over `comm()`, with the same argument @throws argument_error if there is not a word for
    /// each dimension
    boost::mpi::communicator sub(const std::vector<bool>& kept) const {
        const std::vector<int> flags(kept.begin(), kept.end());
        detail::check_on(
            comm(), "topo::node_cart::sub", [&] { require_dimensions(kept.size()); },
            [&](detail::comparison& all) { all.add("kept", extents_text(flags)); });
        MPI_Comm part = MPI_COMM_NULL;
        mpi::check(MPI_Cart_sub(comm(), flags.data(), &part), "MPI_Cart_sub", "grid");
        return detail::own(part);
    }

    /// Sends to all destinations and receives from all sources at once, and waits for that. The messages are
    /// on a communicator of the grid's own: those of the caller on `comm()` never match them.
    ///
    /// @param halos one for each offset of the stencil; nothing moves beyond an edge
    /// @collective over the neighbours; in a checked build over `comm()`
    /// @throws argument_error if there are not as many, or for a count or datatype that no message has
    void exchange(std::span<const halo> halos) const {
        const state& grid = open("exchange");
        detail::check_on(grid.wire, "topo::node_cart::exchange", [&] { require_halos(halos); });
        auto& requests = grid.requests;
        const std::size_t count = halos.size();
        for (std::size_t i = 0; i < count; ++i)
            mpi::check(MPI_Irecv(halos[i].in, halos[i].in_count, halos[i].in_type, grid.sources[i],
                                 static_cast<int>(i), grid.wire, &requests[i]),
                       "MPI_Irecv", "halo");
        for (std::size_t i = 0; i < count; ++i)
            mpi::check(MPI_Isend(halos[i].out, halos[i].out_count, halos[i].out_type, grid.destinations[i],
                                 static_cast<int>(i), grid.wire, &requests[count + i]),
                       "MPI_Isend", "halo");
        mpi::check(MPI_Waitall(static_cast<int>(2 * count), requests.data(), MPI_STATUSES_IGNORE),
                   "MPI_Waitall", "halos");
    }

private:
    struct state {
        grid_plan plan;
        boost::mpi::communicator comm;
        boost::mpi::communicator wire; ///< of the same ranks, for `exchange` alone
        int rank = 0;
        std::vector<int> destinations, sources;
        mutable std::vector<MPI_Request> requests; ///< kept, so that exchanges allocate nothing
    };

    const state& open(const char* member) const {
        detail::require_usable(state_ != nullptr, "topo::node_cart", member);
        return *state_;
    }

    static int rank_or_null(int cell) { return cell == grid::outside ? MPI_PROC_NULL : cell; }

    void require_halos(std::span<const halo> halos) const {
        constexpr auto call = "topo::node_cart::exchange";
        if (halos.size() != destinations().size())
            throw argument_error(call, std::to_string(halos.size()) + " halos",
                                 "the stencil has " + std::to_string(destinations().size()) + " offsets");
        const auto require = [&](std::size_t offset, int partner, int count, MPI_Datatype type) {
            if (partner == MPI_PROC_NULL) return;
            if (count < 0)
                throw argument_error(call, "halo " + std::to_string(offset),
                                     "a count of " + std::to_string(count) + " elements is negative");
            detail::require_type(call, type);
        };
        for (std::size_t i = 0; i < halos.size(); ++i) {
            require(i, destinations()[i], halos[i].out_count, halos[i].out_type);
            require(i, sources()[i], halos[i].in_count, halos[i].in_type);
        }
    }

    void require_dimensions(std::size_t count) const {
        if (count != cells().dimensions())
            throw argument_error("topo::node_cart", std::to_string(count) + " values",
                                 "the grid has " + std::to_string(cells().dimensions()) + " dimensions");
    }

    static std::shared_ptr<const state> make(const hierarchy& tree, std::vector<int> dims,
                                             const node_cart_options& options) {
        const auto& whole = tree.whole();
        detail::check_on(
            whole, "topo::node_cart", [] {},
            [&](detail::comparison& all) { detail::add_request(all, dims, options); });
        grid_plan plan =
            detail::shared_grid_plan(detail::node_table::of(tree), std::move(dims), options, whole);
        const grid& cells = plan.cells;
        const int rank = plan.cells_of_ranks()[static_cast<std::size_t>(whole.rank())];
        const auto ordered = std::ranges::is_sorted(plan.owner)
                                 ? boost::mpi::communicator{whole, boost::mpi::comm_duplicate}
                                 : detail::in_order(whole, plan.owner, "order of a grid");
        const std::vector<int> periods(cells.periods().begin(), cells.periods().end());
        MPI_Comm cart = MPI_COMM_NULL;
        mpi::check(MPI_Cart_create(ordered, static_cast<int>(cells.dimensions()), cells.extents().data(),
                                   periods.data(), 0, &cart),
                   "MPI_Cart_create", "grid");
        auto built =
            std::make_shared<state>(state{std::move(plan), detail::own(cart), ordered, rank, {}, {}, {}});
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

    std::shared_ptr<const state> state_;
};

} // namespace topo
