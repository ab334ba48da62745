// SPDX-License-Identifier: BSL-1.0
/// @file
/// All levels of the calling rank at once.
#pragma once

#include <topomp/core/detail/attachments.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/options.hpp>

#include <boost/mpi/communicator.hpp>

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// What refuses a communicator in the place of a hierarchy: see `no_hierarchy` below.
#define TOPOMP_NEEDS_HIERARCHY                                                                               \
    TOPOMP_REFUSED("topo: a communicator stands where a hierarchy belongs: write topo::hierarchy "           \
                   "levels{comm} once, which is collective, and pass levels to all calls")

namespace topo {

class machine;
class placement;

namespace detail {
class no_hierarchy;
class weak_hierarchy;
struct trail_step;
} // namespace detail

/// The levels of the calling rank, outermost first: the communicators of the ranks that share a node, a
/// package, a cache, ... with it, and the roots communicators that join them.
///
/// ```
///   whole()         0   1   2   3   4   5   6   7        every rank of the program
///   level 0        [0   1   2   3] [4   5   6   7]       Machine
///   level 1        [0   1] [2   3] [4   5] [6   7]       L3Cache (also Package, NUMANode)
/// ```
///
/// Each level is a strict subset of the one above. Objects that contain the same ranks are one level. Depth
/// may differ between ranks: one that is bound to a whole package has no level inside it. Copies share the
/// communicators; the last one frees them.
///
/// One that was moved from, or outlives `MPI_Finalize`, may be destroyed, copied and assigned to; every other
/// use, verbs included, throws a usage_error.
/// @snippet examples/01_levels.cpp levels
/// @see paper 1, section 3
class hierarchy {
public:
    /// Finds out where the ranks of `comm` run and builds their levels.
    /// @collective over `comm`, with the same options
    /// @cost O(depth) collective calls: a duplicate, a split by node and then per level two splits, an
    /// all-reduce
    ///       and a broadcast; memory per rank independent of the number of ranks
    /// @throws as `discover_place`, on every rank
    /// @snippet examples/01_levels.cpp levels
    explicit hierarchy(const boost::mpi::communicator& comm, const hierarchy_options& options = {});

    /// Builds the levels from the places that the ranks give, real or made up.
    /// @collective over `comm`
    hierarchy(const boost::mpi::communicator& comm, const place& mine, const hierarchy_options& options = {});

    /// Builds the levels that the ranks of `comm` would have on a made-up machine.
    /// @collective over `comm` @throws as `placement::seats` and `machine::place_of`, on every rank
    template <std::same_as<machine> Machine, std::same_as<placement> Placement>
    hierarchy(const boost::mpi::communicator& comm, const Machine& on, const Placement& rule,
              const hierarchy_options& options = {})
        : hierarchy(comm,
                    place_of_each(comm,
                                  [&](int rank, int size) {
                                      return on.place_of(
                                          rule.seats(on, size)[static_cast<std::size_t>(rank)]);
                                  }),
                    options) {}

    /// The same for a raw communicator, which stays the caller's.
    explicit hierarchy(MPI_Comm comm, const hierarchy_options& options = {})
        : hierarchy(detail::lent(comm), options) {}
    /// The same from the places that the ranks give.
    hierarchy(MPI_Comm comm, const place& mine, const hierarchy_options& options = {})
        : hierarchy(detail::lent(comm), mine, options) {}
    /// The same on a made-up machine.
    template <std::same_as<machine> Machine, std::same_as<placement> Placement>
    hierarchy(MPI_Comm comm, const Machine& on, const Placement& rule, const hierarchy_options& options = {})
        : hierarchy(detail::lent(comm), on, rule, options) {}

    /// A level as a hierarchy of its own: its ranks are the whole, its levels those below it. So a verb takes
    /// a level wherever it takes a hierarchy. `topo::broadcast(levels[0], data, 0)` is one in each node.
    /// @collective over the level the first time, local after that @cost as `of` for its communicator, on
    /// which it is cached; a program that calls many verbs avoids the look-up by a `topo::hierarchy node =
    /// levels[0];`
    hierarchy(const level& part) : hierarchy(of(part.comm())) {}

    /// The hierarchy that is cached on `comm`; built with default options and cached if there is none. It is
    /// freed with the communicator or when MPI ends. A duplicate of `comm` does not inherit it.
    ///
    /// A communicator that came out of a split, or is the whole of a hierarchy, is divided by the places
    /// found then.
    /// @collective over `comm` the first time, local after that
    static hierarchy of(const boost::mpi::communicator& comm);
    /// The same for a raw communicator.
    static hierarchy of(MPI_Comm comm) { return of(detail::lent(comm)); }

    /// All ranks, on a communicator of the hierarchy's own (a duplicate of the one it was built from).
    const boost::mpi::communicator& whole() const { return open("whole").whole; }
    /// The calling rank in the whole. @cost a load, where `whole().rank()` calls the MPI
    int whole_rank() const { return open("whole_rank").whole_rank; }
    /// The number of ranks of the whole. @cost a load
    int whole_size() const { return open("whole_size").whole_size; }
    /// What all ranks share: their `Machine`, or the lowest switch, or `System - Cluster`; depth -1.
    const level_info& whole_info() const { return open("whole_info").whole_info; }

    /// The calling rank's levels, outermost first.
    std::span<const level> levels() const;
    /// The outermost level.
    std::span<const level>::iterator begin() const;
    /// Past the innermost level.
    std::span<const level>::iterator end() const;
    /// The calling rank's level of a depth, 0 for the outermost. @throws argument_error if it has none: ranks
    /// may have different depths, and all have none where they are not bound and on one node
    const level& operator[](int depth) const {
        const std::vector<level>& all = open("levels").levels;
        if (static_cast<std::size_t>(depth) >= all.size()) [[unlikely]]
            refuse_depth(depth);
        return all[static_cast<std::size_t>(depth)];
    }

    /// How many levels the calling rank has (paper 4's `MPI_DEPTH`).
    int depth() const { return static_cast<int>(open("levels").levels.size()); }
    /// The greatest depth of any rank (paper 4's `MPI_MAX_DEPTH`).
    int max_depth() const { return open("max_depth").max_depth; }

    /// The most ranks that any node has; of ranks of one node, all.
    int most_ranks_of_node() const { return open("most_ranks_of_node").most_ranks_of_node; }

    /// Paper 4's `MPI_COMM_NODE[i]`: the whole for 0, the communicator of level i - 1 for i up to `depth()`.
    /// @throws argument_error if the calling rank has no such level
    const boost::mpi::communicator& node(int i) const { return i == 0 ? whole() : (*this)[i - 1].comm(); }

    /// The innermost level for which `is(wanted)` is true, or null.
    const level* find(kind wanted) const;

    /// Whether it can be used: not after it was moved from, nor when MPI has ended. @cost two loads
    bool is_open() const noexcept { return state_ != nullptr && !mpi::end_was_seen.load_relaxed(); }

    /// An object that a higher layer attaches to the hierarchy: one object per type, made at first use,
    /// shared by all copies of the hierarchy and destroyed with the last.
    /// @param make a function that returns a `std::shared_ptr<T>`
    template <class T, class Make>
    T& attachment(Make make) const {
        return open("attachment").attachments.template get<T>(std::move(make));
    }
    /// The same; null before it was made. Local.
    template <class T>
    T* known_attachment() const {
        return open("known_attachment").attachments.template find<T>();
    }

    /// The calling rank's levels, a line each. Local.
    friend std::ostream& operator<<(std::ostream& out, const hierarchy& levels);

private:
    struct state {
        boost::mpi::communicator whole;
        level_info whole_info;
        std::vector<level> levels;
        int whole_rank = 0, whole_size = 1, max_depth = 0, most_ranks_of_node = 1;
        mutable detail::attachments attachments;
    };

    const state& open(const char* member) const {
        if (!is_open()) [[unlikely]]
            refuse_closed(member);
        return *state_;
    }
    [[noreturn]] void refuse_closed(const char* member) const;
    [[noreturn]] void refuse_depth(int depth) const;

    friend class detail::weak_hierarchy;
    explicit hierarchy(std::shared_ptr<const state> same) noexcept : state_(std::move(same)) {}

    /// @param find `find(rank, number of ranks)` @throws what it throws, on every rank
    static place place_of_each(const boost::mpi::communicator& comm,
                               detail::function_ref<place(int, int)> find);

    /// @param steps the calling rank's @param deepest levels at most
    static std::shared_ptr<const state>
    build(const boost::mpi::communicator& comm,
          const std::shared_ptr<const std::vector<detail::trail_step>>& steps, int deepest);

    std::shared_ptr<const state> state_;
};

/// What a refused overload of each verb takes in the place of a hierarchy: a communicator, a grid or a graph.
/// No verb builds a hierarchy in passing, because a program needs one for many calls. The message cannot come
/// from a deleted constructor of `hierarchy`: that would take part in the overload sets of programs.
// Nothing is better than a match of it: the other arguments of these overloads are an ellipsis.
class detail::no_hierarchy {
public:
    template <class Comm>
        requires(std::same_as<Comm, MPI_Comm> ||
                 (std::is_class_v<Comm> && std::convertible_to<const Comm&, MPI_Comm> &&
                  !std::is_convertible_v<const Comm&, const hierarchy&>))
    no_hierarchy(const Comm&);
};

/// A weak reference to a hierarchy: for attached objects that need it again.
class detail::weak_hierarchy {
public:
    explicit weak_hierarchy(const hierarchy& levels) noexcept : state_(levels.state_) {}
    /// @pre it is still there
    hierarchy lock() const { return hierarchy{state_.lock()}; }

private:
    std::weak_ptr<const hierarchy::state> state_;
};

namespace detail {

/// What is cached on a communicator, for another function of the user's. @param call that function
hierarchy hierarchy_for(std::string_view call, const boost::mpi::communicator& comm);

} // namespace detail

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/hierarchy.ipp>
#endif
