// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every verb with its buffers, what must come out of it, and how long the slowest rank takes.
#pragma once

#include "agreed_start.hpp"
#include <topomp/topomp.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace topo_bench {

using number = std::uint64_t;

/// The buffers of one point, sized for every verb: `count` numbers for each rank and of each rank.
struct point {
    const topo::hierarchy& levels;
    MPI_Comm comm; ///< a duplicate, on which the MPI's own collectives are warmed up alike
    std::size_t count;
    int size = levels.whole().size(), rank = levels.whole().rank();
    std::vector<number> input{}, result{};
    int starts = 0;       ///< so many calls were timed
    MPI_Op add = MPI_SUM; ///< or, in a simulation, one that takes time

    int elements() const { return static_cast<int>(count); }
    std::size_t all() const { return count * static_cast<std::size_t>(size); }

    /// An element of a rank's data, other in each repetition.
    static number value(int rank, std::size_t i, int repetition) {
        return static_cast<number>(rank + 1) * 1000003U + i * 17U + static_cast<number>(repetition) * 7919U;
    }
    void fill(int repetition) {
        for (std::size_t i = 0; i < input.size(); ++i)
            input[i] = value(rank, i, repetition);
        std::ranges::fill(result, number{0});
        if (result.size() == input.size() && rank == 0) result = input; // for a broadcast from rank 0
    }
    topo::message whole_input() { return {input.data(), input.size(), MPI_UINT64_T}; }
    topo::message whole_result() { return {result.data(), result.size(), MPI_UINT64_T}; }
    topo::blocks blocks_of(std::vector<number>& all_ranks) { return {all_ranks.data(), MPI_UINT64_T, count}; }
    topo::detail::combination sum() const { return {add, true}; }
    /// Elements that are checked: some of many, the first and the last among them.
    std::size_t stride() const { return count < 64 ? 1 : (count - 1) / 31; }
    number sum_of(std::size_t i, int repetition) const {
        number total = 0;
        for (int each = 0; each < size; ++each)
            total += value(each, i, repetition);
        return total;
    }
};

/// One verb: how large its buffers are, its two ways, and what must come out of both.
struct verb {
    std::string_view name;
    bool sends_to_all, gets_from_all; ///< whether the input and the result have a block for each rank
    void (*ours)(point&);             ///< by `automatic`
    void (*theirs)(point&);           ///< the MPI's own
    void (*by)(point&, const topo::plan&);
    bool (*is_right)(const point&, int repetition);
};

inline bool is_root(const point& p) { return p.rank == 0; }

inline bool has_sums(const point& p, int repetition) {
    for (std::size_t i = 0; i < p.count; i += p.stride())
        if (p.result[i] != p.sum_of(i, repetition)) return false;
    return true;
}

inline bool has_blocks(const point& p, int repetition) {
    for (int each = 0; each < p.size; ++each)
        for (std::size_t i = 0; i < p.count; i += p.stride())
            if (p.result[static_cast<std::size_t>(each) * p.count + i] != p.value(each, i, repetition))
                return false;
    return true;
}

inline const std::array verbs{
    verb{"barrier", false, false, [](point& p) { topo::barrier(p.levels); },
         [](point& p) { MPI_Barrier(p.comm); },
         [](point& p, const topo::plan& chosen) { topo::detail::barrier(p.levels, chosen); },
         [](const point&, int) { return true; }},
    verb{"broadcast", false, false, [](point& p) { topo::broadcast(p.levels, p.result, 0); },
         [](point& p) { MPI_Bcast(p.result.data(), p.elements(), MPI_UINT64_T, 0, p.comm); },
         [](point& p, const topo::plan& chosen) {
             topo::detail::broadcast(p.levels, p.whole_result(), 0, chosen);
         },
         [](const point& p, int repetition) {
             for (std::size_t i = 0; i < p.count; i += p.stride())
                 if (p.result[i] != p.value(0, i, repetition)) return false;
             return true;
         }},
    verb{"reduce", false, false,
         [](point& p) { topo::reduce(p.levels, p.input.data(), p.whole_result(), p.add, 0); },
         [](point& p) {
             MPI_Reduce(p.input.data(), p.result.data(), p.elements(), MPI_UINT64_T, p.add, 0, p.comm);
         },
         [](point& p, const topo::plan& chosen) {
             topo::detail::reduce(p.levels, p.input.data(), p.whole_result(), p.sum(), 0, chosen);
         },
         [](const point& p, int repetition) { return !is_root(p) || has_sums(p, repetition); }},
    verb{"all_reduce", false, false,
         [](point& p) { topo::all_reduce(p.levels, p.input.data(), p.whole_result(), p.add); },
         [](point& p) {
             MPI_Allreduce(p.input.data(), p.result.data(), p.elements(), MPI_UINT64_T, p.add, p.comm);
         },
         [](point& p, const topo::plan& chosen) {
             topo::detail::all_reduce(p.levels, p.input.data(), p.whole_result(), p.sum(), chosen);
         },
         has_sums},
    verb{"gather", false, true, [](point& p) { topo::gather(p.levels, p.input, p.result, 0); },
         [](point& p) {
             MPI_Gather(p.input.data(), p.elements(), MPI_UINT64_T, p.result.data(), p.elements(),
                        MPI_UINT64_T, 0, p.comm);
         },
         [](point& p, const topo::plan& chosen) {
             topo::detail::gather(p.levels, p.whole_input(), p.blocks_of(p.result), 0, chosen);
         },
         [](const point& p, int repetition) { return !is_root(p) || has_blocks(p, repetition); }},
    verb{"scatter", true, false, [](point& p) { topo::scatter(p.levels, p.input, p.result, 0); },
         [](point& p) {
             MPI_Scatter(p.input.data(), p.elements(), MPI_UINT64_T, p.result.data(), p.elements(),
                         MPI_UINT64_T, 0, p.comm);
         },
         [](point& p, const topo::plan& chosen) {
             topo::detail::scatter(p.levels, p.blocks_of(p.input), p.whole_result(), 0, chosen);
         },
         [](const point& p, int repetition) {
             for (std::size_t i = 0; i < p.count; i += p.stride())
                 if (p.result[i] != p.value(0, static_cast<std::size_t>(p.rank) * p.count + i, repetition))
                     return false;
             return true;
         }},
    verb{"all_gather", false, true, [](point& p) { topo::all_gather(p.levels, p.input, p.result); },
         [](point& p) {
             MPI_Allgather(p.input.data(), p.elements(), MPI_UINT64_T, p.result.data(), p.elements(),
                           MPI_UINT64_T, p.comm);
         },
         [](point& p, const topo::plan& chosen) {
             std::ranges::copy(p.input, p.result.begin() + p.rank * static_cast<std::ptrdiff_t>(p.count));
             topo::detail::all_gather(p.levels, p.blocks_of(p.result), chosen);
         },
         has_blocks},
    verb{"reduce_scatter", true, false,
         [](point& p) { topo::reduce_scatter(p.levels, p.blocks_of(p.input), p.whole_result(), p.add); },
         [](point& p) {
             MPI_Reduce_scatter_block(p.input.data(), p.result.data(), p.elements(), MPI_UINT64_T, p.add,
                                      p.comm);
         },
         [](point& p, const topo::plan& chosen) {
             topo::detail::reduce_scatter(p.levels, p.blocks_of(p.input), p.all(), p.whole_result(), p.sum(),
                                          chosen);
         },
         [](const point& p, int repetition) {
             for (std::size_t i = 0; i < p.count; i += p.stride())
                 if (p.result[i] != p.sum_of(static_cast<std::size_t>(p.rank) * p.count + i, repetition))
                     return false;
             return true;
         }},
    verb{"all_to_all", true, true, [](point& p) { topo::all_to_all(p.levels, p.input, p.result); },
         [](point& p) {
             MPI_Alltoall(p.input.data(), p.elements(), MPI_UINT64_T, p.result.data(), p.elements(),
                          MPI_UINT64_T, p.comm);
         },
         [](point& p, const topo::plan& chosen) {
             topo::detail::all_to_all(p.levels, p.blocks_of(p.input), p.blocks_of(p.result), chosen);
         },
         [](const point& p, int repetition) {
             for (int each = 0; each < p.size; ++each)
                 for (std::size_t i = 0; i < p.count; i += p.stride())
                     if (p.result[static_cast<std::size_t>(each) * p.count + i] !=
                         p.value(each, static_cast<std::size_t>(p.rank) * p.count + i, repetition))
                         return false;
             return true;
         }},
};

/// Buffers no larger than the verb needs, so that long messages of many simulated ranks fit into memory: what
/// is gathered and scattered is on rank 0 only.
inline void make_buffers(point& p, const verb& what) {
    const auto length = [&](bool has_block_for_each, bool is_root_only) {
        if (is_root_only && !is_root(p)) return std::size_t{0};
        return has_block_for_each ? p.all() : p.count;
    };
    p.input.resize(length(what.sends_to_all, what.name == "broadcast" || what.name == "scatter"));
    p.result.resize(length(what.gets_from_all, what.name == "gather"));
}

/// The slowest rank's seconds in one call, which all ranks start together. @collective over `p.comm`
///
/// Ranks agree on the start by the MPI's own all-reduce, whose code is then in the caches. Where there are
/// cores for all, so is topomp's: it adds something up in every second call before that, in the others after.
template <class Call>
double timed(point& p, Call call) {
    const auto add_up = [&] {
        number one = 1, sum = 0;
        topo::all_reduce(p.levels, &one, {&sum, 1, MPI_UINT64_T}, MPI_SUM);
    };
    const bool is_even = ++p.starts % 2 == 0;
    if (is_even && !is_simulated && !is_oversubscribed(p.size)) add_up();
    start_together(p.comm, is_even ? std::function<void()>{} : add_up);
    const double start = PMPI_Wtime();
    call(p);
    const double mine = PMPI_Wtime() - start;
    return greatest(p.comm, std::array{mine})[0];
}

/// Throws on all ranks if the result is wrong on any. @collective over `p.comm`
inline void check(const point& p, const verb& what, int repetition, std::string_view by) {
    const double is_wrong = what.is_right(p, repetition) ? 0 : 1;
    if (greatest(p.comm, std::array{is_wrong})[0] > 0)
        throw std::runtime_error("wrong result of " + std::string{what.name} + " by " + std::string{by});
}

inline double median(std::vector<double> samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle);
    return *middle;
}

} // namespace topo_bench
