// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the solvers have in common as programs: the command line, errors, progress, times and the result
/// line. Ordinary MPI.
#pragma once

#include "../../support/agreed_start.hpp"
#include "../../support/charged_option.hpp"
#include "../../support/cli.hpp"

#include <mpi.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace apps {

/// What was asked for cannot be done. Thrown on all ranks together: the program prints one line and exits
/// with 2.
class refused : public std::runtime_error {
    using std::runtime_error::runtime_error;
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

/// The middle one of several values, or the mean of the two in the middle.
inline double median(std::vector<double> of) {
    std::ranges::sort(of);
    const std::size_t middle = of.size() / 2;
    return of.size() % 2 == 1 ? of[middle] : (of[middle - 1] + of[middle]) / 2;
}

/// Lets pass, in a simulation, what so many operations take one core.
inline void charge(double operations, double gflops) { topo_bench::pass_time(operations / (gflops * 1e9)); }

/// Options that say how often a program repeats itself, and what it does with the result.
struct common_options {
    int repetitions = 1;
    double gflops = 2;
    std::string output;

    void declare(CLI::App& app) {
        app.add_option("--repetitions", repetitions, "do it all so many times; times are medians")
            ->check(CLI::Range(1, 1 << 20))
            ->capture_default_str();
        app.add_option("--gflops", gflops,
                       "in a simulation: 10^9 operations a second of one core, as computing is charged")
            ->check(CLI::Range(1e-6, 1e9))
            ->capture_default_str();
        app.add_option_function<std::string>(
            "--charged", topo_bench::charge_nodes_as_told,
            "in a simulation: GB/s of a receiver and of an operation, and us "
            "of a message's end, that nodes are charged");
        app.add_option("--output", output, "also append the result line to this file");
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
    void write_to(nlohmann::ordered_json& result) const {
        result["repetitions"] = total.size();
        result["seconds"] = median(total);
        result["least_seconds"] = std::ranges::min(total);
        result["computing_seconds"] = median(computing);
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
inline void print_result(nlohmann::ordered_json result, const std::string& file, MPI_Comm comm) {
    on_first(comm, [&] {
        char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        int length = 0;
        MPI_Get_library_version(library, &length);
        const std::string text{library};
        result["mpi"] = topo_bench::is_simulated ? "SimGrid SMPI" : text.substr(0, text.find_first_of("\n,"));
        result["simulated"] = topo_bench::is_simulated;
        result["compiler"] = __VERSION__;
        std::cout << result.dump() + '\n' << std::flush;
        if (file.empty()) return;
        std::ofstream out{file, std::ios::app};
        out << result.dump() << '\n';
        out.close();
        if (!out) throw refused(file + ": cannot be written");
    });
}

/// A whole program: MPI, the command line, and what becomes of errors.
/// @param declare adds the program's options @param solve the work, on all ranks, which returns the exit
/// status
/// @return that, or 2 for what is refused, on all ranks
inline int run(int argc, char** argv, const std::string& name, const std::string& description,
               const std::function<void(CLI::App&)>& declare, const std::function<int()>& solve) {
    MPI_Init(&argc, &argv);
    int status = 0;
    const bool speaks = rank_in(MPI_COMM_WORLD) == 0;
    const auto complain = [&](std::string message) {
        std::ranges::replace_if(
            message, [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
        std::cerr << name + ": " + message + '\n' << std::flush;
    };
    try {
        CLI::App app{description, name};
        declare(app);
        try {
            app.parse(argc, argv);
            status = solve();
        } catch (const CLI::CallForHelp&) {
            if (speaks) std::cout << app.help() << std::flush;
        } catch (const CLI::ParseError& problem) { // the same on all ranks
            if (speaks) complain(problem.what());
            status = 2;
        } catch (const refused& problem) {
            if (speaks) complain(problem.what());
            status = 2;
        }
    } catch (const std::exception& problem) { // perhaps on this rank only: the others would wait for it
        complain(problem.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return status;
}

} // namespace apps
