// SPDX-License-Identifier: BSL-1.0
// The main of unit_tests: no MPI.
#define DOCTEST_CONFIG_IMPLEMENT
#include "test_session.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>

REGISTER_LISTENER("counting", 1, topo_test::counting_listener);

int main(int argc, char** argv) {
    doctest::Context context{argc, argv};
    const int result = context.run();
    if (context.shouldExit()) return result;
    if (topo_test::executed_test_cases == 0) {
        std::cerr << "unit_tests: no test case executed\n";
        return EXIT_FAILURE;
    }
    return result;
}
