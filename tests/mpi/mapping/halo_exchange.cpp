// SPDX-License-Identifier: BSL-1.0
// Exchanges of halos that do not wait, against what the owners of cells have to send, on made-up machines.
#include "support/complaint.hpp"
#include "support/made_up.hpp"
#include <topomp/core/error.hpp>
#include <topomp/mapping/halo_exchange.hpp>
#include <topomp/mapping/node_cart.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace halo_exchange_tests {

using boost::mpi::communicator;
using topo::node_cart;

namespace {

constexpr int absent = -7; // where nothing has arrived

/// What a cell sends along an offset in a step.
int sent_by(int cell, std::size_t offset, int step, int element) {
    return ((cell * 64 + static_cast<int>(offset)) * 16 + step) * 8 + element % 8;
}

/// Halos of one exchange: each second integer is sent, and lies without gaps where it arrives.
class exchanged {
public:
    /// @param elements of a halo, of each offset one more than of the one before
    exchanged(const node_cart& grid, int elements) : grid_(grid) {
        const std::size_t offsets = grid.destinations().size();
        out_.resize(offsets);
        in_.resize(offsets);
        types_.resize(offsets);
        for (std::size_t i = 0; i < offsets; ++i) {
            const int count = elements + static_cast<int>(i);
            out_[i].resize(2 * static_cast<std::size_t>(count));
            in_[i].resize(static_cast<std::size_t>(count));
            MPI_Type_vector(count, 1, 2, MPI_INT, &types_[i]);
            MPI_Type_commit(&types_[i]);
        }
    }
    exchanged(const exchanged&) = delete;
    exchanged& operator=(const exchanged&) = delete;
    ~exchanged() {
        for (MPI_Datatype& each : types_)
            MPI_Type_free(&each);
    }

    void fill(int step) {
        step_ = step;
        for (std::size_t i = 0; i < out_.size(); ++i)
            for (std::size_t k = 0; k < in_[i].size(); ++k) {
                out_[i][2 * k] = sent_by(grid_.rank(), i, step, static_cast<int>(k));
                in_[i][k] = absent;
            }
    }

    std::vector<topo::halo> halos() {
        std::vector<topo::halo> all(out_.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (grid_.destinations()[i] != MPI_PROC_NULL) {
                all[i].out = out_[i].data();
                all[i].out_count = 1;
                all[i].out_type = types_[i];
            }
            if (grid_.sources()[i] != MPI_PROC_NULL) {
                all[i].in = in_[i].data();
                all[i].in_count = static_cast<int>(in_[i].size());
                all[i].in_type = MPI_INT;
            }
        }
        return all;
    }

    /// Whether each halo is what the cell on the opposite side has sent in this step, or untouched.
    bool has_come() const {
        const auto& offsets = grid_.plan().pattern.offsets();
        for (std::size_t i = 0; i < in_.size(); ++i) {
            std::vector<int> opposite;
            for (const int step : offsets[i].steps)
                opposite.push_back(-step);
            const int from = grid_.cells().neighbour(grid_.rank(), opposite);
            for (std::size_t k = 0; k < in_[i].size(); ++k)
                if (in_[i][k] !=
                    (from == topo::grid::outside ? absent : sent_by(from, i, step_, static_cast<int>(k))))
                    return false;
        }
        return true;
    }

private:
    const node_cart& grid_;
    std::vector<std::vector<int>> out_, in_;
    std::vector<MPI_Datatype> types_;
    int step_ = 0;
};

struct stencil_of_grid {
    std::vector<int> dims;
    topo::node_cart_options options;
};

std::vector<stencil_of_grid> stencils() {
    topo::node_cart_options circle, moore, moore_in_circles, uneven;
    circle.periods = {true, true};
    moore.pattern = topo::stencil::moore(2);
    moore_in_circles.pattern = topo::stencil::moore(2);
    moore_in_circles.periods = {true, true};
    uneven.pattern = topo::stencil{{{{0, 1, 1}, 3}, {{-1, 0, 0}, 1}, {{0, -2, 0}, 2}}};
    uneven.periods = {false, true, false};
    return {{{0, 0}, {}}, {{0, 0}, circle}, {{0, 0}, moore}, {{0, 0}, moore_in_circles}, {{0, 0, 0}, uneven}};
}

template <class F>
void for_each_grid(F f) {
    const communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        for (const auto& [dims, options] : stencils()) {
            const node_cart grid{levels, dims, options};
            INFO(grid.destinations().size() << " offsets, " << topo::extents_text(grid.dims()));
            f(grid);
        }
    }
}

} // namespace

TEST_CASE("halos under way arrive as those of an exchange that waits") {
    for_each_grid([](const node_cart& grid) {
        for (const int elements : {1, 3000}) { // by node and directly
            exchanged first{grid, elements}, second{grid, elements + 1}, waited{grid, elements};
            first.fill(1);
            second.fill(2);
            waited.fill(3);
            topo::request one = grid.iexchange(first.halos()), other = grid.iexchange(second.halos());
            grid.exchange(waited.halos());
            other.wait();
            one.wait();
            CHECK(first.has_come());
            CHECK(second.has_come());
            CHECK(waited.has_come());
        }
    });
}

TEST_CASE("halos that are prepared once go with what the field holds at each start") {
    for_each_grid([](const node_cart& grid) {
        exchanged now{grid, 2}, next{grid, 1000};
        topo::persistent of_now = grid.exchange_init(now.halos()), of_next = grid.exchange_init(next.halos());
        for (int step = 0; step < 3; ++step) {
            now.fill(step);
            next.fill(step + 8);
            of_now.start();
            of_next.start();
            of_next.wait();
            of_now.wait();
            CHECK(now.has_come());
            CHECK(next.has_come());
        }
    });
}

TEST_CASE("halos that the stencil does not have are refused by the name of the call") {
    const communicator world;
    const node_cart grid{topo::hierarchy{world}, {world.size()}};
    const auto says = [&](auto call) { return topo_test::complaint<topo::argument_error>(call); };
    CHECK(says([&] { static_cast<void>(grid.iexchange({})); }) ==
          "topo::node_cart::iexchange: 0 halos: the stencil has 2 offsets");
    CHECK(says([&] { static_cast<void>(grid.exchange_init({})); }) ==
          "topo::node_cart::exchange_init: 0 halos: the stencil has 2 offsets");
    int value = 0;
    std::array<topo::halo, 2> halos;
    halos.fill({&value, -1, MPI_INT, &value, 1, MPI_INT});
    if (world.size() > 1) {
        const std::string what = says([&] { static_cast<void>(grid.iexchange(halos)); });
        CHECK(what.find("topo::node_cart::iexchange: halo ") != std::string::npos);
        CHECK(what.find("a count of -1 elements is negative") != std::string::npos);
    }
    node_cart gone{grid};
    const node_cart taken{std::move(gone)};
    CHECK(topo_test::complaint<topo::usage_error>([&] {
              static_cast<void>(gone.iexchange({}));
          }).find("iexchange") != std::string::npos);
}

} // namespace halo_exchange_tests
