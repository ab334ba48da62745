// SPDX-License-Identifier: BSL-1.0
#include "launch.hpp"

#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/place.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

namespace topo::tool {

namespace {

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

int number_in(const char* name) {
    const char* const text = std::getenv(name);
    int number = 0;
    if (text != nullptr) std::from_chars(text, text + std::strlen(text), number);
    return number;
}

/// Whether a rank may run on all cores of its node, of which there are several.
bool may_run_anywhere(const place& where) {
    const auto& path = where.path();
    auto inside = std::ranges::find(path, kind::machine, &hardware_object::kind);
    if (inside == path.end()) return false;
    // A whole package is the whole node where there is no other.
    return std::all_of(inside + 1, path.end(), [](const hardware_object& each) {
        return each.fills_outer && each.kind != kind::core && each.kind != kind::pu;
    });
}

} // namespace

std::string_view launch::binding_option(bool shares_cores) const {
    switch (by) {
    case launcher::open_mpi: // which refuses to bind more ranks than there are cores
        return shares_cores ? "--bind-to core:overload-allowed" : "--bind-to core";
    case launcher::hydra:
        return "-bind-to core";
    case launcher::slurm:
        return "--cpu-bind=cores";
    default:
        return "";
    }
}

std::string_view launch::name() const {
    switch (by) {
    case launcher::open_mpi:
        return "Open MPI's mpirun";
    case launcher::hydra:
        return "mpiexec (Hydra)";
    case launcher::slurm:
        return "srun";
    case launcher::none:
        return "no launcher";
    default:
        return "the launcher";
    }
}

launch detect_launch() {
    launch found;
    const auto says = [&](launcher by, const char* ranks, const char* own) {
        found.by = by;
        found.ranks = number_in(ranks);
        found.ranks_named = ranks;
        found.is_first = number_in(own) == 0;
    };
    found.has_mpi =
        is_set("OMPI_COMM_WORLD_SIZE") || is_set("PMIX_RANK") || is_set("PMI_RANK") || is_set("PMI_SIZE");
    // Inside a job of Slurm the other launchers start their own helpers by srun, whose variables their ranks
    // inherit.
    if (is_set("OMPI_COMM_WORLD_SIZE"))
        says(launcher::open_mpi, "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK");
    else if (is_set("MPI_LOCALRANKID") && !is_set("PMIX_RANK"))
        says(launcher::hydra, "PMI_SIZE", "PMI_RANK");
    else if (is_set("SLURM_STEP_NUM_TASKS") && is_set("SLURM_PROCID"))
        says(launcher::slurm, "SLURM_STEP_NUM_TASKS", "SLURM_PROCID");
    else if (found.has_mpi)
        says(launcher::unknown, "PMI_SIZE", "PMI_RANK");
    return found;
}

rank_census count_ranks(const boost::mpi::communicator& world, const place& mine) {
    const bool knows_switches = !mine.path().empty() && mine.path().front().kind == kind::network_switch;
    const std::array<int, 2> own{may_run_anywhere(mine) ? 1 : 0, knows_switches ? 1 : 0};
    std::array<int, 2> all{};
    mpi::allreduce(own.data(), all.data(), 2, MPI_INT, MPI_SUM, world, "what ranks know of their place");
    return {world.size(), all[0], all[1]};
}

std::string separate_programs(const launch& started, int world) {
    if (world > 1 || started.ranks <= 1) return {};
    const std::string count = std::to_string(started.ranks);
    std::string text = started.ranks_named + "=" + count + ", but each of the " + count +
                       " processes is an MPI program of its own; ";
    if (started.by == launcher::slurm)
        return text + "start them with one of the ways that srun --mpi=list offers: --mpi=pmix for Open MPI, "
                      "--mpi=pmi2 for MPICH";
    return text + "this topomp is built for another MPI than that of " + std::string{started.name()};
}

void refuse_other_size(const std::string& caller, std::optional<int> asked, int world) {
    if (asked.value_or(world) != world)
        throw argument_error(caller, "--ranks " + std::to_string(*asked),
                             "this run has " + std::to_string(world) + " ranks");
}

} // namespace topo::tool
