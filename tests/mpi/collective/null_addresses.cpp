// SPDX-License-Identifier: BSL-1.0
// Elements at no address are refused before anything is sent; MPI_BOTTOM with absolute addresses is none.
#include "support/check_fails.hpp"
#include "support/made_up.hpp"
#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

namespace null_addresses_tests {

TEST_CASE("elements at no address") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    const topo::message nothing{nullptr, 4, MPI_DOUBLE};
    std::vector<double> all(4 * static_cast<std::size_t>(world.size())), mine(4);
    const topo::blocks everything{all.data(), MPI_DOUBLE, 4}, nowhere{nullptr, MPI_DOUBLE, 4};
    const auto refused = [](auto call, const char* name, const char* object) {
        topo_test::check_fails<topo::argument_error>(call, {name, object, "its address is null"});
    };
    refused([&] { topo::broadcast(levels, nothing, 0); }, "topo::broadcast", "data");
    refused([&] { topo::ibroadcast(levels, nothing, 0).wait(); }, "topo::ibroadcast", "data");
    refused(
        [&] {
            topo::broadcast(levels, std::span{static_cast<double*>(nullptr), 3}, 0);
        },
        "topo::broadcast", "data");
    refused([&] { topo::gather(levels, nothing, everything, 0); }, "topo::gather", "mine");
    refused([&] { topo::scatter(levels, everything, nothing, 0); }, "topo::scatter", "mine");
    refused([&] { topo::all_gather(levels, nothing, everything); }, "topo::all_gather", "mine");
    if (world.size() == 1)
        refused(
            [&] {
                topo::gather(levels, {mine.data(), 4, MPI_DOUBLE}, nowhere, 0);
            },
            "topo::gather", "blocks");
    topo::broadcast(levels, topo::message{nullptr, 0, MPI_DOUBLE}, 0);
}

TEST_CASE("absolute addresses") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    double number = world.rank() + 1;
    MPI_Aint where = 0;
    MPI_Get_address(&number, &where);
    const int one = 1;
    MPI_Datatype there = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &one, &where, MPI_DOUBLE, &there);
    MPI_Type_commit(&there);
    const int root = world.size() - 1;
    topo::broadcast(levels, topo::message{MPI_BOTTOM, 1, there}, root);
    CHECK(number == world.size());
    number = world.rank();
    std::vector<double> all(static_cast<std::size_t>(world.size()), -1);
    topo::gather(levels, topo::message{MPI_BOTTOM, 1, there}, topo::blocks{all.data(), MPI_DOUBLE, 1}, root);
    if (world.rank() == root)
        for (int rank = 0; rank < world.size(); ++rank)
            CHECK(all[static_cast<std::size_t>(rank)] == rank);
    MPI_Type_free(&there);
}

} // namespace null_addresses_tests
