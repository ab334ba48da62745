// SPDX-License-Identifier: BSL-1.0
/// @file
/// Lists of integers of any type.
#pragma once

#include <topomp/core/detail/ranges.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo {

namespace detail {

template <class R>
concept range_of_integers = (usual_range<R> || is_input_range<R>)&&std::integral<element_value_t<R>>;

template <class Integer>
inline constexpr bool is_as_wide_as_size =
    std::is_same_v<Integer, std::size_t> || std::is_same_v<Integer, std::make_signed_t<std::size_t>>;
/// Integers that need no copy: they stay, as `std::size_t`, from which they may differ in the sign.
template <class R>
concept viewed_integers = outlives_call<R> && is_as_wide_as_size<element_value_t<R>> && consecutive<R>;

} // namespace detail

/// Counts or positions of blocks: any range of integers, such as MPI's arrays of int.
///
/// A view of consecutive integers as large as `std::size_t`, which must outlast it; a copy of all others, and
/// of a temporary. A negative number stands here as the large one that it is converted to, and is refused by
/// the verb that gets it.
class integers {
    /// Not applied to `integers` itself, because the constraint would depend on itself.
    template <class R>
    static constexpr bool is_other = !std::is_same_v<std::remove_cvref_t<R>, integers>;

public:
    integers() = default;
    ~integers();
    /// Copies as many numbers as there are: of a view none.
    integers(const integers& other);
    /// The same.
    integers(integers&& other) noexcept;
    /// The same.
    integers& operator=(const integers& other);
    /// The same.
    integers& operator=(integers&& other) noexcept;

    /// Any range of integers. Those as wide as `std::size_t` that outlive the call are viewed, others copied.
    template <class R>
        requires(is_other<R>)
    &&detail::range_of_integers<R>
    integers(R&& values) { // NOLINT(bugprone-forwarding-reference-overload): constrained
        if constexpr (detail::viewed_integers<R>)
            view(
                reinterpret_cast<const std::size_t*>(detail::data_of(values)), // which may differ in the sign
                detail::length_of(values));
        else
            copy(values);
    }
    /// `{2, 0, 5}`
    template <std::integral Integer>
    integers(std::initializer_list<Integer> values) {
        copy(values);
    }

    /// The same numbers without a copy. @pre this object, and what it views, outlasts the view
    integers view() const noexcept {
        integers same;
        same.view(data(), size_);
        return same;
    }

    /// Sums of the numbers before each: where blocks of these lengths begin, one behind the other.
    static integers sums_before(const integers& lengths);

    /// All of them, as the members of a span below. Valid as long as this object, and what it views.
    operator std::span<const std::size_t>() const noexcept;
    /// The first.
    auto begin() const noexcept { return data(); }
    /// Past the last.
    auto end() const noexcept { return data() + size_; }
    /// The address of the first.
    const std::size_t* data() const noexcept { return elsewhere_ != nullptr ? elsewhere_ : few_.data(); }
    /// How many there are.
    std::size_t size() const noexcept { return size_; }
    /// Whether there are none.
    bool empty() const noexcept { return size_ == 0; }
    /// One of them. @pre `index < size()`
    std::size_t operator[](std::size_t index) const { return data()[index]; }

private:
    void view(const std::size_t* first, std::size_t size) noexcept {
        elsewhere_ = first;
        size_ = size;
    }

    template <class R>
    void copy(R& values) {
        if constexpr (detail::usual_range<R> || std::ranges::sized_range<R>) {
            std::size_t* const room = make_room(detail::length_of(values));
            std::size_t next = 0;
            for (const auto each : values)
                room[next++] = static_cast<std::size_t>(each);
        } else {
            std::vector<std::size_t> numbers;
            for (const auto each : values)
                append(numbers, static_cast<std::size_t>(each));
            copy(numbers);
        }
    }
    static void append(std::vector<std::size_t>& numbers, std::size_t next);
    /// All but `many_`.
    void take(const integers& other) noexcept;
    /// Where so many numbers of its own go.
    std::size_t* make_room(std::size_t size) {
        size_ = size;
        return size <= few_.size() ? few_.data() : allocate();
    }
    std::size_t* allocate();

    std::size_t size_ = 0;
    const std::size_t* elsewhere_ = nullptr; ///< what is viewed, or `many_`; null: `few_`
    std::array<std::size_t, 8> few_;         ///< a copy of few numbers costs no allocation
    std::shared_ptr<std::size_t[]> many_;    ///< a copy of many
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/integers.ipp>
#endif
