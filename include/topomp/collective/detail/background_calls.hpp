// SPDX-License-Identifier: BSL-1.0
/// @file
/// The arguments of calls whose blocking forms need no engine of their own.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/verb.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

class context;

/// As the calls of collective/detail/calls.hpp. Blocks have positions.
struct gatherv_in_background {
    static constexpr verb what = verb::gatherv;
    const char* name; ///< as errors have it
    context& ranks;
    const message& mine;
    const blocks& result;
    int root;
};

struct scatterv_in_background {
    static constexpr verb what = verb::scatterv;
    const char* name; ///< as errors have it
    context& ranks;
    const blocks& source;
    const message& mine;
    int root;
};

struct all_gatherv_in_background {
    static constexpr verb what = verb::all_gatherv;
    const hierarchy& levels;
    context& ranks;
    const blocks& result;
    std::size_t bytes; ///< of all blocks
};

} // namespace topo::detail
