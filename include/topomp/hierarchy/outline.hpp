// SPDX-License-Identifier: BSL-1.0
/// @file
/// All communicators of a hierarchy as plain data, computed from places without MPI.
#pragma once

#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/options.hpp>
#include <topomp/hierarchy/trail.hpp>

#include <algorithm>
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

namespace topo {

/// The whole hierarchy of a program as plain data: which communicators there are, what they stand for, who is
/// in them. Answers 'what would my communicators be over there?' without MPI, and shows a running hierarchy.
///
/// ```
///   ranks            0 1 2 3 4 5 6 7
///   depth 0 Machine  [0 1 2 3][4 5 6 7]      index 0 and 1 of count 2, roots {0, 4}
///   depth 1 Package  [0 1][2 3][4 5][6 7]    index 0 and 1 of count 2 twice, roots {0, 2} and {4, 6}
/// ```
struct outline {
    /// One communicator.
    struct communicator {
        int depth = 0; ///< 0: the outermost strict subsets; -1: the whole
        kind type = kind::cluster;
        std::vector<kind> also; ///< of the other objects with the same processing units
        std::string name;
        int index =
            0; ///< among the siblings, in the order of their roots: the root's rank in the roots communicator
        int count = 1; ///< of siblings, itself included: communicators of this depth with the same parent
        std::vector<int> ranks;           ///< of the whole communicator, ascending; the first is the root
        std::vector<int> children;        ///< positions in `communicators`, in the order of their index
        std::vector<kind> ranks_within{}; ///< of the other objects that contain all its ranks

        int root() const { return ranks.front(); }

        friend bool operator==(const communicator&, const communicator&) = default;
    };

    /// The whole first, then its children by index, each followed by everything inside it.
    std::vector<communicator> communicators;

    int size() const { return static_cast<int>(whole().ranks.size()); }
    const communicator& whole() const { return communicators.front(); }

    /// The greatest number of levels that any rank has; 0 if there is nothing below the whole.
    int max_depth() const { return std::ranges::max(communicators, {}, &communicator::depth).depth + 1; }

    /// The roots of all communicators with the same parent, ascending: the roots communicator of that step.
    std::vector<int> roots_below(const communicator& parent) const {
        std::vector<int> roots;
        for (const int child : parent.children)
            roots.push_back(communicators[static_cast<std::size_t>(child)].root());
        return roots;
    }

    /// Computes the hierarchy of ranks 0 to `places.size()` - 1.
    ///
    /// It is the tree of the places' paths with every chain of objects that contain the same ranks merged
    /// into one communicator. @cost linear in the total length of the paths
    /// @see paper 1, sections 3.2.2 and 3.2.3
    static outline of(std::span<const place> places, const hierarchy_options& options = {});

    /// Computes the hierarchy of ranks that a rule places on a machine, in less memory than their places
    /// take.
    /// @throws as `placement::seats` and `machine::place_of`
    static outline of(const machine& on, const placement& rule, int ranks,
                      const hierarchy_options& options = {});
};

namespace detail {

/// The tree of the paths of all ranks. An outline is the part of it that divides them.
class outline_builder {
public:
    outline_builder(const hierarchy_options& options, std::size_t ranks) : options_(options) {
        known_.reserve(2 * ranks); // mostly each has a core and a PU
        innermost_.reserve(ranks);
    }

    /// The path of the next rank's place.
    void add(std::span<const hardware_object> path) {
        id at = root;
        each_step(path, options_,
                  [&](const hardware_object& what, object_key key, bool fills_outer,
                      const hardware_object* node) { at = inside(at, what, key, fills_outer, node); });
        innermost_.push_back(at);
    }

    outline build() {
        if (innermost_.empty()) throw argument_error("topo::outline", "list of places", "it is empty");
        known_ = {};
        count_ranks();
        // A communicator begins with each object that not all ranks of the one around it are in.
        const auto divides = [this](const object& each) { return each.ranks < objects_[each.outer].ranks; };
        result_.communicators.reserve(1 + static_cast<std::size_t>(std::ranges::count_if(objects_, divides)));
        add(root, -1);
        add_ranks();
        return std::move(result_);
    }

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

    struct hash {
        std::size_t operator()(object_key key) const noexcept { return key.low; }
    };

    id inside(id outer, const hardware_object& what, object_key key, bool fills_outer,
              const hardware_object* node) {
        const auto [known, is_new] = known_.try_emplace(key, static_cast<id>(objects_.size()));
        if (!is_new) return known->second;
        object added{what.kind, fills_outer, what.index};
        added.name = name_number(what.name);
        if (node != nullptr) added.node = name_number(to_string(*node));
        added.outer = outer;
        objects_.push_back(added);
        object& around = objects_[outer];
        (around.first_inside == root ? around.first_inside : objects_[around.last_inside].next_beside) =
            known->second;
        around.last_inside = known->second;
        return known->second;
    }

    std::uint32_t name_number(const std::string& name) {
        if (name.empty()) return 0;
        if (name == *names_.back()) return static_cast<std::uint32_t>(names_.size() - 1); // as mostly
        const auto [known, is_new] =
            name_numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
        if (is_new) names_.push_back(&known->first);
        return known->second;
    }

    std::string name_of(const object& what) const {
        std::string own = to_string(hardware_object{what.type, what.index, *names_[what.name]});
        return what.node == 0 ? own : *names_[what.node] + '/' + own;
    }

    void count_ranks() {
        for (const id at : innermost_)
            ++objects_[at].ranks;
        for (std::size_t i = objects_.size(); --i > 0;) // behind what is around it
            objects_[objects_[i].outer].ranks += objects_[i].ranks;
    }

    /// Adds the communicator that begins with an object, and all below it, without their ranks.
    std::size_t add(id begin, int depth) {
        std::vector<object> shared;
        if (begin != root) shared.push_back(objects_[begin]);
        id end = begin;
        for (id next = objects_[end].first_inside;
             next != root && objects_[next].ranks == objects_[end].ranks; next = objects_[end].first_inside) {
            end = next;
            shared.push_back(objects_[end]);
        }
        auto kinds = begin == root ? kinds_of_whole(shared) : kinds_of_level(shared);
        const std::size_t position = result_.communicators.size();
        result_.communicators.push_back(
            {depth,
             kinds.type,
             std::move(kinds.also),
             shared.empty() ? std::string{to_string(kinds.type)} : name_of(shared[kinds.chosen]),
             0,
             1,
             {},
             {},
             std::move(kinds.ranks_within)});
        objects_[begin].communicator = static_cast<int>(position);
        if (depth + 1 >= options_.max_depth) return position;

        std::vector<int> children;
        for (id next = objects_[end].first_inside; next != root; next = objects_[next].next_beside)
            children.push_back(static_cast<int>(add(next, depth + 1)));
        for (std::size_t i = 0; i < children.size(); ++i) {
            auto& child = result_.communicators[static_cast<std::size_t>(children[i])];
            child.index = static_cast<int>(i);
            child.count = static_cast<int>(children.size());
        }
        result_.communicators[position].children = std::move(children);
        return position;
    }

    void add_ranks() {
        const auto communicator_of = [this](const object& what) -> outline::communicator& {
            return result_.communicators[static_cast<std::size_t>(what.communicator)];
        };
        for (const object& each : objects_)
            if (each.communicator >= 0)
                communicator_of(each).ranks.reserve(static_cast<std::size_t>(each.ranks));
        for (int rank = 0; const id innermost : innermost_) {
            for (id at = innermost;; at = objects_[at].outer) {
                if (objects_[at].communicator >= 0) communicator_of(objects_[at]).ranks.push_back(rank);
                if (at == root) break;
            }
            ++rank;
        }
    }

    const hierarchy_options& options_;
    std::deque<object> objects_{object{}};
    std::unordered_map<object_key, id, hash> known_; ///< all but the root
    std::vector<id> innermost_;                      ///< of each rank
    std::unordered_map<std::string, std::uint32_t> name_numbers_;
    const std::string no_name_;
    std::vector<const std::string*> names_{&no_name_};
    outline result_;
};

/// The paths of many seats, one after the other: what is inside a node is looked up once for a binding.
class seat_paths {
public:
    explicit seat_paths(const machine& on) : on_(on) {}

    /// @return the path of the seat's place; valid until the next call @throws as `machine::place_of`
    std::span<const hardware_object> of(const seat& where) {
        if (where.node != node_) {
            path_ = on_.place_of({where.node, {}}).path();
            node_ = where.node;
            outer_ = std::ranges::find(path_, kind::machine, &hardware_object::kind) + 1 - path_.begin();
        }
        path_.erase(path_.begin() + outer_, path_.end());
        const auto* hardware = on_.nodes()[static_cast<std::size_t>(node_)].hardware.get();
        auto& known = known_[{hardware, hwloc_bitmap_first(where.cpus.native_handle())}];
        if (!known || known->cpus != where.cpus) {
            const place found = on_.place_of(where);
            known.emplace(binding{where.cpus, {found.path().begin() + outer_, found.path().end()}});
        }
        path_.insert(path_.end(), known->inside.begin(), known->inside.end());
        return path_;
    }

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

} // namespace detail

inline outline outline::of(std::span<const place> places, const hierarchy_options& options) {
    detail::outline_builder builder{options, places.size()};
    for (const place& each : places)
        builder.add(each.path());
    return builder.build();
}

inline outline outline::of(const machine& on, const placement& rule, int ranks,
                           const hierarchy_options& options) {
    detail::outline_builder builder{options, static_cast<std::size_t>(std::max(0, ranks))};
    detail::seat_paths paths{on};
    rule.each_seat(on, ranks, [&](const seat& each) { builder.add(paths.of(each)); });
    return builder.build();
}

} // namespace topo
