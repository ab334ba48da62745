// SPDX-License-Identifier: BSL-1.0
/// @file
/// The arguments of a verb that does not wait, for as long as its operation refers to them.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/collective/detail/background_calls.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <memory>

namespace topo::detail {

class context;
class copied_blocks;

/// Blocks with counts and positions of their own, copied from the caller's.
blocks with_own_counts(const blocks& all);

/// What all have in common: `refresh` before each start, `memory` that a rank reads or writes, and what
/// `make_ready` needs.
template <verb Verb>
struct arguments_of {
    static constexpr verb what = Verb;
    void refresh(const hierarchy&) {}
    int root() const { return 0; }
    bool keeps_order() const { return false; }
};
template <verb Verb>
struct rooted_arguments : arguments_of<Verb> {
    int from_or_to = 0;
    explicit rooted_arguments(int rank) : from_or_to(rank) {}
    int root() const { return from_or_to; }
};
using memory_pair = std::array<const void*, 2>;

struct barrier_arguments : arguments_of<verb::barrier> {
    barrier_call call(const hierarchy&, context& ranks) const { return {ranks}; }
    memory_pair memory() const { return {}; }
};

struct broadcast_arguments : rooted_arguments<verb::broadcast> {
    message data;
    broadcast_arguments(const message& elements, int rank) : rooted_arguments(rank), data(elements) {}
    broadcast_call call(const hierarchy&, context& ranks) const { return {ranks, data, from_or_to}; }
    memory_pair memory() const { return {data.data}; }
};

struct reduce_arguments : rooted_arguments<verb::reduce> {
    const void* input;
    message result;
    combination combiner;
    reduce_arguments(const void* operands, const message& to, const combination& by, int rank)
        : rooted_arguments(rank), input(operands), result(to), combiner(by) {}
    reduce_call call(const hierarchy&, context& ranks) const {
        return {ranks, input, result, combiner, from_or_to};
    }
    memory_pair memory() const { return {input, result.data}; }
    bool keeps_order() const { return !combiner.is_commutative; }
};

struct all_reduce_arguments : arguments_of<verb::all_reduce> {
    const void* input;
    message result;
    combination combiner;
    all_reduce_arguments(const void* operands, const message& to, const combination& by)
        : input(operands), result(to), combiner(by) {}
    all_reduce_call call(const hierarchy&, context& ranks) const { return {ranks, input, result, combiner}; }
    memory_pair memory() const { return {input, result.data}; }
    bool keeps_order() const { return !combiner.is_commutative; }
};

/// Also of gatherv, whose blocks have counts. @tparam Call what the engines take
template <verb Verb>
struct gathering_arguments : rooted_arguments<Verb> {
    const char* name; ///< of the call, as errors have it
    message mine;
    blocks result;
    gathering_arguments(const char* call, const message& own, const blocks& all, int rank)
        : rooted_arguments<Verb>(rank), name(call), mine(own), result(with_own_counts(all)) {}
    auto call([[maybe_unused]] const hierarchy& levels, context& ranks) const {
        if constexpr (Verb == verb::gather)
            return gather_call{levels, ranks, mine, result, this->from_or_to};
        else
            return gatherv_in_background{name, ranks, mine, result, this->from_or_to};
    }
    memory_pair memory() const { return {mine.data, result.data}; }
};
template <verb Verb>
struct scattering_arguments : rooted_arguments<Verb> {
    const char* name; ///< of the call, as errors have it
    blocks source;
    message mine;
    scattering_arguments(const char* call, const blocks& all, const message& own, int rank)
        : rooted_arguments<Verb>(rank), name(call), source(with_own_counts(all)), mine(own) {}
    auto call([[maybe_unused]] const hierarchy& levels, context& ranks) const {
        if constexpr (Verb == verb::scatter)
            return scatter_call{levels, ranks, source, mine, this->from_or_to};
        else
            return scatterv_in_background{name, ranks, source, mine, this->from_or_to};
    }
    memory_pair memory() const { return {mine.data, source.data}; }
};

/// The calling rank's block goes to its place at each start.
template <verb Verb>
struct all_gathering_arguments : arguments_of<Verb> {
    message mine;
    blocks result;
    std::size_t bytes; ///< of all blocks
    all_gathering_arguments(const message& own, const blocks& all, std::size_t all_bytes)
        : mine(own), result(with_own_counts(all)), bytes(all_bytes) {}
    void refresh(const hierarchy& levels);
    auto call(const hierarchy& levels, context& ranks) const {
        if constexpr (Verb == verb::all_gather)
            return all_gather_call{levels, ranks, result};
        else
            return all_gatherv_in_background{levels, ranks, result, bytes};
    }
    memory_pair memory() const { return {mine.data == MPI_IN_PLACE ? nullptr : mine.data, result.data}; }
};

/// In place the blocks to send are copied at each start, before others come in their places.
template <verb Verb>
struct exchange_arguments : arguments_of<Verb> {
    blocks source, result;
    bool is_in_place;
    std::shared_ptr<copied_blocks> copy;
    exchange_arguments(const blocks& from, const blocks& to)
        : source(with_own_counts(from)), result(with_own_counts(to)), is_in_place(from.data == MPI_IN_PLACE) {
    }
    void refresh(const hierarchy& levels);
    auto call([[maybe_unused]] const hierarchy& levels, context& ranks) const {
        if constexpr (Verb == verb::all_to_all)
            return all_to_all_call{levels, ranks, source, result};
        else
            return all_to_allv_call{levels, ranks, source, result};
    }
    memory_pair memory() const { return {is_in_place ? nullptr : source.data, result.data}; }
};

struct reduce_scatter_arguments : arguments_of<verb::reduce_scatter> {
    blocks input;
    std::size_t elements;
    message mine;
    combination combiner;
    reduce_scatter_arguments(const blocks& from, std::size_t all, const message& own, const combination& by)
        : input(with_own_counts(from)), elements(all), mine(own), combiner(by) {}
    reduce_scatter_call call(const hierarchy&, context& ranks) const {
        return {ranks, input, elements, mine, combiner};
    }
    memory_pair memory() const { return {input.data, mine.data}; }
    bool keeps_order() const { return !combiner.is_commutative; }
};

/// Of both scans.
struct scan_arguments : arguments_of<verb::scan> {
    const void* input;
    message result;
    MPI_Op op;
    scan_kind kind;
    scan_arguments(const void* operands, const message& to, MPI_Op by, scan_kind which)
        : input(operands), result(to), op(by), kind(which) {}
    scan_call call(const hierarchy&, context& ranks) const { return {ranks, input, result, op, kind}; }
    memory_pair memory() const { return {input, result.data}; }
    bool keeps_order() const { return true; }
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/arguments.ipp>
#endif
