// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/bounded.hpp>
#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/predefined_reduction.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE bool is_committed([[maybe_unused]] MPI_Datatype type) {
#ifdef SMPI_H // where that takes simulated time
    return true;
#else
    // A communicator that returns errors, whatever the program's error handlers do.
    static const MPI_Comm own_comm = [] {
        MPI_Comm made = MPI_COMM_NULL;
        mpi::check(MPI_Comm_dup(MPI_COMM_SELF, &made), "MPI_Comm_dup", "MPI_COMM_SELF");
        mpi::check(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler",
                   "a duplicate of MPI_COMM_SELF");
        finalize_hook::add([made]() mutable { MPI_Comm_free(&made); });
        return made;
    }();
    const char nothing = 0;
    return MPI_Send(&nothing, 1, type, MPI_PROC_NULL, 0, own_comm) == MPI_SUCCESS;
#endif
}

TOPOMP_INLINE void require_other_type(std::string_view call, MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) throw argument_error(call, "datatype", "it is MPI_DATATYPE_NULL");
    MPI_Datatype& lasting = last_lasting_type();
    if (type == lasting) return;
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    mpi::check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope",
               "datatype");
    if (combiner == MPI_COMBINER_NAMED)
        lasting = type;
    else if (!is_committed(type))
        throw argument_error(call, "datatype", "it is not committed: call MPI_Type_commit");
    else if (ask_size(type) > std::size_t{std::numeric_limits<int>::max()} && !type_layout{type}.is_dense)
        throw argument_error(call, "datatype",
                             "an element has " + std::to_string(ask_size(type)) +
                                 " bytes and gaps, and MPI packs at most INT_MAX bytes of an element");
}

[[gnu::cold]] TOPOMP_INLINE void refuse_length(std::string_view call, std::string_view object,
                                               std::size_t count, std::size_t bytes_each) {
    throw argument_error(call, object,
                         std::to_string(count) + " elements of " + std::to_string(bytes_each) +
                             " bytes are more than memory can hold");
}

[[gnu::cold]] TOPOMP_INLINE void refuse_null(std::string_view call, std::string_view object,
                                             std::size_t count, MPI_Datatype type) {
    const type_layout layout{type};
    if (layout.size == 0 || layout.true_lower != 0) return;
    throw argument_error(call, object, "its address is null, but it has " + number_of(count, "element"));
}

TOPOMP_INLINE void require_operation(std::string_view call, MPI_Op op, MPI_Datatype type) {
    if (combines(op, type)) return;
    if (op == MPI_OP_NULL) throw argument_error(call, "operation", "it is MPI_OP_NULL");
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    mpi::check(MPI_Type_get_name(type, name, &length), "MPI_Type_get_name", "datatype");
    throw argument_error(call, "operation",
                         std::string{find_predefined(op)->name} + " is not defined on " +
                             (length > 0
                                  ? std::string{name, static_cast<std::size_t>(length)}
                                  : "a derived datatype: make an operation for it with MPI_Op_create"));
}

TOPOMP_INLINE std::string number_of(std::size_t count, std::string_view what) {
    return std::to_string(count).append(1, ' ').append(what).append(count == 1 ? "" : "s");
}

} // namespace topo::detail
