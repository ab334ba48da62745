// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hierarchies that test cases share: to build one takes longer than most calls over it, where ranks share
/// cores.
#pragma once

#include "made_up.hpp"
#include <topomp/core/detail/attribute.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>

#include <map>
#include <string>

namespace topo_test {

/// The ranks of `comm` on a machine: the hierarchy that an earlier call has built, by the machine's name.
/// Kept until the communicator is freed or MPI ends. @collective over `comm`
inline topo::hierarchy hierarchy_on(const boost::mpi::communicator& comm, const scenario& each) {
    using hierarchies = std::map<std::string, topo::hierarchy>;
    using cache = topo::detail::attribute<hierarchies, topo::detail::on_duplicate::forget>;
    if (cache::find(comm) == nullptr) cache::set(comm, {});
    hierarchies& kept = *cache::find(comm);
    if (const auto found = kept.find(each.name); found != kept.end()) return found->second;
    return kept.emplace(each.name, topo::hierarchy{comm, each.on, each.rule}).first->second;
}

} // namespace topo_test
