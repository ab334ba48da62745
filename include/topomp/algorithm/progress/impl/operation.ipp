// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <string>
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

TOPOMP_INLINE void keep_for_good(std::unique_ptr<operation> failed) noexcept {
    static std::atomic<operation*> last{nullptr};
    operation* const now = failed.release();
    now->given_up_before_ = last.load(std::memory_order_relaxed);
    while (!last.compare_exchange_weak(now->given_up_before_, now))
        ;
    now->let_go();
}

TOPOMP_INLINE void keep_given_up(std::unique_ptr<operation> failed, left_behind& among) noexcept {
    among.add(*failed);
    keep_for_good(std::move(failed));
}

TOPOMP_INLINE void refuse_after_failure(const char* call, const char* object, const char* failed) {
    throw usage_error(
        call, object,
        std::string{failed} +
            " has failed, of which messages may still come: make a new hierarchy, on all ranks");
}

TOPOMP_INLINE void keep_for_messages(std::shared_ptr<const void> memory) {
    class holder final : public operation {
        bool advance() override { return true; }
    };
    auto holds = std::make_unique<holder>();
    holds->keep(std::move(memory));
    keep_for_good(std::move(holds));
}

TOPOMP_INLINE void give_up(std::unique_ptr<operation> failed, left_behind& among) noexcept {
    among.add(*failed);
    if (!failed->is_idle()) keep_for_good(std::move(failed));
}

TOPOMP_INLINE void left_behind::add(std::span<const MPI_Request> messages) {
    is_any_ = true;
    std::ranges::remove_copy(messages, std::back_inserter(messages_), MPI_REQUEST_NULL);
}

TOPOMP_INLINE void left_behind::add(operation& failed) {
    for (operation* at = &failed; at != nullptr; at = at->part_)
        add(at->slots_);
}

TOPOMP_INLINE void left_behind::keep_if_used(const boost::mpi::communicator& comm) const noexcept {
    // SimGrid's MPI_Request_get_status says of each message that it has come.
    if (is_simulated || !is_any_ || !mpi::is_running()) [[likely]]
        return;
    int is_unasked = 0;
    const bool is_used =
        std::ranges::any_of(messages_,
                            [](MPI_Request each) {
                                int has_come = 1;
                                MPI_Request_get_status(each, &has_come, MPI_STATUS_IGNORE);
                                return has_come == 0;
                            }) ||
        (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_unasked, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
         is_unasked != 0);
    if (is_used) keep_for_messages(std::make_shared<boost::mpi::communicator>(comm));
}

TOPOMP_INLINE bool are_free(const std::vector<MPI_Request>& slots, std::size_t first) {
    return std::all_of(slots.begin() + static_cast<std::ptrdiff_t>(first), slots.end(),
                       [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
}

} // namespace topo::detail
