// SPDX-License-Identifier: BSL-1.0
// Several hierarchies, several threads and the user's own messages do not meet each other.
#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tree_verbs_threads_tests {

using topo_test::complaints;
using topo_test::number_of;
using topo_test::verbs;

namespace {

using number = std::uint64_t;

/// Every verb once, by one policy, with data that no other call has. @collective over the whole
void use(const topo::hierarchy& levels, const verbs& by, int root, number call, complaints& wrong) {
    const auto& whole = levels.whole();
    constexpr std::size_t count = 30;
    std::vector<number> mine(count), sum(count), expected(count, 0), data(count), of_root(count);
    for (std::size_t i = 0; i < count; ++i) {
        mine[i] = number_of(whole.rank(), i, call);
        of_root[i] = number_of(root, i, call);
        for (int rank = 0; rank < whole.size(); ++rank)
            expected[i] += number_of(rank, i, call);
    }
    if (whole.rank() == root) data = mine;
    by.broadcast(levels, {data.data(), count, MPI_UINT64_T}, root);
    wrong.expect(data == of_root, "broadcast by " + by.name);
    by.reduce(levels, mine.data(), {sum.data(), count, MPI_UINT64_T}, MPI_SUM, root);
    wrong.expect(whole.rank() != root || sum == expected, "reduce by " + by.name);
    by.barrier(levels);
    by.all_reduce(levels, MPI_IN_PLACE, {mine.data(), count, MPI_UINT64_T}, MPI_SUM);
    wrong.expect(mine == expected, "all_reduce by " + by.name);
}

/// A receive for whatever anybody sends, and the message that is meant for it, sent later.
class open_receive {
public:
    explicit open_receive(const boost::mpi::communicator& comm) : comm_(comm) {
        MPI_Irecv(&received_, 1, MPI_UINT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &request_);
    }
    open_receive(const open_receive&) = delete;
    open_receive& operator=(const open_receive&) = delete;
    ~open_receive() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

    bool is_still_open() { // not by MPI_Request_get_status: SimGrid's says of every receive that it is done
        int arrived = 1;
        MPI_Test(&request_, &arrived, MPI_STATUS_IGNORE);
        return arrived == 0;
    }
    /// Sends to the next rank and receives from the one before. @collective over the communicator
    bool gets_what_is_meant() {
        const int n = comm_.size(), rank = comm_.rank();
        const number mine = 0xABC0 + static_cast<number>(rank);
        MPI_Request sending = MPI_REQUEST_NULL;
        MPI_Isend(&mine, 1, MPI_UINT64_T, (rank + 1) % n, 77, comm_, &sending);
        MPI_Status status{};
        MPI_Wait(&request_, &status);
        MPI_Wait(&sending, MPI_STATUS_IGNORE);
        const int before = (rank + n - 1) % n;
        return status.MPI_SOURCE == before && status.MPI_TAG == 77 &&
               received_ == 0xABC0 + static_cast<number>(before);
    }

private:
    boost::mpi::communicator comm_;
    number received_ = 0;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

} // namespace

TEST_CASE(
    "receives for anything, on the user's communicator, the whole and the levels, get nothing of ours") {
    const boost::mpi::communicator world;
    const auto all = topo_test::scenarios(world.size());
    for (const std::size_t chosen : {std::size_t{0}, std::size_t{3}, std::size_t{7}}) {
        INFO(all[chosen].name);
        const topo::hierarchy levels{world, all[chosen].on, all[chosen].rule};
        open_receive on_world{world}, on_whole{levels.whole()};
        std::vector<std::unique_ptr<open_receive>> on_levels;
        for (const auto& level : levels)
            on_levels.push_back(std::make_unique<open_receive>(level.comm()));
        complaints wrong;
        number call = 0;
        for (const verbs& by : topo_test::all_policies())
            for (const int root : {0, world.size() - 1})
                use(levels, by, root, ++call, wrong);
        INFO(wrong.text());
        CHECK(wrong.text().empty());
        CHECK(on_world.is_still_open());
        CHECK(on_whole.is_still_open());
        for (const auto& each : on_levels)
            CHECK(each->is_still_open());
        world.barrier(); // no rank sends before all have tested
        CHECK(on_world.gets_what_is_meant());
        CHECK(on_whole.gets_what_is_meant());
        for (const auto& each : on_levels)
            CHECK(each->gets_what_is_meant());
    }
}

TEST_CASE("messages already on their way are not taken for ours") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 package:2 core:2"),
                                 topo::placement::round_robin()};
    const int next = (world.rank() + 1) % world.size();
    std::array<number, 8> sent{};
    std::array<MPI_Request, 16> requests{};
    for (int tag = 0; tag < 8; ++tag) { // the first tags that the engines use
        const auto i = static_cast<std::size_t>(tag);
        sent[i] = 1000 + static_cast<number>(tag);
        MPI_Isend(&sent[i], 1, MPI_UINT64_T, next, tag, world, &requests[2 * i]);
        MPI_Isend(&sent[i], 1, MPI_UINT64_T, next, tag, levels.whole(), &requests[2 * i + 1]);
    }
    complaints wrong;
    number call = 0;
    for (const verbs& by : topo_test::all_policies())
        use(levels, by, world.size() / 2, ++call, wrong);
    INFO(wrong.text());
    CHECK(wrong.text().empty());
    for (int tag = 0; tag < 8; ++tag)
        for (const MPI_Comm comm : {MPI_Comm(world), MPI_Comm(levels.whole())}) {
            number received = 0;
            MPI_Recv(&received, 1, MPI_UINT64_T, MPI_ANY_SOURCE, tag, comm, MPI_STATUS_IGNORE);
            CHECK(received == 1000 + static_cast<number>(tag));
        }
    MPI_Waitall(16, requests.data(), MPI_STATUSES_IGNORE);
}

TEST_CASE("several hierarchies of one communicator, used in turn") {
    const boost::mpi::communicator world;
    const auto all = topo_test::scenarios(world.size());
    std::vector<topo::hierarchy> hierarchies;
    for (const auto& each : all)
        hierarchies.emplace_back(world, each.on, each.rule);
    hierarchies.push_back(hierarchies.front()); // a copy shares what it keeps
    complaints wrong;
    number call = 0;
    const auto policies = topo_test::all_policies();
    for (int round = 0; round < (topo_test::sampling(world) == 1 ? 3 : 1); ++round)
        for (std::size_t i = 0; i < hierarchies.size(); ++i)
            for (std::size_t p = 0; p < 4; ++p)
                use(hierarchies[i], policies[(3 * i + p) % policies.size()],
                    static_cast<int>(i) % world.size(), ++call, wrong);
    INFO(wrong.text());
    CHECK(wrong.text().empty());
}

TEST_CASE("as many calls as there are tags, from many roots") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::core_by_core()};
    const int calls = topo_test::sampling(world) > 1 ? 600 : world.size() > 4 ? 2000 : 33000;
    bool is_right = true;
    for (int i = 0; i < calls; ++i) {
        const int root = i % 7 == 0 ? i % world.size() : 0;
        int value = world.rank() == root ? i : -1;
        topo::broadcast(levels, value, root, topo::binomial{});
        is_right = is_right && value == i;
    }
    CHECK(is_right);
}

TEST_CASE("threads with a communicator each build hierarchies and use them at the same time") {
    const boost::mpi::communicator world;
    if (boost::mpi::environment::thread_level() < boost::mpi::threading::multiple) {
        MESSAGE("this MPI has no MPI_THREAD_MULTIPLE");
        return;
    }
    constexpr std::size_t threads = 3;
    std::vector<boost::mpi::communicator> comms;
    for (std::size_t t = 0; t < threads; ++t)
        comms.emplace_back(world, boost::mpi::comm_duplicate);
    std::array<complaints, threads> wrong;
    const auto work = [&](std::size_t t) {
        try {
            const auto all = topo_test::scenarios(world.size());
            const auto policies = topo_test::all_policies();
            for (std::size_t round = 0; round < (topo_test::sampling(world) == 1 ? 4 : 1); ++round) {
                const auto& each = all[(t + 3 * round) % all.size()];
                const topo::hierarchy levels{comms[t], each.on, each.rule};
                for (std::size_t p = 0; p < policies.size(); ++p)
                    use(levels, policies[p], static_cast<int>(t + p) % world.size(),
                        1000 * t + 100 * round + p, wrong[t]);
            }
        } catch (const std::exception& problem) {
            wrong[t].expect(false, problem.what());
        }
    };
    std::vector<std::thread> running;
    for (std::size_t t = 0; t < threads; ++t)
        running.emplace_back(work, t);
    for (auto& each : running)
        each.join();
    for (const complaints& each : wrong) {
        INFO(each.text());
        CHECK(each.text().empty());
    }
}

// The communicators of a context are of all ranks and of each level, and a rank does not wait for others that
// make those of the last context. Open MPI's agreements on numbers of communicators, one for each thread,
// waited for each other then.
TEST_CASE("threads begin to use hierarchies at the same time") {
    const boost::mpi::communicator world;
    if (boost::mpi::environment::thread_level() < boost::mpi::threading::multiple) return;
    constexpr std::size_t threads = 3;
    std::vector<boost::mpi::communicator> comms;
    for (std::size_t t = 0; t < threads; ++t)
        comms.emplace_back(world, boost::mpi::comm_duplicate);
    std::vector<int> sums(threads, 0);
    const int hierarchies = world.size() > 4 ? 4 : 12;
    const auto work = [&](std::size_t t) {
        std::vector<topo::hierarchy> all;
        for (int i = 0; i < hierarchies; ++i)
            all.emplace_back(comms[t], topo::machine::parse("node:3 core:2"),
                             topo::placement::core_by_core());
        std::reverse(all.begin(), all.end()); // from high numbers of communicators to low ones
        for (const topo::hierarchy& levels : all)
            static_cast<void>(topo::detail::context::of(levels));
        for (const topo::hierarchy& levels : all) {
            int value = world.rank() == 0 ? 1 : 0;
            topo::broadcast(levels, value, 0, topo::linear{});
            sums[t] += value;
        }
    };
    std::vector<std::thread> running;
    for (std::size_t t = 0; t < threads; ++t)
        running.emplace_back(work, t);
    for (auto& each : running)
        each.join();
    CHECK(sums == std::vector<int>(threads, hierarchies));
}

} // namespace tree_verbs_threads_tests
