// SPDX-License-Identifier: BSL-1.0
/// @file
/// What can be wrong with questions about a hierarchy, and with grids and graphs.
#pragma once

#include "faults.hpp"
#include <topomp/topomp.hpp>

#include <mpi.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace topo_test {

class mapping_faults {
public:
    explicit mapping_faults(const topo::hierarchy& levels)
        : levels_(levels), size_(levels.whole().size()),
          line_(levels, {size_}, {.reorder = topo::reordering::off}),
          to_itself_(topo::remap(levels.whole(), levels.whole())) {
        add_questions();
        add_permutations();
        add_grids();
        add_halos();
        add_graphs();
    }
    mapping_faults(const mapping_faults&) = delete;
    mapping_faults& operator=(const mapping_faults&) = delete;

    const std::vector<fault>& all() const { return faults_; }

private:
    using message = topo::message;

    void add(std::string name, fault::call usual, fault::call wrong, std::string words,
             seen_by whom = seen_by::every_rank) {
        faults_.push_back({std::move(name), std::move(usual), std::move(wrong), std::move(words), whom});
    }

    void add_questions() {
        const auto asked = [&](const std::string& name, const std::function<void(int)>& ask) {
            for (const int rank : {99, -1})
                add(
                    name + " of rank " + std::to_string(rank), [=](int) { ask(0); }, [=](int) { ask(rank); },
                    "topo::" + name);
        };
        asked("locate", [this](int rank) { topo::locate(levels_, rank); });
        asked("shared_depth", [this](int rank) { topo::shared_depth(levels_, 0, rank); });
        asked("gather_outline", [this](int rank) { topo::gather_outline(levels_, rank); });
    }

    void add_permutations() {
        const auto permute = [this](const message& in) {
            topo::permute(to_itself_, in, {there_, 4, MPI_INT});
        };
        const fault::call usual = [=, this](int) { permute({here_, 4, MPI_INT}); };
        add(
            "permute of no datatype", usual,
            [=, this](int) {
                permute({here_, 4, MPI_DATATYPE_NULL});
            },
            "topo::permute: datatype");
        add(
            "permute of 2^62 elements", usual,
            [=, this](int) {
                permute({here_, std::numeric_limits<std::size_t>::max() / 4 + 1, MPI_INT});
            },
            "than memory can hold");
        if (topo::detail::is_checked)
            add(
                "permute of another length", usual,
                [=, this](int) {
                    permute({here_, 3, MPI_INT});
                },
                "topo::permute: out");
    }

    void add_grids() {
        const std::vector<bool> kept{true}, more{true, true};
        add(
            "a part of a grid with a word too many", [=, this](int) { line_.sub(kept); },
            [=, this](int) { line_.sub(more); }, "topo::node_cart: 2 values");
        if (topo::detail::is_checked) return; // alone, a rank's are other ones than the others'
        add(
            "a grid of more cells than ranks", {}, [this](int) { topo::node_cart(levels_, {size_ + 1}); },
            "topo::grid");
    }

    void add_halos() {
        const auto exchange = [this](std::size_t halos, int count, MPI_Datatype type) {
            line_.exchange(std::vector<topo::halo>(halos, {here_, count, type, there_, 1, MPI_INT}));
        };
        const fault::call usual = [=](int) { exchange(2, 1, MPI_INT); };
        add(
            "an exchange of a halo too few", usual, [=](int) { exchange(1, 1, MPI_INT); },
            "topo::node_cart::exchange: 1 halos");
        if (size_ == 1) return; // which has no neighbour
        if (topo::detail::is_checked) add_halo_lengths();
        add(
            "an exchange of halos of no datatype", usual, [=](int) { exchange(2, 1, MPI_DATATYPE_NULL); },
            "topo::node_cart::exchange: datatype");
        add(
            "an exchange of -1 elements", usual, [=](int) { exchange(2, -1, MPI_INT); },
            "topo::node_cart::exchange: halo");
        add(
            "an exchange of halos at no address", usual,
            [this](int) {
                line_.exchange(std::vector<topo::halo>(2, {nullptr, 1, MPI_INT, there_, 1, MPI_INT}));
            },
            "its address is null, but it has 1 element");
        add(
            "an exchange of halos to no address", usual,
            [this](int) {
                line_.exchange(std::vector<topo::halo>(2, {here_, 1, MPI_INT, nullptr, 1, MPI_INT}));
            },
            "its address is null, but it has 1 element");
    }

    /// A halo of another length than the neighbour's, on a grid without a node's messages and on one with.
    void add_halo_lengths() {
        const auto exchange = [this](int out, int in) {
            const topo::halo each{here_, out, MPI_INT, there_, in, MPI_INT};
            return std::vector<topo::halo>(2, each);
        };
        const auto both = [&](const std::string& name, auto call) {
            const fault::call usual = [=](int) { call(exchange(1, 1)); };
            add(
                name + " of a longer halo", usual, [=](int) { call(exchange(2, 2)); }, " bytes, rank ",
                seen_by::one);
            faults_.back().found_after = fault::several;
            add(
                name + " with room for another length", usual, [=](int) { call(exchange(1, 3)); },
                " sends 4 bytes, rank ", seen_by::one);
        };
        both("exchange", [this](const auto& halos) { line_.exchange(halos); });
        both("iexchange", [this](const auto& halos) { line_.iexchange(halos).wait(); });
        both("exchange_init", [this](const auto& halos) { start_and_wait(line_.exchange_init(halos)); });
    }
    static void start_and_wait(topo::persistent made) {
        made.start();
        made.wait();
    }

    void add_graphs() {
        const fault::call usual = [this](int) { topo::graph(levels_, std::vector<int>{0}); };
        add(
            "a graph with a neighbour that is no rank", usual,
            [this](int) { topo::graph(levels_, std::vector<int>{99}); }, "topo::graph: neighbour 99");
        add(
            "a graph with a weight too many", usual,
            [this](int) {
                topo::graph(levels_, std::vector<int>{0}, {.weights = {1, 2}});
            },
            "topo::graph: 2 weights");
    }

    const topo::hierarchy& levels_;
    int size_;
    int here_[4]{}, there_[4]{};
    topo::node_cart line_;
    topo::remapping to_itself_;
    std::vector<fault> faults_;
};

} // namespace topo_test
