// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>
#include <boost/mpi/exception.hpp>

#ifdef SMPI_H
#include <xbt/config.h>
#endif

#include <cstddef>
#include <cstdint>
#include <exception>
#include <sched.h>
#include <span>
#include <string>
#include <string_view>

namespace topo {

[[gnu::cold]] TOPOMP_INLINE mpi_error::mpi_error(const char* call, std::string_view object, int code)
    : boost::mpi::exception(call, code) {
    char reason[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, reason, &length);
    message = std::string{call} + ": " + std::string{object} + ": " + reason;
}

} // namespace topo

namespace topo::mpi {

[[gnu::cold]] TOPOMP_INLINE void fail(int code, const char* call, std::string_view object) {
    throw mpi_error(call, object, code);
}

TOPOMP_INLINE bool is_running() noexcept {
    int started = 0, ended = 0;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    return started != 0 && ended == 0;
}

TOPOMP_INLINE void require_running(std::string_view call) {
    int started = 0;
    MPI_Initialized(&started);
    if (started == 0)
        throw usage_error(call, "MPI",
                          "not initialized yet: call MPI_Init or make a boost::mpi::environment first");
    if (!is_running()) throw usage_error(call, "MPI", "already finalized");
}

TOPOMP_INLINE void require_intracommunicator(std::string_view call, MPI_Comm comm) {
    require_running(call);
    if (comm == MPI_COMM_NULL) throw argument_error(call, "communicator", "it is MPI_COMM_NULL");
    int is_inter = 0;
    check(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter", call);
    if (is_inter != 0)
        throw argument_error(call, "communicator", "it is an inter-communicator: merge its sides first");
}

TOPOMP_INLINE int comm_rank(MPI_Comm comm) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank", "communicator");
    return rank;
}

TOPOMP_INLINE int comm_size(MPI_Comm comm) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size", "communicator");
    return size;
}

#ifdef OPEN_MPI
TOPOMP_INLINE bool has_thread_multiple() {
    static const bool has_it = [] {
        int level = MPI_THREAD_SINGLE;
        check(MPI_Query_thread(&level), "MPI_Query_thread", "MPI");
        return level == MPI_THREAD_MULTIPLE;
    }();
    return has_it;
}
#endif

TOPOMP_INLINE void meet_before_creation([[maybe_unused]] MPI_Comm comm) {
#ifdef OPEN_MPI
    if (has_thread_multiple()) check(MPI_Barrier(comm), "MPI_Barrier", "before a communicator is made");
#endif
}

TOPOMP_INLINE MPI_Comm comm_dup(MPI_Comm comm, std::string_view object) {
    MPI_Comm result = MPI_COMM_NULL;
    meet_before_creation(comm);
    check(MPI_Comm_dup(comm, &result), "MPI_Comm_dup", object);
    return result;
}

TOPOMP_INLINE MPI_Comm comm_split(MPI_Comm comm, int color, int key, std::string_view object) {
    MPI_Comm result = MPI_COMM_NULL;
    meet_before_creation(comm);
    check(MPI_Comm_split(comm, color, key, &result), "MPI_Comm_split", object);
    return result;
}

TOPOMP_INLINE MPI_Comm comm_split_shared(MPI_Comm comm, int key) {
    MPI_Comm result = MPI_COMM_NULL;
    meet_before_creation(comm);
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &result), "MPI_Comm_split_type",
          "MPI_COMM_TYPE_SHARED");
#ifdef SMPI_H
    // SimGrid 3.32 gives messages of all communicators to receives on one that this call made, but not to
    // receives on a copy of it.
    MPI_Comm copy = MPI_COMM_NULL;
    check(MPI_Comm_dup(result, &copy), "MPI_Comm_dup", "MPI_COMM_TYPE_SHARED");
    check(MPI_Comm_free(&result), "MPI_Comm_free", "MPI_COMM_TYPE_SHARED");
    return copy;
#else
    return result;
#endif
}

TOPOMP_INLINE void bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                         std::string_view object) {
    check(MPI_Bcast(buffer, count, type, root, comm), "MPI_Bcast", object);
}

TOPOMP_INLINE void allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm, std::string_view object) {
    check(MPI_Allreduce(in, out, count, type, op, comm), "MPI_Allreduce", object);
}

TOPOMP_INLINE bool waits_for_any_among_threads() {
#ifdef OPEN_MPI
    return !has_thread_multiple();
#else
    return true;
#endif
}

#ifdef SMPI_H
TOPOMP_INLINE int isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                        MPI_Request* request) {
    static const int kept_below = sg_cfg_get_int("smpi/send-is-detached-thresh");
    const int code = MPI_Isend(data, count, type, to, tag, comm, request);
    int bytes = 0;
    if (code == MPI_SUCCESS) MPI_Type_size(type, &bytes);
    if (code != MPI_SUCCESS || static_cast<long>(count) * bytes >= kept_below) return code;
    ++number_of_complete_sends;
    return MPI_Wait(request, MPI_STATUS_IGNORE);
}
#endif

TOPOMP_INLINE arrival wait_any(std::span<MPI_Request> requests) {
    const int count = static_cast<int>(requests.size());
    int which = MPI_UNDEFINED;
    if (waits_for_any_among_threads()) {
        const int code = MPI_Waitany(count, requests.data(), &which, MPI_STATUS_IGNORE);
        return {which, code};
    }
    int arrived = 0;
    while (true) {
        const int code = MPI_Testany(count, requests.data(), &which, &arrived, MPI_STATUS_IGNORE);
        if (arrived != 0 || code != MPI_SUCCESS) return {which, code};
        sched_yield();
    }
}

TOPOMP_INLINE arrival test_any(std::span<MPI_Request> requests) {
    int which = MPI_UNDEFINED, arrived = 0;
    if (requests.empty()) return {which, MPI_SUCCESS};
    const int code =
        MPI_Testany(static_cast<int>(requests.size()), requests.data(), &which, &arrived, MPI_STATUS_IGNORE);
    return {arrived != 0 || code != MPI_SUCCESS ? which : MPI_UNDEFINED, code};
}

TOPOMP_INLINE bool op_is_commutative(MPI_Op op) {
    int commutes = 0;
    if (end_was_seen.load_relaxed()) return true; // MPI must not be called; the verb throws
    check(MPI_Op_commutative(op, &commutes), "MPI_Op_commutative", "operation");
    return commutes != 0;
}

TOPOMP_INLINE MPI_Datatype size_type() {
    static_assert(sizeof(std::size_t) == sizeof(std::uint64_t) ||
                  sizeof(std::size_t) == sizeof(std::uint32_t));
    return sizeof(std::size_t) == sizeof(std::uint64_t) ? MPI_UINT64_T : MPI_UINT32_T;
}

TOPOMP_INLINE std::string bcast_text(std::string text, int root, MPI_Comm comm, std::string_view object) {
    std::uint64_t length = text.size();
    bcast(&length, 1, MPI_UINT64_T, root, comm, object);
    text.resize(length);
    bcast(text.data(), static_cast<int>(length), MPI_CHAR, root, comm, object);
    return text;
}

TOPOMP_INLINE std::string processor_name() {
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    check(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name", "this rank");
    return {name, static_cast<std::size_t>(length)};
}

} // namespace topo::mpi
