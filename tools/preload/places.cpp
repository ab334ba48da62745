// SPDX-License-Identifier: BSL-1.0
#include "places.hpp"

#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <type_traits>
#include <utility>

namespace topo::preload {

namespace {

/// What parts of nodes are, the wider first.
constexpr std::array parts_of_nodes{kind::group,     kind::package,  kind::die,
                                    kind::numa_node, kind::l3_cache, kind::l2_cache};

} // namespace

void places_of_ranks::gather(const place& mine, int node) {
    spot here{node, {}};
    static_assert(std::is_trivially_copyable_v<spot> && parts_of_nodes.size() == here.inside.size());
    for (const hardware_object& each : mine.path())
        if (const auto* const found = std::ranges::find(parts_of_nodes, each.kind);
            found != parts_of_nodes.end())
            here.inside[static_cast<std::size_t>(found - parts_of_nodes.begin())] =
                static_cast<std::uint16_t>(each.index + 1); // 0: in none
    spots_.resize(static_cast<std::size_t>(mpi::comm_size(MPI_COMM_WORLD)));
    mpi::check(
        MPI_Allgather(&here, sizeof here, MPI_BYTE, spots_.data(), sizeof here, MPI_BYTE, MPI_COMM_WORLD),
        "MPI_Allgather", "places of ranks");
}

std::optional<detail::node_table> places_of_ranks::table_of(MPI_Comm comm) const {
    const int size = mpi::comm_size(comm);
    std::vector<int> ranks(static_cast<std::size_t>(size)), in_world(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    mpi::check(MPI_Comm_group(comm, &group), "MPI_Comm_group", "places of ranks");
    mpi::check(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group", "places of ranks");
    const int code = MPI_Group_translate_ranks(group, size, ranks.data(), world, in_world.data());
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    mpi::check(code, "MPI_Group_translate_ranks", "places of ranks");
    if (std::ranges::count(in_world, MPI_UNDEFINED) > 0) return std::nullopt;

    // Each step divides the groups of the step before; a group is called after its lowest rank.
    std::vector<int> groups(ranks.size());
    std::size_t number = 0;
    const auto divide = [&](auto object_of) {
        std::map<std::pair<int, int>, int> lowest;
        for (std::size_t rank = 0; rank < groups.size(); ++rank) {
            const auto& there = spots_[static_cast<std::size_t>(in_world[rank])];
            groups[rank] =
                lowest.try_emplace({groups[rank], object_of(there)}, static_cast<int>(rank)).first->second;
        }
        return std::exchange(number, lowest.size()) < lowest.size();
    };
    std::vector<detail::node_table::path> paths(ranks.size());
    const auto set_from = [&](std::size_t step) {
        for (std::size_t rank = 0; rank < paths.size(); ++rank)
            std::fill(paths[rank].begin() + static_cast<std::ptrdiff_t>(step), paths[rank].end(),
                      groups[rank]);
    };
    divide([](const spot& there) { return there.node; });
    set_from(0);
    std::size_t step = 1;
    for (std::size_t part = 0; part < parts_of_nodes.size() && step < paths.front().size(); ++part)
        if (divide([&](const spot& there) { return static_cast<int>(there.inside[part]); })) set_from(step++);
    return detail::node_table::of_paths(paths);
}

std::vector<int> places_of_ranks::node_sizes() const {
    std::vector<int> sizes;
    std::map<int, std::size_t> numbers;
    for (const spot& each : spots_) {
        const auto [found, is_new] = numbers.try_emplace(each.node, sizes.size());
        if (is_new) sizes.push_back(0);
        ++sizes[found->second];
    }
    return sizes;
}

} // namespace topo::preload
