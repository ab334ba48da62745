// SPDX-License-Identifier: BSL-1.0
/// @file
/// What all intercepted collectives that do not wait have in common.
///
/// Such a call is a type with the MPI's arguments up to the communicator as members, in the MPI's order. It
/// has
///
/// - `what`: its verb or `neighbour_call`, and `comm`
/// - `is_accepted()`: whether the MPI accepts the arguments of the calling rank, as accepted.hpp says
/// - `bytes()`: those of the calling rank, for the report
/// - `choose(on)`: what the policy chooses; nothing: the MPI's own. Local, and the same on all ranks
/// - `start(starter, plan)`: begins it; more than once, of a persistent collective
/// - `types(rank)`: the addresses of the datatypes that the rank uses, else null
#pragma once

#include "background.hpp"
#include "communicators.hpp"
#include "intercept.hpp"
#include "passed_on.hpp"
#include "persistent.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace topo::preload {

/// Nothing is chosen.
inline std::optional<plan> left_to_mpi(reason why) {
    left_for(why);
    return std::nullopt;
}

/// What the policy chooses for a collective that does not wait; nothing: the MPI's own.
inline std::optional<plan> choose_started(detail::verb what, const background_ranks& on, std::size_t bytes,
                                          int root = 0) {
    const plan chosen =
        process::self().policy.choose_in_background(what, *on.levels, *on.context, bytes, root);
    if (chosen.uses != detail::algorithm::flat) return chosen;
    return left_to_mpi(process::self().policy.why_flat_in_background(what));
}

/// Whether a collective on a communicator may be topomp's. Local @param line of the report
inline bool may_start(std::size_t line, MPI_Comm comm) {
    const auto& here = process::self();
    if (!here.asked.has_collectives || !here.asked.verbs[line] || here.policy.is_flat())
        return left_for(reason::settings);
    if (!here.is_on.load(std::memory_order_relaxed)) return left_for(reason::off);
    if (!here.has_background) return left_for(reason::no_threads);
    return may_have_hierarchy(comm);
}

/// A call without anything in it.
inline std::unique_ptr<background_call> fresh_call() { return background::self().take(); }

/// How an operation runs: in a call of the background.
struct held_by {
    using result = void;
    static constexpr bool waits = false;

    template <class Operation, class Start>
    void operator()(detail::operation_pool<Operation>& pool, Start start) const {
        call(pool, start);
    }

    background_call& call;
};

/// Starts the algorithm of a plan. @param what of collective/detail/calls.hpp
template <class Call>
void start_any(const Call& what, const plan& chosen, background_call& call) {
    detail::start_by_plan<detail::algorithm::any>(what, chosen, held_by{call});
}

/// A whole intercepted non-blocking call. @param own as for `intercept`
template <class Call, class Own>
int serve_started(const Call& call, MPI_Request* request, Own own) noexcept {
    constexpr std::size_t line = background_index_of(Call::what);
    return intercept_for(
        line,
        [&]() -> attempt {
            try {
                if (!may_start(line, call.comm)) return {};
                if (request == nullptr || !call.is_accepted())
                    return {MPI_SUCCESS, left_for(reason::arguments)};
                const background_ranks on = background_ranks_of(call.comm);
                if (on.levels == nullptr) return {};
                const auto chosen = call.choose(on);
                if (!chosen) return {};
                call.start(starter{on, request}, *chosen);
                return {MPI_SUCCESS, true};
            } catch (...) {
                return {report_exception(call.comm), true};
            }
        },
        [&] { return call.bytes(); }, own);
}

/// A whole intercepted call that makes a persistent collective. @param line of the report @param own as for
/// `intercept`
template <class Call, class Own>
int serve_persistent(passed_call line, Call call, MPI_Request* request, Own own) noexcept {
    return intercept_for(
        line_of(line),
        [&]() -> attempt {
            try {
                if (!may_start(background_index_of(Call::what), call.comm)) return {};
                if (request == nullptr || !call.is_accepted())
                    return {MPI_SUCCESS, left_for(reason::arguments)};
                const background_ranks on = background_ranks_at_once(call.comm);
                if (on.levels == nullptr) return {};
                const auto chosen = call.choose(on);
                if (!chosen) return {};
                // Lanes take more tags than each could keep.
                if (chosen->uses == detail::algorithm::lanes) return {MPI_SUCCESS, left_for(reason::policy)};
                persistent_call* const made = persistent_calls::self().make(on);
                if (made == nullptr) return {MPI_SUCCESS, left_for(reason::many_persistent)};
                made->keep(call.types(on.levels->whole().rank()));
                made->begin_by([call, by = *chosen](const starter& go) { call.start(go, by); });
                *request = made->request();
                return {MPI_SUCCESS, true};
            } catch (...) {
                return {report_exception(call.comm), true};
            }
        },
        [] { return std::uint64_t{0}; }, own);
}

} // namespace topo::preload
