// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hierarchies that test cases share: to build one takes longer than most calls over it, where ranks share
/// cores.
#pragma once

#include "made_up.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <map>
#include <string>

namespace topo_test {

using kept_hierarchies = std::map<std::string, topo::hierarchy>; ///< by name of the scenario

/// What is kept until MPI ends, which is when the attributes of MPI_COMM_SELF are deleted.
inline kept_hierarchies& hierarchies_of_the_world() {
    static kept_hierarchies* const kept = [] {
        const auto delete_kept = [](MPI_Comm, int, void* hierarchies, void*) -> int {
            delete static_cast<kept_hierarchies*>(hierarchies);
            return MPI_SUCCESS;
        };
        int key = MPI_KEYVAL_INVALID;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_kept, &key, nullptr);
        auto* const made = new kept_hierarchies;
        MPI_Comm_set_attr(MPI_COMM_SELF, key, made);
        MPI_Comm_free_keyval(&key);
        return made;
    }();
    return *kept;
}

/// The ranks of `comm` on a machine. Ranks of the world get the hierarchy that an earlier call has built.
/// @collective over `comm`
inline topo::hierarchy hierarchy_on(const boost::mpi::communicator& comm, const scenario& each) {
    if (static_cast<MPI_Comm>(comm) != MPI_COMM_WORLD) return {comm, each.on, each.rule};
    auto& kept = hierarchies_of_the_world();
    auto found = kept.find(each.name);
    if (found == kept.end()) found = kept.emplace(each.name, topo::hierarchy{comm, each.on, each.rule}).first;
    return found->second;
}

} // namespace topo_test
