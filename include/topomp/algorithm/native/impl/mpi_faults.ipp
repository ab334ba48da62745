// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE bool receives_from_bytes([[maybe_unused]] const type_layout& layout,
                                       [[maybe_unused]] std::size_t bytes) {
#ifdef MPICH_VERSION
    constexpr std::size_t longest = 8192;
    return bytes <= longest || layout.is_dense;
#else
    return true;
#endif
}

TOPOMP_INLINE message received_in(const message& what, [[maybe_unused]] const type_layout& layout) {
#ifdef MPICH_VERSION
    if (layout.is_dense) return {what.data, what.count * layout.size, MPI_BYTE};
#endif
    return what;
}

TOPOMP_INLINE bool reduces_at_offset([[maybe_unused]] MPI_Datatype type) {
#ifdef OPEN_MPI
    return type_layout{type}.true_lower == 0;
#else
    return true;
#endif
}

TOPOMP_INLINE bool reduces_and_scatters([[maybe_unused]] const type_layout& layout,
                                        [[maybe_unused]] bool is_commutative) {
#ifdef MPICH_VERSION
    return is_commutative || layout.true_extent >= layout.extent;
#else
    return true;
#endif
}

} // namespace topo::detail
