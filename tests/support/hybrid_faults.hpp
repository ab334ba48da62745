// SPDX-License-Identifier: BSL-1.0
/// @file
/// What can be wrong with the arguments of hybrid collectives and windows.
#pragma once

#include "faults.hpp"
#include <topomp/topomp.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo_test {

/// The faults of one hierarchy's hybrid collectives, and the windows that the calls are about.
class hybrid_faults {
public:
    explicit hybrid_faults(const topo::hierarchy& levels)
        : levels_(levels), ranks_(static_cast<std::size_t>(levels.whole().size())), some_(8),
          counts_(ranks_, 2), of_eight_(levels, 8, topo::hybrid::one_copy),
          of_five_(levels, 5, topo::hybrid::one_copy), gone_(levels, 8, topo::hybrid::one_copy),
          of_all_(levels, 2 * ranks_, topo::hybrid::one_copy), from_(levels, 2 * ranks_),
          to_(levels, 2 * ranks_), moved_(std::move(gone_)) {
        add_combining();
        add_blocks();
        add_exchanges();
        add_windows();
    }
    hybrid_faults(const hybrid_faults&) = delete;
    hybrid_faults& operator=(const hybrid_faults&) = delete;

    const std::vector<fault>& all() const { return faults_; }

private:
    using window = topo::shared_window<int>;
    using elements = std::span<const int>;
    static constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2 + 1; // 2^63

    elements first(std::size_t count) const { return std::span{some_}.first(count); }
    static std::span<int> nowhere(std::size_t count) { return {static_cast<int*>(nullptr), count}; }

    void add(std::string name, fault::call usual, fault::call wrong, std::string words,
             seen_by whom = seen_by::every_rank) {
        faults_.push_back({std::move(name), std::move(usual), std::move(wrong), std::move(words), whom});
    }

    void add_moved(const std::string& verb, window& usual, const std::function<void(window&)>& call) {
        add(
            "hybrid::" + verb + " of a window that was moved from", [=, &usual](int) { call(usual); },
            [=, this](int) { call(gone_); }, "it was moved from");
        faults_.back().type = faults_.back().own_type = &typeid(topo::usage_error);
    }

    void add_roots(const std::string& verb, const std::function<void(int)>& call) {
        for (const int root : {77, -1})
            add(
                "hybrid::" + verb + " with root " + std::to_string(root), [=](int) { call(0); },
                [=](int) { call(root); }, "topo::hybrid::" + verb);
    }

    void add_combining() {
        using topo::hybrid::broadcast, topo::hybrid::reduce, topo::hybrid::all_reduce;
        add_roots("broadcast", [this](int root) { broadcast(levels_, some_, of_eight_, root); });
        add_moved("broadcast", of_eight_, [this](window& to) { broadcast(levels_, to, 0); });
        add(
            "hybrid::broadcast of an element less",
            [this](int odd) { broadcast(levels_, some_, of_eight_, odd); },
            [this](int odd) { broadcast(levels_, first(7), of_eight_, odd); },
            "topo::hybrid::broadcast: elements: there are 7 elements, but must be 8 for this window",
            seen_by::one);
        add(
            "hybrid::broadcast of elements at no address",
            [this](int odd) { broadcast(levels_, some_, of_eight_, odd); },
            [this](int odd) { broadcast(levels_, nowhere(8), of_eight_, odd); },
            "topo::hybrid::broadcast: elements: its address is null");
        const auto sum = [this](elements from, window& to) { all_reduce(levels_, from, to, std::plus<>{}); };
        add(
            "hybrid::all_reduce of an element less", [=, this](int) { sum(some_, of_eight_); },
            [=, this](int) { sum(first(7), of_eight_); }, "topo::hybrid::all_reduce: elements");
        add_moved("all_reduce", of_eight_, [=, this](window& to) { sum(some_, to); });
        add(
            "hybrid::all_reduce of operands of another number",
            [this](int) { all_reduce(levels_, from_, of_all_, std::plus<>{}); },
            [this](int) { all_reduce(levels_, of_five_, of_all_, std::plus<>{}); },
            "topo::hybrid::all_reduce: operands");
        const auto sum_at = [this](elements from, window& to, int root) {
            reduce(levels_, from, to, std::plus<>{}, root);
        };
        add_roots("reduce", [=, this](int root) { sum_at(some_, of_eight_, root); });
        add_moved("reduce", of_eight_, [=, this](window& to) { sum_at(some_, to, 0); });
        add(
            "hybrid::reduce of an element less", [=, this](int) { sum_at(some_, of_eight_, 0); },
            [=, this](int) { sum_at(first(7), of_eight_, 0); }, "topo::hybrid::reduce: elements");
    }

    void add_blocks() {
        const auto gather = [this](elements mine, window& to, int root) {
            topo::hybrid::gather(levels_, mine, to, root);
        };
        const auto scatter = [this](window& from, int root) {
            topo::hybrid::scatter(levels_, from, taken_, root);
        };
        add_roots("gather", [=, this](int root) { gather(first(2), of_all_, root); });
        add_roots("scatter", [=, this](int root) { scatter(of_all_, root); });
        add_moved("gather", of_all_, [=, this](window& to) { gather(first(2), to, 0); });
        add_moved("scatter", of_all_, [=](window& from) { scatter(from, 0); });
        add(
            "hybrid::gather of more than memory can hold", [=, this](int) { gather(first(2), of_all_, 0); },
            [=, this](int) {
                gather({some_.data(), most / 2}, of_all_, 0);
            },
            "more than memory can hold");
        add(
            "hybrid::gather of elements at no address", [=, this](int) { gather(first(2), of_all_, 0); },
            [=, this](int) { gather(nowhere(2), of_all_, 0); },
            "topo::hybrid::gather: elements: its address is null");
        add(
            "hybrid::scatter to no address", [=, this](int) { scatter(of_all_, 0); },
            [this](int) { topo::hybrid::scatter(levels_, of_all_, nowhere(2), 0); },
            "topo::hybrid::scatter: mine: its address is null");
        if (!topo::detail::is_checked) return;
        add(
            "hybrid::gather into a window of another length",
            [=, this](int odd) { gather(first(2), of_all_, odd); },
            [=, this](int odd) { gather(first(2), of_five_, odd); }, "topo::hybrid::gather: window",
            seen_by::one);
        add(
            "hybrid::scatter of a window of another length", [=, this](int odd) { scatter(of_all_, odd); },
            [=, this](int odd) { scatter(of_five_, odd); }, "topo::hybrid::scatter: window", seen_by::one);
    }

    void add_exchanges() {
        using topo::hybrid::all_gather, topo::hybrid::all_gatherv, topo::hybrid::all_to_all;
        const fault::call usual = [this](int) { all_gather(levels_, first(2), of_all_); };
        add(
            "hybrid::all_gather of an element less", usual,
            [this](int) { all_gather(levels_, first(1), of_all_); },
            "topo::hybrid::all_gather: window: the ranks that share it have");
        add(
            "hybrid::all_gather of more than memory can hold", usual,
            [this](int) {
                all_gather(levels_, elements{some_.data(), most / 2}, of_all_);
            },
            "more than memory can hold");
        add(
            "hybrid::all_gather of elements at no address", usual,
            [this](int) { all_gather(levels_, nowhere(2), of_all_); },
            "topo::hybrid::all_gather: elements: its address is null");
        add_moved("all_gather", of_all_, [this](window& to) { all_gather(levels_, to); });
        const fault::call unequal = [this](int) { all_gatherv(levels_, first(2), of_all_, counts_); };
        add(
            "hybrid::all_gatherv of an element less", unequal,
            [this](int) { all_gatherv(levels_, first(1), of_all_, counts_); },
            "topo::hybrid::all_gatherv: elements");
        add(
            "hybrid::all_gatherv of elements at no address", unequal,
            [this](int) { all_gatherv(levels_, nowhere(2), of_all_, counts_); },
            "topo::hybrid::all_gatherv: elements: its address is null");
        add(
            "hybrid::all_gatherv with a count too many", unequal,
            [this](int) {
                const std::vector<std::size_t> more(ranks_ + 1, 2);
                all_gatherv(levels_, first(2), of_all_, more);
            },
            "topo::hybrid::all_gatherv: counts");
        if (ranks_ > 1) // one such count is a number of elements
            add(
                "hybrid::all_gatherv in place with counts whose sum passes memory",
                [this](int) { all_gatherv(levels_, of_all_, counts_); },
                [this](int) {
                    const std::vector<std::size_t> full(ranks_, most - 1);
                    all_gatherv(levels_, of_all_, full);
                },
                "than memory can hold");
        add_moved("all_gatherv", of_all_, [this](window& to) { all_gatherv(levels_, to, counts_); });
        add_moved("all_to_all", to_, [this](window& to) { all_to_all(levels_, from_, to); });
        add(
            "hybrid::all_to_all into the window that it comes from",
            [this](int) { all_to_all(levels_, from_, to_); },
            [this](int) { all_to_all(levels_, from_, from_); }, "topo::hybrid::all_to_all: source");
    }

    /// Whose ranks tell each other what they want, so that several see the fault.
    void add_windows() {
        const auto refused = [&](const std::string& name, fault::call wrong, const std::string& words) {
            add(
                "a window " + name,
                [this](int) {
                    window{levels_, 3};
                },
                std::move(wrong), words);
            faults_.back().found_after = fault::several;
        };
        refused(
            "of -1 elements",
            [this](int) {
                window{levels_, -1};
            },
            "negative or too large");
        refused(
            "of 2^63 elements",
            [this](int) {
                window{levels_, most};
            },
            "negative or too large");
        refused(
            "of 2^62 elements",
            [this](int) {
                window{levels_, most / 2};
            },
            "than memory can hold");
        if (topo::detail::is_checked) return; // alone, a rank's is another one than the others'
        refused(
            "of an odd alignment",
            [this](int) {
                window{levels_, 3, {.alignment = 3}};
            },
            "it must be a power of two");
    }

    const topo::hierarchy& levels_;
    std::size_t ranks_;
    std::vector<int> some_;
    std::vector<std::size_t> counts_;
    std::array<int, 2> taken_{};
    window of_eight_, of_five_, gone_, of_all_, from_, to_, moved_;
    std::vector<fault> faults_;
};

} // namespace topo_test
