// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/detail/split_memory.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/oversubscription.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE int grouped_ranks::size(int group) const {
    return first[static_cast<std::size_t>(group) + 1] - first[static_cast<std::size_t>(group)];
}

TOPOMP_INLINE int grouped_ranks::at(int group, int number) const {
    return ranks[static_cast<std::size_t>(first[static_cast<std::size_t>(group)] + number)];
}

TOPOMP_INLINE grouped_ranks::seat grouped_ranks::seat_of(int rank) const {
    const auto place = static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
    const auto group = static_cast<int>(std::ranges::upper_bound(first, place) - first.begin()) - 1;
    return {group, place - first[static_cast<std::size_t>(group)]};
}

TOPOMP_INLINE std::span<const int> grouped_ranks::of(int group) const {
    return std::span{ranks}.subspan(static_cast<std::size_t>(first[static_cast<std::size_t>(group)]),
                                    static_cast<std::size_t>(size(group)));
}

TOPOMP_INLINE copy_groups& copy_groups::of(const hierarchy& levels, const boost::mpi::communicator& sharers) {
    context& ranks = context::of(levels);
    kept_groups& kept = ranks.attached<kept_groups>();
    const std::size_t number = kept.next_of(sharers, 0);
    return number < kept.known.size() ? *kept.known[number] : kept.add(levels, ranks, sharers);
}

TOPOMP_INLINE copy_groups& copy_groups::of_window(const hierarchy& levels,
                                                  const boost::mpi::communicator& sharers,
                                                  const std::shared_ptr<const void>& over_level) {
    if (over_level == nullptr) return of(levels, sharers);
    context& ranks = context::of(levels);
    kept_groups& kept = ranks.attached<kept_groups>();
    if (const auto known = kept.of_windows.find(over_level); known != kept.of_windows.end())
        return *known->second;
    // The groups with the lowest number that are the calling rank's on all ranks: each proposes its next
    // one, until all propose the same or one has no more.
    copy_groups* agreed = nullptr;
    for (std::size_t number = 0; agreed == nullptr;) {
        const auto next = static_cast<std::int64_t>(kept.next_of(sharers, number));
        const std::array mine{-next, next};
        std::array<std::int64_t, 2> least{};
        mpi::allreduce(mine.data(), least.data(), 2, MPI_INT64_T, MPI_MIN, ranks.private_comm(),
                       "groups of a window");
        number = static_cast<std::size_t>(-least[0]);
        if (number == kept.known.size())
            agreed = &kept.add(levels, ranks, sharers);
        else if (-least[0] == least[1])
            agreed = kept.known[number].get();
    }
    std::erase_if(kept.of_windows, [](const auto& each) { return each.first.expired(); });
    kept.of_windows.emplace(over_level, agreed);
    return *agreed;
}

TOPOMP_INLINE std::size_t copy_groups::number_of(const hierarchy& levels,
                                                 const boost::mpi::communicator& sharers,
                                                 const std::shared_ptr<const void>& over_level) {
    const kept_groups& kept = context::of(levels).attached<kept_groups>();
    if (over_level == nullptr) return kept.next_of(sharers, 0) + 1;
    const auto found = kept.of_windows.find(over_level);
    if (found == kept.of_windows.end()) return kept.known.size() + 2;
    const auto is_it = [&](const auto& each) { return each.get() == found->second; };
    return static_cast<std::size_t>(std::ranges::find_if(kept.known, is_it) - kept.known.begin()) + 1;
}

TOPOMP_INLINE std::size_t copy_groups::kept_groups::next_of(const boost::mpi::communicator& sharers,
                                                            std::size_t from) const {
    while (from < known.size() && MPI_Comm{known[from]->comm_} != MPI_Comm{sharers})
        ++from;
    return from;
}

TOPOMP_INLINE copy_groups& copy_groups::kept_groups::add(const hierarchy& levels, context& ranks,
                                                         const boost::mpi::communicator& sharers) {
    known.push_back(std::make_unique<copy_groups>(levels, ranks, sharers));
    return *known.back();
}

TOPOMP_INLINE copy_groups::copy_groups(const hierarchy& levels, context& ranks,
                                       boost::mpi::communicator sharers)
    : ranks_(ranks), comm_(std::move(sharers)), place_(place_in(levels)), number_(comm_.rank()),
      size_(comm_.size()) {
    arena& of_tree = arena::of(levels);
    if (MPI_Comm{of_tree.comm()} == MPI_Comm{comm_}) arena_ = &of_tree;
    // Group numbers follow the groups' first ranks. (SimGrid takes minutes of real time for a scan of 1024
    // ranks.)
    const char is_first = number_ == 0 ? 1 : 0;
    std::vector<char> are_first(static_cast<std::size_t>(ranks_.private_comm().size()));
    mpi::check(MPI_Allgather(&is_first, 1, MPI_CHAR, are_first.data(), 1, MPI_CHAR, ranks_.private_comm()),
               "MPI_Allgather", "first ranks of groups");
    first_ = ranks_.rank();
    mpi::bcast(&first_, 1, MPI_INT, 0, comm_, "first rank of a group");
    group_ = static_cast<int>(std::count(are_first.begin(), are_first.begin() + first_, 1));
    const std::array mine{size_, -size_, first_ + number_ == ranks_.rank() ? 1 : 0, arena_ != nullptr ? 1 : 0,
                          -group_};
    std::array<int, 5> least{};
    mpi::allreduce(mine.data(), least.data(), 5, MPI_INT, MPI_MIN, ranks_.private_comm(), "sizes of groups");
    groups_ = 1 - least[4];
    lanes_ = least[0];
    strata_ = -least[1];
    are_intervals_ = least[2] == 1;
    has_late_ranks_ = least[3] == 1 && oversubscription::of(levels).is_oversubscribed;
    bridges_.resize(static_cast<std::size_t>(strata_));
}

TOPOMP_INLINE copy_groups::seat copy_groups::seat_of(int root) {
    if (const auto known = seats_.find(root); known != seats_.end()) return known->second;
    constexpr std::size_t most = 256;
    if (seats_.size() == most) seats_.clear(); // every rank uses the same roots in the same order
    if (!everybody_.ranks.empty()) return seats_.emplace(root, everybody_.seat_of(root)).first->second;
    std::array<int, 2> found{group_, number_};
    mpi::bcast(found.data(), 2, MPI_INT, root, ranks_.private_comm(), "place of a root");
    return seats_.emplace(root, seat{found[0], found[1]}).first->second;
}

TOPOMP_INLINE const hierarchy* copy_groups::stratum(int which) {
    auto& known = bridges_[static_cast<std::size_t>(which)];
    if (!known.is_made) make(which);
    return known.levels ? &*known.levels : nullptr;
}

TOPOMP_INLINE const grouped_ranks& copy_groups::all_ranks() {
    if (!everybody_.ranks.empty()) return everybody_;
    const std::array mine{group_, number_};
    std::vector<std::array<int, 2>> all(static_cast<std::size_t>(ranks_.private_comm().size()));
    mpi::check(MPI_Allgather(mine.data(), 2, MPI_INT, all.data(), 2, MPI_INT, ranks_.private_comm()),
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

TOPOMP_INLINE std::byte* copy_groups::chunks(std::size_t bytes) {
    if (bytes <= chunk_bytes_) return chunks_.data();
    const std::size_t wanted = round_up(std::max(bytes, 2 * chunk_bytes_), page_bytes);
    all_or_none(ranks_.private_comm(), [&] {
        chunks_ = storage().take(wanted * static_cast<std::size_t>(size_), page_bytes, "topo::hybrid");
        return true;
    });
    chunk_bytes_ = wanted;
    return chunks_.data();
}

TOPOMP_INLINE place copy_groups::place_in(const hierarchy& levels) {
    std::vector<hardware_object> path;
    if (levels.whole_info().type != kind::cluster) append_objects(path, levels.whole_info());
    for (const level& each : levels)
        append_objects(path, each.info());
    return place{std::move(path)};
}

TOPOMP_INLINE const hierarchy& copy_groups::inside() {
    if (!inside_) ranks_.running().include(inside_.emplace(comm_, place_));
    return *inside_;
}

TOPOMP_INLINE void copy_groups::make(int which) {
    const auto build = [&](MPI_Comm raw, int stratum) {
        const auto comm = own(raw);
        if (!comm) return;
        const hierarchy& made = bridges_[static_cast<std::size_t>(stratum)].levels.emplace(comm, place_);
        ranks_.running().include(made);
        // One rank of each node is alone on its node there, but has to wait for its core all the same.
        if (has_late_ranks_)
            made.attachment<oversubscription>([] {
                return std::make_shared<oversubscription>(oversubscription{false, true});
            });
    };
    // The first by itself, because it may be the only one needed; all other lanes by one split.
    const bool is_lane = which > 0 && which < lanes_;
    const bool is_mine = is_lane ? number_ > 0 && number_ < lanes_ : carrier(which) == number_;
    build(mpi::comm_split(ranks_.private_comm(), is_mine ? (is_lane ? number_ : 0) : MPI_UNDEFINED, group_,
                          "one rank of each group"),
          is_lane ? number_ : which);
    for (int lane = is_lane ? 1 : which; lane <= (is_lane ? lanes_ - 1 : which); ++lane)
        bridges_[static_cast<std::size_t>(lane)].is_made = true;
}

TOPOMP_INLINE arena& copy_groups::storage() {
    if (arena_ != nullptr) return *arena_;
    if (!own_arena_) own_arena_.emplace(own(mpi::comm_dup(comm_, "ranks of a node")), "copy");
    return *own_arena_;
}

} // namespace topo::detail
