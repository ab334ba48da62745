// SPDX-License-Identifier: BSL-1.0
// Before MPI_Init and after MPI_Finalize every call says so, and needs no MPI for that.
#include "support/program_check.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/hierarchy/split.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <string_view>
#include <vector>

namespace {

void check_everything_refused(std::string_view reason) {
    const boost::mpi::communicator world{MPI_COMM_WORLD, boost::mpi::comm_attach};
    const auto refused = [&](auto call, const char* what) {
        topo_test::check_throws<topo::usage_error>(call, reason, what);
    };
    refused([&] { topo::hierarchy levels(world); }, "hierarchy(boost communicator)");
    refused([&] { topo::hierarchy levels(MPI_COMM_WORLD); }, "hierarchy(MPI_Comm)");
    refused([&] { topo::hierarchy levels(MPI_COMM_NULL); }, "hierarchy(MPI_COMM_NULL)");
    refused([&] { topo::hierarchy levels(world, topo::place{}); }, "hierarchy(place)");
    refused(
        [&] {
            topo::hierarchy levels(world, topo::machine::parse("core:2"), topo::placement::core_by_core());
        },
        "hierarchy(machine)");
    refused([&] { topo::hierarchy::of(world); }, "hierarchy::of");
    refused([&] { topo::discover_place(world); }, "discover_place");
    refused([&] { topo::split(world); }, "split");
    refused([&] { topo::split(world, topo::kind::core); }, "split to a kind");
    refused([&] { topo::split_with_roots(world); }, "split_with_roots");
    refused([&] { topo::level_info_of(MPI_COMM_WORLD); }, "level_info_of");
}

} // namespace

int main(int argc, char** argv) {
    check_everything_refused("not initialized yet");

    // What needs no MPI works without it.
    const auto on = topo::machine::parse("node:2 core:2");
    const auto all = topo::outline::of(topo::places_of(on, topo::placement::core_by_core(), 4));
    topo_test::check(all.max_depth() == 2, "the outline of four ranks");

    MPI_Init(&argc, &argv);
    { topo::hierarchy::of(boost::mpi::communicator{}); }
    MPI_Finalize();
    check_everything_refused("already finalized");
    return topo_test::exit_code();
}
