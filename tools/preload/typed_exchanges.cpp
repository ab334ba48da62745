// SPDX-License-Identifier: BSL-1.0
/// @file
/// Alltoallw, as an Alltoallv of bytes.
#include "devices.hpp"
#include "forms.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include "kept.hpp"
#include "refused.hpp"
#include "typed_side.hpp"
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/detail/block_arguments.hpp>

#include <array>
#include <forward_list>
#include <vector>

namespace topo::preload {

namespace {

std::size_t address_of(const void* data) { return reinterpret_cast<std::size_t>(data); }

/// The blocks of one side as bytes, in memory that a thread keeps: those without gaps where they lie, the
/// others packed.
class byte_blocks {
public:
    static std::array<byte_blocks, 2>& of_thread() {
        static thread_local std::array<byte_blocks, 2> mine;
        return mine;
    }

    /// @param packs_all for what arrives will overwrite them @param moved as for `typed_side::block`
    void set(const typed_side& side, int ranks, bool packs_all, std::forward_list<located>& moved) {
        lengths_.counts.clear();
        lengths_.positions.clear();
        packed_.clear();
        std::size_t room = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            const message block = side.block(rank, moved);
            const detail::type_layout layout{block.type};
            lengths_.counts.push_back(block.count * layout.size);
            lengths_.positions.push_back(address_of(block.data));
            if (lengths_.counts.back() == 0 || (layout.is_dense && !packs_all)) continue;
            packed_.push_back({block, layout, lengths_.positions.size() - 1});
            lengths_.positions.back() = room;
            room += lengths_.counts.back();
        }
        room_.reserve(room);
        for (const packed_block& each : packed_)
            lengths_.positions[each.rank] += address_of(room_.data());
    }
    blocks all() const { return {MPI_BOTTOM, MPI_BYTE, 0, lengths_.counts, lengths_.positions}; }

    void pack() const {
        for (const packed_block& each : packed_)
            detail::pack(each.elements, each.layout, memory_of(each));
    }
    void unpack() const {
        for (const packed_block& each : packed_)
            detail::unpack(memory_of(each), each.elements, each.layout);
    }

private:
    struct packed_block {
        message elements;
        detail::type_layout layout;
        std::size_t rank;
    };

    std::byte* memory_of(const packed_block& block) const {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): it is one
        return reinterpret_cast<std::byte*>(lengths_.positions[block.rank]);
    }

    block_arrays lengths_; ///< the positions are addresses
    std::vector<packed_block> packed_;
    detail::scratch_buffer room_;
};

/// The first block with data, to ask where that is.
message first_of(const typed_side& side, int ranks, std::forward_list<located>& moved) {
    for (int rank = 0; rank < ranks; ++rank)
        if (side.bytes_of(rank) > 0) return side.block(rank, moved);
    return {};
}

template <class Own>
int serve_all_to_allw(const void* from, number_list from_counts, number_list from_displacements,
                      const MPI_Datatype* from_types, void* to, number_list to_counts,
                      number_list to_displacements, const MPI_Datatype* to_types, MPI_Comm comm,
                      Own own_call) {
    const bool is_in_place = from == MPI_IN_PLACE;
    const typed_side received{to, to_counts, to_displacements, to_types};
    const typed_side given =
        is_in_place ? received : typed_side{from, from_counts, from_displacements, from_types};
    const auto& here = process::self();
    const int code = intercept(
        all_to_allw_line, here.asked.verbs[all_to_allw_line], comm,
        [&] { return received.bytes(number_of_givers(comm)); },
        [&] {
            if (refuses_own_blocks() && from == to && from_counts.is_at(to_counts) && from_types == to_types)
                return false;
            const int size = ranks{comm}.size;
            return received.is_accepted(size) && (is_in_place || given.is_accepted(size));
        },
        [&](const hierarchy& levels) {
            const int size = levels.whole().size(), rank = levels.whole().rank();
            std::forward_list<located> moved;
            if (any_on_device(comm, levels, {first_of(given, size, moved), first_of(received, size, moved)}))
                return false;
            const auto chosen = choose(detail::verb::all_to_allv, levels, 0);
            if (!chosen) return false;
            auto& [out, in] = byte_blocks::of_thread();
            out.set(given, size, is_in_place, moved);
            in.set(received, size, false, moved);
            out.pack();
            const blocks source = out.all(), result = in.all();
            detail::require_own_size("MPI_Alltoallw", source.block_of(rank), result.block_of(rank));
            detail::all_to_allv(levels, source, result, *chosen);
            in.unpack();
            return true;
        },
        own_call);
    if (here.policy.learns()) [[unlikely]]
        chooser::end_call();
    return code;
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's

extern "C" {

TOPOMP_BLOCKING_FORMS(Alltoallw, serve_all_to_allw, 9)

} // extern "C"
