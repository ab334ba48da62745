// SPDX-License-Identifier: BSL-1.0
/// @file
/// The words of exact sums that their greatest operands reach, which report operands that they cannot hold.
#pragma once

#include <topomp/algorithm/exact_sum.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace topo::detail {

/// The sum of a column, six words of its `exact_sum`: a word for sums of operands, the two of the greatest
/// operand, and three below. What an operand has below the lowest word is rounded down, and a count says by
/// how many units of that word the exact sum is greater at the most. So at least 192 bits are below the
/// mantissa of the greatest operand, and a sum is known where both bounds round to the same, as of
/// `fixed_point`, which is a third as long.
template <class T>
struct sum_window {
    using number = T;
    static constexpr std::size_t columns = 1, words = 6;

    std::array<std::uint64_t, words> data{}; ///< the lowest first, in two's complement
    std::uint32_t first = 0;                 ///< of the words in an `exact_sum`
    std::uint32_t inexact = 0;

    sum_window() = default;
    /// Of one rank's operand.
    sum_window(const T* from, std::size_t count) { add(from, count); }

    /// Adds the operand of one more rank. @param count 0 or 1
    void add(const T* from, std::size_t count) {
        if (count > 0) *this += of(*from);
    }

    sum_window& operator+=(sum_window other) {
        const std::uint32_t place = std::max(first, other.first);
        raise(place);
        other.raise(place);
        add_words<words>(data.data(), other.data.data());
        inexact += other.inexact;
        if (inexact >= not_finite) first = not_finite;
        return *this;
    }
    friend sum_window operator+(sum_window left, const sum_window& right) { return left += right; }

    /// Writes the sum, rounded once; NaN where it is not known or not finite. @param count 0 or 1
    void write(T* to, std::size_t count) const {
        if (count > 0) *to = value();
    }

private:
    using parts = float_parts<T>;
    static constexpr int words_below = 3;                  ///< of an operand's lower word
    static constexpr std::uint32_t not_finite = 1U << 31U; ///< a place from which on nothing is known

    static sum_window of(T value) {
        const parts operand{value};
        sum_window made;
        if (!operand.is_finite()) {
            made.first = not_finite;
            return made;
        }
        made.first = static_cast<std::uint32_t>(std::max(operand.position() / 64 - words_below, 0));
        const exact_sum<T> whole{value};
        std::copy_n(whole.data().begin() + made.first, words, made.data.begin());
        return made;
    }

    std::uint64_t sign() const { return std::uint64_t{0} - (data.back() >> 63); }

    /// The same sum with a higher lowest word.
    void raise(std::uint32_t to) {
        if (to == first) return;
        const std::uint64_t above = sign();
        const auto kept = data.begin() + std::min<std::ptrdiff_t>(to - first, words);
        const bool is_cut = std::any_of(data.begin(), kept, [](std::uint64_t each) { return each != 0; });
        std::fill(std::copy(kept, data.end(), data.begin()), data.end(), above);
        inexact = (is_cut ? 1U : 0U) + (inexact != 0 ? 1U : 0U); // each of both is less than a unit
        first = to;
    }

    T value() const {
        constexpr T unknown = std::numeric_limits<T>::quiet_NaN();
        if (first >= not_finite) return unknown;
        const T least = rounded();
        if (inexact == 0) return least;
        sum_window most = *this;
        const std::array<std::uint64_t, words> units{inexact};
        add_words<words>(most.data.data(), units.data());
        return most.rounded() == least ? least : unknown;
    }

    /// Of the lower bound.
    T rounded() const {
        exact_sum<T> whole;
        auto& all = whole.data();
        constexpr std::size_t last = exact_sum<T>::words;
        for (std::size_t i = 0; i < words && first + i < last; ++i)
            all[first + i] = data[i];
        for (std::size_t i = first + words; i < last; ++i)
            all[i] = sign();
        return whole.value();
    }
};

} // namespace topo::detail
