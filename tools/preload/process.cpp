// SPDX-License-Identifier: BSL-1.0
#include "process.hpp"

#include "background.hpp"
#include "communicators.hpp"
#include "report.hpp"
#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/discover.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace topo::preload {

namespace {

void say(const std::string& line) {
    if (mpi::comm_rank(MPI_COMM_WORLD) == 0) std::fprintf(stderr, "topomp-preload: %s\n", line.c_str());
}

std::int64_t random_number() {
    std::random_device source;
    const auto high = static_cast<std::uint64_t>(source()), low = static_cast<std::uint64_t>(source());
    return static_cast<std::int64_t>((high << 32U | low) >> 1U);
}

} // namespace

process& process::self() {
    // Never destroyed: a program may call MPI from the destructors of its static objects.
    static process& only = *new process;
    return only;
}

void process::begin() noexcept {
    has_begun = true;
    try {
        // MPI_Finalize need not come by here.
        detail::finalize_hook::add([] { self().end(); });
        auto variables = environment::read();
        variables.share();
        std::vector<std::string> complaints;
        asked = read_settings(variables, complaints);
        try {
            policy = chooser::read(variables.policy, variables.tuning);
        } catch (const argument_error& problem) {
            complaints.emplace_back(problem.what());
        }
        for (const std::string& line : complaints)
            say(line);
        if (asked.reports) report::self().start();
        if (!asked.has_collectives && !asked.has_grids && !asked.has_dims_create) return;
        world = random_number();
        mpi::bcast(&world, 1, MPI_INT64_T, 0, MPI_COMM_WORLD, "number of the program");
        find_places();
        ask_for_background();
        if (asked.has_grids || asked.has_dims_create) places.gather(mine, node);
        is_on = true;
    } catch (const std::exception& problem) { // which all ranks meet alike
        say(std::string{problem.what()} + "; every call is left to the MPI");
    }
}

void process::find_places() {
    const boost::mpi::communicator all{MPI_COMM_WORLD, boost::mpi::comm_attach};
    if (asked.machine.empty()) {
        mine = discover_place(all);
    } else {
        const auto on = machine::parse(asked.machine);
        const auto rule = asked.is_round_robin ? placement::round_robin() : placement::core_by_core();
        mine = on.place_of(rule.seats(on, all.size())[static_cast<std::size_t>(all.rank())]);
    }
    for (const hardware_object& each : mine.path())
        if (each.kind == kind::machine) node = each.index;
}

void process::ask_for_background() {
    if (!asked.has_collectives || policy.is_flat() || asked.nonblocking == background_wish::never) return;
    int level = MPI_THREAD_SINGLE, least = 0;
    mpi::check(MPI_Query_thread(&level), "MPI_Query_thread", "MPI");
    const int mine_is_enough = level == MPI_THREAD_MULTIPLE ? 1 : 0;
    mpi::allreduce(&mine_is_enough, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, "threads");
    has_background = least == 1;
    if (asked.nonblocking != background_wish::always) return;
    // Programs that call nothing else shall be served too.
    if (has_background)
        hierarchy_at_once(MPI_COMM_WORLD);
    else
        say("TOPOMP_NONBLOCKING=1: threads may not call this MPI; non-blocking collectives are left to it");
}

void process::end() noexcept {
    if (std::exchange(has_ended, true)) return;
    is_on = false;
    background::self().stop();
    try {
        if (asked.reports) report::self().print();
    } catch (const std::exception& problem) {
        say(problem.what());
    }
}

} // namespace topo::preload
