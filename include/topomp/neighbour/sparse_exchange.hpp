// SPDX-License-Identifier: BSL-1.0
/// @file
/// Data for some ranks, where nobody knows who will send to him.
#pragma once

#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/serializable.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/sparse_bytes.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo {

namespace detail {

/// Whether it is a pointer, a view of elements that stay where they are, or a container of such.
template <class V>
consteval bool holds_addresses() {
    if constexpr (std::is_pointer_v<V> || std::ranges::enable_view<V>) {
        return true;
    } else if constexpr (usual_range<V> || std::ranges::range<V>) {
        using element = element_value_t<V>;
        if constexpr (!std::is_same_v<element, V>) return holds_addresses<element>();
    }
    return false;
}

template <class V>
concept sent_as_bytes = std::is_trivially_copyable_v<V> && !holds_addresses<V>();

/// A container of elements whose bytes are sent, and that can have any length.
template <class V>
concept bytes_container = consecutive<V> && sent_as_bytes<element_value_t<V>> && requires(V& values) {
    values.resize(std::size_t{});
};

template <class V>
concept sparse_value = bytes_container<V> || sent_as_bytes<V> ||
    (serializable<V> && !std::is_trivially_copyable_v<V> && !holds_addresses<V>());

template <sparse_value V>
std::vector<std::byte> to_bytes([[maybe_unused]] MPI_Comm comm, const V& value) {
    const auto copy = [](const void* from, std::size_t bytes) {
        std::vector<std::byte> result(bytes);
        if (bytes > 0) std::memcpy(result.data(), from, bytes);
        return result;
    };
    if constexpr (bytes_container<V>) {
        return copy(data_of(value), length_of(value) * sizeof(element_value_t<V>));
    } else if constexpr (sent_as_bytes<V>) {
        return copy(&value, sizeof value);
    } else {
        boost::mpi::packed_oarchive::buffer_type bytes;
        boost::mpi::packed_oarchive archive{comm, bytes};
        archive << value;
        return copy(bytes.data(), bytes.size());
    }
}

/// @param source who sent the bytes
template <sparse_value V>
V from_bytes([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int source, std::span<const std::byte> bytes) {
    V value{};
    if constexpr (bytes_container<V>) {
        constexpr std::size_t each = sizeof(element_value_t<V>);
        require_sent_length(source, bytes.size(), each, bytes.size() % each == 0);
        value.resize(bytes.size() / each);
        if (!bytes.empty()) std::memcpy(data_of(value), bytes.data(), bytes.size());
    } else if constexpr (sent_as_bytes<V>) {
        require_sent_length(source, bytes.size(), sizeof value, bytes.size() == sizeof value);
        std::memcpy(&value, bytes.data(), sizeof value);
    } else {
        boost::mpi::packed_iarchive::buffer_type buffer(bytes.size());
        std::memcpy(buffer.data(), bytes.data(), bytes.size());
        boost::mpi::packed_iarchive archive{comm, buffer};
        archive >> value;
    }
    return value;
}

/// A map from integers to something, one for each.
template <class M>
concept map_of_integers = std::ranges::input_range<M> && std::integral<typename M::key_type> &&
    requires(const M& map, typename M::key_type rank) {
    map.at(rank); // a map with several values for a key has none
};

/// A map from ranks to values, one for each.
template <class M>
concept map_of_ranks = map_of_integers<M> && sparse_value<typename M::mapped_type>;

/// The rank that a key is, or -1, which is none.
template <std::integral Key>
constexpr int rank_of_key(Key key) {
    const auto rank = static_cast<int>(key);
    return static_cast<Key>(rank) == key && rank >= 0 ? rank : -1;
}

} // namespace detail

/// Sends each value to the rank that is its key, and returns what was sent to the calling rank, by the rank
/// that sent it. No rank needs to know who will send to it.
///
/// ```
///   auto requests = topo::sparse_exchange(levels, std::map<int, std::vector<int>>{{7, {3, 5}}});
/// ```
///
/// @param data any map with one value for each rank in it: containers of trivially copyable elements, which
/// may be empty, trivially copyable values, or values of any type that Boost.Serialization knows; no pointers
/// and no views, such as `std::span`. Keys are integers; the calling rank may be among them. All ranks have
/// the same types
/// @param route `best`: by node, if that are fewer messages for the rank with the most. Must be the same on
/// all ranks
/// @collective over the whole
/// @cost two all-reduces, of one and of four integers. Directly a message for each value, which the receiver
/// acknowledges, and a non-blocking barrier. By node, blocks for another node go to its carrier, to the
/// carrier there, and to their ranks, the first and the last after an all-to-all of lengths in the node
/// @throws argument_error on every rank if a key is no rank, or a value has more than INT_MAX bytes, or by
/// node, if `by_node` was asked for and blocks that travel together may have more; on a rank that gets bytes
/// which are no values of its type; usage_error if a sparse exchange of this hierarchy has failed on the
/// calling rank
/// @see T. Hoefler, C. Siebert and A. Lumsdaine, 'Scalable communication protocols for dynamic sparse data
/// exchange' (2010): NBX; G. Collom, D. Burger and A. Bienz, 'A locality-aware sparse dynamic data exchange'
/// (2024)
template <detail::map_of_ranks M>
std::map<int, typename M::mapped_type> sparse_exchange(const hierarchy& levels, const M& data,
                                                       neighbour_route route = neighbour_route::best) {
    detail::require_open("topo::sparse_exchange", levels);
    const MPI_Comm comm = levels.whole();
    std::vector<detail::sparse_block> sent;
    for (const auto& [rank, value] : data)
        sent.push_back({detail::rank_of_key(rank), detail::to_bytes(comm, value)});
    std::map<int, typename M::mapped_type> result;
    for (const auto& [rank, bytes] : detail::sparse_exchange(levels, std::move(sent), route))
        result.emplace(rank, detail::from_bytes<typename M::mapped_type>(comm, rank, bytes));
    return result;
}

/// What is no such map does not compile: the message says what is.
template <class M>
    requires(!detail::map_of_integers<M>)
void sparse_exchange(const hierarchy&, const M&, neighbour_route = neighbour_route::best) TOPOMP_REFUSED(
    "topo: sparse_exchange takes a map from ranks, which are integers, to one value each, such as "
    "std::map<int, std::vector<double>>");

/// Neither do values that cannot be sent.
template <detail::map_of_integers M>
    requires(!detail::sparse_value<typename M::mapped_type>)
void sparse_exchange(const hierarchy&, const M&, neighbour_route = neighbour_route::best)
    TOPOMP_REFUSED("topo: sparse_exchange cannot send values of this type: a pointer, a span or another view "
                   "has to become a "
                   "container of what it points to; a class needs a serialize member or function, a "
                   "container of other than plain "
                   "elements its header in <boost/serialization/...>");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void sparse_exchange(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo
