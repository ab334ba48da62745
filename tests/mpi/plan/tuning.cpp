// SPDX-License-Identifier: BSL-1.0
// Tuning files of a running program: what is measured is what runs, on all ranks the same, and a bad file
// changes nothing.
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/tuning_file.hpp>
#include <topomp/decide/explain.hpp>
#include <topomp/decide/tuning.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/plan_of.hpp>

#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <utility>

namespace tuning_tests {

using topo::plan_of;
using topo::detail::cost_origin;
using topo::detail::decisions;
using topo::detail::tuning_file;
using topo::detail::verb;

namespace {

/// A hierarchy of two nodes, or of one if there is one rank.
topo::hierarchy two_nodes(const boost::mpi::communicator& world) {
    const int cores = (world.size() + 1) / 2;
    return {world, topo::machine::parse("node:2 core:" + std::to_string(cores)),
            topo::placement::core_by_core()};
}

/// The text of a file for these levels in which a chain is by far the fastest broadcast.
std::string chain_is_best(const topo::hierarchy& levels) {
    const auto now = decisions::of(levels).key_of(verb::broadcast, 8, true);
    tuning_file made;
    const int least = now.least_of_node > 0 ? now.least_of_node : now.ranks_of_node;
    made.from = {topo::detail::this_machine(),
                 topo::detail::this_mpi(),
                 "2026-11-24",
                 now.crosses_nodes() ? now.nodes() : 1,
                 now.ranks,
                 least,
                 now.ranks_of_node};
    std::string text = made.header_line() + '\n';
    for (const auto& [what, seconds] : {std::pair{plan_of<topo::chain>, 1e-6},
                                        {plan_of<topo::flat>, 2e-6},
                                        {plan_of<topo::binomial>, 3e-6}})
        for (const std::size_t bytes : {8U, 65536U})
            text += tuning_file::line_of({verb::broadcast, bytes, true, what, seconds, 0, 1}) + '\n';
    return text + tuning_file::last_line() + '\n';
}

/// A file of rank 0's, removed at the end.
class shared_file {
public:
    shared_file(const boost::mpi::communicator& world, const std::string& text) : world_(world) {
        name_ =
            (std::filesystem::temp_directory_path() / ("topomp_tuning." + std::to_string(getpid()))).string();
        boost::mpi::broadcast(world, name_, 0);
        if (world.rank() == 0) std::ofstream{name_} << text;
    }
    ~shared_file() {
        if (world_.rank() == 0) std::filesystem::remove(name_);
    }
    shared_file(const shared_file&) = delete;
    shared_file& operator=(const shared_file&) = delete;

    const std::string& name() const { return name_; }

private:
    boost::mpi::communicator world_;
    std::string name_;
};

bool takes_chain(const topo::hierarchy& levels) {
    return decisions::of(levels).of(verb::broadcast, 512, true) == plan_of<topo::chain>;
}

/// All ranks decide the same, and calls give what they must.
void check_calls(const topo::hierarchy& levels) {
    const int size = levels.whole().size();
    int value = levels.whole().rank() == size - 1 ? 42 : 0;
    topo::broadcast(levels, value, size - 1);
    CHECK(value == 42);
    CHECK(topo::all_reduce(levels, 1, std::plus<>{}) == size);
}

} // namespace

TEST_CASE("a tuning file decides, until it is unloaded") {
    const boost::mpi::communicator world;
    const auto levels = two_nodes(world);
    const auto before = decisions::of(levels).of(verb::broadcast, 512, true);
    const shared_file file{world, chain_is_best(levels)};
    REQUIRE(topo::tuning::load(file.name()));
    CHECK(takes_chain(levels));
    check_calls(levels);
    CHECK(topo::explain(levels, "broadcast", 512).find("\n  chain") != std::string::npos);
    CHECK(topo::explain(levels, "broadcast", 512).find("tuning file") != std::string::npos);
    topo::tuning::unload();
    CHECK(decisions::of(levels).of(verb::broadcast, 512, true) == before);
}

TEST_CASE("files of which nothing can be used, and files that are not there, change nothing") {
    const boost::mpi::communicator world;
    const auto levels = two_nodes(world);
    const auto before = decisions::of(levels).of(verb::broadcast, 512, true);
    std::string good = chain_is_best(levels), other = good;
    other.replace(other.find("\"machine\":\""), 11, "\"machine\":\"another ");
    for (const std::string& text : {std::string{}, std::string{"rubbish"}, other, good.substr(0, 30),
                                    std::string{R"({"topomp_tuning":7})"}}) {
        const shared_file file{world, text};
        CHECK_FALSE(topo::tuning::load(file.name()));
        CHECK(decisions::of(levels).of(verb::broadcast, 512, true) == before);
    }
    CHECK_FALSE(topo::tuning::load("/nowhere/tuning"));
    check_calls(levels);
    // Of a file that was cut off the lines before are used.
    const shared_file file{world, good.substr(0, good.size() - 30)};
    CHECK(topo::tuning::load(file.name()));
    CHECK(takes_chain(levels));
    topo::tuning::unload();
}

TEST_CASE("the environment names a file; if ranks have different ones, that of rank 0 counts on all") {
    const boost::mpi::communicator world;
    const std::string text = chain_is_best(two_nodes(world));
    const shared_file file{world, text};
    const auto decided = [&](const std::string& mine) {
        if (mine.empty())
            unsetenv("TOPOMP_TUNING");
        else
            setenv("TOPOMP_TUNING", mine.c_str(), 1);
        const auto levels = two_nodes(world);
        const bool is_chain = takes_chain(levels);
        check_calls(levels);
        unsetenv("TOPOMP_TUNING");
        return is_chain;
    };
    const bool is_first = world.rank() == 0;
    CHECK(decided(file.name()));
    if (topo::detail::is_simulated) return; // one process has one environment
    CHECK(decided(is_first ? file.name() : "/nowhere/else"));
    CHECK(decided(is_first ? file.name() : ""));
    CHECK(decided(is_first ? "/nowhere/else" : file.name()) == false);
    CHECK(decided(is_first ? "" : file.name()) == false);
}

TEST_CASE("a usual network by its name") {
    const boost::mpi::communicator world;
    world.barrier();
    setenv("TOPOMP_TUNING", "ethernet_10", 1);
    const auto levels = two_nodes(world);
    const auto& sources = decisions::of(levels).sources();
    unsetenv("TOPOMP_TUNING");
    REQUIRE(sources.network != nullptr);
    CHECK(sources.network->name == "ethernet_10");
    check_calls(levels);
}

TEST_CASE(
    "a probe measures the messages between nodes, the same for all ranks, also if only rank 0 asks for it") {
    const boost::mpi::communicator world;
    for (const bool all_ask : {true, false}) {
        world.barrier(); // simulated ranks have one environment
        if (world.rank() == 0 || all_ask) setenv("TOPOMP_TUNING", "probe", 1);
        const auto levels = two_nodes(world);
        const auto& sources = decisions::of(levels).sources();
        unsetenv("TOPOMP_TUNING");
        CHECK(sources.network == nullptr);
        REQUIRE((sources.measured != nullptr) == (world.size() > 1));
        if (sources.measured == nullptr) continue;
        CHECK(sources.measured->were_measured(true));
        CHECK_FALSE(sources.measured->were_measured(false));
        const auto& found = *sources.measured->between.network;
        auto first = found;
        MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, world);
        CHECK(found == first);
        CHECK(found.seconds.front() > 0);
        CHECK(std::ranges::is_sorted(found.seconds));
        CHECK(std::isfinite(found.seconds.back()));
        CHECK(found.overhead > 0);
        CHECK(found.overhead <= found.seconds.front());
        CHECK(found.stream_rate > 0);
        CHECK(found.node_rate >= found.stream_rate);
        CHECK(std::isfinite(found.node_rate));
        CHECK(found.node_overhead >= 0);
        check_calls(levels);
    }
}

TEST_CASE("adaptive is no file, and no source of costs") {
    const boost::mpi::communicator world;
    world.barrier();
    setenv("TOPOMP_TUNING", "adaptive", 1);
    const auto levels = two_nodes(world);
    CHECK(decisions::of(levels).sources().is_empty());
    unsetenv("TOPOMP_TUNING");
    check_calls(levels);
}

} // namespace tuning_tests
