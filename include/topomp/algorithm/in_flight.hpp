// SPDX-License-Identifier: BSL-1.0
/// @file
/// Collectives of one hierarchy that are on their way at the same time.
#pragma once

#include <topomp/algorithm/operation.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// The started collectives of one hierarchy that are not complete. Nobody but the ranks themselves moves
/// their messages, so whoever waits for one moves all: else two ranks that wait for two collectives in
/// different order would wait for ever.
class in_flight {
public:
    bool empty() const noexcept { return operations_.empty(); }

    void add(operation& one) { operations_.push_back(&one); }
    void remove(operation& one) { std::erase(operations_, &one); }

    /// Waits for the end of one, inside MPI, so that a core shared with other ranks is given up.
    void wait(operation& one) {
        while (!one.advance()) {
            if (operations_.empty()) {
                one.await();
            } else {
                collect(one);
                await();
            }
        }
    }

    /// Goes as far as possible without waiting. @return whether that one is complete
    bool test(operation& one) {
        while (!one.advance()) {
            collect(one);
            int which = MPI_UNDEFINED, arrived = 0;
            mpi::check(MPI_Testany(static_cast<int>(requests_.size()), requests_.data(), &which, &arrived,
                                   MPI_STATUS_IGNORE),
                       "MPI_Testany", "messages of collectives");
            if (arrived == 0 || which == MPI_UNDEFINED) return false;
            note_arrival(which);
        }
        return true;
    }

private:
    /// Where the requests of an operation begin among all that are looked at.
    struct part {
        operation* whose = nullptr;
        std::size_t begin = 0;
    };

    /// The requests of one operation and of all others in flight, in one row.
    void collect(operation& one) {
        parts_.clear();
        requests_.clear();
        append(one);
        for (operation* const other : operations_)
            if (other != &one) append(*other);
    }
    void append(operation& next) {
        parts_.push_back({&next, requests_.size()});
        requests_.insert(requests_.end(), next.slots_.begin(), next.slots_.end());
    }

    void await() {
        const int which = mpi::wait_any(requests_, "messages of collectives");
        if (which == MPI_UNDEFINED) throw error("topo::request", "collective", "it waits for nothing");
        note_arrival(which);
    }

    /// Frees the slot of a message that has arrived; the first part is advanced by the caller.
    void note_arrival(int which) {
        const auto index = static_cast<std::size_t>(which);
        std::size_t p = parts_.size() - 1;
        while (parts_[p].begin > index)
            --p;
        operation& owner = *parts_[p].whose;
        owner.slots_[index - parts_[p].begin] = requests_[index];
        if (p != 0) owner.advance();
    }

    std::vector<operation*> operations_;
    std::vector<part> parts_;
    std::vector<MPI_Request> requests_;
};

} // namespace topo::detail
