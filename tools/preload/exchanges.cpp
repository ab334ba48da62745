// SPDX-License-Identifier: BSL-1.0
/// @file
/// Allgather, Allgatherv, Alltoall and Alltoallv.
#include "devices.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include "kept.hpp"
#include "located.hpp"
#include "own_block.hpp"
#include "refused.hpp"
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/kept_blocks.hpp>

namespace topo::preload {

namespace {

using detail::verb;

/// Blocks of different lengths.
blocks unequal_blocks(const hierarchy& levels, const void* all, const int* counts, const int* displacements,
                      MPI_Datatype type, block_arrays& kept) {
    kept.set(counts, displacements, levels.whole().size());
    return {const_cast<void*>(all), type, 0, kept.counts, kept.positions};
}

std::uint64_t bytes_of_all(const int* counts, MPI_Datatype type, MPI_Comm comm) {
    int size = 0;
    if (counts == nullptr || MPI_Comm_size(comm, &size) != MPI_SUCCESS) return 0;
    std::uint64_t sum = 0;
    for (int rank = 0; rank < size; ++rank)
        sum += bytes_or_zero(counts[rank], type);
    return sum;
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's
using topo::hierarchy;

extern "C" {

int intercepted_MPI_Allgather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                              MPI_Datatype all_type, MPI_Comm comm) {
    return intercept(
        verb::all_gather, comm, [&] { return bytes_or_zero(each, all_type); },
        [&] { return are_accepted_blocks(mine, count, type, all, each, all_type, comm); },
        [&](const hierarchy& levels) {
            const located own{mine, static_cast<std::size_t>(mine == MPI_IN_PLACE ? 0 : count), type};
            const located there{all, static_cast<std::size_t>(each), all_type};
            const topo::blocks result{there.data(), there.type(), static_cast<std::size_t>(each)};
            const topo::message place = result.block_of(levels.whole().rank());
            const std::size_t bytes = topo::detail::bytes_of(place);
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {message_of(own.data(), count, own.type()), place})) return false;
            const auto chosen = choose(verb::all_gather, levels, bytes);
            if (!chosen) return false;
            place_own("MPI_Allgather", own.data(), count, own.type(), place);
            topo::detail::all_gather(levels, result, *chosen);
            return true;
        },
        [&] { return MPI_Allgather(mine, count, type, all, each, all_type, comm); });
}

int intercepted_MPI_Allgatherv(const void* mine, int count, MPI_Datatype type, void* all, const int* counts,
                               const int* displacements, MPI_Datatype all_type, MPI_Comm comm) {
    return intercept(
        verb::all_gatherv, comm, [&] { return bytes_of_all(counts, all_type, comm); },
        [&] {
            const ranks here{comm};
            return are_accepted(all, counts, displacements, all_type, here.size) &&
                   (mine == MPI_IN_PLACE || is_accepted(mine, count, type)) &&
                   !own_place{mine, count, type, all, all_type, here.mine}.is_refused(counts, displacements);
        },
        [&](const hierarchy& levels) {
            const located own{mine, static_cast<std::size_t>(mine == MPI_IN_PLACE ? 0 : count), type};
            const located there{all, 1, all_type};
            auto& kept = kept_arrays::of_thread().first;
            const auto result =
                unequal_blocks(levels, there.data(), counts, displacements, there.type(), kept);
            const std::size_t bytes = kept.elements() * topo::detail::size_of(all_type);
            const topo::message given = message_of(own.data(), count, own.type());
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {given, first_of(result, levels.whole().size())})) return false;
            const auto ranks = static_cast<std::size_t>(levels.whole().size());
            const auto chosen = choose(verb::all_gatherv, levels, bytes / ranks);
            if (!chosen) return false;
            place_own("MPI_Allgatherv", own.data(), count, own.type(),
                      result.block_of(levels.whole().rank()));
            topo::detail::all_gatherv(levels, result, *chosen);
            return true;
        },
        [&] { return MPI_Allgatherv(mine, count, type, all, counts, displacements, all_type, comm); });
}

int intercepted_MPI_Alltoall(const void* from, int from_each, MPI_Datatype from_type, void* to, int to_each,
                             MPI_Datatype to_type, MPI_Comm comm) {
    return intercept(
        verb::all_to_all, comm,
        [&] {
            int size = 0;
            MPI_Comm_size(comm, &size);
            return static_cast<std::uint64_t>(size) * bytes_or_zero(to_each, to_type);
        },
        [&] { return are_accepted_exchanges(from, from_each, from_type, to, to_each, to_type); },
        [&](const hierarchy& levels) {
            const located own{from, static_cast<std::size_t>(from == MPI_IN_PLACE ? 0 : from_each),
                              from_type};
            const located there{to, static_cast<std::size_t>(to_each), to_type};
            const topo::blocks result{there.data(), there.type(), static_cast<std::size_t>(to_each)};
            const std::size_t bytes = topo::detail::bytes_of(result.block_of(0));
            const topo::message given = message_of(own.data(), from_each, own.type());
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {given, result.block_of(0)})) return false;
            const auto chosen = choose(verb::all_to_all, levels, bytes);
            if (!chosen) return false;
            if (from == MPI_IN_PLACE) {
                const topo::detail::copied_blocks copy{levels, result};
                topo::detail::all_to_all(levels, copy.all(), result, *chosen);
                return true;
            }
            const topo::blocks source{own.data(), own.type(), static_cast<std::size_t>(from_each)};
            topo::detail::require_own_size("MPI_Alltoall", source.block_of(0), result.block_of(0));
            topo::detail::all_to_all(levels, source, result, *chosen);
            return true;
        },
        [&] { return MPI_Alltoall(from, from_each, from_type, to, to_each, to_type, comm); });
}

int intercepted_MPI_Alltoallv(const void* from, const int* from_counts, const int* from_displacements,
                              MPI_Datatype from_type, void* to, const int* to_counts,
                              const int* to_displacements, MPI_Datatype to_type, MPI_Comm comm) {
    return intercept(
        verb::all_to_allv, comm, [&] { return bytes_of_all(to_counts, to_type, comm); },
        [&] {
            if (refuses_own_blocks() && from == to && from_counts == to_counts && from_type == to_type)
                return false;
            const int size = ranks{comm}.size;
            return are_accepted(to, to_counts, to_displacements, to_type, size) &&
                   (from == MPI_IN_PLACE ||
                    are_accepted(from, from_counts, from_displacements, from_type, size));
        },
        [&](const hierarchy& levels) {
            auto& kept = kept_arrays::of_thread();
            const located own{from, static_cast<std::size_t>(from == MPI_IN_PLACE ? 0 : 1), from_type};
            const located there{to, 1, to_type};
            const auto result =
                unequal_blocks(levels, there.data(), to_counts, to_displacements, there.type(), kept.first);
            const int size = levels.whole().size();
            topo::blocks source;
            if (from != MPI_IN_PLACE)
                source = unequal_blocks(levels, own.data(), from_counts, from_displacements, own.type(),
                                        kept.second);
            if (any_on_device(comm, levels, {first_of(source, size), first_of(result, size)})) return false;
            const auto chosen = choose(verb::all_to_allv, levels, 0);
            if (!chosen) return false;
            if (from == MPI_IN_PLACE) {
                const topo::detail::copied_blocks copy{levels, result};
                topo::detail::all_to_allv(levels, copy.all(), result, *chosen);
                return true;
            }
            const int rank = levels.whole().rank();
            topo::detail::require_own_size("MPI_Alltoallv", source.block_of(rank), result.block_of(rank));
            topo::detail::all_to_allv(levels, source, result, *chosen);
            return true;
        },
        [&] {
            return MPI_Alltoallv(from, from_counts, from_displacements, from_type, to, to_counts,
                                 to_displacements, to_type, comm);
        });
}

} // extern "C"
