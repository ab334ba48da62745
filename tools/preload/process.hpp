// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the preload library keeps between MPI_Init and MPI_Finalize.
#pragma once

#include "chooser.hpp"
#include "places.hpp"
#include "settings.hpp"
#include <topomp/hardware/place.hpp>

#include <atomic>
#include <cstdint>

namespace topo::preload {

/// What a process of the program knows, from the end of MPI_Init on. One object.
struct process {
    std::atomic<bool> is_on{false}; ///< else every call is the MPI's own; the same on all ranks
    bool has_begun = false, has_ended = false;
    settings asked;
    chooser policy;
    /// Whether non-blocking collectives may be topomp's: MPI lets threads call it, on all ranks.
    bool has_background = false;
    place mine;             ///< where this rank runs
    int node = 0;           ///< the same on the ranks of a node, another one on each other node
    places_of_ranks places; ///< only where grids or dims are asked for
    std::int64_t world = 0; ///< a number of this MPI_COMM_WORLD: spawned programs have others

    static process& self();

    /// Whether communicators get ready for non-blocking collectives before there are any.
    bool prepares_background() const {
        return has_background && asked.nonblocking == background_wish::always;
    }

    /// Reads the settings and finds out where all ranks run.
    /// @collective over MPI_COMM_WORLD @cost that of `discover_place`, and a few broadcasts
    void begin() noexcept;
    /// From now on every call is the MPI's own. Prints the report where one is wanted.
    /// @collective over MPI_COMM_WORLD
    void end() noexcept;

private:
    void find_places();
    void ask_for_background();
};

} // namespace topo::preload
