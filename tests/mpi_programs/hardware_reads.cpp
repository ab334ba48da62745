// SPDX-License-Identifier: BSL-1.0
// A process has hwloc read the machine once, however many hierarchies it makes. hwloc_topology_load is
// this program's.
#include "support/program_check.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <hwloc.h>
#include <mpi.h>

#include <dlfcn.h>

namespace {

int reads = 0;

} // namespace

extern "C" int hwloc_topology_load(hwloc_topology_t topology) {
    ++reads;
    const auto real =
        reinterpret_cast<decltype(&hwloc_topology_load)>(dlsym(RTLD_NEXT, "hwloc_topology_load"));
    return real(topology);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const boost::mpi::communicator world;
        const topo::hierarchy first{world};
        const int at_first = reads; // with the MPI's own
        topo_test::check(at_first > 0, "hwloc reads the machine");
        for (int i = 0; i < 3; ++i) {
            const topo::hierarchy another{world};
            topo_test::check(another.depth() == first.depth(), "the hierarchies are the same");
        }
        topo_test::check(reads == at_first, "hwloc reads the machine once");
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
