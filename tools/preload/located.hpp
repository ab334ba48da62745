// SPDX-License-Identifier: BSL-1.0
/// @file
/// Data that lies where its datatype says.
#pragma once

#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>

namespace topo::preload {

/// An address and a datatype of a rank's data. Where the address is MPI_BOTTOM, for the datatype holds
/// absolute ones, both are replaced: what topomp's algorithms take is an address that is not null.
class located {
public:
    /// @param count 0: nothing is there, and the address does not matter
    located(const void* data, std::size_t count, MPI_Datatype type)
        : data_(const_cast<void*>(data)), type_(type) {
        if (data != MPI_BOTTOM || count == 0 || type == MPI_DATATYPE_NULL) return;
        const detail::type_layout layout{type};
        if (layout.size == 0 || layout.true_lower == 0) return; // null indeed, which the MPI shall say
        MPI_Aint lower = 0, extent = 0;
        mpi::check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent", "datatype");
        const int one = 1;
        const MPI_Aint back = -layout.true_lower;
        MPI_Datatype moved = MPI_DATATYPE_NULL;
        mpi::check(MPI_Type_create_hindexed(1, &one, &back, type, &moved), "MPI_Type_create_hindexed",
                   "absolute addresses");
        mpi::check(MPI_Type_create_resized(moved, lower + back, extent, &made_), "MPI_Type_create_resized",
                   "absolute addresses");
        MPI_Type_free(&moved);
        mpi::check(MPI_Type_commit(&made_), "MPI_Type_commit", "absolute addresses");
        type_ = made_;
        data_ = reinterpret_cast<void*>(layout.true_lower); // NOLINT(performance-no-int-to-ptr): it is one
    }
    located(const located&) = delete;
    located& operator=(const located&) = delete;
    ~located() {
        if (made_ != MPI_DATATYPE_NULL) MPI_Type_free(&made_);
    }

    void* data() const noexcept { return data_; }
    MPI_Datatype type() const noexcept { return type_; }

private:
    void* data_;
    MPI_Datatype type_;
    MPI_Datatype made_ = MPI_DATATYPE_NULL;
};

} // namespace topo::preload
