// SPDX-License-Identifier: BSL-1.0
/// @file
/// An outline from the paths of all ranks.
#pragma once

#include <topomp/hardware/cpu_set.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/topology.hpp>
#include <topomp/hierarchy/detail/key_numbers.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/options.hpp>
#include <topomp/hierarchy/outline.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace topo::detail {

/// The tree of the paths of all ranks. An outline is the part of it that divides them.
class outline_builder {
public:
    outline_builder(const hierarchy_options& options, std::size_t ranks);

    /// The path of the next rank's place.
    void add(std::span<const hardware_object> path);

    outline build();

private:
    using id = std::uint32_t;
    static constexpr id root = 0; ///< around everything; as a link to an object inside: there is none

    struct object {
        kind type = kind::cluster;
        bool fills_outer = false;
        int index = 0;
        std::uint32_t name = 0, node = 0; ///< numbers of its own name and of its node's
        int ranks = 0;                    ///< how many are in it
        int communicator = -1;            ///< that begins with it
        id outer = root;
        id first_inside = root, last_inside = root,
           next_beside = root; ///< in the order of their lowest ranks
    };

    id inside(id outer, const hardware_object& what, object_key key, bool fills_outer,
              const hardware_object* node);

    std::uint32_t name_number(const std::string& name);

    std::string name_of(const object& what) const;

    void count_ranks();

    /// Adds the communicator that begins with an object, and all below it, without their ranks.
    std::size_t add(id begin, int depth);

    void add_ranks();

    const hierarchy_options& options_;
    std::deque<object> objects_{object{}};
    std::optional<key_numbers> known_; ///< all but the root; until all are
    std::vector<id> innermost_;        ///< of each rank
    std::unordered_map<std::string, std::uint32_t> name_numbers_;
    const std::string no_name_;
    std::vector<const std::string*> names_{&no_name_};
    outline result_;
};

/// The paths of many seats, one after the other: the path inside a node is computed once for each binding.
class seat_paths {
public:
    explicit seat_paths(const machine& on) : on_(on) {}

    /// @return the path of the seat's place; valid until the next call @throws as `machine::place_of`
    std::span<const hardware_object> of(const seat& where);

private:
    struct binding {
        cpu_set cpus;
        std::vector<hardware_object> inside;
    };

    const machine& on_;
    int node_ = -1;
    std::ptrdiff_t outer_ = 0; ///< how many objects of the path are not inside the node
    std::vector<hardware_object> path_;
    std::map<std::pair<const topology*, int>, std::optional<binding>> known_; ///< by hardware and first CPU
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/outline.ipp>
#endif
