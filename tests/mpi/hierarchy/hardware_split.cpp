// SPDX-License-Identifier: BSL-1.0
// Our levels against the MPI's own splits by hardware, where both know the level: the standard's by shared
// memory, MPI-4's unguided one in MPICH, the extensions of Open MPI. The run with bound ranks is the one that
// sees cores.
#include "support/check_levels.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/split.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hardware_split_tests {

using boost::mpi::communicator;
using topo::kind;

namespace {

/// Whether the launcher was told to bind each rank to a core; tests/mpi/CMakeLists.txt says so.
[[maybe_unused]] bool are_bound() { return std::getenv("TOPOMP_TEST_BOUND") != nullptr; }

communicator split_type(MPI_Comm comm, int type, MPI_Info info = MPI_INFO_NULL) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split_type(comm, type, 0, info, &part);
    if (part == MPI_COMM_NULL) return {MPI_COMM_NULL, boost::mpi::comm_attach};
    return {part, boost::mpi::comm_take_ownership};
}

void check_same(const communicator& whole, const communicator& theirs, const topo::level& ours) {
    CHECK(topo_test::members(ours.comm(), whole) == topo_test::members(theirs, whole));
}

} // namespace

TEST_CASE("nodes are the MPI's") {
    const communicator world;
    const auto ours = topo::split(world, kind::machine);
    const auto theirs = split_type(world, MPI_COMM_TYPE_SHARED);
    CHECK(ours.has_value());
    if (ours) check_same(world, theirs, *ours);
}

#if defined(MPICH_VERSION) && defined(MPI_COMM_TYPE_HW_UNGUIDED)

namespace {

std::optional<kind> kind_of(std::string_view theirs) {
    static constexpr std::array<std::pair<std::string_view, kind>, 6> names{{{"node", kind::machine},
                                                                             {"machine", kind::machine},
                                                                             {"package", kind::package},
                                                                             {"numanode", kind::numa_node},
                                                                             {"core", kind::core},
                                                                             {"hwthread", kind::pu}}};
    for (const auto& [name, which] : names)
        if (name == theirs) return which;
    return std::nullopt;
}

} // namespace

TEST_CASE("MPICH's unguided levels are ours") {
    const communicator world;
    std::map<kind, std::optional<topo::level>> ours; // first, for ranks may differ in what MPICH gives them
    for (const kind which : {kind::machine, kind::package, kind::numa_node, kind::core, kind::pu})
        ours[which] = topo::split(world, which);

    bool has_cores = false;
    for (communicator parent = world; parent;) {
        MPI_Info info = MPI_INFO_NULL;
        MPI_Info_create(&info);
        const communicator below = split_type(parent, MPI_COMM_TYPE_HW_UNGUIDED, info);
        std::array<char, 64> type{};
        int is_named = 0;
        MPI_Info_get(info, "mpi_hw_resource_type", static_cast<int>(type.size()) - 1, type.data(), &is_named);
        MPI_Info_free(&info);
        parent = below;
        if (!below || is_named == 0) continue;

        INFO(std::string{type.data()});
        const auto which = kind_of(type.data());
        has_cores = has_cores || which == kind::core;
        if (which && ours[*which]) check_same(world, below, *ours[*which]);
    }
    if (!are_bound()) return;
    const auto& core = ours[kind::core];
    CHECK(core.has_value());
    if (core) CHECK(has_cores == (core->size() < world.size()));
}

#elif defined(OPEN_MPI)

TEST_CASE("Open MPI's levels are ours, where a rank is bound inside one") {
    const communicator world;
    const std::array<std::pair<kind, int>, 6> known{{{kind::package, OMPI_COMM_TYPE_SOCKET},
                                                     {kind::l3_cache, OMPI_COMM_TYPE_L3CACHE},
                                                     {kind::l2_cache, OMPI_COMM_TYPE_L2CACHE},
                                                     {kind::l1_cache, OMPI_COMM_TYPE_L1CACHE},
                                                     {kind::core, OMPI_COMM_TYPE_CORE},
                                                     {kind::pu, OMPI_COMM_TYPE_HWTHREAD}}};
    for (const auto& each : known) {
        const kind which = each.first;
        const auto type = each.second;
        INFO(std::string{to_string(which)});
        const auto ours = topo::split(world, which);
        const auto theirs = split_type(world, type);
        // Of ranks that it did not bind itself, Open MPI says that they share nothing.
        if (ours && theirs && are_bound()) check_same(world, theirs, *ours);
        if (which == kind::core) CHECK((ours.has_value() || !are_bound()));
    }
}

#endif

} // namespace hardware_split_tests
