// SPDX-License-Identifier: BSL-1.0
// Reproducible sums, compared with sums of 128-bit integers that are rounded once.
#include "drawn_call.hpp"
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/exclusive_scan_init.hpp>
#include <topomp/collective/iexclusive_scan.hpp>
#include <topomp/collective/ireduce_scatter.hpp>
#include <topomp/collective/iscan.hpp>
#include <topomp/collective/reduce_init.hpp>
#include <topomp/collective/reduce_scatter_init.hpp>
#include <topomp/collective/reproducible.hpp>
#include <topomp/collective/scan_init.hpp>

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace topo_random {

namespace {

using topo::detail::verb;
__extension__ typedef __int128 wide;

constexpr std::size_t longest_sums = 4000; ///< elements

/// Operands of a type as integers, of which each is a number of the type times 2^`scale`.
template <class T>
struct integers_of {
    static constexpr int digits = sizeof(T) == sizeof(float) ? 24 : 50, most_shift = 60, scale = -40;

    /// Every other rank takes away nearly all that the rank before it gives.
    static wide at(const drawing& from, int rank, std::size_t index) {
        const auto draw = [&](int who, std::uint64_t number) {
            const bytes raw = from.data_of(who, sizeof(std::uint64_t), 1 + 2 * index + number);
            std::uint64_t bits = 0;
            std::memcpy(&bits, raw.data(), sizeof bits);
            return bits;
        };
        const auto of = [&](int who) {
            const std::uint64_t bits = draw(who, 0);
            const auto number = static_cast<wide>(bits >> (64 - digits));
            const wide shifted = number << static_cast<int>(bits % most_shift);
            return bits / 64 % 2 == 0 ? shifted : -shifted;
        };
        const bool cancels = rank % 2 == 1 && draw(rank, 1) % 4 != 0;
        return cancels ? -of(rank - 1) : of(rank);
    }
    static T value(wide number) { return std::ldexp(static_cast<T>(number), scale); }
};

template <class T>
bytes as_bytes(const std::vector<T>& values) {
    const auto raw = std::as_bytes(std::span{values});
    return {raw.begin(), raw.end()};
}

/// The operands of the ranks from 0 to `last`, summed.
template <class T>
bytes exact_sums(const drawing& from, int last, std::size_t first, std::size_t count) {
    std::vector<T> made;
    for (std::size_t i = first; i < first + count; ++i) {
        wide sum = 0;
        for (int rank = 0; rank <= last; ++rank)
            sum += integers_of<T>::at(from, rank, i);
        made.push_back(integers_of<T>::value(sum));
    }
    return as_bytes(made);
}

template <class T>
drawn_call draw_sums(const drawing& from, MPI_Datatype type) {
    constexpr verb verbs[] = {verb::all_reduce, verb::reduce, verb::scan, verb::exclusive_scan,
                              verb::reduce_scatter};
    const verb what = verbs[from.roll.up_to(4)];
    const form how{from.roll.up_to(2)};
    const bool is_scan = what == verb::scan || what == verb::exclusive_scan;
    const auto ranks = static_cast<std::size_t>(from.size());
    const std::size_t own =
                          from.draw_count(what == verb::reduce_scatter ? longest_sums / ranks : longest_sums),
                      all = what == verb::reduce_scatter ? own * ranks : own;
    const int root = from.below(from.size());
    const bool in_place = what != verb::reduce_scatter && from.roll.one_in(3);

    drawn_call made;
    made.by = from.roll.one_in(2) ? &plan_by_name("automatic")
                                  : &draw_plan(from.roll, what, is_scan, how != form::waits);
    const layout of{sizeof(T) == sizeof(float) ? "MPI_FLOAT" : "MPI_DOUBLE",
                    type,
                    sizeof(T),
                    {{0, sizeof(T)}},
                    sizeof(T),
                    0,
                    sizeof(T)};
    field& input = made.add(of, all, from);
    field& result = in_place ? input : made.add(of, own, from);
    std::vector<T> mine;
    for (std::size_t i = 0; i < all; ++i)
        mine.push_back(integers_of<T>::value(integers_of<T>::at(from, from.rank(), i)));
    input.write(0, as_bytes(mine));
    const int last = !is_scan ? from.size() - 1 : what == verb::scan ? from.rank() : from.rank() - 1;
    const std::size_t first = what == verb::reduce_scatter ? own * static_cast<std::size_t>(from.rank()) : 0;
    if (last >= 0 && (what != verb::reduce || from.rank() == root))
        result.expect(0, exact_sums<T>(from, last, first, own));
    made.text = name_of(topo::detail::name_of(what).c_str(), how) + " of " + std::to_string(own) + ' ' +
                of.name + ", reproducible" + (in_place ? " in place" : "") +
                (what == verb::reduce ? " to " + std::to_string(root) : "") + " by " + made.by->name;

    const std::span<T> operands{static_cast<T*>(input.data()), all}, to{static_cast<T*>(result.data()), own};
    made.start = [&levels = from.levels, by = made.by, what, how, operands, to, root]() -> topo::request {
        constexpr topo::reproducible op;
        const auto prepare = [&](auto policy) {
            if (what == verb::all_reduce) return topo::all_reduce_init(levels, operands, to, op, policy);
            if (what == verb::reduce) return topo::reduce_init(levels, operands, to, op, root, policy);
            if (what == verb::scan) return topo::scan_init(levels, operands, to, op, policy);
            if (what == verb::exclusive_scan)
                return topo::exclusive_scan_init(levels, operands, to, op, policy);
            return topo::reduce_scatter_init(levels, operands, to, op, policy);
        };
        const auto run = [&](auto policy) -> topo::request {
            if (how == form::in_background) {
                if (what == verb::all_reduce) return topo::iall_reduce(levels, operands, to, op, policy);
                if (what == verb::reduce) return topo::ireduce(levels, operands, to, op, root, policy);
                if (what == verb::scan) return topo::iscan(levels, operands, to, op, policy);
                if (what == verb::exclusive_scan)
                    return topo::iexclusive_scan(levels, operands, to, op, policy);
                return topo::ireduce_scatter(levels, operands, to, op, policy);
            }
            if (what == verb::all_reduce) topo::all_reduce(levels, operands, to, op, policy);
            if (what == verb::reduce) topo::reduce(levels, operands, to, op, root, policy);
            if (what == verb::scan) topo::scan(levels, operands, to, op, policy);
            if (what == verb::exclusive_scan) topo::exclusive_scan(levels, operands, to, op, policy);
            if (what == verb::reduce_scatter) topo::reduce_scatter(levels, operands, to, op, policy);
            return {};
        };
        if (how == form::prepared) return start_prepared(*by, operands.data() == to.data() ? 1 : 3, prepare);
        return by->is_automatic ? run(topo::automatic{}) : run(drawn{});
    };
    return made;
}

} // namespace

drawn_call draw_reproducible(const drawing& from) {
    return from.roll.one_in(2) ? draw_sums<float>(from, MPI_FLOAT) : draw_sums<double>(from, MPI_DOUBLE);
}

} // namespace topo_random
