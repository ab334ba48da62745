// SPDX-License-Identifier: BSL-1.0
// Values that only Boost.Serialization can turn into bytes come out as they went in.
#include "support/block_policies.hpp"
#include "support/check_fails.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/serialized.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/vector.hpp>
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

namespace serialized_tests {

namespace {

/// A class with a private `serialize`, as Boost's tutorial has it.
class account {
public:
    account() = default;
    account(std::string owner, double balance) : owner_(std::move(owner)), balance_(balance) {}
    friend bool operator==(const account&, const account&) = default;

private:
    friend class boost::serialization::access;
    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& owner_& balance_;
    }
    std::string owner_;
    double balance_ = 0;
};

struct empty {
    template <class Archive>
    void serialize(Archive&, unsigned) {}
};

enum class colour { red, green, blue };
struct plain {
    int* address = nullptr;
};

static_assert(topo::serializable<account>);
static_assert(topo::serializable<std::string>);
static_assert(topo::serializable<std::vector<std::vector<int>>>);
static_assert(topo::serializable<std::map<int, std::string>>);
static_assert(topo::serializable<colour>);
static_assert(!topo::serializable<plain>);
static_assert(!topo::serializable<int>, "an MPI datatype goes as it is");
static_assert(!topo::serializable<std::vector<int>>, "elements go as they are");
static_assert(!topo::serializable<topo::message>);

/// A string of another length on each rank.
std::string text_of(int rank) {
    return std::string(static_cast<std::size_t>(rank * 37 % 101), 'a') + std::to_string(rank);
}

using book = std::map<std::string, std::vector<int>>;
book book_of(int rank) {
    book result;
    for (int i = 0; i < rank % 4; ++i)
        result[text_of(i)] = std::vector<int>(static_cast<std::size_t>(i + rank), rank);
    return result;
}

/// Broadcast, gather, all_gather and scatter of what `value_of(rank)` gives.
template <class Policy, class ValueOf>
void check_all(const topo::hierarchy& levels, int root, ValueOf value_of) {
    using value_type = decltype(value_of(0));
    const int rank = levels.whole().rank(), ranks = levels.whole().size();
    value_type value = value_of(rank);
    topo::broadcast(levels, value, root, Policy{});
    CHECK((value == value_of(root)));

    std::vector<value_type> expected;
    for (int r = 0; r < ranks; ++r)
        expected.push_back(value_of(r));
    const auto all = topo::gather(levels, value_of(rank), root, Policy{});
    CHECK((all == (rank == root ? expected : std::vector<value_type>{})));
    CHECK((topo::all_gather(levels, value_of(rank), Policy{}) == expected));
    CHECK((topo::scatter(levels, all, root, Policy{}) == value_of(rank)));
}

} // namespace

TEST_CASE("strings, containers and classes of any length") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const int root : topo_test::roots_to_try(world.size())) {
            INFO(each.name << ", root " << root);
            check_all<topo::automatic>(levels, root, text_of);
            check_all<topo::binomial>(levels, root, book_of);
        }
        const int root = world.size() / 2;
        check_all<topo::flat>(levels, root, text_of);
        check_all<topo::chain>(levels, root, [](int rank) { return account{text_of(rank), rank * 0.5}; });
        check_all<topo::linear>(levels, root, [](int rank) { return static_cast<colour>(rank % 3); });
        check_all<topo::segmented<64, topo::binary>>(levels, root, [](int rank) {
            return std::vector<std::vector<int>>(static_cast<std::size_t>(rank % 5),
                                                 std::vector<int>(2, rank));
        });
    }
}

TEST_CASE("values without bytes, and long ones") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    empty nothing;
    topo::broadcast(levels, nothing, 0);
    CHECK(topo::gather(levels, nothing, 0).size() ==
          (world.rank() == 0 ? static_cast<std::size_t>(world.size()) : 0));
    check_all<topo::automatic>(
        levels, 0, [](int rank) { return std::string(200'000, static_cast<char>('a' + rank % 26)); });
}

TEST_CASE("a root that does not exist, or has not a value for each rank") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    std::string text;
    using topo_test::check_fails;
    check_fails<topo::argument_error>([&] { topo::broadcast(levels, text, -1); },
                                      {"topo::broadcast: root -1"});
    check_fails<topo::argument_error>([&] { topo::gather(levels, text, -1); }, {"topo::gather: root -1"});
    const std::vector<std::string> too_many(static_cast<std::size_t>(world.size()) + 1);
    check_fails<topo::argument_error>([&] { topo::scatter(levels, too_many, world.rank()); },
                                      {"topo::scatter: values: it has " + std::to_string(too_many.size())});
}

} // namespace serialized_tests
