// SPDX-License-Identifier: BSL-1.0
// ends HOW: a program with shared windows that ends in one of several ways; see nothing_left.sh.
#include "support/program_check.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <string>

int main(int argc, char** argv) {
    const std::string ending = argc > 1 ? argv[1] : "end";
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    const bool is_last = world.rank() == world.size() - 1;

    topo::shared_window<double> window{levels, 1 << 16};
    window.local().front() = 1;
    window.fence();
    if (ending == "exception" && is_last) throw std::runtime_error{"on purpose"};
    if (ending == "abort" && is_last) MPI_Abort(world, 3);
    if (ending == "kill" && is_last) std::raise(SIGKILL);
    if (ending == "lack") { // of the 64 MiB that the script gives
        topo_test::check_throws<topo::system_error>(
            [&] {
                topo::shared_window<std::byte>{levels, std::size_t{70} << 20};
            },
            "/dev/shm has", "too little shared memory is an error");
        const topo::shared_window<std::byte> less{levels, std::size_t{1} << 20}; // and all goes on
        topo_test::check(less.size() == (std::size_t{1} << 20) * static_cast<std::size_t>(less.comm().size()),
                         "less fits");
    }
    window.fence();
    return topo_test::exit_code();
}
