// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/mapping/stencil.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE stencil::stencil(std::vector<offset> offsets) {
    if (offsets.empty()) fail("no offsets", "a stencil has at least one");
    for (auto& each : offsets)
        add(std::move(each));
}

template <class Wanted>
stencil stencil::of(std::size_t dimensions, Wanted is_wanted) {
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
    std::ranges::stable_sort(found.begin(), found.begin() + 2 * static_cast<std::ptrdiff_t>(dimensions), {},
                             [](const offset& each) {
                                 return std::ranges::find_if(each.steps, [](int step) { return step != 0; }) -
                                        each.steps.begin();
                             });
    stencil made{{found.front()}};
    made.offsets_ = std::move(found); // which are valid, and all different
    return made;
}

TOPOMP_INLINE stencil stencil::star(std::size_t dimensions) { return of(dimensions, is_along_one); }

TOPOMP_INLINE stencil stencil::diagonal(std::size_t dimensions) {
    return of(dimensions, [](std::span<const int> steps) {
        return is_along_one(steps) || std::ranges::count(steps, 0) == 0;
    });
}

TOPOMP_INLINE stencil stencil::moore(std::size_t dimensions) {
    return of(dimensions, [](std::span<const int>) { return true; });
}

TOPOMP_INLINE std::int64_t stencil::total_weight() const {
    std::int64_t sum = 0;
    for (const auto& each : offsets_)
        sum += each.weight;
    return sum;
}

TOPOMP_INLINE void stencil::fail(const std::string& object, const std::string& problem) {
    throw argument_error("topo::stencil", object, problem);
}

TOPOMP_INLINE std::string stencil::text_of(const offset& each) {
    std::string text = "offset";
    for (const int step : each.steps)
        text.append(" ").append(std::to_string(step));
    return text;
}

TOPOMP_INLINE bool stencil::is_along_one(std::span<const int> steps) {
    return std::ranges::count(steps, 0) == std::ssize(steps) - 1;
}

TOPOMP_INLINE void stencil::add(offset next) {
    if (next.steps.empty() || std::ranges::count(next.steps, 0) == std::ssize(next.steps))
        fail(text_of(next), "leads to the cell itself");
    if (!offsets_.empty() && next.steps.size() != dimensions())
        fail(text_of(next), "has " + std::to_string(next.steps.size()) + " dimensions, the first offset " +
                                std::to_string(dimensions()));
    if (next.weight < 1) fail(text_of(next), "weight " + std::to_string(next.weight) + " is not positive");
    if (next.weight > most_weight || (!offsets_.empty() && next.weight + total_weight() > most_weight))
        fail(text_of(next), "weights add up to more than 2^31");
    const auto same = std::ranges::find(offsets_, next.steps, &offset::steps);
    if (same != offsets_.end())
        same->weight += next.weight;
    else
        offsets_.push_back(std::move(next));
}

TOPOMP_INLINE stencil stencil::weighted(std::span<const std::int64_t> weights) const {
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
