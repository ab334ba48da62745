// SPDX-License-Identifier: BSL-1.0
/// @file
/// Cart_create and Dist_graph_create(_adjacent) with reorder, and Cart_map: ranks get numbers by which
/// neighbours share nodes. What comes out is the MPI's own communicator, made of the ranks in that order.
/// Dims_create: the extents by which most can.
#include "graph_lines.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include <topomp/mapping/graph.hpp>
#include <topomp/mapping/grid/choose_dims.hpp>
#include <topomp/mapping/node_cart_plan.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace topo::preload {

namespace {

/// Whether topomp gives the ranks of grids and graphs their numbers, where they may get others.
bool is_reordering(int reorder) {
    const auto& here = process::self();
    if (!here.asked.has_grids) return left_for(reason::settings);
    if (!here.is_on) return left_for(reason::off);
    return reorder != 0 || left_for(reason::keeps_numbers);
}

/// The ranks of a communicator in another order.
boost::mpi::communicator ordered(MPI_Comm old, int rank) {
    return detail::own(mpi::comm_split(old, 0, rank, "order of a grid or graph"));
}

/// What the calling rank is in a grid.
struct grid_number {
    int rank;
    bool keeps_numbers; ///< all ranks keep their numbers
};

/// The number of the calling rank in a grid; nothing if that is left to the MPI. Local, and the same function
/// on all ranks of what all of them know: MPI_Cart_map need not be called by all.
std::optional<grid_number> number_in_grid(MPI_Comm comm, int dimensions, const int* dims,
                                          const int* periods) {
    const auto& here = process::self();
    const auto leave = [](reason why) {
        left_for(why);
        return std::nullopt;
    };
    int is_inter = 0;
    if (!here.asked.has_grids) return leave(reason::settings);
    if (!here.is_on) return leave(reason::off);
    if (comm == MPI_COMM_NULL || dims == nullptr || periods == nullptr) return leave(reason::arguments);
    mpi::check(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter", "communicator");
    if (is_inter != 0) return leave(reason::inter_communicator);
    const int size = mpi::comm_size(comm);
    std::int64_t cells = 1;
    for (int i = 0; i < dimensions; ++i) {
        if (dims[i] <= 0 || cells > size) return leave(reason::arguments);
        cells *= dims[i];
    }
    if (dimensions < 1 || cells > size) return leave(reason::arguments);
    if (cells != size) return leave(reason::some_ranks);
    const auto table = here.places.table_of(comm);
    if (!table) return leave(reason::several_programs);
    node_cart_options options;
    for (int i = 0; i < dimensions; ++i)
        options.periods.push_back(periods[i] != 0);
    const auto plan = detail::plan_for_ranks(*table, std::vector<int>(dims, dims + dimensions), options);
    return grid_number{plan.cells_of_ranks()[static_cast<std::size_t>(mpi::comm_rank(comm))],
                       std::ranges::is_sorted(plan.owner)};
}

bool are_ranks(int number, const int* given, int size) {
    return number == 0 ||
           (number > 0 && given != nullptr &&
            std::all_of(given, given + number, [&](int each) { return each >= 0 && each < size; }));
}

std::optional<int> number_in_graph(const hierarchy& levels, const std::vector<int>& neighbours,
                                   const std::vector<std::int64_t>& weights) {
    graph_options options;
    options.weights = weights;
    const graph made{levels, neighbours, options};
    if (std::ranges::is_sorted(made.plan().owner)) return std::nullopt;
    return made.rank();
}

/// A call about grids, with its line in the report.
/// @param ours does it, and returns its code, or nothing if it is the MPI's all the same
/// @param own calls the MPI's own
template <class Ours, class Own>
int intercept_grid(grid_call what, MPI_Comm comm, Ours ours, Own own) noexcept {
    auto& counts = report::self();
    const bool is_counted = counts.is_wanted() && mpi::is_running();
    const double begin = is_counted ? MPI_Wtime() : 0;
    std::optional<int> code;
    try {
        code = ours();
    } catch (const argument_error&) { // on all ranks: the MPI's own finds it too, and says so in its words
        left_for(reason::arguments);
    } catch (...) {
        code = report_exception(comm);
    }
    const bool is_ours = code.has_value();
    const reason why = take_reason();
    if (!is_ours) code = own();
    if (is_counted) counts.add(what, MPI_Wtime() - begin, is_ours, why);
    return *code;
}

/// A call that makes a graph.
/// @param is_accepted whether the MPI accepts the arguments of the calling rank
/// @param ours makes it on a hierarchy, and returns false if all ranks keep their numbers
/// @param own calls the MPI's own with what is given for reorder
template <class IsAccepted, class Ours, class Own>
int make_graph(grid_call what, MPI_Comm old, int reorder, IsAccepted is_accepted, Ours ours,
               Own own) noexcept {
    const bool is_mapped = is_reordering(reorder);
    return intercept_grid(
        what, old,
        [&]() -> std::optional<int> {
            if (!is_mapped) return std::nullopt;
            if (!is_accepted()) {
                left_for(reason::arguments);
                return std::nullopt;
            }
            const hierarchy* const levels = hierarchy_at_once(old);
            if (levels == nullptr) return std::nullopt;
            if (ours(*levels)) return MPI_SUCCESS;
            left_for(reason::keeps_numbers);
            return std::nullopt;
        },
        // Where topomp lets the numbers be, so shall the MPI. Besides, Open MPI's own (4.1.4) waits for ever
        // in some graphs once communicators have been split, as topomp does.
        [&] { return own(is_mapped ? 0 : reorder); });
}

/// Dims for all ranks of MPI_COMM_WORLD. @return false if the MPI shall choose, or complain
bool choose_dims(int ranks, int dimensions, int* dims) {
    const auto& here = process::self();
    if (!here.asked.has_dims_create) return left_for(reason::settings);
    if (!here.is_on) return left_for(reason::off);
    if (dims == nullptr || dimensions < 1) return left_for(reason::arguments);
    const detail::node_list nodes{here.places.node_sizes()};
    if (ranks != nodes.total()) return left_for(reason::some_ranks);
    std::int64_t fixed = 1;
    int open = 0;
    for (int i = 0; i < dimensions; ++i) {
        if (dims[i] < 0 || dims[i] > ranks) return left_for(reason::arguments);
        if (dims[i] == 0)
            ++open;
        else
            fixed *= dims[i];
        if (fixed > ranks) return left_for(reason::arguments);
    }
    if (open == 0 || ranks % fixed != 0) return left_for(reason::arguments);
    const auto pattern = stencil::star(static_cast<std::size_t>(dimensions));
    const detail::dims_choice choice{std::vector<int>(dims, dims + dimensions), {}, pattern, nodes};
    std::ranges::copy(choice.extents(), dims);
    return true;
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's
using topo::hierarchy;

extern "C" {

int intercepted_MPI_Cart_create(MPI_Comm old, int dimensions, const int* dims, const int* periods,
                                int reorder, MPI_Comm* made) {
    return intercept_grid(
        grid_call::cart_create, old,
        [&]() -> std::optional<int> {
            if (made == nullptr || reorder == 0) {
                left_for(made == nullptr ? reason::arguments : reason::keeps_numbers);
                return std::nullopt;
            }
            const auto number = number_in_grid(old, dimensions, dims, periods);
            if (!number) return std::nullopt;
            if (number->keeps_numbers) return MPI_Cart_create(old, dimensions, dims, periods, 0, made);
            topo::mpi::check(MPI_Cart_create(ordered(old, number->rank), dimensions, dims, periods, 0, made),
                             "MPI_Cart_create", "grid");
            return MPI_SUCCESS;
        },
        [&] { return MPI_Cart_create(old, dimensions, dims, periods, reorder, made); });
}

int intercepted_MPI_Cart_map(MPI_Comm comm, int dimensions, const int* dims, const int* periods, int* rank) {
    return intercept_grid(
        grid_call::cart_map, comm,
        [&]() -> std::optional<int> {
            if (rank == nullptr) {
                left_for(reason::arguments);
                return std::nullopt;
            }
            const auto number = number_in_grid(comm, dimensions, dims, periods);
            if (!number) return std::nullopt;
            *rank = number->rank;
            return MPI_SUCCESS;
        },
        [&] { return MPI_Cart_map(comm, dimensions, dims, periods, rank); });
}

int intercepted_MPI_Dims_create(int ranks, int dimensions, int* dims) {
    return intercept_grid(
        grid_call::dims_create, MPI_COMM_WORLD,
        [&] { return choose_dims(ranks, dimensions, dims) ? std::optional{MPI_SUCCESS} : std::nullopt; },
        [&] { return MPI_Dims_create(ranks, dimensions, dims); });
}

int intercepted_MPI_Dist_graph_create_adjacent(MPI_Comm old, int in, const int* sources,
                                               const int* source_weights, int out, const int* destinations,
                                               const int* destination_weights, MPI_Info info, int reorder,
                                               MPI_Comm* made) {
    return make_graph(
        grid_call::dist_graph_create_adjacent, old, reorder,
        [&] {
            if (made == nullptr) return false;
#ifdef MPICH_VERSION
            return true; // it does not look at neighbours
#else
            const int size = ranks{old}.size;
            return are_ranks(in, sources, size) && are_ranks(out, destinations, size);
#endif
        },
        [&](const hierarchy& levels) {
            const adjacent_lines mine{in, sources, source_weights, out, destinations, destination_weights};
            const auto load = mine.destinations_with_loads();
            const auto rank = number_in_graph(levels, load.neighbours, load.weights);
            if (!rank) return false;
            const auto comm = ordered(old, *rank);
            // What a vertex's old rank said of it, its new one has to say.
            const adjacent_lines taken = mine.of_vertex(comm, levels.whole().rank());
            taken.create(comm, info, made);
            return true;
        },
        [&](int may_reorder) {
            return MPI_Dist_graph_create_adjacent(old, in, sources, source_weights, out, destinations,
                                                  destination_weights, info, may_reorder, made);
        });
}

int intercepted_MPI_Dist_graph_create(MPI_Comm old, int nodes, const int* sources, const int* degrees,
                                      const int* destinations, const int* weights, MPI_Info info, int reorder,
                                      MPI_Comm* made) {
    return make_graph(
        grid_call::dist_graph_create, old, reorder,
        [&] {
            const int size = ranks{old}.size;
            if (made == nullptr || !are_ranks(nodes, sources, size)) return false;
            if (nodes == 0) return true;
            if (degrees == nullptr || !all_lengths(degrees, nodes)) return false;
            return are_ranks(std::accumulate(degrees, degrees + nodes, 0), destinations, size);
        },
        [&](const hierarchy& levels) {
            const auto load = edges_of_caller(levels.whole(), nodes, sources, degrees, destinations, weights);
            const auto rank = number_in_graph(levels, load.neighbours, load.weights);
            if (!rank) return false;
            // Edges are named by numbers of the new ranks.
            topo::mpi::check(MPI_Dist_graph_create(ordered(old, *rank), nodes, sources, degrees, destinations,
                                                   weights, info, 0, made),
                             "MPI_Dist_graph_create", "graph");
            return true;
        },
        [&](int may_reorder) {
            return MPI_Dist_graph_create(old, nodes, sources, degrees, destinations, weights, info,
                                         may_reorder, made);
        });
}

} // extern "C"
