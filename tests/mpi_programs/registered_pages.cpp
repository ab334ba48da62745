// SPDX-License-Identifier: BSL-1.0
// An MPI that registers memory with a network adapter watches madvise in each process (UCX, libfabric, Open
// MPI). So each rank has to call it for a window's pages before one of them gives these back, and other pages
// come into their place.
#include "support/program_check.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct {
    std::uintptr_t begin = 0, end = 0;
    bool was_left = false, was_removed = false;
} watched;

} // namespace

// In the place of the C library's. UCX, which some MPICHs use, must not watch as well: it would write a jump
// to a function of its own over the first bytes of this one.
extern "C" int madvise(void* data, std::size_t bytes, int advice) noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    if (begin <= watched.begin && begin + bytes >= watched.end) {
        if (advice == MADV_DONTNEED) watched.was_left = true;
        if (advice == MADV_REMOVE) watched.was_removed = true;
    }
    return static_cast<int>(syscall(SYS_madvise, data, bytes, advice));
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const boost::mpi::communicator world;
        const topo::hierarchy levels{world};
        boost::mpi::communicator sharers;
        {
            topo::shared_window<char> window{levels, 1 << 20, {.blocks = topo::window_blocks::spread}};
            sharers = window.comm();
            const auto all = window.all();
            const auto begin = reinterpret_cast<std::uintptr_t>(all.data());
            constexpr std::uintptr_t page = 64 * 1024; // no kernel has longer ones
            watched.begin = (begin + page - 1) / page * page;
            watched.end = (begin + all.size()) / page * page;
        }
        topo_test::check(watched.end > watched.begin, "the window has whole pages");
        topo_test::check(watched.was_left, "each rank has left the pages before it gave them back");
        const int mine = watched.was_removed ? 1 : 0;
        int removers = 0;
        MPI_Allreduce(&mine, &removers, 1, MPI_INT, MPI_SUM, sharers);
        topo_test::check(removers == 1, "one rank has given them back");
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
