// SPDX-License-Identifier: BSL-1.0
/// @file
/// Combining elements in a rank's own process.
#pragma once

#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// A loop over elements of one type for one operation: `to[i] = left[i] op right[i]`.
using reduction_loop = void (*)(const void* left, const void* right, void* to, std::size_t count);

/// The loop of a sum, product, maximum, minimum or bitwise operation of MPI's on integers, float and double;
/// null for all others. Local. @cost none for the pair of the last call; else some comparisons
reduction_loop loop_of(MPI_Op op, MPI_Datatype type);

/// `to[i] = left[i] op right[i]`, where `MPI_Reduce_local` leaves the result in `right`: it saves copying
/// `right` first. Operations without a loop are the MPI's, after a copy. Local.
/// @param left the first element, as in a message @param to as many elements of this type, not those of
/// `left`
void reduce_local(const void* left, const void* right, const message& to, MPI_Op op);

/// The operands 0, 1, ... in this order: the last two first, then one after the other with what has been
/// combined. Local. @param number at least two @param operand_of the address of an operand's first element,
/// asked for once each, the last one first @param to no operand but the last one
template <class OperandOf>
void reduce_in_order(int number, const message& to, MPI_Op op, OperandOf operand_of) {
    const void* combined = operand_of(number - 1);
    for (int each = number - 1; each-- > 0; combined = to.data)
        reduce_local(operand_of(each), combined, to, op);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/progress/impl/reduce_local.ipp>
#endif
