// SPDX-License-Identifier: BSL-1.0
/// @file
/// Allgather, Allgatherv, Alltoall and Alltoallv.
#include "devices.hpp"
#include "forms.hpp"
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
blocks unequal_blocks(const hierarchy& levels, const void* all, number_list counts, number_list displacements,
                      MPI_Datatype type, block_arrays& kept) {
    kept.set(counts, displacements, levels.whole().size());
    return {const_cast<void*>(all), type, 0, kept.counts, kept.positions};
}

template <class Own>
int serve_all_gather(const void* mine, MPI_Count count, MPI_Datatype type, void* all, MPI_Count each,
                     MPI_Datatype all_type, MPI_Comm comm, Own own_call) {
    return intercept(
        verb::all_gather, comm, [&] { return bytes_or_zero(each, all_type); },
        [&] { return are_accepted_blocks(mine, count, type, all, each, all_type, comm); },
        [&](const hierarchy& levels) {
            const located own{mine, static_cast<std::size_t>(mine == MPI_IN_PLACE ? 0 : count), type};
            const located there{all, static_cast<std::size_t>(each), all_type};
            const blocks result{there.data(), there.type(), static_cast<std::size_t>(each)};
            const message place = result.block_of(levels.whole().rank());
            const std::size_t bytes = detail::bytes_of(place);
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {message_of(own.data(), count, own.type()), place})) return false;
            const auto chosen = choose(verb::all_gather, levels, bytes);
            if (!chosen) return false;
            place_own("MPI_Allgather", own.data(), count, own.type(), place);
            detail::all_gather(levels, result, *chosen);
            return true;
        },
        own_call);
}

template <class Own>
int serve_all_gatherv(const void* mine, MPI_Count count, MPI_Datatype type, void* all, number_list counts,
                      number_list displacements, MPI_Datatype all_type, MPI_Comm comm, Own own_call) {
    return intercept(
        verb::all_gatherv, comm, [&] { return bytes_of_all(counts, all_type, comm); },
        [&] { return are_accepted_blocks(mine, count, type, all, counts, displacements, all_type, comm); },
        [&](const hierarchy& levels) {
            const located own{mine, static_cast<std::size_t>(mine == MPI_IN_PLACE ? 0 : count), type};
            const located there{all, 1, all_type};
            auto& kept = kept_arrays::of_thread().first;
            const auto result =
                unequal_blocks(levels, there.data(), counts, displacements, there.type(), kept);
            const std::size_t bytes = kept.elements() * detail::size_of(all_type);
            const message given = message_of(own.data(), count, own.type());
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {given, first_of(result, levels.whole().size())})) return false;
            const auto ranks = static_cast<std::size_t>(levels.whole().size());
            const auto chosen = choose(verb::all_gatherv, levels, bytes / ranks);
            if (!chosen) return false;
            place_own("MPI_Allgatherv", own.data(), count, own.type(),
                      result.block_of(levels.whole().rank()));
            detail::all_gatherv(levels, result, *chosen);
            return true;
        },
        own_call);
}

template <class Own>
int serve_all_to_all(const void* from, MPI_Count from_each, MPI_Datatype from_type, void* to,
                     MPI_Count to_each, MPI_Datatype to_type, MPI_Comm comm, Own own_call) {
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
            const blocks result{there.data(), there.type(), static_cast<std::size_t>(to_each)};
            const std::size_t bytes = detail::bytes_of(result.block_of(0));
            const message given = message_of(own.data(), from_each, own.type());
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {given, result.block_of(0)})) return false;
            const auto chosen = choose(verb::all_to_all, levels, bytes);
            if (!chosen) return false;
            if (from == MPI_IN_PLACE) {
                const detail::copied_blocks copy{levels, result};
                detail::all_to_all(levels, copy.all(), result, *chosen);
                return true;
            }
            const blocks source{own.data(), own.type(), static_cast<std::size_t>(from_each)};
            detail::require_own_size("MPI_Alltoall", source.block_of(0), result.block_of(0));
            detail::all_to_all(levels, source, result, *chosen);
            return true;
        },
        own_call);
}

template <class Own>
int serve_all_to_allv(const void* from, number_list from_counts, number_list from_displacements,
                      MPI_Datatype from_type, void* to, number_list to_counts, number_list to_displacements,
                      MPI_Datatype to_type, MPI_Comm comm, Own own_call) {
    return intercept(
        verb::all_to_allv, comm, [&] { return bytes_of_all(to_counts, to_type, comm); },
        [&] {
            return are_accepted_exchanges(from, from_counts, from_displacements, from_type, to, to_counts,
                                          to_displacements, to_type, comm);
        },
        [&](const hierarchy& levels) {
            auto& kept = kept_arrays::of_thread();
            const located own{from, static_cast<std::size_t>(from == MPI_IN_PLACE ? 0 : 1), from_type};
            const located there{to, 1, to_type};
            const auto result =
                unequal_blocks(levels, there.data(), to_counts, to_displacements, there.type(), kept.first);
            const int size = levels.whole().size();
            blocks source;
            if (from != MPI_IN_PLACE)
                source = unequal_blocks(levels, own.data(), from_counts, from_displacements, own.type(),
                                        kept.second);
            if (any_on_device(comm, levels, {first_of(source, size), first_of(result, size)})) return false;
            const auto chosen = choose(verb::all_to_allv, levels, 0);
            if (!chosen) return false;
            if (from == MPI_IN_PLACE) {
                const detail::copied_blocks copy{levels, result};
                detail::all_to_allv(levels, copy.all(), result, *chosen);
                return true;
            }
            const int rank = levels.whole().rank();
            detail::require_own_size("MPI_Alltoallv", source.block_of(rank), result.block_of(rank));
            detail::all_to_allv(levels, source, result, *chosen);
            return true;
        },
        own_call);
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's

extern "C" {

TOPOMP_BLOCKING_FORMS(Allgather, serve_all_gather, 7)
TOPOMP_BLOCKING_FORMS(Allgatherv, serve_all_gatherv, 8)
TOPOMP_BLOCKING_FORMS(Alltoall, serve_all_to_all, 7)
TOPOMP_BLOCKING_FORMS(Alltoallv, serve_all_to_allv, 9)

} // extern "C"
