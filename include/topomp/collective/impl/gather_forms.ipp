// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/engines/flat_rooted_blocks.hpp>
#include <topomp/collective/engines/in_background.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/collective/forms/gather.hpp>
#include <topomp/collective/impl/begin.ipp>

#ifdef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#include <topomp/collective/persistent.hpp>

#include <utility>
#endif

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr std::pair compiled_gather_forms{
    compiled_begin<at_once, gathering_arguments<verb::gather>>(),
    compiled_begin<when_started, gathering_arguments<verb::gather>>()};
[[gnu::used]] static constexpr std::pair compiled_gatherv_forms{
    compiled_begin<at_once, gathering_arguments<verb::gatherv>>(),
    compiled_begin<when_started, gathering_arguments<verb::gatherv>>()};
#endif

} // namespace topo::detail
