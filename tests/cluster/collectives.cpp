// SPDX-License-Identifier: BSL-1.0
// The collectives over the hierarchy that is discovered on several hosts, by every policy and from every
// root.

#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include "support/program_check.hpp"
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

using topo_test::check;
using topo_test::number_of;

void check_verbs(const topo::hierarchy& levels, const topo_test::verbs& by, int root, std::size_t count) {
    const int size = levels.whole().size(), rank = levels.whole().rank();
    const auto call = static_cast<std::uint64_t>(root) + 1;
    std::vector<std::uint64_t> mine(count), of_root(count), sum(count), result(count);
    for (std::size_t i = 0; i < count; ++i) {
        mine[i] = number_of(rank, i, call);
        of_root[i] = number_of(root, i, call);
        for (int each = 0; each < size; ++each)
            sum[i] += number_of(each, i, call);
    }
    const topo::message what{result.data(), count, MPI_UINT64_T};
    if (rank == root) result = mine;
    by.broadcast(levels, what, root);
    check(result == of_root, "broadcast by " + by.name);
    result.assign(count, 0);
    by.reduce(levels, mine.data(), what, MPI_SUM, root);
    check(result == (rank == root ? sum : std::vector<std::uint64_t>(count)), "reduce by " + by.name);
    by.all_reduce(levels, mine.data(), what, MPI_SUM);
    check(result == sum, "all_reduce by " + by.name);
    by.barrier(levels);
}

template <class Gather, class Exchange>
void check_blocks(const topo::hierarchy& levels) {
    const int size = levels.whole().size(), rank = levels.whole().rank();
    std::vector<int> mine(static_cast<std::size_t>(rank % 3 + 1), rank),
        of_all(static_cast<std::size_t>(size));
    for (int each = 0; each < size; ++each)
        of_all[static_cast<std::size_t>(each)] = each;
    check(topo::all_gather(levels, rank, Gather{}) == of_all, "all_gather");
    const auto exchanged = topo::all_to_all(levels, of_all, Exchange{});
    check(std::ranges::all_of(exchanged, [&](int each) { return each == rank; }), "all_to_all");
    const auto all = topo::gatherv(levels, mine, size - 1);
    if (rank == size - 1)
        for (int each = 0; each < size; ++each)
            check(
                std::ranges::equal(all[each], std::vector<int>(static_cast<std::size_t>(each % 3 + 1), each)),
                "gatherv");
    check(topo::scan(levels, rank + 1, std::plus<>{}) == (rank + 1) * (rank + 2) / 2, "scan");
}

template <class Policy>
void check_rooted_blocks(const topo::hierarchy& levels) {
    const int size = levels.whole().size(), rank = levels.whole().rank();
    for (const int root : {0, size - 1})
        for (const std::size_t each : {std::size_t{1}, std::size_t{700}, std::size_t{9000}}) {
            const auto value = [&](int of, std::size_t i) { return number_of(of, i, each); };
            std::vector<std::uint64_t> mine(each),
                all(rank == root ? each * static_cast<std::size_t>(size) : 0);
            for (std::size_t i = 0; i < each; ++i)
                mine[i] = value(rank, i);
            const auto expected = [&] {
                std::vector<std::uint64_t> result;
                for (int of = 0; of < size && rank == root; ++of)
                    for (std::size_t i = 0; i < each; ++i)
                        result.push_back(value(of, i));
                return result;
            }();
            topo::gather(levels, mine, all, root, Policy{});
            check(all == expected, "gather");
            std::vector<std::uint64_t> back(each);
            topo::scatter(levels, all, back, root, Policy{});
            check(back == mine, "scatter");
        }
}

template <class Policy>
void check_reduce_scatter(const topo::hierarchy& levels) {
    const int size = levels.whole().size(), rank = levels.whole().rank();
    for (const std::size_t each : {std::size_t{1}, std::size_t{700}}) {
        std::vector<int> mine(each * static_cast<std::size_t>(size)), sum(each);
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = rank + static_cast<int>(i);
        topo::reduce_scatter(levels, mine, sum, std::plus<>{}, Policy{});
        for (std::size_t i = 0; i < each; ++i) {
            const int element = rank * static_cast<int>(each) + static_cast<int>(i);
            check(sum[i] == size * element + size * (size - 1) / 2, "reduce_scatter");
        }
    }
}

/// So long that ranks which outnumber their cores pass them on from host to host.
void check_long_messages(const topo::hierarchy& levels) {
    constexpr std::size_t count = 300'000;
    const int size = levels.whole().size(), rank = levels.whole().rank();
    for (const int root : {0, size - 1}) {
        std::vector<std::uint64_t> mine(count), of_root(count), sum(count), result(count);
        for (std::size_t i = 0; i < count; ++i) {
            mine[i] = number_of(rank, i, 77);
            of_root[i] = number_of(root, i, 77);
            for (int each = 0; each < size; ++each)
                sum[i] += number_of(each, i, 77);
        }
        result = rank == root ? mine : result;
        topo::broadcast(levels, result, root);
        check(result == of_root, "broadcast of a long message");
        std::ranges::fill(result, 0);
        topo::reduce(levels, mine, result, std::plus<>{}, root);
        check(rank != root || result == sum, "reduce of a long message");
        topo::all_reduce(levels, mine, result, std::plus<>{});
        check(result == sum, "all_reduce of a long message");
    }
}

} // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    check(levels.max_depth() >= 1, "the hosts are a level");
    // Of all policies and roots a sample.
    constexpr std::size_t step = 3;
    std::size_t calls = 0;
    for (const auto& by : topo_test::all_policies())
        for (int root = 0; root < world.size(); ++root)
            if (++calls % step == 0) check_verbs(levels, by, root, calls / step % 2 == 0 ? 5 : 5000);
    check_blocks<topo::automatic, topo::automatic>(levels);
    check_blocks<topo::shared, topo::shared>(levels); // between hosts too
    check_rooted_blocks<topo::automatic>(levels);
    check_rooted_blocks<topo::shared>(levels);
    check_rooted_blocks<topo::flat>(levels); // on Open MPI's HAN, too
    check_reduce_scatter<topo::automatic>(levels);
    check_reduce_scatter<topo::native>(levels);
    check_long_messages(levels);
    check_blocks<topo::ring, topo::pairwise>(levels);
    check_blocks<topo::bruck, topo::flat>(levels);
    return topo_test::exit_code();
}
