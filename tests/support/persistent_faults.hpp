// SPDX-License-Identifier: BSL-1.0
/// @file
/// What can be wrong with persistent collectives and requests.
#pragma once

#include "program_check.hpp"
#include <topomp/core/detail/checked.hpp>
#include <topomp/topomp.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace topo_test {

/// Whether a call throws an exception of a type whose text has these words.
template <class Exception, class Call>
bool throws_with(const std::string& words, Call call) {
    try {
        call();
    } catch (const Exception& problem) {
        return std::string{problem.what()}.find(words) != std::string::npos;
    }
    return false;
}

/// On all ranks at the same time.
inline void check_persistent_faults(const topo::hierarchy& levels) {
    using topo::argument_error, topo::usage_error;
    const int size = levels.whole().size();
    const auto ranks = static_cast<std::size_t>(size);
    std::vector<int> mine(3, 1), sum(3), all(3 * ranks), short_one(1);
    const std::plus<> plus;
    {
        auto step = topo::all_reduce_init(levels, mine, sum, plus);
        step.start();
        check(
            throws_with<usage_error>("topo::all_reduce_init: topo::persistent::start", [&] { step.start(); }),
            "a second start");
        check(throws_with<usage_error>("topo::persistent::free", [&] { step.free(); }),
              "free of an active one");
        step.wait();
        check(sum == std::vector<int>(3, size), "the start that was right");
    }
    check(throws_with<usage_error>("topo::persistent::start: persistent: there is no collective in it",
                                   [] { topo::persistent{}.start(); }),
          "start of none");
    check(throws_with<argument_error>(
              "topo::all_reduce_init",
              [&] { static_cast<void>(topo::all_reduce_init(levels, mine, short_one, plus)); }),
          "a result that is too short");
    check(
        throws_with<argument_error>("topo::igather", [&] { topo::igather(levels, mine, all, size).wait(); }),
        "a root that is no rank");
    check(
        throws_with<argument_error>(
            "topo::iall_gatherv", [&] { topo::iall_gatherv(levels, mine, all, std::vector<int>{}).wait(); }),
        "no counts");
    check(throws_with<argument_error>("topo::ireduce_scatter",
                                      [&] { topo::ireduce_scatter(levels, mine, all, plus).wait(); }) ||
              size == 1,
          "blocks that are too long");
    if constexpr (topo::detail::is_checked) {
        check(throws_with<usage_error>("topo::all_reduce_init: topo::persistent::~persistent",
                                       [&] {
                                           auto step = topo::all_reduce_init(levels, mine, sum, plus);
                                           step.start();
                                       }),
              "the end of an active one");
        std::vector<int> growing(3, 1);
        auto step = topo::all_reduce_init(levels, growing, sum, plus);
        growing.resize(1000);
        check(throws_with<argument_error>("topo::all_reduce_init: buffer", [&] { step.start(); }),
              "a buffer that has moved");
        check(!step.active(), "what was refused is not active");
    }
}

} // namespace topo_test
