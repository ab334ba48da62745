// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/engines/bruck.hpp>
#include <topomp/collective/engines/circulant_blocks.hpp>
#include <topomp/collective/engines/flat_all_gather.hpp>
#include <topomp/collective/engines/in_background.hpp>
#include <topomp/collective/engines/lane_blocks.hpp>
#include <topomp/collective/engines/neighbour_exchange.hpp>
#include <topomp/collective/engines/recursive_doubling_blocks.hpp>
#include <topomp/collective/engines/ring_blocks.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/collective/forms/all_gather.hpp>
#include <topomp/collective/impl/begin.ipp>

#ifdef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#include <topomp/collective/persistent.hpp>

#include <utility>
#endif

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr std::pair compiled_all_gather_forms{
    compiled_begin<at_once, all_gathering_arguments<verb::all_gather>>(),
    compiled_begin<when_started, all_gathering_arguments<verb::all_gather>>()};
[[gnu::used]] static constexpr std::pair compiled_all_gatherv_forms{
    compiled_begin<at_once, all_gathering_arguments<verb::all_gatherv>>(),
    compiled_begin<when_started, all_gathering_arguments<verb::all_gatherv>>()};
#endif

} // namespace topo::detail
