// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which of the exchanges between nodes hybrid verbs leave to the MPI.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/policy.hpp>

#include <cstddef>

namespace topo::detail {

/// Whether one rank of each of few nodes had better call the MPI's own collective than what `automatic`
/// chooses, which is tuned for many.
///
/// Between 4 made-up hosts, microseconds of the hybrid verb by `automatic` and by the MPI, 2026-11-22:
///
/// ```
///   broadcast, bytes             4 KiB    8 KiB    16 KiB   32 KiB   64 KiB     128 KiB
///   Open MPI                     113 130  103 103  171 101  218 106  310 271    471 1419
///   MPICH                        199 158  153 166  250 169  345 652  333 731    504 1052
///   all_reduce, bytes            8        512      1 KiB    4 KiB    16 KiB     64 KiB
///   Open MPI                     166 184  166 184  262 200  288 219  425 342    383 386
///   MPICH                        337 302  398 542           683 632  939 685    1037 1523
///   all_gather, bytes in all     128      2 KiB    16 KiB   64 KiB   256 KiB    1 MiB
///   Open MPI                     170 216  175 194  219 257  214 229  510 578    5576 7583
///   MPICH                        345 282  409 360  522 407  483 790  2105 1712  7850 13082
/// ```
bool is_for_mpi(verb what, const hierarchy& groups, [[maybe_unused]] std::size_t bytes);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/between_nodes.ipp>
#endif
