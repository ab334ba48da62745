// SPDX-License-Identifier: BSL-1.0
/// @file
/// Non-blocking collectives: who moves their messages while the program does something else.
#pragma once

#include "kept.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/detail/background_work.hpp>

#include <mpi.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace topo::preload {

/// A datatype that stays although the program frees its own; the attributes of that, whose callbacks are the
/// program's, it does not have.
class kept_type {
public:
    kept_type() = default;
    explicit kept_type(MPI_Datatype given);
    kept_type(kept_type&& other) noexcept { swap(other); }
    kept_type& operator=(kept_type&& other) noexcept {
        swap(other);
        return *this;
    }
    ~kept_type() {
        if (made_ != MPI_DATATYPE_NULL) MPI_Type_free(&made_);
    }

    MPI_Datatype type() const noexcept { return type_; }

private:
    void swap(kept_type& other) noexcept {
        std::swap(type_, other.type_);
        std::swap(made_, other.made_);
    }

    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Datatype made_ = MPI_DATATYPE_NULL; ///< null: it is one of MPI's own
};

/// A message of nothing from the calling rank to itself. Not on a communicator of one rank: there threads of
/// MPICH (4.0.2) lose messages.
struct own_message {
    MPI_Comm comm = MPI_COMM_NULL; ///< null: there is no message
    int rank = 0;                  ///< the calling one
    int tag = 0;                   ///< that nothing else has

    bool is_awaited() const noexcept { return comm != MPI_COMM_NULL; }
    /// @param code an error: the receive returns one, that the message is too long
    void send(int code) const;
};

/// A collective on its way, and what has to last as long as it.
struct background_call {
    std::shared_ptr<detail::context> ranks; ///< outlives a communicator that is freed meanwhile
    std::unique_ptr<detail::operation> running;
    void (*give_back)(detail::context&, std::unique_ptr<detail::operation>) = nullptr;
    std::vector<kept_type> types;
    std::array<block_arrays, 2> lengths;        ///< of blocks, where these are not equal
    detail::scratch_buffer room;                ///< a copy of the data, where one is needed
    message target;                             ///< where `room` is unpacked to at the end
    void (*at_end)(background_call&) = nullptr; ///< the last thing to do, if any
    std::shared_ptr<const void> kept;           ///< what else has to last
    MPI_Request request = MPI_REQUEST_NULL;
    own_message end;        ///< for which a persistent request waits
    int code = MPI_SUCCESS; ///< what the program's wait returns
    /// The library, until its work is done, and the program, until its request is freed; MPICH lets it free
    /// one before.
    std::atomic<int> owners{0};

    /// The same datatype, which lasts as long as the call.
    MPI_Datatype keep(MPI_Datatype given) { return types.emplace_back(given).type(); }

    /// What an engine is told to do with its operation.
    template <class Operation, class Start>
    void operator()(detail::operation_pool<Operation>& pool, Start start) {
        running = detail::take_started(pool, start);
        give_back = [](detail::context& its, std::unique_ptr<detail::operation> done) {
            its.pool<Operation>().give_back(
                std::unique_ptr<Operation>{static_cast<Operation*>(done.release())});
        };
    }
};

/// All non-blocking collectives that are topomp's, and a thread that moves their messages. It sleeps while
/// there are none. So a rank may wait in any of MPI's functions, as MPI's rule of progress says.
///
/// Each request is a generalized one of the MPI's, so that waiting and testing stay the MPI's own; that of a
/// persistent collective is a receive, as `persistent_call` says.
///
/// These collectives have teams of their own, for which this object has one lock. It is held while a
/// collective starts and while the thread looks after all of them, never while anybody waits: so blocking
/// calls, whose teams are others, need no lock, and no call waits for the end of another.
class background {
public:
    static background& self();

    /// Starts a collective.
    /// @param ranks where, not used by any blocking call @param prepared with what has to last
    /// @param begin starts an engine on these ranks, with the call in place of `to_the_end`
    /// @param request is made; null: that of a persistent collective is started already
    /// @throws what `begin` throws; there is no new request then
    template <class Begin>
    void start(std::shared_ptr<detail::context> ranks, std::unique_ptr<background_call> prepared, Begin begin,
               MPI_Request* request) {
        background_call* const call = hand_out(std::move(prepared));
        call->ranks = std::move(ranks);
        bool is_done = false;
        try {
            const std::unique_lock lock = turn_of_caller();
            begin(*call->ranks, *call);
            is_done = looks_.test(*call->running); // the first messages leave now
            if (is_done) {
                finish(*call);
            } else {
                calls_.push_back(call);
                wake_.notify_one();
            }
        } catch (...) {
            take_back(call);
            throw;
        }
        if (request != nullptr) *request = call->request;
        if (is_done) complete(call);
    }

    /// A call without anything in it, of those that are over where there is one.
    std::unique_ptr<background_call> take();

    /// Ends the thread. A program that follows the rules has completed all its requests.
    void stop() noexcept;

private:
    static int query(void* state, MPI_Status* status);
    static int forget(void* state);
    static int cancel(void* state, int is_complete);

    background_call* hand_out(std::unique_ptr<background_call> prepared);
    void take_back(background_call* call);
    std::unique_lock<std::mutex> turn_of_caller();
    static void finish(background_call& call);
    static void abandon(background_call& call);
    void complete(background_call* call);
    void release(background_call* call);
    void work();
    void look();

    std::mutex mutex_; ///< of all below and of what teams keep
    std::condition_variable wake_;
    detail::in_flight looks_{
        std::make_shared<detail::background_slot>()}; ///< only looks: each collective alone
    std::vector<background_call*> calls_;
    std::thread thread_;
    bool is_ending_ = false;
    std::vector<background_call*> done_; ///< the thread's
    std::atomic<int> callers_{0};        ///< that wait for the lock, and go before the thread

    std::mutex idle_mutex_; ///< of the list below; nothing is called while it is held
    std::vector<std::unique_ptr<background_call>> idle_;
};

} // namespace topo::preload
