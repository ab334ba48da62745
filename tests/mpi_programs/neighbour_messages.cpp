// SPDX-License-Identifier: BSL-1.0
// Short blocks for neighbours inside a node are no messages, neither in a blocking exchange nor in a
// persistent one; long ones are. MPI_Isend is this program's.
#include "support/program_check.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/neighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_to_all_init.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <vector>

namespace {

int sent = 0;

/// Messages that this rank sends to both sides of a ring in one exchange.
template <class Exchange>
int messages_of(Exchange exchange) {
    exchange(); // what is made once
    const int before = sent;
    exchange();
    return sent - before;
}

} // namespace

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request* request) {
    ++sent;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const boost::mpi::communicator world;
        const std::vector<int> sides{(world.rank() + world.size() - 1) % world.size(),
                                     (world.rank() + 1) % world.size()};
        const topo::hierarchy levels{world};
        const topo::neighbourhood ring{levels, sides, sides};
        for (const std::size_t count : {std::size_t{10}, std::size_t{3000}}) {
            const std::vector<int> out(2 * count, world.rank());
            std::vector<int> in(2 * count);
            // A single rank has memory in common with nobody.
            const int expected = count == 10 && world.size() > 1 ? 0 : 2;
            topo_test::check(messages_of([&] { topo::neighbour_all_to_all(ring, out, in); }) == expected,
                             "messages of a blocking exchange");
            auto kept = topo::neighbour_all_to_all_init(ring, out, in);
            topo_test::check(messages_of([&] {
                                 kept.start();
                                 kept.wait();
                             }) == expected,
                             "messages of a persistent exchange");
            topo_test::check(in.front() == sides.front() && in.back() == sides.back(), "blocks");
        }
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
