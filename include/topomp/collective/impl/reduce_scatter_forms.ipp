// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/native/flat_blocks_operation.hpp>
#include <topomp/collective/engines/of_reduce_scatter.hpp>
#include <topomp/collective/forms/reduce_scatter.hpp>
#include <topomp/collective/impl/begin.ipp>

#ifdef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#include <topomp/collective/persistent.hpp>

#include <utility>
#endif

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr std::pair compiled_reduce_scatter_forms{
    compiled_begin<at_once, reduce_scatter_arguments>(),
    compiled_begin<when_started, reduce_scatter_arguments>()};
#endif

} // namespace topo::detail
