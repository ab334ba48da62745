// SPDX-License-Identifier: BSL-1.0
// cg_mpi --help
//
// A conjugate gradient solver as an ordinary MPI program: consecutive rows of the matrix on each rank, and on
// each rank a copy of the whole search direction. cg_hybrid.cpp beside it is the same with topomp.
#include "../solver_support/program.hpp"
#include "problem.hpp"
#include "rows.hpp"
#include "solution.hpp"

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace {

using namespace cg;

class solver {
public:
    solver(const options& given, const own_rows& matrix, const layout& where, MPI_Comm comm)
        : given_(given), matrix_(matrix), where_(where), comm_(comm) {}

    /// By the algorithm of Eigen's ConjugateGradient, so that the iterations can be compared.
    solution solve() {
        apps::progress progress{"cg_mpi", comm_};
        const std::size_t count = matrix_.count();
        solution found{std::vector<double>(count)};
        std::vector<double> residual = matrix_.right_side, scaled(count), image(count);
        std::vector<double> direction(where_.place.size());
        const auto begin = static_cast<std::size_t>(where_.begins[static_cast<std::size_t>(rank_)]);
        const std::span own = std::span{direction}.subspan(begin, count);
        matrix_.divide_by_diagonal(residual, own);
        const auto [squared, first_step] =
            sum(std::array{product(residual, residual), product(residual, own)});
        if (squared == 0) return found.converged = true, found;
        double left = squared, step = first_step;
        while (found.iterations < given_.max_iterations && !found.converged) {
            apps::timed(communication, [&] {
                MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, direction.data(), where_.counts.data(),
                               where_.begins.data(), MPI_DOUBLE, comm_);
            });
            matrix_.multiply(direction, image);
            const double curvature = sum(std::array{product(own, image)})[0];
            require_positive(curvature, given_);
            add(found.own, step / curvature, own);
            add(residual, -step / curvature, image);
            matrix_.divide_by_diagonal(residual, scaled);
            const auto [now, next_step] =
                sum(std::array{product(residual, residual), product(residual, scaled)});
            ++found.iterations;
            apps::charge(matrix_.operations(), given_.common.gflops);
            left = now;
            found.converged = left < threshold(given_, squared);
            turn(own, next_step / step, scaled);
            step = next_step;
            progress.say([&, first = squared] { return progress_text(found.iterations, left, first); });
        }
        found.residual = std::sqrt(left / squared);
        return found;
    }

    double communication = 0; ///< seconds of this rank

private:
    template <std::size_t Count>
    std::array<double, Count> sum(std::array<double, Count> values) {
        apps::timed(communication,
                    [&] { MPI_Allreduce(MPI_IN_PLACE, values.data(), Count, MPI_DOUBLE, MPI_SUM, comm_); });
        return values;
    }

    const options& given_;
    const own_rows& matrix_;
    const layout& where_;
    MPI_Comm comm_;
    int rank_ = apps::rank_in(comm_);
};

int solve(const options& given) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    const problem what = problem_of(given, comm);
    const std::vector<int> owner = blocks_of_rows(what.matrix, apps::size_of(comm));
    const layout where{owner, apps::size_of(comm)};
    const own_rows matrix{what, owner, where, apps::rank_in(comm)};
    apps::times took;
    solution found;
    for (int repetition = 0; repetition < given.common.repetitions; ++repetition) {
        solver by{given, matrix, where, comm};
        took.measure(comm, [&] {
            found = by.solve();
            return by.communication;
        });
    }
    return report("mpi", given, what, where, found, took, {}, comm);
}

} // namespace

int main(int argc, char** argv) {
    options given;
    return apps::run(
        argc, argv, "cg_mpi", description, [&](apps::command_line& line) { given.declare(line); },
        [&] { return solve(given); });
}
