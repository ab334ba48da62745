// SPDX-License-Identifier: BSL-1.0
/// @file
/// The rules of a plan: a list that lives as long as the program.
#pragma once

#include <array>
#include <cstddef>

namespace topo::detail {

/// A view of them. No `std::span`: to make one of an array, GCC asks the concepts of ranges about each type
/// of rule, which takes a fiftieth of what a program with Boost.MPI takes to compile.
template <class Rule>
class rule_list {
public:
    constexpr rule_list() = default;
    constexpr rule_list(const Rule* first, std::size_t number) : first_(first), number_(number) {}
    template <std::size_t Number>
    constexpr rule_list(const std::array<Rule, Number>& rules) : rule_list(rules.data(), Number) {}

    constexpr const Rule* data() const { return first_; }
    constexpr std::size_t size() const { return number_; }
    constexpr bool empty() const { return number_ == 0; }
    constexpr const Rule* begin() const { return first_; }
    constexpr const Rule* end() const { return first_ + number_; }
    constexpr const Rule& operator[](std::size_t i) const { return first_[i]; }
    constexpr const Rule& front() const { return first_[0]; }
    constexpr const Rule& back() const { return first_[number_ - 1]; }

    /// By the rules, wherever they are. No algorithm of the standard library, which every file with a verb
    /// would instantiate.
    friend constexpr bool operator==(const rule_list& a, const rule_list& b) {
        if (a.number_ != b.number_) return false;
        for (std::size_t i = 0; i < a.number_; ++i)
            if (!(a.first_[i] == b.first_[i])) return false;
        return true;
    }

private:
    const Rule* first_ = nullptr;
    std::size_t number_ = 0;
};

} // namespace topo::detail
