// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the solvers have in common as programs: options, progress, times and the result line. Ordinary MPI.
#pragma once

#include "../support/common.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace apps {

/// Runs `work` on rank 0 only. @collective over `comm`
/// @throws refused on every rank, in the words of the exception that `work` ended with
template <class Work>
void on_first(MPI_Comm comm, Work work) {
    std::string message;
    if (rank_in(comm) == 0) {
        try {
            work();
        } catch (const std::exception& problem) {
            message = problem.what();
            if (message.empty()) message = "unknown error";
        }
    }
    unsigned long length = message.size();
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, 0, comm);
    message.resize(length);
    MPI_Bcast(message.data(), static_cast<int>(length), MPI_CHAR, 0, comm);
    if (length > 0) throw refused(message);
}

/// Sends elements of rank 0 to all, as bytes, of which there may be more than an int counts; the vectors of
/// the others get its length. @collective over `comm`
template <class T>
void broadcast(std::vector<T>& elements, MPI_Comm comm) {
    unsigned long count = elements.size();
    MPI_Bcast(&count, 1, MPI_UNSIGNED_LONG, 0, comm);
    elements.resize(count);
    constexpr std::size_t piece = std::size_t{1} << 30U;
    auto* const bytes = reinterpret_cast<char*>(elements.data());
    for (std::size_t begin = 0, end = count * sizeof(T); begin < end; begin += piece)
        MPI_Bcast(bytes + begin, static_cast<int>(std::min(piece, end - begin)), MPI_BYTE, 0, comm);
}

/// Options that say how often a program repeats itself, and what it does with the result.
struct common_options {
    int repetitions = 1;
    double gflops = 2;
    std::string output;

    void declare(command_line& line) {
        line.add("--repetitions", repetitions, "do it all so many times; times are medians")
            .range(1, 1 << 20);
        declare_charges(line, gflops);
        line.add_unset("--output", output, "also append the result line to this file");
    }
};

/// The times of a program's repetitions, each that of the slowest rank.
struct times {
    std::vector<double> total, computing;

    /// Times a repetition, which all ranks start together. @param work returns how many seconds of it the
    /// calling rank spent in calls of MPI or topomp @collective over `comm`
    template <class Work>
    void measure(MPI_Comm comm, Work work) {
        topo_bench::start_together(comm);
        const double start = MPI_Wtime();
        const double communicating = work();
        const double all = MPI_Wtime() - start;
        const auto slowest = topo_bench::greatest(comm, std::array{all, all - communicating});
        total.push_back(slowest[0]);
        computing.push_back(slowest[1]);
    }
    json members() const {
        return {{"repetitions", total.size()},
                {"seconds", median(total)},
                {"least_seconds", std::ranges::min(total)},
                {"computing_seconds", median(computing)}};
    }
};

/// Calls `work` and adds the seconds that it took to `sum`.
template <class Work>
void timed(double& sum, Work work) {
    const double start = MPI_Wtime();
    work();
    sum += MPI_Wtime() - start;
}

/// Lines on standard error, on rank 0, once a second from when two seconds have passed.
class progress {
public:
    progress(std::string program, MPI_Comm comm)
        : program_(std::move(program)), speaks_(rank_in(comm) == 0) {}

    /// @param text a function that returns what is said, called only where it is
    template <class Text>
    void say(Text text) {
        if (!speaks_ || MPI_Wtime() < next_) return;
        next_ = MPI_Wtime() + 1;
        std::cerr << program_ + ": " + text() + '\n' << std::flush;
    }

private:
    std::string program_;
    bool speaks_;
    double next_ = MPI_Wtime() + 2;
};

/// Prints the result as one line of JSON on rank 0, and appends it to a file if one is named.
/// @collective over `comm` @throws refused if the file cannot be written
inline void print_result(json result, const std::string& file, MPI_Comm comm) {
    on_first(comm, [&] {
        result.update({{"mpi", mpi_name()}, {"simulated", is_simulated}, {"compiler", __VERSION__}});
        std::cout << result.text() + '\n' << std::flush;
        if (file.empty()) return;
        std::ofstream out{file, std::ios::app};
        out << result.text() << '\n';
        out.close();
        if (!out) throw refused(file + ": cannot be written");
    });
}

} // namespace apps
