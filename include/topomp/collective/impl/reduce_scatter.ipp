// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/collective/reduce_scatter_by_tree.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/signature.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string>

namespace topo::detail {

TOPOMP_INLINE std::size_t require_reduce_scatter(const char* call, const hierarchy& levels,
                                                 const blocks& input, const message& mine) {
    if (!input.counts.empty()) require_counts(call, input, levels);
    if (!input.positions.empty())
        throw argument_error(call, "positions", "they are given, but the blocks lie one behind the other");
    const std::size_t elements =
        input.counts.empty() ? elements_of_all(call, input.count, 1, levels) : extent_of(call, input).sum;
    require_memory(call, "length of all blocks", elements, type_layout{input.type});
    const std::size_t expected = input.count_of(levels.whole_rank());
    if (mine.data != MPI_IN_PLACE && mine.count != expected)
        throw argument_error(call, "mine",
                             "it has room for " + number_of(mine.count, "element") +
                                 ", this rank's block has " + std::to_string(expected));
    // As MPI's call has one datatype: elements are combined where they go. Of an empty block it says nothing.
    if (mine.data != MPI_IN_PLACE && expected > 0 && mine.type != input.type) {
        const auto named = [](MPI_Datatype type) {
            const std::string name = type_name(type);
            return name.empty() ? std::string{"without a name"} : name;
        };
        throw argument_error(call, "mine",
                             "its datatype (" + named(mine.type) + ") is not that of the input (" +
                                 named(input.type) + ')');
    }
    require_data(call, "elements", input.data, elements, input.type);
    if (mine.data != MPI_IN_PLACE) require_data(call, "mine", mine.data, expected, input.type);
    return elements;
}

TOPOMP_INLINE message own_block(const blocks& input, const message& mine, int rank) {
    if (mine.data == MPI_IN_PLACE) return input.block_of(rank);
    return {mine.data, mine.count, input.type};
}

template <algorithm Only>
void reduce_scatter(const hierarchy& levels, const blocks& input, std::size_t elements, const message& mine,
                    combination combiner, const plan& chosen) {
    if (chosen.uses != algorithm::flat)
        check_host_memory(levels, "topo::reduce_scatter", {input.data, mine.data});
    start_by_plan<Only>(reduce_scatter_call{context::of(levels), input, elements, mine, combiner}, chosen,
                        to_the_end{});
}

} // namespace topo::detail
