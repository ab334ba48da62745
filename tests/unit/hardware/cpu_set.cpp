// SPDX-License-Identifier: BSL-1.0
// Sets of CPUs: reading, writing, comparing, and what is said about broken lists.
#include "support/complaint.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/cpu_set.hpp>

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <string>
#include <utility>

namespace cpu_set_tests {

namespace {

using topo::cpu_set;

std::string complaint(const std::string& list) {
    return topo_test::complaint<topo::input_error>([&] { cpu_set::parse(list); });
}

std::string expected_complaint(const std::string& list, int column, const std::string& problem) {
    return "topo::cpu_set: \"" + list + "\": column " + std::to_string(column) + ": " + problem;
}

} // namespace

TEST_CASE("cpu_set: lists are read and written") {
    CHECK(to_string(cpu_set::parse("0")) == "0");
    CHECK(to_string(cpu_set::parse("0-3,8")) == "0-3,8");
    CHECK(to_string(cpu_set::parse("8,0-3")) == "0-3,8");
    CHECK(to_string(cpu_set::parse("3,1,2,0")) == "0-3");
    CHECK(to_string(cpu_set::parse("5-5")) == "5");
    CHECK(to_string(cpu_set::parse("0-7,4-9,9")) == "0-9");
    CHECK(to_string(cpu_set::parse("007")) == "7");
    CHECK(to_string(cpu_set::parse("1048575")) == "1048575");
    CHECK(to_string(cpu_set{}).empty());
}

TEST_CASE("cpu_set: agrees with a set of numbers") {
    std::mt19937 random{1};
    for (int round = 0; round < 500; ++round) {
        std::set<int> numbers;
        std::string list;
        for (auto pieces = 1 + random() % 5; pieces > 0; --pieces) {
            const int first = static_cast<int>(random() % 150);
            const int last = first + static_cast<int>(random() % 70);
            list += (list.empty() ? "" : ",") + std::to_string(first) + '-' + std::to_string(last);
            for (int i = first; i <= last; ++i)
                numbers.insert(i);
        }
        CAPTURE(list);
        const cpu_set set = cpu_set::parse(list);
        for (int i = 0; i < 256; ++i)
            REQUIRE(set.contains(i) == numbers.contains(i));
        CHECK(cpu_set::parse(to_string(set)) == set);
    }
}

TEST_CASE("cpu_set: broken lists are named with the column") {
    const std::string number = "expected the number of a CPU";
    const std::string separator = "expected ',' or '-'";
    CHECK(complaint("") == expected_complaint("", 1, number));
    CHECK(complaint("a") == expected_complaint("a", 1, number));
    CHECK(complaint("0-") == expected_complaint("0-", 3, number));
    CHECK(complaint("-1") == expected_complaint("-1", 1, number));
    CHECK(complaint("1--2") == expected_complaint("1--2", 3, number));
    CHECK(complaint("0,") == expected_complaint("0,", 3, number));
    CHECK(complaint("0,,1") == expected_complaint("0,,1", 3, number));
    CHECK(complaint(",0") == expected_complaint(",0", 1, number));
    CHECK(complaint(" 0") == expected_complaint(" 0", 1, number));
    CHECK(complaint("0x10") == expected_complaint("0x10", 2, separator));
    CHECK(complaint("0 1") == expected_complaint("0 1", 2, separator));
    CHECK(complaint("0-3-5") == expected_complaint("0-3-5", 4, separator));
    CHECK(complaint("3-1") == expected_complaint("3-1", 4, "the range runs backwards"));
    CHECK(complaint("1048576") == expected_complaint("1048576", 1, number));
    CHECK(complaint("0-99999999999999999999") == expected_complaint("0-99999999999999999999", 3, number));
}

TEST_CASE("cpu_set: is a value") {
    cpu_set one = cpu_set::parse("0-3");
    cpu_set other = one;
    other.insert(6, 7);
    CHECK(to_string(one) == "0-3");
    CHECK(to_string(other) == "0-3,6-7");
    CHECK(one != other);

    const cpu_set moved = std::move(other);
    CHECK(to_string(moved) == "0-3,6-7");
    other = one;
    CHECK(other == one);
    const cpu_set& itself = other;
    other = itself;
    CHECK(other == one);
    one.swap(other = cpu_set::parse("9"));
    CHECK(to_string(one) == "9");
    CHECK(to_string(other) == "0-3");
}

TEST_CASE("cpu_set: containment and difference") {
    const cpu_set none;
    const cpu_set some = cpu_set::parse("1-2");
    const cpu_set more = cpu_set::parse("0-3");
    CHECK(none.empty());
    CHECK_FALSE(some.empty());
    CHECK(none.is_subset_of(some));
    CHECK(some.is_subset_of(more));
    CHECK(some.is_subset_of(some));
    CHECK_FALSE(more.is_subset_of(some));
    CHECK_FALSE(cpu_set::parse("3-4").is_subset_of(more));
    CHECK(to_string(more.without(some)) == "0,3");
    CHECK(some.without(more).empty());
    CHECK(more.without(none) == more);
    CHECK(cpu_set{more.native_handle()} == more);
}

} // namespace cpu_set_tests
