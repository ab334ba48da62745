// SPDX-License-Identifier: BSL-1.0
/// @file
/// Short texts that the compiler puts together.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace topo::detail {

/// A text of at most 96 characters. @pre longer ones are not compiled
class fixed_text {
public:
    constexpr fixed_text() = default;
    constexpr fixed_text(std::string_view text) { append(text); }

    constexpr fixed_text with(std::string_view text) const {
        fixed_text made = *this;
        made.append(text);
        return made;
    }
    /// @param number at least 0
    constexpr fixed_text with(std::size_t number) const {
        fixed_text made = number < 10 ? *this : with(number / 10);
        made.text_[made.size_++] = static_cast<char>('0' + number % 10);
        return made;
    }
    constexpr fixed_text with(int number) const { return with(static_cast<std::size_t>(number)); }

    constexpr std::string_view view() const { return {text_.data(), size_}; }

private:
    constexpr void append(std::string_view text) {
        for (const char each : text)
            text_[size_++] = each;
    }

    std::array<char, 96> text_{};
    std::size_t size_ = 0;
};

} // namespace topo::detail
