// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/memory/impl/arena.ipp>
#include <topomp/memory/impl/arena_state.ipp>
#include <topomp/memory/impl/background_slot_of.ipp>
#include <topomp/memory/impl/block_list.ipp>
#include <topomp/memory/impl/free_space.ipp>
#include <topomp/memory/impl/futex_event.ipp>
#include <topomp/memory/impl/mpi_window.ipp>
#include <topomp/memory/impl/node_ranks.ipp>
#include <topomp/memory/impl/node_waiting.ipp>
#include <topomp/memory/impl/numa_share.ipp>
#include <topomp/memory/impl/oversubscription.ipp>
#include <topomp/memory/impl/populate.ipp>
#include <topomp/memory/impl/shared_memory.ipp>
#include <topomp/memory/impl/signals.ipp>
#include <topomp/memory/impl/waiting.ipp>
#include <topomp/memory/impl/window_block.ipp>
#include <topomp/memory/impl/window_layout.ipp>
