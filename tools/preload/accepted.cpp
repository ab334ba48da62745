// SPDX-License-Identifier: BSL-1.0
#include "accepted.hpp"

#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <algorithm>

namespace topo::preload {

ranks::ranks(MPI_Comm comm) : mine(mpi::comm_rank(comm)), size(mpi::comm_size(comm)) {}

MPI_Comm asking_communicator() {
    static MPI_Comm only = [] {
        const MPI_Comm made = mpi::comm_split(MPI_COMM_SELF, 0, 0, "argument checks");
        mpi::check(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler",
                   "argument checks");
        detail::finalize_hook::add([] { MPI_Comm_free(&only); });
        return made;
    }();
    return only;
}

quiet_world::quiet_world() {
    static std::mutex one_at_a_time;
    alone_ = std::unique_lock{one_at_a_time};
    mpi::check(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before_), "MPI_Comm_get_errhandler",
               "MPI_COMM_WORLD");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

quiet_world::~quiet_world() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before_);
    MPI_Errhandler_free(&before_);
}

bool is_accepted(MPI_Datatype type) {
    thread_local MPI_Datatype last = MPI_DATATYPE_NULL; // one that nobody can free
    if (type == MPI_DATATYPE_NULL) return false;
    if (type == last) return true;
    const int none = 0; // one element, which goes nowhere: MPICH (4.0.2) does not look at the type of none
    if (MPI_Send(&none, 1, type, MPI_PROC_NULL, 0, asking_communicator()) != MPI_SUCCESS) return false;
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    mpi::check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope",
               "datatype");
    if (combiner == MPI_COMBINER_NAMED) last = type;
    return true;
}

bool takes_none_of(MPI_Datatype type) {
    if (is_accepted(type)) return true;
    const int none = 0;
    int there = 0;
    return MPI_Alltoallw(&none, &none, &none, &type, &there, &none, &none, &type, asking_communicator()) ==
           MPI_SUCCESS;
}

bool is_by_mpi(MPI_Op op) {
    for (const MPI_Op each : {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND,
                              MPI_BOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC})
        if (op == each) return true;
    return false;
}

bool is_accepted(MPI_Op op, MPI_Datatype type) {
    thread_local MPI_Datatype last_type = MPI_DATATYPE_NULL;
    thread_local MPI_Op last_op = MPI_OP_NULL;
    if (op == MPI_OP_NULL || !is_accepted(type)) return false;
    if (op == last_op && type == last_type) return true;
    if (op == MPI_REPLACE || op == MPI_NO_OP) return false; // no reductions, on no rank
    if (!is_by_mpi(op)) return true;                        // the program's take any
    int none = 0, result = 0;
    if (MPI_Allreduce(&none, &result, 0, type, op, asking_communicator()) != MPI_SUCCESS) return false;
    // A datatype of the program's may be another one the next time, by the same handle.
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    mpi::check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope",
               "datatype");
    if (combiner == MPI_COMBINER_NAMED) {
        last_op = op;
        last_type = type;
    }
    return true;
}

bool is_accepted(const void* data, int count, MPI_Datatype type) {
    if (count < 0 || data == MPI_IN_PLACE || !is_accepted(type)) return false;
    // No address is one, where the datatype has absolute ones.
    if (data != nullptr || count == 0) return true;
    const detail::type_layout layout{type};
    return layout.size == 0 || layout.true_lower != 0;
}

bool all_lengths(const int* counts, int number) {
    return std::all_of(counts, counts + number, [](int each) { return each >= 0; });
}

bool are_accepted(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
                  int ranks) {
    return counts != nullptr && displacements != nullptr && all_lengths(counts, ranks) &&
           is_accepted(data, *std::max_element(counts, counts + ranks), type);
}

} // namespace topo::preload
