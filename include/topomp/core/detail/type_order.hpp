// SPDX-License-Identifier: BSL-1.0
/// @file
/// The order in which MPI sends the bytes of an element.
#pragma once

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Distinguishes datatypes whose bytes MPI sends in the order in which they lie in memory from those such as
/// `MPI_Type_indexed` with displacements 1 and 0, which have no gaps either. The result is cached on the
/// datatype.
class type_order {
public:
    /// Whether the typemap of a derived datatype ascends and names each byte once. May be false for an
    /// ascending one of more than `longest` bytes. Local.
    /// @pre the data are `size` bytes from the element's address on
    /// @cost one query of MPI; the first time for a datatype the packing of an element
    static bool ascends(MPI_Datatype type, std::size_t size);

    /// Longer elements are not packed to find out.
    static constexpr std::size_t longest = std::size_t{1} << 20;

private:
    type_order();

    static type_order& self();

    static bool find(MPI_Datatype type, std::size_t size);

    static bool find_inside(MPI_Datatype type, int integers, int addresses, int types);

    /// Packs elements whose bytes are the parts of their index.
    static bool is_packed_as_it_lies(MPI_Datatype type, std::size_t size);

    static bool is_predefined(int combiner);

    int key_ = MPI_KEYVAL_INVALID;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/type_order.ipp>
#endif
