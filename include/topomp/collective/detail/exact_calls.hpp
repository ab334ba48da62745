// SPDX-License-Identifier: BSL-1.0
/// @file
/// From a verb with `topo::reproducible` to an operation.
#pragma once

#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact_sum.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/forms/all_reduce.hpp>
#include <topomp/collective/forms/reduce.hpp>
#include <topomp/collective/forms/reduce_scatter.hpp>
#include <topomp/collective/forms/scan.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <boost/mpi/datatype_fwd.hpp>
#include <boost/mpi/operations.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo {

struct reproducible;

/// As Boost.MPI makes a datatype.
template <class Archive, class T>
void serialize(Archive& archive, exact_sum<T>& sum, const unsigned int) {
    for (auto& word : sum.data())
        archive& word;
}

} // namespace topo

namespace boost::mpi {

template <class T>
struct is_mpi_datatype<topo::exact_sum<T>> : mpl::true_ {};
template <class T>
struct is_commutative<std::plus<topo::exact_sum<T>>, topo::exact_sum<T>> : mpl::true_ {};

} // namespace boost::mpi

namespace topo::detail {

/// Waits for a reproducible sum, by whichever way is the fastest.
/// @collective over the whole
void sum_exactly(const hierarchy& levels, const exact_call<float>& call);
void sum_exactly(const hierarchy& levels, const exact_call<double>& call);

/// The same without waiting. @tparam Form `at_once` or `when_started` @tparam What `call.what`
/// @param name of the call, as errors have it
template <class Form, exact_result What, class T>
typename Form::result begin_exact_sum(const hierarchy& levels, const char* name, const exact_call<T>& call);

/// The operands of one call on one rank.
template <class T>
struct exact_arguments {
    const T* input = nullptr;
    T* result = nullptr;
    std::size_t count = 0;  ///< of operands
    bool has_result = true; ///< on this rank

    exact_call<T> of_all(std::vector<int> receivers = {}) const {
        return {exact_result::of_all, input, result, count, {}, std::move(receivers)};
    }
    exact_call<T> prefix(exact_result which) const { return {which, input, result, count}; }
    exact_call<T> own_block(const integers& counts) const {
        return {exact_result::own_block, input, result, count, counts};
    }
};

/// Checks that the hierarchy is open, and in a checked build compares the ranks' arguments, unless the policy
/// is passed on to a verb that does so.
template <verb Verb, class Policy>
void begin_exact(const hierarchy& levels, std::size_t bytes, const call_facts& facts) {
    if constexpr (decides_at_run_time<Policy>)
        static_cast<void>(select<Verb, automatic>(levels, bytes, true, facts));
    else
        require_open<Verb>(facts, levels);
}

/// @param matters whether this rank gets a result @throws argument_error if then the sizes differ
template <verb Verb, class Policy, class Elements, class Result>
auto exact_operands(const hierarchy& levels, std::string_view call, bool matters, const Elements& elements,
                    Result& result, int root = -1) {
    using T = element_value_t<Elements>;
    static_assert(std::is_same_v<T, element_value_t<Result>>,
                  "topo::reproducible: elements and result must be of one type");
    const std::size_t count = length_of(elements);
    check_own(call, levels, [&] {
        if (root >= 0 || Verb == verb::reduce) require_root(call, root, levels);
        require_same_size(call, matters, count, length_of(result));
        require_memory(call, "elements", count, sizeof(exact_sum<T>));
        require_data(call, "elements", data_of(elements), count, datatype_of<T>());
        if (matters) require_data(call, "result", data_of(result), count, datatype_of<T>());
    });
    const exact_arguments<T> both{data_of(elements), data_of(result), count, matters};
    begin_exact<Verb, Policy>(
        levels, count * sizeof(T),
        {.call = call, .root = root < 0 ? 0 : root, .data = {both.result, count, datatype_of<T>()}});
    return both;
}

template <verb Verb, class Policy, class Elements, class Result>
auto exact_operands_at(const hierarchy& levels, std::string_view call, int root, const Elements& elements,
                       Result& result) {
    return exact_operands<Verb, Policy>(levels, call, levels.whole_rank() == root, elements, result, root);
}

template <class Policy, class Elements, class Result>
auto exact_blocks(const hierarchy& levels, const char* call, const Elements& elements, const integers& counts,
                  Result& result) {
    using T = element_value_t<Elements>;
    static_assert(std::is_same_v<T, element_value_t<Result>>,
                  "topo::reproducible: elements and result must be of one type");
    const message all = view_of(elements), mine = message_of(result);
    const blocks input{all.data, all.type, 0, counts};
    check_own(call, levels, [&] {
        require_counts(call, input, levels);
        if (const auto expected = require_reduce_scatter(call, levels, input, mine); all.count != expected)
            throw argument_error(call, "elements",
                                 "there are " + std::to_string(all.count) + ", the blocks have " +
                                     std::to_string(expected));
    });
    begin_exact<verb::reduce_scatter, Policy>(levels, all.count * sizeof(T),
                                              {.call = call,
                                               .data = {nullptr, all.count, all.type},
                                               .lengths = hash_of_lengths(input, levels.whole_size())});
    return exact_arguments<T>{data_of(elements), data_of(result), all.count};
}

template <class T>
void round_into(std::span<const exact_sum<T>> sums, T* to) {
    for (const auto& each : sums)
        *to++ = each.value();
}

/// Combines accumulators in the place of numbers. @param combine takes those of the operands and leaves those
/// of the results
template <class T, class Combine>
void by_sums(const exact_arguments<T>& what, Combine combine) {
    std::vector<exact_sum<T>> sums(what.input, what.input + what.count);
    keep_if_failed(sums, [&] { combine(sums); });
    if (what.has_result) round_into<T>(sums, what.result);
}

/// A sum as `call` says by policies that decide at run time; by others `by_sums`.
template <class Policy, class T, class Combine>
void sum_by(const hierarchy& levels, const exact_arguments<T>& what, const exact_call<T>& call,
            Combine combine) {
    if constexpr (decides_at_run_time<Policy>)
        sum_exactly(levels, call);
    else
        by_sums(what, combine);
}

/// Begins the collective that combines accumulators. They live until it is complete, or is destroyed.
/// @param to where the results go: those of a block, else `sums`
template <class Form, class T>
using sums_combiner =
    function_ref<typename Form::result(std::span<exact_sum<T>> sums, std::span<exact_sum<T>> to)>;

/// The same as `by_sums` without waiting.
template <class Form, class T>
typename Form::result begin_by_sums(const hierarchy& levels, const char* name, const exact_call<T>& call,
                                    sums_combiner<Form, T> combine);

/// The same as `sum_by` without waiting.
template <class Form, class Policy, exact_result What, class T, class Combine>
typename Form::result begin_sum_by(const hierarchy& levels, const char* name, const exact_call<T>& call,
                                   Combine combine) {
    if constexpr (decides_at_run_time<Policy>)
        return begin_exact_sum<Form, What>(levels, name, call);
    else
        return begin_by_sums<Form, T>(levels, name, call, combine);
}

template <class T>
    requires(std::is_same_v<T, float> || std::is_same_v<T, double>)
struct own_forms<reproducible, T> {
    using sums = std::span<exact_sum<T>>;
    static constexpr std::plus<> plus{};

    template <class Form, class Policy, class Elements, class Result>
    static auto all_reduce(const char* call, const hierarchy& levels, const Elements& elements,
                           Result& result) {
        const auto both = exact_operands<verb::all_reduce, Policy>(levels, call, true, elements, result);
        return begin_sum_by<Form, Policy, exact_result::of_all>(
            levels, call, both.of_all(),
            [&](sums all, sums to) { return all_reduce_form<Form>(call, levels, all, to, plus, Policy{}); });
    }
    template <class Form, class Policy, class Elements, class Result>
    static auto reduce(const char* call, const hierarchy& levels, const Elements& elements, Result& result,
                       int root) {
        const auto both = exact_operands_at<verb::reduce, Policy>(levels, call, root, elements, result);
        return begin_sum_by<Form, Policy, exact_result::of_all>(
            levels, call, both.of_all({root}), [&](sums all, sums to) {
                return reduce_form<Form>(call, levels, all, to, plus, root, Policy{});
            });
    }
    template <class Form, class Policy, class Elements, class Result>
    static auto reduce_scatter(const char* call, const hierarchy& levels, const Elements& elements,
                               const integers& counts, Result& result) {
        const auto both = exact_blocks<Policy>(levels, call, elements, counts, result);
        return begin_sum_by<Form, Policy, exact_result::own_block>(
            levels, call, both.own_block(counts), [&](sums all, sums to) {
                return reduce_scatter_form<Form>(call, levels, all, counts, to, plus, Policy{});
            });
    }
    template <class Form, class Policy, class Elements, class Result>
    static auto reduce_scatter(const char* call, const hierarchy& levels, const Elements& elements,
                               Result& result) {
        require_open(call, levels);
        const std::vector<std::size_t> counts(static_cast<std::size_t>(levels.whole_size()),
                                              length_of(result));
        return reduce_scatter<Form, Policy>(call, levels, elements, counts, result);
    }
    template <scan_kind Kind, class Form, class Policy, class Elements, class Result>
    static auto scan(const char* call, const hierarchy& levels, const Elements& elements, Result& result) {
        constexpr bool is_inclusive = Kind == scan_kind::inclusive;
        constexpr auto what = is_inclusive ? exact_result::prefix : exact_result::prefix_before;
        constexpr verb which = is_inclusive ? verb::scan : verb::exclusive_scan;
        const auto both = exact_operands<which, Policy>(levels, call, true, elements, result);
        return begin_sum_by<Form, Policy, what>(levels, call, both.prefix(what), [&](sums all, sums to) {
            return scan_form<Kind, Form>(call, levels, all, to, plus, Policy{});
        });
    }
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/exact_calls.ipp>
#endif
