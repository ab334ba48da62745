// SPDX-License-Identifier: BSL-1.0
// Calls that combine data.
#include "drawn_call.hpp"
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/scan.hpp>

#include <mpi.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace topo_random {

namespace {

using topo::detail::verb;

constexpr std::size_t longest_operands = 60000;

/// A rank's operands: their data without gaps.
bytes operands_of(const drawing& from, const operation& combiner, int rank, std::size_t count) {
    bytes made = from.data_of(rank, count * combiner.on->size);
    combiner.adjust_all(made, rank);
    return made;
}

/// What the ranks up to `last` give, in their order.
bytes combined(const drawing& from, const operation& combiner, int last, std::size_t count) {
    bytes result = operands_of(from, combiner, 0, count);
    for (int rank = 1; rank <= last; ++rank) {
        bytes next = operands_of(from, combiner, rank, count);
        combiner.combine_all(result, next);
        result.swap(next);
    }
    return result;
}

std::string text_of(const char* call, bool in_background, const std::string& count,
                    const operation& combiner) {
    return (in_background ? "i" : "") + std::string{call} + " of " + count + ", " + combiner.name;
}

} // namespace

drawn_call draw_reduce(const drawing& from, bool in_background) {
    drawn_call made;
    const operation combiner = draw_operation(from.roll);
    const std::size_t count = from.draw_count(longest_operands / combiner.on->size);
    const int root = from.below(from.size());
    const bool is_root = from.rank() == root, in_place = from.roll.one_in(3), has_null = from.roll.one_in(2);
    made.by = &draw_plan(from.roll, verb::reduce, !combiner.commutes, in_background);
    field& input = made.add(*combiner.on, count, from);
    field& result = made.add(*combiner.on, count, from);
    const auto mine = operands_of(from, combiner, from.rank(), count);
    input.write(0, mine);
    if (is_root) {
        if (in_place) result.write(0, mine);
        result.expect(0, combined(from, combiner, from.size() - 1, count));
        if (combiner.may_write_gaps) result.allow_gaps(count);
    }
    made.text = text_of("reduce", in_background, std::to_string(count), combiner) +
                (in_place ? " in place" : "") + " to " + std::to_string(root) + " by " + made.by->name;
    const void* const source = in_place && is_root ? MPI_IN_PLACE : input.data();
    const topo::message to{is_root || !has_null ? result.data() : nullptr, count, combiner.on->type};
    made.start = [&levels = from.levels, in_background, source, to, op = combiner.op,
                  root]() -> topo::request {
        if (in_background) return topo::ireduce(levels, source, to, op, root, drawn{});
        topo::reduce(levels, source, to, op, root, drawn{});
        return {};
    };
    return made;
}

drawn_call draw_all_reduce(const drawing& from, form call_form) {
    drawn_call made;
    const operation what = draw_operation(from.roll);
    const std::size_t count = from.draw_count(longest_operands / what.on->size);
    const bool in_place = from.roll.one_in(3);
    made.by = &draw_plan(from.roll, verb::all_reduce, !what.commutes, call_form != form::waits);
    field& input = made.add(*what.on, count, from);
    field& result = made.add(*what.on, count, from);
    const auto mine = operands_of(from, what, from.rank(), count);
    input.write(0, mine);
    if (in_place) result.write(0, mine);
    result.expect(0, combined(from, what, from.size() - 1, count));
    if (what.may_write_gaps) result.allow_gaps(count);
    made.text = text_of(name_of("all_reduce", call_form).c_str(), false, std::to_string(count), what) +
                (in_place ? " in place" : "") + " by " + made.by->name;
    const void* const source = in_place ? MPI_IN_PLACE : input.data();
    const topo::message to{result.data(), count, what.on->type};
    made.start = [&levels = from.levels, call_form, by = made.by, in_place, source, to,
                  op = what.op]() -> topo::request {
        if (call_form == form::in_background) return topo::iall_reduce(levels, source, to, op, drawn{});
        if (call_form == form::prepared) // the second time in place it would be the sum of sums
            return start_prepared(*by, in_place ? 1 : 2, [&](auto policy) {
                return topo::all_reduce_init(levels, source, to, op, policy);
            });
        topo::all_reduce(levels, source, to, op, drawn{});
        return {};
    };
    return made;
}

drawn_call draw_reduce_scatter(const drawing& from) {
    drawn_call made;
    const operation combiner = draw_operation(from.roll);
    const auto ranks = static_cast<std::size_t>(from.size());
    const std::size_t most = longest_operands / combiner.on->size / ranks;
    const bool is_v = from.roll.one_in(2);
    std::vector<std::size_t> counts(ranks, from.draw_count(most));
    if (is_v)
        for (std::size_t& each : counts)
            each = from.roll.one_in(5) ? 0 : from.draw_count(most);
    enum { apart, in_place, at_beginning };
    const int where = from.roll.up_to(2);
    made.by = &draw_plan(from.roll, verb::reduce_scatter, !combiner.commutes, false);
    const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    const auto me = counts.begin() + from.rank();
    const std::size_t before = std::accumulate(counts.begin(), me, std::size_t{0}), own = *me;
    field& input = made.add(*combiner.on, all, from);
    field& mine = made.add(*combiner.on, own, from);
    input.write(0, operands_of(from, combiner, from.rank(), all));
    const auto sum = combined(from, combiner, from.size() - 1, all);
    const auto size = static_cast<std::ptrdiff_t>(combiner.on->size);
    const bytes block(sum.begin() + static_cast<std::ptrdiff_t>(before) * size,
                      sum.begin() + static_cast<std::ptrdiff_t>(before + own) * size);
    field& to = where == apart ? mine : input;
    to.expect(where == in_place ? before : 0, block);
    if (combiner.may_write_gaps) to.allow_gaps(where == apart ? own : all);
    std::string text;
    for (const std::size_t each : counts)
        text.append(text.empty() ? "" : " ").append(std::to_string(each));
    constexpr const char* places[] = {"", " in place", " at the beginning of the input"};
    made.text = text_of("reduce_scatter", false, is_v ? text : std::to_string(counts.front()), combiner) +
                places[where] + " by " + made.by->name;
    topo::message result{to.data(), own, combiner.on->type};
    if (where == in_place) result.data = MPI_IN_PLACE;
    made.start = [&levels = from.levels, &input, result, counts, is_v, op = combiner.op]() -> topo::request {
        topo::blocks source{input.data(), input.type(), counts.front()};
        if (is_v) source = {input.data(), input.type(), 0, counts};
        topo::reduce_scatter(levels, source, result, op, drawn{});
        return {};
    };
    return made;
}

drawn_call draw_scan(const drawing& from) {
    drawn_call made;
    const operation combiner = draw_operation(from.roll);
    const std::size_t count = from.draw_count(longest_operands / combiner.on->size);
    const bool in_place = from.roll.one_in(3), is_exclusive = from.roll.one_in(2);
    made.by = &draw_plan(from.roll, is_exclusive ? verb::exclusive_scan : verb::scan, true, false);
    field& input = made.add(*combiner.on, count, from);
    field& result = made.add(*combiner.on, count, from);
    const auto mine = operands_of(from, combiner, from.rank(), count);
    input.write(0, mine);
    if (in_place) result.write(0, mine);
    const int last = is_exclusive ? from.rank() - 1 : from.rank();
    if (last >= 0) result.expect(0, combined(from, combiner, last, count));
    if (combiner.may_write_gaps) result.allow_gaps(count);
    made.text = text_of(is_exclusive ? "exclusive_scan" : "scan", false, std::to_string(count), combiner) +
                (in_place ? " in place" : "") + " by " + made.by->name;
    const void* const source = in_place ? MPI_IN_PLACE : input.data();
    const topo::message to{result.data(), count, combiner.on->type};
    made.start = [&levels = from.levels, is_exclusive, source, to, op = combiner.op]() -> topo::request {
        if (is_exclusive)
            topo::exclusive_scan(levels, source, to, op, drawn{});
        else
            topo::scan(levels, source, to, op, drawn{});
        return {};
    };
    return made;
}

} // namespace topo_random
