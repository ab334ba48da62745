// SPDX-License-Identifier: BSL-1.0
/// @file
/// Argument checks of the verbs that move blocks.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace topo::detail {

/// Elements that are only read, as a message, whose address is not const.
template <buffer R>
message view_of(const R& elements) {
    using value_type = element_value_t<R>;
    return {const_cast<value_type*>(data_of(elements)), length_of(elements), datatype_of<value_type>()};
}

/// A verb that returns its result fills a vector.
template <class T>
constexpr void assert_no_bits() {
    static_assert(
        !std::is_same_v<T, bool>,
        "topo: a std::vector<bool> holds bits, which MPI cannot fill: gather into an array of bool, "
        "or gather char");
}

/// Makes a container as long as a result, where Boost.MPI does; a span or an array stays as it is.
template <class Result>
void resize(Result& result, std::size_t elements) {
    if constexpr (requires { result.resize(elements); }) result.resize(elements);
}

/// A hash of the blocks' bytes, which are the same on all ranks; in checked builds only.
std::uint64_t hash_of_lengths([[maybe_unused]] const blocks& all, [[maybe_unused]] int ranks);

/// Where blocks of these lengths begin, one behind the other. @return how long they are together
std::size_t place_in_turn(const std::vector<std::size_t>& counts, std::vector<std::size_t>& positions);

/// The calling rank's own block: `mine`, or with `MPI_IN_PLACE` the one among all of them. Local.
/// @param all on the root, with counts there are positions too
message own_block(const message& mine, const blocks& all, int root);

/// Copies the calling rank's block to its place. Local.
void copy_own_block(const message& mine, const blocks& all, int rank);

/// Refuses an own block of another size than its place among all of them. Local.
void require_own_size(std::string_view call, const message& mine, const message& own);

/// Blocks of equal length. @throws argument_error if lengths or positions of their own are given
void require_equal_blocks(std::string_view call, const blocks& all);

/// The number of elements of all ranks, if each has `count`. Local.
/// @throws argument_error if that is more than memory can hold
std::size_t elements_of_all(std::string_view call, std::size_t count, std::size_t bytes_each,
                            const hierarchy& levels);

/// Refuses a buffer that does not hold exactly a block of `count` elements for each rank. Local.
void require_block_each(std::string_view call, std::string_view object, std::size_t elements,
                        std::size_t count, const hierarchy& levels);

/// Refuses negative numbers, which `integers` holds as values in the upper half of the range. Local.
void require_not_negative(std::string_view call, std::string_view object, const integers& values);

[[noreturn]] void refuse_number(std::string_view call, std::string_view object, std::size_t given,
                                const hierarchy& levels);
inline void require_one_each(std::string_view call, std::string_view object, std::size_t given,
                             const hierarchy& levels) {
    if (given != static_cast<std::size_t>(levels.whole_size())) [[unlikely]]
        refuse_number(call, object, given, levels);
}

void require_counts(std::string_view call, const integers& counts, const hierarchy& levels);

/// Refuses blocks without a count for each rank, or with positions but not one for each. Local. Negative
/// counts are for `extent_of`.
void require_counts(std::string_view call, const blocks& all, const hierarchy& levels);

/// How far blocks reach, in elements.
struct block_extent {
    std::size_t end = 0; ///< of the last one
    std::size_t sum = 0; ///< of all counts
};

/// Local. @pre there are counts @throws argument_error if one is negative, or the extent more than memory can
/// hold
block_extent extent_of(std::string_view call, const blocks& all);

/// Refuses blocks of no possible datatype or length. Local. @pre there are counts for each rank, or none
void require_blocks(std::string_view call, const blocks& all, const hierarchy& levels);

/// The same of as long a block for each rank as this rank's. Local.
void require_block_of_all(std::string_view call, const message& mine, const hierarchy& levels);

/// Refuses a buffer that is not enough for all blocks, or in which they would begin before it. Local.
/// @pre there are counts
void require_room(std::string_view call, std::string_view object, const blocks& all, std::size_t elements);

/// In a checked build, refuses positions at which two blocks have an element in common. Local.
/// @pre there are counts for each rank @cost p log p for p ranks
void require_apart([[maybe_unused]] std::string_view call, [[maybe_unused]] std::string_view object,
                   [[maybe_unused]] const blocks& all);

/// Refuses an own block of another size than its place among the blocks, both in bytes. Local.
void require_own_bytes(std::string_view call, std::size_t given, std::size_t expected);

/// Refuses blocks at no address, if all together have elements. Local. @pre `require_blocks` for the calling
/// rank @cost a comparison
void require_data(std::string_view call, std::string_view object, const blocks& all, const hierarchy& levels);

/// Refuses invalid blocks of the root, and invalid own blocks of each rank. Local.
/// @param all on the root: with a count for each rank, or none
/// @throws argument_error if there is no such root, or if `mine` is in place on another rank or no possible
/// message; on the root also if the blocks are none, or its own has another size than its place among all
void require_blocks_of_root(std::string_view call, const hierarchy& levels, const message& mine,
                            const blocks& all, int root);

/// In a checked build, checks that every rank's own block has the length of the root's count for it.
/// @param all the root's @collective over the whole
void compare_with_root([[maybe_unused]] std::string_view call, [[maybe_unused]] const hierarchy& levels,
                       [[maybe_unused]] const message& own, [[maybe_unused]] const blocks& all,
                       [[maybe_unused]] int root);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/block_arguments.ipp>
#endif
