// SPDX-License-Identifier: BSL-1.0
// What is cached on communicators, and that everything is freed: communicators, groups, attributes.
#include "support/check_fails.hpp"
#include "support/check_levels.hpp"
#include "support/made_up.hpp"
#include "support/open_handles.hpp"
#include <topomp/hardware/network.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/split.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <boost/mpi/collectives/all_reduce.hpp>
#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace attributes_tests {

using topo_test::compare;
using topo_test::count_open_handles;

namespace {

topo::hierarchy build(const boost::mpi::communicator& comm, const topo_test::scenario& each) {
    return topo::hierarchy{comm, each.on, each.rule};
}

topo_test::scenario deep() {
    return {"deep", topo::machine::parse("switch:2 node:2 package:2 core:2"), topo::placement::round_robin()};
}

MPI_Comm duplicate(MPI_Comm comm) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &copy);
    return copy;
}

/// Makes the keys of all attributes, which then stay until MPI ends.
void warm_up(const boost::mpi::communicator& world) {
    static bool is_done = false;
    if (std::exchange(is_done, true)) return;
    MPI_Comm copy = duplicate(world);
    topo::hierarchy::of(boost::mpi::communicator{copy, boost::mpi::comm_attach});
    MPI_Comm_free(&copy);
}

} // namespace

TEST_CASE("a bare communicator tells its level") {
    const boost::mpi::communicator world;
    CHECK(!topo::level_info_of(world));
    CHECK(!topo::level_info_of(MPI_COMM_SELF));
    const auto levels = build(world, deep());
    CHECK((topo::level_info_of(levels.whole()) == levels.whole_info()));
    for (const topo::level& each : levels) {
        const MPI_Comm bare = each.comm();
        CHECK((topo::level_info_of(bare) == each.info()));
        if (each.is_root()) CHECK(!topo::level_info_of(each.roots()));
        MPI_Comm part = MPI_COMM_NULL; // a user's own split stands for no level
        MPI_Comm_split(bare, each.rank() % 2, 0, &part);
        CHECK(!topo::level_info_of(part));
        MPI_Comm_free(&part);
    }
}

TEST_CASE("a duplicate stands for the same level, and can be split further") {
    const boost::mpi::communicator world;
    std::vector<MPI_Comm> copies;
    std::vector<topo::level_info> infos;
    {
        const auto levels = build(world, deep());
        for (const topo::level& each : levels) {
            copies.push_back(duplicate(each.comm()));
            infos.push_back(each.info());
        }
    } // the originals are gone
    for (std::size_t d = 0; d < copies.size(); ++d) {
        CHECK((topo::level_info_of(copies[d]) == infos[d]));
        const auto below = topo::split_with_roots({copies[d], boost::mpi::comm_attach});
        CHECK(below.has_value() == (d + 1 < copies.size()));
        if (!below || d + 1 == copies.size()) continue;
        CHECK((below->info() == infos[d + 1]));
        CHECK(compare(below->comm(), copies[d + 1]) == MPI_CONGRUENT);
    }
    for (MPI_Comm& copy : copies) // outermost first: the others do not need it
        MPI_Comm_free(&copy);
}

TEST_CASE("original and duplicate are freed in any order") {
    const boost::mpi::communicator world;
    warm_up(world);
    const auto before = count_open_handles();
    for (const bool original_first : {true, false}) {
        auto first = topo::split_with_roots(build(world, deep()).whole());
        MPI_Comm copy = first ? duplicate(first->comm()) : MPI_COMM_NULL;
        if (original_first) first.reset();
        if (copy != MPI_COMM_NULL) {
            CHECK(topo::level_info_of(copy).has_value());
            MPI_Comm_free(&copy);
        }
        if (first) CHECK((topo::level_info_of(first->comm()) == first->info()));
    }
    CHECK((count_open_handles() == before));
}

TEST_CASE("a hierarchy is cached on its communicator") {
    const boost::mpi::communicator world;
    warm_up(world);
    const auto before = count_open_handles();
    MPI_Comm user = duplicate(world);
    MPI_Comm other = MPI_COMM_NULL;
    std::optional<topo::hierarchy> kept;
    {
        const boost::mpi::communicator comm{user, boost::mpi::comm_attach};
        const auto first = topo::hierarchy::of(comm);
        const auto built = count_open_handles();
        const auto second = topo::hierarchy::of(comm);
        CHECK((count_open_handles() == built)); // nothing was split again
        CHECK(compare(first.whole(), second.whole()) == MPI_IDENT);
        CHECK(first.depth() == second.depth());
        for (int d = 0; d < std::min(first.depth(), second.depth()); ++d)
            CHECK(compare(first[d].comm(), second[d].comm()) == MPI_IDENT);

        other = duplicate(user); // does not inherit it
        const auto third = topo::hierarchy::of({other, boost::mpi::comm_attach});
        CHECK(compare(first.whole(), third.whole()) == MPI_CONGRUENT);
        kept = third;
    }
    CHECK(count_open_handles().communicators > before.communicators + 2);
    MPI_Comm_free(&other); // the copy that is kept still works
    CHECK(boost::mpi::all_reduce(kept->whole(), 1, std::plus<>{}) == world.size());
    kept.reset();
    MPI_Comm_free(&user);
    CHECK((count_open_handles() == before));
}

TEST_CASE("a hierarchy of the world and one on itself") {
    const boost::mpi::communicator world;
    const auto levels = topo::hierarchy::of(world); // stays cached until MPI ends
    const auto inner = topo::hierarchy::of(levels.whole());
    CHECK(compare(levels.whole(), inner.whole()) == MPI_CONGRUENT);
    CHECK(levels.depth() == inner.depth());
}

TEST_CASE("nothing stays when the last copy goes") {
    const boost::mpi::communicator world;
    warm_up(world);
    const auto before = count_open_handles();
    const auto scenarios = topo_test::scenarios(world.size());
    for (std::size_t cycle = 0; cycle < 96; cycle += topo_test::stride) {
        const auto& each = scenarios[cycle % scenarios.size()];
        auto levels = build(world, each);
        const topo::hierarchy copy = levels;
        if (cycle % 16 == 0) levels = build(world, deep());
        topo::split(copy.whole(), topo::kind::package);
        topo::split_with_roots(copy.whole());
        if (levels.depth() > 0) topo::whole_rank(levels, 0, 0);
    }
    CHECK((count_open_handles() == before));
}

namespace {

/// A network that fails on rank 0 of the world alone, which is the root of a node.
template <class Problem>
topo::hierarchy_options failing_on_rank_0(const Problem& problem) {
    return {.network = topo::network::callback([problem](const std::string&) -> std::vector<std::string> {
                if (boost::mpi::communicator{}.rank() == 0) throw problem;
                return {};
            })};
}

template <class Own, class Others, class Problem>
void check_failure_on_rank_0(const boost::mpi::communicator& world, const Problem& problem) {
    const auto before = count_open_handles();
    const auto options = failing_on_rank_0(problem);
    const auto all = [&](auto call) {
        if (world.rank() == 0)
            topo_test::check_fails<Own>(call, {"the spine is gone"});
        else
            topo_test::check_fails<Others>(call, {"the spine is gone", "(on rank 0)"});
    };
    all([&] { topo::hierarchy levels(world, options); });
    if (std::is_same_v<Problem,
                       topo::input_error>) { // every way in; each looks at the machine, which takes a while
        all([&] { topo::split(world, options); });
        all([&] { topo::split_with_roots(world, options); });
        all([&] { topo::split(world, topo::kind::machine, options); });
    }
    CHECK((count_open_handles() == before));
}

} // namespace

TEST_CASE("nothing stays when an exception passes, and it passes on every rank") {
    const boost::mpi::communicator world;
    warm_up(world);
    const std::string text = "the spine is gone";
    check_failure_on_rank_0<topo::input_error, topo::input_error>(world, topo::input_error(text));
    check_failure_on_rank_0<topo::argument_error, topo::argument_error>(world, topo::argument_error(text));
    check_failure_on_rank_0<topo::usage_error, topo::usage_error>(world, topo::usage_error(text));
    check_failure_on_rank_0<topo::system_error, topo::system_error>(world, topo::system_error(text));
    check_failure_on_rank_0<topo::error, topo::error>(world, topo::error(text));
    check_failure_on_rank_0<std::logic_error, topo::error>(world, std::logic_error(text));

    int caught = 0; // whatever a callback throws
    try {
        topo::hierarchy levels(world, failing_on_rank_0(42));
    } catch (int number) {
        caught = world.rank() == 0 ? number : -1;
    } catch (const topo::error&) {
        caught = world.rank() == 0 ? -1 : 42;
    }
    CHECK(caught == 42);
    CHECK(boost::mpi::all_reduce(world, 1, std::plus<>{}) == world.size()); // no rank was left behind
}

} // namespace attributes_tests
