// SPDX-License-Identifier: BSL-1.0
// Halos of grids, while the program waits for messages of its own on the grid's communicator.
#include "drawn_call.hpp"
#include "user_messages.hpp"
#include <topomp/mapping/node_cart.hpp>

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace topo_random {

drawn_call draw_grid(const drawing& from) {
    drawn_call made;
    const std::size_t dimensions = 1 + static_cast<std::size_t>(from.roll.up_to(2));
    topo::node_cart_options options;
    for (std::size_t i = 0; i < dimensions; ++i)
        options.periods.push_back(from.roll.one_in(2));
    const bool is_moore = from.roll.one_in(2);
    options.pattern = is_moore ? topo::stencil::moore(dimensions) : topo::stencil::star(dimensions);
    const int count = static_cast<int>(from.draw_count(300)), times = 1 + from.roll.up_to(2);
    made.text = "node_cart of " + std::to_string(dimensions) + " dimensions, " + std::to_string(times) +
                (is_moore ? " times all neighbours, " : " times the nearest, ") + std::to_string(count) +
                " ints";
    auto problem = std::make_shared<std::string>();
    made.start = [&levels = from.levels, dimensions, options, count, times, problem,
                  call = from.call]() -> topo::request {
        const topo::node_cart cart{levels, std::vector<int>(dimensions, 0), options};
        user_messages waiting;
        waiting.expect_on(cart.comm());
        const auto halos = cart.destinations().size();
        const auto length = static_cast<std::size_t>(count);
        const auto value = [&](int rank, std::size_t side, int turn) {
            return static_cast<int>(call % 1000) * 100000 + rank * 1000 + static_cast<int>(side) * 10 + turn;
        };
        for (int turn = 0; turn < times && problem->empty(); ++turn) {
            std::vector<std::vector<int>> out, in(halos, std::vector<int>(length, -1));
            std::vector<topo::halo> all;
            for (std::size_t i = 0; i < halos; ++i) {
                out.emplace_back(length, value(cart.rank(), i, turn));
                all.push_back({out[i].data(), count, MPI_INT, in[i].data(), count, MPI_INT});
            }
            cart.exchange(all);
            for (std::size_t i = 0; i < halos; ++i) {
                const int source = cart.sources()[i];
                const int expected = source == MPI_PROC_NULL ? -1 : value(source, i, turn);
                if (in[i] != std::vector<int>(length, expected))
                    *problem = "halo " + std::to_string(i) + " of exchange " + std::to_string(turn);
            }
            if (const auto text = waiting.difference(); !text.empty()) *problem = text;
        }
        if (const auto text = waiting.finish(); !text.empty()) *problem = text;
        return {};
    };
    made.look = [problem] { return *problem; };
    return made;
}

} // namespace topo_random
