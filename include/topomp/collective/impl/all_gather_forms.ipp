// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/engines/in_background.hpp>
#include <topomp/collective/engines/of_all_gather.hpp>
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
