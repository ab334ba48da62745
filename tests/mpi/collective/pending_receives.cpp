// SPDX-License-Identifier: BSL-1.0
// A receive for anything from anybody, pending on every communicator that users can see, gets nothing,
// whatever topomp does meanwhile.
#include "support/made_up.hpp"
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/serialization/string.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pending_receives_tests {

using boost::mpi::communicator;

namespace {

/// Receives for which no message is sent. @pre they are ended before MPI
class pending_receives {
public:
    void on(std::string name, MPI_Comm comm) {
        if (comm == MPI_COMM_NULL) return;
        auto& next = all_.emplace_back();
        next.name = std::move(name);
        MPI_Irecv(next.buffer.data(), static_cast<int>(next.buffer.size()), MPI_BYTE, MPI_ANY_SOURCE,
                  MPI_ANY_TAG, comm, &next.request);
    }
    pending_receives() = default;
    pending_receives(const pending_receives&) = delete;
    pending_receives& operator=(const pending_receives&) = delete;

    /// Those that got a message, each told once. @return names
    std::string disturbed() {
        std::string names;
        for (auto& each : all_) {
            int arrived = 0;
            MPI_Status status;
            if (each.request == MPI_REQUEST_NULL) continue;
            MPI_Test(&each.request, &arrived, &status);
            if (arrived != 0)
                names += each.name + " from " + std::to_string(status.MPI_SOURCE) + " tag " +
                         std::to_string(status.MPI_TAG) + "; ";
        }
        return names;
    }
    ~pending_receives() {
        for (auto& each : all_) {
            if (each.request == MPI_REQUEST_NULL) continue;
            MPI_Cancel(&each.request);
            MPI_Wait(&each.request, MPI_STATUS_IGNORE);
        }
    }

private:
    struct pending {
        std::string name;
        MPI_Request request = MPI_REQUEST_NULL;
        std::array<std::byte, 4096> buffer{};
    };
    std::deque<pending> all_;
};

void on_levels(pending_receives& pending, const topo::hierarchy& levels) {
    pending.on("whole", levels.whole());
    for (const topo::level& each : levels) {
        pending.on("level", each.comm());
        pending.on("roots", each.roots());
    }
}

void call_verbs(const topo::hierarchy& levels, std::size_t count) {
    using namespace topo;
    const auto ranks = static_cast<std::size_t>(levels.whole().size());
    const int last = levels.whole().size() - 1;
    const std::vector<int> mine(count, 1), blocks(count * ranks, 1);
    std::vector<int> some(count);
    std::vector<int> all(count * ranks);
    const std::plus<> sum;
    const auto each_by = [&](auto policy) {
        barrier(levels, policy);
        broadcast(levels, some, last, policy);
        reduce(levels, mine, some, sum, last, policy);
        all_reduce(levels, mine, some, sum, policy);
    };
    each_by(automatic{});
    each_by(binomial{});
    each_by(flat{});
    each_by(native{});
    each_by(hierarchical<otherwise<direct_messages>>{});
    each_by(hierarchical<within<kind::machine, shared>, otherwise<direct_messages>>{});
    broadcast(levels, some, last, lanes<>{});
    all_reduce(levels, mine, some, sum, lanes<native, native>{});
    all_reduce(levels, mine, some, sum, ring{});
    gather(levels, mine, all, last);
    scatter(levels, blocks, some, last);
    all_gather(levels, mine, all);
    all_gather(levels, mine, all, bruck{});
    all_to_all(levels, blocks, all);
    all_to_all(levels, blocks, all, bruck{});
    reduce_scatter(levels, blocks, some, sum);
    scan(levels, mine, some, sum);
    exclusive_scan(levels, mine, some, sum);
    std::string text(count, 'x');
    broadcast(levels, text, last);
    gather(levels, text, last);
    all_gather(levels, text);
    auto first = ibroadcast(levels, some, last);
    auto second = iall_gather(levels, mine, all);
    second.wait();
    first.wait();
}

void call_queries(const topo::hierarchy& levels) {
    const int last = levels.whole().size() - 1;
    const std::array ends{0, last};
    topo::lowest_shared_type(levels, ends);
    topo::shared_depth(levels, 0, last);
    topo::locate(levels, last);
    topo::whole_rank(levels, std::array{0}, 0);
    topo::gather_outline(levels, last);
    topo::split_with_roots(levels.whole());
    topo::split(levels.whole(), topo::kind::machine);
    for (const topo::level& each : levels)
        topo::split(each.comm());
    topo::hierarchy{levels.whole()};
}

} // namespace

TEST_CASE("no message of topomp's is on a communicator that users can see") {
    const communicator world;
    for (const std::size_t which : {3U, 4U, 9U}) { // uneven, interleaved, and ranks that span objects
        const auto machine = topo_test::scenarios(world.size())[which];
        INFO(machine.name);
        const topo::hierarchy levels{world, machine.on, machine.rule};
        topo::shared_window<int> window{levels, 5};
        topo::shared_window<int> once{levels, 7, topo::hybrid::one_copy};
        const topo::node_cart cart{levels, {0, 0}};
        topo::node_cart_options keeping;
        keeping.reorder = topo::reordering::off;
        const topo::node_cart same{levels, {0, 0}, keeping};
        const topo::graph graph{levels, {(world.rank() + 1) % world.size()}};
        const auto row = cart.sub({false, true});
        pending_receives pending;
        pending.on("world", world);
        on_levels(pending, levels);
        pending.on("window", window.comm());
        pending.on("arena", topo::arena::of(levels).comm());
        pending.on("grid", cart.comm());
        pending.on("grid in the old order", same.comm());
        pending.on("row", row);
        pending.on("graph", graph.comm());

        call_verbs(levels, 3);
        CHECK(pending.disturbed() == "");
        call_verbs(levels, 5000);
        CHECK(pending.disturbed() == "");
        call_queries(levels);
        CHECK(pending.disturbed() == "");

        std::array<int, 4> out{}, in{};
        std::vector<topo::halo> halos;
        for (std::size_t i = 0; i < out.size(); ++i)
            halos.push_back({&out[i], 1, MPI_INT, &in[i], 1, MPI_INT});
        cart.exchange(halos);
        same.exchange(halos);
        cart.sub({true, false});
        const auto along = topo::remap(world, cart);
        topo::permute(along, out, in);
        topo::graph{world, {(world.rank() + 1) % world.size()}};
        CHECK(pending.disturbed() == "");

        window.fence();
        window.steps().barrier(window.waits());
        topo::hybrid::broadcast(levels, once, world.size() - 1);
        const std::vector<int> seven(7, world.rank());
        topo::hybrid::all_reduce(levels, seven, once, std::plus<>{});
        topo::hybrid::reduce(levels, seven, once, std::plus<>{}, world.size() - 1);
        topo::shared_window<int> gathered{levels, 7 * world.size(), topo::hybrid::one_copy};
        topo::hybrid::all_gather(levels, seven, gathered);
        MPI_Barrier(world);
        CHECK(pending.disturbed() == "");
    }
}

} // namespace pending_receives_tests
