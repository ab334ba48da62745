// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a program called, for the table at its end.
#pragma once

#include "passed_on.hpp"
#include "reason.hpp"
#include "settings.hpp"
#include <topomp/plan/detail/algorithm.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace topo::preload {

/// The calls about grids and graphs.
enum class grid_call { cart_create, dist_graph_create, dist_graph_create_adjacent, cart_map, dims_create };

/// Their names, in that order.
inline constexpr std::array<std::string_view, 5> grid_call_names{
    "cart_create", "dist_graph_create", "dist_graph_create_adjacent", "cart_map", "dims_create"};

/// What the report has a line for: the collectives, behind them the calls about grids, and the collectives
/// that are never topomp's.
inline constexpr std::size_t first_grid_line = number_of_verbs;
inline constexpr std::size_t first_passed_line = first_grid_line + grid_call_names.size();
inline constexpr std::size_t number_of_lines = first_passed_line + number_of_passed_calls;

constexpr std::size_t line_of(passed_call what) { return first_passed_line + static_cast<std::size_t>(what); }

/// Counts intercepted calls. One object.
class report {
public:
    static report& self();

    bool is_wanted() const noexcept { return is_wanted_; }
    void start() noexcept { is_wanted_ = true; }

    /// @param verb of the names @param bytes of the calling rank's own data @param seconds that the call
    /// took, not what it started @param why the call is the MPI's own, unless `is_ours`
    void add(std::size_t verb, std::uint64_t bytes, double seconds, bool is_ours,
             reason why = reason::other) noexcept;
    /// @param is_ours whether topomp gave the ranks their numbers, or chose the dims
    void add(grid_call what, double seconds, bool is_ours, reason why) noexcept {
        add(first_grid_line + static_cast<std::size_t>(what), 0, seconds, is_ours, why);
    }
    void add(passed_call what, double seconds) noexcept {
        add(line_of(what), 0, seconds, false, reason::never);
    }

    /// A line for each that was called, and one with the reasons for each of which calls were the MPI's own,
    /// on stderr of rank 0. @collective over MPI_COMM_WORLD
    void print() const;

private:
    struct line {
        std::atomic<std::uint64_t> calls{0}, ours{0}, bytes{0}, nanoseconds{0};
        std::array<std::atomic<std::uint64_t>, number_of_reasons> left_for{};
    };

    bool is_wanted_ = false;
    std::array<line, number_of_lines> lines_;
};

} // namespace topo::preload
