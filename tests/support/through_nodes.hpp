// SPDX-License-Identifier: BSL-1.0
/// @file
/// A plan through the memory of nodes, and by an algorithm of choice between them.
#pragma once

#include <topomp/algorithm/shared.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/hierarchical.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>

namespace topo_test {

template <class Between>
inline constexpr const topo::plan& through_nodes = topo::plan_of<
    topo::hierarchical<topo::within<topo::kind::machine, topo::shared>, topo::otherwise<Between>>>;

} // namespace topo_test
