// SPDX-License-Identifier: BSL-1.0
// Hierarchical processing of vectors with topomp: the levels are those of the machine.
#include "../support/made_up.hpp"
#include "vectors.hpp"
#include <topomp/hierarchy/gather_outline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace {

/// The same groups from the list of all communicators, which rank 0 has.
vectors::groups groups_of(const topo::outline& all) {
    vectors::groups result;
    for (int depth = all.max_depth() - 1; depth >= -1; --depth)
        for (const auto& each : all.communicators) {
            if (each.depth != depth) continue;
            std::vector<int> inside, meeting;
            for (const int child : each.children) {
                const auto& ranks = all.communicators[static_cast<std::size_t>(child)].ranks;
                inside.insert(inside.end(), ranks.begin() + 1, ranks.end()); // their roots stand for them
            }
            std::ranges::copy_if(each.ranks, std::back_inserter(meeting),
                                 [&](int rank) { return std::ranges::find(inside, rank) == inside.end(); });
            result.push_back(meeting);
        }
    return result;
}

vectors::hierarchy make(const topo::place& mine, bool has_check) {
    const topo::hierarchy levels{MPI_COMM_WORLD, mine};
    vectors::hierarchy made;
    for (int i = levels.depth(); i >= 0;
         --i) { // of each group inside node(i) the root, and ranks that are in none
        const bool meets = i == levels.depth() || levels[i].is_root();
        made.mine.push_back(apps::split(levels.node(i), meets ? 0 : MPI_UNDEFINED));
    }
    if (has_check)
        if (const auto all = topo::gather_outline(levels); levels.whole().rank() == 0)
            made.all = groups_of(all);
    made.told = {{"depth", levels.max_depth()}};
    return made;
}

} // namespace

int main(int argc, char** argv) {
    vectors::options given;
    apps::machine_options where;
    return vectors::main_of(
        argc, argv, "topology", "vectors processed through the levels of the machine", given,
        [&](apps::command_line& line) {
            given.declare(line);
            where.declare(line);
        },
        [&] { return make(where.mine(), given.common.has_check); });
}
