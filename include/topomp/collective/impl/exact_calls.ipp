// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact/exact_operation.hpp>
#include <topomp/algorithm/exact/expansions.hpp>
#include <topomp/algorithm/exact/fixed_point.hpp>
#include <topomp/algorithm/exact/impl/exact_operation.ipp>
#include <topomp/algorithm/exact/impl/partial_sum.ipp>
#include <topomp/algorithm/exact/impl/scan_in_lanes.ipp>
#include <topomp/algorithm/exact/impl/shared_exact.ipp>
#include <topomp/algorithm/exact/impl/sum_in_lanes.ipp>
#include <topomp/algorithm/exact/partial_sum.hpp>
#include <topomp/algorithm/exact/scan_in_lanes.hpp>
#include <topomp/algorithm/exact/shared_exact.hpp>
#include <topomp/algorithm/exact/sum_in_lanes.hpp>
#include <topomp/algorithm/exact/sum_window.hpp>
#include <topomp/algorithm/exact_sum.hpp>
#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/detail/exact_calls.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/lanes_of_nodes.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/operations.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// As Boost.MPI makes a datatype.
template <class Archive, class T>
void serialize(Archive& archive, expansions<T>& sums, const unsigned int) {
    for (auto& numbers : sums.data)
        for (double& each : numbers)
            archive& each;
}

template <class Archive, class T>
void serialize(Archive& archive, fixed_point<T>& sums, const unsigned int) {
    for (auto* const words : {&sums.low, &sums.high})
        for (std::uint64_t& each : *words)
            archive& each;
    for (std::uint16_t& each : sums.tops)
        archive& each;
}

template <class Archive, class T>
void serialize(Archive& archive, sum_window<T>& sum, const unsigned int) {
    for (std::uint64_t& each : sum.data)
        archive& each;
    archive& sum.first& sum.inexact;
}

} // namespace topo::detail

namespace boost::mpi {

template <class T>
struct is_mpi_datatype<topo::detail::expansions<T>> : mpl::true_ {};
template <class T>
struct is_commutative<std::plus<topo::detail::expansions<T>>, topo::detail::expansions<T>> : mpl::true_ {};
template <class T>
struct is_mpi_datatype<topo::detail::fixed_point<T>> : mpl::true_ {};
template <class T>
struct is_commutative<std::plus<topo::detail::fixed_point<T>>, topo::detail::fixed_point<T>> : mpl::true_ {};
template <class T>
struct is_mpi_datatype<topo::detail::sum_window<T>> : mpl::true_ {};
template <class T>
struct is_commutative<std::plus<topo::detail::sum_window<T>>, topo::detail::sum_window<T>> : mpl::true_ {};

} // namespace boost::mpi

namespace topo::detail {

/// In which form operands are sent. The first three do not hold all sums.
enum class exact_form { expansions, fixed_point, windows, sums, operands };

/// Whether windows are much shorter than whole sums.
template <class T>
inline constexpr bool has_windows = 2 * sizeof(sum_window<T>) < sizeof(exact_sum<T>);

/// The form that is probably the fastest. A message counts as much as 4 KiB, and all ranks of a node send
/// their operands through one network adapter.
/// @param least the first form that may be
template <class T>
exact_form form_of(const hierarchy& levels, const exact_call<T>& call, exact_form least) {
    constexpr std::size_t message = 4096;
    const call_key key = decisions::of(levels).key_of(verb::all_reduce, call.count * sizeof(T), true);
    if (key.ranks == 1) return exact_form::operands;
    const auto ranks = static_cast<std::size_t>(key.ranks);
    const auto rounds = static_cast<std::size_t>(std::bit_width(ranks - 1));
    const auto senders = static_cast<std::size_t>(key.crosses_nodes() ? key.ranks_of_node : 1);
    const std::size_t sums = rounds * (message + call.count * sizeof(exact_sum<T>));
    const std::size_t operands = (ranks - 1) * message + call.count * sizeof(T) * senders;
    const exact_form other = operands <= sums ? exact_form::operands : exact_form::sums;
    if (!rounds_each_sum || !key.crosses_nodes() || least > exact_form::windows) return other;

    const auto partial = [&](auto block) {
        using Block = decltype(block);
        std::size_t blocks = call.counts.empty() ? blocks_of<Block>(call.count) : 0;
        for (const std::size_t count : call.counts)
            blocks += blocks_of<Block>(count);
        const std::size_t messages = partial_sum<Block>::sees_other_sums(call) ? 2 : 1;
        return messages * rounds * message + blocks * sizeof(Block) <= std::min(operands, sums);
    };
    if (least == exact_form::expansions && partial(expansions<T>{})) return exact_form::expansions;
    if (least <= exact_form::fixed_point && partial(fixed_point<T>{})) return exact_form::fixed_point;
    return has_windows<T> && partial(sum_window<T>{}) ? exact_form::windows : other;
}

/// Combines sums in place as a call says. @param counts of a block for each rank @param own where a rank's
/// block goes
template <class Sum, class T>
void combine_sums(const hierarchy& levels, const exact_call<T>& call, std::span<Sum> sums,
                  const std::vector<std::size_t>& counts, std::span<Sum> own) {
    switch (call.what) {
    case exact_result::of_all:
        if (call.receivers.size() == 1)
            return reduce(levels, sums, sums, std::plus<>{}, call.receivers.front());
        return all_reduce(levels, sums, sums, std::plus<>{});
    case exact_result::own_block: {
        std::vector<Sum> block(own.size());
        keep_if_failed(block, [&] { reduce_scatter(levels, sums, counts, block, std::plus<>{}); });
        std::ranges::copy(block, own.begin());
        return;
    }
    case exact_result::prefix:
        return scan(levels, sums, sums, std::plus<>{});
    case exact_result::prefix_before:
        return exclusive_scan(levels, sums, sums, std::plus<>{});
    }
}

/// The columns that are lost on any rank, ascending.
TOPOMP_INLINE std::vector<std::size_t>
lost_on_any(const hierarchy& levels, const std::vector<std::size_t>& lost, std::size_t columns) {
    constexpr std::size_t width = 64;
    std::vector<std::uint64_t> bits{lost.size()};
    keep_if_failed(bits, [&] { all_reduce(levels, bits, bits, std::plus<>{}); });
    if (bits.front() == 0) return {};
    bits.assign((columns + width - 1) / width, 0);
    for (const std::size_t column : lost)
        bits[column / width] |= std::uint64_t{1} << column % width;
    keep_if_failed(bits, [&] { all_reduce(levels, bits, bits, boost::mpi::bitwise_or<std::uint64_t>{}); });
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < columns; ++i)
        if ((bits[i / width] >> i % width & 1) != 0) result.push_back(i);
    return result;
}

template <class T>
exact_arguments<T> operands_of(const hierarchy& levels, const exact_call<T>& call) {
    return {call.input, call.result, call.count, gets_result(call, levels.whole_rank())};
}

template <class T>
void sum_in_form(const hierarchy& levels, const exact_call<T>& call, exact_form form);

/// Adds the columns that are lost, if there are any. @param least the first form that may hold them
template <class Block>
void sum_lost(const hierarchy& levels, partial_sum<Block>& partial, exact_form least) {
    const auto again = partial.again();
    if (again.count == 0) return;
    sum_in_form(levels, again, form_of(levels, again, least));
    partial.write_again();
}

/// Long sums for all ranks: each rank rounds the sums of a part, so that only the first half of an all-reduce
/// moves blocks.
template <class T, class Block>
void sum_in_parts(const hierarchy& levels, const exact_call<T>& call, partial_sum<Block>& partial) {
    const std::size_t blocks = partial.data().size();
    const auto ranks = static_cast<std::size_t>(levels.whole_size());
    const auto rank = static_cast<std::size_t>(levels.whole_rank());
    std::vector<std::size_t> counts(ranks), lengths(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        const std::size_t begin = blocks * r / ranks, end = blocks * (r + 1) / ranks;
        counts[r] = end - begin;
        const std::size_t column = std::min(begin * Block::columns, call.count);
        lengths[r] = std::min(end * Block::columns, call.count) - column;
    }
    std::vector<Block> sums(counts[rank]);
    keep_if_failed(sums, [&] { reduce_scatter(levels, partial.data(), counts, sums, std::plus<>{}); });
    std::vector<T> mine(lengths[rank]);
    partial.write(sums, mine.size(), mine.data());
    const std::span result{call.result, call.count};
    keep_if_failed(mine, [&] { all_gatherv(levels, mine, result, lengths); });
    std::vector<std::size_t> lost;
    for (std::size_t i = 0; i < call.count; ++i)
        if (result[i] - result[i] != T{}) lost.push_back(i);
    partial.keep_loaded(std::move(lost));
}

/// From here on the bytes that are saved outweigh a second collective.
inline constexpr std::size_t long_sum = 8192;

/// The nodes and lanes of a long sum. Null, on all ranks: it goes another way.
template <class Block, class T>
lanes_of_slices* lanes_for(const hierarchy& levels, const exact_call<T>& call) {
    const std::size_t bytes = call.count * sizeof(T);
    if (bytes < long_sum) return nullptr;
    const call_key key = decisions::of(levels).key_of(verb::all_reduce, bytes, true);
    if (!key.crosses_nodes() || !key.uses_memory) return nullptr;
    lanes_of_slices* const nodes = lanes_of_nodes(context::of(levels));
    if (nodes == nullptr) return nullptr;
    const bool is_scan = call.what == exact_result::prefix || call.what == exact_result::prefix_before;
    const bool works =
        is_scan ? nodes->are_in_rank_order() : !nodes->folds_lanes() && sum_in_lanes<Block>::takes(*nodes);
    return works ? nodes : nullptr;
}

/// Sums what blocks hold by the verbs.
template <class T, class Block>
void sum_in_blocks(const hierarchy& levels, const exact_call<T>& call, partial_sum<Block>& partial) {
    partial.start(call, levels.whole_rank());
    if (call.what == exact_result::of_all && call.receivers.empty() && call.count * sizeof(T) >= long_sum)
        return sum_in_parts(levels, call, partial);
    combine_sums(levels, call, partial.data(), partial.counts(), partial.own());
    const bool sees_other_sums = partial.sees_other_sums(call);
    std::vector<std::size_t> lost;
    if (!sees_other_sums || gets_result(call, levels.whole_rank())) lost = partial.lost();
    if (sees_other_sums) lost = lost_on_any(levels, lost, call.count);
    partial.keep(std::move(lost));
    partial.write();
}

/// The same, long ones along lanes. @return of how many columns blocks do not hold the sum
template <class T, class Block>
std::size_t sum_partially(const hierarchy& levels, const exact_call<T>& call, partial_sum<Block>& partial) {
    const int rank = levels.whole_rank();
    if (lanes_of_slices* const nodes = lanes_for<Block>(levels, call)) {
        context& ranks = context::of(levels);
        T* const result = gets_result(call, rank) ? call.result : nullptr;
        if (call.what == exact_result::of_all) {
            auto lost = sum_in_lanes<Block>{ranks, *nodes, call, result}.run();
            partial.start_lost(call, rank, std::move(lost.columns), std::move(lost.operands));
            return partial.lost_columns();
        }
        const bool is_of_blocks = call.what == exact_result::own_block;
        // Results wait there until the operands of lost columns are kept.
        std::vector<T> results(is_of_blocks ? call.counts[static_cast<std::size_t>(rank)] : 0);
        std::vector<std::size_t> lost;
        if (is_of_blocks) {
            lost = sum_in_lanes<Block>{ranks, *nodes, call, results.data()}.run().columns;
        } else {
            if (call.input == result) results.resize(call.count);
            lost = scan_in_lanes<Block>{ranks, *nodes, call, results.empty() ? result : results.data()}.run();
        }
        partial.start_lost(call, rank, {}, {});
        partial.keep(lost_on_any(levels, lost, call.count));
        std::ranges::copy(results, call.result);
        return partial.lost_columns();
    }
    sum_in_blocks(levels, call, partial);
    return partial.lost_columns();
}

/// Which calls begin with expansions. While these do not hold much of calls of about as many bytes, they are
/// tried in each 2nd, 4th, 8th and then in each 16th one. The same on all ranks, as the lost columns are.
class expansion_history {
public:
    explicit expansion_history(context&) {}

    bool are_tried(std::size_t bytes) {
        calls& those = of(bytes);
        if (those.until_next > 1) {
            --those.until_next;
            return false;
        }
        return true;
    }
    void note(std::size_t bytes, std::size_t columns, std::size_t lost) {
        constexpr unsigned longest = 16;
        calls& those = of(bytes);
        those.period = lost > columns / 4 ? std::min(2 * those.period, longest) : 1;
        those.until_next = those.period;
    }

private:
    struct calls {
        unsigned period = 1, until_next = 1;
    };
    calls& of(std::size_t bytes) { return calls_[static_cast<std::size_t>(std::bit_width(bytes))]; }
    std::array<calls, std::numeric_limits<std::size_t>::digits + 1> calls_{};
};

template <class T>
void sum_in_form(const hierarchy& levels, const exact_call<T>& call, exact_form form) {
    context& ranks = context::of(levels);
    const auto then_lost = [&](auto& partial, exact_form least, auto sum) {
        keep_if_failed(partial, [&] {
            sum();
            sum_lost(levels, partial, least);
        });
    };
    switch (form) {
    case exact_form::expansions: {
        auto& partial = ranks.attached<partial_sum<expansions<T>>>();
        auto& history = ranks.attached<expansion_history>();
        const std::size_t bytes = call.count * sizeof(T);
        return then_lost(partial, exact_form::fixed_point, [&] {
            if (history.are_tried(bytes))
                history.note(bytes, call.count, sum_partially(levels, call, partial));
            else
                partial.start_lost(call, levels.whole_rank());
        });
    }
    case exact_form::fixed_point: {
        auto& partial = ranks.attached<partial_sum<fixed_point<T>>>();
        return then_lost(partial, exact_form::windows, [&] { sum_partially(levels, call, partial); });
    }
    case exact_form::windows:
        if constexpr (has_windows<T>) {
            auto& partial = ranks.attached<partial_sum<sum_window<T>>>();
            return then_lost(partial, exact_form::sums, [&] { sum_in_blocks(levels, call, partial); });
        }
        [[fallthrough]];
    case exact_form::sums:
        return by_sums(operands_of(levels, call), [&](std::vector<exact_sum<T>>& sums) {
            const std::vector<std::size_t> counts(call.counts.begin(), call.counts.end());
            const auto rank = static_cast<std::size_t>(levels.whole_rank());
            const std::size_t own = call.what == exact_result::own_block ? counts[rank] : sums.size();
            combine_sums(levels, call, std::span{sums}, counts, std::span{sums}.first(own));
            sums.resize(own);
        });
    case exact_form::operands:
        if (moves_in_memory() && call.what == exact_result::of_all)
            if (shared_room* const room = shared_exact<T>::room_of(levels, ranks))
                return shared_exact<T>{*room, call}.run();
        return run(ranks.pool<exact_operation<T>>(),
                   [&](exact_operation<T>& op) { op.start(ranks, call, ranks.next_tag()); });
    }
}

template <class T>
void sum_by_form(const hierarchy& levels, const exact_call<T>& call) {
    const in_flight::turn alone{in_flight::of(levels)};
    check_host_memory(levels, "topo::reproducible", {call.input, call.result});
    sum_in_form(levels, call, form_of(levels, call, exact_form::expansions));
}

TOPOMP_INLINE void sum_exactly(const hierarchy& levels, const exact_call<float>& call) {
    sum_by_form(levels, call);
}

TOPOMP_INLINE void sum_exactly(const hierarchy& levels, const exact_call<double>& call) {
    sum_by_form(levels, call);
}

/// Accumulators that a collective in progress combines.
template <class T>
class rounding_operation final : public operation {
public:
    void start(const exact_arguments<T>& what, sums_combiner<T> combine) {
        what_ = what;
        sums_ = std::vector<exact_sum<T>>(what.input, what.input + what.count);
        lends_memory_ = true; // also if the next line throws
        inner_ = combine(sums_);
    }

private:
    /// The inner collective is in the same list of those in flight: its messages wake a rank that waits.
    bool advance() override {
        if (!inner_.test()) return false;
        lends_memory_ = false;
        if (std::exchange(what_.has_result, false)) round_into<T>(sums_, what_.result);
        return true;
    }

    exact_arguments<T> what_;
    std::vector<exact_sum<T>> sums_;
    request inner_;
};

/// The same of expansions. Columns that are lost are added up from operands afterwards, by messages of this
/// operation; all ranks have the same sums, and so see the same columns.
template <class T>
class expanding_operation final : public exact_operation<T> {
public:
    void start(const hierarchy& levels, context& ranks, const exact_call<T>& call) {
        ranks_ = &ranks;
        tag_ = ranks.next_tag(); // now: ranks begin what may follow at different times
        expanded_.start(call, ranks.rank());
        this->lends_memory_ = true; // also if the next line throws
        inner_ = iall_reduce(levels, expanded_.data(), expanded_.data(), std::plus<>{});
        step_ = step::expansions;
    }

private:
    enum class step { expansions, operands, end };

    bool advance() override {
        if (step_ == step::expansions) {
            if (!inner_.test()) return false;
            this->lends_memory_ = false;
            expanded_.keep(expanded_.lost());
            expanded_.write();
            exact_call<T> again = expanded_.again();
            step_ = again.count == 0 ? step::end : step::operands;
            if (again.count > 0) exact_operation<T>::start(*ranks_, std::move(again), tag_);
        }
        if (step_ == step::operands) {
            if (!exact_operation<T>::advance()) return false;
            expanded_.write_again();
            step_ = step::end;
        }
        return true;
    }

    context* ranks_ = nullptr;
    int tag_ = 0;
    step step_ = step::end;
    partial_sum<expansions<T>> expanded_;
    request inner_;
};

template <class T>
request start_rounding(const hierarchy& levels, const exact_arguments<T>& what, sums_combiner<T> combine) {
    const in_flight::turn alone{in_flight::of(levels)};
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

template <class T>
request start_in_form(const hierarchy& levels, const exact_call<T>& call) {
    const in_flight::turn alone{in_flight::of(levels)};
    check_host_memory(levels, "topo::reproducible", {call.input, call.result});
    context& ranks = context::of(levels);
    switch (form_of(levels, call, exact_form::expansions)) {
    case exact_form::fixed_point: // expansions are never longer
    case exact_form::operands:
        return in_background{levels}(ranks.pool<exact_operation<T>>(), [&](exact_operation<T>& op) {
            op.start(ranks, call, ranks.next_tag());
        });
    case exact_form::expansions:
        return in_background{levels}(ranks.pool<expanding_operation<T>>(),
                                     [&](expanding_operation<T>& op) { op.start(levels, ranks, call); });
    case exact_form::windows:
    case exact_form::sums:
        break;
    }
    return start_rounding<T>(levels, operands_of(levels, call), [&](std::vector<exact_sum<T>>& sums) {
        return call.receivers.empty() ? iall_reduce(levels, sums, sums, std::plus<>{})
                                      : ireduce(levels, sums, sums, std::plus<>{}, call.receivers.front());
    });
}

TOPOMP_INLINE request start_exact_sum(const hierarchy& levels, const exact_call<float>& call) {
    return start_in_form(levels, call);
}

TOPOMP_INLINE request start_exact_sum(const hierarchy& levels, const exact_call<double>& call) {
    return start_in_form(levels, call);
}

} // namespace topo::detail
