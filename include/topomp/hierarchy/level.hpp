// SPDX-License-Identifier: BSL-1.0
/// @file
/// One level of the calling rank's hierarchy.
#pragma once

#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/level_info.hpp>

#include <boost/mpi/communicator.hpp>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace topo {

namespace detail {

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
    friend std::ostream& operator<<(std::ostream& out, const level& l);

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
