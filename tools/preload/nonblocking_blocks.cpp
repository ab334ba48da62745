// SPDX-License-Identifier: BSL-1.0
/// @file
/// Collectives of each rank's blocks that go on while the program works.
#include "forms.hpp"
#include "located.hpp"
#include "own_block.hpp"
#include "reduction.hpp"
#include "rooted.hpp"
#include "started.hpp"
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/engines/flat_rooted_blocks.hpp>
#include <topomp/collective/engines/in_background.hpp>
#include <topomp/collective/engines/of_all_gather.hpp>
#include <topomp/collective/engines/of_all_to_all.hpp>
#include <topomp/collective/engines/of_reduce_scatter.hpp>

#include <array>
#include <memory>
#include <type_traits>
#include <utility>

namespace topo::preload {

namespace {

using detail::context;
using detail::verb;

/// Lets the type of blocks last as long as a call.
blocks lasting(blocks all, background_call& call) {
    all.type = call.keep(all.type);
    return all;
}
message lasting(message block, background_call& call) {
    block.type = call.keep(block.type);
    return block;
}

/// Blocks of different lengths, which a call keeps. @param which of the call's lists
blocks blocks_of(const located& there, number_list counts, number_list displacements, int ranks,
                 background_call& call, std::size_t which) {
    auto& kept = call.lengths[which];
    kept.set(counts, displacements, ranks);
    return {there.data(), there.type(), 0, kept.counts, kept.positions};
}

/// A copy of all blocks, one behind the other: what this rank has for the others lies where the result will.
blocks copy_of(const blocks& all, int ranks, background_call& call) {
    const detail::type_layout layout{all.type};
    std::size_t elements = 0;
    for (int rank = 0; rank < ranks; ++rank)
        elements += all.count_of(rank);
    call.room.reserve(layout.span(elements));
    blocks copy{call.room.data() - layout.true_lower, all.type, all.count};
    if (!all.counts.empty()) {
        auto& kept = call.lengths[1];
        kept.counts = call.lengths[0].counts;
        kept.positions.clear();
        std::size_t next = 0;
        for (const std::size_t each : kept.counts) {
            kept.positions.push_back(next);
            next += each;
        }
        copy.counts = kept.counts;
        copy.positions = kept.positions;
    }
    for (int rank = 0; rank < ranks; ++rank)
        detail::copy_block(all.block_of(rank, layout), copy.block_of(rank, layout),
                           kept_arrays::of_thread().temporary);
    return copy;
}

std::size_t elements_or_zero(const void* data, MPI_Count count) {
    return static_cast<std::size_t>(data == MPI_IN_PLACE ? 0 : count);
}

/// Lengths and places of blocks.
struct block_lists {
    number_list counts, displacements;
};

/// Gathers and scatters, for which the root's tree must be known.
template <verb Verb>
struct rooted_start {
    static constexpr verb what = Verb;
    static constexpr bool has_lists = Verb == verb::gatherv || Verb == verb::scatterv;
    const void* mine;
    MPI_Count count;
    MPI_Datatype type;
    const void* all;
    std::conditional_t<has_lists, block_lists, MPI_Count> lengths;
    MPI_Datatype all_type;
    int root;
    MPI_Comm comm;

    bool is_accepted() const {
        if constexpr (has_lists)
            return is_accepted_rooted(comm, root, mine, count, type, all, lengths.counts,
                                      lengths.displacements, all_type);
        else
            return is_accepted_rooted(comm, root, mine, count, type, all, lengths, all_type);
    }
    std::uint64_t bytes() const { return bytes_or_zero(mine == MPI_IN_PLACE ? 0 : count, type); }
    std::array<MPI_Datatype*, 2> types(int rank) {
        return {mine == MPI_IN_PLACE ? nullptr : &type, rank == root ? &all_type : nullptr};
    }
    std::optional<plan> choose(const background_ranks& on) const {
        std::size_t length = 0; // not known by all ranks
        if constexpr (!has_lists) {
            length = equal_blocks(*on.levels, root, mine, count, type, all, lengths, all_type).bytes();
            if (length == 0) return left_to_mpi(reason::no_data);
        }
        return choose_started(what, on, length, root);
    }
    void start(const starter& go, const plan& chosen) const {
        const hierarchy& levels = go.levels();
        MPI_Count each = 1;
        if constexpr (!has_lists) each = lengths;
        const located own = located_count(mine, mine == MPI_IN_PLACE ? 0 : count, type);
        const located blocks_there = located_on_root(levels, root, all, each, all_type);
        auto given = equal_blocks(levels, root, own.data(), count, own.type(), blocks_there.data(), each,
                                  blocks_there.type());
        auto call = fresh_call();
        if (given.is_root) {
            if constexpr (has_lists)
                given.all = blocks_of(blocks_there, lengths.counts, lengths.displacements,
                                      levels.whole().size(), *call, 0);
            given.all = lasting(given.all, *call);
        }
        constexpr const char* name = what == verb::gather    ? "MPI_Igather"
                                     : what == verb::gatherv ? "MPI_Igatherv"
                                     : what == verb::scatter ? "MPI_Iscatter"
                                                             : "MPI_Iscatterv";
        const message block = lasting(given.own(levels, name), *call);
        go(std::move(call), [&](context& ranks, background_call& it) {
            if constexpr (what == verb::gather)
                start_any(detail::gather_call{levels, ranks, block, given.all, root}, chosen, it);
            else if constexpr (what == verb::scatter)
                start_any(detail::scatter_call{levels, ranks, given.all, block, root}, chosen, it);
            else if constexpr (what == verb::gatherv)
                start_any(detail::gatherv_in_background{name, ranks, block, given.all, root}, chosen, it);
            else
                start_any(detail::scatterv_in_background{name, ranks, given.all, block, root}, chosen, it);
        });
    }
};

using gather_start = rooted_start<verb::gather>;

/// With the blocks in front.
struct scatter_start : rooted_start<verb::scatter> {
    scatter_start(const void* blocks, MPI_Count block, MPI_Datatype block_type, void* own,
                  MPI_Count own_count, MPI_Datatype own_type, int from, MPI_Comm among)
        : rooted_start{own, own_count, own_type, blocks, block, block_type, from, among} {}
};

struct gatherv_start : rooted_start<verb::gatherv> {
    gatherv_start(const void* own, MPI_Count own_count, MPI_Datatype own_type, void* blocks,
                  number_list counts, number_list displacements, MPI_Datatype block_type, int to,
                  MPI_Comm among)
        : rooted_start{own, own_count, own_type, blocks, {counts, displacements}, block_type, to, among} {}
};

struct scatterv_start : rooted_start<verb::scatterv> {
    scatterv_start(const void* blocks, number_list counts, number_list displacements, MPI_Datatype block_type,
                   void* own, MPI_Count own_count, MPI_Datatype own_type, int from, MPI_Comm among)
        : rooted_start{own, own_count, own_type, blocks, {counts, displacements}, block_type, from, among} {}
};

/// @param all where all blocks go, of lasting type and lengths
void start_all_gather(const starter& go, const blocks& all, std::unique_ptr<background_call> call,
                      const plan& chosen) {
    go(std::move(call), [&](context& ranks, background_call& it) {
        start_any(detail::all_gather_call{go.levels(), ranks, all}, chosen, it);
    });
}

struct all_gather_start {
    static constexpr verb what = verb::all_gather;
    const void* mine;
    MPI_Count count;
    MPI_Datatype type;
    void* all;
    MPI_Count each;
    MPI_Datatype all_type;
    MPI_Comm comm;

    bool is_accepted() const { return are_accepted_blocks(mine, count, type, all, each, all_type, comm); }
    std::uint64_t bytes() const { return bytes_or_zero(each, all_type); }
    std::array<MPI_Datatype*, 2> types(int) { return {mine == MPI_IN_PLACE ? nullptr : &type, &all_type}; }
    std::optional<plan> choose(const background_ranks& on) const {
        const std::size_t length = detail::bytes_of(message_of(all, each, all_type));
        return length == 0 ? left_to_mpi(reason::no_data) : choose_started(what, on, length);
    }
    void start(const starter& go, const plan& chosen) const {
        const located own{mine, elements_or_zero(mine, count), type};
        const located there{all, static_cast<std::size_t>(each), all_type};
        auto call = fresh_call();
        const blocks result =
            lasting(blocks{there.data(), there.type(), static_cast<std::size_t>(each)}, *call);
        place_own("MPI_Iallgather", own.data(), count, own.type(), result.block_of(go.rank()));
        start_all_gather(go, result, std::move(call), chosen);
    }
};

struct all_gatherv_start {
    static constexpr verb what = verb::all_gatherv;
    const void* mine;
    MPI_Count count;
    MPI_Datatype type;
    void* all;
    number_list counts;
    number_list displacements;
    MPI_Datatype all_type;
    MPI_Comm comm;

    bool is_accepted() const {
        return are_accepted_blocks(mine, count, type, all, counts, displacements, all_type, comm);
    }
    std::uint64_t bytes() const { return bytes_of_all(counts, all_type, comm); }
    std::array<MPI_Datatype*, 2> types(int) { return {mine == MPI_IN_PLACE ? nullptr : &type, &all_type}; }
    std::optional<plan> choose(const background_ranks& on) const {
        const auto length = static_cast<std::size_t>(bytes());
        const auto ranks = static_cast<std::size_t>(on.levels->whole().size());
        return length == 0 ? left_to_mpi(reason::no_data) : choose_started(what, on, length / ranks);
    }
    void start(const starter& go, const plan& chosen) const {
        const located own{mine, elements_or_zero(mine, count), type};
        const located there{all, 1, all_type};
        auto call = fresh_call();
        const blocks result =
            lasting(blocks_of(there, counts, displacements, go.levels().whole().size(), *call, 0), *call);
        place_own("MPI_Iallgatherv", own.data(), count, own.type(), result.block_of(go.rank()));
        start_all_gather(go, result, std::move(call), chosen);
    }
};

struct all_to_all_start {
    static constexpr verb what = verb::all_to_all;
    const void* from;
    MPI_Count from_each;
    MPI_Datatype from_type;
    void* to;
    MPI_Count to_each;
    MPI_Datatype to_type;
    MPI_Comm comm;

    bool is_accepted() const {
        return are_accepted_exchanges(from, from_each, from_type, to, to_each, to_type);
    }
    std::uint64_t bytes() const {
        int size = 0;
        MPI_Comm_size(comm, &size);
        return static_cast<std::uint64_t>(size) * bytes_or_zero(to_each, to_type);
    }
    std::array<MPI_Datatype*, 2> types(int) {
        return {from == MPI_IN_PLACE ? nullptr : &from_type, &to_type};
    }
    std::optional<plan> choose(const background_ranks& on) const {
        const std::size_t length = detail::bytes_of(message_of(to, to_each, to_type));
        return length == 0 ? left_to_mpi(reason::no_data) : choose_started(what, on, length);
    }
    void start(const starter& go, const plan& chosen) const {
        const located own{from, elements_or_zero(from, from_each), from_type};
        const located there{to, static_cast<std::size_t>(to_each), to_type};
        auto call = fresh_call();
        const blocks result =
            lasting(blocks{there.data(), there.type(), static_cast<std::size_t>(to_each)}, *call);
        blocks source;
        if (from == MPI_IN_PLACE) {
            source = copy_of(result, go.levels().whole().size(), *call);
        } else {
            source = lasting(blocks{own.data(), own.type(), static_cast<std::size_t>(from_each)}, *call);
            detail::require_own_size("MPI_Ialltoall", source.block_of(0), result.block_of(0));
        }
        go(std::move(call), [&](context& ranks, background_call& it) {
            start_any(detail::all_to_all_call{go.levels(), ranks, source, result}, chosen, it);
        });
    }
};

struct all_to_allv_start {
    static constexpr verb what = verb::all_to_allv;
    const void* from;
    number_list from_counts;
    number_list from_displacements;
    MPI_Datatype from_type;
    void* to;
    number_list to_counts;
    number_list to_displacements;
    MPI_Datatype to_type;
    MPI_Comm comm;

    bool is_accepted() const {
        return are_accepted_exchanges(from, from_counts, from_displacements, from_type, to, to_counts,
                                      to_displacements, to_type, comm);
    }
    std::uint64_t bytes() const { return bytes_of_all(to_counts, to_type, comm); }
    std::array<MPI_Datatype*, 2> types(int) {
        return {from == MPI_IN_PLACE ? nullptr : &from_type, &to_type};
    }
    static std::optional<plan> choose(const background_ranks& on) { return choose_started(what, on, 0); }
    void start(const starter& go, const plan& chosen) const {
        const int size = go.levels().whole().size();
        const located own{from, static_cast<std::size_t>(from == MPI_IN_PLACE ? 0 : 1), from_type};
        const located there{to, 1, to_type};
        auto call = fresh_call();
        const blocks result = lasting(blocks_of(there, to_counts, to_displacements, size, *call, 0), *call);
        blocks source;
        if (from == MPI_IN_PLACE) {
            source = copy_of(result, size, *call);
        } else {
            source = lasting(blocks_of(own, from_counts, from_displacements, size, *call, 1), *call);
            detail::require_own_size("MPI_Ialltoallv", source.block_of(go.rank()),
                                     result.block_of(go.rank()));
        }
        go(std::move(call), [&](context& ranks, background_call& it) {
            start_any(detail::all_to_allv_call{go.levels(), ranks, source, result}, chosen, it);
        });
    }
};

/// @param elements of all blocks
std::optional<plan> choose_reduce_scatter(const background_ranks& on, const reduction& call,
                                          std::size_t elements) {
    if (!call.is_by_mpi()) return left_to_mpi(reason::operation);
    const std::size_t bytes = elements * detail::size_of(call.type);
    return bytes == 0 ? left_to_mpi(reason::no_data) : choose_started(verb::reduce_scatter, on, bytes);
}

struct reduce_scatter_block_start {
    static constexpr verb what = verb::reduce_scatter;
    const void* input;
    void* result;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;

    reduction given() const { return {input, result, count, type, op}; }
    std::size_t elements(int ranks) const {
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(ranks);
    }
    bool is_accepted() const {
        return given().is_accepted(true, [&](MPI_Comm alone) {
            return MPI_Reduce_scatter_block(input, result, asked_count(count), type, op, alone);
        });
    }
    std::uint64_t bytes() const { return given().bytes(); }
    std::array<MPI_Datatype*, 2> types(int) { return {&type}; }
    std::optional<plan> choose(const background_ranks& on) const {
        return choose_reduce_scatter(on, given(), elements(on.levels->whole().size()));
    }
    void start(const starter& go, const plan& chosen) const {
        const reduction call = given();
        const blocks all{const_cast<void*>(call.from()), type, static_cast<std::size_t>(count)};
        const message block = call.to();
        go(fresh_call(), [&](context& ranks, background_call& it) {
            start_any(detail::reduce_scatter_call{ranks, all, elements(go.levels().whole().size()), block,
                                                  call.combiner()},
                      chosen, it);
        });
    }
};

struct reduce_scatter_start {
    static constexpr verb what = verb::reduce_scatter;
    const void* input;
    void* result;
    number_list counts;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;

    reduction given(int rank) const { return {input, result, counts[rank], type, op}; }
    bool is_accepted() const {
        const ranks all{comm};
        if (counts.is_null() || !are_lengths(counts, all.size)) return false;
        return given(all.mine).is_accepted(true, [&](MPI_Comm alone) {
            const int mine = asked_count(counts[all.mine]);
            return MPI_Reduce_scatter(input, result, &mine, type, op, alone);
        });
    }
    std::uint64_t bytes() const {
        return counts.is_null() ? 0 : bytes_or_zero(counts[mpi::comm_rank(comm)], type);
    }
    std::array<MPI_Datatype*, 2> types(int) { return {&type}; }
    std::optional<plan> choose(const background_ranks& on) const {
        const auto& whole = on.levels->whole();
        std::size_t elements = 0;
        for (int rank = 0; rank < whole.size(); ++rank)
            elements += static_cast<std::size_t>(counts[rank]);
        return choose_reduce_scatter(on, given(whole.rank()), elements);
    }
    void start(const starter& go, const plan& chosen) const {
        const reduction given_here = given(go.rank());
        auto call = fresh_call();
        const auto& kept = call->lengths[0];
        call->lengths[0].set(counts, number_list{static_cast<const int*>(nullptr)},
                             go.levels().whole().size());
        const blocks all{const_cast<void*>(given_here.from()), type, 0, kept.counts, kept.positions};
        const message block = given_here.to();
        const std::size_t elements = kept.elements();
        go(std::move(call), [&](context& ranks, background_call& it) {
            start_any(detail::reduce_scatter_call{ranks, all, elements, block, given_here.combiner()}, chosen,
                      it);
        });
    }
};

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's

extern "C" {

TOPOMP_STARTED_FORMS(Gather, Igather, gather_start, 8)
TOPOMP_STARTED_FORMS(Scatter, Iscatter, scatter_start, 8)
TOPOMP_STARTED_FORMS(Gatherv, Igatherv, gatherv_start, 9)
TOPOMP_STARTED_FORMS(Scatterv, Iscatterv, scatterv_start, 9)
TOPOMP_STARTED_FORMS(Allgather, Iallgather, all_gather_start, 7)
TOPOMP_STARTED_FORMS(Allgatherv, Iallgatherv, all_gatherv_start, 8)
TOPOMP_STARTED_FORMS(Alltoall, Ialltoall, all_to_all_start, 7)
TOPOMP_STARTED_FORMS(Alltoallv, Ialltoallv, all_to_allv_start, 9)
TOPOMP_STARTED_FORMS(Reduce_scatter, Ireduce_scatter, reduce_scatter_start, 6)
TOPOMP_STARTED_FORMS(Reduce_scatter_block, Ireduce_scatter_block, reduce_scatter_block_start, 6)

} // extern "C"
