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

extern "C" int cuPointerGetAttribute(void* told, int attribute, unsigned long long address) {
    const auto first = reinterpret_cast<unsigned long long>(device);
    if (attribute != 2 || address < first || address >= first + bytes) return 1;
    *static_cast<unsigned*>(told) = 2;
    return 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    device = static_cast<char*>(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    {
        const boost::mpi::communicator world;
        const topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"),
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
        refuses("broadcast", [&] { topo::broadcast(levels, one, 0, binomial{}); });
        refuses("reduce", [&] { topo::reduce(levels, one, std::span<int>{host}, plus, 0, binomial{}); });
        refuses("all_reduce", [&] { topo::all_reduce(levels, one, std::span<int>{host}, plus, binomial{}); });
        refuses("a result", [&] { topo::all_reduce(levels, host, one, plus, binomial{}); });
        refuses("scan", [&] { topo::scan(levels, one, std::span<int>{host}, plus, topo::linear{}); });
        refuses("gather", [&] { topo::gather(levels, one, std::span<int>{host_all}, 0, binomial{}); });
        refuses("scatter", [&] { topo::scatter(levels, std::span<int>{host_all}, one, 0, binomial{}); });
        refuses("all_gather", [&] { topo::all_gather(levels, one, std::span<int>{host_all}, topo::ring{}); });
        refuses("all_gather's result", [&] { topo::all_gather(levels, host, all, topo::ring{}); });
        refuses("all_to_all",
                [&] { topo::all_to_all(levels, all, std::span<int>{host_all}, topo::pairwise{}); });
        refuses("reduce_scatter",
                [&] { topo::reduce_scatter(levels, all, std::span<int>{host}, plus, topo::ring{}); });
        refuses("ibroadcast", [&] { topo::ibroadcast(levels, one, 0, binomial{}).wait(); });
        refuses("iall_reduce",
                [&] { topo::iall_reduce(levels, one, std::span<int>{host}, plus, binomial{}).wait(); });
        refuses("ireduce",
                [&] { topo::ireduce(levels, one, std::span<int>{host}, plus, 0, binomial{}).wait(); });
        refuses("iall_gather",
                [&] { topo::iall_gather(levels, one, std::span<int>{host_all}, binomial{}).wait(); });
        refuses("iall_to_all",
                [&] { topo::iall_to_all(levels, all, std::span<int>{host_all}, topo::pairwise{}).wait(); });
        refuses("exclusive_scan", [&] { topo::exclusive_scan(levels, host, one, plus, topo::linear{}); });
        refuses("gatherv", [&] { topo::gatherv(levels, one, host_all, counts, 0, binomial{}); });
        refuses("gatherv of unknown lengths", [&] { topo::gatherv(levels, one, 0, binomial{}); });
        refuses("scatterv", [&] { topo::scatterv(levels, host_all, counts, one, 0, binomial{}); });
        refuses("scatterv of unknown lengths", [&] { topo::scatterv(levels, all, counts, 0, binomial{}); });
        refuses("all_gatherv", [&] { topo::all_gatherv(levels, one, host_all, counts, topo::ring{}); });
        refuses("all_to_allv",
                [&] { topo::all_to_allv(levels, all, counts, host_all, counts, topo::pairwise{}); });

        topo::shared_window<int> few{levels, 4, topo::hybrid::one_copy};
        topo::shared_window<int> many{levels, 4 * ranks, topo::hybrid::one_copy};
        refuses("hybrid::broadcast", [&] { topo::hybrid::broadcast(levels, one, few, 0); });
        refuses("hybrid::reduce", [&] { topo::hybrid::reduce(levels, one, few, plus, 0); });
        refuses("hybrid::all_reduce", [&] { topo::hybrid::all_reduce(levels, one, few, plus); });
        refuses("hybrid::all_gather", [&] { topo::hybrid::all_gather(levels, one, many); });
        refuses("hybrid::all_gatherv", [&] { topo::hybrid::all_gatherv(levels, one, many, counts); });
        refuses("hybrid::gather", [&] { topo::hybrid::gather(levels, one, many, 0); });
        refuses("hybrid::scatter", [&] { topo::hybrid::scatter(levels, many, one, 0); });
        topo::hybrid::all_reduce(levels, host, few, plus);
        topo_test::check(few.all()[3] == world.size() * (world.size() - 1) / 2, "a hybrid sum beside it");

        std::vector<int> sums(4);
        topo::all_reduce(levels, host, std::span<int>{sums}, plus, binomial{});
        topo_test::check(sums[3] == world.size() * (world.size() - 1) / 2, "a sum beside device memory");
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
