// SPDX-License-Identifier: BSL-1.0
// How `adaptive` learns, of made-up times: it finds the fastest, what it costs to look for it tends to
// nothing, and it follows a change.
#include <topomp/decide/detail/adaptive_choice.hpp>
#include <topomp/plan/plan_of.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace adaptive_tests {

using topo::plan_of;
using topo::detail::adaptive_choice;

namespace {

const std::vector<topo::plan> four{plan_of<topo::binomial>, plan_of<topo::chain>, plan_of<topo::linear>,
                                   plan_of<topo::flat>};

/// Some ranks that make calls together, on a machine where each candidate takes so long.
class program {
public:
    program(int ranks, double noise) : noise_(noise) {
        for (int rank = 0; rank < ranks; ++rank)
            ranks_.emplace_back(four);
    }

    /// So many calls. @return their mean time
    double calls(int number, const std::vector<double>& seconds) {
        double sum = 0;
        for (int i = 0; i < number; ++i)
            sum += call(seconds);
        return sum / number;
    }
    const topo::plan& chosen() const { return ranks_.front().chosen(); }
    int agreements() const { return agreements_; }

private:
    double call(const std::vector<double>& seconds) {
        if (ranks_.front().must_agree()) agree();
        double slowest = 0;
        const topo::plan first = *next_.emplace_back(ranks_.front().next()).what;
        for (std::size_t rank = 1; rank < ranks_.size(); ++rank) {
            REQUIRE_FALSE(ranks_[rank].must_agree());
            REQUIRE(*next_.emplace_back(ranks_[rank].next()).what == first);
        }
        const auto which = std::ranges::find(four, first) - four.begin();
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            const double took = seconds[static_cast<std::size_t>(which)] * (1 + noise_ * share_(engine_));
            slowest = std::max(slowest, took);
            if (next_[rank].trial) ranks_[rank].took(*next_[rank].trial, took);
        }
        next_.clear();
        return slowest;
    }
    void agree() {
        std::vector<double> sums;
        for (auto& each : ranks_) {
            REQUIRE(each.must_agree());
            const auto mine = each.medians();
            sums.resize(mine.size());
            for (std::size_t i = 0; i < mine.size(); ++i)
                sums[i] += mine[i];
        }
        for (auto& each : ranks_)
            each.agree(sums);
        ++agreements_;
    }

    std::vector<adaptive_choice> ranks_;
    std::vector<adaptive_choice::turn> next_;
    double noise_;
    std::mt19937 engine_{20};
    std::uniform_real_distribution<double> share_{0, 1};
    int agreements_ = 0;
};

} // namespace

TEST_CASE("the fastest is found, whichever it is") {
    for (std::size_t fastest = 0; fastest < four.size(); ++fastest)
        for (const double noise : {0.0, 0.5}) {
            std::vector<double> seconds{4, 5, 6, 7};
            seconds[fastest] = 2;
            program tried(3, noise);
            tried.calls(200, seconds);
            CHECK(tried.chosen() == four[fastest]);
            CHECK(tried.agreements() <= 2);
            CHECK(tried.calls(500, seconds) <= 2 * (1 + noise));
        }
}

TEST_CASE("what comparing costs tends to nothing, however slow the others are") {
    const std::vector<double> seconds{100, 100, 100, 1};
    program tried(2, 0);
    tried.calls(100, seconds);
    CHECK(tried.chosen() == four.back());
    CHECK(tried.calls(1000000, seconds) < 1.05);
    CHECK(tried.agreements() < 15);
}

TEST_CASE("nor does it cost much if two that are nearly equally fast take turns") {
    program tried(2, 0.3);
    const double usual = 0.97 * (1 + 0.3 * 2 / 3); // of the slower one of two ranks
    CHECK(tried.calls(1000000, {1, 0.97, 3, 100}) < 1.06 * usual);
    CHECK(tried.agreements() < 25);
}

TEST_CASE("a change of the machine is noticed") {
    program tried(2, 0.1);
    tried.calls(3000, {1, 3, 3, 2});
    CHECK(tried.chosen() == four.front());
    tried.calls(6000, {4, 3, 3, 2});
    CHECK(tried.chosen() == four.back());
}

TEST_CASE("equal times leave the most promising candidate, and one candidate needs no trial") {
    program tried(2, 0);
    tried.calls(200, {1, 1, 1, 1});
    CHECK(tried.chosen() == four.front());

    adaptive_choice alone({plan_of<topo::binomial>});
    for (int i = 0; i < 100; ++i) {
        REQUIRE_FALSE(alone.must_agree());
        CHECK_FALSE(alone.next().trial);
    }
}

} // namespace adaptive_tests
