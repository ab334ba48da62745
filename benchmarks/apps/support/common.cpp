// SPDX-License-Identifier: BSL-1.0
#include "common.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <iostream>

namespace apps {

double median(std::vector<double> of) {
    std::ranges::sort(of);
    return (of[(of.size() - 1) / 2] + of[of.size() / 2]) / 2;
}

std::string mpi_name() {
    if constexpr (is_simulated) return "SimGrid SMPI";
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string all = text.data();
    return all.substr(0, all.find_first_of(",\n"));
}

void declare_charges(command_line& line, double& gflops) {
    line.add("--gflops", gflops,
             "in a simulation: 10^9 operations a second of one core, as computing is charged")
        .range(1e-6, 1e9);
    line.add_call(
        "--charged",
        [](const std::string& text) {
            topo_bench::charge_nodes<double>(topo_bench::node_charges::read(text), MPI_COMM_WORLD);
        },
        "in a simulation: GB/s of a receiver and of an operation, and us of a message's end, that nodes are "
        "charged");
}

int run(int argc, char** argv, const std::string& name, const std::string& description,
        const std::function<void(command_line&)>& declare, const std::function<int()>& work) {
    int given = 0, status = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
    const bool is_speaker = rank_in(MPI_COMM_WORLD) == 0;
    const auto complain = [&](std::string text) {
        std::ranges::replace_if(
            text, [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
        std::cerr << name + ": " + text + '\n' << std::flush;
    };
    const auto fail = [&](const std::exception& problem, int with) { // on all ranks together
        if (is_speaker) complain(problem.what());
        status = with;
    };
    try {
        command_line line{name, description};
        declare(line);
        if (const auto help = line.read(argc, argv); !help)
            status = work();
        else if (is_speaker)
            std::cout << *help << std::flush;
    } catch (const refused& problem) {
        fail(problem, 2);
    } catch (const wrong_result& problem) {
        fail(problem, 1);
    } catch (const std::exception& problem) { // perhaps on this rank only: the others would wait for it
        complain(problem.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return status;
}

} // namespace apps
