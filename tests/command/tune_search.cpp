// SPDX-License-Identifier: BSL-1.0
// The order in which topomp tune measures plans, with times that are made up.
#include <topomp/decide/detail/tuning_file.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_text.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tune_search.hpp>
#include <utility>
#include <vector>

namespace {

using topo::detail::tuning_file;
using topo::detail::verb;
using topo::tool::tune_search;
using topo::tool::tuned_call;

topo::plan read(const std::string& text) { return topo::read_plan("test", text, text); }

/// The MPI's own, and trees of more and more children.
std::vector<topo::plan> plans(int number) {
    std::vector<topo::plan> all{topo::plan{}};
    for (int i = 1; i < number; ++i)
        all.push_back(read("k_nomial<" + std::to_string(i + 1) + '>'));
    return all;
}

/// Carries out a search with made-up times, which are by length and plan.
struct made_up {
    std::map<std::pair<std::size_t, std::string>, double> seconds{};
    double others = 1;
    std::vector<tuning_file::row> rows{}; ///< of each task what is known after it

    /// @return how many tasks there were
    int run(tune_search& search, int most) {
        int tasks = 0;
        for (; tasks < most; ++tasks) {
            const auto task = search.next();
            if (!task) break;
            const auto& call = search.call_of(*task);
            const auto found = seconds.find({call.bytes, to_string(search.plan_of(*task))});
            const double each = found == seconds.end() ? others : found->second;
            search.took(*task, std::vector<double>(static_cast<std::size_t>(task->calls), each));
            rows.push_back(search.row_of(*task));
        }
        return tasks;
    }
    /// The last that is known; none if it was not measured.
    tuning_file::row last(std::size_t bytes, const std::string& plan) const {
        tuning_file::row found;
        found.calls = 0;
        for (const auto& each : rows)
            if (each.bytes == bytes && to_string(each.chosen) == plan) found = each;
        return found;
    }
};

constexpr int all_tasks = 100000;

} // namespace

TEST_CASE("the best plan has all calls, those a little slower a few, those much slower one") {
    tune_search search;
    search.add({verb::broadcast, 64, true}, plans(40));
    made_up times{{{{64, "k_nomial<37>"}, 0.5},
                   {{64, "k_nomial<30>"}, 0.52},
                   {{64, "k_nomial<31>"}, 0.6},
                   {{64, "k_nomial<32>"}, 9.0}}};
    times.run(search, all_tasks);
    CHECK_FALSE(search.next());
    CHECK(times.last(64, "k_nomial<37>").calls == tune_search::most_calls);
    CHECK(times.last(64, "k_nomial<30>").calls == tune_search::most_calls); // within a tenth
    CHECK(times.last(64, "k_nomial<31>").calls < tune_search::most_calls);
    CHECK(times.last(64, "k_nomial<32>").calls == 1);
    CHECK(times.last(64, "flat").calls >= tune_search::first_calls);
    CHECK(times.last(64, "k_nomial<37>").seconds == doctest::Approx(0.5));
    CHECK(search.measured_count() == 40);
}

TEST_CASE("first all lengths have the MPI's own and one plan, the shortest first") {
    tune_search search;
    search.add({verb::broadcast, 4096, true}, plans(10));
    search.add({verb::broadcast, 64, true}, plans(10));
    search.add({verb::reduce, 512, true}, plans(10));
    search.add({verb::reduce, 512, true}, plans(10)); // once more: it is there
    CHECK(search.call_count() == 3);
    made_up times;
    times.run(search, 3 * 2 * 2);
    CHECK(search.measured_count() == 3 * 2);
    CHECK(times.rows.front().bytes == 64);
    CHECK(times.rows.back().bytes == 4096);
    for (const std::size_t bytes : {64U, 512U, 4096U}) {
        CHECK(times.last(bytes, "flat").calls == tune_search::first_calls);
        CHECK(times.last(bytes, "binomial").calls == tune_search::first_calls);
    }
}

TEST_CASE("the best plan of a length is measured at the lengths next to it") {
    tune_search search;
    auto first = plans(60);
    std::rotate(first.begin() + 1, first.end() - 1, first.end()); // the last is promising at 64 bytes only
    search.add({verb::broadcast, 64, true}, first);
    search.add({verb::broadcast, 512, true}, plans(60));
    search.add({verb::broadcast, 4096, true}, plans(60));
    search.add({verb::reduce, 512, true}, plans(60));
    made_up times{{{{64, "k_nomial<60>"}, 0.1}}};
    while (search.round() < 2)
        times.run(search, 1);
    CHECK(times.last(512, "k_nomial<60>").calls > 0);
    CHECK(times.last(4096, "k_nomial<60>").calls == 0);
    CHECK(std::ranges::none_of(times.rows, [](const auto& each) {
        return each.what == verb::reduce && to_string(each.chosen) == "k_nomial<60>";
    }));
}

TEST_CASE("what a file has is not measured again") {
    const auto fill = [](tune_search& search) {
        for (const std::size_t bytes : {64U, 512U})
            search.add({verb::broadcast, bytes, true}, plans(12));
    };
    tune_search once, again;
    fill(once);
    fill(again);
    made_up times{{{{64, "k_nomial<5>"}, 0.5}, {{512, "k_nomial<7>"}, 0.4}, {{512, "k_nomial<8>"}, 4.0}}};
    const int tasks = times.run(once, all_tasks);
    for (const auto& each : times.rows)
        CHECK(again.know(each));
    CHECK_FALSE(again.know({verb::reduce, 64, true, topo::plan{}, 1, 0, 1}));
    CHECK(times.run(again, all_tasks) == 0);
    // Half of it.
    tune_search half;
    fill(half);
    for (int i = 0; i < tasks / 2; ++i)
        half.know(times.rows[static_cast<std::size_t>(i)]);
    CHECK(times.run(half, all_tasks) < tasks);
    CHECK(half.measured_count() == once.measured_count());
}

TEST_CASE("times that stand for those of a file have their median and spread") {
    const auto times = topo::tool::times_like({verb::reduce, 8, true, topo::plan{}, 2e-5, 0.2, 48});
    REQUIRE(times.size() == 48);
    CHECK(std::ranges::is_sorted(times));
    CHECK(times[24] == doctest::Approx(2e-5).epsilon(0.01));
    CHECK(topo::tool::spread_of(times) == doctest::Approx(0.2).epsilon(0.05));
    CHECK(topo::tool::times_like({verb::reduce, 8, true, topo::plan{}, 2e-5, 0.2, 1}).front() ==
          doctest::Approx(2e-5));
}
