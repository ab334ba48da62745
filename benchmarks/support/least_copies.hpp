// SPDX-License-Identifier: BSL-1.0
/// @file
/// How long the copies take that a verb cannot do without among ranks of one machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

namespace topo_bench {

/// Blocks that have to get from one rank's memory into another's: into one rank at most, and in all.
struct least_copies {
    int into_one = 0, in_all = 0;

    static least_copies of(std::string_view verb, int ranks) {
        const int others = ranks - 1;
        if (verb == "barrier" || verb.starts_with("neighbour")) return {}; // not worked out
        if (verb == "broadcast" || verb == "scatter") return {others > 0 ? 1 : 0, others};
        // To combine is to read as much; one rank may do it for a part.
        if (verb == "reduce") return {others > 0 ? 1 : 0, others};
        if (verb == "all_reduce") return {others > 0 ? 1 : 0, 2 * others};
        if (verb == "gather") return {others, others};
        if (verb == "reduce_scatter") return {others, ranks * others};
        return {others, ranks * others}; // all_gather, all_to_all
    }
};

/// Seconds of a memcpy of so many bytes in this process, the median of some.
inline double memcpy_seconds(std::size_t bytes) {
    constexpr std::size_t times = 9;
    const std::vector<char> from(bytes, 'x');
    std::vector<char> to(bytes, 'y');
    std::vector<double> seconds;
    for (std::size_t i = 0; i < times; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        std::memcpy(to.data(), from.data(), bytes);
        asm volatile("" ::"r"(to.data()) : "memory"); // somebody might read it
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::ranges::nth_element(seconds, seconds.begin() + times / 2);
    return seconds[times / 2];
}

/// Seconds that the copies of a verb take at least: those into one rank one after the other, and all of them
/// as many at a time as there are cores. @param bytes of a block
inline double least_copy_seconds(std::string_view verb, int ranks, std::size_t bytes) {
    const auto copies = least_copies::of(verb, ranks);
    const double cores = std::max(1U, std::thread::hardware_concurrency());
    return memcpy_seconds(bytes) *
           std::max<double>(copies.into_one, copies.in_all / std::min<double>(cores, ranks));
}

} // namespace topo_bench
