// SPDX-License-Identifier: BSL-1.0
/// @file
/// Cart_create and Dist_graph_create(_adjacent) with reorder: ranks get numbers by which neighbours share
/// nodes. What comes out is the MPI's own communicator, made of the ranks in that order.
#include "graph_lines.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include <topomp/mapping/graph.hpp>
#include <topomp/mapping/node_cart.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace topo::preload {

namespace {

/// The hierarchy for a grid or graph of a communicator, or null if numbers stay as they are.
const hierarchy* hierarchy_for_mapping(MPI_Comm comm, int reorder) {
    const auto& here = process::self();
    if (reorder == 0 || !here.is_on || !here.asked.has_grids) return nullptr;
    return hierarchy_at_once(comm);
}

/// The ranks of a communicator in another order.
boost::mpi::communicator ordered(MPI_Comm old, int rank) {
    return detail::own(mpi::comm_split(old, 0, rank, "order of a grid or graph"));
}

/// The new number of the calling rank; nothing if all keep theirs.
std::optional<int> number_in_grid(const hierarchy& tree, int dimensions, const int* dims,
                                  const int* periods) {
    std::int64_t cells = 1;
    for (int i = 0; i < dimensions; ++i) {
        if (dims[i] <= 0 || cells > tree.whole().size()) return std::nullopt;
        cells *= dims[i];
    }
    if (dimensions < 1 || cells != tree.whole().size()) return std::nullopt; // a grid for some of the ranks
    node_cart_options options;
    for (int i = 0; i < dimensions; ++i)
        options.periods.push_back(periods[i] != 0);
    const node_cart made{tree, std::vector<int>(dims, dims + dimensions), options};
    if (std::ranges::is_sorted(made.plan().owner)) return std::nullopt;
    return made.rank();
}

std::optional<int> number_in_graph(const hierarchy& tree, const std::vector<int>& neighbours,
                                   const std::vector<std::int64_t>& weights) {
    graph_options options;
    options.weights = weights;
    const graph made{tree, neighbours, options};
    if (std::ranges::is_sorted(made.plan().owner)) return std::nullopt;
    return made.rank();
}

/// A call that makes a communicator.
/// @param ours makes it on a hierarchy, and returns false if it is the MPI's all the same
template <class Ours, class Own>
int make_mapped(MPI_Comm old, int reorder, Ours ours, Own own) noexcept {
    try {
        const hierarchy* const tree = hierarchy_for_mapping(old, reorder);
        if (tree != nullptr && ours(*tree)) return MPI_SUCCESS;
    } catch (const argument_error&) { // on all ranks: the MPI's own finds it too, and says so in its words
    } catch (...) {
        return report_exception(old);
    }
    return own();
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's
using topo::hierarchy;

extern "C" {

int intercepted_MPI_Cart_create(MPI_Comm old, int dimensions, const int* dims, const int* periods,
                                int reorder, MPI_Comm* made) {
    return make_mapped(
        old, reorder,
        [&](const hierarchy& tree) {
            if (dims == nullptr || periods == nullptr || made == nullptr) return false;
            const auto rank = number_in_grid(tree, dimensions, dims, periods);
            if (!rank) return false;
            topo::mpi::check(MPI_Cart_create(ordered(old, *rank), dimensions, dims, periods, 0, made),
                             "MPI_Cart_create", "grid");
            return true;
        },
        [&] { return MPI_Cart_create(old, dimensions, dims, periods, reorder, made); });
}

int intercepted_MPI_Dist_graph_create_adjacent(MPI_Comm old, int in, const int* sources,
                                               const int* source_weights, int out, const int* destinations,
                                               const int* destination_weights, MPI_Info info, int reorder,
                                               MPI_Comm* made) {
    return make_mapped(
        old, reorder,
        [&](const hierarchy& tree) {
            const adjacent_lines mine{in, sources, source_weights, out, destinations, destination_weights};
            const auto load = mine.destinations_with_loads();
            const auto rank = number_in_graph(tree, load.neighbours, load.weights);
            if (!rank) return false;
            const auto comm = ordered(old, *rank);
            // What a vertex's old rank said of it, its new one has to say.
            const adjacent_lines taken = mine.of_vertex(comm, tree.whole().rank());
            taken.create(comm, info, made);
            return true;
        },
        [&] {
            return MPI_Dist_graph_create_adjacent(old, in, sources, source_weights, out, destinations,
                                                  destination_weights, info, reorder, made);
        });
}

int intercepted_MPI_Dist_graph_create(MPI_Comm old, int nodes, const int* sources, const int* degrees,
                                      const int* destinations, const int* weights, MPI_Info info, int reorder,
                                      MPI_Comm* made) {
    return make_mapped(
        old, reorder,
        [&](const hierarchy& tree) {
            const auto load = edges_of_caller(tree.whole(), nodes, sources, degrees, destinations, weights);
            const auto rank = number_in_graph(tree, load.neighbours, load.weights);
            if (!rank) return false;
            // Whoever names an edge names it by numbers of the new ranks.
            topo::mpi::check(MPI_Dist_graph_create(ordered(old, *rank), nodes, sources, degrees, destinations,
                                                   weights, info, 0, made),
                             "MPI_Dist_graph_create", "graph");
            return true;
        },
        [&] {
            return MPI_Dist_graph_create(old, nodes, sources, degrees, destinations, weights, info, reorder,
                                         made);
        });
}

} // extern "C"
