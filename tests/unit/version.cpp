// SPDX-License-Identifier: BSL-1.0
#include <topomp/version.hpp>

#include <doctest/doctest.h>

#include <string>

namespace version_tests {

TEST_CASE("the version's text is made of its three numbers") {
    const std::string expected = std::to_string(TOPOMP_VERSION_MAJOR) + '.' +
                                 std::to_string(TOPOMP_VERSION_MINOR) + '.' +
                                 std::to_string(TOPOMP_VERSION_PATCH);
    CHECK(topo::version == expected);
}

} // namespace version_tests
