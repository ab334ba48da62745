// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a sparse exchange can send, as bytes.
#pragma once

#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/serializable.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/sparse_blocks.hpp>
#include <topomp/neighbour/detail/sparse_bytes.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <exception>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo::detail {

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
        copy_bytes(result.data(), from, bytes);
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

/// @param call that of the exchange @param source the rank that sent the bytes
template <sparse_value V>
V from_bytes([[maybe_unused]] const char* call, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int source,
             std::span<const std::byte> bytes) {
    V value{};
    if constexpr (bytes_container<V>) {
        constexpr std::size_t each = sizeof(element_value_t<V>);
        require_sent_length(call, source, bytes.size(), each, bytes.size() % each == 0);
        value.resize(bytes.size() / each);
        copy_bytes(data_of(value), bytes.data(), bytes.size());
    } else if constexpr (sent_as_bytes<V>) {
        require_sent_length(call, source, bytes.size(), sizeof value, bytes.size() == sizeof value);
        std::memcpy(&value, bytes.data(), sizeof value);
    } else {
        boost::mpi::packed_iarchive::buffer_type buffer(bytes.size());
        copy_bytes(buffer.data(), bytes.data(), bytes.size());
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

/// What an exchange that does not wait takes: its data, the result, and perhaps a route.
template <class M, class... Given>
inline constexpr bool sparse_arguments = false;
template <map_of_ranks M>
inline constexpr bool sparse_arguments<M, std::map<int, typename M::mapped_type>&> = true;
template <map_of_ranks M, class Route>
inline constexpr bool sparse_arguments<M, std::map<int, typename M::mapped_type>&, Route> =
    std::is_convertible_v<Route, neighbour_route>;

/// The rank that a key is, or -1, which is none.
template <std::integral Key>
constexpr int rank_of_key(Key key) {
    const auto rank = static_cast<int>(key);
    return static_cast<Key>(rank) == key && rank >= 0 ? rank : -1;
}

/// What the calling rank sends. What its values throw is kept for the exchange, which all ranks begin.
template <map_of_ranks M>
sparse_sends packed(const hierarchy& levels, const M& data) {
    sparse_sends sent;
    try {
        for (const auto& [rank, value] : data)
            sent.blocks.push_back({rank_of_key(rank), to_bytes(levels.whole(), value)});
    } catch (...) {
        sent.problem = std::current_exception();
    }
    return sent;
}

/// Puts what has come into a `std::map<int, V>`.
template <sparse_value V>
void unpack(const char* call, MPI_Comm comm, std::span<const sparse_view> came, void* into) {
    auto& result = *static_cast<std::map<int, V>*>(into);
    result.clear();
    for (const auto& [rank, bytes] : came)
        result.emplace_hint(result.end(), rank, from_bytes<V>(call, comm, rank, bytes));
}

} // namespace topo::detail
