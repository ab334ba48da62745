// SPDX-License-Identifier: BSL-1.0
/// @file
/// Operations one after the other, as one.
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

/// Parts one after the other: each begins when the one before is complete on this rank. A part that
/// communicates has its tags before the first one begins, because ranks begin it at different times.
class sequence final : public operation {
public:
    /// What a part does: starts an operation, or does all that there is to do and returns null.
    using part = std::function<operation*()>;

    /// @param let_go called when it has been given up; it does not throw
    explicit sequence(std::vector<part> parts, std::function<void()> let_go = {})
        : parts_(std::move(parts)), let_go_(std::move(let_go)) {}

    void start() noexcept {
        next_ = 0;
        part_ = nullptr;
    }

private:
    TOPOMP_INLINE bool advance() override;
    void let_go() noexcept override {
        if (let_go_) let_go_();
    }

    std::vector<part> parts_;
    std::function<void()> let_go_;
    std::size_t next_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/progress/impl/sequence.ipp>
#endif
