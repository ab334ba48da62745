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
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/exact_calls.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/lanes_of_nodes.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/forms/all_reduce.hpp>
#include <topomp/collective/forms/reduce.hpp>
#include <topomp/collective/forms/reduce_scatter.hpp>
#include <topomp/collective/forms/scan.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
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
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef TOPOMP_COMPILED
#include <topomp/collective/detail/as_step.hpp>
#include <topomp/collective/impl/persistent_begin.ipp>
#include <topomp/collective/persistent.hpp>

#include <tuple>
#endif

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

/// A bit for each of so many columns: whether it is among those listed.
TOPOMP_INLINE void mark_columns(const std::vector<std::size_t>& columns, std::size_t all,
                                std::vector<std::uint64_t>& bits) {
    constexpr std::size_t width = 64;
    bits.assign((all + width - 1) / width, 0);
    for (const std::size_t column : columns)
        bits[column / width] |= std::uint64_t{1} << column % width;
}

/// The columns whose bits are set, ascending.
TOPOMP_INLINE std::vector<std::size_t> marked_columns(const std::vector<std::uint64_t>& bits) {
    constexpr std::size_t width = 64;
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < bits.size(); ++i)
        for (std::uint64_t left = bits[i]; left != 0; left &= left - 1)
            columns.push_back(i * width + static_cast<std::size_t>(std::countr_zero(left)));
    return columns;
}

/// The columns that are lost on any rank, ascending.
TOPOMP_INLINE std::vector<std::size_t>
lost_on_any(const hierarchy& levels, const std::vector<std::size_t>& lost, std::size_t columns) {
    std::vector<std::uint64_t> bits{lost.size()};
    keep_if_failed(bits, [&] { all_reduce(levels, bits, bits, std::plus<>{}); });
    if (bits.front() == 0) return {};
    mark_columns(lost, columns, bits);
    keep_if_failed(bits, [&] { all_reduce(levels, bits, bits, boost::mpi::bitwise_or<std::uint64_t>{}); });
    return marked_columns(bits);
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

/// The arguments of a sum beyond its call.
template <class T>
struct kept_exact_call : exact_call<T> {
    void keep(const exact_call<T>& call) {
        exact_call<T>::operator=(call);
        own_counts.assign(call.counts.begin(), call.counts.end());
        this->counts = own_counts;
    }
    std::size_t own_count(int rank) const {
        return this->what == exact_result::own_block ? own_counts[static_cast<std::size_t>(rank)] : 0;
    }
    std::vector<std::size_t> own_counts;
};

/// A reproducible sum whose operands a collective combines in another form, after they were loaded. That
/// collective is a part of it, so that whoever waits goes on with all that follows.
template <class Form>
class combined_sum : public operation {
public:
    combined_sum() = default;
    ~combined_sum() noexcept override = default; // that of `persistent` may throw in a checked build

    /// Others' messages may still come, with the tags that it would have again.
    void note_failure() noexcept override { lends_memory_ = true; }

    /// Once more, with what the operands are now. @pre it was prepared
    void start() {
        load();
        lends_memory_ = true; // for good if the next line but one throws
        prepared& one = Form::of(inner_);
        one.start();
        begin_part(*one.running);
        lends_memory_ = false;
    }

protected:
    /// @param combine begins the collective, or prepares it
    template <class Combine>
    void begin(Combine combine) {
        if constexpr (begins_at_once) {
            load();
            lends_memory_ = true; // for good if the next line throws
            inner_ = combine();
            if (operation* const one = in_background::part_of(inner_)) begin_part(*one);
            lends_memory_ = false;
        } else {
            inner_ = combine();
        }
    }
    bool is_combined() {
        if (!has_ended_part()) return false;
        if constexpr (begins_at_once) static_cast<void>(inner_.test());
        return true;
    }
    virtual void load() = 0;
    void let_go() noexcept override {
        if constexpr (begins_at_once)
            in_background::let_go(inner_);
        else if (inner_.is_made())
            Form::of(inner_).let_go();
    }

private:
    static constexpr bool begins_at_once = std::is_same_v<Form, at_once>;

    typename Form::result inner_;
};

/// The same of accumulators.
template <class Form, class T>
class rounding_operation final : public combined_sum<Form> {
public:
    void begin(const hierarchy& levels, const exact_call<T>& call, sums_combiner<Form, T> combine) {
        call_.keep(call);
        rank_ = levels.whole_rank();
        sums_.resize(call.count);
        block_.resize(call_.own_count(rank_));
        combined_sum<Form>::begin([&] { return combine(sums_, results()); });
    }

private:
    std::span<exact_sum<T>> results() { return call_.what == exact_result::own_block ? block_ : sums_; }

    void load() override {
        std::ranges::transform(call_.input, call_.input + call_.count, sums_.begin(),
                               [](T each) { return exact_sum<T>{each}; });
        is_rounded_ = false;
    }

    bool advance() override {
        if (!this->is_combined()) return false;
        if (!std::exchange(is_rounded_, true) && gets_result(call_, rank_))
            round_into<T>(results(), call_.result);
        return true;
    }

    kept_exact_call<T> call_;
    int rank_ = 0;
    bool is_rounded_ = false;
    std::vector<exact_sum<T>> sums_, block_;
};

/// The same of expansions. Columns that are lost are added up from operands afterwards, by messages of this
/// operation. Where ranks have different sums, they tell each other before which columns are lost: a bit for
/// each, in an all-reduce.
template <class Form, class T>
class expanding_operation final : public combined_sum<Form> {
public:
    using sums = std::span<expansions<T>>;

    /// @param combine `combine(sums, counts, to)`, as for accumulators, in blocks of expansions; for all
    /// ranks, also if only some get the result
    template <class Combine>
    void begin(const hierarchy& levels, const exact_call<T>& call, Combine combine) {
        call_.keep(call);
        ranks_ = &context::of(levels);
        // Now: ranks begin what may follow at different times.
        if constexpr (std::is_same_v<Form, at_once>) {
            operands_tag_ = ranks_->next_tag();
            lost_tag_.first = ranks_->next_tag();
        } else {
            tags_ = ranks_->reserve_tags();
            operands_tag_ = tags_.first;
            lost_tag_.first = tags_.first + 1;
        }
        if (sees_other_sums()) static_cast<void>(ranks_->order());
        partial_.prepare(call_, ranks_->rank());
        block_.resize(is_of_blocks() ? partial_.own().size() : 0);
        combined_sum<Form>::begin([&] {
            const sums all = partial_.data();
            return combine(all, partial_.counts(), is_of_blocks() ? sums{block_} : all);
        });
    }

private:
    enum class step { expansions, lost, operands, end };

    bool is_of_blocks() const { return call_.what == exact_result::own_block; }
    bool sees_other_sums() const { return call_.what != exact_result::of_all; }

    void load() override {
        partial_.load();
        step_ = step::expansions;
    }

    bool advance() override {
        if (step_ == step::expansions) {
            if (!this->is_combined()) return false;
            std::ranges::copy(block_, partial_.own().begin());
            std::vector<std::size_t> lost;
            if (gets_result(call_, ranks_->rank()) || !sees_other_sums()) lost = partial_.lost();
            if (sees_other_sums())
                tell_lost(lost);
            else
                add_lost(std::move(lost));
        }
        if (step_ == step::lost) {
            if (!this->has_ended_part()) return false;
            add_lost(marked_columns(bits_));
        }
        if (step_ == step::operands) {
            if (!this->has_ended_part()) return false;
            partial_.write_again();
            step_ = step::end;
        }
        return true;
    }

    void tell_lost(const std::vector<std::size_t>& lost) {
        step_ = step::lost;
        mark_columns(lost, call_.count, bits_);
        this->begin_part(exchange_);
        lost_tag_.taken = 0;
        const context::start_of_one now{*ranks_, &lost_tag_};
        exchange_.start_doubling(*ranks_, bits_.data(),
                                 {bits_.data(), bits_.size(), datatype_of<std::uint64_t>()},
                                 combination_of<boost::mpi::bitwise_or<std::uint64_t>, std::uint64_t>(), 2);
    }

    void add_lost(std::vector<std::size_t> lost) {
        partial_.keep(std::move(lost));
        partial_.write();
        exact_call<T> again = partial_.again();
        step_ = again.count == 0 ? step::end : step::operands;
        if (step_ == step::end) return;
        this->begin_part(direct_);
        direct_.start(*ranks_, std::move(again), operands_tag_);
    }

    kept_exact_call<T> call_;
    context* ranks_ = nullptr;
    reserved_tags tags_;
    int operands_tag_ = 0;
    fixed_tags lost_tag_{0, 1, 0};
    step step_ = step::end;
    partial_sum<expansions<T>> partial_;
    std::vector<expansions<T>> block_;
    std::vector<std::uint64_t> bits_;
    all_reduce_exchange exchange_;
    exact_operation<T> direct_;
};

/// An `exact_operation` that can be started again and again, with the same tag.
template <class T>
class prepared_exact_operation final : public exact_operation<T> {
public:
    void begin(const hierarchy& levels, const exact_call<T>& call) {
        call_.keep(call);
        ranks_ = &context::of(levels);
        tags_ = ranks_->reserve_tags();
    }
    void start() {
        this->lends_memory_ = true; // for good if the next line throws
        exact_operation<T>::start(*ranks_, call_, tags_.first);
        this->lends_memory_ = false;
    }
    /// Others' messages may still come, with the same tag.
    void note_failure() noexcept override { this->lends_memory_ = true; }

private:
    kept_exact_call<T> call_;
    context* ranks_ = nullptr;
    reserved_tags tags_;
};

/// A reproducible sum that can be started again and again.
template <class Operation>
struct prepared_sum final : prepared {
    prepared_sum(const hierarchy& on, const char* name, std::unique_ptr<Operation> made)
        : prepared(name, context::of(on).running()), levels(on) {
        running = std::move(made);
    }
    ~prepared_sum() override {
        if (running != nullptr && running->is_idle()) running.reset(); // nothing is left behind
    }
    void start() override { static_cast<Operation&>(*running).start(); }
    void let_go() noexcept override { const hierarchy left{std::move(levels)}; }

    hierarchy levels; ///< which keeps its communicators
};

/// Begins an operation. @param begin `begin(operation)`
template <class Form, class Operation, class Begin>
typename Form::result begin_sum_operation(const hierarchy& levels, const char* name, Begin begin) {
    if constexpr (std::is_same_v<Form, at_once>) {
        return in_background{levels}(context::of(levels).template pool<Operation>(), begin);
    } else {
        auto made = std::make_unique<Operation>();
        begin(*made);
        return Form::of(std::make_unique<prepared_sum<Operation>>(levels, name, std::move(made)));
    }
}

/// Begins to combine sums, for all ranks if not in blocks or prefixes. @param counts of a block for each rank
/// @param to where those of the own block go, else `sums`
template <class Form, exact_result What, class Sum>
typename Form::result begin_combining(const hierarchy& levels, const char* name, std::span<Sum> sums,
                                      [[maybe_unused]] const std::vector<std::size_t>& counts,
                                      std::span<Sum> to) {
    constexpr std::plus<> plus{};
    if constexpr (What == exact_result::own_block)
        return reduce_scatter_form<Form>(name, levels, sums, counts, to, plus);
    else if constexpr (What == exact_result::prefix)
        return scan_form<scan_kind::inclusive, Form>(name, levels, sums, to, plus);
    else if constexpr (What == exact_result::prefix_before)
        return scan_form<scan_kind::exclusive, Form>(name, levels, sums, to, plus);
    else
        return all_reduce_form<Form>(name, levels, sums, to, plus);
}

template <class Form, class T>
typename Form::result begin_by_sums(const hierarchy& levels, const char* name, const exact_call<T>& call,
                                    sums_combiner<Form, T> combine) {
    const in_flight::turn alone{in_flight::of(levels)};
    return begin_sum_operation<Form, rounding_operation<Form, T>>(
        levels, name, [&](auto& op) { op.begin(levels, call, combine); });
}

template <class Form, exact_result What, class T>
typename Form::result begin_exact_sum(const hierarchy& levels, const char* name, const exact_call<T>& call) {
    const in_flight::turn alone{in_flight::of(levels)};
    check_host_memory(levels, "topo::reproducible", {call.input, call.result});
    switch (form_of(levels, call, exact_form::expansions)) {
    case exact_form::fixed_point: // expansions are never longer
    case exact_form::operands:
        if constexpr (std::is_same_v<Form, at_once>) {
            context& ranks = context::of(levels);
            return in_background{levels}(ranks.pool<exact_operation<T>>(), [&](exact_operation<T>& op) {
                op.start(ranks, call, ranks.next_tag());
            });
        } else {
            return begin_sum_operation<Form, prepared_exact_operation<T>>(
                levels, name, [&](auto& op) { op.begin(levels, call); });
        }
    case exact_form::expansions:
        return begin_sum_operation<Form, expanding_operation<Form, T>>(levels, name, [&](auto& op) {
            op.begin(levels, call, [&](auto sums, const auto& counts, auto to) {
                return begin_combining<Form, What>(levels, name, sums, counts, to);
            });
        });
    case exact_form::windows:
    case exact_form::sums:
        break;
    }
    return begin_by_sums<Form, T>(levels, name, call, [&](auto sums, auto to) {
        if constexpr (What == exact_result::of_all)
            if (call.receivers.size() == 1)
                return reduce_form<Form>(name, levels, sums, to, std::plus<>{}, call.receivers.front());
        const std::vector<std::size_t> counts(call.counts.begin(), call.counts.end());
        return begin_combining<Form, What>(levels, name, sums, counts, to);
    });
}

#ifdef TOPOMP_COMPILED
template <class Form, class T>
constexpr auto compiled_exact_sums() {
    return std::tuple{&begin_by_sums<Form, T>, &begin_exact_sum<Form, exact_result::of_all, T>,
                      &begin_exact_sum<Form, exact_result::own_block, T>,
                      &begin_exact_sum<Form, exact_result::prefix, T>,
                      &begin_exact_sum<Form, exact_result::prefix_before, T>};
}
[[gnu::used]] static constexpr std::tuple compiled_exact_forms{
    compiled_exact_sums<at_once, float>(), compiled_exact_sums<at_once, double>(),
    compiled_exact_sums<when_started, float>(), compiled_exact_sums<when_started, double>()};
[[gnu::used]] static constexpr std::tuple compiled_exact_steps{
    &begin_by_sums<as_step, float>, &begin_by_sums<as_step, double>,
    &begin_exact_sum<as_step, exact_result::of_all, float>,
    &begin_exact_sum<as_step, exact_result::of_all, double>};
#endif

} // namespace topo::detail
