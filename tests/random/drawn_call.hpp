// SPDX-License-Identifier: BSL-1.0
/// @file
/// One call with its arguments, drawn alike on all ranks.
#pragma once

#include "drawn_plan.hpp"
#include "field.hpp"
#include "layouts.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/persistent.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/policy.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace topo_random {

/// What calls are drawn from.
struct drawing {
    const topo::hierarchy& levels;
    topo_test::dice& roll;  ///< the same on all ranks
    std::uint64_t call = 0; ///< no other call has the same data

    int rank() const { return levels.whole_rank(); }
    int size() const { return levels.whole_size(); }
    int below(int end) const { return roll.up_to(end - 1); }

    /// A rank's data. @param number of the data, where a rank has several
    bytes data_of(int rank, std::size_t count, std::uint64_t number = 0) const {
        return random_bytes((call * 4099 + static_cast<std::uint64_t>(rank)) * 4111 + number, count);
    }
    /// Numbers of elements: most are few.
    std::size_t draw_count(std::size_t most) const {
        const auto up_to = [&](std::size_t end) {
            return static_cast<std::size_t>(roll.up_to(static_cast<int>(std::min(most, end))));
        };
        switch (roll.up_to(8)) {
        case 0:
            return 0;
        case 1:
            return std::min<std::size_t>(most, 1);
        case 2:
        case 3:
            return up_to(9);
        case 4:
        case 5:
            return up_to(90);
        case 6: { // around a power of two
            const std::size_t power = std::size_t{1} << static_cast<unsigned>(roll.up_to(13));
            return std::min(most, power - 1 + static_cast<std::size_t>(roll.up_to(2)));
        }
        case 7:
            return up_to(1200);
        default:
            return up_to(most);
        }
    }
};

/// The calling rank's part of a call.
struct drawn_call {
    std::string text;         ///< the same on all ranks
    std::deque<field> fields; ///< this rank's memory: the call keeps their addresses
    const named_plan* by = nullptr;
    /// Runs the call, or begins it.
    std::function<topo::request()> start;
    /// Looks at more than fields. Empty: all is right
    std::function<std::string()> look = [] { return std::string{}; };

    field& add(const layout& of, std::size_t elements, const drawing& from) {
        const std::uint64_t noise = from.call * 31 + fields.size() + 1;
        return fields.emplace_back(of, elements, noise, from.call % 2 == 0 ? 64 : 0);
    }
    std::string difference() const {
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (const auto problem = fields[i].difference(); !problem.empty())
                return "buffer " + std::to_string(i) + " " + problem;
        return look();
    }
};

/// How a verb is called.
enum class form { waits, in_background, prepared };

/// Its name, such as `ibroadcast` or `broadcast_init`.
inline std::string name_of(const char* verb, form call_form) {
    return (call_form == form::in_background ? "i" : "") + std::string{verb} +
           (call_form == form::prepared ? "_init" : "");
}

/// Prepares a collective by the policy that was drawn, and starts it some times.
/// @param make from a policy to a `topo::persistent`
template <class Make>
topo::request start_prepared(const named_plan& by, int times, Make make) {
    topo::persistent step = by.is_automatic ? make(topo::automatic{}) : make(drawn{});
    for (int i = 0; i < times; ++i) {
        step.start();
        while (i % 2 == 1 && !step.test())
            std::this_thread::yield();
        step.wait();
    }
    return {};
}

drawn_call draw_barrier(const drawing& from, bool in_background);
drawn_call draw_broadcast(const drawing& from, form call_form);
drawn_call draw_all_gather(const drawing& from, form call_form);
drawn_call draw_all_to_all(const drawing& from, form call_form);
drawn_call draw_reduce(const drawing& from, bool in_background);
drawn_call draw_all_reduce(const drawing& from, form call_form);
drawn_call draw_gather(const drawing& from);
drawn_call draw_scatter(const drawing& from);
drawn_call draw_all_gatherv(const drawing& from, form call_form);
drawn_call draw_all_to_allv(const drawing& from, form call_form);
drawn_call draw_reduce_scatter(const drawing& from);
drawn_call draw_scan(const drawing& from);
drawn_call draw_hybrid(const drawing& from);
drawn_call draw_grid(const drawing& from);
drawn_call draw_neighbours(const drawing& from);
drawn_call draw_sparse_exchange(const drawing& from, bool in_background);
drawn_call draw_reproducible(const drawing& from);

/// Any of them that goes on in the background.
drawn_call draw_in_background(const drawing& from);
/// Any of them.
drawn_call draw_call(const drawing& from);

} // namespace topo_random
