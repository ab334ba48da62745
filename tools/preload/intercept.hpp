// SPDX-License-Identifier: BSL-1.0
/// @file
/// What all intercepted collectives have in common.
///
/// In this folder `MPI_X` is the MPI's own function, which other code calls too, and a function
/// `intercepted_MPI_X` is what the program calls as `MPI_X`: rename.cmake gives the compiled functions these
/// names, PMPI_X and MPI_X.
#pragma once

#include "accepted.hpp"
#include "communicators.hpp"
#include "counts.hpp"
#include "process.hpp"
#include "reason.hpp"
#include "report.hpp"
#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <new>
#include <optional>

namespace topo::preload {

/// The error code of the exception that is being handled.
inline int code_of_exception() {
    try {
        throw;
    } catch (const boost::mpi::exception& failed) {
        return failed.result_code();
    } catch (const argument_error&) { // the ranks' lengths do not fit together
        return MPI_ERR_TRUNCATE;
    } catch (const std::bad_alloc&) {
        return MPI_ERR_NO_MEM;
    } catch (const std::exception&) {
        return MPI_ERR_OTHER;
    }
}

/// Hands the exception that is being handled to the communicator's error handler, as a failing MPI call does.
inline int report_exception(MPI_Comm comm) {
    const int code = code_of_exception();
    MPI_Comm_call_errhandler(comm, code);
    return code;
}

/// Whether a call on a communicator may be topomp's. Local
/// @param is_asked whether the settings name the collective
inline bool may_serve(bool is_asked, MPI_Comm comm) {
    auto& here = process::self();
    if (!here.asked.has_collectives || !is_asked || here.policy.is_flat()) return left_for(reason::settings);
    if (!here.is_on.load(std::memory_order_relaxed)) return left_for(reason::off);
    return may_have_hierarchy(comm);
}

/// What came of an attempt. Where it is not topomp's, `left_for` was told why.
struct attempt {
    int code = MPI_SUCCESS;
    bool is_ours = false;
};

/// Serves a call with topomp if that is to be.
/// @param is_asked as above
/// @param is_accepted whether the MPI accepts the arguments of the calling rank, as accepted.hpp says
/// @param ours does it on a hierarchy, and returns false if it is the MPI's all the same; must know before
/// anything is sent, and alike on all ranks
template <class IsAccepted, class Ours>
attempt try_ours(bool is_asked, MPI_Comm comm, IsAccepted is_accepted, Ours ours) noexcept {
    try {
        if (!may_serve(is_asked, comm)) return {};
        if (!is_accepted()) return {MPI_SUCCESS, left_for(reason::arguments)};
        const hierarchy* const levels = hierarchy_of(comm);
        if (levels == nullptr) return {};
        return {MPI_SUCCESS, ours(*levels)};
    } catch (...) {
        return {report_exception(comm), true};
    }
}

/// A whole intercepted call.
/// @param line of the report @param try_it returns an `attempt`
/// @param bytes gives those of this rank, for the report @param own calls the MPI's own
template <class Try, class Bytes, class Own>
int intercept_for(std::size_t line, Try try_it, Bytes bytes, Own own) noexcept {
    auto& counts = report::self();
    if (!counts.is_wanted()) [[likely]] {
        const attempt tried = try_it();
        return tried.is_ours ? tried.code : own();
    }
    if (!mpi::is_running()) return own();
    const double begin = MPI_Wtime();
    static_cast<void>(take_reason());
    const attempt tried = try_it();
    const reason why = take_reason(); // own() may call callbacks of the program that call collectives
    const int code = tried.is_ours ? tried.code : own();
    // What was refused may have no communicator, nor anything else to ask.
    counts.add(line, code == MPI_SUCCESS ? bytes() : 0, MPI_Wtime() - begin, tried.is_ours, why);
    return code;
}

/// A whole intercepted call of a blocking collective. @param is_asked, bytes, is_accepted, ours, own as above
template <class Bytes, class IsAccepted, class Ours, class Own>
int intercept(std::size_t line, bool is_asked, MPI_Comm comm, Bytes bytes, IsAccepted is_accepted, Ours ours,
              Own own) noexcept {
    return intercept_for(
        line, [&] { return try_ours(is_asked, comm, is_accepted, ours); }, bytes,
        [&] {
            const timed_call counts;
            return own();
        });
}

/// The same of a verb that a policy may serve.
template <class Bytes, class IsAccepted, class Ours, class Own>
int intercept(detail::verb what, MPI_Comm comm, Bytes bytes, IsAccepted is_accepted, Ours ours,
              Own own) noexcept {
    const auto& here = process::self();
    const std::size_t line = index_of(what);
    const int code = intercept(line, here.asked.verbs[line], comm, bytes, is_accepted, ours, own);
    if (here.policy.learns()) [[unlikely]]
        chooser::end_call();
    return code;
}

/// What the policy chooses; nothing: the MPI's own.
inline std::optional<plan> choose(detail::verb what, const hierarchy& levels, std::size_t bytes,
                                  bool is_commutative = true) {
    const auto chosen = process::self().policy.choose(what, levels, bytes, is_commutative);
    if (chosen.uses != detail::algorithm::flat) return chosen;
    left_for(process::self().policy.why_flat(what));
    return std::nullopt;
}

} // namespace topo::preload
