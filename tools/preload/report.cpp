// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::preload {

namespace {

/// In MPI's words, small letters only.
std::string name_of(std::size_t line) {
    if (line < first_grid_line) return std::string{verb_names[line]};
    if (line < first_passed_line) return std::string{grid_call_names[line - first_grid_line]};
    std::string name{passed_call_names[line - first_passed_line]};
    name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
    return name;
}

/// How many bytes; nothing for calls whose arguments were not read.
std::string bytes_of(std::size_t line, std::uint64_t bytes) {
    return line < first_passed_line ? std::to_string(bytes) : "-";
}

/// What is summed over the ranks of a line.
struct totals {
    std::uint64_t calls = 0, ours = 0, bytes = 0;
    std::array<std::uint64_t, number_of_reasons> left_for{};
};

/// Such as "20 new communicator, 4 no data", the most frequent first.
std::string reasons_of(const totals& line) {
    std::vector<std::pair<std::uint64_t, std::string_view>> counted;
    for (std::size_t i = 0; i < number_of_reasons; ++i)
        if (line.left_for[i] > 0) counted.emplace_back(line.left_for[i], reason_texts[i]);
    std::ranges::stable_sort(counted, std::greater{}, &std::pair<std::uint64_t, std::string_view>::first);
    std::string text;
    for (const auto& [calls, words] : counted)
        text.append(text.empty() ? "" : ", ").append(std::to_string(calls)).append(" ").append(words);
    return text;
}

} // namespace

report& report::self() {
    static report& only = *new report; // as `process::self`
    return only;
}

void report::add(std::size_t number, std::uint64_t bytes, double seconds, bool is_ours, reason why) noexcept {
    line& here = lines_[number];
    constexpr auto relaxed = std::memory_order_relaxed;
    here.calls.fetch_add(1, relaxed);
    here.bytes.fetch_add(bytes, relaxed);
    here.nanoseconds.fetch_add(static_cast<std::uint64_t>(seconds * 1e9), relaxed);
    (is_ours ? here.ours : here.left_for[static_cast<std::size_t>(why)]).fetch_add(1, relaxed);
}

void report::print() const {
    std::vector<totals> mine(number_of_lines), sums(number_of_lines);
    std::array<double, number_of_lines> seconds{}, longest{};
    for (std::size_t v = 0; v < number_of_lines; ++v) {
        const line& here = lines_[v];
        mine[v] = {here.calls, here.ours, here.bytes, {}};
        std::ranges::copy(here.left_for, mine[v].left_for.begin());
        seconds[v] = static_cast<double>(here.nanoseconds) * 1e-9;
    }
    static_assert(sizeof(totals) % sizeof(std::uint64_t) == 0);
    mpi::check(MPI_Reduce(mine.data(), sums.data(),
                          static_cast<int>(number_of_lines * sizeof(totals) / sizeof(std::uint64_t)),
                          MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD),
               "MPI_Reduce", "report");
    mpi::check(MPI_Reduce(seconds.data(), longest.data(), static_cast<int>(seconds.size()), MPI_DOUBLE,
                          MPI_MAX, 0, MPI_COMM_WORLD),
               "MPI_Reduce", "report");
    if (mpi::comm_rank(MPI_COMM_WORLD) != 0) return;
    std::string table = "topomp-preload: calls of all ranks, their bytes, seconds of the slowest rank\n"
                        "verb                             calls  by topomp             bytes      seconds\n";
    std::string reasons;
    for (std::size_t v = 0; v < number_of_lines; ++v) {
        const totals& here = sums[v];
        if (here.calls == 0) continue;
        std::array<char, 128> text{};
        std::snprintf(text.data(), text.size(), "%-26s %11llu %10llu %17s %12.6f\n", name_of(v).c_str(),
                      static_cast<unsigned long long>(here.calls), static_cast<unsigned long long>(here.ours),
                      bytes_of(v, here.bytes).c_str(), longest[v]);
        table += text.data();
        if (here.ours < here.calls) reasons += name_of(v) + ": " + reasons_of(here) + '\n';
    }
    if (!reasons.empty()) table += "topomp-preload: why calls were the MPI's own\n" + reasons;
    std::fputs(table.c_str(), stderr);
}

} // namespace topo::preload
