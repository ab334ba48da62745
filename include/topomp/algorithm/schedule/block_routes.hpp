// SPDX-License-Identifier: BSL-1.0
/// @file
/// The routes of blocks in one hierarchy, kept from call to call.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/schedule/block_route.hpp>

#include <map>

namespace topo::detail {

/// The routes of a hierarchy, made at first use. @collective over the whole the first time
class block_routes {
public:
    explicit block_routes(context& ranks) : ranks_(ranks) {}

    const block_route& bruck(int radix);
    const block_route& by_node(int radix);

private:
    context& ranks_;
    std::map<int, block_route> bruck_, by_node_; ///< by radix
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/block_routes.ipp>
#endif
