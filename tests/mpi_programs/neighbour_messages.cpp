// SPDX-License-Identifier: BSL-1.0
// Short blocks for neighbours inside a node are neither messages nor copied by the kernel, in a blocking
// exchange and in a persistent one; each long one is a message, or copied once by the kernel. MPI_Isend,
// MPI_Isend_c and process_vm_readv are this program's.
#include "support/program_check.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/neighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_to_all_init.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace {

int sent = 0, copied = 0;

/// What this rank does in one exchange with both sides of a ring.
struct work {
    int messages = 0, copies = 0;
    bool operator==(const work&) const = default;
};

template <class Exchange>
work work_of(Exchange exchange) {
    exchange(); // what is made once
    sent = copied = 0;
    exchange();
    return {sent, copied};
}

} // namespace

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request* request) {
    ++sent;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

#if MPI_VERSION >= 4
extern "C" int MPI_Isend_c(const void* data, MPI_Count count, MPI_Datatype type, int to, int tag,
                           MPI_Comm comm, MPI_Request* request) {
    ++sent;
    return PMPI_Isend_c(data, count, type, to, tag, comm, request);
}
#endif

extern "C" ssize_t process_vm_readv(pid_t from, const iovec* here, unsigned long number_here,
                                    const iovec* there, unsigned long number_there,
                                    unsigned long flags) noexcept {
    ++copied;
    return syscall(SYS_process_vm_readv, from, here, number_here, there, number_there, flags);
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
            const auto is_right = [&](const work& done) {
                // A single rank has memory in common with no other.
                if (count == 10 && world.size() > 1) return done == work{0, 0};
                return done.messages == 2 || (world.size() > 1 && done == work{0, 2});
            };
            topo_test::check(is_right(work_of([&] { topo::neighbour_all_to_all(ring, out, in); })),
                             "messages of a blocking exchange");
            auto kept = topo::neighbour_all_to_all_init(ring, out, in);
            topo_test::check(is_right(work_of([&] {
                                 kept.start();
                                 kept.wait();
                             })),
                             "messages of a persistent exchange");
            topo_test::check(in.front() == sides.front() && in.back() == sides.back(), "blocks");
        }
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
