// SPDX-License-Identifier: BSL-1.0
/// @file
/// The arguments of one call, after they were checked, as the engines take them.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/verb.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

class context;

/// Each call names its verb. Ranks are those of `levels`.
struct barrier_call {
    static constexpr verb what = verb::barrier;
    context& ranks;
};

struct broadcast_call {
    static constexpr verb what = verb::broadcast;
    context& ranks;
    const message& data;
    int root;
};

struct reduce_call {
    static constexpr verb what = verb::reduce;
    context& ranks;
    const void* input;
    const message& result;
    combination combiner;
    int root;
};

struct all_reduce_call {
    static constexpr verb what = verb::all_reduce;
    context& ranks;
    const void* input;
    const message& result;
    combination combiner;
};

struct gather_call {
    static constexpr verb what = verb::gather;
    const hierarchy& levels;
    context& ranks;
    const message& mine;
    const blocks& result;
    int root;
};

struct scatter_call {
    static constexpr verb what = verb::scatter;
    const hierarchy& levels;
    context& ranks;
    const blocks& source;
    const message& mine;
    int root;
};

/// Also of all_gatherv. @pre the calling rank's block is in its place
struct all_gather_call {
    static constexpr verb what = verb::all_gather;
    const hierarchy& levels;
    context& ranks;
    const blocks& result;
};

struct all_to_all_call {
    static constexpr verb what = verb::all_to_all;
    const hierarchy& levels;
    context& ranks;
    const blocks& source;
    const blocks& result;
};

/// @pre `source` and `result` have counts and positions
struct all_to_allv_call {
    static constexpr verb what = verb::all_to_allv;
    const hierarchy& levels;
    context& ranks;
    const blocks& source;
    const blocks& result;
};

struct reduce_scatter_call {
    static constexpr verb what = verb::reduce_scatter;
    context& ranks;
    const blocks& input;
    std::size_t elements; ///< of all blocks
    const message& mine;
    combination combiner;
};

struct scan_call {
    static constexpr verb what = verb::scan; ///< or exclusive_scan, which the same algorithms serve
    context& ranks;
    const void* input;
    const message& result;
    MPI_Op op;
    scan_kind kind;
};

} // namespace topo::detail
