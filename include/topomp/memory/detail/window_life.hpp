// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether a window is still where it was, for collectives that last longer than a call.
#pragma once

#include <topomp/core/detail/checked.hpp>

#include <memory>
#include <type_traits>

namespace topo::detail {

/// Of a window, in a checked build. It has no copy: one that is moved, or assigned to, is another one.
class window_life {
public:
    window_life() = default;
    window_life(window_life&& other) noexcept { other.is_there_.reset(); }
    window_life& operator=(window_life&& other) noexcept {
        is_there_.reset();
        other.is_there_.reset();
        return *this;
    }
    window_life(const window_life&) = delete;
    window_life& operator=(const window_life&) = delete;
    ~window_life() = default;

    /// Expires when the window ends or is moved. Local
    std::weak_ptr<const void> watch() const {
        if (is_there_ == nullptr) is_there_ = std::make_shared<char>();
        return is_there_;
    }

private:
    mutable std::shared_ptr<const void> is_there_; ///< made for the first that watches
};

/// The same of a build without checks, where nobody asks.
struct unwatched_life {
    struct nothing {};
    nothing watch() const noexcept { return {}; }
};

using life_of_window = std::conditional_t<is_checked, window_life, unwatched_life>;

/// What a collective keeps of a window's life.
struct watched_window {
    [[no_unique_address]] decltype(life_of_window{}.watch()) life;
};

} // namespace topo::detail
