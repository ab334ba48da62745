// SPDX-License-Identifier: BSL-1.0
/// @file
/// A collective that has started and goes on while the caller works.
#pragma once

#include <topomp/collective/detail/watched_buffers.hpp>
#include <topomp/core/detail/owned.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace topo {

namespace detail {
struct at_once;
struct in_background;
struct progress_of;
class operation;
class context;
class in_flight;
} // namespace detail

/// A collective that has started. Until it is complete, the caller must not use its buffers.
///
/// Progress is guaranteed only while a rank is inside `test` or `wait` of a request of the same hierarchy,
/// unless a `progress_thread` works for it. Ranks may wait for their requests in any order. All other
/// synchronising calls, the hierarchy's blocking verbs among them, must come at the same place between the
/// waits of all ranks.
///
/// A request, and the requests of one hierarchy, must be used by one thread at a time. One that was moved
/// from is like one of a collective that is complete. To test or wait for an active one beyond
/// `MPI_Finalize` throws a usage_error; it may be destroyed, which frees nothing then. Where `test` or `wait`
/// throws, the collective is given up and the request is no longer active; messages may still arrive in the
/// caller's buffer.
class [[nodiscard]] request {
public:
    /// One of a collective that is complete.
    request() noexcept;
    /// All of these as one, complete when each is.
    explicit request(std::vector<request> parts);
    /// Takes over the other's collective.
    request(request&& other) noexcept;
    /// Waits for the collective that this request had before. May throw.
    request& operator=(request&& other); // NOLINT(performance-noexcept-move-constructor)
    /// Waits, because messages under way still use the buffers. A failure is not reported here: `wait`
    /// throws.
    ~request();

    /// Whether the collective is not complete, as far as is known; in a checked build until `test` or `wait`
    /// has found that, and its buffers where they were. Local
    bool active() const noexcept { return is_under_way() || buffers_.are_any(); }

    /// Goes on as far as possible without waiting. @return whether the collective is complete on this rank
    bool test();

    /// Waits until the collective is complete on this rank, inside MPI: a core that other ranks share is
    /// given up as far as the MPI does that. @throws in a checked build, when it is complete, argument_error
    /// if a container that was given as a buffer has moved its elements, usage_error if a window has ended or
    /// was moved; so does `test`
    void wait();

private:
    friend struct detail::at_once;
    friend struct detail::in_background;
    friend struct detail::progress_of;

    bool is_under_way() const noexcept { return running_ != nullptr || !parts_.empty(); }

    void require_usable(const char* member) const;

    void swap(request& other) noexcept;

    /// What has failed cannot be waited for again.
    template <class Step>
    bool go_on(Step step);

    void finish();
    /// In a checked build: looks for the last time whether the buffers are where they were.
    void leave_buffers();

    std::optional<hierarchy> levels_;   ///< which keeps its communicators
    std::shared_ptr<const void> alive_; ///< the same of a collective that has no hierarchy
    detail::in_flight* among_ = nullptr;
    detail::owned<detail::operation> running_;
    void* pool_ = nullptr; ///< to which the operation belongs
    void (*give_back_)(void* pool, std::unique_ptr<detail::operation>) = nullptr;
    std::vector<request> parts_;
    [[no_unique_address]] detail::buffers_of_call buffers_; ///< in checked builds
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/request.ipp>
#endif
