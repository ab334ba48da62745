// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE operand_facts require_operands(std::string_view call, const message& operands, MPI_Op op) {
    const std::size_t bytes = require_message(call, operands);
    require_operation(call, op, operands.type);
    // Partial results lie from an address on, in the order of elements.
    if (type_layout{operands.type}.extent < 0)
        throw argument_error(call, "datatype", "its extent is negative, and operands must follow each other");
    return {{op, mpi::op_is_commutative(op)}, bytes};
}

TOPOMP_INLINE operand_facts require_operands(std::string_view call, const void* input, const message& result,
                                             MPI_Op op, bool matters) {
    const operand_facts facts = require_operands(call, result, op);
    const bool is_in_place = input == MPI_IN_PLACE;
    if (!is_in_place) require_data(call, "elements", input, result.count, result.type);
    if (matters || is_in_place) require_data(call, "result", result);
    return facts;
}

} // namespace topo::detail
