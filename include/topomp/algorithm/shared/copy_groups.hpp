// SPDX-License-Identifier: BSL-1.0
/// @file
/// The ranks that share a copy of a result, and the communicators between different copies.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace topo::detail {

/// All ranks by group.
struct grouped_ranks {
    std::vector<int> first; ///< where each group begins in `ranks`; behind them the number of ranks
    std::vector<int> ranks; ///< group behind group; in each ascending

    int groups() const { return static_cast<int>(first.size()) - 1; }
    int size(int group) const;
    /// The whole's rank with a number in a group.
    int at(int group, int number) const;
    struct seat {
        int group = 0, number = 0;
    };
    /// Where a rank is. @cost in proportion to the ranks
    seat seat_of(int rank) const;
    std::span<const int> of(int group) const;
};

/// The ranks of a window as one of several groups, each with a copy of its own, and what hybrid verbs cache
/// between calls.
///
/// A stratum is one rank of each group, on a hierarchy of its own: in stratum s the rank with number s, in a
/// group of no more than s ranks number s modulo their number. Stratum 0 are the groups' first ranks. The
/// strata with numbers below the size of the smallest group are the lanes. So any rank has a stratum in which
/// it represents its group, whatever the sizes and the placement.
///
/// ```
///   group 0   0  1  2       stratum 0:  0 - 3 - 5     a lane
///   group 1   3  4          stratum 1:  1 - 4 - 6     a lane
///   group 2   5  6  7       stratum 2:  2 - 3 - 7     3 a second time
/// ```
class copy_groups {
public:
    /// The groups that the communicators of the windows or of the arenas of a hierarchy are. All ranks have
    /// made these together, so a communicator is new on all ranks or on none. @collective over the whole the
    /// first time for each communicator @cost then two splits, two all-reduces, and a hierarchy of the
    /// groups' first ranks
    static copy_groups& of(const hierarchy& levels, const boost::mpi::communicator& sharers);

    /// The groups that the communicators of windows are. Windows over a level have that level's
    /// communicator, which says nothing about the other ranks' windows: the innermost and the outermost level
    /// may be the same on this rank and others there. So the ranks agree for each such window.
    /// @param over_level the window's: see `window_block`
    /// @collective over the whole the first time for each window over a level, with windows that the others
    /// use for the first time too @cost then an all-reduce of two integers, or a few, and for new groups that
    /// of `of`
    static copy_groups& of_window(const hierarchy& levels, const boost::mpi::communicator& sharers,
                                  const std::shared_ptr<const void>& over_level);

    /// The ordinal of a window's groups, from 1 on; one more than there are, if they are new, and two more,
    /// if the ranks have yet to agree on them. The same on all ranks whose windows are alike. @collective
    /// over the whole the first time for each hierarchy
    static std::size_t number_of(const hierarchy& levels, const boost::mpi::communicator& sharers,
                                 const std::shared_ptr<const void>& over_level);

    copy_groups(const hierarchy& levels, context& ranks, boost::mpi::communicator sharers);
    copy_groups(const copy_groups&) = delete;
    copy_groups& operator=(const copy_groups&) = delete;

    context& ranks() const noexcept { return ranks_; }
    /// The ranks of the calling rank's group.
    const boost::mpi::communicator& comm() const noexcept { return comm_; }
    int number() const noexcept { return number_; }
    int size() const noexcept { return size_; }
    int group() const noexcept { return group_; }
    int groups() const noexcept { return groups_; }
    /// The size of the smallest group, and of the largest.
    int lanes() const noexcept { return lanes_; }
    int strata() const noexcept { return strata_; }
    /// Whether the ranks of each group are consecutive.
    bool are_intervals() const noexcept { return are_intervals_; }

    using seat = grouped_ranks::seat;
    /// Where a rank is. @collective over the whole the first time for each rank, unless `all_ranks` is known
    /// @cost then a broadcast
    seat seat_of(int root);

    /// The rank of the calling rank's group that is in a stratum.
    int carrier(int stratum) const noexcept { return stratum % size_; }

    /// The hierarchy of a stratum, whose ranks are the groups' numbers; null on ranks that are not in it.
    /// @collective over the whole the first time for each stratum that is no lane, and for all lanes but the
    /// first @cost then a split and a hierarchy
    const hierarchy* stratum(int which);

    /// The hierarchy of the calling rank's group. @collective over the group the first time @cost then that
    /// of a hierarchy
    const hierarchy& inside();

    /// All ranks by group. @collective over the whole the first time @cost then a gather of 8 bytes per rank
    const grouped_ranks& all_ranks();

    /// Memory of the group in which each of its ranks has so many bytes, at least; pages of its own.
    /// @collective over the whole when it grows
    std::byte* chunks(std::size_t bytes);
    std::size_t chunk_bytes() const noexcept { return chunk_bytes_; }

    /// Counts and positions of blocks, by group, for one call.
    std::vector<std::size_t>& counts() noexcept { return counts_; }
    std::vector<std::size_t>& positions() noexcept { return positions_; }
    /// Memory of the calling rank for one call.
    std::vector<std::byte>& scratch() noexcept { return scratch_; }

private:
    struct kept_groups {
        explicit kept_groups(context&) {}
        /// The lowest number from `from` on of groups with this communicator; past the last if there is none.
        std::size_t next_of(const boost::mpi::communicator& sharers, std::size_t from) const;
        /// @collective over the whole
        copy_groups& add(const hierarchy& levels, context& ranks, const boost::mpi::communicator& sharers);

        std::vector<std::unique_ptr<copy_groups>> known; ///< in the same order on all ranks
        /// Of windows over levels.
        std::map<std::weak_ptr<const void>, copy_groups*, std::owner_less<>> of_windows;
    };
    struct bridge {
        bool is_made = false;
        std::optional<hierarchy> levels;
    };

    /// The calling rank's levels as a place: identified by their kinds and roots.
    static place place_in(const hierarchy& levels);

    void make(int which);

    arena& storage();

    context& ranks_;
    boost::mpi::communicator comm_;
    place place_;
    int number_, size_;
    int first_ = 0, group_ = 0, groups_ = 1, lanes_ = 1, strata_ = 1;
    bool are_intervals_ = true;
    bool has_late_ranks_ = false; ///< whether groups are nodes, some with more ranks than cores
    arena* arena_ = nullptr;      ///< the hierarchy's, if the group is one of its nodes
    std::optional<arena> own_arena_;
    arena::block chunks_;
    std::size_t chunk_bytes_ = 0;
    std::map<int, seat> seats_;
    std::vector<bridge> bridges_; ///< by stratum
    std::optional<hierarchy> inside_;
    grouped_ranks everybody_;
    std::vector<std::size_t> counts_, positions_;
    std::vector<std::byte> scratch_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/copy_groups.ipp>
#endif
