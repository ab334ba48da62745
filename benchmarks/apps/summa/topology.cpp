// SPDX-License-Identifier: BSL-1.0
// Matrix multiplication by SUMMA with topomp: broadcasts along each row and column of processes go by the
// hierarchy of their nodes, packages, caches. What paper 1 (section 7.3) calls hierarchical, topological.
#include "../support/made_up.hpp"
#include "summa.hpp"
#include <topomp/collective/broadcast.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <span>

namespace {

class multiplication {
public:
    multiplication(const summa::problem& of, const topo::place& mine)
        : of_(of), row_(of.row(), mine), column_(of.column(), mine) {
        for (const summa::panel& each : of.panels) {
            a_.resize(std::max(a_.size(), static_cast<std::size_t>(of.a_count(each))));
            b_.resize(std::max(b_.size(), static_cast<std::size_t>(of.b_count(each))));
        }
    }

    void operator()(summa::blocks& mine) {
        for (const summa::panel& each : of_.panels) {
            double* const a = of_.has_a(each) ? mine.a_panel(each) : a_.data();
            double* const b = of_.has_b(each) ? mine.b_panel(each) : b_.data();
            topo::broadcast(row_, std::span{a, static_cast<std::size_t>(of_.a_count(each))}, each.a_owner);
            topo::broadcast(column_, std::span{b, static_cast<std::size_t>(of_.b_count(each))}, each.b_owner);
            mine.add_product(a, b, each.width);
        }
    }

private:
    const summa::problem& of_;
    topo::hierarchy row_, column_;
    std::vector<double> a_, b_;
};

} // namespace

int main(int argc, char** argv) {
    summa::options given;
    apps::machine_options where;
    return summa::main_of(
        argc, argv, "topology",
        "C = A B by SUMMA, with topomp's broadcasts along rows and columns of processes", given,
        [&](apps::command_line& line) {
            given.declare(line);
            where.declare(line);
        },
        [&](const summa::problem& of) {
            return multiplication{of, where.mine()};
        });
}
