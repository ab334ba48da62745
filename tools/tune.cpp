// SPDX-License-Identifier: BSL-1.0
#include "tune.hpp"

#include "explain.hpp"
#include "tune_calls.hpp"
#include "tune_search.hpp"
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/explanation.hpp>
#include <topomp/decide/tuning.hpp>
#include <topomp/hardware/detail/text_file.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan_text.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

namespace topo::tool {

namespace {

using detail::tuning_file;
using detail::verb;

constexpr const char* caller = "topomp tune";

[[noreturn]] void refuse_file(const std::string& file, const std::string& why) {
    throw input_error(caller, file, why);
}

std::string now_in_words() {
    std::array<char, 64> date{};
    const std::time_t now = std::time(nullptr);
    std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return date.data();
}

/// What is asked for, shortest first.
std::vector<tuned_call> calls_of(const tune_request& request, int ranks) {
    constexpr std::size_t shortest = 8, longest = std::size_t{2} << 20U, factor = 4;
    constexpr std::size_t most_of_rank = std::size_t{64} << 20U;
    std::vector<std::size_t> lengths;
    for (const std::string& each : request.bytes)
        lengths.push_back(byte_count(caller, each));
    if (lengths.empty())
        for (std::size_t bytes = shortest; bytes <= longest; bytes *= factor)
            lengths.push_back(bytes);
    std::vector<verb> verbs;
    for (const std::string& each : request.verbs)
        verbs.push_back(detail::verb_of(caller, each));
    if (verbs.empty())
        for (std::size_t i = 0; i < detail::verb_names.size(); ++i)
            if (const auto each = static_cast<verb>(i); !request.is_ordered || detail::combines(each))
                verbs.push_back(each);
    std::vector<tuned_call> calls;
    for (const verb what : verbs)
        for (const std::size_t each : lengths) {
            const std::size_t bytes = measurable_bytes(what, each, ranks);
            const std::size_t total = has_blocks(what) ? bytes * static_cast<std::size_t>(ranks) : bytes;
            if (!request.bytes.empty() || total <= most_of_rank)
                calls.push_back(
                    {what, bytes, !detail::is_scan(what) && !(request.is_ordered && detail::combines(what))});
        }
    std::ranges::stable_sort(calls, {}, &tuned_call::bytes);
    return calls;
}

/// Where the times are from. @collective over the whole
tuning_file::origin origin_of(const hierarchy& levels) {
    const auto now = detail::decisions::of(levels).key_of(verb::barrier, 0, true);
    const boost::mpi::communicator& whole = levels.whole();
    const auto hash = static_cast<std::int64_t>(std::hash<std::string>{}(detail::this_machine()) >> 2U);
    const std::array<std::int64_t, 2> mine{hash, -hash};
    std::array<std::int64_t, 2> least{};
    mpi::allreduce(mine.data(), least.data(), 2, MPI_INT64_T, MPI_MIN, whole, "processors");
    if (least[0] != -least[1])
        throw usage_error(caller, "nodes",
                          "they have different processors; a tuning file is of one kind of node");
    return {detail::this_machine(),
            detail::this_mpi(),
            now_in_words(),
            now.crosses_nodes() ? now.nodes() : 1,
            now.ranks,
            now.least_of_node > 0 ? now.least_of_node : now.ranks_of_node,
            now.ranks_of_node};
}

void require_same(const std::string& file, const tuning_file::origin& has, const tuning_file::origin& here) {
    const auto differ = [&](const std::string& what, const auto& one, const auto& other) {
        std::ostringstream why;
        if (one != other) {
            why << "it is of another " << what << ": '" << one << "', this is '" << other
                << "'; give another --output";
            refuse_file(file, why.str());
        }
    };
    differ("machine", has.machine, here.machine);
    differ("MPI", has.mpi, here.mpi);
    differ("number of nodes", has.nodes, here.nodes);
    differ("number of ranks", has.ranks, here.ranks);
    differ("number of ranks of a node", has.most_ranks_of_node, here.most_ranks_of_node);
    differ("number of ranks of a node", has.least_ranks_of_node, here.least_ranks_of_node);
}

/// The file while it is measured: on rank 0.
class growing_file {
public:
    growing_file(std::string name, tuning_file::origin here) : name_(std::move(name)) {
        known_.from = std::move(here);
        std::error_code none;
        const bool is_there = std::filesystem::file_size(name_, none) > 0 && !none;
        bool is_cut_off = false;
        if (is_there) {
            const std::string text = detail::read_text_file(caller, name_);
            std::string skipped;
            const auto origin = std::move(known_.from);
            known_ = tuning_file::read(name_, text, skipped);
            if (!skipped.empty()) std::cerr << caller << ": " << name_ << ": " << skipped << std::endl;
            require_same(name_, known_.from, origin);
            is_cut_off = text.back() != '\n';
        }
        out_.open(name_, std::ios::app);
        if (is_cut_off) out_ << '\n';
        if (!is_there) out_ << known_.header_line() << '\n';
        flush();
    }

    const std::vector<tuning_file::row>& rows() const { return known_.rows; }

    void add(const tuning_file::row& measured) {
        const auto found = std::ranges::find_if(known_.rows, [&](const auto& each) {
            return each.what == measured.what && each.bytes == measured.bytes &&
                   each.is_commutative == measured.is_commutative && each.chosen == measured.chosen;
        });
        if (found == known_.rows.end())
            known_.rows.push_back(measured);
        else
            *found = measured;
        out_ << tuning_file::line_of(measured) << '\n';
        flush();
    }

    /// Each row once, and whether that is all.
    void tidy(bool is_complete) {
        out_.close();
        const std::string made = name_ + ".new";
        out_.open(made, std::ios::trunc);
        out_ << known_.header_line() << '\n';
        for (const auto& each : known_.rows)
            out_ << tuning_file::line_of(each) << '\n';
        if (is_complete) out_ << tuning_file::last_line() << '\n';
        flush();
        out_.close();
        std::filesystem::rename(made, name_);
    }

private:
    void flush() {
        out_ << std::flush;
        if (!out_) throw system_error(caller, name_, std::strerror(errno));
    }

    std::string name_;
    tuning_file known_;
    std::ofstream out_;
};

/// Rank 0's clock and its words.
class remaining_time {
public:
    explicit remaining_time(double seconds) : all_(seconds) {}

    double passed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    double left() const { return all_ - passed(); }
    void say(const tune_search& search, const tuned_call& now) {
        constexpr double silent = 2, lines = 20;
        if (all_ <= silent || passed() < next_) return;
        next_ = passed() + std::max(silent, all_ / lines);
        std::fprintf(stderr, "topomp tune: %3.0f s left; round %d of %d: %s of %zu bytes; %zu times so far\n",
                     std::max(0.0, left()), search.round() + 1, tune_search::rounds,
                     std::string{to_string(now.what)}.c_str(), now.bytes, search.measured_count());
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double all_, next_ = 2;
};

/// What rank 0 has all ranks do next.
struct order {
    std::int64_t what = 0, bytes = 0, is_commutative = 1, calls = 0, is_first = 0; ///< no calls: the end
};

struct leader {
    growing_file file;
    tune_search search;
    remaining_time time;
    std::optional<tune_search::task> now{};
    bool has_skipped = false; ///< what would have taken longer than there was time

    /// @return nothing if time is over or nothing is left
    std::optional<tune_search::task> next() {
        for (now = search.next(); now; now = search.next()) {
            if (time.left() <= 0) {
                now.reset();
                has_skipped = true;
                break;
            }
            if (search.expected(*now) <= time.left()) {
                time.say(search, search.call_of(*now));
                break;
            }
            search.skip();
            has_skipped = true;
        }
        return now;
    }
};

/// Carries out what rank 0 says until that is all. @collective over the whole
void measure_all(const hierarchy& levels, std::optional<leader>& first) {
    const MPI_Comm comm = levels.whole();
    const boost::mpi::communicator& whole = levels.whole();
    tuned_calls calls{levels};
    while (true) {
        order next;
        std::string policy;
        const bool has_next = detail::on_first(comm, [&] {
            const auto task = first->next();
            if (!task) return false;
            const tuned_call& now = first->search.call_of(*task);
            next = {static_cast<std::int64_t>(now.what), static_cast<std::int64_t>(now.bytes),
                    now.is_commutative ? 1 : 0, task->calls, task->is_first ? 1 : 0};
            policy = to_string(first->search.plan_of(*task));
            return true;
        });
        static_cast<void>(has_next);
        mpi::bcast(&next, sizeof next / sizeof(std::int64_t), MPI_INT64_T, 0, comm, "next calls");
        if (next.calls == 0) return;
        policy = mpi::bcast_text(std::move(policy), 0, comm, "next plan");
        const plan by = read_plan(caller, "plan '" + policy + '\'', policy);
        const tuned_call now{static_cast<verb>(next.what), static_cast<std::size_t>(next.bytes),
                             next.is_commutative != 0};
        if (next.is_first != 0) calls.seconds(now, by); // makes connections and scratch buffers
        std::vector<double> seconds;
        for (std::int64_t i = 0; i < next.calls; ++i)
            seconds.push_back(calls.seconds(now, by));
        if (whole.rank() == 0) first->search.took(*first->now, seconds);
        detail::on_first(comm, [&] {
            auto row = first->search.row_of(*first->now);
            const auto key = detail::decisions::of(levels).key_of(row.what, row.bytes, row.is_commutative);
            row.is_built_in = to_string(decide(key)) == policy;
            first->file.add(row);
            return true;
        });
    }
}

} // namespace

void tune_running(const tune_request& request) {
    const boost::mpi::communicator world;
    const auto wanted = calls_of(request, world.size());
    const hierarchy levels =
        request.machine ? hierarchy{world, machine::parse(*request.machine), placement::core_by_core()}
                        : hierarchy{world};
    const auto here = origin_of(levels);
    auto& decided = detail::decisions::of(levels);
    std::optional<leader> first;
    detail::on_first(world, [&] {
        first.emplace(leader{{request.output, here}, {}, remaining_time{60 * request.minutes}});
        for (const tuned_call& each : wanted)
            first->search.add(each, plans_to_try(decided.key_of(each.what, each.bytes, each.is_commutative),
                                                 decided.sources()));
        if (!request.again)
            for (const auto& each : first->file.rows())
                first->search.know(each);
        return true;
    });
    measure_all(levels, first);
    detail::on_first(world, [&] {
        const bool is_complete = !first->has_skipped;
        first->file.tidy(is_complete && request.verbs.empty() && request.bytes.empty() &&
                         !request.is_ordered);
        std::printf("%s: %zu times of %zu verbs and lengths after %.0f s; %s\n", request.output.c_str(),
                    first->search.measured_count(), first->search.call_count(), first->time.passed(),
                    is_complete ? "all are measured" : "start it again to go on");
        return true;
    });
}

tuning_file read_tuning(const std::string& file) {
    std::string skipped;
    auto made = tuning_file::read(file, detail::read_text_file(caller, file), skipped);
    if (!skipped.empty()) std::cerr << caller << ": " << file << ": " << skipped << std::endl;
    return made;
}

} // namespace topo::tool
