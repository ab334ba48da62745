// SPDX-License-Identifier: BSL-1.0
// What is cached when MPI ends is freed then; what a static object holds does no harm after it.
#include "support/open_handles.hpp"
#include "support/program_check.hpp"
#include <topomp/algorithm/shared.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/split.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <optional>
#include <string_view>

namespace {

std::optional<topo::hierarchy> static_tree; // destroyed after MPI_Finalize
std::optional<topo::level> static_level;
std::optional<topo::shared_window<int>> static_window;

topo::hierarchy build(const boost::mpi::communicator& comm) {
    return topo::hierarchy{comm, topo::machine::parse("node:2 package:2 core:2"),
                           topo::placement::round_robin()};
}

/// Collectives that keep communicators, and memory of an algorithm's own.
void use(const topo::hierarchy& levels) {
    using namespace topo;
    int value = 1;
    topo::broadcast(levels, value, 0, lanes<>{});
    topo::broadcast(levels, value, 0, lanes<native, native>{});
    topo::broadcast(levels, value, 0, hierarchical<within<kind::machine, shared>, otherwise<shared>>{});
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int most = 0, most_windows = 0;
    topo_test::open_handles held;
    {
        const boost::mpi::communicator world;
        const auto before = topo_test::count_open_handles();
        static_tree = build(world);
        static_level = topo::split(world, topo::kind::machine);
        static_window.emplace(*static_tree, 3);
        held.communicators = topo_test::count_open_handles().communicators - before.communicators;

        use(topo::hierarchy::of(world)); // cached, and on its own communicator another one
        topo::hierarchy::of(topo::hierarchy::of(world).whole());
        topo::hierarchy::of({MPI_COMM_SELF, boost::mpi::comm_attach});
        most = topo_test::count_open_handles().communicators;
        most_windows = topo_test::count_open_handles().windows;
    }
    MPI_Finalize();
    const auto after = topo_test::count_open_handles();
    topo_test::check(held.communicators > 0 && most >= held.communicators + 3, "communicators were made");
    topo_test::check(after.communicators == held.communicators, "only what is static is still held");
    topo_test::check(most_windows > 0 && after.windows == 0, "all memory is given back");
    try {
        static_window->fence();
        topo_test::check(false, "a window is known to be gone");
    } catch (const topo::usage_error& problem) {
        topo_test::check(std::string_view{problem.what()}.find("MPI has ended") != std::string_view::npos,
                         "and says so");
    }
    topo_test::check(after.groups == 0, "all groups are freed");
    topo_test::check(after.keyvals == 0, "all attribute keys are freed");
    return topo_test::exit_code();
}
