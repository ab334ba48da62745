// SPDX-License-Identifier: BSL-1.0
/// @file
/// The interface of a program's own algorithm: the ranks that move data in one level, and attached objects.
#pragma once

#include <topomp/core/detail/attachments.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <concepts>
#include <memory>
#include <type_traits>

namespace topo {

class arena;

namespace detail {
struct background_slot;
class in_flight;
} // namespace detail

/// The ranks among which an algorithm moves data in one level: its members or, where the policy says
/// `within`, all its ranks. In the order of the whole.
///
/// ```
///   whole                0   1   2   3   4   5
///   level                                        of two nodes, and inside them
///   members, outside     0           3           between the nodes
///   members, inside     (0   1   2) (3   4   5)
/// ```
class level_members {
public:
    /// @param memory where the hierarchy stores the memory of the calling rank's node @param running what was
    /// started on the hierarchy; both must outlive this object
    level_members(boost::mpi::communicator comm, level_info info, arena* const& memory,
                  detail::in_flight& running);

    /// Their private communicator; the root's number is a rank of it.
    const boost::mpi::communicator& comm() const noexcept { return comm_; }
    /// The same, for MPI calls.
    operator const boost::mpi::communicator&() const noexcept { return comm_; }

    /// What the level stands for.
    const level_info& info() const noexcept { return info_; }

    /// The calling member's number in `comm()`.
    int rank() const noexcept { return rank_; }
    /// The number of members.
    int size() const noexcept { return size_; }

    /// The hierarchy's memory in the calling rank's node, if its ranks are the ones here and it was made: it
    /// is for algorithms with `static constexpr bool uses_node_memory = true`. Else null; the same on all
    /// members. A file that calls it includes <topomp/memory/arena.hpp>.
    template <std::same_as<arena> Arena = arena>
    Arena* node_memory() const {
        if (*memory_ == nullptr) return nullptr;
        Arena& all = **memory_;
        int result = MPI_UNEQUAL;
        mpi::check(MPI_Comm_compare(all.comm(), comm_, &result), "MPI_Comm_compare", "ranks of a node");
        return result == MPI_CONGRUENT ? &all : nullptr;
    }

    /// With what a rank goes on while it waits in the hierarchy's memory; null: nothing, or there is no
    /// memory.
    template <std::same_as<arena> Arena = arena>
    std::shared_ptr<detail::background_slot> background() const {
        const Arena* const all = *memory_;
        return all == nullptr ? nullptr : all->background();
    }

    /// What was started on the hierarchy, and goes on while a rank waits here by topomp's own means.
    detail::in_flight& running() const noexcept { return *running_; }

    /// An object of the algorithm's own in this level, such as shared memory: one per type, made at the first
    /// call, from what is here or from the communicator if it has such a constructor. It is destroyed with
    /// the hierarchy, on all members, before their communicator: its destructor may call MPI if MPI still
    /// runs.
    template <class T>
    T& attached() {
        if constexpr (std::is_constructible_v<T, const level_members&>)
            return objects_.get<T>([this] { return std::make_shared<T>(*this); });
        else if constexpr (std::is_constructible_v<T, const boost::mpi::communicator&>)
            return objects_.get<T>([this] { return std::make_shared<T>(comm_); });
        else
            return objects_.get<T>([] { return std::make_shared<T>(); });
    }

private:
    boost::mpi::communicator comm_;
    level_info info_;
    int rank_, size_;
    arena* const* memory_;
    detail::in_flight* running_;
    detail::attachments objects_;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/level_members.ipp>
#endif
