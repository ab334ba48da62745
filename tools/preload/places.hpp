// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where all ranks of the program run.
#pragma once

#include <topomp/hardware/place.hpp>
#include <topomp/mapping/detail/node_table.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace topo::preload {

/// The node of each rank of MPI_COMM_WORLD and its part of that. Every rank knows all of them, so that
/// MPI_Cart_map, which MPI calls local, gives the numbers that MPI_Cart_create gives. 16 bytes a rank.
class places_of_ranks {
public:
    /// @param mine the calling rank's @collective over MPI_COMM_WORLD @cost an all-gather of 16 bytes
    void gather(const place& mine, int node);

    /// Which ranks of a communicator are on which node; nothing if one is of another program. Local
    std::optional<detail::node_table> table_of(MPI_Comm comm) const;

    /// How many ranks of MPI_COMM_WORLD each node has, in the order of the nodes' lowest ranks.
    std::vector<int> node_sizes() const;

private:
    struct spot {
        std::int32_t node;
        std::array<std::uint16_t, 6> inside; ///< the objects around the rank, by their kinds
    };
    std::vector<spot> spots_;
};

} // namespace topo::preload
