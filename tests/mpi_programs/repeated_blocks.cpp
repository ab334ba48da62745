// SPDX-License-Identifier: BSL-1.0
// What gather and scatter cost the second time: no memory, no communicator.
#include "support/block_policies.hpp"
#include "support/made_up.hpp"
#include "support/program_check.hpp"
#include "support/tally.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

using topo_test::spent;
using topo_test::tally;

/// What all calls of one shape need, made before anything is counted.
struct data {
    const topo::hierarchy& tree;
    std::vector<int> mine = std::vector<int>(60, 1);
    std::vector<int> all = std::vector<int>(mine.size() * static_cast<std::size_t>(tree.whole().size()));
    MPI_Datatype spaced = MPI_DATATYPE_NULL; ///< an int and a gap

    void use(const topo_test::block_policy& by) {
        for (const int root : {0, tree.whole().size() - 1}) {
            by.gather(tree, {mine.data(), mine.size(), MPI_INT}, {all.data(), MPI_INT, mine.size()}, root);
            by.scatter(tree, {all.data(), MPI_INT, 7}, {mine.data(), 7, MPI_INT}, root);
            by.gather(tree, {mine.data(), 30, spaced}, {all.data(), spaced, 30}, root);
            by.scatter(tree, {all.data(), spaced, 30}, {mine.data(), 30, spaced}, root);
        }
    }
};

void check_policy(data& what, const topo_test::block_policy& by) {
    what.use(by); // makes what is kept
    const tally before = spent;
    for (int again = 0; again < 3; ++again)
        what.use(by);
    const tally after = spent;
    const bool is_right = after.bytes == before.bytes && after.splits == before.splits;
    if (!is_right)
        std::fprintf(stderr, "%s: %zu bytes, %d splits\n", by.name, after.bytes - before.bytes,
                     after.splits - before.splits);
    topo_test::check(is_right, "a repeated call costs nothing");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const boost::mpi::communicator world;
        const tally at_start = spent;
        const auto all = topo_test::scenarios(world.size());
        for (const std::size_t chosen : {std::size_t{0}, std::size_t{3}, std::size_t{9}}) {
            const topo::hierarchy tree{world, all[chosen].on, all[chosen].rule};
            data what{tree};
            MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &what.spaced);
            MPI_Type_commit(&what.spaced);
            for (const auto& by : topo_test::block_policies())
                check_policy(what, by);
            MPI_Type_free(&what.spaced);
        }
        topo_test::check(spent.bytes > at_start.bytes && spent.splits > at_start.splits, "it counts");
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
