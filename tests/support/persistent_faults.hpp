// SPDX-License-Identifier: BSL-1.0
/// @file
/// What can be wrong with persistent collectives and requests.
#pragma once

#include "faults.hpp"
#include "program_check.hpp"
#include <topomp/core/detail/checked.hpp>
#include <topomp/mapping/halo_exchange.hpp>
#include <topomp/topomp.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace topo_test {

/// Whether a call throws an exception of a type whose text has these words.
template <class Exception, class Call>
bool throws_with(const std::string& words, Call call) {
    try {
        call();
    } catch (const Exception& problem) {
        return std::string{problem.what()}.find(words) != std::string::npos;
    }
    return false;
}

/// On all ranks at the same time.
inline void check_persistent_faults(const topo::hierarchy& levels) {
    using topo::argument_error, topo::usage_error;
    const int size = levels.whole().size();
    const auto ranks = static_cast<std::size_t>(size);
    std::vector<int> mine(3, 1), sum(3), all(3 * ranks), short_one(1);
    const std::plus<> plus;
    {
        auto step = topo::all_reduce_init(levels, mine, sum, plus);
        step.start();
        check(
            throws_with<usage_error>("topo::all_reduce_init: topo::persistent::start", [&] { step.start(); }),
            "a second start");
        check(throws_with<usage_error>("topo::persistent::free", [&] { step.free(); }),
              "free of an active one");
        step.wait();
        check(sum == std::vector<int>(3, size), "the start that was right");
    }
    check(throws_with<usage_error>("topo::persistent::start: persistent: there is no collective in it",
                                   [] { topo::persistent{}.start(); }),
          "start of none");
    check(throws_with<argument_error>(
              "topo::all_reduce_init",
              [&] { static_cast<void>(topo::all_reduce_init(levels, mine, short_one, plus)); }),
          "a result that is too short");
    check(
        throws_with<argument_error>("topo::igather", [&] { topo::igather(levels, mine, all, size).wait(); }),
        "a root that is no rank");
    check(
        throws_with<argument_error>(
            "topo::iall_gatherv", [&] { topo::iall_gatherv(levels, mine, all, std::vector<int>{}).wait(); }),
        "no counts");
    check(throws_with<argument_error>("topo::ireduce_scatter",
                                      [&] { topo::ireduce_scatter(levels, mine, all, plus).wait(); }) ||
              size == 1,
          "blocks that are too long");
    if constexpr (topo::detail::is_checked) {
        check(throws_with<usage_error>("topo::all_reduce_init: topo::persistent::~persistent",
                                       [&] {
                                           auto step = topo::all_reduce_init(levels, mine, sum, plus);
                                           step.start();
                                       }),
              "the end of an active one");
        std::vector<int> growing(3, 1);
        auto step = topo::all_reduce_init(levels, growing, sum, plus);
        growing.resize(1000);
        check(throws_with<argument_error>("topo::all_reduce_init: buffer", [&] { step.start(); }),
              "a buffer that has moved");
        check(!step.active(), "what was refused is not active");
    }
}

/// The forms that go on after the call, and the buffers of one of each: what they give, and whether what came
/// is right.
class lasting_calls {
public:
    explicit lasting_calls(const topo::hierarchy& levels)
        : levels_(levels), size_(levels.whole().size()), ranks_(static_cast<std::size_t>(size_)), mine_(3, 1),
          sum_(3), blocks_(2 * ranks_, 1), all_(2 * ranks_), near_(2, 1), from_near_(2),
          window_(std::make_unique<window>(levels, 3, topo::hybrid::one_copy)),
          parts_(std::make_unique<window>(levels, ranks_)),
          exchanged_(std::make_unique<window>(levels, ranks_)),
          line_(levels, {size_}, {.periods = {true}, .reorder = topo::reordering::off}) {}

    struct form {
        std::string name;
        std::function<topo::persistent(lasting_calls&)> init; ///< with a name that ends in _init
        std::function<topo::request(lasting_calls&)> begin;
        std::function<void(lasting_calls&)> move; ///< its buffer to another place, where it lives on
    };
    static std::vector<form> all_forms() {
        using calls = lasting_calls;
        const auto swap_mine = [](calls& c) { c.mine_.swap(c.other_mine_); };
        const auto swap_sum = [](calls& c) { c.sum_.swap(c.other_sum_); };
        const auto swap_all = [](calls& c) { c.all_.swap(c.other_all_); };
        const auto swap_blocks = [](calls& c) { c.blocks_.swap(c.other_all_); };
        const auto swap_near = [](calls& c) { c.from_near_.swap(c.other_mine_); };
        const std::plus<> plus;
        return {
            {"all_reduce", [=](calls& c) { return topo::all_reduce_init(c.levels_, c.mine_, c.sum_, plus); },
             [=](calls& c) { return topo::iall_reduce(c.levels_, c.mine_, c.sum_, plus); }, swap_mine},
            {"broadcast", [](calls& c) { return topo::broadcast_init(c.levels_, c.mine_, 0); },
             [](calls& c) { return topo::ibroadcast(c.levels_, c.mine_, 0); }, swap_mine},
            {"reduce", [=](calls& c) { return topo::reduce_init(c.levels_, c.mine_, c.sum_, plus, 0); },
             [=](calls& c) { return topo::ireduce(c.levels_, c.mine_, c.sum_, plus, 0); }, swap_mine},
            {"all_gather", [](calls& c) { return topo::all_gather_init(c.levels_, c.near_, c.all_); },
             [](calls& c) { return topo::iall_gather(c.levels_, c.near_, c.all_); }, swap_all},
            {"all_to_all", [](calls& c) { return topo::all_to_all_init(c.levels_, c.blocks_, c.all_); },
             [](calls& c) { return topo::iall_to_all(c.levels_, c.blocks_, c.all_); }, swap_blocks},
            {"scan", [=](calls& c) { return topo::scan_init(c.levels_, c.mine_, c.sum_, plus); },
             [=](calls& c) { return topo::iscan(c.levels_, c.mine_, c.sum_, plus); }, swap_sum},
            {"gather", [](calls& c) { return topo::gather_init(c.levels_, c.near_, c.all_, 0); },
             [](calls& c) { return topo::igather(c.levels_, c.near_, c.all_, 0); },
             [](calls& c) { c.near_.swap(c.other_mine_); }},
            {"scatter", [](calls& c) { return topo::scatter_init(c.levels_, c.blocks_, c.near_, 0); },
             [](calls& c) { return topo::iscatter(c.levels_, c.blocks_, c.near_, 0); },
             [](calls& c) { c.near_.swap(c.other_mine_); }},
            {"hybrid::all_reduce",
             [=](calls& c) { return topo::hybrid::all_reduce_init(c.levels_, c.mine_, *c.window_, plus); },
             [=](calls& c) { return topo::hybrid::iall_reduce(c.levels_, c.mine_, *c.window_, plus); },
             swap_mine},
            {"hybrid::gather",
             [](calls& c) { return topo::hybrid::gather_init(c.levels_, c.one(), *c.window_of_all(), 0); },
             [](calls& c) { return topo::hybrid::igather(c.levels_, c.one(), *c.window_of_all(), 0); },
             [](calls& c) { c.one().swap(c.other_mine_); }},
            {"neighbour_all_to_all",
             [](calls& c) { return topo::neighbour_all_to_all_init(c.line_, c.near_, c.from_near_); },
             [](calls& c) { return topo::ineighbour_all_to_all(c.line_, c.near_, c.from_near_); }, swap_near},
        };
    }

    /// Forms of windows, each of which ends on the calling rank.
    static std::vector<form> forms_of_windows() {
        using calls = lasting_calls;
        const std::plus<> plus;
        const auto end = [](calls& c) { c.window_.reset(); };
        return {
            {"hybrid::broadcast",
             [](calls& c) { return topo::hybrid::broadcast_init(c.levels_, *c.window_, 0); },
             [](calls& c) { return topo::hybrid::ibroadcast(c.levels_, *c.window_, 0); }, end},
            {"hybrid::all_reduce",
             [=](calls& c) { return topo::hybrid::all_reduce_init(c.levels_, c.mine_, *c.window_, plus); },
             [=](calls& c) { return topo::hybrid::iall_reduce(c.levels_, c.mine_, *c.window_, plus); }, end},
            {"hybrid::all_to_all",
             [](calls& c) { return topo::hybrid::all_to_all_init(c.levels_, *c.parts_, *c.exchanged_); },
             [](calls& c) { return topo::hybrid::iall_to_all(c.levels_, *c.parts_, *c.exchanged_); },
             [](calls& c) { c.parts_.reset(); }},
            {"hybrid::all_to_all into a window that moves",
             [](calls& c) { return topo::hybrid::all_to_all_init(c.levels_, *c.parts_, *c.exchanged_); },
             [](calls& c) { return topo::hybrid::iall_to_all(c.levels_, *c.parts_, *c.exchanged_); },
             [](calls& c) { c.window_ = std::make_unique<window>(std::move(*c.exchanged_)); }},
        };
    }

private:
    using window = topo::shared_window<int>;

    std::vector<int>& one() { return one_; }
    window* window_of_all() {
        if (gathered_ == nullptr)
            gathered_ = std::make_unique<window>(levels_, ranks_, topo::hybrid::one_copy);
        return gathered_.get();
    }

    const topo::hierarchy& levels_;
    int size_;
    std::size_t ranks_;
    std::vector<int> mine_, sum_, blocks_, all_, near_, from_near_, one_{1}, other_mine_{7}, other_sum_{7},
        other_all_{7};
    std::unique_ptr<window> window_, parts_, exchanged_, gathered_;
    topo::node_cart line_;
};

/// One rank uses a persistent collective, or buffers of a call that goes on, in a wrong way: in a checked
/// build. What it and the hierarchy are good for afterwards is tried as well.
class one_wrong_user {
public:
    one_wrong_user(const topo::hierarchy& levels, int odd)
        : levels_(levels), odd_(odd), is_odd_(levels.whole().rank() == odd),
          who_("(on rank " + std::to_string(odd) + ')') {}

    void check_all() const {
        for (const auto& each : lasting_calls::all_forms()) {
            check_second_start(each);
            check_ends(each);
            check_moved(each, typeid(topo::argument_error), ": buffer: the container has moved its elements");
        }
        for (const auto& each : lasting_calls::forms_of_windows())
            check_moved(each, typeid(topo::usage_error), ": window: it has ended, or was moved");
        check_several();
        check_other_calls();
        check_alone();
    }

private:
    using form = lasting_calls::form;

    std::string name_of(const form& each, const std::string& what) const {
        return each.name + ": " + what + " on rank " + std::to_string(odd_);
    }
    void check_hierarchy(const std::string& name) const {
        check(topo::all_reduce(levels_, 1, std::plus<>{}) == levels_.whole().size(), name);
    }

    /// One rank has not waited: all hear of it in the next start, of which nothing is sent.
    void check_second_start(const form& each) const {
        const std::string name = name_of(each, "a second start");
        const time_limit limit{name};
        lasting_calls calls{levels_};
        auto step = each.init(calls);
        for (int round = 1; round < 3; ++round) {
            step.start();
            if (!is_odd_) step.wait();
            check_throws_all([&] { step.start(); }, typeid(topo::usage_error),
                             {"_init: topo::persistent::start: it is active already by its start number " +
                                  std::to_string(round),
                              who_},
                             name);
            check(step.active() == is_odd_, name);
            step.wait();
        }
        step.start();
        step.wait();
        check_hierarchy(name);
    }

    /// One rank frees an active one, assigns to it, or lets it end: which it tells that rank, and no other
    /// one waits.
    void check_ends(const form& each) const {
        const std::string name = name_of(each, "the end of an active one");
        const time_limit limit{name};
        lasting_calls calls{levels_};
        auto step = each.init(calls);
        const auto refused = [&](const std::string& member, const std::function<void()>& call) {
            check_throws_all(
                call, typeid(topo::usage_error),
                {"_init: topo::persistent::" + member + ": it is active by its start number", who_}, name);
        };
        step.start();
        if (is_odd_) refused("free", [&] { step.free(); });
        step.wait();
        step.start();
        if (is_odd_) refused("operator=", [&] { step = topo::persistent{}; });
        step.wait();
        step = each.init(calls);
        step.start();
        if (is_odd_) refused("~persistent", [&] { const topo::persistent ends{std::move(step)}; });
        step.wait();
        check_hierarchy(name);
    }

    /// A buffer of one rank has moved at the start, on which all agree, or until the end, which only that
    /// rank knows.
    void check_moved(const form& each, const std::type_info& type, const std::string& words) const {
        const std::string name = name_of(each, "a buffer that moves");
        const time_limit limit{name};
        const std::size_t begin = each.name.find_last_of(':') + 1; // 0 without any
        const std::string verb = each.name.substr(begin, each.name.find(' ') - begin);
        const auto ends = [&](auto& one, auto call) {
            if (is_odd_)
                check_throws_all(call, type, {"topo::", verb, words, who_}, name);
            else
                call();
            check(!one.active(), name);
            one.wait();
        };
        for (const bool waits : {true, false}) {
            lasting_calls calls{levels_};
            auto begun = each.begin(calls);
            if (is_odd_) each.move(calls);
            ends(begun, [&] {
                if (waits) return begun.wait();
                while (!begun.test()) {
                }
            });
            MPI_Barrier(levels_.whole()); // before windows end
        }
        lasting_calls calls{levels_};
        auto step = each.init(calls);
        step.start();
        if (is_odd_) each.move(calls);
        ends(step, [&] { step.wait(); });
        check_throws_all([&] { step.start(); }, type, {"_init" + words, who_}, name);
        check(!step.active(), name);
        MPI_Barrier(levels_.whole());
        check_hierarchy(name);
    }

    /// Ranks wait in different orders, and start in the same one.
    void check_several() const {
        const std::string name = "several at a time, one of them twice on rank " + std::to_string(odd_);
        const time_limit limit{name};
        std::vector<int> mine(70000, 1), sum(70000), of_first(3, 1), small(3);
        auto first = topo::all_reduce_init(levels_, mine, sum, std::plus<>{});
        auto second = topo::broadcast_init(levels_, small, 0);
        auto third = topo::scan_init(levels_, of_first, small, std::plus<>{});
        for (int round = 0; round < 3; ++round) {
            first.start();
            if (levels_.whole().rank() % 2 == 0) first.wait(); // before the others start the next
            second.start();
            second.wait();
            third.start();
            first.wait();
            if (!is_odd_) third.wait();
            first.start();
            const auto again = [&] { third.start(); };
            check_throws_all(again, typeid(topo::usage_error),
                             {"topo::scan_init: topo::persistent::start: it is active already", who_}, name);
            first.wait();
            third.wait();
            check(sum == std::vector<int>(sum.size(), levels_.whole().size()), name);
        }
        check_hierarchy(name);
    }

    /// One rank starts another one than the others, or calls something else.
    void check_other_calls() const {
        const std::string name = "another start on rank " + std::to_string(odd_);
        const time_limit limit{name};
        int value = 1, sum = 0;
        auto one = topo::all_reduce_init(levels_, value, sum, std::plus<>{});
        auto other = topo::broadcast_init(levels_, value, 0);
        check_throws_all([&] { (is_odd_ ? other : one).start(); }, typeid(topo::argument_error),
                         {": call: it is topo::persistent::start of topo::", " on rank 0 and ",
                          "topo::broadcast_init", "topo::all_reduce_init"},
                         name);
        check_throws_all(
            [&] {
                if (is_odd_)
                    topo::barrier(levels_);
                else
                    one.start();
            },
            typeid(topo::argument_error),
            {": call: it is ", "topo::barrier", "topo::persistent::start of topo::all_reduce_init"}, name);
        one.start();
        one.wait();
        check(sum == levels_.whole().size(), name);
        one.start();
        one.wait();
        if (is_odd_) {
            check_throws_all([&] { topo::persistent{}.start(); }, typeid(topo::usage_error),
                             {"topo::persistent::start: persistent: there is no collective"}, name);
        }
        check_hierarchy(name);
    }

    /// One rank starts twice, and the others have no more to start: it gives up after the time that
    /// `TOPOMP_FENCE_SECONDS` says. Nobody else waits.
    void check_alone() const {
        const std::string name =
            "a second start when the others have no more on rank " + std::to_string(odd_);
        const time_limit limit{name};
        const topo::hierarchy own{levels_.whole(), topo::machine::parse("node:2 core:4"),
                                  topo::placement::round_robin()};
        int value = 1, sum = 0;
        auto step = topo::all_reduce_init(own, value, sum, std::plus<>{});
        step.start();
        if (is_odd_)
            check_throws_all([&] { step.start(); }, typeid(topo::usage_error),
                             {"topo::all_reduce_init: topo::persistent::start: it is active already by its "
                              "start number 1",
                              who_},
                             name);
        step.wait();
        check(sum == levels_.whole().size(), name);
        MPI_Barrier(levels_.whole());
        check_hierarchy(name);
    }

    const topo::hierarchy& levels_;
    int odd_;
    bool is_odd_;
    std::string who_;
};

} // namespace topo_test
