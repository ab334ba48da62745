// SPDX-License-Identifier: BSL-1.0
/// @file
/// Persistent collectives: made once, started many times.
#pragma once

#include "background.hpp"
#include "communicators.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <mpi.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace topo::preload {

class persistent_call;

/// Where a collective that does not wait starts, and what the program waits for.
class starter {
public:
    /// @param request is made
    starter(const background_ranks& on, MPI_Request* request) : on_(on), request_(request) {}
    /// A start of a persistent collective.
    starter(const background_ranks& on, persistent_call& again) : on_(on), again_(&again) {}

    const hierarchy& levels() const { return *on_.levels; }
    int rank() const { return on_.levels->whole().rank(); }
    const std::shared_ptr<const known_neighbours>& neighbours() const { return on_.neighbours; }
    /// Of a persistent collective, at each start; null: the collective may take any.
    const detail::fixed_tags* own_tags() const;

    /// @param call with what has to last @param begin starts an engine on a context, into the call
    template <class Begin>
    void operator()(std::unique_ptr<background_call> call, Begin begin) const;

private:
    const background_ranks& on_;
    MPI_Request* request_ = nullptr;
    persistent_call* again_ = nullptr;
};

/// A persistent collective that is topomp's. Its request is a persistent receive of nothing from the calling
/// rank itself. A start starts that, too, and the end of the collective sends the message. So waiting and
/// testing are the MPI's own.
class persistent_call : public std::enable_shared_from_this<persistent_call> {
public:
    /// @param tag that no other one has
    persistent_call(const background_ranks& on, int tag);
    persistent_call(const persistent_call&) = delete;
    persistent_call& operator=(const persistent_call&) = delete;

    MPI_Request request() const noexcept { return request_; }
    int tag() const noexcept { return end_.tag; }

    /// Keeps datatypes that the program may free, and has these point to what is kept. Null: not used
    void keep(std::span<MPI_Datatype* const> types);
    /// @param begin what each start does
    void begin_by(std::function<void(const starter&)> begin) { begin_ = std::move(begin); }

    /// Local. @return the MPI's error code
    int start() noexcept;

private:
    friend class starter;

    hierarchy levels_; ///< which the communicator's end does not end
    background_ranks on_;
    std::vector<kept_type> types_;
    detail::reserved_tags tags_; ///< the same at each start, for ranks may start several in different orders
    own_message end_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::function<void(const starter&)> begin_;
};

/// All of them, by their requests. One object.
class persistent_calls {
public:
    static persistent_calls& self();

    /// A new one. Its request is not started. @return null, on all ranks, if there are too many
    persistent_call* make(const background_ranks& on);
    /// The one of a request; null: the request is the MPI's own. @cost a load where there are none
    persistent_call* find(const MPI_Request* request);
    /// The program frees the request, whosever it is.
    void forget(const MPI_Request* request);
    bool are_there() const noexcept { return number_.load(std::memory_order_relaxed) > 0; }

private:
    std::atomic<std::size_t> number_{0};
    std::mutex mutex_; ///< of all below
    std::unordered_map<MPI_Request, std::shared_ptr<persistent_call>> calls_;
    std::vector<int> free_tags_;
    int next_tag_ = 0;
};

inline const detail::fixed_tags* starter::own_tags() const {
    return again_ == nullptr ? nullptr : &again_->tags_;
}

template <class Begin>
void starter::operator()(std::unique_ptr<background_call> call, Begin begin) const {
    if (again_ == nullptr) return background::self().start(on_.context, std::move(call), begin, request_);
    call->end = again_->end_;
    call->kept = again_->shared_from_this();
    background::self().start(
        on_.context, std::move(call),
        [&](detail::context& ranks, background_call& it) {
            again_->tags_.taken = 0;
            const detail::context::start_of_one now{ranks, &again_->tags_};
            begin(ranks, it);
        },
        nullptr);
}

} // namespace topo::preload
