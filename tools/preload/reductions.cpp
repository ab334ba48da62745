// SPDX-License-Identifier: BSL-1.0
/// @file
/// Barrier, Bcast and the collectives that combine.
#include "devices.hpp"
#include "forms.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include "kept.hpp"
#include "located.hpp"
#include "reduction.hpp"
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/detail/scan_algorithms.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>

#include <span>

namespace topo::preload {

namespace {

using detail::verb;

/// @param own the MPI's own call here, as in all functions below
template <detail::scan_kind Kind, class Own>
int serve_scans(const reduction& call, MPI_Comm comm, Own own_call) {
    constexpr bool is_inclusive = Kind == detail::scan_kind::inclusive;
    constexpr verb what = is_inclusive ? verb::scan : verb::exclusive_scan;
    return intercept(
        what, comm, [&] { return call.bytes(); },
        [&] {
            return call.is_accepted(call.has_scan(comm, is_inclusive), [&](MPI_Comm alone) {
                return (is_inclusive ? MPI_Scan : MPI_Exscan)(
                    call.input, call.result, asked_count(call.count), call.type, call.op, alone);
            });
        },
        [&](const hierarchy& levels) {
            message result = call.to();
            if (!call.has_scan(comm, is_inclusive)) result.data = nullptr;
            const std::size_t bytes = detail::bytes_of(result);
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {call.operand(), result})) return false;
            const auto chosen = choose(what, levels, bytes, false);
            if (!chosen) return false;
            detail::scan(levels, call.from(), result, call.op, Kind, *chosen);
            return true;
        },
        own_call);
}

/// Ranks may have different datatypes with the same data, and topomp cuts messages between elements: so bytes
/// are what it moves here, which all ranks cut alike.
void broadcast(const hierarchy& levels, const message& what, std::size_t bytes, int root,
               const plan& chosen) {
    const detail::type_layout layout{what.type};
    if (layout.is_dense) return detail::broadcast(levels, {what.data, bytes, MPI_BYTE}, root, chosen);
    auto& packed = kept_arrays::of_thread().temporary;
    packed.reserve(bytes);
    const bool is_root = levels.whole().rank() == root;
    if (is_root) detail::pack(what, layout, packed.data());
    detail::broadcast(levels, {packed.data(), bytes, MPI_BYTE}, root, chosen);
    if (!is_root) detail::unpack(packed.data(), what, layout);
}

/// @param all the blocks that are combined @param mine where this rank's goes
bool reduce_scatter(MPI_Comm comm, const hierarchy& levels, const blocks& all, std::size_t elements,
                    const message& mine, detail::combination combiner) {
    const std::size_t bytes = elements * detail::size_of(all.type);
    if (bytes == 0) return left_for(reason::no_data);
    if (any_on_device(comm, levels, {first_of(all, levels.whole().size()), mine})) return false;
    const auto chosen = choose(verb::reduce_scatter, levels, bytes, combiner.is_commutative);
    if (!chosen) return false;
    detail::reduce_scatter(levels, all, elements, mine, combiner, *chosen);
    return true;
}

template <class Own>
int serve_broadcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm, Own own_call) {
    return intercept(
        verb::broadcast, comm, [&] { return bytes_or_zero(count, type); },
        [&] { return accepts(buffer, count, type) && ranks{comm}.has(root); },
        [&](const hierarchy& levels) {
            const located there{buffer, static_cast<std::size_t>(count), type};
            const message what = message_of(there.data(), count, there.type());
            const std::size_t bytes = detail::bytes_of(what);
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {what})) return false;
            const auto chosen = choose(verb::broadcast, levels, bytes);
            if (!chosen) return false;
            broadcast(levels, what, bytes, root, *chosen);
            return true;
        },
        own_call);
}

template <class Own>
int serve_reduce(const void* input, void* result, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                 MPI_Comm comm, Own own_call) {
    const reduction call{input, result, count, type, op};
    return intercept(
        verb::reduce, comm, [&] { return call.bytes(); },
        [&] {
            const ranks all{comm};
            return all.has(root) && call.is_accepted(all.mine == root, [&](MPI_Comm alone) {
                return MPI_Reduce(input, result, asked_count(count), type, op, 0, alone);
            });
        },
        [&](const hierarchy& levels) {
            const bool is_root = levels.whole().rank() == root;
            const std::size_t bytes = detail::bytes_of(call.to());
            message to = call.to();
            if (!is_root) to.data = nullptr;
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {call.operand(), to})) return false;
            const auto combiner = call.combiner();
            const auto chosen = choose(verb::reduce, levels, bytes, combiner.is_commutative);
            if (!chosen) return false;
            detail::reduce(levels, call.from(), to, combiner, root, *chosen);
            return true;
        },
        own_call);
}

template <class Own>
int serve_all_reduce(const void* input, void* result, MPI_Count count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm comm, Own own_call) {
    const reduction call{input, result, count, type, op};
    return intercept(
        verb::all_reduce, comm, [&] { return call.bytes(); },
        [&] {
            return call.is_accepted(true, [&](MPI_Comm alone) {
                return MPI_Allreduce(input, result, asked_count(count), type, op, alone);
            });
        },
        [&](const hierarchy& levels) {
            const message to = call.to();
            const std::size_t bytes = detail::bytes_of(to);
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {call.operand(), to})) return false;
            const auto combiner = call.combiner();
            const auto chosen = choose(verb::all_reduce, levels, bytes, combiner.is_commutative);
            if (!chosen) return false;
            detail::all_reduce(levels, call.from(), to, combiner, *chosen);
            return true;
        },
        own_call);
}

template <class Own>
int serve_scan(const void* input, void* result, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
               Own own_call) {
    return serve_scans<detail::scan_kind::inclusive>({input, result, count, type, op}, comm, own_call);
}

template <class Own>
int serve_exclusive_scan(const void* input, void* result, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm, Own own_call) {
    return serve_scans<detail::scan_kind::exclusive>({input, result, count, type, op}, comm, own_call);
}

template <class Own>
int serve_reduce_scatter_block(const void* input, void* result, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm, Own own_call) {
    const reduction call{input, result, count, type, op};
    return intercept(
        verb::reduce_scatter, comm, [&] { return call.bytes(); },
        [&] {
            return call.is_accepted(true, [&](MPI_Comm alone) {
                return MPI_Reduce_scatter_block(input, result, asked_count(count), type, op, alone);
            });
        },
        [&](const hierarchy& levels) {
            const auto each = static_cast<std::size_t>(count);
            const blocks all{const_cast<void*>(call.from()), type, each};
            return reduce_scatter(comm, levels, all, each * static_cast<std::size_t>(levels.whole().size()),
                                  call.to(), call.combiner());
        },
        own_call);
}

template <class Own>
int serve_reduce_scatter(const void* input, void* result, number_list counts, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm, Own own_call) {
    return intercept(
        verb::reduce_scatter, comm,
        [&] { return bytes_or_zero(counts.is_null() ? 0 : counts[mpi::comm_rank(comm)], type); },
        [&] {
            const ranks all{comm};
            if (counts.is_null() || !are_lengths(counts, all.size)) return false;
            return reduction{input, result, counts[all.mine], type, op}.is_accepted(
                true, [&](MPI_Comm alone) {
                    const int mine = asked_count(counts[all.mine]);
                    return MPI_Reduce_scatter(input, result, &mine, type, op, alone);
                });
        },
        [&](const hierarchy& levels) {
            auto& kept = kept_arrays::of_thread();
            kept.first.set(counts, number_list{static_cast<const int*>(nullptr)}, levels.whole().size());
            const std::size_t elements = kept.first.elements();
            const reduction call{input, result, counts[levels.whole().rank()], type, op};
            const blocks all{const_cast<void*>(call.from()), type, 0, kept.first.counts,
                             kept.first.positions};
            return reduce_scatter(comm, levels, all, elements, call.to(), call.combiner());
        },
        own_call);
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's
using topo::hierarchy;

extern "C" {

int intercepted_MPI_Barrier(MPI_Comm comm) {
    return intercept(
        verb::barrier, comm, [] { return std::uint64_t{0}; }, [] { return true; },
        [&](const hierarchy& levels) {
            const auto chosen = choose(verb::barrier, levels, 0);
            if (!chosen) return false;
            topo::detail::barrier(levels, *chosen);
            return true;
        },
        [&] { return MPI_Barrier(comm); });
}

TOPOMP_BLOCKING_FORMS(Bcast, serve_broadcast, 5)
TOPOMP_BLOCKING_FORMS(Reduce, serve_reduce, 7)
TOPOMP_BLOCKING_FORMS(Allreduce, serve_all_reduce, 6)
TOPOMP_BLOCKING_FORMS(Scan, serve_scan, 6)
TOPOMP_BLOCKING_FORMS(Exscan, serve_exclusive_scan, 6)
TOPOMP_BLOCKING_FORMS(Reduce_scatter_block, serve_reduce_scatter_block, 6)
TOPOMP_BLOCKING_FORMS(Reduce_scatter, serve_reduce_scatter, 6)

} // extern "C"
