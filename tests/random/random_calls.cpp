// SPDX-License-Identifier: BSL-1.0
// random_calls [options]: calls every verb with random arguments, by random policies, on random parts of
// made-up machines, and compares every byte with what a serial computation gives.
//
//   --seed N     which calls: all follow from it and from the number of ranks
//   --calls N    how many
//   --first N    the first of them
//   --call N     only this one
//   --threads N  threads at the same time, each with its communicator and its calls
//   --policy P   this policy where it serves
//   --only T     of these calls those with T in their description; may be given with --except
//   --except T   all others
//   --verbose    each call before it starts
//
// What fails is printed in one line, with which it can be called again by itself.
#include "drawn_call.hpp"
#include "drawn_plan.hpp"
#include "layouts.hpp"
#include "operations.hpp"
#include "support/made_up.hpp"
#include "user_messages.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace topo_random {

drawn_call draw_in_background(const drawing& from) {
    constexpr form call_form = form::in_background;
    switch (from.roll.up_to(8)) {
    case 0:
        return draw_barrier(from, true);
    case 1:
        return draw_broadcast(from, call_form);
    case 2:
        return draw_all_gather(from, call_form);
    case 3:
        return draw_all_to_all(from, call_form);
    case 4:
        return draw_reduce(from, true);
    case 5:
        return draw_all_gatherv(from, call_form);
    case 6:
        return draw_all_to_allv(from, call_form);
    case 7:
        return draw_sparse_exchange(from, true);
    default:
        return draw_all_reduce(from, call_form);
    }
}

drawn_call draw_call(const drawing& from) {
    const form call_form = from.roll.one_in(4) ? form::prepared : form::waits;
    switch (from.roll.up_to(19)) {
    case 0:
        return draw_barrier(from, false);
    case 1:
    case 2:
        return draw_broadcast(from, call_form);
    case 3:
        return draw_all_gather(from, call_form);
    case 4:
        return draw_all_to_all(from, call_form);
    case 5:
        return draw_reduce(from, false);
    case 6:
    case 7:
        return draw_all_reduce(from, call_form);
    case 8:
        return draw_gather(from);
    case 9:
        return draw_scatter(from);
    case 10:
        return draw_all_gatherv(from, call_form);
    case 11:
        return draw_all_to_allv(from, call_form);
    case 12:
        return draw_reduce_scatter(from);
    case 13:
        return draw_scan(from);
    case 14:
        return draw_hybrid(from);
    case 15:
    case 16:
        return draw_neighbours(from);
    case 17:
        return draw_sparse_exchange(from, false);
    case 18:
        return draw_reproducible(from);
    default:
        return draw_grid(from);
    }
}

namespace {

struct settings {
    std::uint32_t seed = 1;
    int first = 0, calls = 200;
    std::size_t threads = 1;
    bool is_verbose = false;
    std::string only, except;

    bool takes(const std::string& text) const {
        return text.find(only) != text.npos && (except.empty() || text.find(except) == text.npos);
    }
};

/// Calls on one machine.
constexpr int calls_of_machine = 12;

/// What each thread is at, for whoever is told that it takes too long.
constexpr std::size_t most_threads = 4;
std::array<std::array<char, 3000>, most_threads> current;
constexpr unsigned longest_call = 100; // seconds

extern "C" void say_what_hangs(int) {
    for (const auto& each : current)
        if (each.front() != '\0')
            static_cast<void>(!::write(STDERR_FILENO, each.data(), std::strlen(each.data())));
    _exit(3);
}

/// A number out of several, the same on all ranks.
std::uint32_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    std::uint64_t x = a * 0x9E3779B97F4A7C15U + b * 0xD1B54A32D192ED03U + c * 0x8CB92BA72F3D8DD7U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    return static_cast<std::uint32_t>((x ^ (x >> 27U)) >> 16U);
}

/// All ranks, or two parts of them that both make calls, in another order.
boost::mpi::communicator draw_part(MPI_Comm comm, topo_test::dice& roll, int& part) {
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int kind = roll.up_to(3);
    std::vector<int> order(static_cast<std::size_t>(size)), parts(order.size(), 0);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = 1; i < order.size(); ++i)
        if (kind != 0) std::swap(order[i], order[static_cast<std::size_t>(roll.up_to(static_cast<int>(i)))]);
    if (kind == 3)
        for (int& each : parts)
            each = roll.one_in(3) ? 1 : 0;
    part = parts[static_cast<std::size_t>(rank)];
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(comm, part, order[static_cast<std::size_t>(rank)], &made);
    return {made, boost::mpi::comm_take_ownership};
}

/// A machine with the calls on it, of one thread.
class player {
public:
    player(const settings& with, std::size_t thread, MPI_Comm comm)
        : with_(with), thread_(thread), comm_(comm) {
        MPI_Comm_rank(comm, &rank_);
        MPI_Comm_size(comm, &size_);
    }

    void run() {
        try {
            for (int call = with_.first; call < with_.first + with_.calls; ++call) {
                if (call == with_.first || call % calls_of_machine == 0)
                    change_machine(call / calls_of_machine);
                play(call);
            }
            leave();
        } catch (const std::exception& problem) {
            fail(problem.what());
        }
    }

private:
    void change_machine(int number) {
        leave();
        text_ = "a machine";
        note(number * calls_of_machine);
        topo_test::dice roll{mixed(with_.seed, static_cast<std::uint64_t>(number), 1000 + thread_)};
        whole_ = draw_part(comm_, roll, number_of_part_);
        const auto seed = mixed(with_.seed, static_cast<std::uint64_t>(number), 2000 + thread_) +
                          static_cast<std::uint32_t>(number_of_part_);
        const auto where = topo_test::random_scenario(seed, whole_.size());
        machine_ =
            where.name + ", " + std::to_string(whole_.size()) + " of " + std::to_string(size_) + " ranks";
        levels_ =
            std::make_unique<topo::hierarchy>(whole_, where.on, where.rule, topo_test::random_options(seed));
        user_ = std::make_unique<user_messages>();
        const bool is_expected = roll.one_in(2);
        const auto on = [&](MPI_Comm comm) { is_expected ? user_->expect_on(comm) : user_->send_on(comm); };
        on(whole_);
        on(levels_->whole());
        for (const topo::level& each : *levels_) {
            on(each.comm());
            on(each.roots());
        }
    }
    void leave() {
        if (user_)
            if (const auto problem = user_->finish(); !problem.empty()) fail(problem);
        user_.reset();
        levels_.reset();
    }

    void play(int call) {
        topo_test::dice roll{mixed(with_.seed, static_cast<std::uint64_t>(call),
                                   3000 + thread_ * 10 + static_cast<std::size_t>(number_of_part_))};
        const std::uint64_t id = mixed(with_.seed, static_cast<std::uint64_t>(call), 4000 + thread_);
        if (roll.one_in(5)) return play_several(call, roll, id);
        drawn_call one = draw_call({*levels_, roll, id});
        text_ = one.text;
        if (!with_.takes(text_)) return;
        note(call);
        begin(one).wait();
        judge(one);
    }

    /// Starts several, perhaps calls another one that waits, and finishes them in an order of the rank's own.
    void play_several(int call, topo_test::dice& roll, std::uint64_t id) {
        std::deque<drawn_call> all;
        const int number = 2 + roll.up_to(3);
        text_ = "together:";
        for (int i = 0; i < number; ++i) {
            all.push_back(draw_in_background({*levels_, roll, id + 16 * static_cast<std::uint64_t>(i)}));
            text_ += ' ' + all.back().text + ';';
        }
        const bool has_another = roll.one_in(2);
        if (has_another) {
            all.push_back(draw_call({*levels_, roll, id + 160}));
            text_ += " then " + all.back().text;
        }
        if (!with_.takes(text_)) return;
        note(call);
        std::vector<topo::request> running;
        for (drawn_call& each : all)
            running.push_back(begin(each));
        topo_test::dice own{static_cast<std::uint32_t>(id) + static_cast<std::uint32_t>(rank_)};
        std::vector<std::size_t> order(running.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = 1; i < order.size(); ++i)
            std::swap(order[i], order[static_cast<std::size_t>(own.up_to(static_cast<int>(i)))]);
        for (const std::size_t each : order) {
            if (own.one_in(3))
                while (!running[each].test())
                    std::this_thread::yield();
            else if (own.one_in(2))
                running[each].wait();
            else
                running[each] = topo::request{}; // which waits
            judge(all[each]);
        }
    }

    static topo::request begin(drawn_call& one) {
        chosen_plan = one.by;
        return one.start();
    }

    void judge(const drawn_call& one) {
        if (const auto problem = one.difference(); !problem.empty()) fail(one.text + ": " + problem);
        if (const auto problem = user_->difference(); !problem.empty()) fail(problem);
    }

    /// Says what is begun.
    void note(int call) {
        call_ = call;
        std::snprintf(current[thread_].data(), current[thread_].size(), "too long: %s\n", line().c_str());
        alarm(longest_call);
        if (with_.is_verbose && rank_ == 0) std::cout << line() << std::endl;
    }
    std::string line() const {
        return "random_calls --seed " + std::to_string(with_.seed) + " --call " + std::to_string(call_) +
               (with_.threads > 1
                    ? " --threads " + std::to_string(with_.threads) + ", thread " + std::to_string(thread_)
                    : "") +
               ", rank " + std::to_string(rank_) + " of " + std::to_string(size_) + ", " + machine_ + ": " +
               text_;
    }
    [[noreturn]] void fail(const std::string& problem) const {
        std::fprintf(stderr, "wrong: %s: %s\n", line().c_str(), problem.c_str());
        std::fflush(stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
        std::abort();
    }

    const settings& with_;
    std::size_t thread_;
    MPI_Comm comm_;
    int rank_ = 0, size_ = 1, number_of_part_ = 0, call_ = 0;
    boost::mpi::communicator whole_; // which the user's messages need
    std::string machine_, text_;
    std::unique_ptr<topo::hierarchy> levels_;
    std::unique_ptr<user_messages> user_;
};

settings read(int argc, char** argv) {
    settings with;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const auto value = [&]() -> std::string {
            if (++i == argc) throw std::invalid_argument(option + " needs a value");
            return argv[i];
        };
        if (option == "--seed") {
            with.seed = static_cast<std::uint32_t>(std::stoul(value()));
        } else if (option == "--calls") {
            with.calls = std::stoi(value());
        } else if (option == "--first") {
            with.first = std::stoi(value());
        } else if (option == "--call") {
            with.first = std::stoi(value());
            with.calls = 1;
        } else if (option == "--threads") {
            with.threads = std::stoul(value());
        } else if (option == "--policy") {
            only_plan = &plan_by_name(value());
        } else if (option == "--only") {
            with.only = value();
        } else if (option == "--except") {
            with.except = value();
        } else if (option == "--verbose") {
            with.is_verbose = true;
        } else {
            throw std::invalid_argument("unknown option: " + option);
        }
    }
    if (with.threads == 0 || with.threads > most_threads) throw std::invalid_argument("1 to 4 threads");
    return with;
}

int run(const settings& with) {
    if (with.threads > 1 && boost::mpi::environment::thread_level() < boost::mpi::threading::multiple) {
        std::cout << "random_calls: this MPI has no MPI_THREAD_MULTIPLE\n";
        return EXIT_FAILURE;
    }
    std::signal(SIGALRM, &say_what_hangs);
    make_operations();
    std::vector<MPI_Comm> comms(with.threads, MPI_COMM_NULL);
    for (MPI_Comm& each : comms)
        MPI_Comm_dup(MPI_COMM_WORLD, &each);
    std::vector<std::thread> others;
    for (std::size_t thread = 1; thread < with.threads; ++thread)
        others.emplace_back([&, thread] { player{with, thread, comms[thread]}.run(); });
    player{with, 0, comms.front()}.run();
    for (std::thread& each : others)
        each.join();
    alarm(0);
    for (MPI_Comm& each : comms)
        MPI_Comm_free(&each);
    free_operations();
    free_layouts();
    const boost::mpi::communicator world;
    if (world.rank() == 0)
        std::cout << "random_calls: seed " << with.seed << ", " << with.calls << " calls by " << with.threads
                  << " threads on " << world.size() << " ranks: all right\n";
    return EXIT_SUCCESS;
}

} // namespace
} // namespace topo_random

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv, boost::mpi::threading::multiple};
    try {
        return topo_random::run(topo_random::read(argc, argv));
    } catch (const std::exception& problem) {
        std::cerr << "random_calls: " << problem.what() << '\n';
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return EXIT_FAILURE;
}
