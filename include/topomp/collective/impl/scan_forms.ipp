// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/engines/of_scan.hpp>
#include <topomp/collective/forms/scan.hpp>
#include <topomp/collective/impl/begin.ipp>

#ifdef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#include <topomp/collective/persistent.hpp>

#include <utility>
#endif

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr std::pair compiled_scan_forms{compiled_begin<at_once, scan_arguments>(),
                                                             compiled_begin<when_started, scan_arguments>()};
#endif

} // namespace topo::detail
