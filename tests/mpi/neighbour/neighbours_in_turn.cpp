// SPDX-License-Identifier: BSL-1.0
// All neighbour verbs in any order on one neighbourhood, with lengths that change from call to call, and
// persistent exchanges, between ranks that are late in turn: memory that an exchange uses again must have
// been read by then.
#include "support/append_numbers.hpp"
#include "support/made_up.hpp"
#include <topomp/algorithm/shared.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/neighbour/neighbour_all_gather.hpp>
#include <topomp/neighbour/neighbour_all_gather_init.hpp>
#include <topomp/neighbour/neighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_to_all_init.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace neighbours_in_turn_tests {

namespace {

/// From, to, and which of the links between the two it is.
struct link {
    int from, to, number;
};

/// The links of all ranks, the same on each: with some from ranks to themselves and some that are there
/// twice. Every fourth rank only receives, so that others can get ahead of it, and another one only sends.
std::vector<link> drawn_links(topo_test::dice& roll, int ranks) {
    std::vector<link> all;
    for (int i = 4 * ranks; i > 0; --i) {
        const int from = roll.up_to(ranks - 1), to = roll.up_to(ranks - 1);
        if (from % 4 == 3 || to % 4 == 1) continue;
        const int copies = roll.one_in(4) ? 2 : 1;
        for (int copy = 0; copy < copies; ++copy) {
            int number = 0;
            for (const link& each : all)
                number += each.from == from && each.to == to ? 1 : 0;
            all.push_back({from, to, number});
        }
    }
    return all;
}

/// What a call sends along a link, which both ends compute.
struct call {
    int round = 0;
    bool is_same = false, has_counts = false;
    std::size_t count = 0;
    int which_lengths = round;

    std::size_t length(const link& along) const {
        if (!has_counts) return count;
        // Around the lengths up to which blocks go through slots: 4096, 8192 and 16384 bytes.
        constexpr std::array<std::size_t, 9> lengths{0, 1, 30, 1024, 1025, 2048, 2049, 4096, 4097};
        const int which = along.from * 3 + which_lengths + (is_same ? 0 : along.to + along.number);
        return lengths[static_cast<std::size_t>(which) % lengths.size()];
    }
    std::uint32_t first(const link& along) const {
        auto result = static_cast<std::uint32_t>(round * 31 + along.from) * 2654435761U;
        if (!is_same) result += static_cast<std::uint32_t>(along.to * 64 + along.number) * 40503U;
        return result;
    }
    std::vector<std::uint32_t> blocks(const std::vector<link>& links) const {
        std::vector<std::uint32_t> result;
        for (const link& each : links)
            topo_test::append_numbers(result, length(each), first(each));
        return result;
    }
    std::vector<int> counts(const std::vector<link>& links) const {
        std::vector<int> result;
        for (const link& each : links)
            result.push_back(static_cast<int>(length(each)));
        return result;
    }
};

void run(const topo::neighbourhood& where, const call& now, const std::vector<link>& out,
         const std::vector<link>& in) {
    const int rank = where.comm().rank();
    const auto expected = now.blocks(in), sent = now.blocks(out), own = now.blocks({{rank, rank, 0}});
    std::vector<std::uint32_t> result(expected.size(), ~std::uint32_t{0});
    if (now.is_same && now.has_counts)
        topo::neighbour_all_gatherv(where, own, result, now.counts(in));
    else if (now.is_same)
        topo::neighbour_all_gather(where, own, result);
    else if (now.has_counts)
        topo::neighbour_all_to_allv(where, sent, now.counts(out), result, now.counts(in));
    else
        topo::neighbour_all_to_all(where, sent, result);
    CHECK(result == expected);
}

/// A persistent exchange with its buffers, whose data change.
class kept_exchange {
public:
    kept_exchange(const topo::neighbourhood& where, call what, std::vector<link> out, std::vector<link> in)
        : what_(what), out_(std::move(out)), in_(std::move(in)), rank_(where.comm().rank()) {
        fill(0);
        const auto counts = what_.counts(in_);
        if (what_.is_same && what_.has_counts)
            exchange_ = topo::neighbour_all_gatherv_init(where, sent_, result_, counts);
        else if (what_.is_same)
            exchange_ = topo::neighbour_all_gather_init(where, sent_, result_);
        else if (what_.has_counts)
            exchange_ = topo::neighbour_all_to_allv_init(where, sent_, what_.counts(out_), result_, counts);
        else
            exchange_ = topo::neighbour_all_to_all_init(where, sent_, result_);
    }

    void start(int round) {
        fill(round);
        exchange_.start();
    }
    topo::persistent& exchange() { return exchange_; }
    void check() const { CHECK(result_ == what_.blocks(in_)); }

private:
    /// The elements stay where they are.
    void fill(int round) {
        what_.round = round;
        const auto sent = what_.is_same ? what_.blocks({{rank_, rank_, 0}}) : what_.blocks(out_);
        sent_.assign(sent.begin(), sent.end());
        result_.assign(what_.blocks(in_).size(), ~std::uint32_t{0});
    }

    call what_;
    std::vector<link> out_, in_;
    int rank_;
    std::vector<std::uint32_t> sent_, result_;
    topo::persistent exchange_;
};

/// Until it is complete.
void poll(topo::persistent& exchange) {
    while (!exchange.test())
        topo::detail::yield_core();
}

void sleep_a_little() {
#ifndef SMPI_H // whose ranks are one process
    std::this_thread::sleep_for(std::chrono::microseconds{500});
#endif
}

/// Calls `f(levels, out, in)` on some made-up machines, with drawn links: those from and to this rank.
template <class F>
void on_drawn_links(topo_test::dice& roll, F f) {
    const boost::mpi::communicator world;
    const auto machines = topo_test::few_scenarios_of_many(world.size());
    for (std::size_t machine = 0; machine < machines.size(); machine += topo_test::stride) {
        INFO(machines[machine].name);
        const topo::hierarchy levels{world, machines[machine].on, machines[machine].rule};
        std::vector<link> out, in;
        for (const link& each : drawn_links(roll, world.size())) {
            if (each.from == world.rank()) out.push_back(each);
            if (each.to == world.rank()) in.push_back(each);
        }
        f(levels, out, in);
    }
}

topo::neighbourhood along(const topo::hierarchy& levels, const std::vector<link>& out,
                          const std::vector<link>& in,
                          topo::neighbour_route route = topo::neighbour_route::best) {
    std::vector<int> sources, destinations;
    for (const link& each : in)
        sources.push_back(each.from);
    for (const link& each : out)
        destinations.push_back(each.to);
    return {levels, sources, destinations, route};
}

} // namespace

TEST_CASE("verbs and lengths in any order, between ranks that are late in turn") {
    topo_test::dice roll{77};
    on_drawn_links(roll, [&](const topo::hierarchy& levels, const auto& out, const auto& in) {
        const auto planned = along(levels, out, in),
                   by_node = along(levels, out, in, topo::neighbour_route::by_node);
        const int rounds = topo_test::is_watched ? 20 : 60;
        for (int round = 0; round < rounds; ++round) {
            call now{round, roll.one_in(2), roll.one_in(3)};
            constexpr std::array<std::size_t, 6> counts{0, 1, 17, 300, 1030, 4200};
            now.count = counts[static_cast<std::size_t>(roll.up_to(5))];
            const int late = roll.up_to(levels.whole_size() - 1);
            const bool is_planned = roll.one_in(2);
            CAPTURE(round);
            if (late == levels.whole().rank()) sleep_a_little();
            run(is_planned ? planned : by_node, now, out, in);
        }
    });
}

TEST_CASE("persistent exchanges under way together, between ranks that are late in turn") {
    topo_test::dice roll{78};
    on_drawn_links(roll, [&](const topo::hierarchy& levels, const auto& out, const auto& in) {
        const int rank = levels.whole().rank();
        for (const auto route : {topo::neighbour_route::best, topo::neighbour_route::by_node}) {
            const auto where = along(levels, out, in, route);
            std::vector<std::unique_ptr<kept_exchange>> all;
            for (const std::size_t count : {std::size_t{1}, std::size_t{300}, std::size_t{1030}})
                for (const bool is_same : {false, true})
                    for (const bool has_counts : {false, true})
                        all.push_back(std::make_unique<kept_exchange>(
                            where, call{0, is_same, has_counts, count, static_cast<int>(all.size())}, out,
                            in));
            const int rounds = topo_test::is_watched ? 4 : 12;
            for (int round = 1; round <= rounds; ++round) {
                CAPTURE(round);
                if (roll.up_to(levels.whole_size() - 1) == rank) sleep_a_little();
                // A start waits for no other rank: one rank starts when all others have started, or before
                // them.
                const bool is_first = (roll.up_to(levels.whole_size() - 1) == rank) == roll.one_in(2);
                if (!is_first) MPI_Barrier(levels.whole());
                for (auto& each : all)
                    each->start(round);
                if (is_first) MPI_Barrier(levels.whole());
                for (std::size_t i = 0; i < all.size(); ++i) {
                    auto& next = *all[(i * 5 + static_cast<std::size_t>(rank)) % all.size()];
                    if (round % 2 != 0) poll(next.exchange());
                    next.exchange().wait();
                    next.check();
                }
            }
        }
    });
}

#ifndef SMPI_H // where ranks go on only in what they wait for: a look for messages takes 100 us there
TEST_CASE("a verb that blocks goes on with what was started") {
    topo_test::dice roll{79};
    on_drawn_links(roll, [&](const topo::hierarchy& levels, const auto& out, const auto& in) {
        const int rank = levels.whole().rank(), size = levels.whole_size();
        const auto where = along(levels, out, in, topo::neighbour_route::by_node);
        kept_exchange exchange{where, call{0, false, false, 300}, out, in};
        const auto synchronise = [&](int call_kind) {
            if (call_kind == 0)
                topo::barrier(levels, topo::hierarchical<topo::otherwise<topo::shared>>{});
            else if (call_kind == 1)
                topo::barrier(levels, topo::dissemination{});
            else if (call_kind == 2)
                run(where, call{call_kind, false, false, 17}, out, in);
            else
                topo::all_reduce(levels, 1, std::plus<>{}, topo::k_ary_recursive_doubling<2>{});
        };
        for (int call_kind = 0; call_kind < 4; ++call_kind)
            synchronise(
                call_kind); // the first calls of a hierarchy exchange what it keeps, and wait for all ranks
        for (int round = 0; round < 8; ++round) {
            CAPTURE(round);
            exchange.start(round);
            int sum = 0;
            const int mine = rank + round;
            topo::request request = topo::iall_reduce(levels, mine, sum, std::plus<>{}, topo::binomial{});
            // Every second rank meets the others first, which are there when these two are complete.
            const bool is_first = (rank + round / 4) % 2 == 0;
            if (is_first) synchronise(round % 4);
            exchange.exchange().wait();
            request.wait();
            if (!is_first) synchronise(round % 4);
            exchange.check();
            CHECK(sum == size * (size - 1) / 2 + size * round);
        }
    });
}
#endif

} // namespace neighbours_in_turn_tests
