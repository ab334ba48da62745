// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/neighbour/detail/block_bytes.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstring>

namespace topo::detail {

TOPOMP_INLINE void pack_block(const message& from, std::byte* to) {
    const std::size_t bytes = bytes_of(from);
    if (bytes == 0) return;
    if (type_layout{from.type}.is_dense) {
        std::memcpy(to, from.data, bytes);
    } else {
        int position = 0;
        mpi::check(MPI_Pack(from.data, static_cast<int>(from.count), from.type, to, static_cast<int>(bytes),
                            &position, MPI_COMM_SELF),
                   "MPI_Pack", "block");
    }
}

TOPOMP_INLINE void unpack_block(const std::byte* from, const message& to) {
    const std::size_t bytes = bytes_of(to);
    if (bytes == 0) return;
    if (type_layout{to.type}.is_dense) {
        std::memcpy(to.data, from, bytes);
    } else {
        int position = 0;
        mpi::check(MPI_Unpack(from, static_cast<int>(bytes), &position, to.data, static_cast<int>(to.count),
                              to.type, MPI_COMM_SELF),
                   "MPI_Unpack", "block");
    }
}

} // namespace topo::detail
