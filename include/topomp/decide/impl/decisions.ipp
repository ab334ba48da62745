// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/length_class.hpp>
#include <topomp/decide/detail/sharing.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/detail/oversubscription.hpp>
#include <topomp/plan/detail/checked_call.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE void say_once(const std::string& line) {
    static auto& said = *new std::vector<std::string>;
    std::string one = line.substr(0, line.find_last_not_of('\n') + 1);
    std::ranges::replace(one, '\n', ' ');
    if (std::ranges::find(said, one) != said.end()) return;
    said.push_back(one);
    std::fprintf(stderr, "topomp: %s\n", one.c_str());
}

TOPOMP_INLINE void loaded_sources::add(const cost_sources& more) {
    sources.replace_by(more);
    ++loads;
}

TOPOMP_INLINE void loaded_sources::clear() {
    sources = {};
    ++loads;
}

TOPOMP_INLINE loaded_sources& loaded_sources::now() {
    static auto& sources = *new loaded_sources;
    return sources;
}

TOPOMP_INLINE decisions& decisions::of(const hierarchy& levels) {
    return levels.attachment<decisions>([&] { return std::make_shared<decisions>(levels); });
}

/// Those of a hierarchy whose ranks have not met for a decision.
struct local_decisions : decisions {
    using decisions::decisions;
};

TOPOMP_INLINE decisions& decisions::without_asking(const hierarchy& levels) {
    if (decisions* const known = levels.known_attachment<decisions>(); known != nullptr) return *known;
    return levels.attachment<local_decisions>(
        [&] { return std::make_shared<local_decisions>(local_call_key(verb::barrier, levels, 0, true)); });
}

TOPOMP_INLINE void decisions::meet(const hierarchy& levels) {
    if (levels.known_attachment<decisions>() != nullptr) return;
    const char* const named = std::getenv("TOPOMP_TUNING");
    std::int64_t none_has = named == nullptr || *named == 0 ? 1 : 0;
    if (loaded_sources::now().sources.is_empty()) {
        const in_flight::turn alone{in_flight::of(levels)};
        lowest_of_all(context::of(levels), &none_has, 1);
    } else {
        none_has = 0;
    }
    if (none_has == 0) of(levels);
}

/// The ranks of the calling rank's node, and whether they are neighbours. Local.
struct ranks_here {
    int count = 1, levels_above = 0, numa_levels = 0;
    bool are_neighbours = true, is_first = true;
    decltype(call_key::parts) parts{};

    static ranks_here of(const hierarchy& levels) {
        ranks_here made;
        const level* node = nullptr;
        std::size_t inside = 0;
        const bool is_one_node = !may_cross_nodes(levels.whole_info());
        for (const level& each : levels)
            if (!may_cross_nodes(each.info())) {
                if (node == nullptr && !is_one_node) {
                    node = &each;
                } else if (inside < made.parts.size()) {
                    made.parts[inside++] = each.info().count;
                    if (is_one_node && each.is(kind::numa_node)) made.numa_levels = static_cast<int>(inside);
                }
            } else {
                ++made.levels_above;
            }
        if (node == nullptr) return made;
        made.count = node->comm().size();
        made.is_first = node->comm().rank() == 0;
        made.are_neighbours = levels.whole_rank() - node->comm().rank() == node->info().root;
        return made;
    }
};

// Along trees of the context, so that non-blocking collectives for which other ranks wait go on meanwhile.

[[gnu::cold]] TOPOMP_INLINE std::int64_t sum_of_all(context& ranks, std::int64_t value) {
    run(ranks.pool<all_reduce_operation>(), [&](all_reduce_operation& op) {
        op.start(ranks, tree_plan_of<binomial>, &value, {&value, 1, MPI_INT64_T}, {MPI_SUM, true});
    });
    return value;
}

[[gnu::cold]] TOPOMP_INLINE sharing among(context& ranks, bool has_nodes) {
    return {ranks.rank(),
            [&ranks](void* data, std::size_t bytes) {
                run(ranks.pool<broadcast_operation>(), [&](broadcast_operation& op) {
                    op.start(ranks, tree_plan_of<binomial>, {data, bytes, MPI_BYTE}, 0);
                });
            },
            [&ranks](std::int64_t value) {
                lowest_of_all(ranks, &value, 1);
                return value;
            },
            [&ranks, has_nodes]() -> two_nodes {
                if (!has_nodes) return {};
                const ranks_by_node& nodes = ranks.by_node(machine_part::widest);
                return {ranks.private_comm(), ranks.next_tag(), nodes.ranks_of(0), nodes.ranks_of(1)};
            }};
}

[[gnu::cold]] TOPOMP_INLINE decisions::decisions(const hierarchy& levels)
    : common_(local_call_key(verb::barrier, levels, 0, true)) {
    const in_flight::turn alone{in_flight::of(levels)};
    const char* const named = std::getenv("TOPOMP_TUNING");
    const std::string tuning = named == nullptr ? "" : named;
    const auto name_hash = static_cast<std::int64_t>(std::hash<std::string>{}(tuning) >> 2U);
    const bool has_nodes = common_.crosses_nodes() && common_.has_levels();
    const ranks_here here = common_.has_levels() ? ranks_here::of(levels) : ranks_here{};
    // The lowest of all values; where the highest is wanted, the values are negative.
    enum : std::size_t {
        has_name,
        least_hash,
        most_hash,
        fewest,
        interleaved,
        above,
        numa,
        parts,
        number = parts + 4
    };
    static_assert(number == parts + std::tuple_size_v<decltype(call_key::parts)>);
    std::array<std::int64_t, number> all{};
    all[has_name] = tuning.empty() ? 0 : -1;
    all[least_hash] = name_hash;
    all[most_hash] = -name_hash;
    all[fewest] = here.count;
    all[interleaved] = here.are_neighbours ? 0 : -1;
    all[above] = -here.levels_above;
    all[numa] = here.numa_levels; // none where a rank has none
    std::ranges::transform(here.parts, all.begin() + parts, [](int each) { return -each; });
    context& ranks = context::of(levels);
    lowest_of_all(ranks, all.data(), number);
    std::ranges::transform(all.begin() + parts, all.end(), common_.parts.begin(),
                           [](std::int64_t each) { return static_cast<int>(-each); });
    common_.numa_levels = static_cast<int>(all[numa]);
    if (has_nodes) {
        if (common_.uses_memory) {
            const oversubscription& nodes = oversubscription::of(levels);
            common_.uses_memory = nodes.shares_memory;
            common_.is_oversubscribed = nodes.is_oversubscribed;
        }
        common_.least_of_node = static_cast<int>(all[fewest]);
        common_.is_interleaved = all[interleaved] != 0;
        common_.levels_above = static_cast<int>(-all[above]);
        common_.node_count = static_cast<int>(sum_of_all(ranks, here.is_first ? 1 : 0));
    }
    if (all[has_name] == 0) return;
    if (all[least_hash] != -all[most_hash] && levels.whole_rank() == 0)
        say_once("TOPOMP_TUNING is not the same on all ranks: that of rank 0 counts, '" + tuning + '\'');
    if (reader_of_sources != nullptr)
        sources_ = from_environment_ = reader_of_sources(among(ranks, has_nodes), "TOPOMP_TUNING", tuning);
    else if (levels.whole_rank() == 0)
        say_once("TOPOMP_TUNING is not read: with headers only, the program must include "
                 "topomp/decide/tuning.hpp");
}

TOPOMP_INLINE void decisions::refresh() {
    const loaded_sources& loaded = loaded_sources::now();
    if (loaded.loads == loads_) return;
    loads_ = loaded.loads;
    sources_ = from_environment_;
    sources_.replace_by(loaded.sources);
    decided_ = {};
    plans_.clear();
}

TOPOMP_INLINE const cost_sources& decisions::sources() {
    refresh();
    return sources_;
}

TOPOMP_INLINE const plan& decisions::of(verb what, std::size_t bytes, bool is_commutative, call_form form) {
    refresh();
    const std::size_t of_verb =
        static_cast<std::size_t>(form) * verb_names.size() + static_cast<std::size_t>(what);
    auto& lengths = decided_[2 * of_verb + (is_commutative ? 1 : 0)];
    if (lengths == nullptr) lengths = std::make_unique<classes>();
    const std::size_t at = length_class::of(bytes, common_.ranks);
    const plan*& known = (*lengths)[at];
    if (known == nullptr)
        known = &plans_.emplace_back(
            decide(key_of(what, length_class::least(at), is_commutative, form), sources_));
    return *known;
}

TOPOMP_INLINE plan decisions::at_once(verb what, std::size_t bytes, bool is_commutative, call_form form) {
    if (sources().is_empty()) return decide(key_of(what, bytes, is_commutative, form));
    return of(what, bytes, is_commutative, form);
}

TOPOMP_INLINE plan decisions::prepared(verb what, std::size_t bytes, bool is_commutative, call_form form) {
    return decide_prepared(key_of(what, bytes, is_commutative, form), sources(),
                           of(what, bytes, is_commutative));
}

} // namespace topo::detail
