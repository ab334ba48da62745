// SPDX-License-Identifier: BSL-1.0
/// @file
/// Poisson's equation on a square by red-black Gauss-Seidel: what is the same however ranks exchange data.
///
/// -u_xx - u_yy = f on size x size inner points, u = 0 on the edge, f such that u = s x (1 - x) y (1 - y), of
/// which five points tell the derivatives exactly. An iteration makes each red point fit its neighbours, then
/// each black one; it ends when no point changes by more than a tolerance. Points of one colour need only
/// those of the other, so every division of the square gives the same bits. @see paper 2, section 5.3.2
#pragma once

#include "../support/blocks.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace poisson {

struct options {
    apps::common_options common{};
    int size = 64, iterations = 1000000;
    double tolerance = 1e-6;
    std::string grid = "0x0";

    void declare(apps::command_line& line) {
        line.add("--size", size, "inner points along each side of the square").range(1, 30000);
        line.add("--tolerance", tolerance, "the greatest change of a point in the last iteration")
            .range(0.0, 1.0);
        line.add("--iterations", iterations, "at most so many").range(1, 1 << 30);
        line.add("--grid", grid, "blocks down and across the square, such as 2x3; 0: chosen by MPI");
        common.declare(line);
    }

    /// Blocks down and across. @throws refused if there are more than points, or not one for each rank
    std::array<int, 2> dims() const {
        const auto result =
            apps::grid_dims(apps::size_of(MPI_COMM_WORLD), apps::read_extents("--grid", grid));
        if (std::ranges::max(result) > size)
            throw apps::refused("--size " + std::to_string(size) + ": fewer points than the " +
                                std::to_string(std::ranges::max(result)) + " blocks along a side");
        return result;
    }
};

/// How an iteration ended.
struct outcome {
    int iterations = 0;
    double change = 0; ///< of the point that changed most
    friend bool operator==(const outcome&, const outcome&) = default;
};

/// A block of the square, with a rim of one point around it.
class block {
public:
    block(const options& given, const apps::block_range& range)
        : given_(given), range_(range), step_(1.0 / (given.size + 1)),
          values_(static_cast<std::size_t>(range.rows + 2) * static_cast<std::size_t>(range.columns + 2)) {}

    int rows() const { return range_.rows; }
    int columns() const { return range_.columns; }
    const apps::block_range& range() const { return range_; }
    /// Doubles from one row to the next.
    int stride() const { return range_.columns + 2; }
    /// Row 0 and `rows()` + 1, column 0 and `columns()` + 1 are the rim.
    double* at(int row, int column) {
        return values_.data() + static_cast<std::ptrdiff_t>(row) * stride() + column;
    }

    /// Another right-hand side for each repetition, and u = 0.
    void reset(int repetition) {
        scale_ = scale_of(repetition);
        std::ranges::fill(values_, 0.0);
        done_ = {};
    }

    /// Makes the points of a colour (0 or 1) of a row fit their neighbours. @return the greatest change
    double relax_row(int colour, int row) {
        double* const u = at(row, 0);
        const double x = coordinate(range_.first_row + row);
        double greatest = 0;
        for (int column = 1 + (range_.first_row + row + range_.first_column + colour) % 2;
             column <= range_.columns; column += 2) {
            const double y = coordinate(range_.first_column + column);
            const double f = 2 * scale_ * (x * (1 - x) + y * (1 - y));
            const double fit = 0.25 * (u[column - stride()] + u[column + stride()] + u[column - 1] +
                                       u[column + 1] + step_ * step_ * f);
            greatest = std::max(greatest, std::abs(fit - u[column]));
            u[column] = fit;
        }
        return greatest;
    }
    /// All rows, one after the other.
    double relax(int colour) {
        const double start = PMPI_Wtime();
        double greatest = 0;
        for (int row = 1; row <= rows(); ++row)
            greatest = std::max(greatest, relax_row(colour, row));
        has_relaxed(start, 1);
        return greatest;
    }
    /// The points of a colour have been done by so many threads, from this time on.
    void has_relaxed(double start, int threads) {
        constexpr double operations = 16; // of a point
        apps::charge(operations * static_cast<double>(range_.size()) / 2 / threads, given_.common.gflops);
        computing_ += PMPI_Wtime() - start;
    }

    /// Counts an iteration. @return whether another one is needed
    bool goes_on(double change) {
        done_ = {done_.iterations + 1, change};
        return change > given_.tolerance && done_.iterations < given_.iterations;
    }
    const outcome& done() const { return done_; }
    double computing() { return std::exchange(computing_, 0); }

    /// The points without the rim.
    std::vector<double> inner() {
        std::vector<double> result;
        for (int row = 1; row <= rows(); ++row)
            result.insert(result.end(), at(row, 1), at(row, columns() + 1));
        return result;
    }

    static double scale_of(int repetition) { return 1 + (repetition + 1) / 1024.0; }

private:
    double coordinate(int place) const { return place * step_; }

    const options& given_;
    apps::block_range range_;
    double step_, scale_ = 1, computing_ = 0;
    std::vector<double> values_;
    outcome done_;
};

/// What is known of a solution.
struct solution {
    outcome done;
    std::vector<double> values; ///< row by row
};

/// All points on one rank.
inline solution solve_serially(const options& given, int repetition) {
    block all{given, {0, given.size, 0, given.size}};
    all.reset(repetition);
    double change = 0;
    do {
        const double red = all.relax(0);
        change = std::max(red, all.relax(1));
    } while (all.goes_on(change));
    return {all.done(), all.inner()};
}

/// How far values are from the solution of the differential equation.
inline double error_of(const std::vector<double>& values, int size, int repetition) {
    std::vector<double> exact;
    const double step = 1.0 / (size + 1);
    for (int row = 1; row <= size; ++row)
        for (int column = 1; column <= size; ++column)
            exact.push_back(block::scale_of(repetition) * row * step * (1 - row * step) * column * step *
                            (1 - column * step));
    return apps::greatest_difference(values, exact);
}

/// What differs between two solutions; empty if nothing does.
inline std::string difference_of(const solution& found, const solution& serial) {
    std::array<char, 200> text{};
    if (!(found.done == serial.done))
        std::snprintf(text.data(), text.size(),
                      "%d iterations to a change of %.17g, the serial solver %d to %.17g",
                      found.done.iterations, found.done.change, serial.done.iterations, serial.done.change);
    else if (apps::greatest_difference(found.values, serial.values) > 0)
        std::snprintf(text.data(), text.size(), "the solution differs from the serial one by %g",
                      apps::greatest_difference(found.values, serial.values));
    return text.data();
}

/// The program. @param given where `declare` reads options into
/// @param make `make(dims)` returns a solver: called as `solve(block, shown)`, with `comm()` and the
/// `coordinates()` of the calling rank's block
template <class Declare, class Make>
int main_of(int argc, char** argv, const std::string& variant, const std::string& what, options& given,
            Declare declare, Make make) {
    return apps::main_of(argc, argv, "poisson", variant, what, declare, [&]() -> apps::json {
        apps::progress shown{"poisson_" + variant};
        const auto dims = given.dims();
        auto solve = make(dims);
        block mine{given, apps::block_range::of(solve.coordinates(), dims, given.size, given.size)};
        const auto took = apps::measure(
            solve.comm(), given.common, shown, [&](int repetition) { mine.reset(repetition); },
            [&] {
                solve(mine, shown);
                return mine.computing();
            });
        apps::json result{{"size", given.size},
                          {"grid", dims},
                          {"tolerance", given.tolerance},
                          {"iterations", mine.done().iterations},
                          {"change", mine.done().change}};
        result.update(took.members());
        result.set("checked", given.common.has_check);
        if (!given.common.has_check) return result;
        const int last = given.common.repetitions - 1;
        const auto values =
            apps::gather_blocks(solve.comm(), mine.range(), mine.inner(), given.size, given.size);
        const bool is_root = apps::rank_in(solve.comm()) == 0;
        apps::require_on_root(
            solve.comm(), is_root ? difference_of({mine.done(), values}, solve_serially(given, last)) : "");
        double error = is_root ? error_of(values, given.size, last) : 0;
        MPI_Bcast(&error, 1, MPI_DOUBLE, 0, solve.comm());
        result.set("error", error);
        return result;
    });
}

/// What the programs say every two seconds.
inline std::string progress_text(const block& mine) {
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "iteration %d, greatest change %.3g", mine.done().iterations,
                  mine.done().change);
    return text.data();
}

} // namespace poisson
