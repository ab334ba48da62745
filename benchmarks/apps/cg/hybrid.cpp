// SPDX-License-Identifier: BSL-1.0
// cg_hybrid --help
//
// A conjugate gradient solver with topomp: rows that need each other's elements share nodes as far as
// possible, and the search direction is once in each node, in memory that its ranks share. cg_mpi.cpp beside
// it is the same as an ordinary MPI program.
#include "../solver_support/machine_options.hpp"
#include "../solver_support/program.hpp"
#include "problem.hpp"
#include "row_mapping.hpp"
#include "rows.hpp"
#include "solution.hpp"
#include <topomp/collective/all_reduce.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gatherv.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace cg;

class solver {
public:
    solver(const options& given, const own_rows& matrix, const layout& where, const topo::hierarchy& levels)
        : given_(given), matrix_(matrix), where_(where), levels_(levels) {}

    /// By the algorithm of Eigen's ConjugateGradient, so that the iterations can be compared.
    solution solve() {
        apps::progress progress{"cg_hybrid", levels_.whole()};
        const std::size_t count = matrix_.count();
        solution found{std::vector<double>(count)};
        std::vector<double> residual = matrix_.right_side, scaled(count), image(count);
        topo::shared_window<double> direction{levels_, where_.place.size(), topo::hybrid::one_copy};
        const auto begin = static_cast<std::size_t>(where_.begins[static_cast<std::size_t>(rank_)]);
        const std::span own = direction.all().subspan(begin, count);
        matrix_.divide_by_diagonal(residual, own);
        const auto [squared, first_step] =
            sum(std::array{product(residual, residual), product(residual, own)});
        if (squared == 0) return found.converged = true, found;
        double left = squared, step = first_step;
        while (found.iterations < given_.max_iterations && !found.converged) {
            apps::timed(communication, [&] { topo::hybrid::all_gatherv(levels_, direction, where_.counts); });
            matrix_.multiply(direction.all(), image);
            // Who knows this sum knows that all ranks have read the direction: no fence is needed before it
            // changes.
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
        apps::timed(communication, [&] { topo::all_reduce(levels_, values, values, std::plus<>{}); });
        return values;
    }

    const options& given_;
    const own_rows& matrix_;
    const layout& where_;
    const topo::hierarchy& levels_;
    int rank_ = levels_.whole().rank();
};

int solve(const options& given, const apps::machine_options& machine, const std::string& rows) {
    const topo::hierarchy levels = machine.hierarchy();
    const int ranks = levels.whole().size();
    const problem what = problem_of(given, levels.whole());
    const std::vector<int> nodes = apps::nodes_of_ranks(levels);
    const std::vector<int> blocks = blocks_of_rows(what.matrix, ranks);
    const std::vector<int> owner = rows == "graph"  ? rows_by_graph(levels, what.matrix)
                                   : rows == "plan" ? rows_by_plan(levels, what.matrix, nodes)
                                                    : blocks;
    const layout where{owner, ranks};
    const own_rows matrix{what, owner, where, levels.whole().rank()};
    apps::times took;
    solution found;
    for (int repetition = 0; repetition < given.common.repetitions; ++repetition) {
        solver by{given, matrix, where, levels};
        took.measure(levels.whole(), [&] {
            found = by.solve();
            return by.communication;
        });
    }
    const apps::json extra{
        {"rows_by", rows},
        {"elements_between_nodes", elements_between_nodes(what.matrix, owner, nodes)},
        {"elements_between_nodes_in_rank_order", elements_between_nodes(what.matrix, blocks, nodes)}};
    return report("hybrid", given, what, where, found, took, extra, levels.whole());
}

} // namespace

int main(int argc, char** argv) {
    options given;
    apps::machine_options machine;
    std::string rows = "graph";
    return apps::run(
        argc, argv, "cg_hybrid", description,
        [&](apps::command_line& line) {
            given.declare(line);
            machine.declare(line);
            line.add("--rows", rows,
                     "who has which: blocks in rank order, blocks where a topo::graph puts them, or each "
                     "row where a topo::graph_plan puts it")
                .one_of({"blocks", "graph", "plan"});
        },
        [&] { return solve(given, machine, rows); });
}
