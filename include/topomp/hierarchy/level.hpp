// SPDX-License-Identifier: BSL-1.0
/// @file
/// One level of the calling rank's hierarchy.
#pragma once

#include <topomp/core/detail/attribute.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/detail/trail.hpp>

#include <boost/mpi/communicator.hpp>

#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace topo {

/// What a communicator that came out of a split stands for.
/// @see paper 1, section 3.3.1 (`MPI_Comm_get_hlevel_info`)
struct level_info {
    /// Of the outermost object that contains these ranks and no other of the parent: the lowest kind of
    /// object with the same processing units, PU left out.
    kind type = kind::cluster;
    std::vector<kind> also; ///< of the other objects with these processing units, in the usual nesting order
    std::string name;       ///< of the object that gives the type: `node1/L3Cache#0`
    int depth = 0;          ///< 0: the outermost strict subset of the whole communicator
    int index = 0;          ///< among the siblings, in the order of their roots
    int count = 1;          ///< of siblings: communicators split off the same parent, this one included
    int root = 0;           ///< the whole communicator's rank of this one's root
    /// Of smaller objects that contain all these ranks too, outermost first; of the whole also of larger
    /// ones.
    std::vector<kind> ranks_within{};

    /// Whether these ranks share an object of this kind that no other rank of the parent is in.
    bool is(kind which) const;

    friend bool operator==(const level_info&, const level_info&) = default;
};

/// `L3Cache (also Package, NUMANode) node0/L3Cache#1, 1 of 2`; `Machine (ranks within Core, PU) node1, 1 of
/// 4`
std::ostream& operator<<(std::ostream& out, const level_info& info);

namespace detail {

/// What a level is, as `called_after` found it. @param shared the steps that it was found from
level_info info_of(level_kinds found, std::span<const trail_step> shared, int depth);

/// Whether the ranks need not be in one node.
inline bool may_cross_nodes(const level_info& info) { return joins_nodes(innermost_kind(info)); }

/// What the ranks share, as objects of a place, known by the level's root: places of some of its ranks that
/// are made of it have the same level.
void append_objects(std::vector<hardware_object>& path, const level_info& info);

/// What is cached on a communicator that came out of a split, for queries and further splits.
struct split_memory {
    level_info info;
    std::shared_ptr<const trail> steps;
    int whole_rank = 0; ///< the calling rank's number in the communicator that was split first
};
using split_attribute = attribute<split_memory, on_duplicate::copy>;

/// Boost's communicator for none: a default-constructed one would be MPI_COMM_WORLD.
inline boost::mpi::communicator null_communicator() { return {MPI_COMM_NULL, boost::mpi::comm_attach}; }
inline boost::mpi::communicator own(MPI_Comm comm) { return {comm, boost::mpi::comm_take_ownership}; }
/// One that stays the caller's.
inline boost::mpi::communicator lent(MPI_Comm comm) { return {comm, boost::mpi::comm_attach}; }

} // namespace detail

/// One level of the calling rank's hierarchy: the communicator of the ranks that share one hardware object,
/// and the communicator that joins the roots of this level's siblings. Copies share both; the last one frees
/// them. One that was moved from, or outlives `MPI_Finalize`, may be destroyed, copied and assigned to; every
/// other use throws a usage_error. A copy of its `info()` is a plain value.
///
/// ```
///   parent      0   1   2   3   4   5   6   7
///   level      [0   1   2] [0   1] [0   1   2]     index 0, 1, 2 of count 3
///   roots       0           1       2              null on the other ranks
/// ```
class level {
public:
    /// For algorithms; programs get levels from a hierarchy or a split.
    level(boost::mpi::communicator comm, boost::mpi::communicator roots, level_info info);

    /// The ranks that share the object, in the parent's order. topomp never sends on it.
    const boost::mpi::communicator& comm() const { return open("comm").comm_; }
    /// The roots of all siblings, in the parent's order; null on ranks that are no root.
    const boost::mpi::communicator& roots() const { return open("roots").roots_; }

    /// The kind that the level is named after.
    kind type() const { return open("type").info_.type; }
    /// The other kinds of object with the same processing units.
    const std::vector<kind>& also() const { return open("also").info_.also; }
    /// The kinds of smaller objects that contain all these ranks too.
    const std::vector<kind>& ranks_within() const { return open("ranks_within").info_.ranks_within; }
    /// Of the object: `node1/L3Cache#0`
    const std::string& name() const { return open("name").info_.name; }
    /// 0 for the outermost level.
    int depth() const { return open("depth").info_.depth; }
    /// Which of its siblings this level is.
    int index() const { return open("index").info_.index; }
    /// How many siblings there are, this one included.
    int count() const { return open("count").info_.count; }
    /// Whether these ranks alone share an object of this kind; see `level_info::is`.
    bool is(kind which) const { return open("is").info_.is(which); }
    /// All of these as a plain value, which needs no MPI.
    const level_info& info() const { return open("info").info_; }

    /// The calling rank's number in `comm()`.
    int rank() const { return open("rank").comm_.rank(); }
    /// The number of ranks in `comm()`.
    int size() const { return open("size").comm_.size(); }
    /// Whether the calling rank is rank 0 of `comm()`.
    bool is_root() const { return rank() == 0; }

    /// Prints `info()`, rank and size.
    friend std::ostream& operator<<(std::ostream& out, const level& l) {
        return out << l.info() << ", rank " << l.rank() << " of " << l.size();
    }

private:
    const level& open(const char* member) const;

    boost::mpi::communicator comm_;
    boost::mpi::communicator roots_;
    level_info info_;
};

/// What a communicator stands for, if it came out of one of topomp's splits or is a duplicate of such a one;
/// nothing for any other communicator. Local.
/// @throws usage_error, argument_error for a null or inter-communicator
/// @see paper 1, section 3.3.1 (`MPI_Comm_get_hlevel_info`)
std::optional<level_info> level_info_of(MPI_Comm comm);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/level.ipp>
#endif
