// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void block_sizes::set_equal(std::size_t each, std::size_t ranks) {
    begin_.clear();
    each_ = each;
    ranks_ = ranks;
}

TOPOMP_INLINE void block_sizes::set(std::span<const std::size_t> sizes) {
    begin_.assign(1, 0);
    for (const std::size_t size : sizes)
        begin_.push_back(begin_.back() + size);
}

TOPOMP_INLINE std::size_t block_sizes::begin(std::size_t position) const {
    return begin_.empty() ? position * each_ : begin_[position];
}

TOPOMP_INLINE std::size_t block_sizes::of_child(const subtree& below, std::size_t child) const {
    return begin(below.begin[child + 1]) - begin(below.begin[child]);
}

TOPOMP_INLINE std::vector<std::size_t> sizes_up(MPI_Comm private_comm, int tag, const tree_edges& edges,
                                                const subtree& below, std::size_t mine) {
    std::vector<std::size_t> sizes(below.ranks.size());
    sizes.front() = mine;
    for (std::size_t child = 0; child < edges.children.size(); ++child)
        mpi::check(MPI_Recv(sizes.data() + below.begin[child], static_cast<int>(below.below(child).size()),
                            mpi::size_type(), edges.children[child], tag, private_comm, MPI_STATUS_IGNORE),
                   "MPI_Recv", "sizes of blocks");
    if (edges.parent >= 0)
        mpi::check(MPI_Send(sizes.data(), static_cast<int>(sizes.size()), mpi::size_type(), edges.parent, tag,
                            private_comm),
                   "MPI_Send", "sizes of blocks");
    return sizes;
}

TOPOMP_INLINE void sizes_down(MPI_Comm private_comm, int tag, const tree_edges& edges, const subtree& below,
                              std::vector<std::size_t>& sizes) {
    if (edges.parent >= 0) {
        sizes.resize(below.ranks.size());
        mpi::check(MPI_Recv(sizes.data(), static_cast<int>(sizes.size()), mpi::size_type(), edges.parent, tag,
                            private_comm, MPI_STATUS_IGNORE),
                   "MPI_Recv", "sizes of blocks");
    }
    for (std::size_t child = 0; child < edges.children.size(); ++child)
        mpi::check(MPI_Send(sizes.data() + below.begin[child], static_cast<int>(below.below(child).size()),
                            mpi::size_type(), edges.children[child], tag, private_comm),
                   "MPI_Send", "sizes of blocks");
}

} // namespace topo::detail
