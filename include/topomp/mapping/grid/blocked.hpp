// SPDX-License-Identifier: BSL-1.0
/// @file
/// The mapping that MPI gives: rank r has cell r.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

namespace topo::detail {

node_map blocked_map(const node_list& nodes);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/blocked.ipp>
#endif
