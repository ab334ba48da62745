// SPDX-License-Identifier: BSL-1.0
/// @file
/// Collectives of one hierarchy that are in progress at the same time.
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/error.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// The started collectives of one hierarchy that are not complete. There is no progress thread, so a rank
/// that waits for one collective advances all: otherwise two ranks that wait for two collectives in different
/// orders would deadlock.
class in_flight {
public:
    bool empty() const noexcept { return operations_.empty(); }

    void add(operation& one) { operations_.push_back(&one); }
    void remove(operation& one) { std::erase(operations_, &one); }

    /// Waits for the end of one, inside MPI, so that a core shared with other ranks is given up.
    void wait(operation& one);

    /// Goes as far as possible without waiting. @return whether that one is complete
    bool test(operation& one);

private:
    /// Where the requests of an operation begin among all that are tested.
    struct part {
        operation* whose = nullptr;
        std::size_t begin = 0;
    };

    /// The requests of one operation and of all others in flight, in one array.
    void collect(operation& one);
    void append(operation& next);

    void await();

    /// Frees the slot of a message that has arrived; the caller advances the first operation.
    void note_arrival(int which);

    std::vector<operation*> operations_;
    std::vector<part> parts_;
    std::vector<MPI_Request> requests_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/progress/impl/in_flight.ipp>
#endif
