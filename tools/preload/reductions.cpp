// SPDX-License-Identifier: BSL-1.0
/// @file
/// Barrier, Bcast and the collectives that combine.
#include "devices.hpp"
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

int scan(const reduction& call, MPI_Comm comm, verb what, detail::scan_kind kind) {
    return intercept(
        what, comm, [&] { return call.bytes(); },
        [&] {
            return call.is_accepted(true, [&](MPI_Comm alone) {
                return (kind == detail::scan_kind::inclusive ? MPI_Scan : MPI_Exscan)(
                    call.input, call.result, call.count, call.type, call.op, alone);
            });
        },
        [&](const hierarchy& levels) {
            const message result = call.to();
            const std::size_t bytes = detail::bytes_of(result);
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {call.operand(), result})) return false;
            const auto chosen = choose(what, levels, bytes, false);
            if (!chosen) return false;
            detail::scan(levels, call.from(), result, call.op, kind, *chosen);
            return true;
        },
        [&] {
            return kind == detail::scan_kind::inclusive
                       ? MPI_Scan(call.input, call.result, call.count, call.type, call.op, comm)
                       : MPI_Exscan(call.input, call.result, call.count, call.type, call.op, comm);
        });
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

int intercepted_MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return intercept(
        verb::broadcast, comm, [&] { return bytes_or_zero(count, type); },
        [&] { return is_accepted(buffer, count, type) && ranks{comm}.has(root); },
        [&](const hierarchy& levels) {
            const located there{buffer, static_cast<std::size_t>(count), type};
            const topo::message what = message_of(there.data(), count, there.type());
            const std::size_t bytes = topo::detail::bytes_of(what);
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {what})) return false;
            const auto chosen = choose(verb::broadcast, levels, bytes);
            if (!chosen) return false;
            broadcast(levels, what, bytes, root, *chosen);
            return true;
        },
        [&] { return MPI_Bcast(buffer, count, type, root, comm); });
}

int intercepted_MPI_Reduce(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                           MPI_Comm comm) {
    const reduction call{input, result, count, type, op};
    return intercept(
        verb::reduce, comm, [&] { return call.bytes(); },
        [&] {
            const ranks all{comm};
            return all.has(root) && call.is_accepted(all.mine == root, [&](MPI_Comm alone) {
                return MPI_Reduce(input, result, count, type, op, 0, alone);
            });
        },
        [&](const hierarchy& levels) {
            const bool is_root = levels.whole().rank() == root;
            const std::size_t bytes = topo::detail::bytes_of(call.to());
            topo::message to = call.to();
            if (!is_root) to.data = nullptr;
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {call.operand(), to})) return false;
            const auto combiner = call.combiner();
            const auto chosen = choose(verb::reduce, levels, bytes, combiner.is_commutative);
            if (!chosen) return false;
            topo::detail::reduce(levels, call.from(), to, combiner, root, *chosen);
            return true;
        },
        [&] { return MPI_Reduce(input, result, count, type, op, root, comm); });
}

int intercepted_MPI_Allreduce(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm) {
    const reduction call{input, result, count, type, op};
    return intercept(
        verb::all_reduce, comm, [&] { return call.bytes(); },
        [&] {
            return call.is_accepted(
                true, [&](MPI_Comm alone) { return MPI_Allreduce(input, result, count, type, op, alone); });
        },
        [&](const hierarchy& levels) {
            const topo::message to = call.to();
            const std::size_t bytes = topo::detail::bytes_of(to);
            if (bytes == 0) return left_for(reason::no_data);
            if (any_on_device(comm, levels, {call.operand(), to})) return false;
            const auto combiner = call.combiner();
            const auto chosen = choose(verb::all_reduce, levels, bytes, combiner.is_commutative);
            if (!chosen) return false;
            topo::detail::all_reduce(levels, call.from(), to, combiner, *chosen);
            return true;
        },
        [&] { return MPI_Allreduce(input, result, count, type, op, comm); });
}

int intercepted_MPI_Scan(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) {
    return scan({input, result, count, type, op}, comm, verb::scan, topo::detail::scan_kind::inclusive);
}

int intercepted_MPI_Exscan(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm) {
    return scan({input, result, count, type, op}, comm, verb::exclusive_scan,
                topo::detail::scan_kind::exclusive);
}

int intercepted_MPI_Reduce_scatter_block(const void* input, void* result, int count, MPI_Datatype type,
                                         MPI_Op op, MPI_Comm comm) {
    const reduction call{input, result, count, type, op};
    return intercept(
        verb::reduce_scatter, comm, [&] { return call.bytes(); },
        [&] {
            return call.is_accepted(true, [&](MPI_Comm alone) {
                return MPI_Reduce_scatter_block(input, result, count, type, op, alone);
            });
        },
        [&](const hierarchy& levels) {
            const auto each = static_cast<std::size_t>(count);
            const topo::blocks all{const_cast<void*>(call.from()), type, each};
            return reduce_scatter(comm, levels, all, each * static_cast<std::size_t>(levels.whole().size()),
                                  call.to(), call.combiner());
        },
        [&] { return MPI_Reduce_scatter_block(input, result, count, type, op, comm); });
}

int intercepted_MPI_Reduce_scatter(const void* input, void* result, const int* counts, MPI_Datatype type,
                                   MPI_Op op, MPI_Comm comm) {
    return intercept(
        verb::reduce_scatter, comm,
        [&] { return bytes_or_zero(counts == nullptr ? 0 : counts[topo::mpi::comm_rank(comm)], type); },
        [&] {
            const ranks all{comm};
            if (counts == nullptr || !all_lengths(counts, all.size)) return false;
            return reduction{input, result, counts[all.mine], type, op}.is_accepted(
                true, [&](MPI_Comm alone) {
                    return MPI_Reduce_scatter(input, result, counts + all.mine, type, op, alone);
                });
        },
        [&](const hierarchy& levels) {
            auto& kept = kept_arrays::of_thread();
            kept.first.set(counts, nullptr, levels.whole().size());
            const std::size_t elements = kept.first.elements();
            const reduction call{input, result, counts[levels.whole().rank()], type, op};
            const topo::blocks all{const_cast<void*>(call.from()), type, 0, kept.first.counts,
                                   kept.first.positions};
            return reduce_scatter(comm, levels, all, elements, call.to(), call.combiner());
        },
        [&] { return MPI_Reduce_scatter(input, result, counts, type, op, comm); });
}

} // extern "C"
