// SPDX-License-Identifier: BSL-1.0
/// @file
/// Asking the system for pages before they are used, and giving them back.
#pragma once

#include <cstddef>

namespace topo::detail {

/// Has all of these pages in memory and known to the calling process, those that are there already as well,
/// so that no use of them waits for the system. Does nothing where the system cannot (Linux before 5.14).
/// @param data where a page begins @cost 0.1 us for a page that is there, 1 us for a new one
/// @return false if there is no memory for them: then to touch one would end the program (SIGBUS)
bool populate([[maybe_unused]] std::byte* data, [[maybe_unused]] std::size_t bytes) noexcept;

/// The calling process does not use the pages that lie wholly in a large piece of shared memory any more;
/// for others they stay as they are. An MPI that has registered them with a network adapter watches this call
/// of the process (UCX, libfabric, Open MPI), and forgets the registration. Without it the adapter would read
/// and write the pages of now when other ones are in their place, after `give_pages_back`.
void leave_pages(std::byte* data, std::size_t bytes) noexcept;

/// Gives such pages back to the system: they are gone for every process that maps them, and free until
/// a process accesses them again. Where the system cannot, they stay as they are.
/// @pre all processes have called `leave_pages`
void give_pages_back(std::byte* data, std::size_t bytes) noexcept;

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/populate.ipp>
#endif
