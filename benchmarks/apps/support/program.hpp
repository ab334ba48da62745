// SPDX-License-Identifier: BSL-1.0
/// @file
/// What all programs here share: MPI from beginning to end, options, time, and the line with the result.
/// Nothing of topomp.
#pragma once

#include "../../support/agreed_start.hpp"
#include "../../support/charged_option.hpp"
#include "../../support/cli.hpp"

#include <mpi.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace apps {

using topo_bench::is_simulated;

/// Sizes that cannot be worked with, on all ranks alike.
struct bad_arguments : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// A result that differs from the serial one, on all ranks alike.
struct wrong_result : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// MPI runs as long as this lives. One thread of a rank calls it.
class session {
public:
    session(int argc, char** argv) {
        int given = 0;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
    }
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session() { MPI_Finalize(); }
};

inline int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}
inline int size_of(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

/// A communicator that is freed at the end of its scope, or none.
class owned_comm {
public:
    explicit owned_comm(MPI_Comm comm = MPI_COMM_NULL) : comm_(comm) {}
    owned_comm(owned_comm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
    owned_comm& operator=(owned_comm&& other) noexcept {
        std::swap(comm_, other.comm_);
        return *this;
    }
    ~owned_comm() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    operator MPI_Comm() const { return comm_; }

private:
    MPI_Comm comm_;
};

/// The ranks with the same colour, in their order; `MPI_UNDEFINED`: none. @collective over `comm`
inline owned_comm split(MPI_Comm comm, int colour) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(comm, colour, 0, &part);
    return owned_comm{part};
}

/// Options that all programs take.
struct common_options {
    int repetitions = is_simulated ? 1 : 5; // a simulation repeats itself exactly
    bool has_check = false;
    double gflops = 2;

    void declare(CLI::App& app) {
        app.add_option("--repetitions", repetitions,
                       "timed runs, each with other data, after one that warms up")
            ->check(CLI::Range(1, 1 << 20))
            ->capture_default_str();
        app.add_flag("--check", has_check, "compare the last result with a serial one on rank 0");
        app.add_option("--gflops", gflops,
                       "in a simulation: 10^9 operations a second of one core, as computing is charged")
            ->check(CLI::Range(1e-6, 1e9))
            ->capture_default_str();
        app.add_option_function<std::string>(
            "--charged", topo_bench::charge_nodes_as_told,
            "in a simulation: GB/s of a receiver and of an operation, and us "
            "of a message's end, that nodes are charged");
    }
};

/// Says on rank 0's standard error how far a run has come, every two seconds.
class progress {
public:
    explicit progress(std::string program) : program_(std::move(program)) {}

    /// @param text `text()` is what to say; called only where something is said. @cost a look at the clock
    template <class Text>
    void tick(Text text) {
        const auto now = std::chrono::steady_clock::now();
        if (!is_speaker_ || now < next_) return;
        next_ = now + std::chrono::seconds{2};
        std::cerr << program_ + ": " + text() + '\n' << std::flush;
    }

private:
    std::string program_;
    bool is_speaker_ = rank_in(MPI_COMM_WORLD) == 0;
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds{2};
};

/// Lets pass, in a simulation, what so many operations take one core.
inline void charge(double operations, double gflops) { topo_bench::pass_time(operations / (gflops * 1e9)); }

/// Seconds of repetitions: the slowest rank's.
struct times {
    std::vector<double> total, computing;

    static double median(std::vector<double> of) {
        std::ranges::sort(of);
        return (of[(of.size() - 1) / 2] + of[of.size() / 2]) / 2;
    }
    nlohmann::ordered_json as_json() const {
        return {{"seconds", median(total)},
                {"least_seconds", *std::ranges::min_element(total)},
                {"computing_seconds", median(computing)}};
    }
};

/// Runs `work` on new data again and again, all ranks from the same moment on.
/// @param prepare `prepare(repetition)` makes new data, not timed
/// @param work `work()` returns how long the calling rank computed
template <class Prepare, class Work>
times measure(MPI_Comm comm, const common_options& given, progress& shown, Prepare prepare, Work work) {
    times found;
    for (int repetition = -1; repetition < given.repetitions; ++repetition) { // the first warms up
        shown.tick([&] {
            return "run " + std::to_string(repetition + 2) + " of " + std::to_string(given.repetitions + 1);
        });
        prepare(repetition);
        topo_bench::start_together(comm);
        const double start = PMPI_Wtime();
        const double computing = work();
        const auto slowest = topo_bench::greatest(comm, std::array{PMPI_Wtime() - start, computing});
        if (repetition < 0) continue;
        found.total.push_back(slowest[0]);
        found.computing.push_back(slowest[1]);
    }
    return found;
}

/// Throws on all ranks if `problem`, which rank 0 knows, is not empty. @collective over `comm`
inline void require_on_root(MPI_Comm comm, const std::string& problem) {
    if (topo_bench::greatest(comm, std::array{problem.empty() ? 0.0 : 1.0})[0] > 0)
        throw wrong_result(problem);
}

/// The MPI that runs the program.
inline std::string mpi_name() {
    if constexpr (is_simulated) return "SimGrid SMPI";
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string all = text.data();
    return all.substr(0, all.find_first_of(",\n"));
}

/// The whole program: reads options, runs, prints the result as a line of JSON on rank 0.
/// @param declare `declare(app)` names the program's own options
/// @param body `body()` returns what there is to tell, as JSON
/// @return 0; 2 and one line on rank 0's standard error for what cannot be worked with; 1 likewise for a
/// wrong result
template <class Declare, class Body>
int main_of(int argc, char** argv, const std::string& program, const std::string& variant,
            const std::string& what, Declare declare, Body body) {
    const session mpi{argc, argv};
    const std::string name = program + '_' + variant;
    const bool is_speaker = rank_in(MPI_COMM_WORLD) == 0;
    const auto complain = [&](std::string text, int status) {
        std::ranges::replace(text, '\n', ' ');
        if (is_speaker) std::cerr << name + ": " + text + '\n' << std::flush;
        return status;
    };
    CLI::App app{what, name};
    declare(app);
    try {
        app.parse(argc, argv);
        nlohmann::ordered_json result{{"program", program},
                                      {"variant", variant},
                                      {"ranks", size_of(MPI_COMM_WORLD)},
                                      {"mpi", mpi_name()},
                                      {"simulated", is_simulated}};
        result.update(body());
        if (is_speaker) std::cout << result.dump() + '\n' << std::flush;
        return 0;
    } catch (const CLI::CallForHelp&) {
        if (is_speaker) std::cout << app.help() << std::flush;
        return 0;
    } catch (const CLI::ParseError& problem) {
        return complain(problem.what(), 2);
    } catch (const bad_arguments& problem) {
        return complain(problem.what(), 2);
    } catch (const wrong_result& problem) {
        return complain(problem.what(), 1);
    } catch (const std::exception& problem) { // perhaps on this rank alone
        std::cerr << name + ": " + problem.what() + '\n' << std::flush;
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return 1;
}

} // namespace apps
