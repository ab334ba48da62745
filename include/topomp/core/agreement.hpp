// SPDX-License-Identifier: BSL-1.0
/// @file
/// An error on one rank is an error on all of them, so that nobody waits for a rank that has left.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace topo::detail {

/// Which exception to throw on the ranks where nothing went wrong.
enum class error_type : int { other, input, argument, usage, system };

inline error_type type_of(const std::exception& problem) {
    if (dynamic_cast<const input_error*>(&problem) != nullptr) return error_type::input;
    if (dynamic_cast<const argument_error*>(&problem) != nullptr) return error_type::argument;
    if (dynamic_cast<const usage_error*>(&problem) != nullptr) return error_type::usage;
    if (dynamic_cast<const system_error*>(&problem) != nullptr) return error_type::system;
    return error_type::other;
}

[[noreturn]] inline void throw_as(error_type type, const std::string& message) {
    switch (type) {
    case error_type::input:
        throw input_error(message);
    case error_type::argument:
        throw argument_error(message);
    case error_type::usage:
        throw usage_error(message);
    case error_type::system:
        throw system_error(message);
    case error_type::other:
        break;
    }
    throw error(message);
}

/// Runs `work` on rank 0 only and returns its result there, on the others a default one; or throws on every
/// rank what it threw there, in the same words.
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

/// Runs `work` on every rank and returns its result, or throws on every rank if it threw on any: the rank's
/// own exception where there is one, elsewhere one of the same type with the message of the lowest rank that
/// failed.
///
/// `work` must not communicate over `comm`, for a rank whose `work` throws stops there.
/// @collective over `comm` @cost one all-reduce of an integer
template <class Work>
auto all_or_none(MPI_Comm comm, Work&& work) {
    using result_type = std::invoke_result_t<Work>;
    const int size = mpi::comm_size(comm);
    int failed_rank = size;
    std::exception_ptr mine;
    std::string message;
    error_type type = error_type::other;
    result_type result{};
    try {
        result = std::forward<Work>(work)();
    } catch (const std::exception& problem) {
        failed_rank = mpi::comm_rank(comm);
        mine = std::current_exception();
        message = problem.what();
        type = type_of(problem);
    } catch (...) { // a user's callback may throw anything
        failed_rank = mpi::comm_rank(comm);
        mine = std::current_exception();
        message = "an exception that is not a std::exception";
    }
    int first = size;
    mpi::allreduce(&failed_rank, &first, 1, MPI_INT, MPI_MIN, comm, "agreement on success");
    if (first == size) return result;
    mpi::bcast(&type, 1, MPI_INT, first, comm, "agreement on an error");
    message = mpi::bcast_text(std::move(message), first, comm, "agreement on an error");
    if (mine) std::rethrow_exception(mine);
    throw_as(type, message + " (on rank " + std::to_string(first) + ')');
}

} // namespace topo::detail
