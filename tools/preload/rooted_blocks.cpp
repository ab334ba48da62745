// SPDX-License-Identifier: BSL-1.0
/// @file
/// Gather, Gatherv, Scatter and Scatterv.
#include "devices.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include "kept.hpp"
#include "located.hpp"
#include "refused.hpp"
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/collective/scatterv.hpp>

#include <algorithm>

namespace topo::preload {

namespace {

using detail::verb;

/// What a rank gives or gets, and on the root the blocks of all.
struct rooted {
    message mine; ///< `MPI_IN_PLACE` as data: in its place among the blocks
    blocks all;   ///< on the root
    bool is_root = false;

    /// The calling rank's block. @throws argument_error if it has another length than its place
    message own(const hierarchy& levels, std::string_view call) const {
        if (!is_root) return mine;
        const message place = all.block_of(levels.whole().rank());
        if (mine.data == MPI_IN_PLACE) return place;
        detail::require_own_size(call, mine, place);
        return mine;
    }
    /// As `any_on_device`.
    bool uses_device(MPI_Comm comm, const hierarchy& levels) const {
        return any_on_device(comm, levels,
                             {mine, is_root ? first_of(all, levels.whole().size()) : message{}});
    }
    /// Of each block, where all have one length.
    std::size_t bytes() const {
        return mine.data == MPI_IN_PLACE ? all.count * detail::size_of(all.type) : detail::bytes_of(mine);
    }
};

located located_count(const void* data, int count, MPI_Datatype type) {
    return {data, static_cast<std::size_t>(std::max(count, 0)), type};
}

/// Elsewhere the arguments mean nothing, and must not be looked at.
located located_on_root(const hierarchy& levels, int root, const void* data, int count, MPI_Datatype type) {
    return located_count(data, levels.whole().rank() == root ? count : 0, type);
}

/// Whether the MPI accepts what the calling rank gives to the root or gets from it.
/// @param on_root whether it accepts the blocks of all ranks, and where the root's own lies; asked on the
/// root
template <class OnRoot>
bool is_accepted_rooted(MPI_Comm comm, int root, const void* mine, int count, MPI_Datatype type,
                        OnRoot on_root) {
    const ranks here{comm};
    if (!here.has(root)) return false;
    const bool is_root = here.mine == root;
    if (mine == MPI_IN_PLACE ? !is_root : !is_accepted(mine, count, type)) return false;
    return !is_root || on_root(here);
}

/// The same where all blocks have one length.
bool is_accepted_rooted(MPI_Comm comm, int root, const void* mine, int count, MPI_Datatype type,
                        const void* all, int each, MPI_Datatype all_type) {
    return is_accepted_rooted(comm, root, mine, count, type, [&](const ranks& here) {
        return is_accepted(all, each, all_type) &&
               !own_place{mine, count, type, all, all_type, here.mine}.is_refused(each);
    });
}

/// The same where each has its own.
bool is_accepted_rooted(MPI_Comm comm, int root, const void* mine, int count, MPI_Datatype type,
                        const void* all, const int* counts, const int* displacements, MPI_Datatype all_type) {
    return is_accepted_rooted(comm, root, mine, count, type, [&](const ranks& here) {
        return are_accepted(all, counts, displacements, all_type, here.size) &&
               !own_place{mine, count, type, all, all_type, here.mine}.is_refused(counts, displacements);
    });
}

rooted equal_blocks(const hierarchy& levels, int root, const void* mine, int count, MPI_Datatype type,
                    const void* all, int each, MPI_Datatype all_type) {
    rooted result{mine == MPI_IN_PLACE ? message{MPI_IN_PLACE, 0, MPI_BYTE} : message_of(mine, count, type),
                  {},
                  levels.whole().rank() == root};
    if (result.is_root) result.all = {const_cast<void*>(all), all_type, static_cast<std::size_t>(each)};
    return result;
}

/// The same with a length for each block. Nothing more can be said before the root has told the others.
rooted unequal_blocks(const hierarchy& levels, int root, const void* mine, int count, MPI_Datatype type,
                      const void* all, const int* counts, const int* displacements, MPI_Datatype all_type) {
    rooted result = equal_blocks(levels, root, mine, count, type, all, 0, all_type);
    if (!result.is_root) return result;
    auto& kept = kept_arrays::of_thread().first;
    kept.set(counts, displacements, levels.whole().size());
    result.all.counts = kept.counts;
    result.all.positions = kept.positions;
    return result;
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's
using topo::hierarchy;

extern "C" {

int intercepted_MPI_Gather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                           MPI_Datatype all_type, int root, MPI_Comm comm) {
    return intercept(
        verb::gather, comm, [&] { return bytes_or_zero(mine == MPI_IN_PLACE ? 0 : count, type); },
        [&] { return is_accepted_rooted(comm, root, mine, count, type, all, each, all_type); },
        [&](const hierarchy& levels) {
            const located own = located_count(mine, count, type);
            const located blocks = located_on_root(levels, root, all, each, all_type);
            const auto call =
                equal_blocks(levels, root, own.data(), count, own.type(), blocks.data(), each, blocks.type());
            const std::size_t bytes = call.bytes();
            if (bytes == 0) return left_for(reason::no_data);
            if (call.uses_device(comm, levels)) return false;
            const auto chosen = choose(verb::gather, levels, bytes);
            if (!chosen) return false;
            topo::detail::gather(levels, call.own(levels, "MPI_Gather"), call.all, root, *chosen);
            return true;
        },
        [&] { return MPI_Gather(mine, count, type, all, each, all_type, root, comm); });
}

int intercepted_MPI_Scatter(const void* all, int each, MPI_Datatype all_type, void* mine, int count,
                            MPI_Datatype type, int root, MPI_Comm comm) {
    return intercept(
        verb::scatter, comm, [&] { return bytes_or_zero(mine == MPI_IN_PLACE ? 0 : count, type); },
        [&] { return is_accepted_rooted(comm, root, mine, count, type, all, each, all_type); },
        [&](const hierarchy& levels) {
            const located own = located_count(mine, count, type);
            const located blocks = located_on_root(levels, root, all, each, all_type);
            const auto call =
                equal_blocks(levels, root, own.data(), count, own.type(), blocks.data(), each, blocks.type());
            const std::size_t bytes = call.bytes();
            if (bytes == 0) return left_for(reason::no_data);
            if (call.uses_device(comm, levels)) return false;
            const auto chosen = choose(verb::scatter, levels, bytes);
            if (!chosen) return false;
            topo::detail::scatter(levels, call.all, call.own(levels, "MPI_Scatter"), root, *chosen);
            return true;
        },
        [&] { return MPI_Scatter(all, each, all_type, mine, count, type, root, comm); });
}

int intercepted_MPI_Gatherv(const void* mine, int count, MPI_Datatype type, void* all, const int* counts,
                            const int* displacements, MPI_Datatype all_type, int root, MPI_Comm comm) {
    return intercept(
        verb::gatherv, comm, [&] { return bytes_or_zero(mine == MPI_IN_PLACE ? 0 : count, type); },
        [&] {
            return is_accepted_rooted(comm, root, mine, count, type, all, counts, displacements, all_type);
        },
        [&](const hierarchy& levels) {
            const located own = located_count(mine, count, type);
            const located blocks = located_on_root(levels, root, all, 1, all_type);
            const auto call = unequal_blocks(levels, root, own.data(), count, own.type(), blocks.data(),
                                             counts, displacements, blocks.type());
            if (call.uses_device(comm, levels)) return false;
            const auto chosen = choose(verb::gatherv, levels, 0);
            if (!chosen) return false;
            topo::detail::gatherv(levels, call.own(levels, "MPI_Gatherv"), call.all, root, *chosen);
            return true;
        },
        [&] { return MPI_Gatherv(mine, count, type, all, counts, displacements, all_type, root, comm); });
}

int intercepted_MPI_Scatterv(const void* all, const int* counts, const int* displacements,
                             MPI_Datatype all_type, void* mine, int count, MPI_Datatype type, int root,
                             MPI_Comm comm) {
    return intercept(
        verb::scatterv, comm, [&] { return bytes_or_zero(mine == MPI_IN_PLACE ? 0 : count, type); },
        [&] {
            return is_accepted_rooted(comm, root, mine, count, type, all, counts, displacements, all_type);
        },
        [&](const hierarchy& levels) {
            const located own = located_count(mine, count, type);
            const located blocks = located_on_root(levels, root, all, 1, all_type);
            const auto call = unequal_blocks(levels, root, own.data(), count, own.type(), blocks.data(),
                                             counts, displacements, blocks.type());
            if (call.uses_device(comm, levels)) return false;
            const auto chosen = choose(verb::scatterv, levels, 0);
            if (!chosen) return false;
            topo::detail::scatterv(levels, call.all, call.own(levels, "MPI_Scatterv"), root, *chosen);
            return true;
        },
        [&] { return MPI_Scatterv(all, counts, displacements, all_type, mine, count, type, root, comm); });
}

} // extern "C"
