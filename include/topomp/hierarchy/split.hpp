// SPDX-License-Identifier: BSL-1.0
/// @file
/// One level at a time: the next level below a communicator, or straight to a kind.
#pragma once

#include <topomp/core/comparison.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/options.hpp>
#include <topomp/hierarchy/split_step.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace topo {

namespace detail {

/// What a communicator remembers of the split it came from; a fresh discovery if it came from none.
inline split_memory recall(const boost::mpi::communicator& comm, const hierarchy_options& options) {
    if (const auto* memory = split_attribute::find(comm)) return *memory;
    auto steps = std::make_shared<const trail>(make_trail(discover_place(comm, options), options));
    level_info whole;
    whole.depth = -1;
    return {std::move(whole), std::move(steps), comm.rank()};
}

/// @param call what the user called
inline std::optional<level> next_level(const char* call, const boost::mpi::communicator& comm,
                                       const hierarchy_options& options) {
    mpi::require_intracommunicator(call, comm);
    check_on(
        comm, call, [] {}, [&](comparison& all) { add_options(all, options); });
    const auto memory = recall(comm, options);
    const auto known = compare(comm, *memory.steps);
    const int depth = memory.info.depth + 1;
    if (!known.is_divided || depth >= options.max_depth) return std::nullopt;
    auto step = split_step(comm, *memory.steps, known, depth, memory.whole_rank, memory.steps);
    return step ? std::optional{std::move(step->below)} : std::nullopt;
}

} // namespace detail

/// The next level below a communicator and its roots communicator; nothing on ranks that no smaller object
/// contains.
///
/// Every new communicator is a strict subset of `comm`, so that calling this again on what it returned ends.
/// A communicator that came out of a split is split further by what was found then, whatever the options.
/// @collective over `comm`
/// @cost three splits, three all-reduces, some broadcasts; memory independent of the number of ranks
/// @throws as `discover_place`
/// @see paper 1, sections 3.2.1 to 3.2.3 (`MPI_Comm_hsplit_with_roots`)
inline std::optional<level> split_with_roots(const boost::mpi::communicator& comm,
                                             const hierarchy_options& options = {}) {
    return detail::next_level("topo::split_with_roots", comm, options);
}

/// The same without the roots communicator: `roots()` is null on every rank.
inline std::optional<level> split(const boost::mpi::communicator& comm,
                                  const hierarchy_options& options = {}) {
    const auto below = detail::next_level("topo::split", comm, options);
    if (!below) return std::nullopt;
    return level{below->comm(), detail::null_communicator(), below->info()};
}

/// Straight to one kind: the ranks of `comm` that share the calling rank's innermost object of this kind;
/// nothing on ranks that no such object contains.
///
/// Unlike the next level it need not be a strict subset: on one node, `split(world, kind::machine)` is all of
/// `world`, so that programs need no special case.
/// @collective over `comm`, with the same kind
inline std::optional<level> split(const boost::mpi::communicator& comm, kind wanted,
                                  const hierarchy_options& options = {}) {
    mpi::require_intracommunicator("topo::split", comm);
    detail::check_on(
        comm, "topo::split", [] {},
        [&](detail::comparison& all) { all.add("kind", std::string{to_string(wanted)}); });
    const auto memory = detail::recall(comm, options);
    detail::trail only;
    for (const auto& step : *memory.steps)
        if (step.type == wanted) only = {step};
    const auto common = detail::compare(comm, only);
    if (common.is_divided) {
        auto step =
            detail::split_step(comm, only, common, memory.info.depth + 1, memory.whole_rank, memory.steps);
        return step ? std::optional{std::move(step->below)} : std::nullopt;
    }
    if (common.length == 0) return std::nullopt;

    boost::mpi::communicator same{comm, boost::mpi::comm_duplicate};
    auto roots =
        detail::own(mpi::comm_split(comm, same.rank() == 0 ? 0 : MPI_UNDEFINED, 0, "roots of a level"));
    level_info info = detail::info_of(detail::kinds_of_level(only), only, memory.info.depth + 1);
    info.root = memory.info.root;
    detail::split_attribute::set(same, {info, memory.steps, memory.whole_rank});
    return level{std::move(same), roots ? std::move(roots) : detail::null_communicator(), std::move(info)};
}

/// The same for raw communicators.
inline std::optional<level> split_with_roots(MPI_Comm comm, const hierarchy_options& options = {}) {
    return split_with_roots(detail::lent(comm), options);
}
inline std::optional<level> split(MPI_Comm comm, const hierarchy_options& options = {}) {
    return split(detail::lent(comm), options);
}
inline std::optional<level> split(MPI_Comm comm, kind wanted, const hierarchy_options& options = {}) {
    return split(detail::lent(comm), wanted, options);
}

} // namespace topo
