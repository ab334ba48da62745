// SPDX-License-Identifier: BSL-1.0
/// @file
/// That a call throws the right exception, with the right words in it.
#pragma once

#include <doctest/doctest.h>

#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <typeinfo>

namespace topo_test {

/// Checks that `call` throws exactly an `Expected` whose message has all of `parts`.
template <class Expected, class Call>
void check_fails(Call&& call, std::initializer_list<std::string_view> parts) {
    std::string message = "no exception";
    bool is_expected = false;
    try {
        call();
    } catch (const std::exception& problem) {
        message = problem.what();
        is_expected = typeid(problem) == typeid(Expected);
    } catch (...) {
        message = "an exception that is not a std::exception";
    }
    INFO(message);
    CHECK(is_expected);
    for (const std::string_view part : parts) {
        INFO("expected in it: " << std::string{part});
        CHECK(message.find(part) != std::string::npos);
    }
}

} // namespace topo_test
