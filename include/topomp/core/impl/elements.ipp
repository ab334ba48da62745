// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>
#include <boost/mpi/datatype.hpp>

#include <cstddef>
#include <span>

namespace topo::detail {

TOPOMP_INLINE MPI_Datatype spaced_as(MPI_Datatype type, std::size_t bytes) {
    const type_layout layout{type};
    const auto wanted = static_cast<MPI_Aint>(bytes);
    if (layout.extent == wanted) return type;
    MPI_Datatype spaced = MPI_DATATYPE_NULL;
    mpi::check(MPI_Type_create_resized(type, 0, wanted, &spaced), "MPI_Type_create_resized", "user's type");
    mpi::check(MPI_Type_commit(&spaced), "MPI_Type_commit", "user's type");
    finalize_hook::add([spaced]() mutable { MPI_Type_free(&spaced); });
    return spaced;
}

} // namespace topo::detail
