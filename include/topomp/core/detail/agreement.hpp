// SPDX-License-Identifier: BSL-1.0
/// @file
/// An error on one rank is an error on all of them, so that no rank waits for one that has left.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace topo::detail {

/// Which exception to throw on the ranks without an error of their own.
enum class error_type : int { other, input, argument, usage, system };

error_type type_of(const std::exception& problem);

[[noreturn]] void throw_as(error_type type, const std::string& message);

/// Runs `work` on rank 0 only and returns its result there, on the others a default one; or throws on every
/// rank an exception with the same message.
///
/// @collective over `comm` @cost a broadcast of an integer
template <class Work>
auto on_first(MPI_Comm comm, Work&& work) {
    std::invoke_result_t<Work> result{};
    std::string message;
    int failed = -1; // else an error_type
    if (mpi::comm_rank(comm) == 0) {
        try {
            result = std::forward<Work>(work)();
        } catch (const std::exception& problem) {
            failed = static_cast<int>(type_of(problem));
            message = problem.what();
        }
    }
    mpi::bcast(&failed, 1, MPI_INT, 0, comm, "success of rank 0");
    if (failed < 0) return result;
    throw_as(static_cast<error_type>(failed),
             mpi::bcast_text(std::move(message), 0, comm, "error of rank 0"));
}

/// The error of the calling rank.
struct failure {
    std::exception_ptr what; ///< null: nothing
    error_type type = error_type::other;
    std::string message;

    /// Of the exception that is being handled. Others than `std::exception` are possible: a user's callback
    /// may throw anything.
    static failure of_exception();

    /// The calling rank throws its number, too, as the other ranks do.
    void name_rank(int rank);
};

/// Throws on every rank: the rank's own exception where there is one, elsewhere one of the type and with the
/// message of rank `first`'s. @collective over `comm` @pre rank `first` has failed, and all ranks know that
[[noreturn]] void throw_on_all(MPI_Comm comm, int first, failure mine);

/// Runs `work` on every rank and returns its result, or throws on every rank if it threw on any: the rank's
/// own exception where there is one, elsewhere one of the same type with the message of the lowest rank that
/// failed.
///
/// `work` must not communicate over `comm`, because a rank whose `work` throws stops there.
/// @param lowest `lowest(values, count)` replaces each value by the lowest of all ranks'
/// @collective over `comm` @cost one all-reduce of an integer
template <class Work, class Lowest>
auto all_or_none(MPI_Comm comm, Work&& work, Lowest&& lowest) {
    const int size = mpi::comm_size(comm);
    failure mine;
    std::invoke_result_t<Work> result{};
    try {
        result = std::forward<Work>(work)();
    } catch (...) {
        mine = failure::of_exception();
    }
    std::int64_t first = mine.what ? mpi::comm_rank(comm) : size;
    std::forward<Lowest>(lowest)(&first, std::size_t{1});
    if (first == size) return result;
    throw_on_all(comm, static_cast<int>(first), std::move(mine));
}

/// The same by MPI's own collective.
template <class Work>
auto all_or_none(MPI_Comm comm, Work&& work) {
    return all_or_none(comm, std::forward<Work>(work), [comm](std::int64_t* value, std::size_t) {
        const std::int64_t mine = *value;
        mpi::allreduce(&mine, value, 1, MPI_INT64_T, MPI_MIN, comm, "agreement on success");
    });
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/agreement.ipp>
#endif
