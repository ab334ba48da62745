// SPDX-License-Identifier: BSL-1.0
// Numbers by keys, against a map, while the table grows, and with keys that begin at the same slot.
#include <topomp/hierarchy/detail/key_numbers.hpp>
#include <topomp/hierarchy/detail/trail.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>

namespace key_numbers_tests {

using topo::detail::key_numbers;
using topo::detail::object_key;

TEST_CASE("key_numbers: agrees with a map") {
    std::mt19937_64 random{1};
    for (const std::uint64_t different : {7U, 300U, 20000U}) // of the lower half of keys
        for (const std::size_t expected : {std::size_t{0}, std::size_t{1000}, std::size_t{50000}}) {
            key_numbers table{expected};
            std::map<object_key, std::uint32_t> numbers;
            for (int i = 0; i < 20000; ++i) {
                const object_key key{random() % 3, random() % different};
                const auto next = static_cast<std::uint32_t>(numbers.size() + 1);
                const auto [known, is_new] = numbers.try_emplace(key, next);
                const auto found = table.number(key, next);
                REQUIRE(found.first == known->second);
                REQUIRE(found.second == is_new);
            }
            CHECK(numbers.size() > std::min<std::size_t>(2 * different, 15000));
        }
}

} // namespace key_numbers_tests
