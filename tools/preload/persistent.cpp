// SPDX-License-Identifier: BSL-1.0
#include "persistent.hpp"

#include "intercept.hpp"
#include "intercepted.hpp"
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

namespace topo::preload {

persistent_call::persistent_call(const background_ranks& on, int tag)
    : levels_(*on.levels), on_(on),
      tags_(on.context->reserve_tags()), end_{levels_.whole(), levels_.whole().rank(), tag} {
    on_.levels = &levels_;
    mpi::check(MPI_Recv_init(nullptr, 0, MPI_BYTE, end_.rank, tag, end_.comm, &request_), "MPI_Recv_init",
               "persistent collective");
}

void persistent_call::keep(std::span<MPI_Datatype* const> types) {
    for (MPI_Datatype* const each : types)
        if (each != nullptr) *each = types_.emplace_back(*each).type();
}

int persistent_call::start() noexcept {
    if (const int code = MPI_Start(&request_); code != MPI_SUCCESS) return code;
    try {
        begin_(starter{on_, *this});
        return MPI_SUCCESS;
    } catch (...) {
        const int code = code_of_exception();
        end_.send(MPI_SUCCESS);
        MPI_Wait(&request_, MPI_STATUS_IGNORE);
        return code;
    }
}

persistent_calls& persistent_calls::self() {
    static persistent_calls& only = *new persistent_calls; // as `process::self`
    return only;
}

persistent_call* persistent_calls::make(const background_ranks& on) {
    const int tag = [&] {
        const std::lock_guard lock{mutex_};
        if (free_tags_.empty()) return next_tag_++;
        const int freed = free_tags_.back();
        free_tags_.pop_back();
        return freed;
    }();
    std::shared_ptr<persistent_call> made;
    try {
        made = std::make_shared<persistent_call>(on, tag); // may wait for other ranks
    } catch (const usage_error&) {                         // no tags are left
        const std::lock_guard lock{mutex_};
        free_tags_.push_back(tag);
        return nullptr;
    }
    const std::lock_guard lock{mutex_};
    persistent_call* const call = made.get();
    calls_[call->request()] = std::move(made);
    ++number_;
    return call;
}

persistent_call* persistent_calls::find(const MPI_Request* request) {
    if (request == nullptr || !are_there()) return nullptr;
    const std::lock_guard lock{mutex_};
    const auto found = calls_.find(*request);
    return found == calls_.end() ? nullptr : found->second.get();
}

void persistent_calls::forget(const MPI_Request* request) {
    if (request == nullptr || !are_there()) return;
    std::shared_ptr<persistent_call> forgotten; // ends without the lock
    const std::lock_guard lock{mutex_};
    const auto found = calls_.find(*request);
    if (found == calls_.end()) return;
    forgotten = std::move(found->second);
    free_tags_.push_back(forgotten->tag());
    calls_.erase(found);
    --number_;
}

} // namespace topo::preload

using topo::preload::persistent_calls;

extern "C" {

int intercepted_MPI_Start(MPI_Request* request) {
    if (auto* const ours = persistent_calls::self().find(request)) return ours->start();
    return MPI_Start(request);
}

int intercepted_MPI_Startall(int count, MPI_Request* requests) {
    if (!persistent_calls::self().are_there()) return MPI_Startall(count, requests);
    for (int i = 0; i < count; ++i)
        if (const int code = intercepted_MPI_Start(requests + i); code != MPI_SUCCESS) return code;
    return MPI_SUCCESS;
}

int intercepted_MPI_Request_free(MPI_Request* request) {
    persistent_calls::self().forget(request);
    return MPI_Request_free(request);
}

} // extern "C"
