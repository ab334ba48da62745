// SPDX-License-Identifier: BSL-1.0
// Hybrid verbs on several hosts, each of which really has memory of its own: on the hierarchy that is
// discovered, and on one made up whose nodes are parts of several hosts.

#include "support/collective_calls.hpp"
#include "support/hybrid_calls.hpp"
#include "support/program_check.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/all_to_all.hpp>
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/hybrid/gather.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/hybrid/scatter.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

namespace hybrid = topo::hybrid;
using number = std::uint64_t;
using window = topo::shared_window<number>;
using topo_test::check, topo_test::number_of, topo_test::function_of;

/// @param stride through the ways and the roots
void check_verbs(const topo::hierarchy& levels, std::size_t count, std::size_t stride) {
    const int size = levels.whole().size(), rank = levels.whole().rank();
    const auto ranks = static_cast<std::size_t>(size);
    window one{levels, count, hybrid::one_copy}, all{levels, count * ranks, hybrid::one_copy};
    window source{levels, count * ranks}, result{levels, count * ranks};
    number call = 0;
    const auto data_of = [&](int of) {
        std::vector<number> made(count);
        for (std::size_t i = 0; i < count; ++i)
            made[i] = number_of(of, i, call);
        return made;
    };
    const auto is_everybodys = [&] {
        for (int each = 0; each < size; ++each)
            if (!std::ranges::equal(hybrid::block_of(levels, all, each), data_of(each))) return false;
        return true;
    };
    std::size_t turn = 0;
    for (const auto& algorithm : topo_test::hybrid_ways()) {
        if (++turn % stride != 0) continue;
        const auto options = algorithm.by<topo::automatic>();
        const int root = static_cast<int>(turn * 5) % size;
        ++call;
        hybrid::broadcast(levels, data_of(rank), one, root, options);
        check(std::ranges::equal(one, data_of(root)), "broadcast by " + algorithm.name);
        ++call;
        hybrid::all_gather(levels, data_of(rank), all, options);
        check(is_everybodys(), "all_gather by " + algorithm.name);
        ++call;
        std::vector<number> sum(count), joined(count), mine(count);
        for (std::size_t i = 0; i < count; ++i) {
            mine[i] = function_of(rank, i, call);
            joined[i] = function_of(0, i, call);
            for (int each = 0; each < size; ++each)
                sum[i] += number_of(each, i, call);
            for (int each = 1; each < size; ++each)
                joined[i] = topo_test::after_one_another{}(joined[i], function_of(each, i, call));
        }
        hybrid::all_reduce(levels, data_of(rank), one, std::plus<>{}, options);
        check(std::ranges::equal(one, sum), "all_reduce by " + algorithm.name);
        hybrid::all_reduce(levels, mine, one, topo_test::after_one_another{}, options);
        check(std::ranges::equal(one, joined), "all_reduce in order by " + algorithm.name);
        hybrid::reduce(levels, data_of(rank), one, std::plus<>{}, root, options);
        check(rank != root || std::ranges::equal(one, sum), "reduce by " + algorithm.name);
    }
    for (const int root : {0, size - 1}) {
        ++call;
        hybrid::gather(levels, data_of(rank), all, root);
        check(rank != root || is_everybodys(), "gather");
        std::vector<number> mine(count);
        all.fence();
        hybrid::scatter(levels, all, mine, root);
        check(mine == data_of(rank), "scatter");
    }
    const auto block = [&](window& of, int each) {
        return of.local().subspan(static_cast<std::size_t>(each) * count, count);
    };
    for (int each = 0; each < size; ++each)
        std::ranges::fill(block(source, each), static_cast<number>(rank * 100 + each));
    hybrid::all_to_all(levels, source, result);
    for (int each = 0; each < size; ++each)
        check(std::ranges::all_of(block(result, each),
                                  [&](number got) { return got == static_cast<number>(each * 100 + rank); }),
              "all_to_all");
}

} // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    {
        const topo::hierarchy levels{world};
        const window here{levels, 1};
        check(here.comm().size() < world.size(), "a host has not all ranks");
        check_verbs(levels, 37, 1);
        check_verbs(levels, 20000, 4);
    }
    const topo::hierarchy made_up{world, topo::machine::parse("node:2 core:8"),
                                  topo::placement::round_robin()};
    check_verbs(made_up, 11, 1);
    return topo_test::exit_code();
}
