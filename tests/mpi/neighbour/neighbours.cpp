// SPDX-License-Identifier: BSL-1.0
// Exchanges with neighbours by every route on made-up machines, against what the links' ends say and against
// MPI's own: multigraphs with self loops, ranks without neighbours, empty blocks.
#include "support/check_fails.hpp"
#include "support/made_up.hpp"
#include <topomp/core/detail/checked.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/mapping/graph.hpp>
#include <topomp/mapping/node_cart.hpp>
#include <topomp/neighbour/ineighbour_all_gather.hpp>
#include <topomp/neighbour/ineighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_gather.hpp>
#include <topomp/neighbour/neighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace neighbours_tests {

using boost::mpi::communicator;
using topo::neighbour_route;
using topo::neighbourhood;

namespace {

/// A link, and which of the links between its ends it is.
struct link {
    int from, to, number;
};

/// The links of all ranks, known to the test everywhere; lists are in this order.
struct multigraph {
    std::vector<link> links;
    void add(int from, int to) {
        const auto same = [&](const link& each) { return each.from == from && each.to == to; };
        links.push_back({from, to, static_cast<int>(std::ranges::count_if(links, same))});
    }
};

multigraph drawn(std::uint32_t seed, int ranks) {
    topo_test::dice roll{seed};
    multigraph result;
    const int most = 1 + roll.up_to(3);
    for (int i = roll.up_to(ranks * most); i > 0; --i) {
        const int from = roll.up_to(ranks - 1), to = roll.one_in(3) ? 0 : roll.up_to(ranks - 1);
        for (int times = roll.one_in(4) ? 2 : 1; times > 0; --times)
            result.add(from, to);
    }
    return result;
}

multigraph everybody_to_everybody(int ranks) {
    multigraph result;
    for (int from = 0; from < ranks; ++from)
        for (int to = 0; to < ranks; ++to)
            result.add(from, to);
    return result;
}

/// What the calling rank has of it.
struct own_links {
    std::vector<link> out, in;
    std::vector<int> sources, destinations;
    own_links(const multigraph& all, int rank) {
        for (const link& each : all.links) {
            if (each.from == rank) {
                out.push_back(each);
                destinations.push_back(each.to);
            }
            if (each.to == rank) {
                in.push_back(each);
                sources.push_back(each.from);
            }
        }
    }
};

int value(const link& which, std::size_t i) {
    return which.from * 100003 + which.to * 1009 + which.number * 101 + static_cast<int>(i);
}

/// As many as `length(link)` for each, one behind the other.
template <class Length, class Value>
std::vector<int> blocks(const std::vector<link>& links, Length length, Value value_of) {
    std::vector<int> result;
    for (const link& each : links) {
        const std::size_t before = result.size(), count = length(each);
        result.resize(before + count);
        int* const block = result.data() + before; // as vectors that are not optimised take most of the time
        for (std::size_t i = 0; i < count; ++i)
            block[i] = value_of(each, i);
    }
    return result;
}

template <class Length>
std::vector<int> lengths(const std::vector<link>& links, Length length) {
    std::vector<int> result;
    for (const link& each : links)
        result.push_back(static_cast<int>(length(each)));
    return result;
}

/// All four verbs. @param where a neighbourhood or a communicator
template <class Where>
void check_verbs(const Where& where, const own_links& mine, int rank) {
    for (const std::size_t count : {0U, 1U, 7U}) {
        const auto equal = [&](const link&) { return count; };
        std::vector<int> result(count * mine.in.size(), -1);
        topo::neighbour_all_to_all(where, blocks(mine.out, equal, value), result);
        CHECK(result == blocks(mine.in, equal, value));
        const auto own = blocks({{rank, 0, 0}}, equal, value);
        std::ranges::fill(result, -1);
        topo::neighbour_all_gather(where, own, result);
        CHECK(result == blocks(mine.in, equal, [](const link& each, std::size_t i) {
                  return value({each.from, 0, 0}, i);
              }));
    }
    const auto any = [](const link& each) {
        return static_cast<std::size_t>((each.from * 5 + each.to * 3 + each.number) % 4) *
               (each.from % 3 == 2 ? 900U : 1U);
    };
    auto result = blocks(mine.in, any, [](const link&, std::size_t) { return -1; });
    topo::neighbour_all_to_allv(where, blocks(mine.out, any, value), lengths(mine.out, any), result,
                                lengths(mine.in, any));
    CHECK(result == blocks(mine.in, any, value));
    const auto of_source = [&](const link& each) { return any({each.from, 0, 0}); };
    result = blocks(mine.in, of_source, [](const link&, std::size_t) { return -1; });
    topo::neighbour_all_gatherv(where, blocks({{rank, 0, 0}}, of_source, value), result,
                                lengths(mine.in, of_source));
    CHECK(result == blocks(mine.in, of_source, [](const link& each, std::size_t i) {
              return value({each.from, 0, 0}, i);
          }));
}

void check_routes(const topo::hierarchy& levels, const multigraph& all) {
    const int rank = levels.whole().rank();
    const own_links mine{all, rank};
    for (const auto route : {neighbour_route::best, neighbour_route::direct, neighbour_route::by_node}) {
        CAPTURE(static_cast<int>(route));
        const neighbourhood where{levels, mine.sources, mine.destinations, route};
        check_verbs(where, mine, rank);
    }
}

} // namespace

TEST_CASE("every route moves every link's block, on made-up machines") {
    const communicator world;
    std::uint32_t seed = 0;
    const auto machines = topo_test::some_scenarios(world.size());
    for (const auto& machine : machines) {
        INFO(machine.name);
        const topo::hierarchy levels{world, machine.on, machine.rule};
        check_routes(levels, drawn(++seed, world.size()));
        check_routes(levels, everybody_to_everybody(world.size()));
    }
    check_routes(topo::hierarchy{world, machines.front().on, machines.front().rule}, multigraph{});
}

TEST_CASE("blocks of any length, again and again on one neighbourhood") {
    const communicator world;
    const auto machine = topo_test::scenarios(world.size())[4];
    const topo::hierarchy levels{world, machine.on, machine.rule};
    const own_links mine{everybody_to_everybody(world.size()), world.rank()};
    for (const auto route : {neighbour_route::best, neighbour_route::by_node}) {
        const neighbourhood where{levels, mine.sources, mine.destinations, route};
        for (int round = 0; round < 12; ++round) {
            // Around the lengths up to which blocks go through slots: 1024 or 2048 numbers inside nodes, 4096
            // between.
            const auto length = [&](const link& each) {
                constexpr std::array<std::size_t, 8> all{0, 3, 1024, 1025, 2048, 2049, 4096, 4097};
                return all[static_cast<std::size_t>(each.from + each.to + round) % all.size()];
            };
            const auto now = [&](const link& each, std::size_t i) { return value(each, i) + round; };
            auto result = blocks(mine.in, length, [](const link&, std::size_t) { return -1; });
            topo::neighbour_all_to_allv(where, blocks(mine.out, length, now), lengths(mine.out, length),
                                        result, lengths(mine.in, length));
            CHECK(result == blocks(mine.in, length, now));
            const auto of_source = [&](const link& each) { return length({each.from, 0, 0}); };
            const auto same = [&](const link& each, std::size_t i) { return now({each.from, 0, 0}, i); };
            result = blocks(mine.in, of_source, [](const link&, std::size_t) { return -1; });
            topo::neighbour_all_gatherv(where, blocks({{world.rank(), 0, 0}}, of_source, same), result,
                                        lengths(mine.in, of_source));
            CHECK(result == blocks(mine.in, of_source, same));
            // All equally long: all by carriers, or none.
            const auto equal = [&](const link&) { return length({0, 0, 0}); };
            result = blocks(mine.in, equal, [](const link&, std::size_t) { return -1; });
            topo::neighbour_all_to_all(where, blocks(mine.out, equal, now), result);
            CHECK(result == blocks(mine.in, equal, now));
            std::ranges::fill(result, -1);
            topo::neighbour_all_gather(where, blocks({{world.rank(), 0, 0}}, equal, now), result);
            CHECK(result == blocks(mine.in, equal, same));
        }
    }
}

TEST_CASE("links of few ranks, between all nodes") {
    const communicator world;
    const int size = world.size();
    for (const std::size_t which : {1U, 2U, 3U, 4U}) {
        const auto machine = topo_test::scenarios(size)[which];
        const topo::hierarchy levels{world, machine.on, machine.rule};
        multigraph every_third; // the others carry nothing, and know no length
        for (int from = 0; from < size; from += 3)
            for (int to = size - 1; to >= 0; to -= 3)
                every_third.add(from, to);
        const own_links mine{every_third, world.rank()};
        const neighbourhood where{levels, mine.sources, mine.destinations, neighbour_route::by_node};
        for (const std::size_t count : {2U, 5000U, 3U, 0U, 5000U, 1U, 4096U}) {
            const auto equal = [&](const link&) { return count; };
            std::vector<int> result(count * mine.in.size(), -1);
            topo::neighbour_all_to_all(where, blocks(mine.out, equal, value), result);
            CHECK(result == blocks(mine.in, equal, value));
            std::ranges::fill(result, -1);
            topo::neighbour_all_gather(where, blocks({{world.rank(), 0, 0}}, equal, value), result);
            CHECK(result == blocks(mine.in, equal, [](const link& each, std::size_t i) {
                      return value({each.from, 0, 0}, i);
                  }));
        }
    }
}

TEST_CASE("elements with gaps go by node, too, and as long blocks") {
    const communicator world;
    const int next = (world.rank() + 1) % world.size(),
              before = (world.rank() + world.size() - 1) % world.size();
    for (const auto& machine : topo_test::scenarios(world.size()))
        for (const int count : {3, 6000}) {
            const topo::hierarchy levels{world, machine.on, machine.rule};
            const neighbourhood ring{levels, {before}, {next}, neighbour_route::by_node};
            MPI_Datatype every_second = MPI_DATATYPE_NULL;
            MPI_Type_vector(count, 1, 2, MPI_INT, &every_second);
            MPI_Type_commit(&every_second);
            const auto with_gaps = [&](int rank, int gap) {
                std::vector<int> result;
                for (int i = 0; i < count; ++i)
                    result.insert(result.end(), {rank * count + i, gap});
                return result;
            };
            const auto dense = [&](int rank) {
                std::vector<int> result(static_cast<std::size_t>(count));
                std::iota(result.begin(), result.end(), rank * count);
                return result;
            };
            const auto length = static_cast<std::size_t>(count);
            auto out = with_gaps(world.rank(), -1), numbers = dense(world.rank());
            std::vector<int> in(length);
            const topo::message sparse_out{out.data(), 1, every_second}, dense_in{in.data(), length, MPI_INT};
            ring.exchange("test", {&sparse_out, 1}, {&dense_in, 1});
            CHECK(in == dense(before));
            std::vector<int> spread(2 * length, -2);
            const topo::message dense_out{numbers.data(), length, MPI_INT},
                sparse_in{spread.data(), 1, every_second};
            ring.exchange("test", {&dense_out, 1}, {&sparse_in, 1});
            CHECK(spread == with_gaps(before, -2));
            MPI_Type_free(&every_second);
        }
}

#ifndef SMPI_H // which has neither distributed graphs nor neighbour collectives
TEST_CASE("the same as MPI's own on its topologies") {
    const communicator world;
    // Those of MPICH 4.0.2 do not end on these graphs, in which two ranks can have several links.
#ifdef MPICH_VERSION
    constexpr bool has_own = false;
#else
    constexpr bool has_own = true;
#endif
    for (std::uint32_t seed = 40; seed < 43; ++seed) {
        const own_links mine{drawn(seed, world.size()), world.rank()};
        MPI_Comm graph = MPI_COMM_NULL;
        MPI_Dist_graph_create_adjacent(world, static_cast<int>(mine.in.size()), mine.sources.data(),
                                       MPI_UNWEIGHTED, static_cast<int>(mine.out.size()),
                                       mine.destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
        check_verbs(graph, mine, world.rank());
        const auto one = [](const link&) { return std::size_t{1}; };
        const auto sent = blocks(mine.out, one, value);
        std::vector<int> result(mine.in.size()), expected(mine.in.size());
        if constexpr (has_own) {
            topo::neighbour_all_to_all(graph, sent, result);
            MPI_Neighbor_alltoall(sent.data(), 1, MPI_INT, expected.data(), 1, MPI_INT, graph);
            CHECK(result == expected);
            topo::neighbour_all_gather(graph, std::array{world.rank()}, result);
            const int rank = world.rank();
            MPI_Neighbor_allgather(&rank, 1, MPI_INT, expected.data(), 1, MPI_INT, graph);
            CHECK(result == expected);
        }
        MPI_Comm_free(&graph);
    }
    const std::array dims{world.size()}, periods{world.size() > 2 ? 1 : 0};
    MPI_Comm cart = MPI_COMM_NULL;
    MPI_Cart_create(world, 1, dims.data(), periods.data(), 0, &cart);
    const std::array sent{world.rank() * 2, world.rank() * 2 + 1};
    std::array<int, 2> result{-1, -1}, expected{-1, -1};
    topo::neighbour_all_to_all(cart, sent, result);
    MPI_Neighbor_alltoall(sent.data(), 1, MPI_INT, expected.data(), 1, MPI_INT, cart);
    CHECK(result == expected);
    MPI_Comm_free(&cart);
}

TEST_CASE("graphs of MPI's: a path, and ranks without any edge") {
    const communicator world;
    const int size = world.size(), rank = world.rank();
    for (const bool is_path : {true, false}) {
        std::vector<int> ends, edges, neighbours; // of all ranks, and of this one
        for (int each = 0; each < size; ++each) {
            for (const int other : {each - 1, each + 1}) {
                if (!is_path || other < 0 || other == size) continue;
                edges.push_back(other);
                if (each == rank) neighbours.push_back(other);
            }
            ends.push_back(static_cast<int>(edges.size()));
        }
        edges.push_back(0); // an address even where there are no edges
        MPI_Comm graph = MPI_COMM_NULL;
        MPI_Graph_create(world, size, ends.data(), edges.data(), 0, &graph);
        const std::array mine{rank};
        std::vector<int> sent, came, result(neighbours.size());
        const std::vector<int> ones(neighbours.size(), 1);
        for (const int other : neighbours) {
            sent.push_back(rank * size + other);
            came.push_back(other * size + rank);
        }
        for (int call = 0; call < 2; ++call) {
            const auto arrives = [&](const std::vector<int>& expected, auto exchange) {
                std::ranges::fill(result, -1);
                exchange();
                CHECK(result == expected);
            };
            arrives(neighbours, [&] { topo::neighbour_all_gather(graph, mine, result); });
            arrives(neighbours, [&] { topo::neighbour_all_gatherv(graph, mine, result, ones); });
            arrives(neighbours, [&] { topo::ineighbour_all_gather(graph, mine, result).wait(); });
            arrives(came, [&] { topo::neighbour_all_to_all(graph, sent, result); });
            arrives(came, [&] { topo::neighbour_all_to_allv(graph, sent, ones, result, ones); });
            arrives(came, [&] { topo::ineighbour_all_to_all(graph, sent, result).wait(); });
        }
        std::vector<int> too_long(neighbours.size() + 1);
        topo_test::check_fails<topo::argument_error>(
            [&] { topo::neighbour_all_gatherv(graph, mine, too_long, ones); },
            {"topo::neighbour_all_gatherv", "result"});
        MPI_Comm_free(&graph);
    }
}
#endif

TEST_CASE("graphs and grids have neighbourhoods") {
    const communicator world;
    const int size = world.size();
    for (const std::size_t machine : {3U, 4U}) {
        const auto on = topo_test::scenarios(size)[machine];
        const topo::hierarchy levels{world, on.on, on.rule};
        const topo::graph far{levels, {(world.rank() + 1) % size, (world.rank() + size / 2) % size, 0}};
        std::vector<int> sent, got(far.sources().size(), -1);
        for (const int to : far.destinations())
            sent.push_back(far.rank() * 1000 + to);
        topo::neighbour_all_to_all(far, sent, got);
        for (std::size_t i = 0; i < got.size(); ++i)
            CHECK(got[i] == far.sources()[i] * 1000 + far.rank());

        topo::node_cart_options options;
        options.periods = {true, false};
        options.pattern = topo::stencil::moore(2);
        const topo::node_cart cart{levels, {0, 0}, options};
        const std::size_t offsets = cart.destinations().size();
        std::vector<int> along, came(offsets, -1);
        for (std::size_t i = 0; i < offsets; ++i)
            along.push_back(cart.rank() * 1000 + static_cast<int>(i));
        topo::neighbour_all_to_all(cart, along, came);
        std::vector<topo::halo> halos;
        std::vector<int> exchanged(offsets, -1);
        for (std::size_t i = 0; i < offsets; ++i)
            halos.push_back({&along[i], 1, MPI_INT, &exchanged[i], 1, MPI_INT});
        cart.exchange(halos);
        for (std::size_t i = 0; i < offsets; ++i) {
            const int from = cart.sources()[i];
            CHECK(came[i] == (from == MPI_PROC_NULL ? -1 : from * 1000 + static_cast<int>(i)));
        }
        CHECK(exchanged == came);
    }
}

TEST_CASE("bad input") {
    const communicator world;
    const topo::hierarchy levels{world};
    const int rank = world.rank(), size = world.size(), next = (rank + 1) % size;
    topo_test::check_fails<topo::argument_error>(
        [&] {
            neighbourhood{levels, {}, {size}};
        },
        {"topo::neighbourhood", "destination"});
    topo_test::check_fails<topo::argument_error>([&] { neighbourhood::of(world); },
                                                 {"topo::neighbourhood", "no topology"});
    const neighbourhood ring{levels, {(rank + size - 1) % size}, {next}};
    std::vector<int> two(2), three(3);
    topo_test::check_fails<topo::argument_error>([&] { topo::neighbour_all_to_all(ring, two, three); },
                                                 {"topo::neighbour_all_to_all", "3", "2"});
    topo_test::check_fails<topo::argument_error>(
        [&] { topo::neighbour_all_to_allv(ring, two, {3}, three, {3}); },
        {"topo::neighbour_all_to_allv", "count 0 is 3"});
    if constexpr (topo::detail::is_checked) {
        topo_test::check_fails<topo::argument_error>(
            [&] { topo::neighbour_all_to_allv(ring, two, {2}, three, {3}); },
            {"topo::neighbour_all_to_allv", "sends 8 bytes", "expects 12"});
        // To itself each rank may send what it likes, but not in a verb with one length.
        const neighbourhood alone{levels, {rank}, {rank}};
        const std::vector<int> sent(rank == 0 ? 1 : 2);
        std::vector<int> got(sent.size());
        topo::neighbour_all_to_allv(alone, sent, {static_cast<int>(sent.size())}, got,
                                    {static_cast<int>(got.size())});
        if (size > 1)
            topo_test::check_fails<topo::argument_error>(
                [&] { topo::neighbour_all_to_all(alone, sent, got); },
                {"topo::neighbour_all_to_all", "4 to 8 bytes"});
        if (size > 1)
            topo_test::check_fails<topo::argument_error>(
                [&] {
                    neighbourhood{levels, {}, {next}};
                },
                {"topo::neighbourhood", "0 times", "as a destination 1 times"});
    }
}

} // namespace neighbours_tests
