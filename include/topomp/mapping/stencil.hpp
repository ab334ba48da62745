// SPDX-License-Identifier: BSL-1.0
/// @file
/// With which cells around it a cell exchanges data, and how much.
#pragma once

#include <topomp/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

/// The neighbours of every cell of a grid, as steps along each dimension, each with a weight: a value.
///
/// The weight is the load of the messages that way, in a unit of the caller's. What one offset costs is
/// counted at the sender: a stencil need not be symmetric.
class stencil {
public:
    struct offset {
        std::vector<int> steps;
        std::int64_t weight = 1;
        friend bool operator==(const offset&, const offset&) = default;
    };

    /// Any list of offsets. An offset that comes twice counts once with both weights.
    /// @throws argument_error if there is none, they differ in their number of dimensions, one leads nowhere,
    /// a weight is not positive, or the weights add up to more than 2^31
    explicit stencil(std::vector<offset> offsets) {
        if (offsets.empty()) fail("no offsets", "a stencil has at least one");
        for (auto& each : offsets)
            add(std::move(each));
    }

    /// The neighbours along each dimension: down and up the first, then the second, ..., as MPI orders them.
    static stencil star(std::size_t dimensions) { return of(dimensions, is_along_one); }

    /// `star`, and the cells at all corners (paper 4, 3.1: `diagonal`). In two dimensions the same as
    /// `moore`.
    static stencil diagonal(std::size_t dimensions) {
        return of(dimensions, [](std::span<const int> steps) {
            return is_along_one(steps) || std::ranges::count(steps, 0) == 0;
        });
    }

    /// All cells that touch a cell: 3^d - 1.
    static stencil moore(std::size_t dimensions) {
        return of(dimensions, [](std::span<const int>) { return true; });
    }

    /// The same offsets with other weights.
    ///
    /// @param weights one for each offset; or one for each pair of opposite offsets, in the order in which
    /// the pairs begin; or one for each dimension (paper 4, 3.1: `multiplicity`): an offset along several
    /// dimensions then weighs as much as the lightest of them
    /// @throws argument_error if there are as many as none of these, or as in the constructor
    stencil weighted(std::span<const std::int64_t> weights) const;

    std::size_t dimensions() const noexcept { return offsets_.front().steps.size(); }
    const std::vector<offset>& offsets() const noexcept { return offsets_; }

    /// The weight of all offsets together.
    std::int64_t total_weight() const {
        std::int64_t sum = 0;
        for (const auto& each : offsets_)
            sum += each.weight;
        return sum;
    }

    friend bool operator==(const stencil&, const stencil&) = default;

    static constexpr std::int64_t most_weight = std::int64_t{1} << 31;

private:
    [[noreturn]] static void fail(const std::string& object, const std::string& problem) {
        throw argument_error("topo::stencil", object, problem);
    }

    static std::string text_of(const offset& each) {
        std::string text = "offset";
        for (const int step : each.steps)
            text.append(" ").append(std::to_string(step));
        return text;
    }

    static bool is_along_one(std::span<const int> steps) {
        return std::ranges::count(steps, 0) == std::ssize(steps) - 1;
    }

    void add(offset next) {
        if (next.steps.empty() || std::ranges::count(next.steps, 0) == std::ssize(next.steps))
            fail(text_of(next), "leads to the cell itself");
        if (!offsets_.empty() && next.steps.size() != dimensions())
            fail(text_of(next), "has " + std::to_string(next.steps.size()) +
                                    " dimensions, the first offset " + std::to_string(dimensions()));
        if (next.weight < 1)
            fail(text_of(next), "weight " + std::to_string(next.weight) + " is not positive");
        if (next.weight > most_weight || (!offsets_.empty() && next.weight + total_weight() > most_weight))
            fail(text_of(next), "weights add up to more than 2^31");
        const auto same = std::ranges::find(offsets_, next.steps, &offset::steps);
        if (same != offsets_.end())
            same->weight += next.weight;
        else
            offsets_.push_back(std::move(next));
    }

    /// Along one dimension first, then the others by growing number of dimensions; of two opposite offsets
    /// the one that leads down first.
    template <class Wanted>
    static stencil of(std::size_t dimensions, Wanted is_wanted) {
        if (dimensions < 1 || dimensions > 12)
            fail(std::to_string(dimensions) + " dimensions", "1 to 12 have a name; give a list of offsets");
        std::vector<offset> found;
        std::vector<int> steps(dimensions, -1);
        for (bool goes_on = true; goes_on;) {
            const auto first = std::ranges::find_if(steps, [](int step) { return step != 0; });
            if (first != steps.end() && *first < 0 && is_wanted(std::span<const int>{steps})) {
                found.push_back({steps, 1});
                offset& opposite = found.emplace_back(offset{steps, 1});
                for (int& step : opposite.steps)
                    step = -step;
            }
            goes_on = false;
            for (std::size_t i = dimensions; i-- > 0 && !goes_on;) {
                goes_on = steps[i] < 1;
                steps[i] = goes_on ? steps[i] + 1 : -1;
            }
        }
        std::ranges::stable_sort(found, {}, [&](const offset& each) {
            return std::ssize(each.steps) - std::ranges::count(each.steps, 0);
        });
        // Of one dimension: dimension 0 comes last by counting.
        std::ranges::stable_sort(found.begin(), found.begin() + 2 * static_cast<std::ptrdiff_t>(dimensions),
                                 {}, [](const offset& each) {
                                     return std::ranges::find_if(each.steps,
                                                                 [](int step) { return step != 0; }) -
                                            each.steps.begin();
                                 });
        return stencil{std::move(found)};
    }

    std::vector<offset> offsets_;
};

inline stencil stencil::weighted(std::span<const std::int64_t> weights) const {
    std::vector<std::size_t> pairs; // of each offset
    std::size_t count = 0;
    for (const auto& each : offsets_) {
        std::vector<int> opposite = each.steps;
        for (int& step : opposite)
            step = -step;
        const auto found = std::ranges::find(offsets_, opposite, &offset::steps) - offsets_.begin();
        const auto before = static_cast<std::size_t>(found);
        pairs.push_back(before < pairs.size() ? pairs[before] : count++);
    }
    std::vector<offset> result = offsets_;
    for (std::size_t i = 0; i < result.size(); ++i) {
        auto& each = result[i];
        if (weights.size() == offsets_.size())
            each.weight = weights[i];
        else if (weights.size() == count)
            each.weight = weights[pairs[i]];
        else if (weights.size() == dimensions()) {
            each.weight = most_weight;
            for (std::size_t j = 0; j < dimensions(); ++j)
                if (each.steps[j] != 0) each.weight = std::min(each.weight, weights[j]);
        } else
            fail(std::to_string(weights.size()) + " weights",
                 "there are " + std::to_string(dimensions()) + " dimensions, " + std::to_string(count) +
                     " pairs of opposite offsets and " + std::to_string(offsets_.size()) + " offsets");
    }
    return stencil{std::move(result)};
}

} // namespace topo
