// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which rank of one communicator is which rank of another.
#pragma once

#include <topomp/core/handle.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace topo {

namespace detail {

struct group_traits {
    using type = MPI_Group;
    static type null() noexcept { return MPI_GROUP_NULL; }
    static void destroy(type group) noexcept { MPI_Group_free(&group); }
};

handle<group_traits> group_of(MPI_Comm comm);

/// The numbers that `ranks` of `from` have in `to`; `MPI_UNDEFINED` for those that are not in it. Local.
std::vector<int> translate(std::span<const int> ranks, MPI_Comm from, MPI_Comm to);

/// Some ranks of a communicator in any order, the same list on all of its ranks; none where the rank is not
/// in the list. Cheaper than a split, which gathers the colours of all ranks.
/// @collective over `comm`
boost::mpi::communicator in_order(const boost::mpi::communicator& comm, std::span<const int> ranks,
                                  std::string_view object);

[[noreturn]] void refuse_rank(std::string_view call, int rank, int ranks, const char* role);
/// Refuses a number that is none of so many ranks. Local. @cost a comparison
inline void require_rank(std::string_view call, int rank, int ranks, const char* role) {
    if (rank < 0 || rank >= ranks) [[unlikely]]
        refuse_rank(call, rank, ranks, role);
}
void require_rank(std::string_view call, int rank, const boost::mpi::communicator& comm);
inline void require_root(std::string_view call, int root, const hierarchy& levels) {
    require_rank(call, root, levels.whole_size(), "root ");
}

/// The same for one rank, which must be the same on all ranks. @collective over `comm` in a checked build
void require_same_rank(const char* call, int rank, const boost::mpi::communicator& comm);
void require_same_root(const char* call, int root, const boost::mpi::communicator& comm);

const level& require_level(std::string_view call, const hierarchy& levels, int depth);

} // namespace detail

/// The whole communicator's rank of rank `level_rank` of the calling rank's level at `depth`. Local.
/// @throws argument_error if there is no such level or rank
int whole_rank(const hierarchy& levels, int depth, int level_rank);

/// The number that a rank of the whole has in the calling rank's level at `depth`; nothing if it is not in
/// that level. Local. @throws argument_error if there is no such level or rank
std::optional<int> level_rank(const hierarchy& levels, int depth, int whole_rank);

/// Where a rank is in one of its levels.
struct position {
    int index = 0; ///< of the level's communicator among its siblings
    int rank = 0;  ///< in that communicator

    friend bool operator==(const position&, const position&) = default;
};

/// Where any rank of the whole is: its position in each of its levels, outermost first.
/// @collective over the whole, with the same rank @cost two broadcasts of O(depth) bytes
/// @throws argument_error if there is no such rank
std::vector<position> locate(const hierarchy& levels, int rank);

/// The whole communicator's rank of rank `level_rank` of the level that is reached by taking the communicator
/// of index `indices[0]` at depth 0, `indices[1]` of those inside it at depth 1, and so on; nothing if there
/// is none. The inverse of `locate`. @collective over the whole, with the same arguments @cost one all-reduce
std::optional<int> whole_rank(const hierarchy& levels, std::span<const int> indices, int level_rank);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/translate.ipp>
#endif
