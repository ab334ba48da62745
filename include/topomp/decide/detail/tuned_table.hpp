// SPDX-License-Identifier: BSL-1.0
/// @file
/// What `automatic` chooses where a machine has parts. Written by scripts/tune: do not edit.
///
/// Measured 2026-11-22 to 2026-11-23 with SimGrid 3.32: 1042 points of benchmarks/policies.cpp.
/// Times are those of the slowest rank; then comes how far they are behind the best of the policies that were
/// tried. A message costs its sender and its receiver 0.3 us each, about what scripts/calibrate measures; see
/// benchmarks/platforms/ntw10e5.xml, ntw32x16.xml and smp20e7.xml. Other platforms were not looked at.
#pragma once

#include <topomp/algorithm/shape.hpp>
#include <topomp/decide/detail/tuned_row.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <array>

namespace topo::detail {

/// Where ranks are on several nodes: ntw10e5, 10 nodes of 24 ranks; from 18 nodes on ntw32x16,
/// 32 nodes of 16 ranks.
inline constexpr std::array tuned_between_nodes{
    // 7.9 us, the best
    tuned_row{verb::barrier, 0, 0, 0, &plan_of<k_ary_recursive_doubling<4>>},
    // 8 to 128 bytes: 5.9 to 6 us, the best
    tuned_row{verb::broadcast, 0, 0, 0, &plan_of<node_aware_postal<5, 3, true>>},
    // 512 to 8192 bytes: 6.6 to 11.2 us, 0 to 2 % behind the best
    tuned_row{verb::broadcast, 0, 256, 0, &plan_of<two_levels<postal<6>, postal<6>>>},
    // 16384 bytes: 16.4 us, the best
    tuned_row{verb::broadcast, 0, 12288, 0,
              &plan_of<segmented<8192, per_level<on<kind::cluster, k_ary<3>>,
                                                 on<kind::network_switch, k_ary<3>>, otherwise<binary>>>>},
    // 32768 bytes: 19 us, the best
    tuned_row{verb::broadcast, 0, 24576, 0, &plan_of<k_ary_recursive_doubling<8>>},
    // 131072 to 524288 bytes: 36 to 87.9 us, the best
    tuned_row{verb::broadcast, 0, 65536, 0,
              &plan_of<segmented<8192, two_levels<two_tree, below_single_child<in_order_binary>>>>},
    // 2097152 bytes: 257.8 us, the best
    tuned_row{verb::broadcast, 0, 1048576, 0,
              &plan_of<segmented<16384, two_levels<two_tree, below_single_child<in_order_binary>>>>},
    // 8 to 512 bytes: 8.4 to 8.5 us, the best
    tuned_row{verb::broadcast, 18, 0, 0, &plan_of<node_aware_postal<5, 3>>},
    // 2048 to 8192 bytes: 10 to 18.5 us, 0 to 1 % behind the best
    tuned_row{verb::broadcast, 18, 1024, 0, &plan_of<two_levels<postal<6>, postal<4>>>},
    // 16384 to 32768 bytes: 23 to 23.8 us, 0 to 1 % behind the best
    tuned_row{verb::broadcast, 18, 12288, 0, &plan_of<k_ary_recursive_doubling<8>>},
    // as on fewer nodes
    tuned_row{verb::broadcast, 18, 65536, 0,
              &plan_of<segmented<8192, two_levels<two_tree, below_single_child<in_order_binary>>>>},
    // as on fewer nodes
    tuned_row{verb::broadcast, 18, 1048576, 0,
              &plan_of<segmented<16384, two_levels<two_tree, below_single_child<in_order_binary>>>>},
    // 8 to 128 bytes: 5.9 to 6.6 us, 0 to 1 % behind the best
    tuned_row{verb::reduce, 0, 0, 0, &plan_of<node_aware_postal<5, 3, true>>},
    // 512 to 16384 bytes: 6.6 to 15.7 us, the best
    tuned_row{verb::reduce, 0, 256, 0, &plan_of<two_levels<postal<6>, postal<6>>>},
    // 32768 bytes: 19.4 us, the best
    tuned_row{verb::reduce, 0, 24576, 0,
              &plan_of<segmented<8192, per_level<on<kind::cluster, binary>, on<kind::network_switch, binary>,
                                                 otherwise<linear>>>>},
    // 131072 to 524288 bytes: 41.2 to 120.5 us, the best
    tuned_row{verb::reduce, 0, 65536, 0, &plan_of<k_ary_rabenseifner<16, 256>>},
    // 2097152 bytes: 308.9 us, the best
    tuned_row{
        verb::reduce, 0, 0, 4096,
        &plan_of<segmented<
            32768, per_level<on<kind::cluster, chain>, on<kind::network_switch, chain>, otherwise<linear>>>>},
    // 8 to 512 bytes: 8.1 to 8.7 us, 0 to 2 % behind the best
    tuned_row{verb::reduce, 18, 0, 0, &plan_of<node_aware_postal<5, 3>>},
    // 2048 to 16384 bytes: 9.9 to 20.8 us, 0 to 1 % behind the best
    tuned_row{verb::reduce, 18, 1024, 0, &plan_of<two_levels<postal<6>, postal<4>>>},
    // 32768 bytes: 25.6 us, the best
    tuned_row{verb::reduce, 18, 24576, 0,
              &plan_of<segmented<8192, per_level<on<kind::cluster, binary>, on<kind::network_switch, binary>,
                                                 otherwise<linear>>>>},
    // as on fewer nodes
    tuned_row{verb::reduce, 18, 65536, 0, &plan_of<k_ary_rabenseifner<16, 256>>},
    // as on fewer nodes
    tuned_row{
        verb::reduce, 18, 0, 4096,
        &plan_of<segmented<
            32768, per_level<on<kind::cluster, chain>, on<kind::network_switch, chain>, otherwise<linear>>>>},
    // 8 to 8192 bytes: 8 to 15.7 us, 0 to 6 % behind the best
    tuned_row{verb::all_reduce, 0, 0, 0, &plan_of<k_ary_rabenseifner<4, 256>>},
    // 32768 to 524288 bytes: 21.1 to 122.1 us, the best
    tuned_row{verb::all_reduce, 0, 16384, 0, &plan_of<k_ary_rabenseifner<16, 256>>},
    // 8 bytes: 6.5 us, the best
    tuned_row{verb::gather, 0, 0, 0, &plan_of<node_aware_postal<5, 3>>},
    // 128 to 2048 bytes: 8.4 to 44.4 us, the best
    tuned_row{verb::gather, 0, 32, 0,
              &plan_of<per_level<on<kind::cluster, postal<5>>, on<kind::network_switch, postal<5>>,
                                 otherwise<postal<3>>>>},
    // 4096 to 32768 bytes: 83.6 to 572.4 us, the best
    tuned_row{
        verb::gather, 0, 3072, 0,
        &plan_of<per_level<on<kind::cluster, linear>, on<kind::network_switch, linear>, otherwise<linear>>>},
    // 8 to 512 bytes: 6.4 to 14.1 us, the best
    tuned_row{verb::scatter, 0, 0, 0, &plan_of<node_aware_postal<5, 3>>},
    // 1024 to 2048 bytes: 25 to 44.7 us, the best
    tuned_row{
        verb::scatter, 0, 768, 0,
        &plan_of<per_level<on<kind::cluster, linear>, on<kind::network_switch, linear>, otherwise<linear>>>},
    // 4096 to 32768 bytes: 79.6 to 575 us, the best
    tuned_row{verb::scatter, 0, 3072, 0, &plan_of<placement_independent<linear>>},
    // 8 to 32 bytes: 8.1 to 8.9 us, the best
    tuned_row{verb::all_gather, 0, 0, 0, &plan_of<k_ary_recursive_doubling<4>>},
    // 128 to 2048 bytes: 10.5 to 57.5 us, the best
    tuned_row{verb::all_gather, 0, 64, 0, &plan_of<k_ary_recursive_doubling<16>>},
    // 8192 to 32768 bytes: 170.6 to 641 us, the best
    tuned_row{verb::all_gather, 0, 4096, 0, &plan_of<lanes<linear, linear>>},
    // 8 to 512 bytes: 10.7 to 243.6 us, the best
    tuned_row{verb::all_to_all, 0, 0, 0, &plan_of<k_ary_recursive_doubling<64>>},
    // 2048 to 8192 bytes: 954.8 to 3630.3 us, the best
    tuned_row{verb::all_to_all, 0, 1024, 0, &plan_of<pairwise>},
    // 8 to 32 bytes: 8.1 to 8.9 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 0, &plan_of<k_ary_recursive_halving<4>>},
    // 128 to 512 bytes: 10.8 to 20.2 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 64, &plan_of<k_ary_recursive_halving<8>>},
    // 2048 to 8192 bytes: 57.9 to 170.6 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 1024, &plan_of<lanes<linear, linear>>},
};

/// The same for what must keep the order of ranks.
inline constexpr std::array tuned_between_nodes_in_order{
    // 8 to 8192 bytes: 7 to 12.5 us, 0 to 4 % behind the best
    tuned_row{verb::reduce, 0, 0, 0,
              &plan_of<per_level<on<kind::cluster, postal<6>>, on<kind::network_switch, postal<6>>,
                                 otherwise<postal<3>>>>},
    // 16384 to 131072 bytes: 16 to 48.6 us, the best
    tuned_row{verb::reduce, 0, 12288, 0,
              &plan_of<segmented<
                  8192, per_level<on<kind::cluster, in_order_binary>,
                                  on<kind::network_switch, in_order_binary>, otherwise<in_order_binary>>>>},
    // 524288 bytes: 138 us, the best
    tuned_row{
        verb::reduce, 0, 0, 1024,
        &plan_of<segmented<
            8192, per_level<on<kind::cluster, chain>, on<kind::network_switch, chain>, otherwise<chain>>>>},
    // 2097152 bytes: 308.9 us, the best
    tuned_row{
        verb::reduce, 0, 0, 4096,
        &plan_of<segmented<
            32768, per_level<on<kind::cluster, chain>, on<kind::network_switch, chain>, otherwise<linear>>>>},
    // 8 to 2048 bytes: 9.3 to 11.1 us, the best
    tuned_row{verb::reduce, 18, 0, 0,
              &plan_of<per_level<on<kind::cluster, postal<6>>, on<kind::network_switch, postal<6>>,
                                 otherwise<postal<3>>>>},
    // 4096 to 16384 bytes: 13 to 21.4 us, the best
    tuned_row{
        verb::reduce, 18, 3072, 0,
        &plan_of<
            per_level<on<kind::cluster, postal<4>>, on<kind::network_switch, postal<4>>, otherwise<linear>>>},
    // 32768 bytes: 26 us, the best
    tuned_row{verb::reduce, 18, 24576, 0,
              &plan_of<segmented<
                  8192, per_level<on<kind::cluster, in_order_binary>,
                                  on<kind::network_switch, in_order_binary>, otherwise<in_order_binary>>>>},
    // as on fewer nodes
    tuned_row{
        verb::reduce, 18, 0, 1024,
        &plan_of<segmented<
            8192, per_level<on<kind::cluster, chain>, on<kind::network_switch, chain>, otherwise<chain>>>>},
    // as on fewer nodes
    tuned_row{
        verb::reduce, 18, 0, 4096,
        &plan_of<segmented<
            32768, per_level<on<kind::cluster, chain>, on<kind::network_switch, chain>, otherwise<linear>>>>},
};

/// In one machine of parts in parts: smp20e7, 20 NUMA nodes of 8 ranks.
inline constexpr std::array tuned_inside_machine{
    // 7.5 us, the best
    tuned_row{verb::barrier, 0, 0, 0, &plan_of<k_ary_recursive_doubling<4>>},
    // 8 to 512 bytes: 5.4 to 5.8 us, the best
    tuned_row{verb::broadcast, 0, 0, 0, &plan_of<node_aware_postal<5, 3, true>>},
    // 2048 to 8192 bytes: 7 to 12.5 us, 0 to 2 % behind the best
    tuned_row{verb::broadcast, 0, 1024, 0, &plan_of<two_levels<postal<6>, postal<6>>>},
    // 16384 to 32768 bytes: 17.2 to 18.3 us, 0 to 2 % behind the best
    tuned_row{verb::broadcast, 0, 12288, 0, &plan_of<k_ary_recursive_doubling<8>>},
    // 131072 to 524288 bytes: 35.5 to 88.5 us, the best
    tuned_row{verb::broadcast, 0, 65536, 0,
              &plan_of<segmented<8192, two_levels<two_tree, below_single_child<in_order_binary>>>>},
    // 2097152 bytes: 264.6 us, the best
    tuned_row{verb::broadcast, 0, 1048576, 0,
              &plan_of<segmented<16384, two_levels<two_tree, below_single_child<in_order_binary>>>>},
    // 8 to 128 bytes: 5.5 to 5.7 us, the best
    tuned_row{verb::reduce, 0, 0, 0, &plan_of<node_aware_postal<5, 3, true>>},
    // 512 to 8192 bytes: 6.3 to 11.2 us, 0 to 3 % behind the best
    tuned_row{verb::reduce, 0, 256, 0, &plan_of<two_levels<postal<6>, postal<4>>>},
    // 16384 to 32768 bytes: 16 to 20.8 us, the best
    tuned_row{verb::reduce, 0, 12288, 0,
              &plan_of<segmented<8192, per_level<on<kind::machine, binary>, otherwise<linear>>>>},
    // 131072 to 2097152 bytes: 36.3 to 381.8 us, the best
    tuned_row{verb::reduce, 0, 65536, 0, &plan_of<k_ary_rabenseifner<16, 512>>},
    // 8 to 32768 bytes: 7.5 to 22 us, the best
    tuned_row{verb::all_reduce, 0, 0, 0, &plan_of<k_ary_rabenseifner<4, 512>>},
    // 131072 to 524288 bytes: 35.1 to 106 us, the best
    tuned_row{verb::all_reduce, 0, 65536, 0, &plan_of<k_ary_rabenseifner<16, 512>>},
    // 8 to 2048 bytes: 6.3 to 29.8 us, 0 to 4 % behind the best
    tuned_row{verb::gather, 0, 0, 0, &plan_of<per_level<on<kind::machine, postal<5>>, otherwise<postal<3>>>>},
    // 4096 to 32768 bytes: 54.5 to 394.4 us, the best
    tuned_row{verb::gather, 0, 3072, 0, &plan_of<per_level<on<kind::machine, linear>, otherwise<linear>>>},
    // 8 to 512 bytes: 6 to 11.1 us, the best
    tuned_row{verb::scatter, 0, 0, 0, &plan_of<node_aware_postal<5, 3>>},
    // 1024 to 2048 bytes: 18.3 to 31.4 us, the best
    tuned_row{verb::scatter, 0, 768, 0, &plan_of<per_level<on<kind::machine, linear>, otherwise<linear>>>},
    // 4096 to 32768 bytes: 52.4 to 392.4 us, the best
    tuned_row{verb::scatter, 0, 3072, 0, &plan_of<placement_independent<linear>>},
    // 8 to 128 bytes: 7.6 to 9.9 us, the best
    tuned_row{verb::all_gather, 0, 0, 0, &plan_of<k_ary_recursive_doubling<4>>},
    // 512 to 8192 bytes: 13.9 to 123.8 us, the best
    tuned_row{verb::all_gather, 0, 256, 0, &plan_of<k_ary_recursive_doubling<16>>},
    // 32768 bytes: 480 us, the best
    tuned_row{verb::all_gather, 0, 16384, 0, &plan_of<k_ary_recursive_doubling<8>>},
    // 8 bytes: 8.6 us, the best
    tuned_row{verb::all_to_all, 0, 0, 0, &plan_of<k_ary_recursive_doubling<6>>},
    // 256 to 512 bytes: 45 to 82.7 us, the best
    tuned_row{verb::all_to_all, 0, 45, 0, &plan_of<k_ary_recursive_doubling<64>>},
    // 2048 to 8192 bytes: 252.8 to 895 us, the best
    tuned_row{verb::all_to_all, 0, 1024, 0, &plan_of<pairwise>},
    // 8 to 128 bytes: 7.6 to 9.9 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 0, &plan_of<k_ary_recursive_halving<4>>},
    // 512 to 8192 bytes: 14.7 to 124.8 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 256, &plan_of<k_ary_recursive_halving<8>>},
};

/// The same for what must keep the order of ranks.
inline constexpr std::array tuned_inside_machine_in_order{
    // 8 to 4096 bytes: 6.2 to 8.7 us, the best
    tuned_row{verb::reduce, 0, 0, 0, &plan_of<per_level<on<kind::machine, postal<6>>, otherwise<postal<3>>>>},
    // 8192 to 16384 bytes: 11 to 16.2 us, the best
    tuned_row{verb::reduce, 0, 6144, 0, &plan_of<per_level<on<kind::machine, postal<4>>, otherwise<linear>>>},
    // 32768 to 131072 bytes: 20.8 to 50.2 us, the best
    tuned_row{
        verb::reduce, 0, 24576, 0,
        &plan_of<segmented<8192, per_level<on<kind::machine, in_order_binary>, otherwise<in_order_binary>>>>},
    // 524288 bytes: 169.1 us, the best
    tuned_row{verb::reduce, 0, 0, 1536,
              &plan_of<segmented<8192, per_level<on<kind::machine, chain>, otherwise<chain>>>>},
    // 2097152 bytes: 542.9 us, the best
    tuned_row{verb::reduce, 0, 0, 6144,
              &plan_of<segmented<32768, per_level<on<kind::machine, chain>, otherwise<linear>>>>},
};

} // namespace topo::detail
