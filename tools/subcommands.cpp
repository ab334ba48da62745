// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"

namespace topo::tool {

// Each is in command_NAME.cpp.
std::unique_ptr<subcommand> make_show();
std::unique_ptr<subcommand> make_measure();
std::unique_ptr<subcommand> make_tune();
std::unique_ptr<subcommand> make_predict();
std::unique_ptr<subcommand> make_explain();
std::unique_ptr<subcommand> make_map();
std::unique_ptr<subcommand> make_run();
std::unique_ptr<subcommand> make_doctor();
std::unique_ptr<subcommand> make_describe();

std::vector<std::unique_ptr<subcommand>> all_subcommands() {
    std::vector<std::unique_ptr<subcommand>> all; // in the order of the help
    for (const auto make : {make_show, make_measure, make_tune, make_predict, make_explain, make_map,
                            make_run, make_doctor, make_describe})
        all.push_back(make());
    return all;
}

} // namespace topo::tool
