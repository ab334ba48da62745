// SPDX-License-Identifier: BSL-1.0
/// @file
/// The ways of hybrid verbs, and data whose results can be worked out serially.
#pragma once

#include "collective_calls.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/policy.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace topo_test {

/// A way with its name.
struct hybrid_way {
    std::string name;
    topo::hybrid::carriers across{};
    topo::hybrid::combining inside{};
    topo::hybrid::meeting sync{};

    template <class Between>
    topo::hybrid::policy<Between> by() const {
        return {across, inside, sync};
    }
};

inline std::vector<hybrid_way> hybrid_ways() {
    using enum topo::hybrid::carriers;
    using topo::hybrid::combining, topo::hybrid::meeting;
    return {{"best", best, combining::best, meeting::signals},
            {"slices, lanes, signals", lanes, combining::by_slices, meeting::signals},
            {"slices, roots, signals", roots, combining::by_slices, meeting::signals},
            {"root, lanes, signals", lanes, combining::by_root, meeting::signals},
            {"root, roots, barrier", roots, combining::by_root, meeting::barrier},
            {"MPI, roots, barrier", roots, combining::by_mpi, meeting::barrier},
            {"MPI, lanes, signals", lanes, combining::by_mpi, meeting::signals},
            {"slices, lanes, barrier", lanes, combining::by_slices, meeting::barrier}};
}

/// x -> a x + b modulo a prime, a in the upper half: one after the other, their order matters.
struct after_one_another {
    std::uint64_t operator()(std::uint64_t first, std::uint64_t second) const {
        constexpr std::uint64_t prime = 4294967291U;
        const std::uint64_t a = first >> 32U, b = first & 0xFFFFFFFFU;
        const std::uint64_t c = second >> 32U, d = second & 0xFFFFFFFFU;
        return (a * c % prime) << 32U | (b * c % prime + d) % prime;
    }
};

/// An element of a rank as such a function.
inline std::uint64_t function_of(int rank, std::size_t index, std::uint64_t call) {
    const std::uint64_t mixed = number_of(rank, index, call);
    return (mixed % 65521 + 2) << 32U | (mixed >> 40U);
}

} // namespace topo_test
