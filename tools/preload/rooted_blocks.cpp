// SPDX-License-Identifier: BSL-1.0
/// @file
/// Gather, Gatherv, Scatter and Scatterv.
#include "forms.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include "located.hpp"
#include "rooted.hpp"
#include <topomp/collective/gather.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/collective/scatterv.hpp>

namespace topo::preload {

namespace {

using detail::verb;

template <class Own>
int serve_gather(const void* mine, MPI_Count count, MPI_Datatype type, void* all, MPI_Count each,
                 MPI_Datatype all_type, int root, MPI_Comm comm, Own own_call) {
    return intercept(
        verb::gather, comm, [&] { return bytes_or_zero(mine == MPI_IN_PLACE ? 0 : count, type); },
        [&] { return is_accepted_rooted(comm, root, mine, count, type, all, each, all_type); },
        [&](const hierarchy& levels) {
            const located own = located_count(mine, count, type);
            const located there = located_on_root(levels, root, all, each, all_type);
            const auto call =
                equal_blocks(levels, root, own.data(), count, own.type(), there.data(), each, there.type());
            const std::size_t bytes = call.bytes();
            if (bytes == 0) return left_for(reason::no_data);
            if (call.uses_device(comm, levels)) return false;
            const auto chosen = choose(verb::gather, levels, bytes);
            if (!chosen) return false;
            detail::gather(levels, call.own(levels, "MPI_Gather"), call.all, root, *chosen);
            return true;
        },
        own_call);
}

template <class Own>
int serve_scatter(const void* all, MPI_Count each, MPI_Datatype all_type, void* mine, MPI_Count count,
                  MPI_Datatype type, int root, MPI_Comm comm, Own own_call) {
    return intercept(
        verb::scatter, comm, [&] { return bytes_or_zero(mine == MPI_IN_PLACE ? 0 : count, type); },
        [&] { return is_accepted_rooted(comm, root, mine, count, type, all, each, all_type); },
        [&](const hierarchy& levels) {
            const located own = located_count(mine, count, type);
            const located there = located_on_root(levels, root, all, each, all_type);
            const auto call =
                equal_blocks(levels, root, own.data(), count, own.type(), there.data(), each, there.type());
            const std::size_t bytes = call.bytes();
            if (bytes == 0) return left_for(reason::no_data);
            if (call.uses_device(comm, levels)) return false;
            const auto chosen = choose(verb::scatter, levels, bytes);
            if (!chosen) return false;
            detail::scatter(levels, call.all, call.own(levels, "MPI_Scatter"), root, *chosen);
            return true;
        },
        own_call);
}

template <class Own>
int serve_gatherv(const void* mine, MPI_Count count, MPI_Datatype type, void* all, number_list counts,
                  number_list displacements, MPI_Datatype all_type, int root, MPI_Comm comm, Own own_call) {
    return intercept(
        verb::gatherv, comm, [&] { return bytes_or_zero(mine == MPI_IN_PLACE ? 0 : count, type); },
        [&] {
            return is_accepted_rooted(comm, root, mine, count, type, all, counts, displacements, all_type);
        },
        [&](const hierarchy& levels) {
            const located own = located_count(mine, count, type);
            const located there = located_on_root(levels, root, all, 1, all_type);
            const auto call = unequal_blocks(levels, root, own.data(), count, own.type(), there.data(),
                                             counts, displacements, there.type());
            if (call.uses_device(comm, levels)) return false;
            const auto chosen = choose(verb::gatherv, levels, 0);
            if (!chosen) return false;
            detail::gatherv(levels, call.own(levels, "MPI_Gatherv"), call.all, root, *chosen);
            return true;
        },
        own_call);
}

template <class Own>
int serve_scatterv(const void* all, number_list counts, number_list displacements, MPI_Datatype all_type,
                   void* mine, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm, Own own_call) {
    return intercept(
        verb::scatterv, comm, [&] { return bytes_or_zero(mine == MPI_IN_PLACE ? 0 : count, type); },
        [&] {
            return is_accepted_rooted(comm, root, mine, count, type, all, counts, displacements, all_type);
        },
        [&](const hierarchy& levels) {
            const located own = located_count(mine, count, type);
            const located there = located_on_root(levels, root, all, 1, all_type);
            const auto call = unequal_blocks(levels, root, own.data(), count, own.type(), there.data(),
                                             counts, displacements, there.type());
            if (call.uses_device(comm, levels)) return false;
            const auto chosen = choose(verb::scatterv, levels, 0);
            if (!chosen) return false;
            detail::scatterv(levels, call.all, call.own(levels, "MPI_Scatterv"), root, *chosen);
            return true;
        },
        own_call);
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's

extern "C" {

TOPOMP_BLOCKING_FORMS(Gather, serve_gather, 8)
TOPOMP_BLOCKING_FORMS(Scatter, serve_scatter, 8)
TOPOMP_BLOCKING_FORMS(Gatherv, serve_gatherv, 9)
TOPOMP_BLOCKING_FORMS(Scatterv, serve_scatterv, 9)

} // extern "C"
