// SPDX-License-Identifier: BSL-1.0
// What is cached when MPI ends is freed then; what a static object holds does no harm after it.
#include "support/open_handles.hpp"
#include "support/program_check.hpp"
#include "support/shared_windows.hpp"
#include <topomp/collective/broadcast.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/split.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <optional>

namespace {

std::optional<topo::hierarchy> static_tree; // destroyed after MPI_Finalize
std::optional<topo::level> static_level;

topo::hierarchy build(const boost::mpi::communicator& comm) {
    return topo::hierarchy{comm, topo::machine::parse("node:2 package:2 core:2"),
                           topo::placement::round_robin()};
}

/// Collectives that keep communicators, and memory of an algorithm's own.
void use(const topo::hierarchy& tree) {
    using namespace topo;
    int value = 1;
    topo::broadcast(tree, value, 0, lanes<>{});
    topo::broadcast(tree, value, 0, lanes<native, native>{});
    if (topo_test::shares_memory(tree.whole()))
        topo::broadcast(
            tree, value, 0,
            looped<within<kind::machine, topo_test::shared_windows>, otherwise<topo_test::shared_windows>>{});
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int most = 0;
    topo_test::open_handles held;
    {
        const boost::mpi::communicator world;
        const auto before = topo_test::count_open_handles();
        static_tree = build(world);
        static_level = topo::split(world, topo::kind::machine);
        held.communicators = topo_test::count_open_handles().communicators - before.communicators;

        use(topo::hierarchy::of(world)); // cached, and on its own communicator another one
        topo::hierarchy::of(topo::hierarchy::of(world).whole());
        topo::hierarchy::of({MPI_COMM_SELF, boost::mpi::comm_attach});
        most = topo_test::count_open_handles().communicators;
    }
    MPI_Finalize();
    const auto after = topo_test::count_open_handles();
    topo_test::check(held.communicators > 0 && most >= held.communicators + 3, "communicators were made");
    topo_test::check(after.communicators == held.communicators, "only what is static is still held");
    topo_test::check(topo_test::window::made == topo_test::window::freed, "an algorithm's memory is freed");
    topo_test::check(after.groups == 0, "all groups are freed");
    topo_test::check(after.keyvals == 0, "all attribute keys are freed");
    return topo_test::exit_code();
}
