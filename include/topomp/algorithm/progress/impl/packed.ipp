// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Elements at absolute addresses, seen from an address of the program: MPI_Pack and MPI_Unpack of MPICH
/// (4.0) refuse `MPI_BOTTOM`, which is null.
class seen_from_here {
public:
    explicit seen_from_here(const message& absolute) : elements_{this, absolute.count, MPI_DATATYPE_NULL} {
        const int one = 1;
        MPI_Aint here = 0;
        mpi::check(MPI_Get_address(this, &here), "MPI_Get_address", "elements");
        const MPI_Aint back = -here;
        mpi::check(MPI_Type_create_hindexed(1, &one, &back, absolute.type, &elements_.type),
                   "MPI_Type_create_hindexed", "elements");
        mpi::check(MPI_Type_commit(&elements_.type), "MPI_Type_commit", "elements");
    }
    seen_from_here(const seen_from_here&) = delete;
    seen_from_here& operator=(const seen_from_here&) = delete;
    ~seen_from_here() { MPI_Type_free(&elements_.type); }

    /// Of the same size and extent.
    const message& elements() const { return elements_; }

private:
    message elements_;
};

TOPOMP_INLINE void pack(const message& from, const type_layout& layout, std::byte* to) {
    if (from.count == 0 || layout.size == 0) return;
    if (layout.is_dense) {
        copy_bytes(to, from.data, from.count * layout.size);
        return;
    }
    if (from.data == nullptr) [[unlikely]]
        return pack(seen_from_here{from}.elements(), layout, to);
    const segments pieces{from.count, layout.size, 0};
    for (std::size_t s = 0; s < pieces.number; ++s) {
        int position = 0;
        const int bytes = pieces.length(s) * static_cast<int>(layout.size);
        mpi::check(MPI_Pack(layout.element(from.data, pieces.first(s)), pieces.length(s), from.type,
                            to + pieces.first(s) * layout.size, bytes, &position, MPI_COMM_SELF),
                   "MPI_Pack", "elements");
    }
}

TOPOMP_INLINE void unpack(const std::byte* from, const message& to, const type_layout& layout) {
    if (to.count == 0 || layout.size == 0) return;
    if (layout.is_dense) {
        copy_bytes(to.data, from, to.count * layout.size);
        return;
    }
    if (to.data == nullptr) [[unlikely]]
        return unpack(from, seen_from_here{to}.elements(), layout);
    const segments pieces{to.count, layout.size, 0};
    for (std::size_t s = 0; s < pieces.number; ++s) {
        int position = 0;
        const int bytes = pieces.length(s) * static_cast<int>(layout.size);
        mpi::check(MPI_Unpack(from + pieces.first(s) * layout.size, bytes, &position,
                              layout.element(to.data, pieces.first(s)), pieces.length(s), to.type,
                              MPI_COMM_SELF),
                   "MPI_Unpack", "elements");
    }
}

TOPOMP_INLINE bool is_same(const message& a, const message& b) {
    return a.data == b.data && a.type == b.type && a.count == b.count;
}

TOPOMP_INLINE void copy_block(const message& from, const message& to, scratch_buffer& temporary) {
    copy_block(from, type_layout{from.type}, to, type_layout{to.type}, temporary);
}

TOPOMP_INLINE void copy_block(const message& from, const type_layout& source, const message& to,
                              const type_layout& target, scratch_buffer& temporary) {
    if (to.count == 0 || is_same(from, to)) return;
    if (source.is_dense) return unpack(static_cast<std::byte*>(from.data), to, target);
    if (target.is_dense) return pack(from, source, static_cast<std::byte*>(to.data));
    temporary.reserve(from.count * source.size);
    pack(from, source, temporary.data());
    unpack(temporary.data(), to, target);
}

TOPOMP_INLINE bool is_short(const message& what, const type_layout& layout) {
    return what.count <= longest_message && what.count * layout.size <= longest_message;
}

TOPOMP_INLINE bool arrives_as_it_lies(const message& what, const type_layout& layout) {
    return is_short(what, layout) && receives_from_bytes(layout, what.count * layout.size);
}

TOPOMP_INLINE bool is_short(const message& what) {
    return what.count <= longest_message && bytes_of(what) <= longest_message;
}

TOPOMP_INLINE void receive_packed(std::byte* data, std::size_t bytes, int from, int tag,
                                  MPI_Comm private_comm, std::vector<MPI_Request>& slots) {
    in_packed_pieces(data, bytes, [&](std::byte* piece, int length) {
        slots.push_back(MPI_REQUEST_NULL);
        mpi::check(MPI_Irecv(piece, length, MPI_PACKED, from, tag, private_comm, &slots.back()), "MPI_Irecv",
                   "blocks");
    });
}

TOPOMP_INLINE void send_packed(std::byte* data, std::size_t bytes, int to, int tag, MPI_Comm private_comm,
                               std::vector<MPI_Request>& slots) {
    in_packed_pieces(data, bytes, [&](std::byte* piece, int length) {
        slots.push_back(MPI_REQUEST_NULL);
        mpi::check(mpi::isend(piece, length, MPI_PACKED, to, tag, private_comm, &slots.back()), "MPI_Isend",
                   "blocks");
    });
}

TOPOMP_INLINE void receive_short(const message& what, const type_layout& layout, int from, int tag,
                                 MPI_Comm private_comm, std::vector<MPI_Request>& slots) {
    const message to = received_in(what, layout);
    slots.push_back(MPI_REQUEST_NULL);
    mpi::check(
        MPI_Irecv(to.data, static_cast<int>(to.count), to.type, from, tag, private_comm, &slots.back()),
        "MPI_Irecv", "blocks");
}

TOPOMP_INLINE void send_short(const message& what, int to, int tag, MPI_Comm private_comm,
                              std::vector<MPI_Request>& slots) {
    slots.push_back(MPI_REQUEST_NULL);
    mpi::check(
        mpi::isend(what.data, static_cast<int>(what.count), what.type, to, tag, private_comm, &slots.back()),
        "MPI_Isend", "blocks");
}

} // namespace topo::detail
