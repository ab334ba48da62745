// SPDX-License-Identifier: BSL-1.0
/// @file
/// A collective that is prepared once and started many times.
#pragma once

#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/take_posts.hpp>
#include <topomp/collective/detail/watched_buffers.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/owned.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/decide/detail/select_in_background.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace topo {

namespace detail {
struct prepared;
struct when_started;
class in_flight;
} // namespace detail

/// A collective with fixed arguments: `topo::all_reduce_init` and its like make one. Its plan, its tags and
/// its operation are found when it is made; each `start` only sends.
///
/// ```
///   auto step = topo::all_reduce_init(levels, in, out, std::plus<>{});
///   for (int i = 0; i < steps; ++i) {
///       compute(in);
///       step.start();
///       compute_something_else();
///       step.wait();
///   }
/// ```
///
/// To make one is collective, in the same order on all ranks. It is then inactive: its buffers may be used,
/// but must stay where they are until it is destroyed. `start` is local and makes it active; ranks start the
/// persistent collectives of a hierarchy, and call its other collectives, in the same order. In a checked
/// build `start` first compares with the other ranks, and so waits for them. `wait`, or a
/// `test` that returns true, makes it inactive again. For progress and threads the rules of `request` hold.
///
/// To destroy an active one, or to assign to it, is a fault of the program, as MPI_Request_free of one is: it
/// waits, and in a checked build then throws a usage_error that names the call and the rank. Otherwise
/// destroying is local.
/// @see MPI standard 4.0, section 6.13
class [[nodiscard]] persistent {
public:
    /// None: `is_made` is false, and `start` throws a usage_error.
    persistent() noexcept;
    /// Takes over the other's collective; the other is none then.
    persistent(persistent&& other) noexcept;
    /// Destroys what this one was.
    persistent& operator=(persistent&& other); // NOLINT(performance-noexcept-move-constructor)
    ~persistent() noexcept(!detail::is_checked);

    /// Whether there is a collective. Local
    bool is_made() const noexcept { return made_ != nullptr; }
    /// Whether it was started and is not complete, as far as is known. Local
    bool active() const noexcept;

    /// Starts it, with what its buffers hold now. Local. In a checked build collective, over the ranks of its
    /// hierarchy or neighbourhood, @cost an all-reduce of 17 integers, while which what was started goes on
    /// @throws usage_error if it is active. In a checked build on all ranks, before anything is sent, if it
    /// is on any; if a window has ended or was moved on any; argument_error if a container that was given as
    /// a buffer has moved its elements, or if ranks start or call different things. A rank that starts one
    /// twice and whom the others do not meet throws after `TOPOMP_FENCE_SECONDS` (of the environment; 60)
    void start();
    /// Goes on as far as possible without waiting. @return whether it is complete on this rank, and so
    /// inactive
    bool test();
    /// Waits until it is complete on this rank. Returns at once if it is inactive. Where this or `test`
    /// throws, it is inactive. @throws in a checked build, when it is complete, argument_error if a container
    /// has moved its elements, usage_error if a window has ended or was moved; so does `test`
    void wait();
    /// Frees it. @throws usage_error if it is active; in a checked build it names the rank
    void free();

    /// With which operations it goes on; for `wait_all` and `wait_any`. Local
    detail::in_flight* among() const noexcept;
    /// Its own operation; for `wait_any`. Local
    detail::operation* running() const noexcept;

private:
    friend struct detail::when_started;
    detail::prepared& open(const char* member) const;
    void leave(const char* member);
    template <class Step>
    bool go_on(const char* member, Step step);

    detail::owned<detail::prepared> made_;
};

namespace detail {

/// Prepares a call that `persistent::start` starts. All ranks are there, so that a plan may be chosen as for
/// a blocking call, if its algorithm need not wait.
struct when_started {
    using result = persistent;
    using begins = when_started;

    template <verb Verb, class Policy>
    static plan choose(const hierarchy& levels, std::size_t bytes, bool is_commutative,
                       const call_facts& facts) {
        if constexpr (std::is_same_v<Policy, automatic>) {
            static_cast<void>(select<Verb, Policy>(levels, bytes, is_commutative, facts)); // its checks
            if constexpr (Verb == verb::all_reduce || Verb == verb::barrier) {
                const plan posted =
                    choose_prepared(Verb, levels, bytes, is_commutative, call_form::prepared_with_posts);
                if (posted.uses != algorithm::hierarchical ||
                    take_posts(levels, posted, facts.data, is_commutative))
                    return posted;
            }
            return choose_prepared(Verb, levels, bytes, is_commutative, call_form::prepared);
        } else {
            return select_in_background<Verb, Policy>(levels, bytes, is_commutative, facts);
        }
    }

    /// In a checked build each start, and the `wait` or `test` that completes it, looks whether containers
    /// still have their elements where they were, and windows are where they were.
    /// @param call as errors name it @param where a hierarchy or a neighbourhood, whose rank they name
    template <class Where, class... Buffers>
    static persistent watch([[maybe_unused]] const char* call, [[maybe_unused]] const Where& where,
                            persistent made, [[maybe_unused]] const Buffers&... buffers) {
        if constexpr (is_checked) {
            buffers_of_call& watched = buffers_of(made);
            watched.name(call, where);
            (watched.add(buffers), ...);
        }
        return made;
    }
    /// @pre it is made
    static buffers_of_call& buffers_of(const persistent& made);

    template <algorithm Only, class Arguments>
    static persistent go(const hierarchy& levels, const Arguments& arguments, const char* call,
                         const plan& chosen);
    static persistent of(std::unique_ptr<prepared> made);
    /// What it consists of, for a collective of which it is a part. @pre it is made
    static prepared& of(const persistent& made) { return *made.made_; }
};

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent.ipp>
#endif
