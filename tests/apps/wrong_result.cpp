// SPDX-License-Identifier: BSL-1.0
// A program like those of benchmarks/apps whose result is wrong, as rank 0 finds: all ranks must end with
// status 1.
#include "support/program.hpp"

int main(int argc, char** argv) {
    return apps::main_of(
        argc, argv, "apps", "wrong", "nothing", [](apps::command_line&) {},
        []() -> apps::json {
            apps::require_on_root(MPI_COMM_WORLD, "");
            apps::require_on_root(MPI_COMM_WORLD, apps::rank_in(MPI_COMM_WORLD) == 0 ? "off by one" : "");
            return {};
        });
}
