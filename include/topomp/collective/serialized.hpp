// SPDX-License-Identifier: BSL-1.0
/// @file
/// broadcast, gather, all_gather and scatter of values of any type that Boost.Serialization supports.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/scatterv.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/serializable.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/config.hpp>
#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>
#include <boost/serialization/level.hpp>
#include <boost/serialization/level_enum.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo {

namespace detail {

/// A type that no other form of a verb takes: neither elements nor a message. The forms below accept all such
/// types, so that the compiler rejects an unsupported type with a message of its own.
template <class T>
concept other_value = counted<T> && !mpi_datatype<T> && !buffer<T> && !std::same_as<T, message>;

template <class T>
constexpr void assert_serializable() {
    static_assert(
        serializable<T> || !std::is_same_v<T, std::vector<bool>>,
        "topo: a std::vector<bool> holds bits, which MPI cannot move: use a std::vector<char> or an array "
        "of bool, or include <boost/serialization/vector.hpp>");
    static_assert(serializable<T> || std::is_same_v<T, std::vector<bool>>,
                  "topo: this type is neither an MPI datatype nor serializable: mark it "
                  "with BOOST_IS_MPI_DATATYPE, give it "
                  "a serialize member or function, or include the header in "
                  "<boost/serialization/...> for the container");
}

using archive_bytes = boost::mpi::packed_oarchive::buffer_type;

/// Appends a value to bytes.
template <class T>
void serialize_to(archive_bytes& bytes, MPI_Comm comm, const T& value) {
    boost::mpi::packed_oarchive archive{comm, bytes};
    archive << value;
}

/// The value whose bytes begin at `position`.
template <class T>
void deserialize_from(archive_bytes& bytes, std::size_t position, MPI_Comm comm, T& value) {
    boost::mpi::packed_iarchive archive{comm, bytes, boost::archive::no_header, static_cast<int>(position)};
    archive >> value;
}

inline message message_of_archive(archive_bytes& bytes) { return {bytes.data(), bytes.size(), MPI_PACKED}; }

/// Values of all ranks as bytes, one archive behind the other.
struct gathered_archives {
    archive_bytes bytes;
    std::vector<std::size_t> counts, positions;

    /// Reserves space for archives of these sizes, in rank order.
    blocks make_room(std::vector<std::size_t> sizes);
    /// The same in the order of these ranks.
    blocks make_room(std::span<const int> ranks, std::span<const std::size_t> sizes);
    void begin_one();
    void end_one();
    /// Appends an archive. @pre `make_room` was not used
    template <class T>
    void add(MPI_Comm comm, const T& value) {
        begin_one();
        serialize_to(bytes, comm, value);
        end_one();
    }
    template <class T>
    void read(MPI_Comm comm, std::vector<T>& values) {
        values.resize(counts.size());
        for (std::size_t rank = 0; rank < values.size(); ++rank)
            deserialize_from(bytes, positions[rank], comm, values[rank]);
    }
    blocks all() { return {bytes.data(), MPI_PACKED, 0, counts, positions}; }
};

} // namespace detail

/// The root's value to every rank, of any serializable type.
///
/// Strings, containers and classes, of any length; only the root's need have a value. At most 2 GiB of bytes.
/// @tparam Policy as for elements @collective over the whole, with the same root and type
/// @cost two broadcasts, of the number of bytes and of the bytes @throws argument_error if there is no such
/// root; what the type's serialization throws, on the ranks where it does
template <detail::other_value T, policy Policy = automatic>
void broadcast(const hierarchy& levels, T& value, int root, Policy policy = {}) {
    detail::assert_serializable<T>();
    detail::require_open("topo::broadcast", levels);
    const bool is_root = levels.whole_rank() == root;
    detail::archive_bytes bytes;
    detail::check_own("topo::broadcast", levels, [&] {
        detail::require_root("topo::broadcast", root, levels);
        if (is_root) detail::serialize_to(bytes, levels.whole(), value);
    });
    std::size_t count = bytes.size();
    broadcast(levels, count, root, policy);
    bytes.resize(count);
    broadcast(levels, detail::message_of_archive(bytes), root, policy);
    if (!is_root) detail::deserialize_from(bytes, 0, levels.whole(), value);
}

/// Every rank's value, of any serializable type, in the order of ranks on the root; nothing elsewhere.
///
/// At most 2 GiB of bytes from all ranks. @tparam Policy as for `gatherv`
/// @collective over the whole, with the same root and type @cost as the `gatherv` that returns its result
/// @throws argument_error if there is no such root; what the type's serialization throws, where it does
template <detail::other_value T, policy Policy = automatic>
std::vector<T> gather(const hierarchy& levels, const T& value, int root, Policy = {}) {
    detail::assert_serializable<T>();
    detail::archive_bytes mine;
    detail::check_own("topo::gather", levels, [&] {
        detail::require_root("topo::gather", root, levels);
        detail::serialize_to(mine, levels.whole(), value);
    });
    const auto chosen = detail::select<detail::verb::gatherv, Policy>(levels, 0, true, {.root = root});
    detail::gathered_archives all;
    const auto make_room = [&](std::span<const int> ranks, std::span<const std::size_t> sizes) {
        return all.make_room(ranks, sizes);
    };
    detail::gather_unknown(levels, detail::message_of_archive(mine), make_room, root, chosen);
    std::vector<T> values;
    if (levels.whole_rank() == root) all.read(levels.whole(), values);
    return values;
}

/// The same into `result`, on the root; elsewhere it is not used.
template <detail::other_value T, policy Policy = automatic>
void gather(const hierarchy& levels, const T& value, std::vector<T>& result, int root, Policy policy = {}) {
    auto values = gather(levels, value, root, policy);
    if (levels.whole_rank() == root) result = std::move(values);
}

/// Every rank's value, of any serializable type, in the order of ranks on every rank.
///
/// At most 2 GiB of bytes from all ranks. @tparam Policy as for `all_gather`
/// @collective over the whole, with the same type @cost as the `all_gatherv` that returns its result
/// @throws what the type's serialization throws, where it does
template <detail::other_value T, policy Policy = automatic>
std::vector<T> all_gather(const hierarchy& levels, const T& value, Policy policy = {}) {
    detail::assert_serializable<T>();
    detail::archive_bytes mine;
    detail::check_own("topo::all_gather", levels, [&] { detail::serialize_to(mine, levels.whole(), value); });
    detail::gathered_archives all;
    const blocks result = all.make_room(all_gather(levels, mine.size(), policy));
    all_gatherv(levels, detail::message_of_archive(mine), result, policy);
    std::vector<T> values;
    all.read(levels.whole(), values);
    return values;
}

/// The same into `result`.
template <detail::other_value T, policy Policy = automatic>
void all_gather(const hierarchy& levels, const T& value, std::vector<T>& result, Policy policy = {}) {
    result = all_gather(levels, value, policy);
}

/// The calling rank's value of the root's, of any serializable type: as many as ranks there, ignored
/// elsewhere.
///
/// At most 2 GiB of bytes for all ranks. @tparam Policy as for `scatterv`
/// @collective over the whole, with the same root and type @cost as the `scatterv` that returns its result
/// @throws argument_error on the rank that sees it: there is no such root, the root has not a value for each
/// rank; what the type's serialization throws, where it does
template <detail::other_value T, policy Policy = automatic>
T scatter(const hierarchy& levels, const std::vector<T>& values, int root, Policy = {}) {
    detail::assert_serializable<T>();
    detail::gathered_archives all;
    detail::check_own("topo::scatter", levels, [&] {
        detail::require_root("topo::scatter", root, levels);
        if (levels.whole_rank() != root) return;
        detail::require_block_each("topo::scatter", "values", values.size(), 1, levels);
        for (const T& value : values)
            all.add(levels.whole(), value);
    });
    const auto chosen = detail::select<detail::verb::scatterv, Policy>(levels, 0, true, {.root = root});
    detail::archive_bytes mine;
    const auto make_room = [&](std::size_t bytes) {
        mine.resize(bytes);
        return detail::message_of_archive(mine);
    };
    detail::scatter_unknown(levels, all.all(), make_room, root, chosen);
    T value{};
    detail::deserialize_from(mine, 0, levels.whole(), value);
    return value;
}

/// The same into `mine`.
template <detail::other_value T, policy Policy = automatic>
void scatter(const hierarchy& levels, const std::vector<T>& values, T& mine, int root, Policy policy = {}) {
    mine = scatter(levels, values, root, policy);
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/serialized.ipp>
#endif
