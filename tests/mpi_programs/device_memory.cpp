// SPDX-License-Identifier: BSL-1.0
// Memory that the processor cannot read is refused before anything is sent, by every verb; what it can read
// is served beside it. This program stands in for the CUDA runtime.
#include "support/program_check.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <span>
#include <sys/mman.h>
#include <vector>

namespace {

constexpr std::size_t bytes = 1U << 20U;
char* device = nullptr;

} // namespace

extern "C" int cuPointerGetAttribute(unsigned* told, int attribute, unsigned long long address) {
    const auto first = reinterpret_cast<unsigned long long>(device);
    if (attribute != 2 || address < first || address >= first + bytes) return 1;
    *told = 2;
    return 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    device = static_cast<char*>(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    {
        const boost::mpi::communicator world;
        const topo::hierarchy tree{world, topo::machine::parse("node:2 core:4"),
                                   topo::placement::round_robin()};
        const auto ranks = static_cast<std::size_t>(world.size());
        const std::span<int> one{reinterpret_cast<int*>(device), 4};
        const std::span<int> all{reinterpret_cast<int*>(device), 4 * ranks};
        std::vector<int> host(4, world.rank()), host_all(4 * ranks);
        const std::vector<std::size_t> counts(ranks, 4);
        using topo::binomial;
        const auto refuses = [&](const char* verb, const std::function<void()>& call) {
            topo_test::check_throws<topo::argument_error>(call, "memory of CUDA", verb);
        };
        const auto plus = std::plus<int>{};
        refuses("broadcast", [&] { topo::broadcast(tree, one, 0, binomial{}); });
        refuses("reduce", [&] { topo::reduce(tree, one, std::span<int>{host}, plus, 0, binomial{}); });
        refuses("all_reduce", [&] { topo::all_reduce(tree, one, std::span<int>{host}, plus, binomial{}); });
        refuses("a result", [&] { topo::all_reduce(tree, host, one, plus, binomial{}); });
        refuses("scan", [&] { topo::scan(tree, one, std::span<int>{host}, plus, topo::linear{}); });
        refuses("gather", [&] { topo::gather(tree, one, std::span<int>{host_all}, 0, binomial{}); });
        refuses("scatter", [&] { topo::scatter(tree, std::span<int>{host_all}, one, 0, binomial{}); });
        refuses("all_gather", [&] { topo::all_gather(tree, one, std::span<int>{host_all}, topo::ring{}); });
        refuses("all_gather's result", [&] { topo::all_gather(tree, host, all, topo::ring{}); });
        refuses("all_to_all",
                [&] { topo::all_to_all(tree, all, std::span<int>{host_all}, topo::pairwise{}); });
        refuses("reduce_scatter",
                [&] { topo::reduce_scatter(tree, all, std::span<int>{host}, plus, topo::ring{}); });
        refuses("ibroadcast", [&] { topo::ibroadcast(tree, one, 0, binomial{}).wait(); });
        refuses("iall_reduce",
                [&] { topo::iall_reduce(tree, one, std::span<int>{host}, plus, binomial{}).wait(); });

        std::vector<int> sums(4);
        topo::all_reduce(tree, host, std::span<int>{sums}, plus, binomial{});
        topo_test::check(sums[3] == world.size() * (world.size() - 1) / 2, "a sum beside device memory");
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
