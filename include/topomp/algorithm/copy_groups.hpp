// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which ranks have a copy of a result in common, and how those of different copies reach each other.
#pragma once

#include <topomp/algorithm/team.hpp>
#include <topomp/core/agreement.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// All ranks by group.
struct grouped_ranks {
    std::vector<int> first; ///< where each group begins in `ranks`; behind them the number of ranks
    std::vector<int> ranks; ///< group behind group; in each ascending

    int size(int group) const {
        return first[static_cast<std::size_t>(group) + 1] - first[static_cast<std::size_t>(group)];
    }
    /// The whole's rank with a number in a group.
    int at(int group, int number) const {
        return ranks[static_cast<std::size_t>(first[static_cast<std::size_t>(group)] + number)];
    }
    struct seat {
        int group = 0, number = 0;
    };
    /// Where a rank is. @cost in proportion to the ranks
    seat seat_of(int rank) const {
        const auto place = static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
        const auto group = static_cast<int>(std::ranges::upper_bound(first, place) - first.begin()) - 1;
        return {group, place - first[static_cast<std::size_t>(group)]};
    }
    std::span<const int> of(int group) const {
        return std::span{ranks}.subspan(static_cast<std::size_t>(first[static_cast<std::size_t>(group)]),
                                        static_cast<std::size_t>(size(group)));
    }
};

/// The ranks of a window as one of several groups, each with a copy of its own, and what hybrid verbs keep
/// between calls.
///
/// A stratum is one rank of each group, on a hierarchy of its own: in stratum s the rank with number s, in a
/// group of no more than s ranks number s modulo their number. Stratum 0 are the groups' first ranks. The
/// strata that are less than the smallest group are the lanes. So any rank has a stratum in which it stands
/// for its group, whatever the sizes and the placement.
///
/// ```
///   group 0   0  1  2       stratum 0:  0 - 3 - 5     a lane
///   group 1   3  4          stratum 1:  1 - 4 - 6     a lane
///   group 2   5  6  7       stratum 2:  2 - 3 - 7     3 a second time
/// ```
class copy_groups {
public:
    /// The groups that the communicators of a window are. @collective over the whole the first time for each
    /// communicator @cost then two splits, two all-reduces, and a hierarchy of the groups' first ranks
    static copy_groups& of(const hierarchy& tree, const boost::mpi::communicator& sharers) {
        team& ranks = team::of(tree);
        auto& known = ranks.kept<kept_groups>().known;
        for (const auto& each : known)
            if (MPI_Comm{each->comm_} == MPI_Comm{sharers}) return *each;
        known.push_back(std::make_unique<copy_groups>(tree, ranks, sharers));
        return *known.back();
    }

    /// The how-many-th groups a window's are, from 1 on; one more than there are, if they are new. The same
    /// on all ranks whose windows are alike. @collective over the whole the first time for each hierarchy
    static std::size_t number_of(const hierarchy& tree, const boost::mpi::communicator& sharers) {
        const auto& known = team::of(tree).kept<kept_groups>().known;
        const auto is_same = [&](const auto& each) { return MPI_Comm{each->comm_} == MPI_Comm{sharers}; };
        return static_cast<std::size_t>(std::ranges::find_if(known, is_same) - known.begin()) + 1;
    }

    copy_groups(const hierarchy& tree, team& ranks, boost::mpi::communicator sharers)
        : ranks_(ranks), comm_(std::move(sharers)), place_(place_in(tree)), number_(comm_.rank()),
          size_(comm_.size()) {
        arena& of_tree = arena::of(tree);
        if (MPI_Comm{of_tree.comm()} == MPI_Comm{comm_}) arena_ = &of_tree;
        first_ = ranks_.rank();
        mpi::bcast(&first_, 1, MPI_INT, 0, comm_, "first rank of a group");
        // Group numbers follow the groups' first ranks.
        const auto roots =
            own(mpi::comm_split(ranks_.wire(), number_ == 0 ? 0 : MPI_UNDEFINED, first_, "roots of groups"));
        std::array<int, 2> numbers{};
        if (roots) numbers = {roots.rank(), roots.size()};
        mpi::bcast(numbers.data(), 2, MPI_INT, 0, comm_, "number of a group");
        group_ = numbers[0];
        groups_ = numbers[1];
        const std::array mine{size_, -size_, first_ + number_ == ranks_.rank() ? 1 : 0};
        std::array<int, 3> least{};
        mpi::allreduce(mine.data(), least.data(), 3, MPI_INT, MPI_MIN, ranks_.wire(), "sizes of groups");
        lanes_ = least[0];
        strata_ = -least[1];
        are_intervals_ = least[2] == 1;
        bridges_.resize(static_cast<std::size_t>(strata_));
    }
    copy_groups(const copy_groups&) = delete;
    copy_groups& operator=(const copy_groups&) = delete;

    team& ranks() const noexcept { return ranks_; }
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
    /// Where a rank is. @collective over the whole the first time for each rank @cost then a broadcast
    seat seat_of(int root) {
        if (const auto known = seats_.find(root); known != seats_.end()) return known->second;
        constexpr std::size_t most = 256;
        if (seats_.size() == most) seats_.clear(); // every rank sees the same roots in the same order
        std::array<int, 2> found{group_, number_};
        mpi::bcast(found.data(), 2, MPI_INT, root, ranks_.wire(), "place of a root");
        return seats_.emplace(root, seat{found[0], found[1]}).first->second;
    }

    /// Which rank of the calling rank's group is in a stratum.
    int carrier(int stratum) const noexcept { return stratum % size_; }

    /// The hierarchy of a stratum, whose ranks are the groups' numbers; null on ranks that are not in it.
    /// @collective over the whole the first time for each stratum that is no lane, and for all lanes but the
    /// first @cost then a split and a hierarchy
    const hierarchy* stratum(int which) {
        auto& known = bridges_[static_cast<std::size_t>(which)];
        if (!known.is_made) make(which);
        return known.tree ? &*known.tree : nullptr;
    }

    /// All ranks by group. @collective over the whole the first time @cost then a gather of 8 bytes per rank
    const grouped_ranks& everybody() {
        if (!everybody_.ranks.empty()) return everybody_;
        const std::array mine{group_, number_};
        std::vector<std::array<int, 2>> all(static_cast<std::size_t>(ranks_.wire().size()));
        mpi::check(MPI_Allgather(mine.data(), 2, MPI_INT, all.data(), 2, MPI_INT, ranks_.wire()),
                   "MPI_Allgather", "ranks by group");
        everybody_.first.resize(static_cast<std::size_t>(groups_) + 1);
        for (const auto& [group, number] : all)
            ++everybody_.first[static_cast<std::size_t>(group) + 1];
        for (std::size_t i = 1; i < everybody_.first.size(); ++i)
            everybody_.first[i] += everybody_.first[i - 1];
        everybody_.ranks.resize(all.size());
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
            const auto [group, number] = all[rank];
            everybody_
                .ranks[static_cast<std::size_t>(everybody_.first[static_cast<std::size_t>(group)] + number)] =
                static_cast<int>(rank);
        }
        return everybody_;
    }

    /// Memory of the group in which each of its ranks has so many bytes, at least; pages of its own.
    /// @collective over the whole when it grows
    std::byte* cells(std::size_t bytes) {
        if (bytes <= cell_bytes_) return cells_.data();
        const std::size_t wanted = round_up(std::max(bytes, 2 * cell_bytes_), page_bytes);
        all_or_none(ranks_.wire(), [&] {
            cells_ = storage().take(wanted * static_cast<std::size_t>(size_), page_bytes, "topo::hybrid");
            return true;
        });
        cell_bytes_ = wanted;
        return cells_.data();
    }
    std::size_t cell_bytes() const noexcept { return cell_bytes_; }

    /// Counts and positions of blocks, by group, for one call.
    std::vector<std::size_t>& counts() noexcept { return counts_; }
    std::vector<std::size_t>& positions() noexcept { return positions_; }
    /// Memory of the calling rank for one call.
    std::vector<std::byte>& scratch() noexcept { return scratch_; }

private:
    struct kept_groups {
        explicit kept_groups(team&) {}
        std::vector<std::unique_ptr<copy_groups>> known;
    };
    struct bridge {
        bool is_made = false;
        std::optional<hierarchy> tree;
    };

    /// The calling rank's levels as a place: known by their kinds and roots.
    static place place_in(const hierarchy& tree) {
        std::vector<hardware_object> path;
        if (tree.whole_info().type != kind::cluster) append_objects(path, tree.whole_info());
        for (const level& each : tree)
            append_objects(path, each.info());
        return place{std::move(path)};
    }

    void make(int which) {
        const auto build = [&](MPI_Comm raw, int stratum) {
            const auto comm = own(raw);
            if (comm) bridges_[static_cast<std::size_t>(stratum)].tree.emplace(comm, place_);
        };
        // The first by itself, for it may be the only one that is needed; all other lanes by one split.
        const bool is_lane = which > 0 && which < lanes_;
        const bool is_mine = is_lane ? number_ > 0 && number_ < lanes_ : carrier(which) == number_;
        build(mpi::comm_split(ranks_.wire(), is_mine ? (is_lane ? number_ : 0) : MPI_UNDEFINED, group_,
                              "one rank of each group"),
              is_lane ? number_ : which);
        for (int lane = is_lane ? 1 : which; lane <= (is_lane ? lanes_ - 1 : which); ++lane)
            bridges_[static_cast<std::size_t>(lane)].is_made = true;
    }

    arena& storage() {
        if (arena_ != nullptr) return *arena_;
        if (!own_arena_)
            own_arena_.emplace(boost::mpi::communicator{comm_, boost::mpi::comm_duplicate}, "copy");
        return *own_arena_;
    }

    team& ranks_;
    boost::mpi::communicator comm_;
    place place_;
    int number_, size_;
    int first_ = 0, group_ = 0, groups_ = 1, lanes_ = 1, strata_ = 1;
    bool are_intervals_ = true;
    arena* arena_ = nullptr; ///< the hierarchy's, if the group is one of its nodes
    std::optional<arena> own_arena_;
    arena::block cells_;
    std::size_t cell_bytes_ = 0;
    std::map<int, seat> seats_;
    std::vector<bridge> bridges_; ///< by stratum
    grouped_ranks everybody_;
    std::vector<std::size_t> counts_, positions_;
    std::vector<std::byte> scratch_;
};

} // namespace topo::detail
