// SPDX-License-Identifier: BSL-1.0
/// @file
/// Persistent all_reduces of several lengths, each once into a result of its own and once in place.
#pragma once

#include <topomp/collective/persistent.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <vector>

namespace topo_test {

class prepared_sums {
public:
    using numbers = std::vector<int>;

    /// @param prepare makes one of operands and result
    template <class Prepare>
    prepared_sums(std::span<const std::size_t> lengths, Prepare prepare) {
        for (const std::size_t length : lengths)
            for (auto* const kept : {&mine_, &sums_, &both_})
                kept->emplace_back(length);
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            steps.push_back(prepare(mine_[k], sums_[k]));
            steps.push_back(prepare(both_[k], both_[k]));
        }
    }

    /// Writes the operands of a rank.
    void fill(int rank, int round) {
        for (std::size_t k = 0; k < mine_.size(); ++k)
            for (std::size_t i = 0; i < mine_[k].size(); ++i)
                mine_[k][i] = both_[k][i] = value(rank, i, round);
    }

    void check(int ranks, int round) const {
        for (std::size_t k = 0; k < sums_.size(); ++k) {
            numbers expected(sums_[k].size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                expected[i] = value(ranks * (ranks + 1) / 2 - 1, i, round);
            CHECK(sums_[k] == expected);
            CHECK(both_[k] == expected);
        }
    }

private:
    static int value(int rank, std::size_t i, int round) {
        return (rank + 1) * static_cast<int>((i + static_cast<std::size_t>(round)) % 1000);
    }

    std::vector<numbers> mine_, sums_, both_;

public:
    std::vector<topo::persistent> steps; ///< which end before the memory that they use
};

} // namespace topo_test
