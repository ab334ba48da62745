// SPDX-License-Identifier: BSL-1.0
/// @file
/// Barriers, broadcasts, reductions and scans that go on while the program works.
#include "forms.hpp"
#include "intercepted.hpp"
#include "located.hpp"
#include "reduction.hpp"
#include "started.hpp"
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/detail/background_calls.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/engines/of_all_reduce.hpp>
#include <topomp/collective/engines/of_barrier.hpp>
#include <topomp/collective/engines/of_broadcast.hpp>
#include <topomp/collective/engines/of_reduce.hpp>
#include <topomp/collective/engines/of_scan.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/ireduce.hpp>

#include <array>
#include <memory>
#include <utility>

namespace topo::preload {

namespace {

using detail::context;
using detail::verb;

struct barrier_start {
    static constexpr verb what = verb::barrier;
    MPI_Comm comm;

    static bool is_accepted() { return true; }
    static std::uint64_t bytes() { return 0; }
    static std::array<MPI_Datatype*, 2> types(int) { return {}; }
    static std::optional<plan> choose(const background_ranks& on) { return choose_started(what, on, 0); }
    static void start(const starter& go, const plan& chosen) {
        go(fresh_call(), [&](context& ranks, background_call& call) {
            start_any(detail::barrier_call{ranks}, chosen, call);
        });
    }
};

struct broadcast_start {
    static constexpr verb what = verb::broadcast;
    void* buffer;
    MPI_Count count;
    MPI_Datatype type;
    int root;
    MPI_Comm comm;

    bool is_accepted() const { return accepts(buffer, count, type) && ranks{comm}.has(root); }
    std::uint64_t bytes() const { return bytes_or_zero(count, type); }
    std::array<MPI_Datatype*, 2> types(int) { return {&type}; }
    std::optional<plan> choose(const background_ranks& on) const {
        const std::size_t length = detail::bytes_of(message_of(buffer, count, type));
        return length == 0 ? left_to_mpi(reason::no_data) : choose_started(what, on, length, root);
    }
    /// As the blocking one: bytes are what moves.
    void start(const starter& go, const plan& chosen) const {
        const located there{buffer, static_cast<std::size_t>(count), type};
        const message data = message_of(there.data(), count, there.type());
        const std::size_t length = detail::bytes_of(data);
        const detail::type_layout layout{data.type};
        auto call = fresh_call();
        message moved{data.data, length, MPI_BYTE};
        if (!layout.is_dense) {
            call->room.reserve(length);
            moved.data = call->room.data();
            if (go.rank() == root) {
                detail::pack(data, layout, call->room.data());
            } else {
                call->target = {data.data, data.count, call->keep(data.type)};
                call->at_end = [](background_call& done) { detail::unpack(done.room.data(), done.target); };
            }
        }
        go(std::move(call), [&](context& ranks, background_call& it) {
            start_any(detail::broadcast_call{ranks, moved, root}, chosen, it);
        });
    }
};

// Operations of the program's own are left to the MPI: it calls them where the program calls MPI, not in a
// thread that the program does not know; and the program may free them before they are applied.

std::optional<plan> choose_combining(verb what, const background_ranks& on, const reduction& call,
                                     int root = 0) {
    if (!call.is_by_mpi()) return left_to_mpi(reason::operation);
    const std::size_t bytes = detail::bytes_of(call.to());
    return bytes == 0 ? left_to_mpi(reason::no_data) : choose_started(what, on, bytes, root);
}

struct reduce_start {
    static constexpr verb what = verb::reduce;
    const void* input;
    void* result;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
    int root;
    MPI_Comm comm;

    reduction given() const { return {input, result, count, type, op}; }
    bool is_accepted() const {
        const ranks all{comm};
        return all.has(root) && given().is_accepted(all.mine == root, [&](MPI_Comm alone) {
            return MPI_Reduce(input, result, asked_count(count), type, op, 0, alone);
        });
    }
    std::uint64_t bytes() const { return given().bytes(); }
    std::array<MPI_Datatype*, 2> types(int) { return {&type}; }
    std::optional<plan> choose(const background_ranks& on) const {
        return choose_combining(what, on, given(), root);
    }
    void start(const starter& go, const plan& chosen) const {
        const reduction call = given();
        message to = call.to();
        if (go.rank() != root) to.data = nullptr;
        go(fresh_call(), [&](context& ranks, background_call& it) {
            start_any(detail::reduce_call{ranks, call.from(), to, call.combiner(), root}, chosen, it);
        });
    }
};

struct all_reduce_start {
    static constexpr verb what = verb::all_reduce;
    const void* input;
    void* result;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;

    reduction given() const { return {input, result, count, type, op}; }
    bool is_accepted() const {
        return given().is_accepted(true, [&](MPI_Comm alone) {
            return MPI_Allreduce(input, result, asked_count(count), type, op, alone);
        });
    }
    std::uint64_t bytes() const { return given().bytes(); }
    std::array<MPI_Datatype*, 2> types(int) { return {&type}; }
    std::optional<plan> choose(const background_ranks& on) const {
        return choose_combining(what, on, given());
    }
    void start(const starter& go, const plan& chosen) const {
        const reduction call = given();
        const message to = call.to();
        go(fresh_call(), [&](context& ranks, background_call& it) {
            start_any(detail::all_reduce_call{ranks, call.from(), to, call.combiner()}, chosen, it);
        });
    }
};

template <detail::scan_kind Kind>
struct scan_start {
    static constexpr bool is_inclusive = Kind == detail::scan_kind::inclusive;
    static constexpr verb what = is_inclusive ? verb::scan : verb::exclusive_scan;
    const void* input;
    void* result;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;

    reduction given() const { return {input, result, count, type, op}; }
    bool is_accepted() const {
        return given().is_accepted(given().has_scan(comm, is_inclusive), [&](MPI_Comm alone) {
            return (is_inclusive ? MPI_Scan : MPI_Exscan)(input, result, asked_count(count), type, op, alone);
        });
    }
    std::uint64_t bytes() const { return given().bytes(); }
    std::array<MPI_Datatype*, 2> types(int) { return {&type}; }
    std::optional<plan> choose(const background_ranks& on) const {
        return choose_combining(what, on, given());
    }
    void start(const starter& go, const plan& chosen) const {
        const reduction call = given();
        const message to = call.to();
        go(fresh_call(), [&](context& ranks, background_call& it) {
            start_any(detail::scan_call{ranks, call.from(), to, op, Kind}, chosen, it);
        });
    }
};
using inclusive_start = scan_start<detail::scan_kind::inclusive>;
using exclusive_start = scan_start<detail::scan_kind::exclusive>;

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's

extern "C" {

int intercepted_MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    return serve_started(barrier_start{comm}, request, [&] { return MPI_Ibarrier(comm, request); });
}

#if TOPOMP_HAS_PERSISTENT
int TOPOMP_INTERCEPTED_PERSISTENT(Barrier)(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return serve_persistent(passed_call::Barrier_init, barrier_start{comm}, request,
                            [&] { return TOPOMP_PERSISTENT(Barrier)(comm, info, request); });
}
#endif

TOPOMP_STARTED_FORMS(Bcast, Ibcast, broadcast_start, 5)
TOPOMP_STARTED_FORMS(Reduce, Ireduce, reduce_start, 7)
TOPOMP_STARTED_FORMS(Allreduce, Iallreduce, all_reduce_start, 6)
TOPOMP_STARTED_FORMS(Scan, Iscan, inclusive_start, 6)
TOPOMP_STARTED_FORMS(Exscan, Iexscan, exclusive_start, 6)

} // extern "C"
