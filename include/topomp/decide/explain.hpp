// SPDX-License-Identifier: BSL-1.0
/// @file
/// What `automatic` decides, and why.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace topo {

/// What `automatic` decides for a call on this hierarchy, why, and what three other plans would take: the
/// next candidates, then others that could serve, with a `-` where no time is known.
///
/// ```
///   all_reduce of 8 bytes: 240 ranks on 10 nodes of 24, with memory in common
///     hierarchical<within<kind::machine, shared>, otherwise<rounds_in_level<4>>>       7.2 us  model of
///     ntw32x16
///   next
///     ...
///   ntw32x16: 2.6 us and 12.5 GB/s between nodes, of benchmarks/platforms/ntw32x16.xml
/// ```
/// @param verb as the function is called @param bytes of the message; of gathers, scatters and exchanges of a
/// block; of reduce_scatter of all blocks
/// @return the same text on all ranks @collective over the whole the first time, as the call
/// @throws argument_error if there is no such verb
std::string explain(const hierarchy& levels, std::string_view verb, std::size_t bytes,
                    bool is_commutative = true);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/explain.ipp>
#endif
