// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void operation::await() {
    if (part_ != nullptr) return leaf().await();
    const auto [which, code] = mpi::wait_any(slots_);
    mpi::check(code, "MPI_Waitany", "messages of a collective");
    if (which == MPI_UNDEFINED) throw error("topo::operation", "collective", "it waits for nothing");
}

TOPOMP_INLINE bool operation::is_idle() const noexcept {
    return part_ == nullptr && !lends_memory_ && are_free(slots_, 0);
}

TOPOMP_INLINE void keep_given_up(std::unique_ptr<operation> failed) noexcept {
    static std::atomic<operation*> last{nullptr};
    operation* const now = failed.release();
    now->given_up_before_ = last.load(std::memory_order_relaxed);
    while (!last.compare_exchange_weak(now->given_up_before_, now))
        ;
    now->let_go();
}

TOPOMP_INLINE void keep_for_messages(std::shared_ptr<const void> memory) {
    class holder final : public operation {
        bool advance() override { return true; }
    };
    auto holds = std::make_unique<holder>();
    holds->keep(std::move(memory));
    keep_given_up(std::move(holds));
}

TOPOMP_INLINE void give_up(std::unique_ptr<operation> failed) noexcept {
    if (!failed->is_idle()) keep_given_up(std::move(failed));
}

TOPOMP_INLINE bool are_free(const std::vector<MPI_Request>& slots, std::size_t first) {
    return std::all_of(slots.begin() + static_cast<std::ptrdiff_t>(first), slots.end(),
                       [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
}

} // namespace topo::detail
