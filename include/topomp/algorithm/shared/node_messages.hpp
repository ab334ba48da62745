// SPDX-License-Identifier: BSL-1.0
/// @file
/// What exchanges through the memory of several nodes have in common: the memory, and the messages between
/// nodes.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace topo::detail {

/// The memory of the calling rank's node, if the ranks of nodes move data through it; null if not. In
/// simulations, if that is charged for. @collective over the whole the first time
arena* arena_of_nodes(const hierarchy& levels);

/// The nodes, under the same condition. The same on all ranks. @collective over the whole the first time
copy_groups* nodes_with_memory(const hierarchy& levels);

/// Takes so many bytes from each node's arena for `call`. @return whether all nodes had them; the same on all
/// ranks @collective over the whole
bool take_on_all_nodes(const hierarchy& levels, arena::block& memory, std::size_t bytes, const char* call,
                       window_sharers sharers = window_sharers::of_node);

/// Messages of one call, out of the memory of nodes and into it, under way at a time.
class node_messages {
public:
    /// Forgets those of the last call. All ranks begin the same calls.
    void begin(context& ranks);
    /// The same on a communicator and with a tag that nothing else uses.
    /// @param others what goes on while a rank waits for these
    void begin(MPI_Comm comm, int tag, in_flight& others);

    /// Nothing if there are no bytes, as for `receive`.
    void send(const std::byte* data, std::size_t bytes, int to);
    void receive(std::byte* data, std::size_t bytes, int from);

    /// @throws usage_error if the last call has failed on this rank: what it has left may still come into the
    /// memory of the node. Local
    void require_none_left() const;

    std::size_t number() const noexcept { return requests_.size(); }
    std::span<const MPI_Request> requests() const noexcept { return requests_; }
    /// Waits for the first ones, which are then gone. If one of these functions throws, those under way are
    /// left behind.
    void wait_for(std::size_t first);
    void wait_for_all() { wait_for(number()); }
    /// Whether all are complete, and so gone. @param waits until they are
    bool are_complete(bool waits);

private:
    void check(int code, const char* call, std::string_view object);

    MPI_Comm comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    in_flight* others_ = nullptr;
    std::vector<MPI_Request> requests_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/node_messages.ipp>
#endif
