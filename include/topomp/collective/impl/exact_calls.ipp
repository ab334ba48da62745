// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact/exact_operation.hpp>
#include <topomp/algorithm/exact/impl/exact_operation.ipp>
#include <topomp/algorithm/exact/impl/shared_exact.ipp>
#include <topomp/algorithm/exact/shared_exact.hpp>
#include <topomp/algorithm/exact_sum.hpp>
#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/detail/exact_calls.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace topo::detail {

template <class T, class Go>
typename Go::result run_exact_sum(const hierarchy& levels, exact_call<T> call, const Go& go) {
    check_host_memory(levels, "topo::reproducible", {call.input, call.result});
    context& ranks = context::of(levels);
    if constexpr (Go::waits)
        if (moves_in_memory() && call.what == exact_result::of_all)
            if (shared_room* const room = shared_exact<T>::room_of(levels, ranks))
                return shared_exact<T>{*room, call}.run();
    return go(ranks.pool<exact_operation<T>>(),
              [&](exact_operation<T>& op) { op.start(ranks, std::move(call)); });
}

TOPOMP_INLINE void sum_exactly(const hierarchy& levels, exact_call<float> call) {
    run_exact_sum(levels, std::move(call), to_the_end{});
}

TOPOMP_INLINE void sum_exactly(const hierarchy& levels, exact_call<double> call) {
    run_exact_sum(levels, std::move(call), to_the_end{});
}

TOPOMP_INLINE request start_exact_sum(const hierarchy& levels, exact_call<float> call) {
    return run_exact_sum(levels, std::move(call), in_background{levels});
}

TOPOMP_INLINE request start_exact_sum(const hierarchy& levels, exact_call<double> call) {
    return run_exact_sum(levels, std::move(call), in_background{levels});
}

TOPOMP_INLINE bool sums_directly(const hierarchy& levels, std::size_t elements, std::size_t element,
                                 std::size_t sum) {
    constexpr std::size_t message = 4096; // bytes that take as long as its start
    const auto ranks = static_cast<std::size_t>(levels.whole_size());
    const auto rounds = static_cast<std::size_t>(std::bit_width(ranks - 1));
    return (ranks - 1) * message + elements * element <= rounds * (message + elements * sum);
}

/// Accumulators that a collective in progress combines.
template <class T>
class rounding_operation final : public operation {
public:
    void start(const exact_arguments<T>& what, sums_combiner<T> combine) {
        what_ = what;
        sums_ = std::vector<exact_sum<T>>(what.input, what.input + what.count);
        inner_ = combine(sums_);
    }

private:
    /// The inner collective is in the same list of those in flight: its messages wake a rank that waits.
    bool advance() override {
        if (!inner_.test()) return false;
        if (std::exchange(what_.has_result, false)) round_into(sums_, what_.result);
        return true;
    }

    exact_arguments<T> what_;
    std::vector<exact_sum<T>> sums_;
    request inner_;
};

template <class T>
request start_rounding(const hierarchy& levels, const exact_arguments<T>& what, sums_combiner<T> combine) {
    auto& pool = context::of(levels).template pool<rounding_operation<T>>();
    return in_background{levels}(pool, [&](auto& op) { op.start(what, combine); });
}

TOPOMP_INLINE request start_by_sums(const hierarchy& levels, const exact_arguments<float>& what,
                                    sums_combiner<float> combine) {
    return start_rounding(levels, what, combine);
}

TOPOMP_INLINE request start_by_sums(const hierarchy& levels, const exact_arguments<double>& what,
                                    sums_combiner<double> combine) {
    return start_rounding(levels, what, combine);
}

} // namespace topo::detail
