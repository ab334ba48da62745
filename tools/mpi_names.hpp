// SPDX-License-Identifier: BSL-1.0
/// @file
/// What MPIs call the algorithms of the registry.
#pragma once

#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/split_binary.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <array>
#include <string_view>

namespace topo::tool {

/// An algorithm of an MPI's that moves data of a verb as a plan does. Ours follow the levels of the machine,
/// theirs the ranks' numbers.
struct mpi_name {
    detail::verb what{};
    const plan* by = nullptr; ///< in one piece
    int ompi = 0;             ///< 0: none
    std::string_view mpich;   ///< empty: none
};

/// Of Open MPI (4.1) the numbers in coll_tuned_*_decision.c; of MPICH (4.0) the names in coll_algorithms.txt.
/// `topomp tune` tries the plans of a verb in this order.
inline constexpr auto mpi_names = std::to_array<mpi_name>({
    {detail::verb::barrier, &plan_of<linear>, 1, ""},
    {detail::verb::barrier, &plan_of<binomial>, 6, ""},
    {detail::verb::barrier, &plan_of<dissemination>, 4, "dissemination"},
    {detail::verb::barrier, &plan_of<recursive_doubling>, 3, ""},
    {detail::verb::broadcast, &plan_of<linear>, 1, ""},
    {detail::verb::broadcast, &plan_of<chain>, 3, ""}, // pipeline
    {detail::verb::broadcast, &plan_of<binary>, 5, ""},
    {detail::verb::broadcast, &plan_of<binomial>, 6, "binomial"},
    {detail::verb::broadcast, &plan_of<split_binary>, 4, ""},
    {detail::verb::broadcast, &plan_of<recursive_doubling>, 8, "scatter_recursive_doubling_allgather"},
    {detail::verb::reduce, &plan_of<linear>, 1, ""},
    {detail::verb::reduce, &plan_of<chain>, 3, ""},
    {detail::verb::reduce, &plan_of<binary>, 4, ""},
    {detail::verb::reduce, &plan_of<binomial>, 5, "binomial"},
    {detail::verb::reduce, &plan_of<in_order_binary>, 6, ""},
    {detail::verb::reduce, &plan_of<rabenseifner>, 7, "reduce_scatter_gather"},
    {detail::verb::all_reduce, &plan_of<linear>, 1, ""},
    {detail::verb::all_reduce, &plan_of<ring>, 4, ""},
    {detail::verb::all_reduce, &plan_of<recursive_doubling>, 3, "recursive_doubling"},
    {detail::verb::all_reduce, &plan_of<rabenseifner>, 6, "reduce_scatter_allgather"},
    {detail::verb::gather, &plan_of<linear>, 1, ""},
    {detail::verb::gather, &plan_of<binomial>, 2, ""},
    {detail::verb::scatter, &plan_of<linear>, 1, ""},
    {detail::verb::scatter, &plan_of<binomial>, 2, ""},
    {detail::verb::all_gather, &plan_of<linear>, 1, ""},
    {detail::verb::all_gather, &plan_of<ring>, 4, "ring"},
    {detail::verb::all_gather, &plan_of<neighbour_exchange>, 5, ""},
    {detail::verb::all_gather, &plan_of<bruck>, 2, "brucks"},
    {detail::verb::all_gather, &plan_of<recursive_doubling>, 3, "recursive_doubling"},
    {detail::verb::all_gatherv, &plan_of<ring>, 3, "ring"},
    {detail::verb::all_gatherv, &plan_of<neighbour_exchange>, 4, ""},
    {detail::verb::all_gatherv, &plan_of<bruck>, 2, "brucks"},
    {detail::verb::all_gatherv, &plan_of<recursive_doubling>, 0, "recursive_doubling"},
    {detail::verb::all_to_all, &plan_of<bruck>, 3, "brucks"},
    {detail::verb::all_to_all, &plan_of<pairwise>, 2, "pairwise"},
    {detail::verb::all_to_allv, &plan_of<pairwise>, 2, ""},
    {detail::verb::reduce_scatter, &plan_of<recursive_halving>, 3, "recursive_halving"},
    {detail::verb::scan, &plan_of<chain>, 1, ""},
    {detail::verb::exclusive_scan, &plan_of<chain>, 1, ""},
});

} // namespace topo::tool
