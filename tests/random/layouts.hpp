// SPDX-License-Identifier: BSL-1.0
/// @file
/// Datatypes with gaps and offsets, whose bytes the test knows by itself.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace topo_random {

/// Bytes of data in an element.
struct piece {
    std::ptrdiff_t offset = 0;
    std::size_t bytes = 0;
};

/// How the elements of a datatype lie in memory. `MPI_Datatype` and the rest were made from the same numbers,
/// so that what a call must write is known without asking MPI.
struct layout {
    std::string name;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::ptrdiff_t extent = 0;
    std::vector<piece> pieces;          ///< in the order of the type's signature
    std::size_t size = 0;               ///< bytes of data
    std::ptrdiff_t lowest = 0, end = 0; ///< of the data of one element
};

/// Layouts with the same signature: the two ends of a message may have different ones.
struct family {
    std::vector<layout> layouts;
    layout basic{};         ///< if all data is of one basic type: that one
    std::size_t basics = 0; ///< and how many of it are an element; 0: it is of several
};

/// Made with the first call, freed by `free_layouts`.
const std::vector<family>& families();
/// @throws std::logic_error if a datatype is not one of these
const layout& layout_of(MPI_Datatype type);
/// Adds a datatype that is not freed: one of MPI's.
void add_layout(const layout& of);
void free_layouts();

} // namespace topo_random
