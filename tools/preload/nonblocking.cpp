// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that go on while the program works.
#include "background.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include "located.hpp"
#include "own_block.hpp"
#include "reduction.hpp"
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/bruck.hpp>
#include <topomp/collective/engines/circulant.hpp>
#include <topomp/collective/engines/circulant_all_reduce.hpp>
#include <topomp/collective/engines/circulant_blocks.hpp>
#include <topomp/collective/engines/dissemination.hpp>
#include <topomp/collective/engines/flat.hpp>
#include <topomp/collective/engines/flat_all_gather.hpp>
#include <topomp/collective/engines/flat_all_to_all.hpp>
#include <topomp/collective/engines/lane_blocks.hpp>
#include <topomp/collective/engines/lanes.hpp>
#include <topomp/collective/engines/neighbour_exchange.hpp>
#include <topomp/collective/engines/pairwise.hpp>
#include <topomp/collective/engines/rabenseifner.hpp>
#include <topomp/collective/engines/recursive_doubling.hpp>
#include <topomp/collective/engines/recursive_doubling_blocks.hpp>
#include <topomp/collective/engines/ring.hpp>
#include <topomp/collective/engines/ring_blocks.hpp>
#include <topomp/collective/engines/split_trees.hpp>
#include <topomp/collective/engines/tree.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/ireduce.hpp>

#include <array>
#include <memory>
#include <utility>

namespace topo::preload {

namespace {

using detail::context;
using detail::verb;

/// What the policy chooses; nothing: the MPI's own.
std::optional<plan> choose_started(verb what, const background_ranks& on, std::size_t bytes) {
    const plan chosen = process::self().policy.choose_in_background(what, *on.levels, *on.context, bytes);
    if (chosen.uses != detail::algorithm::flat) return chosen;
    left_for(process::self().policy.why_flat_in_background(what));
    return std::nullopt;
}

/// Whether a verb on a communicator may be topomp's. Local
bool may_start(verb what, MPI_Comm comm) {
    const auto& here = process::self();
    if (!here.asked.has_collectives || !here.asked.verbs[background_index_of(what)] || here.policy.is_flat())
        return left_for(reason::settings);
    if (!here.is_on.load(std::memory_order_relaxed)) return left_for(reason::off);
    if (!here.has_background) return left_for(reason::no_threads);
    return may_have_hierarchy(comm);
}

/// A whole intercepted call.
/// @param bytes, is_accepted, own as for `intercept` @param ours starts it on `background_ranks`, and returns
/// false if it is the MPI's all the same
template <class Bytes, class IsAccepted, class Ours, class Own>
int intercept_start(verb what, MPI_Comm comm, const MPI_Request* request, Bytes bytes, IsAccepted is_accepted,
                    Ours ours, Own own) noexcept {
    return intercept_for(
        background_index_of(what),
        [&]() -> attempt {
            try {
                if (!may_start(what, comm)) return {};
                if (request == nullptr || !is_accepted()) return {MPI_SUCCESS, left_for(reason::arguments)};
                const background_ranks on = background_ranks_of(comm);
                if (on.levels == nullptr) return {};
                return {MPI_SUCCESS, ours(on)};
            } catch (...) {
                return {report_exception(comm), true};
            }
        },
        bytes, own);
}

/// Starts what needs nothing that must last but the program's buffers.
template <class Begin>
void start_plain(const background_ranks& on, MPI_Request* request, Begin begin) {
    auto& all = background::self();
    all.start(on.context, all.take(), begin, request);
}

/// How an operation runs: in a call of the background.
struct held_by {
    using result = void;
    static constexpr bool waits = false;

    template <class Operation, class Start>
    void operator()(detail::operation_pool<Operation>& pool, Start start) const {
        call(pool, start);
    }

    background_call& call;
};

/// Starts the algorithm of a plan.
template <class Call>
void start_any(const Call& what, const plan& chosen, background_call& call) {
    detail::start_by_plan<detail::algorithm::any>(what, chosen, held_by{call});
}

/// As the blocking one: bytes are what moves.
void start_broadcast(const background_ranks& on, const message& what, std::size_t bytes, int root,
                     const plan& chosen, MPI_Request* request) {
    const detail::type_layout layout{what.type};
    auto& all = background::self();
    auto call = all.take();
    message moved{what.data, bytes, MPI_BYTE};
    if (!layout.is_dense) {
        call->room.reserve(bytes);
        moved.data = call->room.data();
        if (on.levels->whole().rank() == root) {
            detail::pack(what, layout, call->room.data());
        } else {
            call->types[0] = kept_type{what.type};
            call->target = {what.data, what.count, call->types[0].type()};
            call->at_end = [](background_call& done) { detail::unpack(done.room.data(), done.target); };
        }
    }
    all.start(
        on.context, std::move(call),
        [&](context& ranks, background_call& go) {
            start_any(detail::broadcast_call{ranks, moved, root}, chosen, go);
        },
        request);
}

/// A copy of all blocks: what this rank has for the others lies where the result will.
blocks copy_of(const blocks& all, int ranks, background_call& call) {
    const detail::type_layout layout{all.type};
    const std::size_t elements = all.count * static_cast<std::size_t>(ranks);
    call.room.reserve(layout.span(elements));
    const blocks copy{call.room.data() - layout.true_lower, all.type, all.count};
    detail::copy_block({all.data, elements, all.type}, {copy.data, elements, all.type},
                       kept_arrays::of_thread().temporary);
    return copy;
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's

extern "C" {

int intercepted_MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    return intercept_start(
        verb::barrier, comm, request, [] { return std::uint64_t{0}; }, [] { return true; },
        [&](const background_ranks& on) {
            const auto chosen = choose_started(verb::barrier, on, 0);
            if (!chosen) return false;
            start_plain(on, request, [&](context& ranks, background_call& go) {
                start_any(topo::detail::barrier_call{ranks}, *chosen, go);
            });
            return true;
        },
        [&] { return MPI_Ibarrier(comm, request); });
}

int intercepted_MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                           MPI_Request* request) {
    return intercept_start(
        verb::broadcast, comm, request, [&] { return bytes_or_zero(count, type); },
        [&] { return is_accepted(buffer, count, type) && ranks{comm}.has(root); },
        [&](const background_ranks& on) {
            const located there{buffer, static_cast<std::size_t>(count), type};
            const topo::message what = message_of(there.data(), count, there.type());
            const std::size_t bytes = topo::detail::bytes_of(what);
            if (bytes == 0) return false;
            const auto chosen = choose_started(verb::broadcast, on, bytes);
            if (!chosen) return false;
            start_broadcast(on, what, bytes, root, *chosen, request);
            return true;
        },
        [&] { return MPI_Ibcast(buffer, count, type, root, comm, request); });
}

// Operations of the program's own are left to the MPI: it calls them where the program calls MPI, not in a
// thread that the program does not know; and the program may free them before they are applied.

int intercepted_MPI_Ireduce(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                            int root, MPI_Comm comm, MPI_Request* request) {
    const reduction call{input, result, count, type, op};
    return intercept_start(
        verb::reduce, comm, request, [&] { return call.bytes(); },
        [&] {
            const ranks all{comm};
            return all.has(root) && call.is_accepted(all.mine == root, [&](MPI_Comm alone) {
                return MPI_Reduce(input, result, count, type, op, 0, alone);
            });
        },
        [&](const background_ranks& on) {
            if (!call.is_by_mpi()) return false;
            const bool is_root = on.levels->whole().rank() == root;
            const std::size_t bytes = topo::detail::bytes_of(call.to());
            if (bytes == 0) return false;
            const auto chosen = choose_started(verb::reduce, on, bytes);
            if (!chosen) return false;
            topo::message to = call.to();
            if (!is_root) to.data = nullptr;
            start_plain(on, request, [&](context& ranks, background_call& go) {
                start_any(topo::detail::reduce_call{ranks, call.from(), to, call.combiner(), root}, *chosen,
                          go);
            });
            return true;
        },
        [&] { return MPI_Ireduce(input, result, count, type, op, root, comm, request); });
}

int intercepted_MPI_Iallreduce(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm, MPI_Request* request) {
    const reduction call{input, result, count, type, op};
    return intercept_start(
        verb::all_reduce, comm, request, [&] { return call.bytes(); },
        [&] {
            return call.is_accepted(
                true, [&](MPI_Comm alone) { return MPI_Allreduce(input, result, count, type, op, alone); });
        },
        [&](const background_ranks& on) {
            if (!call.is_by_mpi()) return false;
            const topo::message to = call.to();
            const std::size_t bytes = topo::detail::bytes_of(to);
            if (bytes == 0) return false;
            const auto chosen = choose_started(verb::all_reduce, on, bytes);
            if (!chosen) return false;
            start_plain(on, request, [&](context& ranks, background_call& go) {
                start_any(topo::detail::all_reduce_call{ranks, call.from(), to, call.combiner()}, *chosen,
                          go);
            });
            return true;
        },
        [&] { return MPI_Iallreduce(input, result, count, type, op, comm, request); });
}

int intercepted_MPI_Iallgather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                               MPI_Datatype all_type, MPI_Comm comm, MPI_Request* request) {
    return intercept_start(
        verb::all_gather, comm, request, [&] { return bytes_or_zero(each, all_type); },
        [&] { return are_accepted_blocks(mine, count, type, all, each, all_type, comm); },
        [&](const background_ranks& on) {
            const located own{mine, static_cast<std::size_t>(mine == MPI_IN_PLACE ? 0 : count), type};
            const located there{all, static_cast<std::size_t>(each), all_type};
            topo::blocks result{there.data(), there.type(), static_cast<std::size_t>(each)};
            const std::size_t bytes = topo::detail::bytes_of(result.block_of(0));
            if (bytes == 0) return false;
            const auto chosen = choose_started(verb::all_gather, on, bytes);
            if (!chosen) return false;
            place_own("MPI_Iallgather", own.data(), count, own.type(),
                      result.block_of(on.levels->whole().rank()));
            auto& under_way = background::self();
            auto call = under_way.take();
            call->types[0] = kept_type{result.type};
            result.type = call->types[0].type();
            under_way.start(
                on.context, std::move(call),
                [&](context& ranks, background_call& go) {
                    start_any(topo::detail::all_gather_call{*on.levels, ranks, result}, *chosen, go);
                },
                request);
            return true;
        },
        [&] { return MPI_Iallgather(mine, count, type, all, each, all_type, comm, request); });
}

int intercepted_MPI_Ialltoall(const void* from, int from_each, MPI_Datatype from_type, void* to, int to_each,
                              MPI_Datatype to_type, MPI_Comm comm, MPI_Request* request) {
    return intercept_start(
        verb::all_to_all, comm, request,
        [&] {
            int size = 0;
            MPI_Comm_size(comm, &size);
            return static_cast<std::uint64_t>(size) * bytes_or_zero(to_each, to_type);
        },
        [&] { return are_accepted_exchanges(from, from_each, from_type, to, to_each, to_type); },
        [&](const background_ranks& on) {
            const located own{from, static_cast<std::size_t>(from == MPI_IN_PLACE ? 0 : from_each),
                              from_type};
            const located there{to, static_cast<std::size_t>(to_each), to_type};
            topo::blocks result{there.data(), there.type(), static_cast<std::size_t>(to_each)};
            const std::size_t bytes = topo::detail::bytes_of(result.block_of(0));
            if (bytes == 0) return false;
            const auto chosen = choose_started(verb::all_to_all, on, bytes);
            if (!chosen) return false;
            auto& under_way = background::self();
            auto call = under_way.take();
            call->types[0] = kept_type{result.type};
            result.type = call->types[0].type();
            topo::blocks source;
            if (from == MPI_IN_PLACE) {
                source = copy_of(result, on.levels->whole().size(), *call);
            } else {
                call->types[1] = kept_type{own.type()};
                source = {own.data(), call->types[1].type(), static_cast<std::size_t>(from_each)};
                topo::detail::require_own_size("MPI_Ialltoall", source.block_of(0), result.block_of(0));
            }
            under_way.start(
                on.context, std::move(call),
                [&](context& ranks, background_call& go) {
                    start_any(topo::detail::all_to_all_call{*on.levels, ranks, source, result}, *chosen, go);
                },
                request);
            return true;
        },
        [&] { return MPI_Ialltoall(from, from_each, from_type, to, to_each, to_type, comm, request); });
}

} // extern "C"
