// SPDX-License-Identifier: BSL-1.0
/// @file
/// The `topomp` command: reads the command line, starts MPI where a launcher did, and reports errors.
#include "command.hpp"
#include "help.hpp"
#include "launch.hpp"
#include "terminal.hpp"
#include <topomp/core/mpi.hpp>

#include <boost/mpi/environment.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using subcommands = std::vector<std::unique_ptr<topo::tool::subcommand>>;

constexpr int exit_bad_input = 2;

/// One line, whatever the message holds. Where it names the subcommand, as `topomp show: ...`, the command is
/// named once.
void complain(const topo::tool::process& here, std::string message) {
    if (!here.is_speaker) return;
    if (constexpr std::string_view name = "topomp "; message.starts_with(name)) message.erase(0, name.size());
    std::ranges::replace(message, '\n', ' ');
    const auto colours = topo::tool::colours_of(STDERR_FILENO);
    std::cerr << colours.in(colours.bad, "topomp:") << ' ' << message << std::endl;
}

int run(const subcommands& all, int argc, char** argv, const topo::tool::process& here) {
    const auto topomp = topo::tool::make_command_line(all);
    try {
        topomp->parse(argc, argv);
        const auto chosen = topomp->get_subcommands();
        if (chosen.empty()) {
            if (here.is_speaker) std::cout << topomp->help();
            return 0;
        }
        for (const auto& each : all)
            if (chosen.front()->get_name() == each->words().name) return each->run(here);
    } catch (const CLI::Success& answered) { // --help, --version
        return here.is_speaker ? topomp->exit(answered) : 0;
    } catch (const CLI::ExtrasError& problem) {
        auto unexpected = topomp->remaining(true);
        for (const CLI::App* each : topomp->get_subcommands())
            for (auto& word : each->remaining(true))
                unexpected.push_back(std::move(word));
        complain(here, problem.what() + topo::tool::suggestion(*topomp, unexpected));
        return exit_bad_input;
    } catch (const std::exception& problem) {
        complain(here, problem.what());
        return exit_bad_input;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const auto all = topo::tool::all_subcommands();
    const std::string_view name = argc > 1 ? argv[1] : "";
    const auto found =
        std::ranges::find_if(all, [&](const auto& each) { return each->words().name == name; });
    const topo::tool::subcommand* const named = found == all.end() ? nullptr : found->get();

    topo::tool::process here;
    here.started = topo::tool::detect_launch();
    here.is_speaker = here.started.is_first;
    // MPI starts only where it may be needed: it takes time, and fails where no MPI job may run, as on a
    // login node.
    here.is_in_mpi = here.started.has_mpi && (named == nullptr || named->uses_mpi());
    // What hwloc has to say of a broken file, the command says in a line. A program that it starts is not the
    // command's, and what the user has set stays.
    if (named != nullptr && named->takes_command()) {
        char** const end = std::find(argv, argv + argc, std::string_view{"--"}); // behind it nothing is ours
        if (end != argv + argc) here.rest.assign(end + 1, argv + argc);
        argc = static_cast<int>(end - argv);
    } else {
        setenv("HWLOC_HIDE_ERRORS", "2", 0);
    }
    std::optional<boost::mpi::environment> mpi;
    if (here.is_in_mpi) {
        mpi.emplace(argc, argv);
        here.is_speaker = topo::mpi::comm_rank(MPI_COMM_WORLD) == 0;
    }
    return run(all, argc, argv, std::move(here));
}
