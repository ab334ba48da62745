// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cctype>
#include <cstdio>
#include <string>

namespace topo::preload {

namespace {

/// In MPI's words, small letters only.
std::string name_of(std::size_t line) {
    if (line < number_of_verbs) return std::string{verb_names[line]};
    line -= number_of_verbs;
    if (line < grid_call_names.size()) return std::string{grid_call_names[line]};
    std::string name{passed_call_names[line - grid_call_names.size()]};
    name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
    return name;
}

/// How many bytes; nothing of calls whose arguments nobody looked at.
std::string bytes_of(std::size_t line, std::uint64_t bytes) {
    return line < number_of_verbs + grid_call_names.size() ? std::to_string(bytes) : "-";
}

} // namespace

report& report::self() {
    static report& only = *new report; // as `process::self`
    return only;
}

void report::add(std::size_t number, std::uint64_t bytes, double seconds, bool is_ours) noexcept {
    line& here = lines_[number];
    constexpr auto relaxed = std::memory_order_relaxed;
    here.calls.fetch_add(1, relaxed);
    here.bytes.fetch_add(bytes, relaxed);
    here.nanoseconds.fetch_add(static_cast<std::uint64_t>(seconds * 1e9), relaxed);
    if (is_ours) here.ours.fetch_add(1, relaxed);
}

void report::print() const {
    std::array<std::uint64_t, 3 * number_of_lines> mine{}, sums{};
    std::array<double, number_of_lines> seconds{}, longest{};
    for (std::size_t v = 0; v < number_of_lines; ++v) {
        mine[3 * v] = lines_[v].calls;
        mine[3 * v + 1] = lines_[v].ours;
        mine[3 * v + 2] = lines_[v].bytes;
        seconds[v] = static_cast<double>(lines_[v].nanoseconds) * 1e-9;
    }
    mpi::check(MPI_Reduce(mine.data(), sums.data(), static_cast<int>(mine.size()), MPI_UINT64_T, MPI_SUM, 0,
                          MPI_COMM_WORLD),
               "MPI_Reduce", "report");
    mpi::check(MPI_Reduce(seconds.data(), longest.data(), static_cast<int>(seconds.size()), MPI_DOUBLE,
                          MPI_MAX, 0, MPI_COMM_WORLD),
               "MPI_Reduce", "report");
    if (mpi::comm_rank(MPI_COMM_WORLD) != 0) return;
    std::string table = "topomp-preload: calls of all ranks, their bytes, seconds of the slowest rank\n"
                        "verb                             calls  by topomp             bytes      seconds\n";
    for (std::size_t v = 0; v < number_of_lines; ++v) {
        if (sums[3 * v] == 0) continue;
        std::array<char, 128> text{};
        std::snprintf(text.data(), text.size(), "%-26s %11llu %10llu %17s %12.6f\n", name_of(v).c_str(),
                      static_cast<unsigned long long>(sums[3 * v]),
                      static_cast<unsigned long long>(sums[3 * v + 1]), bytes_of(v, sums[3 * v + 2]).c_str(),
                      longest[v]);
        table += text.data();
    }
    std::fputs(table.c_str(), stderr);
}

} // namespace topo::preload
