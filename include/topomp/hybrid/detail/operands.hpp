// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where the ranks of a group have their operands.
#pragma once

namespace topo::detail {

/// Where the ranks of a group have their operands.
class operands {
public:
    using of_rank = const void* (*)(const void* window, int rank);

    /// Each rank its own, which the others cannot read.
    explicit operands(const void* mine) : mine_(mine) {}
    /// In a window. @param find finds a rank's
    operands(const void* window, of_rank find, int rank)
        : mine_(find(window, rank)), window_(window), of_(find) {}

    const void* mine() const noexcept { return mine_; }
    bool are_shared() const noexcept { return of_ != nullptr; }
    const void* of(int rank) const { return of_(window_, rank); }

private:
    const void* mine_;
    const void* window_ = nullptr;
    of_rank of_ = nullptr;
};

} // namespace topo::detail
