// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/detail/outline_builder.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/detail/trail_steps.hpp>
#include <topomp/hierarchy/options.hpp>
#include <topomp/hierarchy/outline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE const outline::communicator& outline::whole() const {
    if (communicators.empty())
        throw usage_error("topo::outline", "outline",
                          "it is empty: it was moved from, or gathered on another rank");
    return communicators.front();
}

TOPOMP_INLINE int outline::max_depth() const {
    static_cast<void>(whole()); // there is one
    return std::ranges::max(communicators, {}, &communicator::depth).depth + 1;
}

TOPOMP_INLINE bool operator==(const outline::communicator& a, const outline::communicator& b) {
    return a.depth == b.depth && a.type == b.type && a.also == b.also && a.name == b.name &&
           a.index == b.index && a.count == b.count && a.ranks == b.ranks && a.children == b.children &&
           a.ranks_within == b.ranks_within;
}

TOPOMP_INLINE std::vector<int> outline::roots_below(const communicator& parent) const {
    std::vector<int> roots;
    for (const int child : parent.children)
        roots.push_back(communicators[static_cast<std::size_t>(child)].root());
    return roots;
}

} // namespace topo

namespace topo::detail {

TOPOMP_INLINE outline_builder::outline_builder(const hierarchy_options& options, std::size_t ranks)
    : options_(options), known_(2 * ranks) { // mostly each has a core and a PU
    innermost_.reserve(ranks);
}

TOPOMP_INLINE void outline_builder::add(std::span<const hardware_object> path) {
    id at = root;
    each_step(path, options_,
              [&](const hardware_object& what, object_key key, bool fills_outer,
                  const hardware_object* node) { at = inside(at, what, key, fills_outer, node); });
    innermost_.push_back(at);
}

TOPOMP_INLINE outline outline_builder::build() {
    if (innermost_.empty()) throw argument_error("topo::outline", "list of places", "it is empty");
    known_.reset();
    count_ranks();
    // A communicator begins with each object that not all ranks of the one around it are in.
    const auto divides = [this](const object& each) { return each.ranks < objects_[each.outer].ranks; };
    result_.communicators.reserve(1 + static_cast<std::size_t>(std::ranges::count_if(objects_, divides)));
    add(root, -1);
    add_ranks();
    return std::move(result_);
}

TOPOMP_INLINE outline_builder::id outline_builder::inside(id outer, const hardware_object& what,
                                                          object_key key, bool fills_outer,
                                                          const hardware_object* node) {
    const auto [known, is_new] = known_->number(key, static_cast<id>(objects_.size()));
    if (!is_new) return known;
    object added{what.kind, fills_outer, what.index};
    added.name = name_number(what.name);
    if (node != nullptr) added.node = name_number(to_string(*node));
    added.outer = outer;
    objects_.push_back(added);
    object& around = objects_[outer];
    (around.first_inside == root ? around.first_inside : objects_[around.last_inside].next_beside) = known;
    around.last_inside = known;
    return known;
}

TOPOMP_INLINE std::uint32_t outline_builder::name_number(const std::string& name) {
    if (name.empty()) return 0;
    if (name == *names_.back()) return static_cast<std::uint32_t>(names_.size() - 1); // as mostly
    const auto [known, is_new] = name_numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(&known->first);
    return known->second;
}

TOPOMP_INLINE std::string outline_builder::name_of(const object& what) const {
    std::string own = to_string(hardware_object{what.type, what.index, *names_[what.name]});
    return what.node == 0 ? own : *names_[what.node] + '/' + own;
}

TOPOMP_INLINE void outline_builder::count_ranks() {
    for (const id at : innermost_)
        ++objects_[at].ranks;
    for (std::size_t i = objects_.size(); --i > 0;) // behind what is around it
        objects_[objects_[i].outer].ranks += objects_[i].ranks;
}

TOPOMP_INLINE std::size_t outline_builder::add(id begin, int depth) {
    std::vector<object> shared;
    if (begin != root) shared.push_back(objects_[begin]);
    id end = begin;
    for (id next = objects_[end].first_inside; next != root && objects_[next].ranks == objects_[end].ranks;
         next = objects_[end].first_inside) {
        end = next;
        shared.push_back(objects_[end]);
    }
    auto kinds = begin == root ? kinds_of_whole(shared) : kinds_of_level(shared);
    std::string name = name_of_level(shared, kinds, [this](const object& each) { return name_of(each); });
    const std::size_t position = result_.communicators.size();
    result_.communicators.push_back({depth,
                                     kinds.type,
                                     std::move(kinds.also),
                                     std::move(name),
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

TOPOMP_INLINE void outline_builder::add_ranks() {
    const auto communicator_of = [this](const object& what) -> outline::communicator& {
        return result_.communicators[static_cast<std::size_t>(what.communicator)];
    };
    for (const object& each : objects_)
        if (each.communicator >= 0) communicator_of(each).ranks.reserve(static_cast<std::size_t>(each.ranks));
    for (int rank = 0; const id innermost : innermost_) {
        for (id at = innermost;; at = objects_[at].outer) {
            if (objects_[at].communicator >= 0) communicator_of(objects_[at]).ranks.push_back(rank);
            if (at == root) break;
        }
        ++rank;
    }
}

TOPOMP_INLINE std::span<const hardware_object> seat_paths::of(const seat& where) {
    if (path_.empty() || where.node != node_) {
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

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE outline outline::of(std::span<const place> places, const hierarchy_options& options) {
    detail::outline_builder builder{options, places.size()};
    for (const place& each : places)
        builder.add(each.path());
    return builder.build();
}

TOPOMP_INLINE outline outline::of(const machine& on, const placement& rule, int ranks,
                                  const hierarchy_options& options) {
    detail::outline_builder builder{options, static_cast<std::size_t>(std::max(0, ranks))};
    detail::seat_paths paths{on};
    rule.each_seat(on, ranks, [&](const seat& each) { builder.add(paths.of(each)); });
    return builder.build();
}

} // namespace topo
