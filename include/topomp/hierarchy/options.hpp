// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which levels a hierarchy shall have.
#pragma once

#include <topomp/hardware/detail/network_value.hpp>
#include <topomp/hardware/kind.hpp>

#include <limits>
#include <vector>

namespace topo {

/// What a rank's place is read from.
enum class binding_source {
    binding, ///< the CPUs that the rank is bound to (paper 1, section 3.2.4)
    last_cpu ///< the CPU that the rank last ran on: a guess for ranks that are not bound
};

/// Which levels a hierarchy shall have, and where the places of its ranks come from. An aggregate:
///
///     topo::hierarchy levels{world, {.only = {topo::kind::machine, topo::kind::numa_node}}};
struct hierarchy_options {
    std::vector<kind> only{};                             ///< only levels of these kinds; empty: all kinds
    std::vector<kind> skip{};                             ///< no levels of these kinds
    int max_depth = std::numeric_limits<int>::max();      ///< at most so many levels
    topo::network network = network::slurm_environment(); ///< the switches; `network::none()` for none
    binding_source source = binding_source::binding;      ///< of real places; made-up ones are as they are

    /// Whether an object of this kind may become a level.
    bool wants(kind which) const;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/options.ipp>
#endif
