// SPDX-License-Identifier: BSL-1.0
// Calls that move data.
#include "drawn_call.hpp"
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_gather_init.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_gatherv_init.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/all_to_all_init.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/all_to_allv_init.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/broadcast_init.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/iall_gather.hpp>
#include <topomp/collective/iall_gatherv.hpp>
#include <topomp/collective/iall_to_all.hpp>
#include <topomp/collective/iall_to_allv.hpp>
#include <topomp/collective/ibarrier.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/collective/scatterv.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo_random {

namespace {

using topo::detail::verb;

/// The layouts of a call's buffers: all of one signature, not the same on all ranks.
class ends {
public:
    /// @param one_by_one whether an end may have several elements for one of the other's
    explicit ends(const drawing& from, bool one_by_one = true)
        : one_by_one_(one_by_one),
          of_(families()[static_cast<std::size_t>(from.below(static_cast<int>(families().size())))]),
          first_(from.below(static_cast<int>(of_.layouts.size()))), kind_(from.below(4)) {}

    /// Bytes of data of an element.
    std::size_t size() const { return of_.layouts.front().size; }
    /// At most so many elements in all.
    std::size_t most(std::size_t bytes) const { return bytes / size(); }

    struct end {
        const layout& of;
        std::size_t factor; ///< elements of it for one of the others'
    };
    /// @param number of a buffer: 0 or 1, and the rank it is on
    end at(int rank, int number) const {
        const bool is_other = kind_ == 1 ? number == 1 : kind_ == 2 ? rank % 2 == 1 : kind_ == 3;
        if (!is_other) return {of_.layouts[static_cast<std::size_t>(first_)], 1};
        if (kind_ != 3 && one_by_one_ && of_.basics > 0) return {of_.basic, of_.basics};
        return {of_.layouts[static_cast<std::size_t>(first_ + rank + number) % of_.layouts.size()], 1};
    }

    std::string text() const {
        const std::string& name = of_.layouts[static_cast<std::size_t>(first_)].name;
        const char* const other = one_by_one_ ? " one by one" : " in another layout";
        if (kind_ == 1) return name + ", one end" + other;
        if (kind_ == 2) return name + ", odd ranks" + other;
        return kind_ == 3 ? name + ", another layout on each rank" : name;
    }

private:
    bool one_by_one_;
    const family& of_;
    int first_;
    int kind_;
};

std::string joined(const std::vector<std::size_t>& all) {
    std::string text;
    for (const std::size_t each : all)
        text.append(text.empty() ? "" : " ").append(std::to_string(each));
    return text;
}

/// Blocks of a rank's buffer.
struct arrangement {
    std::vector<std::size_t> counts, positions; ///< in elements of the buffer's layout
    bool has_positions = false;
    std::size_t end = 0;

    /// One behind the other, or in another order and with gaps.
    static arrangement of(std::vector<std::size_t> counts, bool has_positions, std::size_t turn) {
        arrangement made{std::move(counts), {}, has_positions, 0};
        const std::size_t ranks = made.counts.size();
        made.positions.resize(ranks);
        for (std::size_t i = 0; i < ranks; ++i) {
            const std::size_t rank = has_positions ? (ranks - 1 - i + turn) % ranks : i;
            if (has_positions) made.end += (rank + turn) % 3;
            made.positions[rank] = made.end;
            made.end += made.counts[rank];
        }
        return made;
    }
    arrangement times(std::size_t factor) const {
        arrangement made = *this;
        for (auto* each : {&made.counts, &made.positions})
            for (std::size_t& number : *each)
                number *= factor;
        made.end *= factor;
        return made;
    }
    topo::blocks in(const field& buffer) const {
        topo::blocks all{buffer.data(), buffer.type(), 0, counts, positions};
        if (!has_positions) all.positions = {};
        return all;
    }
};

std::vector<std::size_t> draw_counts(const drawing& from, std::size_t most) {
    std::vector<std::size_t> counts;
    for (int rank = 0; rank < from.size(); ++rank)
        counts.push_back(from.roll.one_in(5) ? 0 : from.draw_count(most));
    return counts;
}

constexpr std::size_t longest_message = 200000, longest_blocks = 60000;

std::string policy_text(const named_plan& chosen) { return " by " + chosen.name; }

} // namespace

drawn_call draw_barrier(const drawing& from, bool in_background) {
    drawn_call made;
    made.by = &draw_plan(from.roll, verb::barrier, false, in_background);
    made.text = (in_background ? "ibarrier" : "barrier") + policy_text(*made.by);
    made.start = [&levels = from.levels, in_background]() -> topo::request {
        if (in_background) return topo::ibarrier(levels, drawn{});
        topo::barrier(levels, drawn{});
        return {};
    };
    return made;
}

drawn_call draw_broadcast(const drawing& from, form call_form) {
    drawn_call made;
    // Long messages are cut between elements, which therefore are of one size on all ranks.
    const ends types{from, false};
    const int root = from.below(from.size());
    const std::size_t count = from.draw_count(types.most(longest_message));
    made.by = &draw_plan(from.roll, verb::broadcast, false, call_form != form::waits);
    const auto [of, factor] = types.at(from.rank(), from.rank() == root ? 0 : 1);
    field& buffer = made.add(of, count * factor, from);
    const auto data = from.data_of(root, count * types.size());
    if (from.rank() == root)
        buffer.write(0, data);
    else
        buffer.expect(0, data);
    made.text = name_of("broadcast", call_form) + " of " + std::to_string(count) + ' ' + types.text() +
                " from " + std::to_string(root) + policy_text(*made.by);
    const topo::message what{buffer.data(), count * factor, of.type};
    made.start = [&levels = from.levels, call_form, by = made.by, what, root]() -> topo::request {
        if (call_form == form::in_background) return topo::ibroadcast(levels, what, root, drawn{});
        if (call_form == form::prepared)
            return start_prepared(
                *by, 2, [&](auto policy) { return topo::broadcast_init(levels, what, root, policy); });
        topo::broadcast(levels, what, root, drawn{});
        return {};
    };
    return made;
}

drawn_call draw_all_gather(const drawing& from, form call_form) {
    drawn_call made;
    const ends types{from};
    const auto ranks = static_cast<std::size_t>(from.size()), me = static_cast<std::size_t>(from.rank());
    const std::size_t count = from.draw_count(types.most(longest_blocks) / ranks);
    const bool in_place = from.roll.one_in(3);
    made.by = &draw_plan(from.roll, verb::all_gather, false, call_form != form::waits);
    const auto [of, factor] = types.at(from.rank(), 0);
    const auto [other, other_factor] = types.at(from.rank(), 1);
    field& mine = made.add(of, count * factor, from);
    field& result = made.add(other, ranks * count * other_factor, from);
    const auto block = [&](std::size_t rank) {
        return from.data_of(static_cast<int>(rank), count * types.size());
    };
    mine.write(0, block(me));
    if (in_place) result.write(me * count * other_factor, block(me));
    for (std::size_t rank = 0; rank < ranks; ++rank)
        result.expect(rank * count * other_factor, block(rank));
    made.text = name_of("all_gather", call_form) + " of " + std::to_string(count) + ' ' + types.text() +
                (in_place ? " in place" : "") + policy_text(*made.by);
    const topo::message source{in_place ? MPI_IN_PLACE : mine.data(), count * factor, of.type};
    const topo::blocks all{result.data(), other.type, count * other_factor};
    made.start = [&levels = from.levels, call_form, by = made.by, source, all]() -> topo::request {
        if (call_form == form::in_background) return topo::iall_gather(levels, source, all, drawn{});
        if (call_form == form::prepared)
            return start_prepared(
                *by, 2, [&](auto policy) { return topo::all_gather_init(levels, source, all, policy); });
        topo::all_gather(levels, source, all, drawn{});
        return {};
    };
    return made;
}

drawn_call draw_all_to_all(const drawing& from, form call_form) {
    drawn_call made;
    const ends types{from};
    const auto ranks = static_cast<std::size_t>(from.size());
    const std::size_t count = from.draw_count(types.most(longest_blocks) / ranks);
    const bool in_place = call_form == form::waits && from.roll.one_in(3);
    made.by = &draw_plan(from.roll, verb::all_to_all, false, call_form != form::waits);
    const auto [of, factor] = types.at(from.rank(), 0);
    const auto [other, other_factor] = types.at(from.rank(), 1);
    field& source = made.add(of, ranks * count * factor, from);
    field& result = made.add(other, ranks * count * other_factor, from);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const auto there = from.data_of(from.rank(), count * types.size(), rank);
        source.write(rank * count * factor, there);
        if (in_place) result.write(rank * count * other_factor, there);
    }
    for (std::size_t rank = 0; rank < ranks; ++rank)
        result.expect(rank * count * other_factor, from.data_of(static_cast<int>(rank), count * types.size(),
                                                                static_cast<std::uint64_t>(from.rank())));
    made.text = name_of("all_to_all", call_form) + " of " + std::to_string(count) + ' ' + types.text() +
                (in_place ? " in place" : "") + policy_text(*made.by);
    topo::blocks there{source.data(), of.type, count * factor};
    if (in_place) there = {MPI_IN_PLACE};
    const topo::blocks here{result.data(), other.type, count * other_factor};
    made.start = [&levels = from.levels, call_form, by = made.by, there, here]() -> topo::request {
        if (call_form == form::in_background) return topo::iall_to_all(levels, there, here, drawn{});
        if (call_form == form::prepared)
            return start_prepared(
                *by, 2, [&](auto policy) { return topo::all_to_all_init(levels, there, here, policy); });
        topo::all_to_all(levels, there, here, drawn{});
        return {};
    };
    return made;
}

drawn_call draw_gather(const drawing& from) {
    drawn_call made;
    const ends types{from};
    const auto ranks = static_cast<std::size_t>(from.size());
    const int root = from.below(from.size());
    const bool is_root = from.rank() == root, in_place = from.roll.one_in(3), is_v = from.roll.one_in(2);
    const std::size_t most = types.most(longest_blocks) / ranks;
    const auto counts =
        is_v ? draw_counts(from, most) : std::vector<std::size_t>(ranks, from.draw_count(most));
    const arrangement layout = arrangement::of(counts, is_v && from.roll.one_in(2), ranks + counts.front());
    made.by = &draw_plan(from.roll, is_v ? verb::gatherv : verb::gather, false, false);
    const auto [of, factor] = types.at(from.rank(), 0);
    const auto [other, other_factor] = types.at(root, 1);
    const auto block = [&](int rank) {
        return from.data_of(rank, counts[static_cast<std::size_t>(rank)] * types.size());
    };
    const std::size_t own = counts[static_cast<std::size_t>(from.rank())];
    field& mine = made.add(of, own * factor, from);
    mine.write(0, block(from.rank()));
    const auto places = layout.times(other_factor);
    field& result = made.add(other, is_root ? places.end : 3, from);
    if (is_root) {
        const auto at = [&](int rank) { return places.positions[static_cast<std::size_t>(rank)]; };
        if (in_place) result.write(at(root), block(root));
        for (int rank = 0; rank < from.size(); ++rank)
            result.expect(at(rank), block(rank));
    }
    made.text = (is_v ? "gatherv of " + joined(counts) : "gather of " + std::to_string(counts.front())) +
                ' ' + types.text() + (layout.has_positions ? " at positions" : "") +
                (in_place ? " in place" : "") + " to " + std::to_string(root) + policy_text(*made.by);
    const topo::message source{in_place && is_root ? MPI_IN_PLACE : mine.data(), own * factor, of.type};
    made.start = [&levels = from.levels, is_v, is_root, source, places, &result, root]() -> topo::request {
        topo::blocks all{};
        if (is_root)
            all = is_v ? places.in(result) : topo::blocks{result.data(), result.type(), places.counts[0]};
        if (is_v)
            topo::gatherv(levels, source, all, root, drawn{});
        else
            topo::gather(levels, source, all, root, drawn{});
        return {};
    };
    return made;
}

drawn_call draw_scatter(const drawing& from) {
    drawn_call made;
    const ends types{from};
    const auto ranks = static_cast<std::size_t>(from.size());
    const int root = from.below(from.size());
    const bool is_root = from.rank() == root, in_place = from.roll.one_in(3), is_v = from.roll.one_in(2);
    const std::size_t most = types.most(longest_blocks) / ranks;
    const auto counts =
        is_v ? draw_counts(from, most) : std::vector<std::size_t>(ranks, from.draw_count(most));
    const arrangement layout = arrangement::of(counts, is_v && from.roll.one_in(2), ranks + counts.front());
    made.by = &draw_plan(from.roll, is_v ? verb::scatterv : verb::scatter, false, false);
    const auto [of, factor] = types.at(from.rank(), 0);
    const auto [other, other_factor] = types.at(root, 1);
    const auto block = [&](int rank) {
        return from.data_of(root, counts[static_cast<std::size_t>(rank)] * types.size(),
                            static_cast<std::uint64_t>(rank));
    };
    const std::size_t own = counts[static_cast<std::size_t>(from.rank())];
    field& mine = made.add(of, own * factor, from);
    if (!(in_place && is_root)) mine.expect(0, block(from.rank()));
    const auto places = layout.times(other_factor);
    field& source = made.add(other, is_root ? places.end : 3, from);
    if (is_root)
        for (int rank = 0; rank < from.size(); ++rank)
            source.write(places.positions[static_cast<std::size_t>(rank)], block(rank));
    made.text = (is_v ? "scatterv of " + joined(counts) : "scatter of " + std::to_string(counts.front())) +
                ' ' + types.text() + (layout.has_positions ? " at positions" : "") +
                (in_place ? " in place" : "") + " from " + std::to_string(root) + policy_text(*made.by);
    const topo::message to{in_place && is_root ? MPI_IN_PLACE : mine.data(), own * factor, of.type};
    made.start = [&levels = from.levels, is_v, is_root, to, places, &source, root]() -> topo::request {
        topo::blocks all{};
        if (is_root)
            all = is_v ? places.in(source) : topo::blocks{source.data(), source.type(), places.counts[0]};
        if (is_v)
            topo::scatterv(levels, all, to, root, drawn{});
        else
            topo::scatter(levels, all, to, root, drawn{});
        return {};
    };
    return made;
}

drawn_call draw_all_gatherv(const drawing& from, form call_form) {
    drawn_call made;
    const ends types{from};
    const auto ranks = static_cast<std::size_t>(from.size());
    const auto counts = draw_counts(from, types.most(longest_blocks) / ranks);
    const bool in_place = from.roll.one_in(3), has_positions = from.roll.one_in(2);
    made.by = &draw_plan(from.roll, verb::all_gatherv, false, call_form != form::waits);
    const auto [of, factor] = types.at(from.rank(), 0);
    const auto [other, other_factor] = types.at(from.rank(), 1);
    // Positions may be others on each rank.
    const auto places = arrangement::of(counts, has_positions, ranks + static_cast<std::size_t>(from.rank()))
                            .times(other_factor);
    const auto block = [&](int rank) {
        return from.data_of(rank, counts[static_cast<std::size_t>(rank)] * types.size());
    };
    const std::size_t own = counts[static_cast<std::size_t>(from.rank())];
    field& mine = made.add(of, own * factor, from);
    field& result = made.add(other, places.end, from);
    mine.write(0, block(from.rank()));
    const auto at = [&](int rank) { return places.positions[static_cast<std::size_t>(rank)]; };
    if (in_place) result.write(at(from.rank()), block(from.rank()));
    for (int rank = 0; rank < from.size(); ++rank)
        result.expect(at(rank), block(rank));
    made.text = name_of("all_gatherv", call_form) + " of " + joined(counts) + ' ' + types.text() +
                (has_positions ? " at positions" : "") + (in_place ? " in place" : "") +
                policy_text(*made.by);
    const topo::message source{in_place ? MPI_IN_PLACE : mine.data(), own * factor, of.type};
    made.start = [&levels = from.levels, call_form, by = made.by, source, places,
                  &result]() -> topo::request {
        if (call_form == form::in_background)
            return topo::iall_gatherv(levels, source, places.in(result), drawn{});
        if (call_form == form::prepared)
            return start_prepared(*by, 2, [&](auto policy) {
                return topo::all_gatherv_init(levels, source, places.in(result), policy);
            });
        topo::all_gatherv(levels, source, places.in(result), drawn{});
        return {};
    };
    return made;
}

drawn_call draw_all_to_allv(const drawing& from, form call_form) {
    drawn_call made;
    const ends types{from};
    const auto ranks = static_cast<std::size_t>(from.size()), me = static_cast<std::size_t>(from.rank());
    // From each to each, and in place as many back.
    const bool in_place = from.roll.one_in(3), has_positions = from.roll.one_in(2);
    const std::size_t most = types.most(longest_blocks) / (ranks * 2);
    std::vector<std::size_t> count(ranks * ranks);
    const std::size_t scale = from.draw_count(most);
    for (std::size_t i = 0; i < ranks; ++i)
        for (std::size_t j = 0; j < ranks; ++j) {
            count[i * ranks + j] = scale == 0 || from.roll.one_in(4)
                                       ? 0
                                       : static_cast<std::size_t>(from.below(static_cast<int>(scale) + 1));
            if (in_place && j < i) count[i * ranks + j] = count[j * ranks + i];
        }
    made.by = &draw_plan(from.roll, verb::all_to_allv, false, call_form != form::waits);
    const auto [of, factor] = types.at(from.rank(), 0);
    const auto [other, other_factor] = types.at(from.rank(), 1);
    std::vector<std::size_t> there, here;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        there.push_back(count[me * ranks + rank]);
        here.push_back(count[rank * ranks + me]);
    }
    const auto source_places = arrangement::of(there, has_positions, ranks + me).times(factor);
    const auto places = arrangement::of(here, has_positions && me % 2 == 0, ranks).times(other_factor);
    field& source = made.add(of, source_places.end, from);
    field& result = made.add(other, places.end, from);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const auto out = from.data_of(from.rank(), there[rank] * types.size(), rank);
        source.write(source_places.positions[rank], out);
        if (in_place) result.write(places.positions[rank], out);
    }
    for (std::size_t rank = 0; rank < ranks; ++rank)
        result.expect(places.positions[rank],
                      from.data_of(static_cast<int>(rank), here[rank] * types.size(), me));
    made.text = name_of("all_to_allv", call_form) + " of " + joined(count) + ' ' + types.text() +
                (has_positions ? " at positions" : "") + (in_place ? " in place" : "") +
                policy_text(*made.by);
    made.start = [&levels = from.levels, call_form, by = made.by, in_place, source_places, &source, places,
                  &result]() -> topo::request {
        const topo::blocks out = in_place ? topo::blocks{MPI_IN_PLACE} : source_places.in(source);
        if (call_form == form::in_background)
            return topo::iall_to_allv(levels, out, places.in(result), drawn{});
        if (call_form == form::prepared) // the second time in place all would go back
            return start_prepared(*by, in_place ? 1 : 2, [&](auto policy) {
                return topo::all_to_allv_init(levels, out, places.in(result), policy);
            });
        topo::all_to_allv(levels, out, places.in(result), drawn{});
        return {};
    };
    return made;
}

} // namespace topo_random
