// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/lanes/stripes.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hybrid/detail/combine_in_group.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE hybrid::combining combining_of(hybrid::combining asked, std::size_t bytes, int ranks,
                                             bool is_oversubscribed) {
    if (asked != hybrid::combining::best) return asked;
    const std::size_t times = is_oversubscribed ? 16 : 1;
    const bool is_short = bytes <= times * most_combined_by_root &&
                          bytes * static_cast<std::size_t>(ranks) <= times * most_combined_of_all;
    return is_short ? hybrid::combining::by_root : hybrid::combining::by_slices;
}

TOPOMP_INLINE combine_in_group::combine_in_group(copy_groups& groups, const window_view& window,
                                                 node_synchronisation& node_sync, const operands& from,
                                                 MPI_Op op)
    : groups_(groups), window_(window), node_sync_(node_sync), from_(from), op_(op) {}

TOPOMP_INLINE void combine_in_group::run(hybrid::combining combining_by) {
    if (window_.all.count == 0) return;
    switch (combining_by) {
    case hybrid::combining::by_mpi:
        return by_mpi();
    case hybrid::combining::by_root:
        return from_.are_shared() ? by_root_in_place() : by_root();
    default:
        return from_.are_shared() ? by_slices_in_place() : by_slices();
    }
}

TOPOMP_INLINE message combine_in_group::slice_of(const message& all, int number, int size) {
    return stripe_of(all, static_cast<std::size_t>(number), static_cast<std::size_t>(size));
}

TOPOMP_INLINE const std::byte* combine_in_group::mine_at(std::size_t index) const {
    return static_cast<const std::byte*>(from_.mine()) + index * window_.element;
}

TOPOMP_INLINE void combine_in_group::by_mpi() {
    node_sync_.before(0); // all have read what was there
    const std::size_t most = std::size_t{1} << 30;
    for (std::size_t begin = 0; begin < window_.all.count; begin += most)
        mpi::check(MPI_Reduce(mine_at(begin), groups_.number() == 0 ? window_.at(begin) : nullptr,
                              static_cast<int>(std::min(most, window_.all.count - begin)), window_.all.type,
                              op_, 0, groups_.comm()),
                   "MPI_Reduce", "operands of a node");
}

TOPOMP_INLINE void combine_in_group::by_root_in_place() {
    node_sync_.before(0);
    if (groups_.number() != 0) return;
    combine(0, window_.all.count, [&](int rank) { return static_cast<const std::byte*>(from_.of(rank)); });
}

TOPOMP_INLINE void combine_in_group::by_root() {
    const chunks memory{groups_, 1, segment_elements() * window_.element};
    for_segments([&](std::size_t begin, std::size_t count, std::size_t) {
        if (begin > 0) node_sync_.after(0); // it is done with the last segment
        if (groups_.number() != 0)
            copy_shared(memory.of(groups_.number(), 0), mine_at(begin), count * window_.element);
        node_sync_.before(0);
        if (groups_.number() == 0)
            combine(begin, count, [&](int rank) -> const std::byte* {
                return rank == 0 ? mine_at(begin) : memory.of(rank, 0);
            });
    });
}

TOPOMP_INLINE void combine_in_group::by_slices_in_place() {
    node_sync_.all();
    const std::size_t begin = begin_of_slice(window_.all.count, groups_.number());
    const std::size_t end = begin_of_slice(window_.all.count, groups_.number() + 1);
    combine(begin, end - begin, [&](int rank) {
        return static_cast<const std::byte*>(from_.of(rank)) + begin * window_.element;
    });
}

TOPOMP_INLINE void combine_in_group::by_slices() {
    const chunks memory{groups_, 2, segment_elements() * window_.element};
    for_segments([&](std::size_t begin, std::size_t count, std::size_t which) {
        const std::size_t own_begin = begin_of_slice(count, groups_.number());
        const std::size_t own_end = begin_of_slice(count, groups_.number() + 1);
        std::byte* const chunk = memory.of(groups_.number(), which % 2);
        copy(mine_at(begin), chunk, 0, own_begin); // no other rank needs what lies between
        copy(mine_at(begin), chunk, own_end, count);
        node_sync_.all();
        combine(begin + own_begin, own_end - own_begin, [&](int rank) {
            const std::byte* const from =
                rank == groups_.number() ? mine_at(begin) : memory.of(rank, which % 2);
            return from + own_begin * window_.element;
        });
    });
}

TOPOMP_INLINE std::size_t combine_in_group::begin_of_slice(std::size_t count, int number) const {
    const auto size = static_cast<std::size_t>(groups_.size()), index = static_cast<std::size_t>(number);
    return count / size * index + std::min(index, count % size);
}

TOPOMP_INLINE void combine_in_group::copy(const std::byte* from, std::byte* to, std::size_t begin,
                                          std::size_t end) const {
    if (begin < end)
        copy_shared(to + begin * window_.element, from + begin * window_.element,
                    (end - begin) * window_.element);
}

TOPOMP_INLINE void combine_in_group::charge(int rank, std::size_t count) const {
    if (rank != groups_.number()) charge_copy(count * window_.element);
}

TOPOMP_INLINE combine_in_group::chunks::chunks(copy_groups& groups, std::size_t number, std::size_t bytes)
    : data_(groups.chunks(number * bytes)), of_rank_(groups.chunk_bytes()), bytes_(bytes) {}

TOPOMP_INLINE std::byte* combine_in_group::chunks::of(int rank, std::size_t which) const {
    return data_ + static_cast<std::size_t>(rank) * of_rank_ + which * bytes_;
}

} // namespace topo::detail
