// SPDX-License-Identifier: BSL-1.0
/// @file
/// The forms in which `topomp show` prints a hierarchy.
#pragma once

#include <topomp/hierarchy/outline.hpp>

#include <ostream>
#include <span>
#include <string>

namespace topo::tool {

/// Ranks as a list with ranges: `0-3,8`.
std::string rank_list(std::span<const int> ranks);

/// `L3Cache (also Package, NUMANode) node0/L3Cache#0`
std::string title(const outline::communicator& comm);

void render_text(std::ostream& out, const outline& all);
void render_json(std::ostream& out, const outline& all);
void render_dot(std::ostream& out, const outline& all);
void render_svg(std::ostream& out, const outline& all);

} // namespace topo::tool
