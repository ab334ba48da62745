// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a conjugate gradient solver found, compared with Eigen's and printed.
#pragma once

#include "../solver_support/matrix_market.hpp"
#include "../solver_support/program.hpp"
#include "problem.hpp"
#include "rows.hpp"

#include <mpi.h>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace cg {

/// The calling rank's part of a solution.
struct solution {
    std::vector<double> own{};
    int iterations = 0;  ///< products with the matrix
    double residual = 0; ///< over the right side, as the iteration has it
    bool converged = false;
};

/// The square of the residual below which the iteration ends, as Eigen has it.
inline double threshold(const options& given, double right_side_squared) {
    return std::max(given.tolerance * given.tolerance * right_side_squared,
                    std::numeric_limits<double>::min());
}

/// @param curvature `p A p`, the same on all ranks @throws refused if it shows that a matrix is not positive
/// definite
inline void require_positive(double curvature, const options& given) {
    if (!(curvature > 0))
        throw apps::refused((given.matrix.empty() ? "the Laplacian" : given.matrix) +
                            ": the matrix is not positive definite");
}

inline std::string progress_text(int iteration, double residual_squared, double right_side_squared) {
    std::ostringstream text;
    text << "iteration " << iteration << ", residual " << std::sqrt(residual_squared / right_side_squared);
    return text.str();
}

/// The whole solution, in the order of rows, on rank 0. @collective over `comm`
inline std::vector<double> on_first(const solution& found, const layout& where, MPI_Comm comm) {
    std::vector<double> gathered(where.place.size()), result(where.place.size());
    MPI_Gatherv(found.own.data(), static_cast<int>(found.own.size()), MPI_DOUBLE, gathered.data(),
                where.counts.data(), where.begins.data(), MPI_DOUBLE, 0, comm);
    for (std::size_t row = 0; row < result.size(); ++row)
        result[row] = gathered[static_cast<std::size_t>(where.place[row])];
    return result;
}

/// Solves the same by Eigen's serial solver, and compares.
inline apps::json compared_with_eigen(const options& given, const problem& what,
                                      const std::vector<double>& found) {
    using sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    const auto size = static_cast<Eigen::Index>(found.size());
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(what.matrix.entries.size());
    for (const auto& each : what.matrix.entries)
        entries.emplace_back(each.row, each.column, each.value);
    sparse matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    const Eigen::Map<const Eigen::VectorXd> ours(found.data(), size),
        right_side(what.right_side.data(), size);
    Eigen::ConjugateGradient<sparse, Eigen::Lower | Eigen::Upper> solver;
    solver.setTolerance(given.tolerance);
    solver.setMaxIterations(given.max_iterations);
    const double start = MPI_Wtime();
    const Eigen::VectorXd theirs = solver.compute(matrix).solve(right_side);
    const double seconds = MPI_Wtime() - start;
    const double largest = theirs.lpNorm<Eigen::Infinity>();
    const double norm = right_side.norm();
    const bool converged = solver.info() == Eigen::Success;
    return {// Eigen does not count the iteration that ends it.
            {"iterations", solver.iterations() + (converged && norm > 0 ? 1 : 0)},
            {"difference", largest > 0 ? (ours - theirs).lpNorm<Eigen::Infinity>() / largest : 0.0},
            {"true_residual", norm > 0 ? (right_side - matrix * ours).norm() / norm : 0.0},
            {"seconds", seconds}};
}

/// Prints, compares and writes what is asked for. @param variant `mpi` or `hybrid` @param extra more members
/// of the result line
/// @return the program's exit status @collective over `comm`
inline int report(const std::string& variant, const options& given, const problem& what, const layout& where,
                  const solution& found, const apps::times& took, const apps::json& extra, MPI_Comm comm) {
    apps::json result{
        {"program", "cg"},
        {"variant", variant},
        {"ranks", apps::size_of(comm)},
        {given.matrix.empty() ? "grid" : "matrix", given.matrix.empty() ? given.grid : given.matrix},
        {"rows", what.matrix.rows},
        {"entries", what.matrix.entries.size()},
        {"tolerance", given.tolerance},
        {"iterations", found.iterations},
        {"residual", found.residual},
        {"converged", found.converged}};
    result.update(took.members());
    result.update(extra);
    if (given.check || !given.solution.empty()) {
        const std::vector<double> whole = on_first(found, where, comm);
        apps::on_first(comm, [&] {
            if (given.check) result.set("serial", compared_with_eigen(given, what, whole));
            if (!given.solution.empty()) apps::write_matrix(given.solution, whole, 1);
        });
    }
    apps::print_result(result, given.common.output, comm);
    if (found.converged) return 0;
    if (apps::rank_in(comm) == 0)
        std::cerr << "cg_" + variant + ": not converged after " + std::to_string(found.iterations) +
                         " iterations\n";
    return 1;
}

} // namespace cg
