// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <exception>
#include <string>
#include <utility>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE error_type type_of(const std::exception& problem) {
    if (dynamic_cast<const input_error*>(&problem) != nullptr) return error_type::input;
    if (dynamic_cast<const argument_error*>(&problem) != nullptr) return error_type::argument;
    if (dynamic_cast<const usage_error*>(&problem) != nullptr) return error_type::usage;
    if (dynamic_cast<const system_error*>(&problem) != nullptr) return error_type::system;
    return error_type::other;
}

[[gnu::cold]] TOPOMP_INLINE void throw_as(error_type type, const std::string& message) {
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

[[gnu::cold]] TOPOMP_INLINE failure failure::of_exception() {
    try {
        throw;
    } catch (const std::exception& problem) {
        return {std::current_exception(), type_of(problem), problem.what()};
    } catch (...) {
        return {std::current_exception(), error_type::other, "an exception that is not a std::exception"};
    }
}

[[gnu::cold]] TOPOMP_INLINE void failure::name_rank(int rank) {
    try {
        throw_as(type, message + " (on rank " + std::to_string(rank) + ')');
    } catch (...) {
        what = std::current_exception();
    }
}

[[gnu::cold]] TOPOMP_INLINE void throw_on_all(MPI_Comm comm, int first, failure mine) {
    mpi::bcast(&mine.type, 1, MPI_INT, first, comm, "agreement on an error");
    mine.message = mpi::bcast_text(std::move(mine.message), first, comm, "agreement on an error");
    if (mine.what) std::rethrow_exception(mine.what);
    throw_as(mine.type, mine.message + " (on rank " + std::to_string(first) + ')');
}

} // namespace topo::detail
