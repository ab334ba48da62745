// SPDX-License-Identifier: BSL-1.0
// Matrix multiplication by SUMMA with topomp: the ranks of a node read panels in memory that they share, so
// that each panel is once per node and row or column of processes, instead of once per rank. Paper 2,
// section 5.3.1.
#include "../support/made_up.hpp"
#include "summa.hpp"
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/memory/shared_window.hpp>

#include <map>
#include <span>

namespace {

class multiplication {
public:
    multiplication(const summa::problem& of, const topo::place& mine)
        : of_(of), row_(of.row(), mine), column_(of.column(), mine) {
        for (const summa::panel& each : of.panels) // windows of one width serve all steps of that width
            if (!a_.contains(each.width)) {
                a_.emplace(each.width, window{row_, of.a_count(each), topo::hybrid::one_copy});
                b_.emplace(each.width, window{column_, of.b_count(each), topo::hybrid::one_copy});
            }
    }

    void operator()(summa::blocks& mine) {
        for (const summa::panel& each : of_.panels) {
            window& a = a_.at(each.width);
            window& b = b_.at(each.width);
            std::span<const double> own_a, own_b;
            if (of_.has_a(each)) own_a = {mine.a_panel(each), a.size()};
            if (of_.has_b(each)) own_b = {mine.b_panel(each), b.size()};
            topo::hybrid::broadcast(row_, own_a, a, each.a_owner);
            topo::hybrid::broadcast(column_, own_b, b, each.b_owner);
            mine.add_product(a.all().data(), b.all().data(), each.width);
        }
    }

private:
    using window = topo::shared_window<double>;

    const summa::problem& of_;
    topo::hierarchy row_, column_;
    std::map<int, window> a_, b_; ///< by width
};

} // namespace

int main(int argc, char** argv) {
    summa::options given;
    apps::machine_options where;
    return summa::main_of(
        argc, argv, "hybrid",
        "C = A B by SUMMA, with panels of rows and columns in memory that the ranks of a node share", given,
        [&](apps::command_line& line) {
            given.declare(line);
            where.declare(line);
        },
        [&](const summa::problem& of) {
            return multiplication{of, where.mine()};
        });
}
