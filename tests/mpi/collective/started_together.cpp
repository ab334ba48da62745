// SPDX-License-Identifier: BSL-1.0
// Persistent all_reduces, broadcasts and barriers between nodes, of which all are started before any is
// waited for, each rank in an order and by calls of its own.
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include "support/through_nodes.hpp"
#include <topomp/algorithm/multi_object.hpp>
#include <topomp/algorithm/rounds_in_lanes.hpp>
#include <topomp/algorithm/rounds_in_level.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/barrier_init.hpp>
#include <topomp/collective/broadcast_init.hpp>
#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/collective/wait.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/hierarchical.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace started_together_tests {

namespace {

using numbers = std::vector<int>;
using topo::detail::algorithm;
using topo_test::through_nodes;

int number_of(int rank, std::size_t which, int round, std::size_t i) {
    return (rank + 1) * static_cast<int>((i + 3 * which + static_cast<std::size_t>(round)) % 1000 + 1);
}

/// Eight all_reduces, with broadcasts and a barrier between them.
class collectives {
public:
    /// @param by of the all_reduces; null: what is chosen by default @param longest of an all_reduce
    collectives(const topo::hierarchy& levels, const topo::plan* by, std::size_t longest)
        : rank_(levels.whole().rank()), size_(levels.whole().size()), root_(size_ / 2) {
        const std::vector<std::size_t> lengths{1, longest, 100, longest, 1, longest / 3, longest, 700};
        for (const std::size_t length : lengths) {
            mine_.emplace_back(length);
            sums_.emplace_back(length);
        }
        spread_ = {numbers(1), numbers(longest)};
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            all.push_back(by == nullptr ? topo::all_reduce_init(levels, mine_[k], sums_[k], std::plus<>{})
                                        : prepare(levels, *by, mine_[k], sums_[k]));
            if (k == 2 || k == 5)
                all.push_back(topo::broadcast_init(levels, spread_[k == 2 ? 0 : 1], root_, topo::binomial{}));
            if (k == 3) all.push_back(topo::barrier_init(levels));
        }
    }

    void start(int round) {
        for (std::size_t k = 0; k < mine_.size(); ++k)
            for (std::size_t i = 0; i < mine_[k].size(); ++i)
                mine_[k][i] = number_of(rank_, k, round, i);
        for (numbers& each : spread_)
            for (std::size_t i = 0; i < each.size(); ++i)
                each[i] = number_of(rank_, 20, round, i);
        for (topo::persistent& each : all)
            each.start();
    }

    void check(int round) const {
        for (std::size_t k = 0; k < sums_.size(); ++k) {
            numbers expected(sums_[k].size());
            for (int rank = 0; rank < size_; ++rank)
                for (std::size_t i = 0; i < expected.size(); ++i)
                    expected[i] += number_of(rank, k, round, i);
            CHECK(sums_[k] == expected);
        }
        for (const numbers& each : spread_) {
            numbers expected(each.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                expected[i] = number_of(root_, 20, round, i);
            CHECK(each == expected);
        }
    }

private:
    static topo::persistent prepare(const topo::hierarchy& levels, const topo::plan& by, numbers& mine,
                                    numbers& sums) {
        topo::detail::choose_automatically(topo::detail::verb::all_reduce, levels, 8,
                                           true); // as the call does
        return topo::detail::begin<algorithm::any, topo::detail::when_started>(
            levels,
            topo::detail::all_reduce_arguments{
                mine.data(), topo::message{sums.data(), sums.size(), MPI_INT}, {MPI_SUM, true}},
            "all_reduce_init", by);
    }

    int rank_, size_, root_;
    std::vector<numbers> mine_, sums_, spread_;

public:
    std::vector<topo::persistent> all; ///< which end before the memory that they use
};

/// Waits for all of them, in one of several ways.
void finish(std::vector<topo::persistent>& all, int wait_kind) {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    switch (wait_kind % 6) {
    case 0:
        return topo::wait_all(all);
    case 1:
        while (topo::wait_any(all) != all.end()) {
        }
        return;
    case 2:
        while (!topo::test_all(all))
            topo::detail::yield_core();
        return;
    case 3:
        std::ranges::reverse(order);
        break;
    case 4:
        std::ranges::shuffle(order, std::mt19937{static_cast<unsigned>(wait_kind)});
        break;
    default:
        break;
    }
    for (const std::size_t which : order)
        all[which].wait();
}

/// Two nodes, and three where there are as many ranks.
std::vector<topo_test::scenario> machines(int ranks) {
    std::vector<topo_test::scenario> result;
    for (const int nodes : {2, 3}) {
        if (ranks < nodes) continue;
        const int cores = (ranks + nodes - 1) / nodes;
        const auto described = "node:" + std::to_string(nodes) + " core:" + std::to_string(cores);
        result.push_back({described, topo::machine::parse(described), topo::placement::core_by_core()});
        result.push_back(
            {described + ", in turn", topo::machine::parse(described), topo::placement::round_robin()});
    }
    if (result.empty()) result.push_back(topo_test::scenarios(ranks).front());
    return result;
}

void check_all(const topo::plan* by, std::size_t longest) {
    const boost::mpi::communicator world;
    for (const auto& each : machines(world.size())) {
        INFO(each.name);
        collectives together{topo_test::hierarchy_on(world, each), by, longest};
        for (int round = 0; round < 7; ++round) {
            INFO("round ", round);
            together.start(round);
            // In the last round each rank has a way of its own.
            finish(together.all, round < 6 ? round + 6 * world.rank() : world.rank());
            together.check(round);
        }
    }
}

} // namespace

TEST_CASE("started together: as it is chosen") { check_all(nullptr, 9000); }
TEST_CASE("started together: nodes exchange in one step") {
    check_all(&through_nodes<topo::multi_object>, 1000);
}
TEST_CASE("started together: nodes exchange in lanes") {
    check_all(&through_nodes<topo::rounds_in_lanes<4>>, 40001);
}
TEST_CASE("started together: nodes exchange level by level") {
    check_all(&through_nodes<topo::rounds_in_level<2>>, 9000);
}

} // namespace started_together_tests
