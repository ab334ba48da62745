// SPDX-License-Identifier: BSL-1.0
/// @file
/// Neighbor_allgather, Neighbor_allgatherv, Neighbor_alltoall and Neighbor_alltoallv.
#include "devices.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include "kept.hpp"
#include "located.hpp"
#include <topomp/neighbour/neighbourhood.hpp>

#include <vector>

namespace topo::preload {

namespace {

/// How many neighbours the calling rank has.
struct degrees {
    int in = 0, out = 0;
    bool is_topology = false;

    /// Of a communicator, by its topology. Local
    explicit degrees(MPI_Comm comm) {
        int kind = MPI_UNDEFINED, dimensions = 0, is_weighted = 0;
        mpi::check(MPI_Topo_test(comm, &kind), "MPI_Topo_test", "communicator");
        is_topology = kind != MPI_UNDEFINED;
        if (kind == MPI_CART) {
            mpi::check(MPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get", "communicator");
            in = out = 2 * dimensions;
        } else if (kind == MPI_GRAPH) {
            mpi::check(MPI_Graph_neighbors_count(comm, mpi::comm_rank(comm), &in),
                       "MPI_Graph_neighbors_count", "communicator");
            out = in;
        } else if (kind == MPI_DIST_GRAPH) {
            mpi::check(MPI_Dist_graph_neighbors_count(comm, &in, &out, &is_weighted),
                       "MPI_Dist_graph_neighbors_count", "communicator");
        }
    }
};

/// Whether the MPI's own calls match several links between two ranks in another order than topomp, which
/// keeps the order of the lists of neighbours, and in grids of one or two cells sends what goes down to where
/// it arrives from above, as MPI 4.0 says in section 8.6. MPICH (4.0.2) reverses the order in
/// Neighbor_alltoall, and not in Neighbor_alltoallv.
#ifdef MPICH_VERSION
constexpr bool orders_links_otherwise = true;
#else
constexpr bool orders_links_otherwise = false;
#endif

// A side of a call on which the rank has no neighbours is not looked at: MPIs differ in whether they do, and
// other ranks rely on this one.

bool is_accepted_side(int neighbours, const void* data, int count, MPI_Datatype type) {
    return neighbours == 0 || is_accepted(data, count, type);
}

bool is_accepted_side(int neighbours, const void* data, const int* counts, const int* displacements,
                      MPI_Datatype type) {
    return neighbours == 0 || are_accepted(data, counts, displacements, type, neighbours);
}

/// Where a side's data lies.
located located_side(int neighbours, const void* data, int count, MPI_Datatype type) {
    return {data, neighbours == 0 ? std::size_t{0} : static_cast<std::size_t>(count), type};
}

/// A block for each neighbour, all of one length.
blocks neighbour_blocks(const located& side, int count) {
    return {side.data(), side.type(), static_cast<std::size_t>(count)};
}

/// The same with a length for each.
blocks neighbour_blocks(int neighbours, const located& side, const int* counts, const int* displacements,
                        block_arrays& kept) {
    kept.set(counts, displacements, neighbours);
    return {side.data(), side.type(), 0, kept.counts, kept.positions};
}

/// The blocks of one side as messages, in memory that a thread keeps.
const std::vector<message>& messages_of(const blocks& all, int neighbours, std::vector<message>& kept) {
    kept.clear();
    if (neighbours == 0) return kept;
    const detail::type_layout layout{all.type};
    for (int i = 0; i < neighbours; ++i)
        kept.push_back(all.block_of(i, layout));
    return kept;
}

struct kept_messages {
    std::vector<message> out, in;

    static kept_messages& of_thread() {
        static thread_local kept_messages mine;
        return mine;
    }
};

std::uint64_t bytes_received(MPI_Comm comm, int each, MPI_Datatype type) {
    return static_cast<std::uint64_t>(degrees{comm}.in) * bytes_or_zero(each, type);
}

std::uint64_t bytes_received(MPI_Comm comm, const int* counts, MPI_Datatype type) {
    std::uint64_t sum = 0;
    for (int i = 0, number = degrees{comm}.in; i < number; ++i)
        sum += bytes_or_zero(counts[i], type);
    return sum;
}

/// A whole intercepted call.
/// @param is_accepted, exchange get the `degrees`; exchange gets the hierarchy too, and returns false if the
/// call is the MPI's all the same @param bytes, own as for `intercept`
template <class Bytes, class IsAccepted, class Exchange, class Own>
int intercept_neighbours(neighbour_call what, MPI_Comm comm, Bytes bytes, IsAccepted is_accepted,
                         Exchange exchange, Own own) noexcept {
    const std::size_t number = index_of(what);
    return intercept(
        first_neighbour_line + number, process::self().asked.neighbours[number], comm, bytes,
        [&] {
            const degrees all{comm};
            return all.is_topology && is_accepted(all);
        },
        [&](const hierarchy& levels) { return exchange(levels, degrees{comm}); }, own);
}

/// One block for all neighbours. @param is_equal whether the results of all ranks have one length
bool gather(const char* call, MPI_Comm comm, const hierarchy& levels, const degrees& all, const message& mine,
            const blocks& result, bool is_equal) {
    const message given = all.out == 0 ? message{} : mine;
    if (any_on_device(comm, levels, {given, first_of(result, all.in)})) return false;
    auto& kept = kept_messages::of_thread();
    kept.out.assign(static_cast<std::size_t>(all.out), given);
    neighbours_on(comm).links.exchange(call, kept.out, messages_of(result, all.in, kept.in), true, is_equal);
    return true;
}

/// A block of its own for each neighbour. @param is_equal whether all blocks of all ranks have one length
bool exchange(const char* call, MPI_Comm comm, const hierarchy& levels, const degrees& all,
              const blocks& given, const blocks& result, bool is_equal) {
    if (any_on_device(comm, levels, {first_of(given, all.out), first_of(result, all.in)})) return false;
    auto& kept = kept_messages::of_thread();
    const auto& known = neighbours_on(comm);
    if (known.has_several_links && orders_links_otherwise) return left_for(reason::several_links);
    known.links.exchange(call, messages_of(given, all.out, kept.out), messages_of(result, all.in, kept.in),
                         false, is_equal);
    return true;
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's
using topo::hierarchy;

extern "C" {

int intercepted_MPI_Neighbor_allgather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                                       MPI_Datatype all_type, MPI_Comm comm) {
    return intercept_neighbours(
        neighbour_call::all_gather, comm, [&] { return bytes_received(comm, each, all_type); },
        [&](const degrees& neighbours) {
            return is_accepted_side(neighbours.out, mine, count, type) &&
                   is_accepted_side(neighbours.in, all, each, all_type);
        },
        [&](const hierarchy& levels, const degrees& neighbours) {
            const located own = located_side(neighbours.out, mine, count, type);
            const located there = located_side(neighbours.in, all, each, all_type);
            return gather("MPI_Neighbor_allgather", comm, levels, neighbours,
                          message_of(own.data(), count, own.type()), neighbour_blocks(there, each), true);
        },
        [&] { return MPI_Neighbor_allgather(mine, count, type, all, each, all_type, comm); });
}

int intercepted_MPI_Neighbor_allgatherv(const void* mine, int count, MPI_Datatype type, void* all,
                                        const int* counts, const int* displacements, MPI_Datatype all_type,
                                        MPI_Comm comm) {
    return intercept_neighbours(
        neighbour_call::all_gatherv, comm, [&] { return bytes_received(comm, counts, all_type); },
        [&](const degrees& neighbours) {
            return is_accepted_side(neighbours.out, mine, count, type) &&
                   is_accepted_side(neighbours.in, all, counts, displacements, all_type);
        },
        [&](const hierarchy& levels, const degrees& neighbours) {
            const located own = located_side(neighbours.out, mine, count, type);
            const located there = located_side(neighbours.in, all, 1, all_type);
            const auto result =
                neighbour_blocks(neighbours.in, there, counts, displacements, kept_arrays::of_thread().first);
            return gather("MPI_Neighbor_allgatherv", comm, levels, neighbours,
                          message_of(own.data(), count, own.type()), result, false);
        },
        [&] {
            return MPI_Neighbor_allgatherv(mine, count, type, all, counts, displacements, all_type, comm);
        });
}

int intercepted_MPI_Neighbor_alltoall(const void* from, int from_each, MPI_Datatype from_type, void* to,
                                      int to_each, MPI_Datatype to_type, MPI_Comm comm) {
    return intercept_neighbours(
        neighbour_call::all_to_all, comm, [&] { return bytes_received(comm, to_each, to_type); },
        [&](const degrees& neighbours) {
            return is_accepted_side(neighbours.out, from, from_each, from_type) &&
                   is_accepted_side(neighbours.in, to, to_each, to_type);
        },
        [&](const hierarchy& levels, const degrees& neighbours) {
            const located own = located_side(neighbours.out, from, from_each, from_type);
            const located there = located_side(neighbours.in, to, to_each, to_type);
            return exchange("MPI_Neighbor_alltoall", comm, levels, neighbours,
                            neighbour_blocks(own, from_each), neighbour_blocks(there, to_each), true);
        },
        [&] { return MPI_Neighbor_alltoall(from, from_each, from_type, to, to_each, to_type, comm); });
}

int intercepted_MPI_Neighbor_alltoallv(const void* from, const int* from_counts,
                                       const int* from_displacements, MPI_Datatype from_type, void* to,
                                       const int* to_counts, const int* to_displacements,
                                       MPI_Datatype to_type, MPI_Comm comm) {
    return intercept_neighbours(
        neighbour_call::all_to_allv, comm, [&] { return bytes_received(comm, to_counts, to_type); },
        [&](const degrees& neighbours) {
            return is_accepted_side(neighbours.out, from, from_counts, from_displacements, from_type) &&
                   is_accepted_side(neighbours.in, to, to_counts, to_displacements, to_type);
        },
        [&](const hierarchy& levels, const degrees& neighbours) {
            auto& kept = kept_arrays::of_thread();
            const located own = located_side(neighbours.out, from, 1, from_type);
            const located there = located_side(neighbours.in, to, 1, to_type);
            const auto given =
                neighbour_blocks(neighbours.out, own, from_counts, from_displacements, kept.first);
            const auto result =
                neighbour_blocks(neighbours.in, there, to_counts, to_displacements, kept.second);
            return exchange("MPI_Neighbor_alltoallv", comm, levels, neighbours, given, result, false);
        },
        [&] {
            return MPI_Neighbor_alltoallv(from, from_counts, from_displacements, from_type, to, to_counts,
                                          to_displacements, to_type, comm);
        });
}

} // extern "C"
