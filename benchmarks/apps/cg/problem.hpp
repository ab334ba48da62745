// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a conjugate gradient solver is asked for: options, matrix and right side.
#pragma once

#include "../solver_support/matrix_market.hpp"
#include "../solver_support/program.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace cg {

inline constexpr const char* description = "Solves a sparse, symmetric and positive definite system of "
                                           "equations by conjugate gradients, with the diagonal as "
                                           "preconditioner. Prints one line of JSON.";

struct options {
    std::string matrix; ///< a file; empty: a Laplacian
    std::string grid = "200x200";
    std::string right_side, solution;
    double tolerance = 1e-8;
    int max_iterations = 100000;
    bool check = false;
    apps::common_options common{};

    void declare(apps::command_line& line) {
        const auto file =
            line.add_unset("--matrix", matrix, "a MatrixMarket file with the matrix, instead of a Laplacian");
        line.add("--grid", grid,
                 "points along each dimension of the Laplacian's grid, such as 200x200 or 40x40x40")
            .excludes(file);
        line.add_unset("--right-side", right_side,
                       "a MatrixMarket file with a column; if not given, all ones");
        line.add("--tolerance", tolerance, "ends when the residual is below this part of the right side")
            .range(1e-15, 1.0);
        line.add("--max-iterations", max_iterations, "gives up after so many")
            .range(1, std::numeric_limits<int>::max());
        line.add_flag("--check", check, "also solve it by Eigen's serial solver on rank 0, and compare");
        line.add_unset("--solution", solution, "write the solution to this MatrixMarket file");
        common.declare(line);
    }
};

/// The matrix, whole, on each rank.
struct problem {
    apps::sparse_matrix matrix{};
    std::vector<double> right_side{};
};

/// Of a text such as `40x40x40`. @throws refused if it is no grid, or has more points than an int counts
inline std::vector<int> grid_sizes(const std::string& text) {
    std::vector<int> result;
    std::istringstream words{text};
    double points = 1;
    for (std::string word; std::getline(words, word, 'x');) {
        const bool is_number = !word.empty() && word.size() < 10 &&
                               word.find_first_not_of("0123456789") == std::string::npos &&
                               std::stoi(word) > 0;
        if (!is_number)
            throw apps::refused("--grid " + text + ": '" + word +
                                "' is no number of points along a dimension");
        result.push_back(std::stoi(word));
        points *= result.back();
    }
    if (result.empty() || result.size() > 3 || text.back() == 'x')
        throw apps::refused("--grid " + text + ": a grid has one to three dimensions, such as 200x200");
    if (points > std::numeric_limits<int>::max())
        throw apps::refused("--grid " + text + ": more points than an int counts");
    return result;
}

/// The negative Laplacian of a grid with zeros around it: of each point twice the number of dimensions, less
/// its neighbours. Local: each rank that asks gets the same.
inline apps::sparse_matrix laplacian(const std::vector<int>& sizes) {
    int points = 1;
    for (const int size : sizes)
        points *= size;
    apps::sparse_matrix result{points, points, {}};
    const auto dimensions = static_cast<double>(sizes.size());
    for (int point = 0; point < points; ++point) {
        const std::size_t begin = result.entries.size();
        result.entries.push_back({point, point, 2 * dimensions});
        int step = points, rest = point; // the last dimension is the fastest
        for (const int size : sizes) {
            step /= size;
            const int place = rest / step;
            rest %= step;
            if (place > 0) result.entries.push_back({point, point - step, -1});
            if (place + 1 < size) result.entries.push_back({point, point + step, -1});
        }
        std::sort(result.entries.begin() + static_cast<std::ptrdiff_t>(begin), result.entries.end(),
                  [](const apps::entry& one, const apps::entry& other) { return one.column < other.column; });
    }
    return result;
}

/// @throws refused unless a matrix is square and symmetric with positive numbers on its diagonal
inline void require_symmetric(const apps::sparse_matrix& matrix, const std::string& name) {
    if (matrix.rows != matrix.columns)
        throw apps::refused(name + ": " + std::to_string(matrix.rows) + " rows and " +
                            std::to_string(matrix.columns) + " columns: the matrix is not square");
    apps::sparse_matrix transposed{matrix.columns, matrix.rows, matrix.entries};
    for (auto& each : transposed.entries)
        std::swap(each.row, each.column);
    apps::sort_entries(transposed, name);
    int positive = 0;
    for (std::size_t i = 0; i < matrix.entries.size(); ++i) {
        const auto &one = matrix.entries[i], &other = transposed.entries[i];
        if (one.row != other.row || one.column != other.column || one.value != other.value)
            throw apps::refused(name + ": the matrix is not symmetric: see row " +
                                std::to_string(one.row + 1) + ", column " + std::to_string(one.column + 1));
        if (one.row == one.column && one.value > 0) ++positive;
    }
    if (positive != matrix.rows)
        throw apps::refused(name + ": not positive definite: a number on the diagonal is not positive");
}

/// @collective over `comm` @throws refused on every rank
inline problem problem_of(const options& given, MPI_Comm comm) {
    problem result;
    if (given.matrix.empty()) {
        result.matrix = laplacian(grid_sizes(given.grid));
    } else {
        result.matrix = apps::read_matrix_on_all(given.matrix, comm);
        apps::on_first(comm, [&] { require_symmetric(result.matrix, given.matrix); });
    }
    result.right_side.assign(static_cast<std::size_t>(result.matrix.rows), 1.0);
    if (given.right_side.empty()) return result;
    apps::on_first(comm, [&] {
        auto in = apps::open_file(given.right_side);
        result.right_side = apps::read_vector(in, given.right_side);
        if (result.right_side.size() != static_cast<std::size_t>(result.matrix.rows))
            throw apps::refused(given.right_side + ": " + std::to_string(result.right_side.size()) +
                                " numbers for a matrix of " + std::to_string(result.matrix.rows) + " rows");
    });
    apps::broadcast(result.right_side, comm);
    return result;
}

} // namespace cg
