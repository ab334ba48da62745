// SPDX-License-Identifier: BSL-1.0
/// @file
/// The one layer through which topomp calls MPI: each call checked, each failure an exception that names the
/// call and its object.
#pragma once

#include <topomp/core/detail/atomic_value.hpp>
#include <topomp/core/error.hpp>

#include <boost/mpi/config.hpp>
#include <boost/mpi/exception.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace topo {

/// An MPI call failed. `what()` names the call, its object and MPI's message: `MPI_Comm_split: level below 8
/// ranks: MPI_ERR_NO_MEM: out of memory`.
///
/// Communicators start with MPI's handler that aborts; Boost.MPI's `environment` installs the one that
/// returns, which is when this exception can be seen.
class mpi_error : public boost::mpi::exception {
public:
    /// @param call as MPI names it @param code what it returned
    mpi_error(const char* call, std::string_view object, int code);
};

/// Thin checked forms of the MPI calls that topomp makes: same names, same order of arguments, results
/// returned.
namespace mpi {

[[noreturn]] void fail(int code, const char* call, std::string_view object); ///< Throws `mpi_error`.

/// @throws mpi_error if `code` is not `MPI_SUCCESS`
inline void check(int code, const char* call, std::string_view object) {
    if (code != MPI_SUCCESS) [[unlikely]]
        fail(code, call, object);
}

/// Set when MPI ends; see `finalize_hook::has_ended`.
inline constinit detail::atomic_value<bool> end_was_seen{false};

/// Whether MPI can be used now: after `MPI_Init`, before `MPI_Finalize`. May be called at any time.
bool is_running() noexcept;

/// @throws usage_error if MPI cannot be used now
void require_running(std::string_view call);

/// @throws usage_error, argument_error unless `comm` is an intra-communicator of a running MPI
void require_intracommunicator(std::string_view call, MPI_Comm comm);

/// `MPI_Comm_rank`
int comm_rank(MPI_Comm comm);

/// `MPI_Comm_size`
int comm_size(MPI_Comm comm);

/// Before a collective that makes a communicator or a window: waits for all ranks where other threads may
/// make some, too. Open MPI (4.1) lets the threads of a rank agree on numbers of communicators one after the
/// other, the one whose parent has the lowest number first. If one waits there for a rank that has not come,
/// because another thread of that rank goes first, none ever ends.
/// @collective over `comm` @cost with Open MPI and MPI_THREAD_MULTIPLE a barrier, else nothing
void meet_before_creation(MPI_Comm comm);

/// `MPI_Comm_dup`
MPI_Comm comm_dup(MPI_Comm comm, std::string_view object);

/// `MPI_Comm_split`
MPI_Comm comm_split(MPI_Comm comm, int color, int key, std::string_view object);

/// `MPI_Comm_split_type` by shared memory
MPI_Comm comm_split_shared(MPI_Comm comm, int key);

/// `MPI_Bcast`
void bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, std::string_view object);

/// `MPI_Allreduce`
void allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
               std::string_view object);

/// Whether `MPI_Waitany` may be called while other threads are inside MPI. In Open MPI (4.1) threads that
/// complete two of the requests at a time both write to the caller's stack, the second perhaps after the
/// return.
bool waits_for_any_among_threads();

#ifdef SMPI_H
/// `MPI_Isend`. A message that SimGrid keeps a copy of is complete, and its request null: SimGrid's
/// MPI_Testany (3.32) never reports it, so that a rank would test for it for ever. @return the error code
int isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
          MPI_Request* request);
inline std::size_t number_of_complete_sends = 0;
/// How many messages of the calling rank were complete when they had been sent: their
/// sender can go on.
inline std::size_t complete_sends() noexcept { return number_of_complete_sends; }
#else
/// `MPI_Isend`; the request is that of the message also if this is short. @return the error code
inline int isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                 MPI_Request* request) {
    return MPI_Isend(data, count, type, to, tag, comm, request);
}
/// None is complete before it is tested. @return 0
constexpr std::size_t complete_sends() noexcept { return 0; }
#endif

/// A request that is complete.
struct arrival {
    int which = MPI_UNDEFINED; ///< its index, or `MPI_UNDEFINED`: none
    int code = MPI_SUCCESS;    ///< the MPI's error code, of that request if there is one
};
/// Waits for one of some requests, inside MPI where that works: a core that other ranks share is given up.
/// @return none if all are null
arrival wait_any(std::span<MPI_Request> requests);
/// Does not wait. @return none if none is complete
arrival test_any(std::span<MPI_Request> requests);

/// `MPI_Op_commutative`
bool op_is_commutative(MPI_Op op);

/// MPI's name of `std::size_t`.
MPI_Datatype size_type();

/// The root's text on every rank. Collective over `comm`. @cost two broadcasts
std::string bcast_text(std::string text, int root, MPI_Comm comm, std::string_view object);

/// The name of the host that the calling rank runs on, as MPI knows it.
std::string processor_name();

} // namespace mpi
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/mpi.ipp>
#endif
