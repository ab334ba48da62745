// SPDX-License-Identifier: BSL-1.0
// Jacobi's iteration of 13_halo.cpp while its halos are under way: points that need no halo are computed
// between the start of the exchange and its end.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <vector>

constexpr int rows = 16, columns = 12; // of each rank, without the halo

/// A rank's part of the square, with a halo of one point around it.
struct block {
    std::vector<double> points = std::vector<double>((rows + 2) * (columns + 2), 0.0);
    double& at(int row, int column) { return points[static_cast<std::size_t>(row * (columns + 2) + column)]; }
};

/// What goes along each offset of the star, in its order: down and up the rows, then down and up the columns.
std::array<topo::halo, 4> halos_of(block& b, MPI_Datatype column) {
    return {{{&b.at(1, 1), columns, MPI_DOUBLE, &b.at(rows + 1, 1), columns, MPI_DOUBLE}, // to the row before
             {&b.at(rows, 1), columns, MPI_DOUBLE, &b.at(0, 1), columns, MPI_DOUBLE},     // to the row behind
             {&b.at(1, 1), 1, column, &b.at(1, columns + 1), 1, column},
             {&b.at(1, columns), 1, column, &b.at(1, 0), 1, column}}};
}

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    const topo::node_cart grid{levels, {0, 0}}; // extents chosen together with the numbers of ranks

    MPI_Datatype column = MPI_DATATYPE_NULL; // a point of each row
    MPI_Type_vector(rows, 1, columns + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);

    block now, next;
    const bool is_first_row = grid.coordinates()[0] == 0;
    for (block* each : {&now, &next})
        for (int c = 0; is_first_row && c < columns + 2; ++c)
            each->at(0, c) = 1; // the edge of the square, where nothing arrives

    //! [prepared]
    std::array fields{&now, &next};
    std::array exchanges{grid.exchange_init(halos_of(now, column)),
                         grid.exchange_init(halos_of(next, column))};
    //! [prepared]

    double change = 1;
    int steps = 0;
    for (; change > 1e-3; ++steps) {
        const auto current = static_cast<std::size_t>(steps % 2);
        block &from = *fields[current], &to = *fields[1 - current];
        double mine = 0;
        const auto relax = [&](int r, int c) {
            to.at(r, c) = (from.at(r - 1, c) + from.at(r + 1, c) + from.at(r, c - 1) + from.at(r, c + 1)) / 4;
            mine = std::max(mine, std::abs(to.at(r, c) - from.at(r, c)));
        };
        //! [step]
        exchanges[current].start();
        for (int r = 2; r < rows; ++r)
            for (int c = 2; c < columns; ++c)
                relax(r, c);
        exchanges[current].wait();
        for (int r = 1; r <= rows; ++r)
            for (int c = 1; c <= columns; c += r == 1 || r == rows ? 1 : columns - 1)
                relax(r, c);
        change = topo::all_reduce(levels, mine, boost::mpi::maximum<double>{});
        //! [step]
    }
    for (topo::persistent& each : exchanges)
        each.free(); // before what they use
    MPI_Type_free(&column);
    if (world.rank() == 0)
        std::cout << steps << " steps on " << grid.dims()[0] << " x " << grid.dims()[1] << " ranks\n";
}
