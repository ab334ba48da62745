// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the programs beside the solvers share: options, times, and the line with the result. Nothing of
/// topomp.
#pragma once

#include "common.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace apps {

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

    void declare(command_line& line) {
        line.add("--repetitions", repetitions, "timed runs, each with other data, after one that warms up")
            .range(1, 1 << 20);
        line.add_flag("--check", has_check, "compare the last result with a serial one on rank 0");
        declare_charges(line, gflops);
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

/// Seconds of repetitions: the slowest rank's.
struct times {
    std::vector<double> total, computing;

    json members() const {
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

/// The whole program: reads options, runs, prints the result as a line of JSON on rank 0.
/// @param body what there is to tell
/// @return as `run`
inline int main_of(int argc, char** argv, const std::string& program, const std::string& variant,
                   const std::string& what, const std::function<void(command_line&)>& declare,
                   const std::function<json()>& body) {
    return run(argc, argv, program + '_' + variant, what, declare, [&] {
        json result{{"program", program},
                    {"variant", variant},
                    {"ranks", size_of(MPI_COMM_WORLD)},
                    {"mpi", mpi_name()},
                    {"simulated", is_simulated}};
        result.update(body());
        if (rank_in(MPI_COMM_WORLD) == 0) std::cout << result.text() + '\n' << std::flush;
        return 0;
    });
}

} // namespace apps
