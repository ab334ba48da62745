// SPDX-License-Identifier: BSL-1.0
// Tuning files of a running program: what is measured is what runs, on all ranks the same, and a bad file
// changes nothing.
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/select_in_background.hpp>
#include <topomp/decide/detail/tuning_file.hpp>
#include <topomp/decide/explain.hpp>
#include <topomp/decide/tuning.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/detail/checked_call.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/plan_text.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
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

/// The text of a file for these levels in which a chain is by far the fastest broadcast and all_reduce, or
/// another tree.
std::string chain_is_best(const topo::hierarchy& levels, const topo::plan& best = plan_of<topo::chain>) {
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
    for (const verb what : {verb::broadcast, verb::all_reduce})
        for (const auto& [by, seconds] :
             {std::pair{best, 1e-6}, {plan_of<topo::flat>, 2e-6}, {plan_of<topo::k_nomial<7>>, 3e-6}})
            for (const std::size_t bytes : {8U, 65536U})
                text += tuning_file::line_of({what, bytes, true, by, seconds, 0, 1}) + '\n';
    return text + tuning_file::last_line() + '\n';
}

/// A file of rank 0's, removed at the end.
class shared_file {
public:
    shared_file(const boost::mpi::communicator& world, const std::string& text) : world_(world) {
        static int number = 0;
        name_ = (std::filesystem::temp_directory_path() /
                 ("topomp_tuning." + std::to_string(getpid()) + '.' + std::to_string(number++)))
                    .string();
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

/// What a rank writes to standard error while it lives.
class captured_errors {
public:
    captured_errors() : file_(std::tmpfile()), before_(dup(STDERR_FILENO)) {
        std::fflush(stderr);
        dup2(fileno(file_), STDERR_FILENO);
    }
    ~captured_errors() {
        restore();
        std::fclose(file_);
    }
    captured_errors(const captured_errors&) = delete;
    captured_errors& operator=(const captured_errors&) = delete;

    std::string text() {
        restore();
        std::string all;
        std::rewind(file_);
        for (int each = std::fgetc(file_); each != EOF; each = std::fgetc(file_))
            all += static_cast<char>(each);
        return all;
    }

private:
    void restore() {
        if (before_ < 0) return;
        std::fflush(stderr);
        dup2(before_, STDERR_FILENO);
        close(before_);
        before_ = -1;
    }
    std::FILE* file_;
    int before_;
};

/// What a non-blocking call starts, and a persistent one.
template <verb Verb>
topo::plan started(const topo::hierarchy& levels, std::size_t bytes) {
    return topo::detail::select_in_background<Verb, topo::automatic>(levels, bytes);
}
template <verb Verb>
topo::plan made(const topo::hierarchy& levels, std::size_t bytes) {
    char none = 0;
    return topo::detail::when_started::choose<Verb, topo::automatic>(
        levels, bytes, true, {.data = topo::message{&none, bytes, MPI_CHAR}});
}

/// Whether all ranks have chosen the same.
bool is_same_on_all(const boost::mpi::communicator& world, const topo::plan& chosen) {
    std::string first = to_string(chosen);
    boost::mpi::broadcast(world, first, 0);
    int mine = first == to_string(chosen) ? 1 : 0, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, world);
    return all == 1;
}

/// Forms that do not wait give what they must.
void check_started_calls(const topo::hierarchy& levels) {
    const int size = levels.whole().size();
    int value = levels.whole().rank() == size - 1 ? 42 : 0, one = 1, sum = 0, again = 0;
    auto first = topo::ibroadcast(levels, value, size - 1);
    auto second = topo::iall_reduce(levels, one, sum, std::plus<>{});
    first.wait();
    second.wait();
    CHECK(value == 42);
    CHECK(sum == size);
    auto step = topo::all_reduce_init(levels, one, again, std::plus<>{});
    for (int i = 0; i < 2; ++i) {
        again = 0;
        step.start();
        step.wait();
        CHECK(again == size);
    }
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

TEST_CASE("a file that was loaded counts for forms that do not wait, too") {
    const boost::mpi::communicator world;
    const auto before = two_nodes(world);
    const auto broadcast = started<verb::broadcast>(before, 512),
               sum = started<verb::all_reduce>(before, 512), prepared = made<verb::all_reduce>(before, 512);
    const auto chain = plan_of<topo::chain>;
    REQUIRE(broadcast != chain);
    REQUIRE(sum != chain);
    REQUIRE(prepared != chain);
    const shared_file file{world, chain_is_best(two_nodes(world))};
    REQUIRE(topo::tuning::load(file.name()));
    // Also if the ranks have not met for a decision yet, or only for calls with policies of their own.
    const auto young = two_nodes(world), other = two_nodes(world);
    topo::barrier(other, topo::binomial{});
    for (const topo::hierarchy* const levels : {&before, &young, &other}) {
        CHECK(started<verb::broadcast>(*levels, 512) == chain);
        CHECK(started<verb::all_reduce>(*levels, 512) == chain);
        CHECK(made<verb::all_reduce>(*levels, 512) == chain);
        CHECK(
            is_same_on_all(world, started<verb::all_reduce>(*levels, std::size_t{1} << 20))); // not measured
        check_started_calls(*levels);
    }
    topo::tuning::unload();
    CHECK(started<verb::broadcast>(before, 512) == broadcast);
    CHECK(started<verb::all_reduce>(before, 512) == sum);
    CHECK(made<verb::all_reduce>(before, 512) == prepared);
    check_started_calls(before);
}

TEST_CASE("TOPOMP_TUNING counts for a non-blocking call where all ranks know of it") {
    const boost::mpi::communicator world;
    const auto before = two_nodes(world);
    const auto unknown = started<verb::all_reduce>(before, 512);
    const auto chain = plan_of<topo::chain>;
    const shared_file file{world, chain_is_best(two_nodes(world))};
    for (const bool all_name_it : {true, false}) {
        world.barrier(); // simulated ranks have one environment
        if (world.rank() == 0 || all_name_it) setenv("TOPOMP_TUNING", file.name().c_str(), 1);
        world.barrier();
        const auto first = two_nodes(world), later = two_nodes(world);
        // The first collective of a hierarchy may wait for all ranks.
        CHECK(started<verb::all_reduce>(first, 512) == chain);
        check_started_calls(first);
        // Other non-blocking ones may not, but a blocking one does.
        topo::barrier(later, topo::binomial{});
        CHECK(started<verb::all_reduce>(later, 512) == unknown);
        CHECK(topo::all_reduce(later, 1, std::plus<>{}) == world.size());
        CHECK(started<verb::all_reduce>(later, 512) == chain);
        CHECK(made<verb::all_reduce>(later, 512) == chain);
        check_started_calls(later);
        world.barrier();
        unsetenv("TOPOMP_TUNING");
    }
}

TEST_CASE("of different files on the ranks that of rank 0 counts on all, and one line says so") {
    if (topo::detail::is_simulated) return; // one process has one environment
    const boost::mpi::communicator world;
    if (world.size() == 1) return;
    const shared_file chain{world, chain_is_best(two_nodes(world))},
        binary{world, chain_is_best(two_nodes(world), plan_of<topo::binary>)};
    const std::string& mine = world.rank() == 0 ? chain.name() : binary.name();
    setenv("TOPOMP_TUNING", mine.c_str(), 1);
    captured_errors errors;
    const auto levels = two_nodes(world), again = two_nodes(world);
    const auto blocking = decisions::of(levels).of(verb::broadcast, 512, true);
    const auto at_once = started<verb::all_reduce>(again, 512), prepared = made<verb::broadcast>(again, 512);
    const std::string said = errors.text();
    unsetenv("TOPOMP_TUNING");
    for (const auto& each : {blocking, at_once, prepared}) {
        CHECK(each == plan_of<topo::chain>);
        CHECK(is_same_on_all(world, each));
    }
    CHECK(said == (world.rank() == 0 ? "topomp: TOPOMP_TUNING is not the same on all ranks: that of rank 0 "
                                       "counts, '" +
                                           mine + "'\n"
                                     : std::string{}));
}

TEST_CASE("two sources count together, each for what it has") {
    const boost::mpi::communicator world;
    const shared_file times{world, chain_is_best(two_nodes(world))},
        costs{world, "format 1\nlevel 2 System - Cluster\nlatency 1e-6\nmessage 0 1e-7 1e-7 1e-7 1e-6\n"};
    const auto check_both = [&](const topo::hierarchy& levels) {
        CHECK(decisions::of(levels).sources().file != nullptr);
        CHECK(decisions::of(levels).sources().measured != nullptr);
        CHECK(takes_chain(levels));
        CHECK(started<verb::broadcast>(levels, 512) == plan_of<topo::chain>);
        if (world.size() > 1)
            CHECK(topo::explain(levels, "reduce", 512).find("measured parameters") != std::string::npos);
        check_calls(levels);
    };
    for (const bool is_file_first : {true, false}) {
        const auto levels = two_nodes(world);
        REQUIRE(topo::tuning::load(is_file_first ? times.name() : costs.name()));
        REQUIRE(topo::tuning::load(is_file_first ? costs.name() : times.name()));
        check_both(levels);
        topo::tuning::unload();
        CHECK(decisions::of(levels).sources().is_empty());
    }
    REQUIRE(topo::tuning::load(times.name() + ',' + costs.name()));
    check_both(two_nodes(world));
    topo::tuning::unload();
    // A bad file has its line, and the next source counts.
    world.barrier();
    setenv("TOPOMP_TUNING", (costs.name() + ",/nowhere/x," + times.name()).c_str(), 1);
    world.barrier();
    std::optional<captured_errors> errors;
    if (!topo::detail::is_simulated) errors.emplace(); // else one process has one standard error
    check_both(two_nodes(world));
    const std::string said = errors ? errors->text() : std::string{};
    world.barrier();
    unsetenv("TOPOMP_TUNING");
    if (!errors) return;
    CHECK(std::ranges::count(said, '\n') == (world.rank() == 0 ? 1 : 0));
    CHECK((said.find("/nowhere/x") != std::string::npos) == (world.rank() == 0));
    CHECK((said.find("; the file is not used\n") != std::string::npos) == (world.rank() == 0));
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
