// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void outgoing_block::start(const message& what, const type_layout& layout, int to, int tag,
                                         MPI_Comm private_comm, std::vector<MPI_Request>& slots) {
    const std::size_t bytes = what.count * layout.size;
    if (bytes == 0) return;
    if (is_short(what, layout)) return send_short(what, to, tag, private_comm, slots);
    if (layout.is_dense)
        return send_packed(static_cast<std::byte*>(what.data), bytes, to, tag, private_comm, slots);
    scratch_.reserve(bytes);
    pack(what, layout, scratch_.data());
    send_packed(scratch_.data(), bytes, to, tag, private_comm, slots);
}

TOPOMP_INLINE void incoming_block::start(const message& what, const type_layout& layout, int from, int tag,
                                         MPI_Comm private_comm, std::vector<MPI_Request>& slots) {
    is_packed_ = false;
    const std::size_t bytes = what.count * layout.size;
    if (bytes == 0) return;
    if (arrives_as_it_lies(what, layout)) return receive_short(what, layout, from, tag, private_comm, slots);
    if (layout.is_dense)
        return receive_packed(static_cast<std::byte*>(what.data), bytes, from, tag, private_comm, slots);
    is_packed_ = true;
    what_ = what;
    layout_ = layout;
    scratch_.reserve(bytes);
    receive_packed(scratch_.data(), bytes, from, tag, private_comm, slots);
}

TOPOMP_INLINE void incoming_block::finish() {
    if (is_packed_) unpack(scratch_.data(), what_, layout_);
    is_packed_ = false;
}

} // namespace topo::detail
