// SPDX-License-Identifier: BSL-1.0
/// @file
/// What `automatic` chooses where a machine has parts. Written by scripts/tune: do not edit.
///
/// Measured 2026-11-22 to 2026-11-23 with SimGrid 3.32: 1042 points of benchmarks/policies.cpp.
/// Times are those of the slowest rank; then comes how far they are behind the best of the policies that were
/// tried. A message costs its sender and its receiver 0.3 us each, about what scripts/calibrate measures; see
/// benchmarks/platforms/ntw10e5.xml, ntw32x16.xml and smp20e7.xml. Other platforms were not looked at.
#pragma once

#include <topomp/policy/detail/tuned_choice.hpp>
#include <topomp/policy/detail/tuned_row.hpp>
#include <topomp/policy/detail/way.hpp>

#include <array>

namespace topo::detail {

/// Where ranks are on several nodes: ntw10e5, 10 nodes of 24 ranks; from 18 nodes on ntw32x16,
/// 32 nodes of 16 ranks.
inline constexpr std::array tuned_between_nodes{
    // 7.9 us, the best
    tuned_row{verb::barrier, 0, 0, 0, tuned_choice::doubling_4},
    // 8 to 128 bytes: 5.9 to 6 us, the best
    tuned_row{verb::broadcast, 0, 0, 0, tuned_choice::helping},
    // 512 to 8192 bytes: 6.6 to 11.2 us, 0 to 2 % behind the best
    tuned_row{verb::broadcast, 0, 256, 0, tuned_choice::two_postal6_postal6},
    // 16384 bytes: 16.4 us, the best
    tuned_row{verb::broadcast, 0, 12288, 0, tuned_choice::ternary_binary_8k},
    // 32768 bytes: 19 us, the best
    tuned_row{verb::broadcast, 0, 24576, 0, tuned_choice::doubling_8},
    // 131072 to 524288 bytes: 36 to 87.9 us, the best
    tuned_row{verb::broadcast, 0, 65536, 0, tuned_choice::double_8k},
    // 2097152 bytes: 257.8 us, the best
    tuned_row{verb::broadcast, 0, 1048576, 0, tuned_choice::double_16k},
    // 8 to 512 bytes: 8.4 to 8.5 us, the best
    tuned_row{verb::broadcast, 18, 0, 0, tuned_choice::spreading},
    // 2048 to 8192 bytes: 10 to 18.5 us, 0 to 1 % behind the best
    tuned_row{verb::broadcast, 18, 1024, 0, tuned_choice::two_postal6_postal4},
    // 16384 to 32768 bytes: 23 to 23.8 us, 0 to 1 % behind the best
    tuned_row{verb::broadcast, 18, 12288, 0, tuned_choice::doubling_8},
    // as on fewer nodes
    tuned_row{verb::broadcast, 18, 65536, 0, tuned_choice::double_8k},
    // as on fewer nodes
    tuned_row{verb::broadcast, 18, 1048576, 0, tuned_choice::double_16k},
    // 8 to 128 bytes: 5.9 to 6.6 us, 0 to 1 % behind the best
    tuned_row{verb::reduce, 0, 0, 0, tuned_choice::helping},
    // 512 to 16384 bytes: 6.6 to 15.7 us, the best
    tuned_row{verb::reduce, 0, 256, 0, tuned_choice::two_postal6_postal6},
    // 32768 bytes: 19.4 us, the best
    tuned_row{verb::reduce, 0, 24576, 0, tuned_choice::binary_linear_8k},
    // 131072 to 524288 bytes: 41.2 to 120.5 us, the best
    tuned_row{verb::reduce, 0, 65536, 0, tuned_choice::splitting_16},
    // 2097152 bytes: 308.9 us, the best
    tuned_row{verb::reduce, 0, 0, 4096, tuned_choice::chain_linear_32k},
    // 8 to 512 bytes: 8.1 to 8.7 us, 0 to 2 % behind the best
    tuned_row{verb::reduce, 18, 0, 0, tuned_choice::spreading},
    // 2048 to 16384 bytes: 9.9 to 20.8 us, 0 to 1 % behind the best
    tuned_row{verb::reduce, 18, 1024, 0, tuned_choice::two_postal6_postal4},
    // 32768 bytes: 25.6 us, the best
    tuned_row{verb::reduce, 18, 24576, 0, tuned_choice::binary_linear_8k},
    // as on fewer nodes
    tuned_row{verb::reduce, 18, 65536, 0, tuned_choice::splitting_16},
    // as on fewer nodes
    tuned_row{verb::reduce, 18, 0, 4096, tuned_choice::chain_linear_32k},
    // 8 to 8192 bytes: 8 to 15.7 us, 0 to 6 % behind the best
    tuned_row{verb::all_reduce, 0, 0, 0, tuned_choice::splitting_4},
    // 32768 to 524288 bytes: 21.1 to 122.1 us, the best
    tuned_row{verb::all_reduce, 0, 16384, 0, tuned_choice::splitting_16},
    // 8 bytes: 6.5 us, the best
    tuned_row{verb::gather, 0, 0, 0, tuned_choice::spreading},
    // 128 to 2048 bytes: 8.4 to 44.4 us, the best
    tuned_row{verb::gather, 0, 32, 0, tuned_choice::postal5_postal3},
    // 4096 to 32768 bytes: 83.6 to 572.4 us, the best
    tuned_row{verb::gather, 0, 3072, 0, tuned_choice::linear_linear},
    // 8 to 512 bytes: 6.4 to 14.1 us, the best
    tuned_row{verb::scatter, 0, 0, 0, tuned_choice::spreading},
    // 1024 to 2048 bytes: 25 to 44.7 us, the best
    tuned_row{verb::scatter, 0, 768, 0, tuned_choice::linear_linear},
    // 4096 to 32768 bytes: 79.6 to 575 us, the best
    tuned_row{verb::scatter, 0, 3072, 0, tuned_choice::straight},
    // 8 to 32 bytes: 8.1 to 8.9 us, the best
    tuned_row{verb::all_gather, 0, 0, 0, tuned_choice::doubling_4},
    // 128 to 2048 bytes: 10.5 to 57.5 us, the best
    tuned_row{verb::all_gather, 0, 64, 0, tuned_choice::doubling_16},
    // 8192 to 32768 bytes: 170.6 to 641 us, the best
    tuned_row{verb::all_gather, 0, 4096, 0, tuned_choice::lanes},
    // 8 to 512 bytes: 10.7 to 243.6 us, the best
    tuned_row{verb::all_to_all, 0, 0, 0, tuned_choice::doubling_64},
    // 2048 to 8192 bytes: 954.8 to 3630.3 us, the best
    tuned_row{verb::all_to_all, 0, 1024, 0, tuned_choice::pairwise},
    // 8 to 32 bytes: 8.1 to 8.9 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 0, tuned_choice::halving_4},
    // 128 to 512 bytes: 10.8 to 20.2 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 64, tuned_choice::halving_8},
    // 2048 to 8192 bytes: 57.9 to 170.6 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 1024, tuned_choice::lanes},
};

/// The same for what must keep the order of ranks.
inline constexpr std::array tuned_between_nodes_in_order{
    // 8 to 8192 bytes: 7 to 12.5 us, 0 to 4 % behind the best
    tuned_row{verb::reduce, 0, 0, 0, tuned_choice::postal6_postal3},
    // 16384 to 131072 bytes: 16 to 48.6 us, the best
    tuned_row{verb::reduce, 0, 12288, 0, tuned_choice::ordered_binary_8k},
    // 524288 bytes: 138 us, the best
    tuned_row{verb::reduce, 0, 0, 1024, tuned_choice::chain_chain_8k},
    // 2097152 bytes: 308.9 us, the best
    tuned_row{verb::reduce, 0, 0, 4096, tuned_choice::chain_linear_32k},
    // 8 to 2048 bytes: 9.3 to 11.1 us, the best
    tuned_row{verb::reduce, 18, 0, 0, tuned_choice::postal6_postal3},
    // 4096 to 16384 bytes: 13 to 21.4 us, the best
    tuned_row{verb::reduce, 18, 3072, 0, tuned_choice::postal4_linear},
    // 32768 bytes: 26 us, the best
    tuned_row{verb::reduce, 18, 24576, 0, tuned_choice::ordered_binary_8k},
    // as on fewer nodes
    tuned_row{verb::reduce, 18, 0, 1024, tuned_choice::chain_chain_8k},
    // as on fewer nodes
    tuned_row{verb::reduce, 18, 0, 4096, tuned_choice::chain_linear_32k},
};

/// In one machine of parts in parts: smp20e7, 20 NUMA nodes of 8 ranks.
inline constexpr std::array tuned_inside_machine{
    // 7.5 us, the best
    tuned_row{verb::barrier, 0, 0, 0, tuned_choice::doubling_4},
    // 8 to 512 bytes: 5.4 to 5.8 us, the best
    tuned_row{verb::broadcast, 0, 0, 0, tuned_choice::helping},
    // 2048 to 8192 bytes: 7 to 12.5 us, 0 to 2 % behind the best
    tuned_row{verb::broadcast, 0, 1024, 0, tuned_choice::two_postal6_postal6},
    // 16384 to 32768 bytes: 17.2 to 18.3 us, 0 to 2 % behind the best
    tuned_row{verb::broadcast, 0, 12288, 0, tuned_choice::doubling_8},
    // 131072 to 524288 bytes: 35.5 to 88.5 us, the best
    tuned_row{verb::broadcast, 0, 65536, 0, tuned_choice::double_8k},
    // 2097152 bytes: 264.6 us, the best
    tuned_row{verb::broadcast, 0, 1048576, 0, tuned_choice::double_16k},
    // 8 to 128 bytes: 5.5 to 5.7 us, the best
    tuned_row{verb::reduce, 0, 0, 0, tuned_choice::helping},
    // 512 to 8192 bytes: 6.3 to 11.2 us, 0 to 3 % behind the best
    tuned_row{verb::reduce, 0, 256, 0, tuned_choice::two_postal6_postal4},
    // 16384 to 32768 bytes: 16 to 20.8 us, the best
    tuned_row{verb::reduce, 0, 12288, 0, tuned_choice::binary_linear_8k},
    // 131072 to 2097152 bytes: 36.3 to 381.8 us, the best
    tuned_row{verb::reduce, 0, 65536, 0, tuned_choice::splitting_16},
    // 8 to 32768 bytes: 7.5 to 22 us, the best
    tuned_row{verb::all_reduce, 0, 0, 0, tuned_choice::splitting_4},
    // 131072 to 524288 bytes: 35.1 to 106 us, the best
    tuned_row{verb::all_reduce, 0, 65536, 0, tuned_choice::splitting_16},
    // 8 to 2048 bytes: 6.3 to 29.8 us, 0 to 4 % behind the best
    tuned_row{verb::gather, 0, 0, 0, tuned_choice::postal5_postal3},
    // 4096 to 32768 bytes: 54.5 to 394.4 us, the best
    tuned_row{verb::gather, 0, 3072, 0, tuned_choice::linear_linear},
    // 8 to 512 bytes: 6 to 11.1 us, the best
    tuned_row{verb::scatter, 0, 0, 0, tuned_choice::spreading},
    // 1024 to 2048 bytes: 18.3 to 31.4 us, the best
    tuned_row{verb::scatter, 0, 768, 0, tuned_choice::linear_linear},
    // 4096 to 32768 bytes: 52.4 to 392.4 us, the best
    tuned_row{verb::scatter, 0, 3072, 0, tuned_choice::straight},
    // 8 to 128 bytes: 7.6 to 9.9 us, the best
    tuned_row{verb::all_gather, 0, 0, 0, tuned_choice::doubling_4},
    // 512 to 8192 bytes: 13.9 to 123.8 us, the best
    tuned_row{verb::all_gather, 0, 256, 0, tuned_choice::doubling_16},
    // 32768 bytes: 480 us, the best
    tuned_row{verb::all_gather, 0, 16384, 0, tuned_choice::doubling_8},
    // 8 bytes: 8.6 us, the best
    tuned_row{verb::all_to_all, 0, 0, 0, tuned_choice::doubling_6},
    // 256 to 512 bytes: 45 to 82.7 us, the best
    tuned_row{verb::all_to_all, 0, 45, 0, tuned_choice::doubling_64},
    // 2048 to 8192 bytes: 252.8 to 895 us, the best
    tuned_row{verb::all_to_all, 0, 1024, 0, tuned_choice::pairwise},
    // 8 to 128 bytes: 7.6 to 9.9 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 0, tuned_choice::halving_4},
    // 512 to 8192 bytes: 14.7 to 124.8 us, the best
    tuned_row{verb::reduce_scatter, 0, 0, 256, tuned_choice::halving_8},
};

/// The same for what must keep the order of ranks.
inline constexpr std::array tuned_inside_machine_in_order{
    // 8 to 4096 bytes: 6.2 to 8.7 us, the best
    tuned_row{verb::reduce, 0, 0, 0, tuned_choice::postal6_postal3},
    // 8192 to 16384 bytes: 11 to 16.2 us, the best
    tuned_row{verb::reduce, 0, 6144, 0, tuned_choice::postal4_linear},
    // 32768 to 131072 bytes: 20.8 to 50.2 us, the best
    tuned_row{verb::reduce, 0, 24576, 0, tuned_choice::ordered_binary_8k},
    // 524288 bytes: 169.1 us, the best
    tuned_row{verb::reduce, 0, 0, 1536, tuned_choice::chain_chain_8k},
    // 2097152 bytes: 542.9 us, the best
    tuned_row{verb::reduce, 0, 0, 6144, tuned_choice::chain_linear_32k},
};

} // namespace topo::detail
