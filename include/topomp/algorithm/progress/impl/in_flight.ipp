// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/background_slot_of.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <sched.h>
#include <span>
#include <string_view>
#include <utility>

namespace topo::detail {

/// An attachment of a hierarchy that is there before all that use it, and so ends after them.
TOPOMP_INLINE in_flight& in_flight::of(const hierarchy& levels) {
    return levels.attachment<in_flight>(
        [&] { return std::make_shared<in_flight>(background_slot_of(levels)); });
}

TOPOMP_INLINE void in_flight::include(const hierarchy& of_some_ranks) {
    share_background_slot(of_some_ranks, slot_);
    of_some_ranks.attachment<in_flight>([&] { return shared_from_this(); });
}

TOPOMP_INLINE void in_flight::wait(operation& one) {
    struct mark {
        in_flight& all;
        operation* before;
        ~mark() { all.awaited_ = before; }
    };
    const mark one_waits{*this, std::exchange(awaited_, &one)};
    while (!is_done(one)) {
        if (has_no_other()) {
            one.await();
        } else {
            const going_on now{*this};
            collect(one);
            await();
        }
    }
}

TOPOMP_INLINE bool in_flight::begin(operation& one) {
    add(one);
    const going_on now{*this};
    return is_done(one);
}

TOPOMP_INLINE void in_flight::go_on() noexcept {
    try {
        const turn alone{*this};
        if (!goes_on_) advance_all();
    } catch (...) { // the program's own test or wait meets the same failure
    }
}

TOPOMP_INLINE void in_flight::wait_for_all(std::span<MPI_Request> messages, std::string_view object) {
    const auto number = static_cast<int>(messages.size());
#ifndef SMPI_H // whose tests of messages take 100 us
    while (!has_no_other()) {
        int all = 0;
        mpi::check(MPI_Testall(number, messages.data(), &all, MPI_STATUSES_IGNORE), "MPI_Testall", object);
        if (all != 0) return;
        go_on();
        sched_yield();
    }
#endif
    mpi::check(MPI_Waitall(number, messages.data(), MPI_STATUSES_IGNORE), "MPI_Waitall", object);
}

TOPOMP_INLINE void in_flight::send(const void* data, int count, MPI_Datatype type, int to, int tag,
                                   MPI_Comm comm, std::string_view object) {
    if (has_no_other()) return mpi::check(MPI_Send(data, count, type, to, tag, comm), "MPI_Send", object);
    MPI_Request sent = MPI_REQUEST_NULL;
    mpi::check(mpi::isend(data, count, type, to, tag, comm, &sent), "MPI_Isend", object);
    wait_for_all({&sent, 1}, object);
}

TOPOMP_INLINE void in_flight::receive(void* data, int count, MPI_Datatype type, int from, int tag,
                                      MPI_Comm comm, std::string_view object) {
    if (has_no_other())
        return mpi::check(MPI_Recv(data, count, type, from, tag, comm, MPI_STATUS_IGNORE), "MPI_Recv",
                          object);
    MPI_Request received = MPI_REQUEST_NULL;
    mpi::check(MPI_Irecv(data, count, type, from, tag, comm, &received), "MPI_Irecv", object);
    wait_for_all({&received, 1}, object);
}

TOPOMP_INLINE operation* in_flight::first_incomplete() {
    // By position: an operation whose inner collective ends takes that one out of the list.
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        operation* const each = operations_[i];
        if (each != awaited_ && !is_complete(*each)) return each;
    }
    return nullptr;
}

TOPOMP_INLINE bool in_flight::advance(operation& one) {
    while (true) {
        const std::size_t before = mpi::complete_sends();
        if (one.advance()) return true;
        if (mpi::complete_sends() == before) return false;
    }
}

TOPOMP_INLINE bool in_flight::is_complete(operation& one) noexcept {
    if (one.failure_ != nullptr) return true;
    try {
        return advance(one);
    } catch (...) {
        one.failure_ = std::current_exception();
        one.note_failure();
        return true;
    }
}

TOPOMP_INLINE bool in_flight::is_done(operation& one) {
    if (one.failure_ != nullptr) [[unlikely]]
        std::rethrow_exception(std::exchange(one.failure_, nullptr));
    return advance(one);
}

TOPOMP_INLINE void in_flight::await_any(function_ref<bool()> is_enough) {
    const going_on now{*this};
    operation* first = nullptr;
    std::size_t before = 0;
    do { // a look may itself take a message, of one that was looked at before
        before = arrivals_;
        first = first_incomplete();
        if (first == nullptr || is_enough()) return;
    } while (arrivals_ != before);
    collect(*first);
    await();
    is_complete(*first);
}

TOPOMP_INLINE bool in_flight::advance_all() {
    const going_on now{*this};
    bool has_moved = false;
    while (operation* const first = first_incomplete()) {
        collect(*first);
        if (!take_arrival()) break;
        has_moved = true;
    }
    return has_moved;
}

TOPOMP_INLINE bool in_flight::test(operation& one) {
    const going_on now{*this};
    while (!is_done(one)) {
        collect(one);
        if (!take_arrival()) return false;
    }
    return true;
}

TOPOMP_INLINE void in_flight::collect(operation& one) {
    parts_.clear();
    requests_.clear();
    append(one);
    for (operation* const other : operations_)
        if (other != &one && other != awaited_) append(*other);
}

TOPOMP_INLINE void in_flight::append(operation& next) {
    parts_.push_back({&next, requests_.size()});
    const auto& slots = next.leaf().slots_;
    requests_.insert(requests_.end(), slots.begin(), slots.end());
}

TOPOMP_INLINE bool in_flight::take_arrival() {
    const auto [which, code] = mpi::test_any(requests_);
    if (which != MPI_UNDEFINED) {
        note_arrival(which, code);
        return true;
    }
    mpi::check(code, "MPI_Testany", "messages of collectives");
    if (std::ranges::any_of(parts_, looks_at_memory)) charge_look();
    for (std::size_t i = 1; i < parts_.size(); ++i)
        if (looks_at_memory(parts_[i])) is_complete(*parts_[i].whose);
    return false;
}

TOPOMP_INLINE void in_flight::await() {
    if (std::ranges::any_of(parts_, looks_at_memory)) {
        if (!take_arrival()) yield_core();
        return;
    }
    const auto [which, code] = mpi::wait_any(requests_);
    if (which != MPI_UNDEFINED) return note_arrival(which, code);
    mpi::check(code, "MPI_Waitany", "messages of collectives");
    throw error("topo::request", "collective", "it waits for nothing");
}

TOPOMP_INLINE void in_flight::note_arrival(int which, int code) {
    ++arrivals_;
    const auto index = static_cast<std::size_t>(which);
    std::size_t p = parts_.size() - 1;
    while (parts_[p].begin > index)
        --p;
    operation& owner = *parts_[p].whose;
    owner.leaf().slots_[index - parts_[p].begin] = requests_[index];
    if (code != MPI_SUCCESS) [[unlikely]]
        note_failure(owner, code);
    if (p != 0) is_complete(owner);
}

TOPOMP_INLINE void in_flight::note_failure(operation& owner, int code) {
    try {
        mpi::check(code, "MPI_Waitany", "message of a collective");
    } catch (...) {
        owner.failure_ = std::current_exception();
    }
    owner.note_failure();
    // Open MPI frees all requests that have failed, and names one.
    for (const part& each : parts_) {
        auto& slots = each.whose->leaf().slots_;
        for (std::size_t i = 0; i < slots.size(); ++i)
            if (slots[i] != MPI_REQUEST_NULL && requests_[each.begin + i] == MPI_REQUEST_NULL) {
                slots[i] = MPI_REQUEST_NULL;
                each.whose->failure_ = owner.failure_;
                each.whose->note_failure();
            }
    }
}

} // namespace topo::detail
