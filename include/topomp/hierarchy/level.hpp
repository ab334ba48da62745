// SPDX-License-Identifier: BSL-1.0
/// @file
/// One level of the calling rank's hierarchy.
#pragma once

#include <topomp/core/attribute.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/trail.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace topo {

/// What a communicator that came out of a split stands for.
/// @see paper 1, section 3.3.1 (`MPI_Comm_get_hlevel_info`)
struct level_info {
    kind type = kind::cluster; ///< of the lowest object that contains exactly these ranks
    std::vector<kind> also;    ///< kinds of the other such objects, outermost first
    std::string name;          ///< the object's: `node1/L3Cache#0`
    int depth = 0;             ///< 0: the outermost strict subset of the whole communicator
    int index = 0;             ///< among the siblings, in the order of their roots
    int count = 1;             ///< of siblings: communicators split off the same parent, this one included
    int root = 0;              ///< the whole communicator's rank of this one's root

    /// Whether these ranks share an object of this kind that no other rank of the parent is in.
    bool is(kind which) const { return type == which || std::ranges::find(also, which) != also.end(); }

    friend bool operator==(const level_info&, const level_info&) = default;
};

/// `L3Cache (also Package, NUMANode) node0/L3Cache#1, 1 of 2`
inline std::ostream& operator<<(std::ostream& out, const level_info& info) {
    out << to_string(info.type);
    const char* separator = " (also ";
    for (const kind other : info.also)
        out << std::exchange(separator, ", ") << to_string(other);
    if (!info.also.empty()) out << ')';
    return out << ' ' << info.name << ", " << info.index << " of " << info.count;
}

namespace detail {

/// What a communicator that came out of a split remembers, so that it can be asked and split again.
struct split_memory {
    level_info info;
    std::shared_ptr<const trail> steps;
    int whole_rank = 0; ///< the calling rank's number in the communicator that was split first
};
using split_attribute = attribute<split_memory, on_duplicate::copy>;

/// Boost's communicator for none: a default-constructed one would be MPI_COMM_WORLD.
inline boost::mpi::communicator null_communicator() { return {MPI_COMM_NULL, boost::mpi::comm_attach}; }
inline boost::mpi::communicator own(MPI_Comm comm) { return {comm, boost::mpi::comm_take_ownership}; }

} // namespace detail

/// One level of the calling rank's hierarchy: the communicator of the ranks that share one hardware object,
/// and the communicator that joins the roots of this level's siblings. Copies share both; the last one frees
/// them.
///
/// ```
///   parent      0   1   2   3   4   5   6   7
///   level      [0   1   2] [0   1] [0   1   2]     index 0, 1, 2 of count 3
///   roots       0           1       2              null on the other ranks
/// ```
class level {
public:
    level(boost::mpi::communicator comm, boost::mpi::communicator roots, level_info info)
        : comm_(std::move(comm)), roots_(std::move(roots)), info_(std::move(info)) {}

    /// The ranks that share the object, in the parent's order. Traffic on it meets no traffic of topomp's.
    const boost::mpi::communicator& comm() const noexcept { return comm_; }
    /// The roots of all siblings, in the parent's order; null on ranks that are no root.
    const boost::mpi::communicator& roots() const noexcept { return roots_; }

    kind type() const noexcept { return info_.type; }
    const std::vector<kind>& also() const noexcept { return info_.also; }
    const std::string& name() const noexcept { return info_.name; }
    int depth() const noexcept { return info_.depth; }
    int index() const noexcept { return info_.index; }
    int count() const noexcept { return info_.count; }
    bool is(kind which) const { return info_.is(which); }
    const level_info& info() const noexcept { return info_; }

    int rank() const { return comm_.rank(); }
    int size() const { return comm_.size(); }
    /// Whether the calling rank is rank 0 of `comm()`.
    bool is_root() const { return rank() == 0; }

    friend std::ostream& operator<<(std::ostream& out, const level& l) {
        return out << l.info_ << ", rank " << l.rank() << " of " << l.size();
    }

private:
    boost::mpi::communicator comm_;
    boost::mpi::communicator roots_;
    level_info info_;
};

/// What a communicator stands for, if it came out of one of topomp's splits or is a duplicate of such a one;
/// nothing for any other communicator. Local.
/// @throws usage_error, argument_error for a null or inter-communicator
/// @see paper 1, section 3.3.1 (`MPI_Comm_get_hlevel_info`)
inline std::optional<level_info> level_info_of(MPI_Comm comm) {
    mpi::require_intracommunicator("topo::level_info_of", comm);
    const auto* memory = detail::split_attribute::find(comm);
    return memory != nullptr ? std::optional{memory->info} : std::nullopt;
}

} // namespace topo
