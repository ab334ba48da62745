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

/// Receives that nobody sends to. @pre they are ended before MPI
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

void on_levels(pending_receives& pending, const topo::hierarchy& tree) {
    pending.on("whole", tree.whole());
    for (const topo::level& each : tree) {
        pending.on("level", each.comm());
        pending.on("roots", each.roots());
    }
}

void call_verbs(const topo::hierarchy& tree, std::size_t count) {
    using namespace topo;
    const auto ranks = static_cast<std::size_t>(tree.whole().size());
    const int last = tree.whole().size() - 1;
    const std::vector<int> mine(count, 1), blocks(count * ranks, 1);
    std::vector<int> some(count);
    std::vector<int> all(count * ranks);
    const std::plus<> sum;
    const auto each_by = [&](auto policy) {
        barrier(tree, policy);
        broadcast(tree, some, last, policy);
        reduce(tree, mine, some, sum, last, policy);
        all_reduce(tree, mine, some, sum, policy);
    };
    each_by(automatic{});
    each_by(binomial{});
    each_by(flat{});
    each_by(native{});
    each_by(hierarchical<otherwise<direct_messages>>{});
    each_by(hierarchical<within<kind::machine, shared>, otherwise<direct_messages>>{});
    broadcast(tree, some, last, lanes<>{});
    all_reduce(tree, mine, some, sum, lanes<native, native>{});
    all_reduce(tree, mine, some, sum, ring{});
    gather(tree, mine, all, last);
    scatter(tree, blocks, some, last);
    all_gather(tree, mine, all);
    all_gather(tree, mine, all, bruck{});
    all_to_all(tree, blocks, all);
    all_to_all(tree, blocks, all, bruck{});
    reduce_scatter(tree, blocks, some, sum);
    scan(tree, mine, some, sum);
    exclusive_scan(tree, mine, some, sum);
    std::string text(count, 'x');
    broadcast(tree, text, last);
    gather(tree, text, last);
    all_gather(tree, text);
    auto first = ibroadcast(tree, some, last);
    auto second = iall_gather(tree, mine, all);
    second.wait();
    first.wait();
}

void call_queries(const topo::hierarchy& tree) {
    const int last = tree.whole().size() - 1;
    const std::array ends{0, last};
    topo::lowest_shared_type(tree, ends);
    topo::shared_depth(tree, 0, last);
    topo::locate(tree, last);
    topo::whole_rank(tree, std::array{0}, 0);
    topo::gather_outline(tree, last);
    topo::split_with_roots(tree.whole());
    topo::split(tree.whole(), topo::kind::machine);
    for (const topo::level& each : tree)
        topo::split(each.comm());
    topo::hierarchy{tree.whole()};
}

} // namespace

TEST_CASE("no message of topomp's is on a communicator that users can see") {
    const communicator world;
    for (const std::size_t which : {3U, 4U, 9U}) { // uneven, interleaved, and ranks that span objects
        const auto machine = topo_test::scenarios(world.size())[which];
        INFO(machine.name);
        const topo::hierarchy tree{world, machine.on, machine.rule};
        topo::shared_window<int> window{tree, 5};
        topo::shared_window<int> once{tree, 7, topo::hybrid::one_copy};
        const topo::node_cart cart{tree, {0, 0}};
        topo::node_cart_options keeping;
        keeping.reorder = topo::reordering::off;
        const topo::node_cart same{tree, {0, 0}, keeping};
        const topo::graph graph{tree, {(world.rank() + 1) % world.size()}};
        const auto row = cart.sub({false, true});
        pending_receives pending;
        pending.on("world", world);
        on_levels(pending, tree);
        pending.on("window", window.comm());
        pending.on("arena", topo::arena::of(tree).comm());
        pending.on("grid", cart.comm());
        pending.on("grid in the old order", same.comm());
        pending.on("row", row);
        pending.on("graph", graph.comm());

        call_verbs(tree, 3);
        CHECK(pending.disturbed() == "");
        call_verbs(tree, 5000);
        CHECK(pending.disturbed() == "");
        call_queries(tree);
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
        window.steps().barrier(window.how());
        topo::hybrid::broadcast(tree, once, world.size() - 1);
        const std::vector<int> seven(7, world.rank());
        topo::hybrid::all_reduce(tree, seven, once, std::plus<>{});
        topo::hybrid::reduce(tree, seven, once, std::plus<>{}, world.size() - 1);
        topo::shared_window<int> gathered{tree, 7 * world.size(), topo::hybrid::one_copy};
        topo::hybrid::all_gather(tree, seven, gathered);
        MPI_Barrier(world);
        CHECK(pending.disturbed() == "");
    }
}

} // namespace pending_receives_tests
