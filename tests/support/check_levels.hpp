// SPDX-License-Identifier: BSL-1.0
/// @file
/// Compares a running hierarchy with answers that were found in other ways.
#pragma once

#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/gather_outline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/hierarchy/split.hpp>

#include <boost/mpi/collectives/all_reduce.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace topo_test {

/// What `MPI_Comm_compare` says: MPI_IDENT, MPI_CONGRUENT (same ranks in the same order), MPI_SIMILAR or
/// MPI_UNEQUAL.
inline int compare(MPI_Comm a, MPI_Comm b) {
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(a, b, &result);
    return result;
}

/// The ranks that the members of `comm` have in `whole`, in the order of `comm`.
inline std::vector<int> members(MPI_Comm comm, MPI_Comm whole) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    std::vector<int> mine(static_cast<std::size_t>(size)), result(mine.size());
    std::iota(mine.begin(), mine.end(), 0);
    MPI_Group inner = MPI_GROUP_NULL, outer = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &inner);
    MPI_Comm_group(whole, &outer);
    MPI_Group_translate_ranks(inner, size, mine.data(), outer, result.data());
    MPI_Group_free(&inner);
    MPI_Group_free(&outer);
    return result;
}

/// The members of a rank's levels, outermost first, by the definition: all ranks whose paths begin as its own
/// does, for each beginning of its path that leaves out somebody.
inline std::vector<std::vector<int>> members_by_definition(std::span<const topo::place> places, int rank,
                                                           const topo::hierarchy_options& options) {
    const auto& mine = places[static_cast<std::size_t>(rank)].path();
    std::vector<std::vector<int>> levels;
    std::size_t smallest = places.size();
    for (std::size_t length = 1; length <= mine.size(); ++length) {
        if (!options.wants(mine[length - 1].kind) || std::ssize(levels) >= options.max_depth) continue;
        std::vector<int> inside;
        for (int other = 0; other < std::ssize(places); ++other) {
            const auto& path = places[static_cast<std::size_t>(other)].path();
            if (path.size() >= length &&
                std::equal(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(length), path.begin()))
                inside.push_back(other);
        }
        if (inside.size() == smallest) continue;
        smallest = inside.size();
        levels.push_back(std::move(inside));
    }
    return levels;
}

/// The sum of the ranks' numbers in the whole, by a message from each: that `comm` works, and joins these.
inline int sum_of_ranks(const boost::mpi::communicator& comm, int whole_rank) {
    return boost::mpi::all_reduce(comm, whole_rank, std::plus<>{});
}

/// Checks one level of the calling rank against the communicator of the outline that it must be.
/// @collective over the level
inline void check_level(const topo::hierarchy& levels, const topo::level& actual,
                        const topo::outline& expected, const topo::outline::communicator& parent,
                        const topo::outline::communicator& wanted) {
    const auto& whole = levels.whole();
    CHECK(actual.type() == wanted.type);
    CHECK(actual.also() == wanted.also);
    CHECK(actual.ranks_within() == wanted.ranks_within);
    CHECK(actual.name() == wanted.name);
    CHECK(actual.depth() == wanted.depth);
    CHECK(actual.index() == wanted.index);
    CHECK(actual.count() == wanted.count);
    CHECK(actual.info().root == wanted.root());
    CHECK(members(actual.comm(), whole) == wanted.ranks);
    CHECK(sum_of_ranks(actual.comm(), whole.rank()) ==
          std::accumulate(wanted.ranks.begin(), wanted.ranks.end(), 0));

    const bool is_root = whole.rank() == wanted.root();
    CHECK(actual.is_root() == is_root);
    CHECK((MPI_Comm(actual.roots()) != MPI_COMM_NULL) == is_root);
    if (MPI_Comm(actual.roots()) == MPI_COMM_NULL) return;
    const std::vector<int> roots = expected.roots_below(parent);
    CHECK(members(actual.roots(), whole) == roots);
    CHECK(actual.roots().rank() == actual.index());
    CHECK(actual.roots().size() == actual.count());
    CHECK(sum_of_ranks(actual.roots(), whole.rank()) == std::accumulate(roots.begin(), roots.end(), 0));
}

/// Checks all that the ranks see of `levels` against where they are.
/// @collective over `comm`, from which the hierarchy was built
inline void check_levels(const boost::mpi::communicator& comm, const topo::hierarchy& levels,
                         std::span<const topo::place> places, const topo::hierarchy_options& options = {}) {
    const auto expected = topo::outline::of(places, options);
    const int rank = levels.whole().rank();
    CHECK(compare(levels.whole(), comm) == MPI_CONGRUENT);
    CHECK(levels.whole_info().type == expected.whole().type);
    CHECK(levels.whole_info().also == expected.whole().also);
    CHECK(levels.whole_info().ranks_within == expected.whole().ranks_within);
    CHECK(levels.whole_info().name == expected.whole().name);
    CHECK(levels.whole_info().depth == -1);
    CHECK(levels.max_depth() == expected.max_depth());
    std::size_t most_ranks_of_node = 1;
    for (const auto& each : expected.communicators)
        if (!topo::detail::joins_nodes(topo::detail::innermost_kind(each)))
            most_ranks_of_node = std::max(most_ranks_of_node, each.ranks.size());
    CHECK(levels.most_ranks_of_node() == static_cast<int>(most_ranks_of_node));

    std::vector<const topo::outline::communicator*> path; // the whole first
    for (const auto& each : expected.communicators)
        if (std::ranges::binary_search(each.ranks, rank)) path.push_back(&each);
    CHECK(levels.depth() + 1 == std::ssize(path));
    MPI_Comm parent = levels.whole();
    for (std::size_t d = 0; d < levels.levels().size() && d + 1 < path.size(); ++d) {
        const topo::level& each = levels.levels()[d];
        check_level(levels, each, expected, *path[d], *path[d + 1]);
        CHECK(compare(parent, each.comm()) == MPI_UNEQUAL);
        parent = each.comm();
    }

    std::vector<std::vector<int>> actual_members;
    for (const topo::level& each : levels)
        actual_members.push_back(members(each.comm(), levels.whole()));
    CHECK(actual_members == members_by_definition(places, rank, options));

    const int gatherer = levels.whole().size() - 1;
    const auto gathered = topo::gather_outline(levels, gatherer);
    if (rank == gatherer)
        CHECK((gathered.communicators == expected.communicators));
    else
        CHECK(gathered.communicators.empty());
}

/// Checks that splitting one step at a time, from the hierarchy's own whole, gives the same levels.
/// @collective over the whole
inline void check_step_by_step(const topo::hierarchy& levels, const topo::hierarchy_options& options = {}) {
    boost::mpi::communicator parent = levels.whole();
    int depth = 0;
    while (const auto below = topo::split_with_roots(parent, options)) {
        if (depth < levels.depth()) {
            const topo::level& same = levels[depth];
            CHECK((below->info() == same.info()));
            CHECK(compare(below->comm(), same.comm()) == MPI_CONGRUENT);
            const bool is_root = MPI_Comm(below->roots()) != MPI_COMM_NULL;
            CHECK(is_root == same.is_root());
            if (is_root && same.is_root()) CHECK(compare(below->roots(), same.roots()) == MPI_CONGRUENT);
        }
        parent = below->comm();
        ++depth;
    }
    CHECK(depth == levels.depth());
}

} // namespace topo_test
