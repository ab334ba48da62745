// SPDX-License-Identifier: BSL-1.0
// Copies in shared memory and waits for signals take simulated time, as much as is charged for them, and the
// data are what they are without. Outside simulations only the data are looked at.
#include "support/made_up.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#ifdef SMPI_H
#include <unistd.h>
#endif

namespace simulated_tests {

namespace {

#ifdef SMPI_H
/// The clock itself takes 10 ns.
bool is_about(double seconds, double expected) { return std::abs(seconds - expected) < 50e-9; }
#endif

} // namespace

TEST_CASE("a copy takes the time of its bytes") {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{12345}, std::size_t{300000}}) {
        std::vector<int> from(count), to(count);
        for (std::size_t i = 0; i < count; ++i)
            from[i] = static_cast<int>(i * 7 + 1);
        const double begin = MPI_Wtime();
        topo::detail::copy_shared(to.data(), from.data(), count * sizeof(int));
        const double seconds = MPI_Wtime() - begin;
        CHECK(to == from);
        CHECK(seconds >= 0);
#ifdef SMPI_H
        CHECK(is_about(seconds, static_cast<double>(count * sizeof(int)) / 10e9));
#endif
    }
}

TEST_CASE("who waits for a signal goes on when it is raised, and not a microsecond later") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    topo::shared_window<double> moment{levels, 1, {.blocks = topo::window_blocks::of_root}};
    for (int from = 0; from < moment.comm().size(); ++from) {
        moment.fence();
        if (moment.rank() == from) {
#ifdef SMPI_H
            usleep(static_cast<useconds_t>(3 + from));
#endif
            moment.all()[0] = MPI_Wtime();
        }
        moment.steps().one_to_many(from, moment.waits());
        CHECK(moment.all()[0] > 0);
#ifdef SMPI_H
        if (moment.rank() != from) CHECK(is_about(MPI_Wtime() - moment.all()[0], 250e-9));
#endif
    }
}

TEST_CASE("a barrier takes all ranks as long, a flag behind the last") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    topo::shared_window<double> arrivals{levels, 1};
    for (int last = 0; last < arrivals.comm().size(); ++last) {
        arrivals.fence();
#ifdef SMPI_H
        usleep(arrivals.rank() == last ? 50 : 1);
#endif
        // Outside simulations each rank has a clock of its own.
        arrivals.local()[0] = topo::detail::is_simulated ? MPI_Wtime() : last + 1;
        arrivals.fence();
        const auto [first, latest] = std::ranges::minmax(arrivals.all());
        CHECK(first > 0);
#ifndef SMPI_H
        CHECK(latest == first);
#else
        const double now = MPI_Wtime();
        const auto others = static_cast<double>(arrivals.comm().size() - 1);
        const double flags = others < 1 ? 0 : 250e-9 + (others - 1) * 12.8e-9;
        if (arrivals.comm().size() <= 16) CHECK(is_about(now - latest, flags));
#endif
    }
}

} // namespace simulated_tests
