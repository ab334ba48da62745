// SPDX-License-Identifier: BSL-1.0
#include "background.hpp"

#include "intercept.hpp"
#include <topomp/core/mpi.hpp>

#include <csignal>

namespace topo::preload {

kept_type::kept_type(MPI_Datatype given) : type_(given) {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    mpi::check(MPI_Type_get_envelope(given, &integers, &addresses, &types, &combiner),
               "MPI_Type_get_envelope", "datatype");
    if (combiner == MPI_COMBINER_NAMED) return;
    mpi::check(MPI_Type_contiguous(1, given, &made_), "MPI_Type_contiguous", "datatype");
    mpi::check(MPI_Type_commit(&made_), "MPI_Type_commit", "datatype");
    type_ = made_;
}

background& background::self() {
    static background& only = *new background; // as `process::self`
    return only;
}

std::unique_ptr<background_call> background::take() {
    const std::lock_guard lock{idle_mutex_};
    if (idle_.empty()) return std::make_unique<background_call>();
    auto taken = std::move(idle_.back());
    idle_.pop_back();
    return taken;
}

void own_message::send(int code) const {
    const char error = 0;
    MPI_Send(&error, code == MPI_SUCCESS ? 0 : 1, MPI_BYTE, rank, tag, comm);
}

/// Makes the program's request. The MPI calls the functions below where the program waits, tests or frees.
background_call* background::hand_out(std::unique_ptr<background_call> prepared) {
    if (prepared->end.is_awaited()) {
        prepared->owners = 1;
        return prepared.release();
    }
    mpi::check(MPI_Grequest_start(&query, &forget, &cancel, prepared.get(), &prepared->request),
               "MPI_Grequest_start", "non-blocking collective");
    prepared->owners = 2;
    return prepared.release();
}

/// Undoes that: the program gets an error in place of a request.
void background::take_back(background_call* call) {
    abandon(*call);
    if (call->end.is_awaited()) return release(call);
    MPI_Request request = call->request;
    complete(call);
    MPI_Request_free(&request);
}

/// The lock, and behind it a thread that wakes up.
std::unique_lock<std::mutex> background::turn_of_caller() {
    ++callers_;
    std::unique_lock lock{mutex_};
    --callers_;
    if (!thread_.joinable()) {
        // The program's signals are for its own threads.
        sigset_t all{}, before{};
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        thread_ = std::thread{[this] { work(); }};
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    return lock;
}

int background::query(void* state, MPI_Status* status) {
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return static_cast<background_call*>(state)->code;
}

int background::forget(void* state) {
    self().release(static_cast<background_call*>(state));
    return MPI_SUCCESS;
}

int background::cancel(void*, int) { return MPI_SUCCESS; } // collectives cannot be cancelled

void background::complete(background_call* call) {
    if (call->end.is_awaited())
        call->end.send(call->code);
    else
        MPI_Grequest_complete(call->request);
    release(call);
}

void background::release(background_call* call) {
    if (--call->owners > 0) return;
    call->code = MPI_SUCCESS;
    call->end = {};
    const std::lock_guard lock{idle_mutex_};
    idle_.emplace_back(call);
}

/// Frees what a collective held, before the program knows that it is complete, for it may end MPI next.
void background::finish(background_call& call) {
    if (call.at_end != nullptr) call.at_end(call);
    call.at_end = nullptr;
    call.give_back(*call.ranks, std::move(call.running));
    call.types.clear();
    call.kept.reset();
    call.ranks.reset();
}

/// After an error. Some messages may be under way for ever, so that what they use stays.
void background::abandon(background_call& call) {
    static_cast<void>(call.running.release());
    static_cast<void>(new auto{std::move(call.ranks)}); // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)
    static_cast<void>(new auto{std::move(call.kept)});  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)
    call.at_end = nullptr;
    call.types.clear();
}

void background::look() {
    std::erase_if(calls_, [this](background_call* call) {
        try {
            if (!looks_.test(*call->running)) return false;
            finish(*call);
        } catch (...) {
            call->code = code_of_exception();
            abandon(*call);
        }
        done_.push_back(call);
        return true;
    });
}

void background::work() {
    std::unique_lock lock{mutex_};
    while (true) {
        wake_.wait(lock, [this] { return is_ending_ || !calls_.empty(); });
        if (is_ending_) return;
        look();
        lock.unlock();
        for (background_call* const call : done_)
            complete(call);
        done_.clear();
        do
            std::this_thread::yield(); // the core is the program's
        while (callers_ > 0);
        lock.lock();
    }
}

void background::stop() noexcept {
    {
        const std::lock_guard lock{mutex_};
        if (!thread_.joinable()) return;
        is_ending_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

} // namespace topo::preload
