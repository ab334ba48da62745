// SPDX-License-Identifier: BSL-1.0
// Calls whose result is once per node, several in a row on the same windows.
#include "drawn_call.hpp"
#include "support/hybrid_calls.hpp"
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/hybrid/all_gatherv.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/all_to_all.hpp>
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/hybrid/gather.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/hybrid/scatter.hpp>
#include <topomp/memory/shared_window.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo_random {

namespace {

namespace hybrid = topo::hybrid;
using topo::detail::verb;
using topo_test::after_one_another;

enum class step_kind { broadcast, reduce, all_reduce, gather, scatter, all_gather, all_gatherv, all_to_all };

/// One of the calls on the windows.
struct step {
    step_kind what{};
    int root = 0;
    bool in_place = false; ///< or, of a reduction, out of another window
    bool commutes = true;
    const named_plan* by = nullptr;
    int options = 0; ///< of `hybrid_ways`
    std::size_t unequal = 0;
};

/// Windows and the steps on them, as one rank sees it.
class stage {
    using number = std::uint64_t;
    using numbers = std::vector<number>;

public:
    stage(const topo::hierarchy& levels, std::size_t count, const topo::window_options& one, number call)
        : levels_(levels), call_(call),
          count_(count), one_{levels, count, one}, all_{levels, count * static_cast<std::size_t>(size_), one},
          operands_{levels, count, {.sharers = one.sharers}}, there_{levels,
                                                                     count * static_cast<std::size_t>(size_),
                                                                     {.sharers = one.sharers}},
          here_{levels, count * static_cast<std::size_t>(size_), {.sharers = one.sharers}} {}

    /// @return what went wrong
    std::string run(const step& now, number index) {
        chosen_plan = now.by;
        id_ = call_ * 16 + index;
        const auto all = topo_test::hybrid_ways();
        const auto& options = all[static_cast<std::size_t>(now.options) % all.size()];
        if (now.by->is_automatic) return run(now, options.by<topo::automatic>());
        return run(now, options.by<drawn>());
    }

private:
    template <class Between>
    std::string run(const step& now, const hybrid::policy<Between>& options) {
        switch (now.what) {
        case step_kind::broadcast:
            return broadcast(now, options);
        case step_kind::reduce:
            return now.commutes ? reduce<std::plus<>>(now, options) : reduce<after_one_another>(now, options);
        case step_kind::all_reduce:
            return now.commutes ? all_reduce<std::plus<>>(now, options)
                                : all_reduce<after_one_another>(now, options);
        case step_kind::gather:
            hybrid::gather(levels_, data_of(rank_), all_, now.root, options);
            return is_here(now.root) ? compare("gather", all_.all(), of_all(count_)) : "";
        case step_kind::scatter:
            return scatter(now, options);
        case step_kind::all_gather:
            return all_gather(now, options);
        case step_kind::all_gatherv:
            return all_gatherv(now, options);
        default:
            return all_to_all(options);
        }
    }

    template <class Between>
    std::string broadcast(const step& now, const hybrid::policy<Between>& options) {
        if (now.in_place) {
            if (is_here(now.root)) one_.fence();
            if (rank_ == now.root) std::ranges::copy(data_of(rank_), one_.all().begin());
            hybrid::broadcast(levels_, one_, now.root, options);
        } else {
            hybrid::broadcast(levels_, rank_ == now.root ? data_of(rank_) : numbers{}, one_, now.root,
                              options);
        }
        return compare("broadcast", one_.all(), data_of(now.root));
    }

    template <class Op, class Between>
    std::string reduce(const step& now, const hybrid::policy<Between>& options) {
        if (now.in_place) {
            std::ranges::copy(operands_of<Op>(rank_), operands_.local().begin());
            hybrid::reduce(levels_, operands_, one_, Op{}, now.root, options);
        } else {
            hybrid::reduce(levels_, operands_of<Op>(rank_), one_, Op{}, now.root, options);
        }
        return is_here(now.root) ? compare("reduce", one_.all(), sum<Op>()) : "";
    }
    template <class Op, class Between>
    std::string all_reduce(const step& now, const hybrid::policy<Between>& options) {
        if (now.in_place) {
            std::ranges::copy(operands_of<Op>(rank_), operands_.local().begin());
            hybrid::all_reduce(levels_, operands_, one_, Op{}, options);
        } else {
            hybrid::all_reduce(levels_, operands_of<Op>(rank_), one_, Op{}, options);
        }
        return compare("all_reduce", one_.all(), sum<Op>());
    }

    template <class Between>
    std::string scatter(const step& now, const hybrid::policy<Between>& options) {
        if (is_here(now.root)) all_.fence();
        if (rank_ == now.root) std::ranges::copy(of_all(count_), all_.all().begin());
        numbers mine(count_ + 2, 7);
        hybrid::scatter(levels_, all_, std::span{mine}.subspan(1, count_), now.root, options);
        numbers expected{7};
        std::ranges::copy(data_of(rank_), std::back_inserter(expected));
        expected.push_back(7);
        return compare("scatter", mine, expected);
    }

    template <class Between>
    std::string all_gather(const step& now, const hybrid::policy<Between>& options) {
        if (now.in_place) {
            all_.fence();
            std::ranges::copy(data_of(rank_), hybrid::block_of(levels_, all_, rank_).begin());
            hybrid::all_gather(levels_, all_, options);
        } else {
            hybrid::all_gather(levels_, data_of(rank_), all_, options);
        }
        return compare("all_gather", all_.all(), of_all(count_));
    }

    /// Some ranks have none and others twice as many, so that all have what fits.
    template <class Between>
    std::string all_gatherv(const step& now, const hybrid::policy<Between>& options) {
        std::vector<std::size_t> counts(static_cast<std::size_t>(size_), count_);
        for (std::size_t i = now.unequal % 2; i + 1 < counts.size(); i += 2) {
            const std::size_t moved = count_ == 0 ? 0 : now.unequal % (count_ + 1);
            counts[i] -= moved;
            counts[i + 1] += moved;
        }
        numbers expected;
        for (int rank = 0; rank < size_; ++rank)
            std::ranges::copy(data_of(rank, counts[static_cast<std::size_t>(rank)]),
                              std::back_inserter(expected));
        const auto mine = data_of(rank_, counts[static_cast<std::size_t>(rank_)]);
        if (now.in_place) {
            all_.fence();
            const auto before = std::accumulate(counts.begin(), counts.begin() + rank_, std::size_t{0});
            std::ranges::copy(mine, all_.all().begin() + static_cast<std::ptrdiff_t>(before));
            hybrid::all_gatherv(levels_, all_, counts, options);
        } else {
            hybrid::all_gatherv(levels_, mine, all_, counts, options);
        }
        return compare("all_gatherv", all_.all(), expected);
    }

    template <class Between>
    std::string all_to_all(const hybrid::policy<Between>& options) {
        const auto block = [&](int from, int to) { return data_of(from * size_ + to); };
        for (int to = 0; to < size_; ++to)
            std::ranges::copy(block(rank_, to),
                              there_.local().begin() +
                                  static_cast<std::ptrdiff_t>(to) * static_cast<std::ptrdiff_t>(count_));
        hybrid::all_to_all(levels_, there_, here_, options);
        numbers expected;
        for (int from = 0; from < size_; ++from)
            std::ranges::copy(block(from, rank_), std::back_inserter(expected));
        return compare("all_to_all", here_.local(), expected);
    }

    numbers data_of(int rank, std::size_t count) const {
        numbers made;
        for (std::size_t i = 0; i < count; ++i)
            made.push_back(topo_test::number_of(rank, i, id_));
        return made;
    }
    numbers data_of(int rank) const { return data_of(rank, count_); }
    numbers of_all(std::size_t count) const {
        numbers all;
        for (int rank = 0; rank < size_; ++rank)
            std::ranges::copy(data_of(rank, count), std::back_inserter(all));
        return all;
    }

    template <class Op>
    numbers operands_of(int rank) const {
        if constexpr (!std::is_same_v<Op, after_one_another>) return data_of(rank);
        numbers made;
        for (std::size_t i = 0; i < count_; ++i)
            made.push_back(topo_test::function_of(rank, i, id_));
        return made;
    }
    template <class Op>
    numbers sum() const {
        numbers result = operands_of<Op>(0);
        for (int rank = 1; rank < size_; ++rank) {
            const numbers next = operands_of<Op>(rank);
            for (std::size_t i = 0; i < count_; ++i)
                result[i] = Op{}(result[i], next[i]);
        }
        return result;
    }

    /// Whether a rank shares the windows.
    bool is_here(int rank) const {
        MPI_Group whole = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
        MPI_Comm_group(levels_.whole(), &whole);
        MPI_Comm_group(one_.comm(), &group);
        int there = MPI_UNDEFINED;
        MPI_Group_translate_ranks(whole, 1, &rank, group, &there);
        MPI_Group_free(&whole);
        MPI_Group_free(&group);
        return there != MPI_UNDEFINED;
    }

    static std::string compare(const char* call, std::span<const number> found, const numbers& expected) {
        if (std::ranges::equal(found, expected)) return {};
        const auto [at, other] = std::ranges::mismatch(found, expected);
        return "hybrid::" + std::string{call} + ": element " + std::to_string(at - found.begin()) + " of " +
               std::to_string(expected.size());
    }

    const topo::hierarchy& levels_;
    int rank_ = levels_.whole().rank(), size_ = levels_.whole().size();
    number call_, id_ = 0;
    std::size_t count_;
    topo::shared_window<number> one_, all_, operands_, there_, here_;
};

} // namespace

drawn_call draw_hybrid(const drawing& from) {
    constexpr std::array<std::pair<const char*, verb>, 8> names{{{"broadcast", verb::broadcast},
                                                                 {"reduce", verb::reduce},
                                                                 {"all_reduce", verb::all_reduce},
                                                                 {"gather", verb::gather},
                                                                 {"scatter", verb::scatter},
                                                                 {"all_gather", verb::all_gatherv},
                                                                 {"all_gatherv", verb::all_gatherv},
                                                                 {"all_to_all", verb::all_to_all}}};
    drawn_call made;
    const std::size_t count = from.draw_count(from.roll.one_in(4) ? 3000 : 200);
    const auto options = from.roll.one_in(3) ? hybrid::one_copy_per_numa_node : hybrid::one_copy;
    made.text = "hybrid, windows of " + std::to_string(count) + " a rank" +
                (options.sharers == topo::window_sharers::of_numa_node ? " per NUMA node" : "") + ':';
    std::vector<step> steps(static_cast<std::size_t>(1 + from.roll.up_to(3)));
    for (step& each : steps) {
        const int which = from.roll.up_to(7);
        each.what = static_cast<step_kind>(which);
        each.root = from.below(from.size());
        each.in_place = from.roll.one_in(2);
        each.commutes = from.roll.one_in(2);
        each.unequal = static_cast<std::size_t>(from.roll.up_to(1000));
        const auto& [name, what] = names[static_cast<std::size_t>(which)];
        each.by = &draw_plan(from.roll, what, topo::detail::combines(what) && !each.commutes, false);
        each.options = from.roll.up_to(7);
        made.text += std::string{" "} + name + (each.in_place ? " in place" : "") +
                     (each.commutes ? "" : " of maps") + ", root " + std::to_string(each.root) +
                     ", options " + std::to_string(each.options) + ", by " + each.by->name + ';';
    }
    auto problem = std::make_shared<std::string>();
    made.by = steps.front().by;
    made.start = [&levels = from.levels, count, options, steps, problem,
                  call = from.call]() -> topo::request {
        stage on{levels, count, options, call};
        for (std::size_t i = 0; i < steps.size() && problem->empty(); ++i)
            if (const auto text = on.run(steps[i], i); !text.empty())
                *problem = text + ", step " + std::to_string(i);
        return {};
    };
    made.look = [problem] { return *problem; };
    return made;
}

} // namespace topo_random
