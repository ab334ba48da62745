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

constexpr int height = 16, width = 12; // of each rank, without the halo

/// A rank's part of the square, with a halo of one point around it.
struct field {
    std::vector<double> points = std::vector<double>((height + 2) * (width + 2), 0.0);
    double& at(int row, int column) { return points[static_cast<std::size_t>(row * (width + 2) + column)]; }
};

/// What goes along each offset of the star, in its order: down and up the rows, then down and up the columns.
std::array<topo::halo, 4> halos_around(field& b, MPI_Datatype column) {
    return {{{&b.at(1, 1), width, MPI_DOUBLE, &b.at(height + 1, 1), width, MPI_DOUBLE}, // to the row before
             {&b.at(height, 1), width, MPI_DOUBLE, &b.at(0, 1), width, MPI_DOUBLE},     // to the row behind
             {&b.at(1, 1), 1, column, &b.at(1, width + 1), 1, column},
             {&b.at(1, width), 1, column, &b.at(1, 0), 1, column}}};
}

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    const topo::node_cart grid{levels, {0, 0}}; // extents chosen together with the numbers of ranks

    MPI_Datatype column = MPI_DATATYPE_NULL; // a point of each row
    MPI_Type_vector(height, 1, width + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);

    field now, next;
    const bool is_first_row = grid.coordinates()[0] == 0;
    for (field* each : {&now, &next})
        for (int c = 0; is_first_row && c < width + 2; ++c)
            each->at(0, c) = 1; // the edge of the square, where nothing arrives

    //! [prepared]
    std::array parts{&now, &next};
    std::array exchanges{grid.exchange_init(halos_around(now, column)),
                         grid.exchange_init(halos_around(next, column))};
    //! [prepared]

    double change = 1;
    int steps = 0;
    for (; change > 1e-3; ++steps) {
        const auto current = static_cast<std::size_t>(steps % 2);
        field &from = *parts[current], &to = *parts[1 - current];
        double mine = 0;
        const auto relax = [&](int r, int c) {
            to.at(r, c) = (from.at(r - 1, c) + from.at(r + 1, c) + from.at(r, c - 1) + from.at(r, c + 1)) / 4;
            mine = std::max(mine, std::abs(to.at(r, c) - from.at(r, c)));
        };
        //! [step]
        exchanges[current].start();
        for (int r = 2; r < height; ++r)
            for (int c = 2; c < width; ++c)
                relax(r, c);
        exchanges[current].wait();
        for (int r = 1; r <= height; ++r)
            for (int c = 1; c <= width; c += r == 1 || r == height ? 1 : width - 1)
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
