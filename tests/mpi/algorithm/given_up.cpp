// SPDX-License-Identifier: BSL-1.0
// Operations that fail while messages to them are under way: these may arrive after the call has thrown.
#include "support/unwatched.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_init.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace given_up_tests {

using namespace topo::detail;

namespace {

constexpr int tag = 1;

/// What became of the operation that was started last.
struct {
    bool is_freed = false;
    int* memory = nullptr;
    MPI_Request* message = nullptr;
} last;

/// Receives a message from the rank itself, and fails.
class failing final : public operation {
public:
    ~failing() override { last.is_freed = true; }

    void start(context& ranks, bool fails_at_once) {
        last.is_freed = false;
        last.memory = &number_;
        slots_.assign(1, MPI_REQUEST_NULL);
        MPI_Irecv(&number_, 1, MPI_INT, ranks.rank(), tag, ranks.private_comm(), slots_.data());
        last.message = slots_.data();
        if (fails_at_once) throw std::runtime_error("at the start");
    }

private:
    bool advance() override { throw std::runtime_error("on the way"); }

    int number_ = 0;
};

/// Fails behind its last message.
class failing_at_the_end final : public operation {
public:
    ~failing_at_the_end() override { last.is_freed = true; }

private:
    bool advance() override { throw std::runtime_error("at the end"); }
};

/// Whether the message that the operation still waits for finds the memory.
bool receives(context& ranks, int number) {
    if (last.is_freed) return false;
    MPI_Send(&number, 1, MPI_INT, ranks.rank(), tag, ranks.private_comm());
#ifdef SMPI_H // which does not tell whether it has come
    MPI_Wait(last.message, MPI_STATUS_IGNORE);
#else // no other code completes what the operation has left behind
    for (int has_come = 0; has_come == 0;)
        MPI_Request_get_status(*last.message, &has_come, MPI_STATUS_IGNORE);
#endif
    return *last.memory == number;
}

} // namespace

TEST_CASE("an operation that fails keeps its memory while messages are under way") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    auto& ranks = context::of(levels);
    auto& pool = ranks.pool<failing>();
    for (const bool fails_at_once : {false, true}) {
        CAPTURE(fails_at_once);
        const auto start = [&](failing& op) { op.start(ranks, fails_at_once); };
        CHECK_THROWS_AS(run(pool, start), std::runtime_error);
        CHECK(receives(ranks, 1));
        CHECK_THROWS_AS((started{pool, start}), std::runtime_error);
        CHECK(receives(ranks, 2));
        CHECK_THROWS_AS(static_cast<void>(in_background{levels}(pool, start)), std::runtime_error);
        CHECK(receives(ranks, 3));
    }
    CHECK_THROWS_AS(run(ranks.pool<failing_at_the_end>(), [](auto&) { last.is_freed = false; }),
                    std::runtime_error);
    CHECK(last.is_freed); // nothing arrives any more
}

namespace {

bool throws = false;

struct addition {
    int operator()(int a, int b) const {
        if (throws) throw std::runtime_error("no more");
        return a + b;
    }
};

} // namespace

TEST_CASE("a reduction whose operation throws while operands are under way, and those that follow") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    topo::barrier(levels);
    constexpr std::size_t count = 4000; // too long to be sent before it is received
    const std::vector<int> mine(count, 1);
    std::vector<int> sum(count);
    auto again = topo::reduce_init(levels, mine, sum, addition{}, 0, topo::linear{});
    for (const bool is_persistent : {false, true}) {
        CAPTURE(is_persistent);
        const auto reduce = [&] {
            if (!is_persistent) return topo::reduce(levels, mine, sum, addition{}, 0, topo::linear{});
            again.start();
            again.wait();
        };
        if (world.rank() == 0) {
            throws = world.size() > 1;
            if (throws)
                CHECK_THROWS_AS(reduce(), std::runtime_error);
            else
                reduce();
            throws = false;
            for (int other = 2; other < world.size(); ++other)
                world.send(other, 77); // whose operands no rank has received yet
        } else {
            if (world.rank() > 1) world.recv(0, 77);
            reduce();
        }
        for (int i = 0; i < 2; ++i) {
            sum.assign(count, -1);
            reduce();
            if (world.rank() == 0) CHECK(sum == std::vector<int>(count, world.size()));
        }
    }
}

} // namespace given_up_tests
