// SPDX-License-Identifier: BSL-1.0
/// @file
/// Collectives of one hierarchy that are in progress at the same time.
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/background_work.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

/// The started collectives of one hierarchy that are not complete, and those of its parts. There is no
/// progress thread, so a rank that waits for one collective advances all: otherwise two ranks that wait for
/// two collectives in different orders would deadlock.
///
/// A rank that waits for something else in the memory of its node, or by `wait_for_all`, advances them, too.
class in_flight final : public background_work, public std::enable_shared_from_this<in_flight> {
public:
    /// Those of a hierarchy, made at first use. Local
    static in_flight& of(const hierarchy& levels);

    /// A hierarchy of some of the ranks, by which a collective of the whole hierarchy moves data, has these,
    /// too: what waits there goes on with all, and no other thread uses it meanwhile.
    /// @pre it has no context yet
    void include(const hierarchy& of_some_ranks);

    explicit in_flight(std::shared_ptr<background_slot> slot) : slot_(std::move(slot)) { slot_->work = this; }
    in_flight(const in_flight&) = delete;
    in_flight& operator=(const in_flight&) = delete;
    ~in_flight() override { slot_->work = nullptr; }

    /// What keeps the threads of a process from using one hierarchy's operations at the same time.
    class exclusion {
    public:
        virtual ~exclusion() = default;
        virtual void enter() = 0; ///< a thread may enter again
        virtual void leave() noexcept = 0;
        virtual int leave_wholly() noexcept = 0; ///< @return how often the thread had entered
        virtual void note_start() noexcept = 0;  ///< there is something to do
    };
    /// As long as it lives, no other thread uses these operations. @cost a load where there is one thread
    class turn {
    public:
        explicit turn(in_flight& whose) : of_(whose.exclusion_) {
            if (of_ != nullptr) [[unlikely]]
                of_->enter();
        }
        ~turn() {
            if (of_ != nullptr) [[unlikely]]
                of_->leave();
        }
        turn(const turn&) = delete;
        turn& operator=(const turn&) = delete;

    private:
        exclusion* of_;
    };
    /// As long as it lives, another thread may use these operations, while this one waits in a call of the
    /// MPI's. @pre this one has its turn
    class apart {
    public:
        explicit apart(in_flight& whose) : of_(whose.exclusion_) {
            if (of_ != nullptr) [[unlikely]]
                depth_ = of_->leave_wholly();
        }
        ~apart() {
            for (; depth_ > 0; --depth_)
                of_->enter();
        }
        apart(const apart&) = delete;
        apart& operator=(const apart&) = delete;

    private:
        exclusion* of_;
        int depth_ = 0;
    };
    /// Null: the caller makes sure that one thread is here at a time.
    void share_by(exclusion* by) noexcept { exclusion_ = by; }
    bool is_shared() const noexcept { return exclusion_ != nullptr; }

    bool empty() const noexcept { return operations_.empty(); }

    /// Whether there is nothing to do for a rank that waits elsewhere: nothing is under way, and no other
    /// thread advances operations.
    bool is_empty() const noexcept override { return exclusion_ == nullptr && has_no_other(); }
    /// Advances all but the one that waits now; does nothing where this rank is about to.
    TOPOMP_INLINE void go_on() noexcept override;
    /// Waits for messages that are no operation's, and meanwhile advances what was started.
    void wait_for_all(std::span<MPI_Request> messages, std::string_view object);

    /// Sends, and meanwhile advances what was started.
    void send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              std::string_view object);
    /// Receives, and meanwhile advances what was started.
    void receive(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 std::string_view object);

    /// Adds one and posts its first messages. @return whether it is complete
    bool begin(operation& one);

    /// Waits for one message of any of them, if one is not complete.
    /// @param is_enough whether the caller has what it waits for: another call may have completed it
    void await_any(function_ref<bool()> is_enough);

    /// Goes as far as possible with all. @return whether a message arrived
    bool advance_all();

    void add(operation& one) {
        operations_.push_back(&one);
        if (exclusion_ != nullptr) [[unlikely]]
            exclusion_->note_start();
    }
    void remove(operation& one) { std::erase(operations_, &one); }

    /// Waits for the end of one, inside MPI, so that a core shared with other ranks is given up.
    void wait(operation& one);

    /// Goes as far as possible without waiting. @return whether that one is complete
    bool test(operation& one);

    /// Goes on with one as far as what has arrived allows. @return whether it is complete, or has failed: its
    /// own test or wait throws that
    static bool is_complete(operation& one) noexcept;
    /// The same, but whether it is complete and has not failed.
    static bool has_ended_well(operation& one) noexcept {
        return is_complete(one) && one.failure_ == nullptr;
    }

    left_behind left; ///< by those that were given up

private:
    /// Whether there is none but the one that waits now.
    bool has_no_other() const noexcept {
        return operations_.empty() || (operations_.size() == 1 && operations_.front() == awaited_);
    }

    /// Where the requests of an operation begin among all that are tested.
    struct part {
        operation* whose = nullptr;
        std::size_t begin = 0;
    };
    /// Whether an operation waits for signals of other ranks, not for messages only.
    static bool looks_at_memory(const part& each) {
        return each.whose->failure_ == nullptr && each.whose->leaf().looks_at_memory_;
    }

    /// As long as it lives, no call from within advances anything.
    class going_on {
    public:
        explicit going_on(in_flight& whose) : of_(whose), before_(std::exchange(whose.goes_on_, true)) {}
        ~going_on() { of_.goes_on_ = before_; }
        going_on(const going_on&) = delete;
        going_on& operator=(const going_on&) = delete;

    private:
        in_flight& of_;
        bool before_;
    };

    /// The requests of one operation and of all others in flight but `awaited_`, in one array.
    void collect(operation& one);
    void append(operation& next);

    /// Waits for one message. If an operation waits for a value in shared memory, tests for a message only,
    /// and gives up the core if none has arrived.
    void await();

    /// Takes a message of what `collect` has listed, if one has arrived; else goes on with those of the
    /// others that look at memory. @return whether one has
    bool take_arrival();

    /// Goes on with one until it has to wait, which is not for messages that were complete when it had sent
    /// them. @return whether it is complete
    static bool advance(operation& one);

    /// What `is_complete` does, for the wait or test of that operation. @throws what it has failed by
    static bool is_done(operation& one);

    /// Goes on with all up to the first that is not complete. @return it, or null
    operation* first_incomplete();

    /// Frees the slot of a message that has arrived; the caller advances the first operation.
    /// @param code that of the MPI for this message: its operation has failed, if that is an error
    void note_arrival(int which, int code);
    void note_failure(operation& owner, int code);

    std::shared_ptr<background_slot> slot_;
    operation* awaited_ = nullptr; ///< the one whose wait is running, which alone advances it
    bool goes_on_ = false;
    std::size_t arrivals_ = 0; ///< of messages, so far
    exclusion* exclusion_ = nullptr;
    std::vector<operation*> operations_;
    std::vector<part> parts_;
    std::vector<MPI_Request> requests_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/progress/impl/in_flight.ipp>
#endif
