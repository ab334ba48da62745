// SPDX-License-Identifier: BSL-1.0
/// @file
/// Persistent all_reduces of several lengths, each once into a result of its own and once in place.
#pragma once

#include <topomp/collective/persistent.hpp>

#include <doctest/doctest.h>

#include <algorithm>
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
            for (numbers* const where : {&mine_[k], &both_[k]}) // which stay where they are
                std::ranges::copy(values(rank + 1, where->size(), round), where->begin());
    }

    void check(int ranks, int round) const {
        for (std::size_t k = 0; k < sums_.size(); ++k) {
            const numbers expected = values(ranks * (ranks + 1) / 2, sums_[k].size(), round);
            CHECK(sums_[k] == expected);
            CHECK(both_[k] == expected);
        }
    }

private:
    /// They repeat, so that most are copies, which take no time without optimisation either.
    static numbers values(int factor, std::size_t length, int round) {
        constexpr std::size_t period = 1000;
        numbers result(length);
        for (std::size_t i = 0; i < std::min(length, period); ++i)
            result[i] = factor * static_cast<int>((i + static_cast<std::size_t>(round)) % period);
        for (std::size_t known = period; known < length; known *= 2)
            std::copy_n(result.begin(), std::min(known, length - known),
                        result.begin() + static_cast<std::ptrdiff_t>(known));
        return result;
    }

    std::vector<numbers> mine_, sums_, both_;

public:
    std::vector<topo::persistent> steps; ///< which end before the memory that they use
};

} // namespace topo_test
