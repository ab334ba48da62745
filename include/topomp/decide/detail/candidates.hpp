// SPDX-License-Identifier: BSL-1.0
/// @file
/// The candidates of `automatic` on a machine with several levels.
#pragma once

#include <topomp/algorithm/circulant_in_level.hpp>
#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/multi_object.hpp>
#include <topomp/algorithm/rounds_in_lanes.hpp>
#include <topomp/algorithm/rounds_in_level.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/algorithm/tree_in_level.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <array>
#include <cstddef>

namespace topo::detail {

/// Verbs for which scripts/tune tries a plan, from `least` to `most` bytes, where it can be best.
struct tried_for {
    verbs what{};
    std::size_t least = 0, most = 0;
};

/// A plan where nodes are joined, and its like inside one machine.
struct candidate {
    const plan* between_nodes = nullptr;
    const plan* inside_machine = nullptr;
    std::array<tried_for, 4> tried{}; ///< those behind the last one name no verb
};

/// One tree over all levels: `Outer` on those that join nodes, or on which the outermost parts of one machine
/// are, `Inner` on all others.
template <class Outer, class Inner>
using between_nodes = per_level<on<kind::cluster, Outer>, on<kind::network_switch, Outer>, otherwise<Inner>>;
template <class Outer, class Inner>
using inside_machine = per_level<on<kind::machine, Outer>, otherwise<Inner>>;

template <class Outer, class Inner, class... Tried>
constexpr candidate tree_of(Tried... tried) {
    return {&plan_of<between_nodes<Outer, Inner>>, &plan_of<inside_machine<Outer, Inner>>, {tried...}};
}
template <std::size_t Segment, class Outer, class Inner, class... Tried>
constexpr candidate pipeline_of(Tried... tried) {
    return {&plan_of<segmented<Segment, between_nodes<Outer, Inner>>>,
            &plan_of<segmented<Segment, inside_machine<Outer, Inner>>>,
            {tried...}};
}
/// A plan that is the same on all machines.
template <class Policy, class... Tried>
constexpr candidate same_of(Tried... tried) {
    return {&plan_of<Policy>, &plan_of<Policy>, {tried...}};
}
/// All ranks of a node send whole messages at the same time through one link.
template <int Radix, class... Tried>
constexpr candidate rabenseifner_of(Tried... tried) {
    return {&plan_of<k_ary_rabenseifner<Radix, 256>>, &plan_of<k_ary_rabenseifner<Radix, 512>>, {tried...}};
}

/// Of plans with equal modelled times the first is chosen.
inline constexpr std::array candidates{
    same_of<flat>(),
    tree_of<postal<4>, postal<3>>(),
    tree_of<postal<5>, postal<3>>(tried_for{{verb::gather, verb::scatter}, 8, 4096}),
    tree_of<postal<6>, postal<3>>(tried_for{{verb::barrier}, 8, 8},
                                  tried_for{{verb::broadcast, verb::reduce}, 8, 16384},
                                  tried_for{{verb::all_reduce}, 8, 4096}),
    tree_of<postal<8>, postal<3>>(tried_for{{verb::broadcast, verb::reduce}, 8, 16384},
                                  tried_for{{verb::all_reduce}, 8, 4096}),
    same_of<node_aware_postal<5, 3>>(tried_for{{verb::broadcast, verb::reduce}, 8, 512},
                                     tried_for{{verb::gather, verb::scatter}, 8, 512}),
    same_of<node_aware_postal<5, 3, true>>(tried_for{{verb::broadcast, verb::reduce}, 8, 512}),
    tree_of<postal<4>, linear>(tried_for{{verb::broadcast, verb::reduce}, 8, 32768},
                               tried_for{{verb::all_reduce}, 8, 8192}),
    tree_of<k_nomial<4>, linear>(tried_for{{verb::broadcast, verb::reduce}, 8, 32768},
                                 tried_for{{verb::gather, verb::scatter}, 8, 4096}),
    tree_of<linear, linear>(tried_for{{verb::gather, verb::scatter}, 8, 32768}),
    pipeline_of<8192, k_ary<3>, binary>(tried_for{{verb::broadcast, verb::reduce}, 16384, 131072}),
    pipeline_of<8192, binary, binary>(tried_for{{verb::broadcast, verb::reduce}, 16384, 524288},
                                      tried_for{{verb::all_reduce}, 32768, 524288}),
    pipeline_of<8192, binary, linear>(tried_for{{verb::broadcast, verb::reduce}, 16384, 131072},
                                      tried_for{{verb::all_reduce}, 32768, 131072}),
    pipeline_of<8192, binary, chain>(tried_for{{verb::broadcast}, 32768, 2097152},
                                     tried_for{{verb::reduce}, 32768, 524288},
                                     tried_for{{verb::all_reduce}, 131072, 524288}),
    pipeline_of<8192, chain, binary>(tried_for{{verb::broadcast}, 131072, 2097152},
                                     tried_for{{verb::reduce}, 131072, 524288}),
    pipeline_of<8192, chain, chain>(tried_for{{verb::broadcast}, 131072, 2097152},
                                    tried_for{{verb::reduce}, 131072, 524288},
                                    tried_for{{verb::all_reduce}, 524288, 524288}),
    pipeline_of<32768, chain, linear>(tried_for{{verb::broadcast, verb::reduce}, 524288, 2097152}),
    pipeline_of<8192, in_order_binary, in_order_binary>(tried_for{{verb::reduce}, 16384, 524288}),
    same_of<placement_independent<linear>>(tried_for{{verb::gather, verb::scatter}, 512, 32768}),
    same_of<two_levels<postal<4>, postal<6>>>(tried_for{{verb::broadcast, verb::reduce}, 512, 32768}),
    same_of<two_levels<postal<6>, postal<4>>>(tried_for{{verb::broadcast, verb::reduce}, 512, 32768}),
    same_of<two_levels<postal<6>, postal<6>>>(tried_for{{verb::broadcast, verb::reduce}, 512, 32768}),
    same_of<segmented<8192, two_levels<two_tree>>>(tried_for{{verb::broadcast}, 16384, 524288}),
    same_of<segmented<16384, two_levels<two_tree>>>(tried_for{{verb::broadcast}, 131072, 2097152}),
    same_of<lanes<linear, linear>>(tried_for{{verb::all_reduce}, 32768, 131072},
                                   tried_for{{verb::all_gather}, 32, 32768},
                                   tried_for{{verb::reduce_scatter}, 32, 8192}),
    same_of<ring>(tried_for{{verb::all_gather}, 8192, 8192}),
    same_of<neighbour_exchange>(tried_for{{verb::all_gather}, 8192, 131072}),
    same_of<pairwise>(tried_for{{verb::all_to_all}, 256, 8192}),
    same_of<node_aggregated<>>(),
    same_of<k_ary_bruck<>>(),
    same_of<circulant<16384>>(tried_for{{verb::broadcast, verb::reduce}, 32768, 2097152}),
    same_of<circulant<32768>>(tried_for{{verb::broadcast, verb::reduce}, 131072, 2097152}),
    same_of<circulant<65536>>(tried_for{{verb::broadcast, verb::reduce}, 524288, 4194304}),
    same_of<k_ary_recursive_doubling<2>>(tried_for{{verb::barrier}, 8, 8},
                                         tried_for{{verb::all_gather}, 8, 512}),
    same_of<k_ary_recursive_doubling<4>>(
        tried_for{{verb::barrier}, 8, 8}, tried_for{{verb::broadcast}, 16384, 524288},
        tried_for{{verb::all_reduce}, 8, 512}, tried_for{{verb::all_gather}, 8, 512}),
    same_of<k_ary_recursive_doubling<6>>(
        tried_for{{verb::barrier}, 8, 8}, tried_for{{verb::all_reduce}, 8, 512},
        tried_for{{verb::all_gather}, 8, 8192}, tried_for{{verb::all_to_all}, 8, 512}),
    same_of<k_ary_recursive_doubling<8>>(tried_for{{verb::barrier}, 8, 8},
                                         tried_for{{verb::broadcast}, 16384, 2097152},
                                         tried_for{{verb::all_gather}, 8, 32768}),
    same_of<k_ary_recursive_doubling<16>>(tried_for{{verb::barrier}, 8, 8},
                                          tried_for{{verb::broadcast}, 16384, 2097152},
                                          tried_for{{verb::all_gather}, 8, 8192}),
    same_of<k_ary_recursive_doubling<64>>(tried_for{{verb::all_to_all}, 8, 8192}),
    same_of<k_ary_recursive_halving<2>>(tried_for{{verb::reduce_scatter}, 8, 512}),
    same_of<k_ary_recursive_halving<3>>(tried_for{{verb::reduce_scatter}, 1024, 32768}),
    same_of<k_ary_recursive_halving<4>>(tried_for{{verb::reduce_scatter}, 8, 512}),
    same_of<k_ary_recursive_halving<6>>(tried_for{{verb::reduce_scatter}, 8, 2048}),
    same_of<k_ary_recursive_halving<8>>(tried_for{{verb::reduce_scatter}, 8, 8192}),
    same_of<k_ary_recursive_halving<16>>(),
    rabenseifner_of<2>(tried_for{{verb::all_reduce}, 512, 524288}),
    rabenseifner_of<4>(tried_for{{verb::reduce}, 16384, 524288}, tried_for{{verb::all_reduce}, 8, 524288}),
    rabenseifner_of<6>(tried_for{{verb::all_reduce}, 8, 524288}),
    rabenseifner_of<8>(tried_for{{verb::reduce}, 16384, 2097152}, tried_for{{verb::all_reduce}, 8, 524288}),
    rabenseifner_of<16>(tried_for{{verb::reduce}, 16384, 2097152},
                        tried_for{{verb::all_reduce}, 2048, 524288}),
    same_of<circulant<65536, 5>>(tried_for{{verb::all_reduce}, 2048, 524288}),
    same_of<circulant<65536, 8>>(tried_for{{verb::all_reduce}, 2048, 524288}),
    same_of<circulant<65536, 32>>(tried_for{{verb::all_reduce}, 32768, 524288}),
};

/// A plan of two levels: through the memory of each node, and among one rank of each by what stands beside
/// it; and its like for the NUMA nodes of one machine.
struct composed {
    const plan* of_nodes = nullptr;
    const plan* of_numa_nodes = nullptr;
    enum class between_form { mpi, direct, rounds, circulant, tree, multi_object, lanes } between{};
    const plan* parameters = nullptr; ///< radix, whole parts, or shape and segments among the nodes

    constexpr const plan* what(bool crosses_nodes) const { return crosses_nodes ? of_nodes : of_numa_nodes; }
};

template <class InLevel, class Like>
constexpr composed composed_of(composed::between_form between) {
    return {&plan_of<hierarchical<within<kind::machine, shared>, otherwise<InLevel>>>,
            &plan_of<hierarchical<within<kind::numa_node, shared>, otherwise<InLevel>>>, between,
            &plan_of<Like>};
}
template <int Radix, std::size_t WholeBytes = rounds_in_lanes<Radix>::whole_bytes_of_lanes>
constexpr composed lanes_of() {
    return composed_of<rounds_in_lanes<Radix, WholeBytes>, k_ary_rabenseifner<Radix, WholeBytes>>(
        composed::between_form::lanes);
}
template <int Radix>
constexpr composed rounds_of() {
    return composed_of<rounds_in_level<Radix>, k_ary_recursive_doubling<Radix>>(
        composed::between_form::rounds);
}

/// Through the memory of nodes, by themselves: blocks of an all_to_all by carriers, or from each rank to each
/// node; those of a root in one message for each node. Inside one machine the like that has NUMA nodes in the
/// place of nodes, if there is one.
inline constexpr std::array candidates_in_memory{
    candidate{&plan_of<node_aggregated<4, 65536>>,
              &plan_of<node_aggregated<4, 65536>>,
              {tried_for{{verb::all_to_all}, 8, 2048}}},
    candidate{&plan_of<node_aggregated<4, 1>>,
              &plan_of<node_aggregated<4, 1>>,
              {tried_for{{verb::all_to_all}, 128, 32768}}},
    candidate{&plan_of<shared>,
              &plan_of<shared_by_numa_node>,
              {tried_for{{verb::gather, verb::scatter, verb::all_gather}, 8, 32768}}},
    candidate{
        &plan_of<shared>, &plan_of<shared>, {tried_for{{verb::scan, verb::exclusive_scan}, 8, 4194304}}},
};

/// Through the memory of nodes: any of these among their first ranks. Of plans with equal modelled times the
/// first is chosen.
inline constexpr std::array composed_candidates{
    composed_of<direct_messages, linear>(composed::between_form::direct),
    composed_of<mpi_calls, flat>(composed::between_form::mpi),
    composed_of<multi_object, flat>(composed::between_form::multi_object),
    lanes_of<4>(),
    lanes_of<16>(),
    lanes_of<4, 128>(),
    lanes_of<16, 128>(),
    lanes_of<4, 2048>(),
    lanes_of<16, 2048>(),
    rounds_of<2>(),
    rounds_of<3>(),
    rounds_of<4>(),
    rounds_of<6>(),
    rounds_of<8>(),
    rounds_of<16>(),
    composed_of<circulant_in_level<16384>, circulant<16384>>(composed::between_form::circulant),
    composed_of<circulant_in_level<32768>, circulant<32768>>(composed::between_form::circulant),
    composed_of<circulant_in_level<65536>, circulant<65536>>(composed::between_form::circulant),
    composed_of<tree_in_level<linear>, linear>(composed::between_form::tree),
    composed_of<tree_in_level<binomial>, binomial>(composed::between_form::tree),
    composed_of<tree_in_level<postal<4>>, postal<4>>(composed::between_form::tree),
    composed_of<tree_in_level<postal<6>>, postal<6>>(composed::between_form::tree),
    composed_of<tree_in_level<binary, 8192>, segmented<8192, binary>>(composed::between_form::tree),
    composed_of<tree_in_level<chain, 8192>, segmented<8192, chain>>(composed::between_form::tree),
    composed_of<tree_in_level<chain, 32768>, segmented<32768, chain>>(composed::between_form::tree),
};

/// Whether a candidate is one of a verb. How long parts are exchanged whole is a parameter of all_reduce
/// only.
constexpr bool is_tried(const composed& each, verb what) {
    constexpr std::size_t usual = rounds_in_lanes<2>::whole_bytes_of_lanes;
    return what == verb::all_reduce || each.between != composed::between_form::lanes ||
           each.parameters->whole_bytes == usual;
}

/// The candidate of two levels that a plan is; null: it is none.
constexpr const composed* find_composed(const plan& chosen, bool crosses_nodes) {
    for (const composed& each : composed_candidates)
        if (*each.what(crosses_nodes) == chosen) return &each;
    return nullptr;
}

} // namespace topo::detail
