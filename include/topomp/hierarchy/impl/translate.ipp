// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/handle.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <climits>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE handle<group_traits> group_of(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    mpi::check(MPI_Comm_group(comm, &group), "MPI_Comm_group", "communicator");
    return handle<group_traits>::adopt(group);
}

TOPOMP_INLINE std::vector<int> translate(std::span<const int> ranks, MPI_Comm from, MPI_Comm to) {
    std::vector<int> result(ranks.size());
    mpi::check(MPI_Group_translate_ranks(group_of(from).native_handle(), static_cast<int>(ranks.size()),
                                         ranks.data(), group_of(to).native_handle(), result.data()),
               "MPI_Group_translate_ranks", "ranks of a level");
    return result;
}

TOPOMP_INLINE boost::mpi::communicator in_order(const boost::mpi::communicator& comm,
                                                std::span<const int> ranks, std::string_view object) {
    MPI_Group raw = MPI_GROUP_NULL;
    mpi::check(
        MPI_Group_incl(group_of(comm).native_handle(), static_cast<int>(ranks.size()), ranks.data(), &raw),
        "MPI_Group_incl", object);
    // Of no ranks it is the MPI's own empty group, which need not be freed.
    const auto group = handle<group_traits>::adopt(raw == MPI_GROUP_EMPTY ? MPI_GROUP_NULL : raw);
    MPI_Comm made = MPI_COMM_NULL;
    mpi::meet_before_creation(comm);
    mpi::check(MPI_Comm_create(comm, raw, &made), "MPI_Comm_create", object);
    return own(made);
}

[[gnu::cold]] TOPOMP_INLINE void refuse_rank(std::string_view call, int rank, int ranks, const char* role) {
    throw argument_error(call, role + std::to_string(rank),
                         "the communicator has " + std::to_string(ranks) + " ranks");
}

TOPOMP_INLINE void require_rank(std::string_view call, int rank, const boost::mpi::communicator& comm) {
    require_rank(call, rank, comm.size(), "rank ");
}

TOPOMP_INLINE void require_same_rank(const char* call, int rank, const boost::mpi::communicator& comm) {
    check_on(
        comm, call, [&] { require_rank(call, rank, comm); },
        [&](comparison& all) { all.add("rank", std::to_string(rank)); });
}

TOPOMP_INLINE void require_same_root(const char* call, int root, const boost::mpi::communicator& comm) {
    check_on(
        comm, call, [&] { require_rank(call, root, comm.size(), "root "); },
        [&](comparison& all) { all.add("root", std::to_string(root)); });
}

TOPOMP_INLINE const level& require_level(std::string_view call, const hierarchy& levels, int depth) {
    if (depth < 0 || depth >= levels.depth())
        throw argument_error(call, "level " + std::to_string(depth),
                             "the calling rank has " + std::to_string(levels.depth()) + " levels");
    return levels[depth];
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE int whole_rank(const hierarchy& levels, int depth, int level_rank) {
    const level& at = detail::require_level("topo::whole_rank", levels, depth);
    detail::require_rank("topo::whole_rank", level_rank, at.comm());
    return detail::translate(std::array{level_rank}, at.comm(), levels.whole()).front();
}

TOPOMP_INLINE std::optional<int> level_rank(const hierarchy& levels, int depth, int whole_rank) {
    const level& at = detail::require_level("topo::level_rank", levels, depth);
    detail::require_rank("topo::level_rank", whole_rank, levels.whole());
    const int found = detail::translate(std::array{whole_rank}, levels.whole(), at.comm()).front();
    return found == MPI_UNDEFINED ? std::nullopt : std::optional{found};
}

TOPOMP_INLINE std::vector<position> locate(const hierarchy& levels, int rank) {
    detail::require_same_rank("topo::locate", rank, levels.whole());
    std::vector<position> path;
    for (const level& each : levels)
        path.push_back({each.index(), each.rank()});
    int depth = levels.depth();
    mpi::bcast(&depth, 1, MPI_INT, rank, levels.whole(), "depth of a rank");
    path.resize(static_cast<std::size_t>(depth));
    mpi::bcast(path.data(), 2 * depth, MPI_INT, rank, levels.whole(), "position of a rank");
    return path;
}

TOPOMP_INLINE std::optional<int> whole_rank(const hierarchy& levels, std::span<const int> indices,
                                            int level_rank) {
    bool is_me = !indices.empty() && indices.size() <= levels.levels().size();
    for (std::size_t d = 0; is_me && d < indices.size(); ++d)
        is_me = levels.levels()[d].index() == indices[d];
    is_me = is_me && levels.levels()[indices.size() - 1].rank() == level_rank;
    const int mine = is_me ? levels.whole_rank() : INT_MAX;
    int found = INT_MAX;
    mpi::allreduce(&mine, &found, 1, MPI_INT, MPI_MIN, levels.whole(), "search for a rank");
    return found == INT_MAX ? std::nullopt : std::optional{found};
}

} // namespace topo
