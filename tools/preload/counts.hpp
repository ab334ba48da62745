// SPDX-License-Identifier: BSL-1.0
/// @file
/// Counts and displacements: ints, or the wider integers of MPI's calls with large counts.
#pragma once

#include "accepted.hpp"
#include <topomp/core/message.hpp>

#include <climits>
#include <mpi.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace topo::preload {

/// An array of one number for each rank. A view
class number_list {
public:
    template <std::integral Integer>
    number_list(const Integer* first) // NOLINT(google-explicit-constructor): all that MPI's calls take
        : first_(first), get_([](const void* all, int index) {
              return static_cast<MPI_Count>(static_cast<const Integer*>(all)[index]);
          }) {}

    bool is_null() const noexcept { return first_ == nullptr; }
    /// Whether both are one array.
    bool is_at(const number_list& other) const noexcept { return first_ == other.first_; }
    MPI_Count operator[](int index) const { return get_(first_, index); }

private:
    const void* first_;
    MPI_Count (*get_)(const void* all, int index);
};

inline message message_of(const void* data, MPI_Count count, MPI_Datatype type) {
    return {const_cast<void*>(data), static_cast<std::size_t>(count), type};
}

/// As many elements as the MPI's calls without large counts take: to ask the MPI about a call.
inline int asked_count(MPI_Count count) { return static_cast<int>(std::min<MPI_Count>(count, INT_MAX)); }

/// How many ranks give blocks to the calling one: with an inter-communicator those of the other group.
inline int number_of_givers(MPI_Comm comm) {
    int size = 0, is_between = 0;
    if (MPI_Comm_test_inter(comm, &is_between) != MPI_SUCCESS) return 0;
    (is_between != 0 ? MPI_Comm_remote_size : MPI_Comm_size)(comm, &size);
    return size;
}

/// Of elements that the MPI may refuse.
inline std::uint64_t bytes_or_zero(MPI_Count count, MPI_Datatype type) {
    MPI_Count size = 0;
    if (count <= 0 || type == MPI_DATATYPE_NULL || MPI_Type_size_x(type, &size) != MPI_SUCCESS) return 0;
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

/// The same of blocks with a length for each rank.
inline std::uint64_t bytes_of_all(number_list counts, MPI_Datatype type, MPI_Comm comm) {
    if (counts.is_null()) return 0;
    const int size = number_of_givers(comm);
    std::uint64_t sum = 0;
    for (int rank = 0; rank < size; ++rank)
        sum += bytes_or_zero(counts[rank], type);
    return sum;
}

/// `is_accepted` of any number of elements: it depends on the sign only.
inline bool accepts(const void* data, MPI_Count count, MPI_Datatype type) {
    return is_accepted(data, static_cast<int>(std::clamp<MPI_Count>(count, -1, 1)), type);
}

/// Whether none of the lengths of blocks is negative.
inline bool are_lengths(number_list counts, int number) {
    for (int rank = 0; rank < number; ++rank)
        if (counts[rank] < 0) return false;
    return true;
}

/// `are_accepted` of any numbers of elements.
inline bool accepts(const void* data, number_list counts, number_list displacements, MPI_Datatype type,
                    int ranks) {
    if (counts.is_null() || displacements.is_null() || !are_lengths(counts, ranks)) return false;
    MPI_Count longest = 0;
    for (int rank = 0; rank < ranks; ++rank)
        longest = std::max(longest, counts[rank]);
    return accepts(data, longest, type);
}

} // namespace topo::preload
