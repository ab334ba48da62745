// SPDX-License-Identifier: BSL-1.0
/// @file
/// A Cartesian communicator whose neighbours share nodes.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/mapping/grid_plan.hpp>
#include <topomp/mapping/node_cart_plan.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace topo {

class request;
class persistent;

/// What is sent along one offset of a stencil, and what arrives along it: from the cell on the opposite side.
struct halo {
    const void* out = nullptr;                 ///< what is sent along the offset
    int out_count = 0;                         ///< elements of `out_type`
    MPI_Datatype out_type = MPI_DATATYPE_NULL; ///< of the elements sent
    void* in = nullptr;                        ///< where to put what arrives
    int in_count = 0;                          ///< elements of `in_type`
    MPI_Datatype in_type = MPI_DATATYPE_NULL;  ///< of the elements received
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
/// Copies share the communicator; the last one frees it. One that was moved from, or outlives `MPI_Finalize`,
/// may be destroyed, copied and assigned to; every other use throws a usage_error.
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
    node_cart(const hierarchy& levels, std::vector<int> dims, const node_cart_options& options = {});

    /// The same for the ranks of a communicator, with the hierarchy that is cached on it: the table of its
    /// nodes is reused by the next grid. @collective over `comm`
    node_cart(const boost::mpi::communicator& comm, std::vector<int> dims,
              const node_cart_options& options = {});
    /// The same for a raw communicator, which stays the caller's.
    node_cart(MPI_Comm comm, std::vector<int> dims, const node_cart_options& options = {});

    /// The communicator, with MPI's Cartesian topology: its neighbour collectives work on it.
    const boost::mpi::communicator& comm() const { return open("comm").comm; }
    /// The same, for MPI calls.
    operator MPI_Comm() const { return comm(); }
    /// The calling rank's cell.
    int rank() const { return open("rank").rank; }
    /// The number of cells.
    int size() const { return cells().size(); }

    /// The grid: extents, periods, coordinates.
    const grid& cells() const { return open("cells").plan.cells; }
    /// The extent of each dimension.
    const std::vector<int>& dims() const { return cells().extents(); }
    /// Whether each dimension is a circle.
    const std::vector<bool>& periods() const { return cells().periods(); }

    /// The owner of each cell: `plan().owner` counts as the communicator did from which this one was made,
    /// and `plan().blocked` is what that order would have cost. Never worse than that.
    const grid_plan& plan() const { return open("plan").plan; }

    /// The number that a rank had before. Local. @throws argument_error if there is no such rank
    int old_rank(int rank) const;

    /// The coordinates of a rank. Local. @throws argument_error if there is no such rank
    std::vector<int> coordinates(int rank) const;
    /// The coordinates of the calling rank. Local.
    std::vector<int> coordinates() const { return cells().coordinates(rank()); }

    /// The rank at coordinates, or `MPI_PROC_NULL` beyond an edge. Local. @throws argument_error if there are
    /// not as many as dimensions
    int rank(std::span<const int> coordinates) const;
    /// The same: `grid.rank({1, 0})`.
    int rank(std::initializer_list<int> coordinates) const;

    /// The rank so many steps away along each dimension, diagonals included; `MPI_PROC_NULL` beyond an edge.
    /// Local. @throws argument_error if there are not as many as dimensions
    int neighbour(std::span<const int> steps) const;
    /// The same: `grid.neighbour({1, -1})`.
    int neighbour(std::initializer_list<int> steps) const;

    /// The ranks at the other ends of a shift, as `MPI_Cart_shift` gives them.
    struct shifted {
        int source;      ///< the rank that reaches the caller; `MPI_PROC_NULL` beyond an edge
        int destination; ///< the rank that the caller reaches; `MPI_PROC_NULL` beyond an edge
    };
    /// Local. @throws argument_error if there is no such dimension
    shifted shift(std::size_t dimension, int displacement) const;

    /// The ranks at the stencil's offsets, in its order; `MPI_PROC_NULL` beyond an edge. Local.
    const std::vector<int>& destinations() const { return open("destinations").destinations; }
    /// The ranks that reach this one along the stencil's offsets, in its order. Local.
    const std::vector<int>& sources() const { return open("sources").sources; }

    /// The plan of `neighbour_all_to_all` and its like on this grid: block i goes along offset i of the
    /// stencil, and block i of the result came along it. @collective over `comm()` the first time
    /// @cost then as the constructor of `neighbourhood`
    neighbourhood neighbours() const;

    /// Whether a rank is on the calling rank's node. Local. @throws argument_error if there is no such rank
    bool is_on_node(int rank) const;
    /// How many of the calling rank's destinations are on its node; the others are elsewhere or beyond an
    /// edge.
    int partners_on_node() const;

    /// The part of the grid in which the coordinates of the omitted dimensions are the caller's.
    /// @collective over `comm()`, with the same argument @throws argument_error if there is not a word for
    /// each dimension
    boost::mpi::communicator sub(const std::vector<bool>& kept) const;

    /// Sends to all destinations and receives from all sources at once, and waits for that. The messages are
    /// on a communicator of the grid's own: those of the caller on `comm()` never match them.
    ///
    /// On several nodes, with a stencil of more than four offsets, halos of fewer bytes than
    /// `neighbours().direct_from()` go by node.
    ///
    /// @param halos one for each offset of the stencil; nothing moves beyond an edge
    /// @collective over `comm()`
    /// @throws argument_error if there are not as many, or for a count or datatype that no message has, or a
    /// null address; as `neighbourhood::exchange` for what goes by node. In a checked build on all ranks,
    /// also if a halo has another length than its source sends
    void exchange(std::span<const halo> halos) const;

    /// Starts what `exchange` does. Elements and datatypes must stay until the request is complete, those
    /// that are sent unchanged and those that arrive unread; the list of halos need not. Several may be under
    /// way. Halos go as the blocks of `ineighbour_all_to_allv(grid, ...)`, on the communicators of
    /// `neighbours()`. Declared here, and to be called with `<topomp/mapping/halo_exchange.hpp>`.
    /// @collective over `comm()`; local, but for the first exchange of neighbours on the grid
    /// @throws argument_error as `exchange`; `wait` throws it where a halo that came with others has another
    /// length @see MPI standard, Nonblocking Neighborhood Communication
    request iexchange(std::span<const halo> halos) const;

    /// Prepares what `exchange` does, for many starts. Nothing is read or filled before `persistent::start`.
    /// Elements and datatypes must stay until the result is destroyed; the list of halos need not. Declared
    /// here, and to be called with `<topomp/mapping/halo_exchange.hpp>`.
    /// @collective over `comm()` @throws argument_error as `iexchange`
    /// @see MPI standard 4.0, Persistent Neighborhood Communication
    persistent exchange_init(std::span<const halo> halos) const;

private:
    struct state {
        grid_plan plan;
        boost::mpi::communicator comm;
        boost::mpi::communicator private_comm; ///< of the same ranks, for `exchange` alone
        int rank = 0;
        std::vector<int> destinations, sources;
        mutable std::vector<MPI_Request> requests;         ///< reused, so that exchanges allocate nothing
        mutable std::optional<neighbourhood> neighbours{}; ///< made at first use
    };

    const state& open(const char* member) const;

    static int rank_or_null(int cell) { return cell == grid::outside ? MPI_PROC_NULL : cell; }

    void require_halos(const char* call, std::span<const halo> halos) const;

    /// What is sent to each destination, and what comes from each source.
    struct halo_messages {
        std::vector<message> out, in;
    };
    halo_messages messages_of(std::span<const halo> halos) const;
    /// @tparam Form `at_once` or `when_started`
    template <class Form>
    auto begin(const char* call, const char* member, std::span<const halo> halos) const;

    /// Whether some halos may go by node.
    bool may_share_messages() const;

    void require_dimensions(std::size_t count) const;

    static std::shared_ptr<const state> make(const hierarchy& levels, std::vector<int> dims,
                                             const node_cart_options& options);

    std::shared_ptr<const state> state_;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/node_cart.ipp>
#endif
