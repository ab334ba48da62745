// SPDX-License-Identifier: BSL-1.0
/// @file
/// The members of one level as ranks of their own, for operations that take a context.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

/// The members of a level, without levels between them. Attached to them at the first call.
class level_context {
public:
    /// @collective over the members
    explicit level_context(const level_members& here) : levels_(here.comm(), place{}) {
        here.running().include(levels_);
    }

    context& ranks() { return context::of(levels_); }

private:
    hierarchy levels_;
};

} // namespace topo::detail
