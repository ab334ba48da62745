// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every verb with its buffers, what must come out of it, and how long the slowest rank takes.
#pragma once

#include "agreed_start.hpp"
#include "neighbour_graphs.hpp"
#include "sparse_exchanges.hpp"
#include <topomp/topomp.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace topo_bench {

using number = std::uint64_t;

/// The blocks of one side of an all_to_allv or all_gatherv, one behind the other.
struct irregular_blocks {
    std::vector<std::size_t> counts{}, positions{};
    std::vector<int> int_counts{}, int_positions{}; ///< the same for MPI

    void add(std::size_t count) {
        positions.push_back(all());
        counts.push_back(count);
        int_positions.push_back(static_cast<int>(positions.back()));
        int_counts.push_back(static_cast<int>(count));
    }
    std::size_t all() const { return counts.empty() ? 0 : positions.back() + counts.back(); }
};

/// A number that says nothing of the two ranks, from 0 to 1.
inline double random_of(int from, int to) {
    std::uint64_t bits =
        static_cast<std::uint64_t>(from) * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(to);
    for (int i = 0; i < 2; ++i) {
        bits ^= bits >> 31U;
        bits *= 0xbf58476d1ce4e5b9U;
        bits ^= bits >> 29U;
    }
    return static_cast<double>(bits >> 11U) / static_cast<double>(std::uint64_t{1} << 53U);
}

/// How many numbers one rank has for another where the mean is `count`, or of sparse blocks that are not
/// empty.
using block_length = std::size_t (*)(std::size_t count, int from, int to);

inline std::size_t rounded(double length) { return static_cast<std::size_t>(length + 0.5); }

/// Any length from none to twice the mean alike.
inline std::size_t uniform_length(std::size_t count, int from, int to) {
    return static_cast<std::size_t>(random_of(from, to) * static_cast<double>(2 * count + 1));
}
/// Every eighth rank has blocks nine times as long as those of the others.
inline std::size_t skewed_length(std::size_t count, int from, int) {
    return rounded(static_cast<double>(count) * (from % 8 == 3 ? 4.5 : 0.5));
}
/// Pareto's distribution with exponent 1.5, cut at 64 times the mean.
inline std::size_t power_length(std::size_t count, int from, int to) {
    const double rest = 1 - random_of(from, to);
    return rounded(static_cast<double>(count) / 3 * std::min(192.0, std::pow(rest, -1 / 1.5)));
}
/// Nine of ten are empty.
inline std::size_t sparse_length(std::size_t count, int from, int to) {
    return random_of(from, to) < 0.1 ? count : 0;
}

/// One rank of 64 has all, as where a part of a mesh was refined.
inline std::size_t single_length(std::size_t count, int from, int) { return from % 64 == 3 ? 64 * count : 0; }

/// The buffers of one point, sized for every verb: `count` numbers for each rank and of each rank, or
/// neighbour.
struct point {
    const topo::hierarchy& levels;
    MPI_Comm comm; ///< a duplicate, on which the MPI's own collectives are warmed up alike
    std::size_t count;
    int size = levels.whole().size(), rank = levels.whole().rank();
    std::vector<number> input{}, result{};
    irregular_blocks there{}, here{};       ///< of irregular verbs: what this rank sends and receives
    int starts = 0;                         ///< so many calls were timed
    MPI_Op add = MPI_SUM;                   ///< or, in a simulation, one that takes time
    const neighbour_links* links = nullptr; ///< of neighbour verbs

    int elements() const { return static_cast<int>(count); }
    std::size_t all() const {
        return count * (links != nullptr ? links->ranks().size() : static_cast<std::size_t>(size));
    }
    std::size_t block_bytes() const { return count * sizeof(number); }

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
    number sum_of(std::size_t i, int repetition) const { return sum_of(i, repetition, size); }
    /// Of the first ranks.
    number sum_of(std::size_t i, int repetition, int ranks) const {
        number total = 0;
        for (int each = 0; each < ranks; ++each)
            total += value(each, i, repetition);
        return total;
    }
};

/// One verb: how large its buffers are, its two ways, and what must come out of both.
struct verb {
    std::string_view name;
    bool sends_to_all, gets_from_all;      ///< whether the input and the result have a block for each rank
    void (*ours)(point&);                  ///< by `automatic`
    void (*theirs)(point&);                ///< the MPI's own
    void (*by)(point&, const topo::plan&); ///< none of neighbour verbs, whose links have a route
    bool (*is_right)(const point&, int repetition);
    block_length length = nullptr; ///< of irregular verbs, which have buffers of their own
    graph neighbours = nullptr;    ///< of neighbour verbs, whose blocks are for these and of these
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

/// Elements of all blocks are checked, but only some of many.
inline bool has_irregular_blocks(const point& p, int repetition, block_length length) {
    for (int each = 0; each < p.size; ++each) {
        const auto source = static_cast<std::size_t>(each);
        std::size_t before = 0; // where that rank's block for this one begins
        for (int to = 0; to < p.rank; ++to)
            before += length(p.count, each, to);
        for (std::size_t i = 0; i < p.here.counts[source]; i += p.stride())
            if (p.result[p.here.positions[source] + i] != p.value(each, before + i, repetition)) return false;
    }
    return true;
}

template <block_length Length>
constexpr verb all_to_allv_of(std::string_view name) {
    return {name,
            true,
            true,
            [](point& p) { topo::all_to_allv(p.levels, p.input, p.there.counts, p.result, p.here.counts); },
            [](point& p) {
                MPI_Alltoallv(p.input.data(), p.there.int_counts.data(), p.there.int_positions.data(),
                              MPI_UINT64_T, p.result.data(), p.here.int_counts.data(),
                              p.here.int_positions.data(), MPI_UINT64_T, p.comm);
            },
            [](point& p, const topo::plan& chosen) {
                topo::detail::all_to_allv(
                    p.levels, {p.input.data(), MPI_UINT64_T, 0, p.there.counts, p.there.positions},
                    {p.result.data(), MPI_UINT64_T, 0, p.here.counts, p.here.positions}, chosen);
            },
            [](const point& p, int repetition) { return has_irregular_blocks(p, repetition, Length); },
            Length};
}

/// Each rank's block for all, as long as what it would have for rank 0 in an all_to_allv.
template <block_length Length>
constexpr verb all_gatherv_of(std::string_view name) {
    return {name,
            false,
            true,
            [](point& p) { topo::all_gatherv(p.levels, p.input, p.result, p.here.counts); },
            [](point& p) {
                MPI_Allgatherv(p.input.data(), p.here.int_counts[static_cast<std::size_t>(p.rank)],
                               MPI_UINT64_T, p.result.data(), p.here.int_counts.data(),
                               p.here.int_positions.data(), MPI_UINT64_T, p.comm);
            },
            [](point& p, const topo::plan& chosen) {
                const auto mine = static_cast<std::size_t>(p.rank);
                std::ranges::copy(p.input, p.result.data() + p.here.positions[mine]);
                topo::detail::all_gatherv(
                    p.levels, {p.result.data(), MPI_UINT64_T, 0, p.here.counts, p.here.positions}, chosen);
            },
            [](const point& p, int repetition) {
                for (int each = 0; each < p.size; ++each) {
                    const auto source = static_cast<std::size_t>(each);
                    for (std::size_t i = 0; i < p.here.counts[source]; i += p.stride())
                        if (p.result[p.here.positions[source] + i] != p.value(each, i, repetition))
                            return false;
                }
                return true;
            },
            Length};
}

template <topo::detail::scan_kind Kind>
constexpr verb scan_of(std::string_view name) {
    using topo::detail::scan_kind;
    return {name,
            false,
            false,
            [](point& p) {
                if constexpr (Kind == scan_kind::inclusive)
                    topo::scan(p.levels, p.input.data(), p.whole_result(), p.add);
                else
                    topo::exclusive_scan(p.levels, p.input.data(), p.whole_result(), p.add);
            },
            [](point& p) {
                (Kind == scan_kind::inclusive ? MPI_Scan : MPI_Exscan)(
                    p.input.data(), p.result.data(), p.elements(), MPI_UINT64_T, p.add, p.comm);
            },
            [](point& p, const topo::plan& chosen) {
                topo::detail::scan(p.levels, p.input.data(), p.whole_result(), p.add, Kind, chosen);
            },
            [](const point& p, int repetition) {
                const int end = Kind == scan_kind::inclusive ? p.rank + 1 : p.rank;
                for (std::size_t i = 0; end > 0 && i < p.count; i += p.stride())
                    if (p.result[i] != p.sum_of(i, repetition, end)) return false;
                return true;
            }};
}

/// @param place `place(i)`: which of the blocks of neighbour i has come
template <class Place>
bool has_neighbours_blocks(const point& p, int repetition, Place place) {
    for (std::size_t from = 0; from < p.links->ranks().size(); ++from)
        for (std::size_t i = 0; i < p.count; i += p.stride())
            if (p.result[from * p.count + i] !=
                p.value(p.links->ranks()[from], place(from) * p.count + i, repetition))
                return false;
    return true;
}

inline bool has_exchanged_blocks(const point& p, int repetition) {
    return has_neighbours_blocks(p, repetition, [&](std::size_t from) { return p.links->place_at(from); });
}

constexpr verb neighbour_all_to_all_on(std::string_view name, graph neighbours) {
    return {name,
            true,
            true,
            [](point& p) { topo::neighbour_all_to_all(p.links->ours(), p.input, p.result); },
            [](point& p) { p.links->all_to_all(p.input.data(), p.result.data(), p.block_bytes()); },
            nullptr,
            has_exchanged_blocks,
            nullptr,
            neighbours};
}

constexpr verb neighbour_all_gather_on(std::string_view name, graph neighbours) {
    return {name,
            false,
            true,
            [](point& p) { topo::neighbour_all_gather(p.links->ours(), p.input, p.result); },
            [](point& p) { p.links->all_gather(p.input.data(), p.result.data(), p.block_bytes()); },
            nullptr,
            [](const point& p, int repetition) {
                return has_neighbours_blocks(p, repetition, [](std::size_t) { return std::size_t{0}; });
            },
            nullptr,
            neighbours};
}

/// The values for each neighbour, made before each call by both.
inline values_of_ranks values_for_neighbours(const point& p) {
    values_of_ranks all;
    auto next = p.input.begin();
    for (const int rank : p.links->ranks()) {
        const auto end = next + static_cast<std::ptrdiff_t>(p.count);
        all.emplace_hint(all.end(), rank, std::vector<number>(next, end));
        next = end;
    }
    return all;
}

/// Puts them where `has_neighbours_blocks` looks; what other ranks sent is too much.
inline void keep(point& p, const values_of_ranks& received) {
    if (received.size() != p.links->ranks().size()) return;
    auto next = p.result.begin();
    for (const auto& [rank, values] : received)
        if (values.size() == p.count) next = std::ranges::copy(values, next).out;
}

/// @param theirs what a program without topomp does
constexpr verb sparse_exchange_on(std::string_view name, graph neighbours, void (*theirs)(point&)) {
    return {name,
            true,
            true,
            [](point& p) { keep(p, topo::sparse_exchange(p.levels, values_for_neighbours(p))); },
            theirs,
            nullptr,
            has_exchanged_blocks,
            nullptr,
            neighbours};
}
inline void sparse_by_counts(point& p) { keep(p, exchange_by_counts(p.comm, values_for_neighbours(p))); }
inline void sparse_by_nbx(point& p) { keep(p, exchange_by_nbx(p.comm, values_for_neighbours(p))); }

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
    scan_of<topo::detail::scan_kind::inclusive>("scan"),
    scan_of<topo::detail::scan_kind::exclusive>("exclusive_scan"),
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
    all_to_allv_of<uniform_length>("all_to_allv"),
    all_to_allv_of<skewed_length>("all_to_allv_skewed"),
    all_to_allv_of<power_length>("all_to_allv_power"),
    all_to_allv_of<sparse_length>("all_to_allv_sparse"),
    all_gatherv_of<uniform_length>("all_gatherv"),
    all_gatherv_of<skewed_length>("all_gatherv_skewed"),
    all_gatherv_of<power_length>("all_gatherv_power"),
    all_gatherv_of<single_length>("all_gatherv_single"),
    neighbour_all_to_all_on("neighbour_all_to_all_5", stencil<2, false>),
    neighbour_all_to_all_on("neighbour_all_to_all_9", stencil<2, true>),
    neighbour_all_to_all_on("neighbour_all_to_all_7", stencil<3, false>),
    neighbour_all_to_all_on("neighbour_all_to_all_27", stencil<3, true>),
    neighbour_all_to_all_on("neighbour_all_to_all_power", power_law),
    neighbour_all_gather_on("neighbour_all_gather_5", stencil<2, false>),
    neighbour_all_gather_on("neighbour_all_gather_9", stencil<2, true>),
    neighbour_all_gather_on("neighbour_all_gather_7", stencil<3, false>),
    neighbour_all_gather_on("neighbour_all_gather_27", stencil<3, true>),
    neighbour_all_gather_on("neighbour_all_gather_power", power_law),
    sparse_exchange_on("sparse_exchange_27", stencil<3, true>, sparse_by_counts),
    sparse_exchange_on("sparse_exchange_power", power_law, sparse_by_counts),
    sparse_exchange_on("sparse_exchange_nbx_27", stencil<3, true>, sparse_by_nbx),
    sparse_exchange_on("sparse_exchange_nbx_power", power_law, sparse_by_nbx),
};

/// Buffers no larger than the verb needs, so that long messages of many simulated ranks fit into memory: what
/// is gathered and scattered is on rank 0 only.
inline void make_buffers(point& p, const verb& what) {
    const auto length = [&](bool has_block_for_each, bool is_root_only) {
        if (is_root_only && !is_root(p)) return std::size_t{0};
        return has_block_for_each ? p.all() : p.count;
    };
    if (what.length != nullptr) {
        for (int each = 0; each < p.size; ++each) {
            if (what.sends_to_all || each == 0) p.there.add(what.length(p.count, p.rank, each));
            p.here.add(what.length(p.count, each, what.sends_to_all ? p.rank : 0));
        }
        p.input.resize(what.sends_to_all ? std::max<std::size_t>(1, p.there.all()) : p.there.all());
        p.result.resize(std::max<std::size_t>(1, p.here.all()));
        return;
    }
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
