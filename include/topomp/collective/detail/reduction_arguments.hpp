// SPDX-License-Identifier: BSL-1.0
/// @file
/// Argument checks of the verbs that combine.
#pragma once

#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/select.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace topo::detail {

/// Properties of operands that can be combined.
struct operand_facts {
    combination combiner;
    std::size_t bytes = 0; ///< of each rank's
};

/// Refuses operands that an operation cannot combine. Local. @throws argument_error for no or another
/// datatype, no operation, and more elements than memory can hold
operand_facts require_operands(std::string_view call, const message& operands, MPI_Op op);

/// The same for operands at an address or in place, and their result: refuses elements at no address, too.
/// @param matters whether the calling rank gets a result
operand_facts require_operands(std::string_view call, const void* input, const message& result, MPI_Op op,
                               bool matters = true);

/// The MPI operation for what a verb was given with elements of a type: a function object, or MPI's handle.
/// Local. @throws argument_error for a handle of no operation, or of one that does not combine such elements
template <class T, class Op>
combination combination_of(std::string_view call, const Op& op) {
    if constexpr (std::is_same_v<Op, MPI_Op>) {
        require_operation(call, op, datatype_of<T>());
        return {op, mpi::op_is_commutative(op)};
    } else {
        return combination_of<Op, T>();
    }
}

/// The same for elements of a C++ type: refuses also a result buffer of another size. Local.
/// @param matters whether the calling rank gets a result @param from, to where elements and result lie
template <class T, class Op>
operand_facts require_operands(std::string_view call, const Op& op, bool matters, std::size_t elements,
                               std::size_t result, const T* from, const T* to) {
    require_same_size(call, matters, elements, result);
    require_data(call, "elements", from, elements, datatype_of<T>());
    if (matters) require_data(call, "result", to, elements, datatype_of<T>());
    return {combination_of<T>(call, op), require_memory(call, "elements", elements, sizeof(T))};
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/reduction_arguments.ipp>
#endif
