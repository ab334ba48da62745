// SPDX-License-Identifier: BSL-1.0
// Poisson's equation with topomp: blocks on a grid whose neighbours share nodes, and the greatest change once
// per node, in memory that its ranks share.
#include "../support/made_up.hpp"
#include "poisson.hpp"
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/mapping/node_cart.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/operations.hpp>

#include <span>

namespace {

class solver {
public:
    solver(std::array<int, 2> dims, const topo::place& where)
        : levels_(MPI_COMM_WORLD, where), grid_(levels_, {dims[0], dims[1]}),
          greatest_(levels_, 1, topo::hybrid::one_copy) {}

    MPI_Comm comm() const { return grid_; }
    std::array<int, 2> coordinates() const {
        const auto result = grid_.coordinates();
        return {result[0], result[1]};
    }

    void operator()(poisson::block& mine, apps::progress& shown) {
        double change = 0;
        MPI_Datatype edge = MPI_DATATYPE_NULL;
        MPI_Type_vector(mine.rows(), 1, mine.stride(), MPI_DOUBLE, &edge);
        MPI_Type_commit(&edge);
        const int rows = mine.rows(), columns = mine.columns();
        const std::array<topo::halo, 4> halos{
            // upwards, downwards, to the left, to the right
            topo::halo{mine.at(1, 1), columns, MPI_DOUBLE, mine.at(rows + 1, 1), columns, MPI_DOUBLE},
            topo::halo{mine.at(rows, 1), columns, MPI_DOUBLE, mine.at(0, 1), columns, MPI_DOUBLE},
            topo::halo{mine.at(1, 1), 1, edge, mine.at(1, columns + 1), 1, edge},
            topo::halo{mine.at(1, columns), 1, edge, mine.at(1, 0), 1, edge}};
        do {
            change = 0;
            for (const int colour : {0, 1}) {
                grid_.exchange(halos);
                change = std::max(change, mine.relax(colour));
            }
            topo::hybrid::all_reduce(levels_, std::span{&change, 1}, greatest_,
                                     boost::mpi::maximum<double>{});
            change = *greatest_.begin();
            shown.tick([&] { return poisson::progress_text(mine); });
        } while (mine.goes_on(change));
        MPI_Type_free(&edge);
    }

private:
    topo::hierarchy levels_;
    topo::node_cart grid_;
    topo::shared_window<double> greatest_;
};

} // namespace

int main(int argc, char** argv) {
    poisson::options given;
    apps::machine_options where;
    return poisson::main_of(
        argc, argv, "hybrid",
        "Poisson's equation by red-black Gauss-Seidel, on a grid whose neighbours share nodes", given,
        [&](apps::command_line& line) {
            given.declare(line);
            where.declare(line);
        },
        [&](std::array<int, 2> dims) {
            return solver{dims, where.mine()};
        });
}
