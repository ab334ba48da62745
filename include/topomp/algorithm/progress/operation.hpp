// SPDX-License-Identifier: BSL-1.0
/// @file
/// A collective in progress: messages in flight, and the action when some have arrived.
#pragma once

#include <topomp/core/detail/inline.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// A collective in progress. Engines never wait: they post messages into slots, and `advance` tests which
/// slots have become free. So the same code implements the blocking and the nonblocking form, and several
/// engines can be in progress at the same time.
class operation {
public:
    operation() = default;
    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;
    virtual ~operation() = default;

    /// Keeps something until the operation is idle again, such as the counts of a call.
    void keep(std::shared_ptr<const void> something) noexcept { kept_ = std::move(something); }
    void release_kept() noexcept { kept_.reset(); }

    /// Whether no message of it is under way, and so none can arrive in its memory.
    bool is_idle() const noexcept;

    /// Starts once more, with the arguments and tags of the last start, which it has kept with all that
    /// followed from them. Local. @return whether it has; if not, nothing has happened
    virtual bool start_again() { return false; }

    /// Called when the operation has failed and is not advanced any more; its wait or test reports that
    /// later.
    virtual void note_failure() noexcept {}

protected:
    friend class in_flight;
    friend class sequence;
    friend class posted_lanes;

    /// It has been given up: of all that it has, only the memory of its messages is still needed.
    virtual void let_go() noexcept {}

    /// Posts what can be posted. Nothing happens after the end. @return whether everything is done
    virtual bool advance() = 0;

    /// Waits until it can go on. Nothing else is under way.
    TOPOMP_INLINE virtual void await();

    /// From now on this one waits for the messages of a part that starts, and goes on with it.
    void begin_part(operation& part) noexcept { part_ = &part; }
    /// Goes on with the part that began last. @return whether it is complete
    bool has_ended_part() {
        if (part_ != nullptr && !part_->advance()) return false;
        part_ = nullptr;
        return true;
    }

    std::vector<MPI_Request> slots_; ///< MPI_REQUEST_NULL: free
    bool looks_at_memory_ = false;   ///< it waits for signals of other ranks, not for messages only
    bool lends_memory_ = false;      ///< messages of other operations may be under way in its memory

private:
    /// The operation whose messages this one waits for: itself, or the part of it that is under way.
    operation& leaf() noexcept {
        operation* at = this;
        while (at->part_ != nullptr)
            at = at->part_;
        return *at;
    }

    operation* part_ = nullptr;
    std::shared_ptr<const void> kept_;
    std::exception_ptr failure_; ///< found in the wait for another operation, for that of this one

    operation* given_up_before_ = nullptr; ///< another one, so that all are reachable

    friend class left_behind;
    friend void keep_for_good(std::unique_ptr<operation> failed) noexcept;
    template <class Operation>
    friend void give_back_to_pool(void* pool, std::unique_ptr<operation> done);
};

/// Whether no message is under way in the slots from `first` on.
bool are_free(const std::vector<MPI_Request>& slots, std::size_t first);

/// What operations of one hierarchy that have failed leave on its communicators.
class left_behind {
public:
    void add(std::span<const MPI_Request> messages);
    void add(operation& failed);

    /// So far, whether they have come or not.
    std::size_t messages() const noexcept { return messages_.size(); }

    /// Keeps a communicator of the library's own from being freed, to the end of the program, if one of
    /// these messages is still under way, or a message has arrived that was not received: MPICH (4.0) gives
    /// the number of a freed communicator to the next one all the same, whose messages would match these
    /// receives.
    void keep_if_used(const boost::mpi::communicator& comm) const noexcept;

private:
    bool is_any_ = false;
    std::vector<MPI_Request> messages_;
};

/// Keeps the memory of an operation that has failed until the end of the program, because messages may still
/// arrive in it. Receives are not cancelled: what others still send to them would be taken for messages of a
/// later collective.
void keep_given_up(std::unique_ptr<operation> failed, left_behind& among) noexcept;

/// Refuses a call that might take messages of one that has failed before. @param failed what that was
[[noreturn]] void refuse_after_failure(const char* call, const char* object, const char* failed);

/// The same, but frees one that is idle.
void give_up(std::unique_ptr<operation> failed, left_behind& among) noexcept;

/// Keeps memory of a call that has failed, as long and for the same reason.
void keep_for_messages(std::shared_ptr<const void> memory);

/// Calls `use()`. If that throws, what `memory` has lasts: messages may be under way to it.
template <class Memory, class Use>
decltype(auto) keep_if_failed(Memory& memory, Use use) {
    try {
        return use();
    } catch (...) {
        keep_for_messages(std::make_shared<Memory>(std::exchange(memory, Memory{})));
        throw;
    }
}

class in_flight;

/// Idle operations of one type, reused so that a repeated call allocates nothing.
template <class Operation>
class operation_pool {
public:
    /// @param others those of the same hierarchy that are running
    explicit operation_pool(in_flight& others) : others_(others) {}

    in_flight& others() const noexcept { return others_; }

    std::unique_ptr<Operation> take() {
        if (idle_.empty()) return std::make_unique<Operation>();
        auto taken = std::move(idle_.back());
        idle_.pop_back();
        return taken;
    }
    void give_back(std::unique_ptr<Operation> done) { idle_.push_back(std::move(done)); }

private:
    in_flight& others_;
    std::vector<std::unique_ptr<Operation>> idle_;
};

/// Calls `start(*one)`, and gives it up if that throws: messages of it may be under way.
template <class Operation, class Start>
std::unique_ptr<Operation> start_or_give_up(std::unique_ptr<Operation> one, left_behind& among,
                                            Start&& start) {
    try {
        start(*one);
    } catch (...) {
        give_up(std::move(one), among);
        throw;
    }
    return one;
}

/// Starts one from the pool.
template <class Operation, class Start>
std::unique_ptr<Operation> take_started(operation_pool<Operation>& pool, Start& start) {
    return start_or_give_up(pool.take(), pool.others().left, start);
}

/// Ends the use of an operation.
template <class Operation>
void give_back_to_pool(void* pool, std::unique_ptr<operation> done) {
    auto& to = *static_cast<operation_pool<Operation>*>(pool);
    if (!done->is_idle()) [[unlikely]] // it has failed
        return keep_given_up(std::move(done), to.others().left);
    done->release_kept();
    done->failure_ = nullptr;
    to.give_back(std::unique_ptr<Operation>{static_cast<Operation*>(done.release())});
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/progress/impl/operation.ipp>
#endif
