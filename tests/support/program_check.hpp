// SPDX-License-Identifier: BSL-1.0
/// @file
/// Checks for test programs without a test framework: where MPI does not run, or memory is counted.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <typeinfo>

namespace topo_test {

/// Checks that have failed in this process.
inline int failed_checks = 0;

inline void check(bool is_right, std::string_view what) {
    if (is_right) return;
    ++failed_checks;
    std::fprintf(stderr, "wrong: %.*s\n", static_cast<int>(what.size()), what.data());
}

/// Checks that `call` throws exactly an `Expected` whose message has `part` in it.
template <class Expected, class Call>
void check_throws(Call&& call, std::string_view part, const char* what) {
    try {
        call();
        std::fprintf(stderr, "no exception\n");
    } catch (const std::exception& problem) {
        const bool is_right =
            typeid(problem) == typeid(Expected) && std::string_view{problem.what()}.find(part) != part.npos;
        if (is_right) return;
        std::fprintf(stderr, "%s: %s\n", typeid(problem).name(), problem.what());
    }
    check(false, what);
}

inline int exit_code() { return failed_checks == 0 ? EXIT_SUCCESS : EXIT_FAILURE; }

} // namespace topo_test
