// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/engines/flat_rooted_blocks.hpp>
#include <topomp/collective/engines/in_background.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/collective/forms/scatter.hpp>
#include <topomp/collective/impl/begin.ipp>

#ifdef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#include <topomp/collective/persistent.hpp>

#include <utility>
#endif

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr std::pair compiled_scatter_forms{
    compiled_begin<at_once, scattering_arguments<verb::scatter>>(),
    compiled_begin<when_started, scattering_arguments<verb::scatter>>()};
[[gnu::used]] static constexpr std::pair compiled_scatterv_forms{
    compiled_begin<at_once, scattering_arguments<verb::scatterv>>(),
    compiled_begin<when_started, scattering_arguments<verb::scatterv>>()};
#endif

} // namespace topo::detail
