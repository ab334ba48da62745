// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hierarchical processing of vectors: what is the same for hierarchies of topomp and made by hand.
///
/// Each rank has a vector. Level by level, from the innermost outwards, one rank of each group gathers the
/// vectors of the group and makes one of them: their sum, divided element by element by a vector of its own.
/// @see paper 1, section 7.4, algorithm 5
#pragma once

#include "../support/blocks.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vectors {

struct options {
    apps::common_options common{};
    int elements = 1024;

    void declare(apps::command_line& line) {
        line.add("--elements", elements, "of each vector, of 4 bytes").range(1, 1 << 26);
        common.declare(line);
    }
};

/// A rank's own vector: numbers from 1 to 2, others in each repetition.
inline std::vector<float> own_vector(int rank, int elements, int repetition) {
    std::vector<float> result;
    for (int i = 0; i < elements; ++i)
        result.push_back(static_cast<float>(
            1.5 + 0.5 * apps::noise(static_cast<std::uint64_t>(repetition + 1),
                                    static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(i))));
    return result;
}

/// The function that a group's first rank applies to what it has gathered.
/// @param gathered vectors one behind the other @param own the rank's own one, as long as each of them
inline std::vector<float> combine(std::span<const float> gathered, std::span<const float> own) {
    std::vector<float> result(own.size(), 0.0F);
    for (std::size_t begin = 0; begin < gathered.size(); begin += own.size())
        for (std::size_t i = 0; i < own.size(); ++i)
            result[i] += gathered[begin + i];
    for (std::size_t i = 0; i < own.size(); ++i)
        result[i] /= own[i];
    return result;
}

/// The calling rank's communicators, from the innermost level to the outermost: of each, those that have
/// something to hand in, of whom the first gathers. None where the calling rank takes no part, which it then
/// does not any further out.
using levels = std::vector<apps::owned_comm>;

/// Algorithm 5. @param result the calling rank's vector; on the last gatherer the result @return seconds of
/// computing
inline double process(const levels& through, const std::vector<float>& own, std::vector<float>& result,
                      double gflops) {
    const int count = static_cast<int>(own.size());
    double computing = 0;
    std::vector<float> gathered;
    for (const MPI_Comm comm : through) {
        if (comm == MPI_COMM_NULL) break;
        const int size = apps::size_of(comm), rank = apps::rank_in(comm);
        if (size == 1) continue; // nothing to put together
        if (rank == 0) gathered.resize(own.size() * static_cast<std::size_t>(size));
        MPI_Gather(result.data(), count, MPI_FLOAT, gathered.data(), count, MPI_FLOAT, 0, comm);
        if (rank != 0) break;
        const double start = PMPI_Wtime();
        result = combine(std::span{gathered}.first(own.size() * static_cast<std::size_t>(size)), own);
        apps::charge((size + 1.0) * count, gflops);
        computing += PMPI_Wtime() - start;
    }
    return computing;
}

/// The groups of ranks in which vectors meet, those inside others first; in each the gatherer first.
using groups = std::vector<std::vector<int>>;

/// The result, computed from the groups alone.
inline std::vector<float> serial_result(const groups& all, int ranks, int elements, int repetition) {
    std::vector<std::vector<float>> of_rank;
    for (int rank = 0; rank < ranks; ++rank)
        of_rank.push_back(own_vector(rank, elements, repetition));
    for (const auto& group : all) {
        std::vector<float> gathered;
        for (const int rank : group) {
            const auto& one = of_rank[static_cast<std::size_t>(rank)];
            gathered.insert(gathered.end(), one.begin(), one.end());
        }
        const int first = group.front();
        if (group.size() > 1)
            of_rank[static_cast<std::size_t>(first)] =
                combine(gathered, own_vector(first, elements, repetition));
    }
    return of_rank.front();
}

/// What differs between two results; empty if nothing does.
inline std::string difference_of(const std::vector<float>& found, const std::vector<float>& serial) {
    if (found.size() != serial.size()) return "the result has another length than the serial one";
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::abs(found[i] - serial[i]) <=
              4 * std::numeric_limits<float>::epsilon() * std::abs(serial[i])))
            return "element " + std::to_string(i) + " is " + std::to_string(found[i]) +
                   ", by the serial computation " + std::to_string(serial[i]);
    return {};
}

/// Which communicators there are, for the calling rank and altogether.
struct hierarchy {
    levels mine;
    groups all;      ///< known on rank 0
    apps::json told; ///< what the result says of it
};

/// The program. @param given where `declare` reads options into @param make `make()` returns the hierarchy
template <class Declare, class Make>
int main_of(int argc, char** argv, const std::string& variant, const std::string& what, options& given,
            Declare declare, Make make) {
    return apps::main_of(argc, argv, "vectors", variant, what, declare, [&]() -> apps::json {
        apps::progress shown{"vectors_" + variant};
        const hierarchy through = make();
        const int rank = apps::rank_in(MPI_COMM_WORLD), ranks = apps::size_of(MPI_COMM_WORLD);
        std::vector<float> own, result;
        const auto took = apps::measure(
            MPI_COMM_WORLD, given.common, shown,
            [&](int repetition) { result = own = own_vector(rank, given.elements, repetition); },
            [&] { return process(through.mine, own, result, given.common.gflops); });
        apps::json told{{"elements", given.elements}};
        told.update(through.told);
        told.update(took.members());
        told.set("checked", given.common.has_check);
        if (given.common.has_check)
            apps::require_on_root(
                MPI_COMM_WORLD, rank == 0
                                    ? difference_of(result, serial_result(through.all, ranks, given.elements,
                                                                          given.common.repetitions - 1))
                                    : "");
        return told;
    });
}

} // namespace vectors
