// SPDX-License-Identifier: BSL-1.0
/// @file
/// Verbs with a block for each rank, through the memory of a node.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace topo::detail {

/// All ranks of a hierarchy, if they are in one node: what they expose to each other and copy in one call.
/// Blocks of types with gaps are packed on the way.
class shared_blocks {
public:
    /// @collective over the context the first time
    explicit shared_blocks(context& ranks);

    /// Whether this algorithm can be used; the functions below may be called only then.
    bool works() const { return room_ == nullptr || room_->works(); }

    /// @param result with the own block at its place; they may have different lengths
    void all_gather(const blocks& result);

    /// @param mine in the result already, if that is its place @param result used on the root
    void gather(const message& mine, const blocks& result, int root);

    /// @param source used on the root
    void scatter(const blocks& source, const message& mine, int root);

    /// @pre source and result are different memory
    void all_to_all(const blocks& source, const blocks& result);

    /// Up to which length, excluded, all_to_allv takes blocks. The same on all ranks.
    std::size_t shorter_than() const;

    /// Whether all_to_allv takes longer ones, too, by the kernel. The same on all ranks.
    /// @collective over the ranks the first time
    bool copies_long_blocks();

    /// Each rank writes its blocks, and where each ends, into its own memory; the others read theirs there.
    /// @param shorter_than blocks of fewer bytes @param with_long and others, which the kernel copies
    /// @pre source and result are different memory @throws argument_error if a block had another length
    void all_to_allv(const blocks& source, const blocks& result, std::size_t shorter_than, bool with_long);

    /// @param input with a position for each block @param mine may lie in it
    /// @pre `shared_reduce_scatter::takes`
    void reduce_scatter(const blocks& input, const message& mine, MPI_Op op);

    /// @pre `shared_scan::takes`
    void scan(const void* input, const message& result, MPI_Op op, scan_kind kind);

private:
    static std::byte* at(std::byte* all, int rank, std::size_t bytes);
    std::vector<wanted>& wishes() { return room_->wishes(); }

    void fetch(const pulled& call, const exposed& shows);

    /// Where equal blocks of all ranks arrive, one behind the other: in the result, or packed.
    std::byte* landing(const blocks& result, const type_layout& layout, std::size_t bytes);
    std::byte* packed_result(std::size_t bytes);
    /// Out of there, where they lie packed.
    void unpack_others(const blocks& result, const type_layout& layout);

    /// As plain bytes, in memory in which nothing arrives.
    const std::byte* shown(const message& what, const type_layout& layout);

    /// A call in which a rank exposes a block for each rank. That of the rank behind it moves first, its own
    /// not at all, so that ranks whose blocks move at the same time read from different ones.
    pulled of_blocks(std::size_t bytes) const;
    exposed behind_own(const blocks& source);
    /// The number of a rank's block in that order.
    std::size_t place_behind(int owner, int rank) const;

    /// all_to_allv: what a rank shows are its blocks, one behind the other, and the end of each as a
    /// `Number`.
    template <class Number>
    void write_blocks(const blocks& source, const type_layout& layout, std::size_t shorter_than,
                      std::byte* ends, std::byte* data);
    struct found_block {
        const std::byte* data = nullptr;
        std::size_t bytes = 0;
    };
    /// Where the kernel finds a rank's block for another one; none: no bytes.
    struct long_block {
        std::uint64_t address = 0, bytes = 0;
    };
    /// Of a rank, behind its short blocks: one for each rank.
    std::byte* long_blocks_of(int rank) const;
    void show_long_blocks(const blocks& source, const type_layout& layout, std::size_t from_bytes);
    /// This rank's of another one. @pre its post was seen
    long_block find_long(int rank) const;
    void read_long(int rank, const long_block& from, const message& to, const type_layout& layout);
    template <class Number>
    found_block find_own(const std::byte* ends, const std::byte* data) const;
    found_block find_own(int rank) const;
    /// Where they are: ends and blocks beside the signal, only the ends, or nothing.
    static constexpr std::byte all_beside_signal{1}, ends_beside_signal{2}, all_in_chunks{3};
    static constexpr std::byte has_long_blocks{128}; ///< and this
    static constexpr std::size_t beside_signal = 1;  ///< the place of the ends in a post

    /// What a context keeps for these calls.
    struct node {
        explicit node(context& ranks);
        shared_room* room = nullptr; ///< null: the rank is alone
        scratch_buffer spare;        ///< of a rank without others
    };

    shared_room* room_;
    scratch_buffer* alone_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_blocks.ipp>
#endif
