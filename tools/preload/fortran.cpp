// SPDX-License-Identifier: BSL-1.0
/// @file
/// The names by which Fortran calls the MPI, where the MPI's own functions of these names call C's profiling
/// names, so that what stands in for MPI_Bcast is not asked. In Open MPI all do; in MPICH (4.0) those of
/// mpi_f08 without buffers, while all others call MPI_Bcast itself.
#include "fortran.hpp"

#include "counts.hpp"
#include "degrees.hpp"
#include "intercepted.hpp"
#include "process.hpp"
#include "report.hpp"
#include <topomp/core/mpi.hpp>

#include <boost/preprocessor/repetition/enum_params.hpp>
#include <mpi.h>

#include <dlfcn.h>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's

namespace {

const int* weights_of(const MPI_Fint* address) {
    const auto& constants = fortran_constants::found();
    if (constants.are_unweighted(address)) return MPI_UNWEIGHTED;
    return constants.are_empty(address) ? MPI_WEIGHTS_EMPTY : address;
}

/// A call that makes or frees a communicator.
template <class Call>
void with_handle(MPI_Fint* handle, MPI_Fint* ierror, Call call) {
    MPI_Comm comm = comm_of(handle);
    const int code = call(comm);
    if (code == MPI_SUCCESS) *handle = MPI_Comm_c2f(comm);
    say(ierror, code);
}

template <class Call>
void making(MPI_Fint* handle, MPI_Fint* ierror, Call call) {
    MPI_Comm comm = MPI_COMM_NULL;
    const int code = call(comm);
    if (code == MPI_SUCCESS) *handle = MPI_Comm_c2f(comm);
    say(ierror, code);
}

} // namespace

extern "C" {

void mpi_init_f08_(MPI_Fint* ierror) { say(ierror, intercepted_MPI_Init(nullptr, nullptr)); }

void mpi_init_thread_f08_(integers required, MPI_Fint* provided, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Init_thread(nullptr, nullptr, *required, provided));
}

void mpi_finalize_f08_(MPI_Fint* ierror) { say(ierror, intercepted_MPI_Finalize()); }

void mpi_comm_free_f08_(MPI_Fint* comm, MPI_Fint* ierror) {
    with_handle(comm, ierror, [](MPI_Comm& it) { return intercepted_MPI_Comm_free(&it); });
}

void mpi_comm_disconnect_f08_(MPI_Fint* comm, MPI_Fint* ierror) {
    with_handle(comm, ierror, [](MPI_Comm& it) { return intercepted_MPI_Comm_disconnect(&it); });
}

void mpi_barrier_f08_(integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Barrier(comm_of(comm)));
}

void mpi_ibarrier_f08_(integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) { return intercepted_MPI_Ibarrier(comm_of(comm), it); });
}

// A start may put another request in the place of one, as Open MPI does for one whose last messages are not
// out of its buffers yet.
void mpi_start_f08_(MPI_Fint* request, MPI_Fint* ierror) {
    const MPI_Request before = MPI_Request_f2c(*request);
    MPI_Request it = before;
    const int code = intercepted_MPI_Start(&it);
    if (code == MPI_SUCCESS && it != before) *request = MPI_Request_c2f(it);
    say(ierror, code);
}

void mpi_startall_f08_(integers count, MPI_Fint* requests, MPI_Fint* ierror) {
    std::vector<MPI_Request> all;
    for (int i = 0; i < *count; ++i)
        all.push_back(MPI_Request_f2c(requests[i]));
    const std::vector<MPI_Request> before = all;
    const int code = intercepted_MPI_Startall(*count, all.data());
    if (code == MPI_SUCCESS)
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i] != before[i]) requests[i] = MPI_Request_c2f(all[i]);
    say(ierror, code);
}

void mpi_request_free_f08_(MPI_Fint* request, MPI_Fint* ierror) {
    MPI_Request it = MPI_Request_f2c(*request);
    const int code = intercepted_MPI_Request_free(&it);
    if (code == MPI_SUCCESS) *request = MPI_Request_c2f(MPI_REQUEST_NULL);
    say(ierror, code);
}

#ifdef MPICH_VERSION
void mpi_barrier_init_f08_(integers comm, integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Barrier)(comm_of(comm), MPI_Info_f2c(*info), it);
    });
}
#endif

void mpi_cart_create_f08_(integers old, integers dimensions, integers dims, integers periods,
                          integers reorder, MPI_Fint* made, MPI_Fint* ierror) {
    making(made, ierror, [&](MPI_Comm& comm) { // logicals that are true may be 1 or -1
        return intercepted_MPI_Cart_create(comm_of(old), *dimensions, dims, periods, *reorder, &comm);
    });
}

void mpi_cart_map_f08_(integers comm, integers dimensions, integers dims, integers periods, MPI_Fint* rank,
                       MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Cart_map(comm_of(comm), *dimensions, dims, periods, rank));
}

void mpi_dims_create_f08_(integers ranks, integers dimensions, MPI_Fint* dims, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Dims_create(*ranks, *dimensions, dims));
}

void mpi_dist_graph_create_adjacent_f08_(integers old, integers incoming, integers sources,
                                         integers source_weights, integers outgoing, integers destinations,
                                         integers destination_weights, integers info, integers reorder,
                                         MPI_Fint* made, MPI_Fint* ierror) {
    making(made, ierror, [&](MPI_Comm& comm) {
        return intercepted_MPI_Dist_graph_create_adjacent(
            comm_of(old), *incoming, sources, weights_of(source_weights), *outgoing, destinations,
            weights_of(destination_weights), MPI_Info_f2c(*info), *reorder, &comm);
    });
}

void mpi_dist_graph_create_f08_(integers old, integers nodes, integers sources, integers degrees,
                                integers destinations, integers weights, integers info, integers reorder,
                                MPI_Fint* made, MPI_Fint* ierror) {
    making(made, ierror, [&](MPI_Comm& comm) {
        return intercepted_MPI_Dist_graph_create(comm_of(old), *nodes, sources, degrees, destinations,
                                                 weights_of(weights), MPI_Info_f2c(*info), *reorder, &comm);
    });
}

} // extern "C"

#ifdef OPEN_MPI

namespace {

/// The MPI's own, of its Fortran library, which only programs in Fortran have.
struct fortran_waits {
    using any = void (*)(integers, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
    using any_yet = void (*)(integers, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
    using some = void (*)(integers, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);

    any waitany = reinterpret_cast<any>(fortran_function("pmpi_waitany_"));
    any_yet testany = reinterpret_cast<any_yet>(fortran_function("pmpi_testany_"));
    some waitsome = reinterpret_cast<some>(fortran_function("pmpi_waitsome_"));
    some testsome = reinterpret_cast<some>(fortran_function("pmpi_testsome_"));

    static const fortran_waits& found() {
        static const fortran_waits all;
        return all;
    }
};

} // namespace

const MPI_Datatype* topo::preload::lasting_types_of(const MPI_Fint* handles, int blocks) {
    static std::mutex alone;
    static auto& all = *new std::set<std::vector<MPI_Datatype>>; // as `process::self`
    const std::lock_guard lock{alone};
    return all.insert(types_of(handles, blocks)).first->data();
}

namespace {

/// A call of a collective that is never topomp's. What Fortran passes, the MPI's own function knows best.
template <class... Arguments>
void pass_on(topo::preload::passed_call what, const char* own_name, MPI_Fint* ierror,
             Arguments... arguments) {
    using function = void (*)(Arguments..., MPI_Fint*);
    const auto own = reinterpret_cast<function>(fortran_function(own_name));
    auto& counts = topo::preload::report::self();
    const bool is_counted = counts.is_wanted() && topo::mpi::is_running();
    const double begin = is_counted ? MPI_Wtime() : 0;
    MPI_Fint code = MPI_SUCCESS;
    own(arguments..., &code);
    if (is_counted) counts.add(what, MPI_Wtime() - begin);
    say(ierror, code);
}

} // namespace

extern "C" {

void mpi_bcast_f08_(void* buffer, integers count, integers type, integers root, integers comm,
                    MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Bcast(buffer_of(buffer), *count, type_of(type), *root, comm_of(comm)));
}

void mpi_reduce_f08_(void* input, void* result, integers count, integers type, integers op, integers root,
                     integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Reduce(buffer_of(input), buffer_of(result), *count, type_of(type), op_of(op),
                                       *root, comm_of(comm)));
}

void mpi_allreduce_f08_(void* input, void* result, integers count, integers type, integers op, integers comm,
                        MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Allreduce(buffer_of(input), buffer_of(result), *count, type_of(type),
                                          op_of(op), comm_of(comm)));
}

void mpi_scan_f08_(void* input, void* result, integers count, integers type, integers op, integers comm,
                   MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Scan(buffer_of(input), buffer_of(result), *count, type_of(type), op_of(op),
                                     comm_of(comm)));
}

void mpi_exscan_f08_(void* input, void* result, integers count, integers type, integers op, integers comm,
                     MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Exscan(buffer_of(input), buffer_of(result), *count, type_of(type), op_of(op),
                                       comm_of(comm)));
}

void mpi_reduce_scatter_block_f08_(void* input, void* result, integers count, integers type, integers op,
                                   integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Reduce_scatter_block(buffer_of(input), buffer_of(result), *count,
                                                     type_of(type), op_of(op), comm_of(comm)));
}

void mpi_reduce_scatter_f08_(void* input, void* result, integers counts, integers type, integers op,
                             integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Reduce_scatter(buffer_of(input), buffer_of(result), counts, type_of(type),
                                               op_of(op), comm_of(comm)));
}

void mpi_gather_f08_(void* mine, integers count, integers type, void* all, integers each, integers all_type,
                     integers root, integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Gather(buffer_of(mine), *count, type_of(type), buffer_of(all), *each,
                                       type_of(all_type), *root, comm_of(comm)));
}

void mpi_scatter_f08_(void* all, integers each, integers all_type, void* mine, integers count, integers type,
                      integers root, integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Scatter(buffer_of(all), *each, type_of(all_type), buffer_of(mine), *count,
                                        type_of(type), *root, comm_of(comm)));
}

void mpi_gatherv_f08_(void* mine, integers count, integers type, void* all, integers counts,
                      integers displacements, integers all_type, integers root, integers comm,
                      MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Gatherv(buffer_of(mine), *count, type_of(type), buffer_of(all), counts,
                                        displacements, type_of(all_type), *root, comm_of(comm)));
}

void mpi_scatterv_f08_(void* all, integers counts, integers displacements, integers all_type, void* mine,
                       integers count, integers type, integers root, integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Scatterv(buffer_of(all), counts, displacements, type_of(all_type),
                                         buffer_of(mine), *count, type_of(type), *root, comm_of(comm)));
}

void mpi_allgather_f08_(void* mine, integers count, integers type, void* all, integers each,
                        integers all_type, integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Allgather(buffer_of(mine), *count, type_of(type), buffer_of(all), *each,
                                          type_of(all_type), comm_of(comm)));
}

void mpi_allgatherv_f08_(void* mine, integers count, integers type, void* all, integers counts,
                         integers displacements, integers all_type, integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Allgatherv(buffer_of(mine), *count, type_of(type), buffer_of(all), counts,
                                           displacements, type_of(all_type), comm_of(comm)));
}

void mpi_alltoall_f08_(void* from, integers from_each, integers from_type, void* to, integers to_each,
                       integers to_type, integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Alltoall(buffer_of(from), *from_each, type_of(from_type), buffer_of(to),
                                         *to_each, type_of(to_type), comm_of(comm)));
}

void mpi_alltoallv_f08_(void* from, integers from_counts, integers from_displacements, integers from_type,
                        void* to, integers to_counts, integers to_displacements, integers to_type,
                        integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Alltoallv(buffer_of(from), from_counts, from_displacements,
                                          type_of(from_type), buffer_of(to), to_counts, to_displacements,
                                          type_of(to_type), comm_of(comm)));
}

void mpi_alltoallw_f08_(void* from, integers from_counts, integers from_displacements, integers from_types,
                        void* to, integers to_counts, integers to_displacements, integers to_types,
                        integers comm, MPI_Fint* ierror) {
    const MPI_Comm on = comm_of(comm);
    const int ranks = on == MPI_COMM_NULL ? 0 : number_of_givers(on);
    void* const given = buffer_of(from);
    const auto given_types = types_of(given == MPI_IN_PLACE ? to_types : from_types, ranks),
               types = types_of(to_types, ranks);
    say(ierror, intercepted_MPI_Alltoallw(given, from_counts, from_displacements, given_types.data(),
                                          buffer_of(to), to_counts, to_displacements, types.data(), on));
}

void mpi_neighbor_allgather_f08_(void* mine, integers count, integers type, void* all, integers each,
                                 integers all_type, integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Neighbor_allgather(buffer_of(mine), *count, type_of(type), buffer_of(all),
                                                   *each, type_of(all_type), comm_of(comm)));
}

void mpi_neighbor_allgatherv_f08_(void* mine, integers count, integers type, void* all, integers counts,
                                  integers displacements, integers all_type, integers comm,
                                  MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Neighbor_allgatherv(buffer_of(mine), *count, type_of(type), buffer_of(all),
                                                    counts, displacements, type_of(all_type), comm_of(comm)));
}

void mpi_neighbor_alltoall_f08_(void* from, integers from_each, integers from_type, void* to,
                                integers to_each, integers to_type, integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Neighbor_alltoall(buffer_of(from), *from_each, type_of(from_type),
                                                  buffer_of(to), *to_each, type_of(to_type), comm_of(comm)));
}

void mpi_neighbor_alltoallv_f08_(void* from, integers from_counts, integers from_displacements,
                                 integers from_type, void* to, integers to_counts, integers to_displacements,
                                 integers to_type, integers comm, MPI_Fint* ierror) {
    say(ierror, intercepted_MPI_Neighbor_alltoallv(buffer_of(from), from_counts, from_displacements,
                                                   type_of(from_type), buffer_of(to), to_counts,
                                                   to_displacements, type_of(to_type), comm_of(comm)));
}

void mpi_neighbor_alltoallw_f08_(void* from, integers from_counts, const MPI_Aint* from_displacements,
                                 integers from_types, void* to, integers to_counts,
                                 const MPI_Aint* to_displacements, integers to_types, integers comm,
                                 MPI_Fint* ierror) {
    const degrees neighbours{comm_of(comm)};
    const auto given_types = types_of(from_types, neighbours.out), types = types_of(to_types, neighbours.in);
    say(ierror, intercepted_MPI_Neighbor_alltoallw(buffer_of(from), from_counts, from_displacements,
                                                   given_types.data(), buffer_of(to), to_counts,
                                                   to_displacements, types.data(), comm_of(comm)));
}

void mpi_ibcast_f08_(void* buffer, integers count, integers type, integers root, integers comm,
                     MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ibcast(buffer_of(buffer), *count, type_of(type), *root, comm_of(comm), it);
    });
}

void mpi_ireduce_f08_(void* input, void* result, integers count, integers type, integers op, integers root,
                      integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ireduce(buffer_of(input), buffer_of(result), *count, type_of(type), op_of(op),
                                       *root, comm_of(comm), it);
    });
}

void mpi_iallreduce_f08_(void* input, void* result, integers count, integers type, integers op, integers comm,
                         MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Iallreduce(buffer_of(input), buffer_of(result), *count, type_of(type),
                                          op_of(op), comm_of(comm), it);
    });
}

void mpi_iallgather_f08_(void* mine, integers count, integers type, void* all, integers each,
                         integers all_type, integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Iallgather(buffer_of(mine), *count, type_of(type), buffer_of(all), *each,
                                          type_of(all_type), comm_of(comm), it);
    });
}

void mpi_ialltoall_f08_(void* from, integers from_each, integers from_type, void* to, integers to_each,
                        integers to_type, integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ialltoall(buffer_of(from), *from_each, type_of(from_type), buffer_of(to),
                                         *to_each, type_of(to_type), comm_of(comm), it);
    });
}

void mpi_igather_f08_(void* mine, integers count, integers type, void* all, integers each, integers all_type,
                      integers root, integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Igather(buffer_of(mine), *count, type_of(type), buffer_of(all), *each,
                                       type_of(all_type), *root, comm_of(comm), it);
    });
}

void mpi_iscatter_f08_(void* all, integers each, integers all_type, void* mine, integers count, integers type,
                       integers root, integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Iscatter(buffer_of(all), *each, type_of(all_type), buffer_of(mine), *count,
                                        type_of(type), *root, comm_of(comm), it);
    });
}

void mpi_igatherv_f08_(void* mine, integers count, integers type, void* all, integers counts,
                       integers displacements, integers all_type, integers root, integers comm,
                       MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Igatherv(buffer_of(mine), *count, type_of(type), buffer_of(all), counts,
                                        displacements, type_of(all_type), *root, comm_of(comm), it);
    });
}

void mpi_iscatterv_f08_(void* all, integers counts, integers displacements, integers all_type, void* mine,
                        integers count, integers type, integers root, integers comm, MPI_Fint* request,
                        MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Iscatterv(buffer_of(all), counts, displacements, type_of(all_type),
                                         buffer_of(mine), *count, type_of(type), *root, comm_of(comm), it);
    });
}

void mpi_iallgatherv_f08_(void* mine, integers count, integers type, void* all, integers counts,
                          integers displacements, integers all_type, integers comm, MPI_Fint* request,
                          MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Iallgatherv(buffer_of(mine), *count, type_of(type), buffer_of(all), counts,
                                           displacements, type_of(all_type), comm_of(comm), it);
    });
}

void mpi_ialltoallv_f08_(void* from, integers from_counts, integers from_displacements, integers from_type,
                         void* to, integers to_counts, integers to_displacements, integers to_type,
                         integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ialltoallv(buffer_of(from), from_counts, from_displacements,
                                          type_of(from_type), buffer_of(to), to_counts, to_displacements,
                                          type_of(to_type), comm_of(comm), it);
    });
}

void mpi_ireduce_scatter_block_f08_(void* input, void* result, integers count, integers type, integers op,
                                    integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ireduce_scatter_block(buffer_of(input), buffer_of(result), *count,
                                                     type_of(type), op_of(op), comm_of(comm), it);
    });
}

void mpi_ireduce_scatter_f08_(void* input, void* result, integers counts, integers type, integers op,
                              integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ireduce_scatter(buffer_of(input), buffer_of(result), counts, type_of(type),
                                               op_of(op), comm_of(comm), it);
    });
}

void mpi_iscan_f08_(void* input, void* result, integers count, integers type, integers op, integers comm,
                    MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Iscan(buffer_of(input), buffer_of(result), *count, type_of(type), op_of(op),
                                     comm_of(comm), it);
    });
}

void mpi_iexscan_f08_(void* input, void* result, integers count, integers type, integers op, integers comm,
                      MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Iexscan(buffer_of(input), buffer_of(result), *count, type_of(type), op_of(op),
                                       comm_of(comm), it);
    });
}

void mpi_ineighbor_allgather_f08_(void* mine, integers count, integers type, void* all, integers each,
                                  integers all_type, integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ineighbor_allgather(buffer_of(mine), *count, type_of(type), buffer_of(all),
                                                   *each, type_of(all_type), comm_of(comm), it);
    });
}

void mpi_ineighbor_allgatherv_f08_(void* mine, integers count, integers type, void* all, integers counts,
                                   integers displacements, integers all_type, integers comm,
                                   MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ineighbor_allgatherv(buffer_of(mine), *count, type_of(type), buffer_of(all),
                                                    counts, displacements, type_of(all_type), comm_of(comm),
                                                    it);
    });
}

void mpi_ineighbor_alltoall_f08_(void* from, integers from_each, integers from_type, void* to,
                                 integers to_each, integers to_type, integers comm, MPI_Fint* request,
                                 MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ineighbor_alltoall(buffer_of(from), *from_each, type_of(from_type),
                                                  buffer_of(to), *to_each, type_of(to_type), comm_of(comm),
                                                  it);
    });
}

void mpi_ineighbor_alltoallv_f08_(void* from, integers from_counts, integers from_displacements,
                                  integers from_type, void* to, integers to_counts, integers to_displacements,
                                  integers to_type, integers comm, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return intercepted_MPI_Ineighbor_alltoallv(buffer_of(from), from_counts, from_displacements,
                                                   type_of(from_type), buffer_of(to), to_counts,
                                                   to_displacements, type_of(to_type), comm_of(comm), it);
    });
}

void mpi_ineighbor_alltoallw_f08_(void* from, integers from_counts, const MPI_Aint* from_displacements,
                                  integers from_types, void* to, integers to_counts,
                                  const MPI_Aint* to_displacements, integers to_types, integers comm,
                                  MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        const degrees neighbours{comm_of(comm)};
        return intercepted_MPI_Ineighbor_alltoallw(
            buffer_of(from), from_counts, from_displacements, lasting_types_of(from_types, neighbours.out),
            buffer_of(to), to_counts, to_displacements, lasting_types_of(to_types, neighbours.in),
            comm_of(comm), it);
    });
}

// As in waits.cpp; what Fortran passes, the MPI's own Fortran functions know best.

void mpi_waitany_f08_(integers count, MPI_Fint* requests, MPI_Fint* index, MPI_Fint* status,
                      MPI_Fint* ierror) {
    const auto& own = fortran_waits::found();
    MPI_Fint code = MPI_SUCCESS, is_over = 0;
    if (!topo::preload::process::self().has_background) {
        own.waitany(count, requests, index, status, &code);
        return say(ierror, code);
    }
    while (true) {
        own.testany(count, requests, index, &is_over, status, &code);
        if (code != MPI_SUCCESS || is_over != 0) return say(ierror, code);
        std::this_thread::yield();
    }
}

void mpi_waitsome_f08_(integers count, MPI_Fint* requests, MPI_Fint* number, MPI_Fint* indices,
                       MPI_Fint* statuses, MPI_Fint* ierror) {
    const auto& own = fortran_waits::found();
    MPI_Fint code = MPI_SUCCESS;
    if (!topo::preload::process::self().has_background) {
        own.waitsome(count, requests, number, indices, statuses, &code);
        return say(ierror, code);
    }
    while (true) {
        own.testsome(count, requests, number, indices, statuses, &code);
        if (code != MPI_SUCCESS || *number != 0) return say(ierror, code);
        std::this_thread::yield();
    }
}

} // extern "C"

/// The MPI's own function of its Fortran library, counted. `ierror` is the last argument.
#define TOPOMP_FORTRAN_PASSED_ON(name, lower, upper, arguments)                                              \
    extern "C" void mpi_##lower##_f08_(BOOST_PP_ENUM_PARAMS(arguments, void* a), MPI_Fint* ierror) {         \
        pass_on(topo::preload::passed_call::name, "pmpi_" #lower "_", ierror,                                \
                BOOST_PP_ENUM_PARAMS(arguments, a));                                                         \
    }                                                                                                        \
    TOPOMP_FORTRAN_NAMES(lower, upper)

TOPOMP_FORTRAN_PASSED_ON(Ialltoallw, ialltoallw, IALLTOALLW, 10)

TOPOMP_FORTRAN_NAMES(init, INIT)
TOPOMP_FORTRAN_NAMES(init_thread, INIT_THREAD)
TOPOMP_FORTRAN_NAMES(finalize, FINALIZE)
TOPOMP_FORTRAN_NAMES(comm_free, COMM_FREE)
TOPOMP_FORTRAN_NAMES(comm_disconnect, COMM_DISCONNECT)
TOPOMP_FORTRAN_NAMES(barrier, BARRIER)
TOPOMP_FORTRAN_NAMES(bcast, BCAST)
TOPOMP_FORTRAN_NAMES(reduce, REDUCE)
TOPOMP_FORTRAN_NAMES(allreduce, ALLREDUCE)
TOPOMP_FORTRAN_NAMES(scan, SCAN)
TOPOMP_FORTRAN_NAMES(exscan, EXSCAN)
TOPOMP_FORTRAN_NAMES(reduce_scatter_block, REDUCE_SCATTER_BLOCK)
TOPOMP_FORTRAN_NAMES(reduce_scatter, REDUCE_SCATTER)
TOPOMP_FORTRAN_NAMES(gather, GATHER)
TOPOMP_FORTRAN_NAMES(scatter, SCATTER)
TOPOMP_FORTRAN_NAMES(gatherv, GATHERV)
TOPOMP_FORTRAN_NAMES(scatterv, SCATTERV)
TOPOMP_FORTRAN_NAMES(allgather, ALLGATHER)
TOPOMP_FORTRAN_NAMES(allgatherv, ALLGATHERV)
TOPOMP_FORTRAN_NAMES(alltoall, ALLTOALL)
TOPOMP_FORTRAN_NAMES(alltoallv, ALLTOALLV)
TOPOMP_FORTRAN_NAMES(alltoallw, ALLTOALLW)
TOPOMP_FORTRAN_NAMES(neighbor_allgather, NEIGHBOR_ALLGATHER)
TOPOMP_FORTRAN_NAMES(neighbor_allgatherv, NEIGHBOR_ALLGATHERV)
TOPOMP_FORTRAN_NAMES(neighbor_alltoall, NEIGHBOR_ALLTOALL)
TOPOMP_FORTRAN_NAMES(neighbor_alltoallv, NEIGHBOR_ALLTOALLV)
TOPOMP_FORTRAN_NAMES(neighbor_alltoallw, NEIGHBOR_ALLTOALLW)
TOPOMP_FORTRAN_NAMES(ineighbor_allgather, INEIGHBOR_ALLGATHER)
TOPOMP_FORTRAN_NAMES(ineighbor_allgatherv, INEIGHBOR_ALLGATHERV)
TOPOMP_FORTRAN_NAMES(ineighbor_alltoall, INEIGHBOR_ALLTOALL)
TOPOMP_FORTRAN_NAMES(ineighbor_alltoallv, INEIGHBOR_ALLTOALLV)
TOPOMP_FORTRAN_NAMES(ineighbor_alltoallw, INEIGHBOR_ALLTOALLW)
TOPOMP_FORTRAN_NAMES(ibarrier, IBARRIER)
TOPOMP_FORTRAN_NAMES(ibcast, IBCAST)
TOPOMP_FORTRAN_NAMES(ireduce, IREDUCE)
TOPOMP_FORTRAN_NAMES(iallreduce, IALLREDUCE)
TOPOMP_FORTRAN_NAMES(iallgather, IALLGATHER)
TOPOMP_FORTRAN_NAMES(ialltoall, IALLTOALL)
TOPOMP_FORTRAN_NAMES(igather, IGATHER)
TOPOMP_FORTRAN_NAMES(iscatter, ISCATTER)
TOPOMP_FORTRAN_NAMES(igatherv, IGATHERV)
TOPOMP_FORTRAN_NAMES(iscatterv, ISCATTERV)
TOPOMP_FORTRAN_NAMES(iallgatherv, IALLGATHERV)
TOPOMP_FORTRAN_NAMES(ialltoallv, IALLTOALLV)
TOPOMP_FORTRAN_NAMES(ireduce_scatter, IREDUCE_SCATTER)
TOPOMP_FORTRAN_NAMES(ireduce_scatter_block, IREDUCE_SCATTER_BLOCK)
TOPOMP_FORTRAN_NAMES(iscan, ISCAN)
TOPOMP_FORTRAN_NAMES(iexscan, IEXSCAN)
TOPOMP_FORTRAN_NAMES(start, START)
TOPOMP_FORTRAN_NAMES(startall, STARTALL)
TOPOMP_FORTRAN_NAMES(request_free, REQUEST_FREE)
TOPOMP_FORTRAN_NAMES(waitany, WAITANY)
TOPOMP_FORTRAN_NAMES(waitsome, WAITSOME)
TOPOMP_FORTRAN_NAMES(cart_create, CART_CREATE)
TOPOMP_FORTRAN_NAMES(cart_map, CART_MAP)
TOPOMP_FORTRAN_NAMES(dims_create, DIMS_CREATE)
TOPOMP_FORTRAN_NAMES(dist_graph_create_adjacent, DIST_GRAPH_CREATE_ADJACENT)
TOPOMP_FORTRAN_NAMES(dist_graph_create, DIST_GRAPH_CREATE)

#endif
