// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/detail/scan_algorithms.hpp>
#include <topomp/collective/engines/of_scan.hpp>
#include <topomp/collective/engines/shared_scan.hpp>
#include <topomp/collective/impl/scan_algorithms.ipp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_scan = forms_of<verb::scan>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const void*, const message&, MPI_Op, scan_kind,
                                const plan&)>(&scan<Only>);
});
#endif

} // namespace topo::detail
