// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/type_order.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE bool type_order::ascends(MPI_Datatype type, std::size_t size) {
    void* kept = nullptr;
    int is_kept = 0;
    mpi::check(MPI_Type_get_attr(type, self().key_, static_cast<void*>(&kept), &is_kept), "MPI_Type_get_attr",
               "datatype");
    if (is_kept != 0) return kept != nullptr;
    const bool found = find(type, size);
    mpi::check(MPI_Type_set_attr(type, self().key_, found ? &self() : nullptr), "MPI_Type_set_attr",
               "datatype");
    return found;
}

TOPOMP_INLINE type_order::type_order() {
    mpi::check(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key_, nullptr),
               "MPI_Type_create_keyval", "order of a datatype");
    finalize_hook::add([this] { MPI_Type_free_keyval(&key_); });
}

TOPOMP_INLINE type_order& type_order::self() {
    // Never destroyed: MPI may be finalized by the destructor of a static object that is older.
    static type_order& only = *new type_order;
    return only;
}

TOPOMP_INLINE bool type_order::find(MPI_Datatype type, std::size_t size) {
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    mpi::check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope",
               "datatype");
    if (size == 0 || is_predefined(combiner)) return true;
    // Elements of these ascend if what they are made of does, because they have no gaps.
    if (combiner == MPI_COMBINER_CONTIGUOUS || combiner == MPI_COMBINER_DUP ||
        combiner == MPI_COMBINER_RESIZED)
        return find_inside(type, integers, addresses, types);
    // What others are made of may have gaps, where elements lie between each other.
    MPI_Aint lower = 0, extent = 0;
    mpi::check(MPI_Type_get_true_extent(type, &lower, &extent), "MPI_Type_get_true_extent", "datatype");
    const bool has_gaps = lower != 0 || extent != static_cast<MPI_Aint>(size);
    return size <= longest && !has_gaps && is_packed_as_it_lies(type, size);
}

TOPOMP_INLINE bool type_order::find_inside(MPI_Datatype type, int integers, int addresses, int types) {
    std::array<int, 1> number{};
    std::array<MPI_Aint, 2> bounds{};
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    mpi::check(MPI_Type_get_contents(type, integers, addresses, types, number.data(), bounds.data(), &inner),
               "MPI_Type_get_contents", "datatype");
    int combiner = 0;
    const bool found = find(inner, ask_size(inner));
    mpi::check(MPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner),
               "MPI_Type_get_envelope", "datatype");
    if (!is_predefined(combiner)) MPI_Type_free(&inner);
    return found;
}

TOPOMP_INLINE bool type_order::is_packed_as_it_lies(MPI_Datatype type, std::size_t size) {
    MPI_Datatype committed = MPI_DATATYPE_NULL; // which the datatype itself may not be yet
    mpi::check(MPI_Type_contiguous(1, type, &committed), "MPI_Type_contiguous", "datatype");
    mpi::check(MPI_Type_commit(&committed), "MPI_Type_commit", "datatype");
    std::vector<unsigned char> element(size), packed(size);
    bool found = true;
    for (unsigned shift = 0; found && (size - 1) >> shift != 0; shift += 8) {
        for (std::size_t i = 0; i < size; ++i)
            element[i] = static_cast<unsigned char>(i >> shift);
        int end = 0;
        mpi::check(MPI_Pack(element.data(), 1, committed, packed.data(), static_cast<int>(size), &end,
                            MPI_COMM_SELF),
                   "MPI_Pack", "an element");
        found = static_cast<std::size_t>(end) == size && packed == element;
    }
    MPI_Type_free(&committed);
    return found;
}

TOPOMP_INLINE bool type_order::is_predefined(int combiner) {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

} // namespace topo::detail
