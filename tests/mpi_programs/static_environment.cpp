// SPDX-License-Identifier: BSL-1.0
// MPI ends in the destructor of a static object that is older than all of topomp's.
#include "support/program_check.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <optional>

namespace {

struct old_static {
    boost::mpi::environment environment;
};

std::optional<old_static> mpi;

} // namespace

int main() {
    mpi.emplace();
    const boost::mpi::communicator world;
    static const auto levels = topo::hierarchy::of(world);
    topo_test::check(levels.whole().size() == world.size(), "the hierarchy is that of the world");
    return topo_test::exit_code();
}
