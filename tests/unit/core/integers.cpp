// SPDX-License-Identifier: BSL-1.0
// Lists of integers: views, copies of few and of many, and their sums.
#include <topomp/core/integers.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <list>
#include <numeric>
#include <utility>
#include <vector>

namespace integers_tests {

namespace {

bool holds(const topo::integers& numbers, const std::vector<std::size_t>& expected) {
    return numbers.size() == expected.size() && numbers.empty() == expected.empty() &&
           std::ranges::equal(numbers, expected);
}

} // namespace

TEST_CASE("integers are views of wide ones, and copies of others and of temporaries") {
    for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 100U}) {
        INFO(size << " numbers");
        std::vector<std::size_t> wide(size);
        std::iota(wide.begin(), wide.end(), std::size_t{3});
        const topo::integers view{wide};
        CHECK(holds(view, wide));
        if (size > 0) CHECK(view.data() == wide.data());

        std::vector<int> narrow(wide.begin(), wide.end());
        topo::integers copy{narrow};
        std::ranges::fill(narrow, 0);
        CHECK(holds(copy, wide));
        const topo::integers second = copy, third = std::move(copy);
        copy = topo::integers{2, 0, 5};
        CHECK(holds(second, wide));
        CHECK(holds(third, wide));
        CHECK(holds(copy, {2, 0, 5}));

        CHECK(holds(topo::integers{std::vector<std::size_t>{wide}}, wide));
        CHECK(holds(topo::integers{std::list<short>(wide.begin(), wide.end())}, wide));
    }
}

TEST_CASE("a view of integers, which may be a copy, has their addresses") {
    for (const std::size_t size : {0U, 1U, 8U, 9U, 50U}) {
        const std::vector<int> numbers(size, 3);
        const topo::integers copied{numbers}, seen = copied.view(), again = seen; // a copy of a view is one
        CHECK(holds(again, std::vector<std::size_t>(size, 3)));
        if (size > 0) CHECK(again.data() == copied.data());
        CHECK(again.empty() == (size == 0));
    }
}

TEST_CASE("sums before each number") {
    for (const std::size_t size : {0U, 1U, 8U, 9U, 50U}) {
        std::vector<std::size_t> lengths(size), expected(size);
        for (std::size_t i = 0; i < size; ++i)
            lengths[i] = i * i % 7;
        std::exclusive_scan(lengths.begin(), lengths.end(), expected.begin(), std::size_t{0});
        CHECK(holds(topo::integers::sums_before(lengths), expected));
    }
}

} // namespace integers_tests
